/** Campaigns at DR0, which files alone can ask for. */
import { describe, expect, it } from 'vitest';
import { runScenario } from '../../scenarios/testing/testing.ts';

const TOWN = `scenario: slow
duration: 2 d
area: { radius: 500 m }
devices: [{ name: meter, count: 5, class: C }]
images: [{ name: meter-1.2.0.bin, bytes: 500 B }]
groups: [{ name: meters, devices: all }]
campaigns:
  - { name: spring, image: meter-1.2.0.bin, group: meters, at: 1 h 30 min, multicastDataRate: DR0 }
`;

describe('a campaign whose multicastDataRate is DR0', () => {
  it('sends its fragments at DR0 and updates its devices', () => {
    const { result } = runScenario(TOWN);
    expect(result.campaigns[0]).toMatchObject({ devices: 5, success: 5, dataRate: 0 });
  });
});
