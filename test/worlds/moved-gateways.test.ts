/** A gateway that is moved while the world runs: `moveGateway` of the timeline. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { checkInvariants, runScenario } from '../../scenarios/testing/testing.ts';
import { faultsOf, scenarioOf } from '../scenarios/scenario.ts';

const HOUR_US = 3_600_000_000;

/** A meter in the centre; the gateway comes nearer after two hours. */
const MOVING = `
scenario: moving
duration: 4 h
radio: { shadowing: 0 dB }
gateways: [{ name: mast, placement: { at: [40 km, 0] } }]
devices:
  - name: meter
    activation: abp
    adr: false
    placement: { at: [0, 0] }
    traffic: { every: 5 min }
timeline:
  - { at: 2 h, moveGateway: { gateway: mast, placement: { at: [1 km, 0] } } }
  - { at: 3 h, moveGateway: { gateway: mast, placement: { at: [2 km, 0] } } }
`;

describe('a gateway that moves', () => {
  const { result, trace } = runScenario(MOVING);
  const received = trace.rows.flatMap((row) => (row.kind === 'uplinkEnds' ? [row] : []));
  const levels = (fromUs: number, untilUs: number) =>
    new Set(
      received
        .filter(({ atUs }) => atUs >= fromUs && atUs < untilUs)
        .flatMap(({ gateways }) => gateways.filter(({ fate }) => fate === 'received'))
        .map(({ rssiCentiDbm }) => rssiCentiDbm),
    );

  it('hears what its new place lets it hear, from then on', () => {
    expect(levels(0, 2 * HOUR_US).size).toBe(0);
    const near = [...levels(2 * HOUR_US, 3 * HOUR_US)];
    const far = [...levels(3 * HOUR_US, 4 * HOUR_US)];
    expect(near.length).toBeGreaterThan(0);
    // ns-3: 37.6 dB a decade, so twice the distance costs 11.3 dB.
    expect(Math.max(...far) - Math.max(...near)).toBe(-1132);
    expect(checkInvariants(trace)).toEqual({});
  });

  it('stands in the result once for each of its places', () => {
    expect(result.gateways.map(({ name, xMeters }) => [name, xMeters])).toEqual([
      ['mast', 40_000],
      ['mast', 1_000],
      ['mast', 2_000],
    ]);
    expect(new Set(result.gateways.map(({ eui }) => eui)).size).toBe(1);
  });

  it('numbers its downlinks on, so that gateway and number name one of them in a trace', () => {
    const text = MOVING.replace(
      'traffic: { every: 5 min }',
      'traffic: { every: 5 min, confirmed: 100 % }',
    );
    const planned = runScenario(text).trace.rows.flatMap((row) =>
      row.kind === 'downlinkPlanned' ? [row] : [],
    );
    expect(planned.some(({ atUs }) => atUs > 3 * HOUR_US)).toBe(true);
    expect(planned.map(({ downlink }) => downlink)).toEqual(planned.map((_, number) => number));
  });

  it('has to be there when it moves', () => {
    expect(faultsOf(MOVING.replace('gateway: mast', 'gateway: tower'))).toHaveLength(1);
    const removed = MOVING.replace(
      'timeline:\n',
      'timeline:\n  - { at: 1 h, removeGateway: mast }\n',
    );
    expect(faultsOf(removed).join()).toContain(
      '"mast" is no longer a gateway of this scenario at that time; allowed: none, since',
    );
    const masts = (removed: string) =>
      faultsOf(
        'scenario: gone\ngateways: [{ name: mast, count: 4, placement: { disc: 1 km } }]\n' +
          'devices: [{ name: m }]\ntimeline:\n' +
          `  - { at: 1 h, removeGateway: mast-${removed} }\n` +
          `  - { at: 2 h, removeGateway: mast-${removed} }\n`,
      ).join();
    expect(masts('1')).toMatch(/ at that time; allowed: mast-2 … mast-4$/);
    expect(masts('3')).toMatch(/ at that time; allowed: mast-1 … mast-2, mast-4$/);
    const world = World.create(populate(scenarioOf(MOVING)), 'seed');
    const place = { xMeters: 0, yMeters: 0 };
    const moved = {
      kind: 'gateway.change',
      by: 'default',
      eui: '06FFFFFFFFFFFFFF',
      gateway: place,
    } as const;
    const answer = world.submit(moved);
    expect(answer).toMatchObject({ ok: false, failure: { code: 'gateway.unknown' } });
  });
});
