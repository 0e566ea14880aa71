/** What an update costs a battery: its session, in class B too, and nothing of the steady state. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { readScenario } from '../../scenarios/texts.ts';

const TOWN = (deviceClass: string, session: string, at: string) => `
  scenario: town
  duration: 12 h
  area: { radius: 500 m }
  radio: { pathLoss: { model: constant, loss: 100 dB }, shadowing: 0 dB }
  gateways: [{ name: roof, gps: true }]
  devices:
    - name: meter
      count: 6
      class: ${deviceClass}
      activation: abp
      dataRate: DR5
      traffic: { every: 10 min }
      energy: { chip: SX1262, battery: 2400 mAh, supply: 3.3 V }
  images: [{ name: town-2.0.0.bin, bytes: 8 kB }]
  groups: [{ name: all, devices: all, class: A }]
  campaigns:
    - { name: spring, image: town-2.0.0.bin, group: all, at: ${at}, multicastSession: ${session} }
`;

function energyOf(deviceClass: string, session: string, at = '1 h') {
  const { scenario } = readScenario(TOWN(deviceClass, session, at));
  const plan = populate(scenario, 'energy');
  const world = World.create(plan, 'energy');
  world.runUntil(world.endUs);
  const result = world.result();
  expect(result.campaigns[0]!.running).toBe(at === '1 h' ? 6 : 0);
  return result.energy!;
}

describe.each([
  ['A', 'classC'],
  ['B', 'classB'],
])('an update of class %s devices by a %s session', (deviceClass, session) => {
  const updated = energyOf(deviceClass, session);
  const not = energyOf(deviceClass, session, '11 h 59 min');

  it('costs what a run with it takes more than one without', () => {
    expect(not.updates).toBeUndefined();
    const more = updated.meanJoules - not.meanJoules;
    const { meanJoules } = updated.updates!;
    // Its set-up, its answers and their windows are uplinks and windows as others.
    expect(meanJoules).toBeGreaterThan(0.75 * more);
    expect(meanJoules).toBeLessThan(more);
  });

  it('takes nothing from a life without updates', () => {
    const years = (energy: typeof updated) => energy.batteryLifeYears!.p50!;
    expect(years(updated) / years(not)).toBeGreaterThan(0.8);
    expect(years(updated) / years(not)).toBeLessThan(1.01);
  });

  it('has its ping slots with the session, not with those of the device', () => {
    const { ping = 0 } = updated.byCause;
    expect(ping).toBeCloseTo(not.byCause.ping ?? 0, 1);
    expect(updated.byCause.multicast).toBeGreaterThan(0);
    expect(not.byCause.multicast).toBeUndefined();
  });
});
