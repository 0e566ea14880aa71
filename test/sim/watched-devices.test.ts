/** An observer of single devices (sim/observation/observer.ts) has all rows of those. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { readScenario } from '../../scenarios/texts.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';

const { scenario } = readScenario(`
  scenario: watched
  duration: 6 h
  area: { radius: 500 m }
  gateways: [{ name: roof }, { name: mast }]
  devices:
    - { name: meter, count: 8, joinWithin: 5 min, traffic: { every: 5 min }, frameLoss: 10 % }
  images: [{ name: meter-1.1.0.bin, bytes: 4 kB }]
  groups: [{ name: meters, devices: [meter] }]
  campaigns:
    - { name: spring, image: meter-1.1.0.bin, group: meters, at: 1 h, multicast_setup_time: 2 h }
`);
const plan = populate(scenario);

function rowsOf(watched: readonly string[] | undefined) {
  const rows: TraceRow[] = [];
  const watches = watched && { watches: (device: string) => watched.includes(device) };
  const world = World.create(plan, 'watched', {
    observer: { trace: (row) => rows.push(row), ...watches },
  });
  world.runUntil(world.endUs);
  return { rows, digest: world.result().digest };
}

/** Kinds with a row for each frame. */
const FREQUENT: readonly TraceRow['kind'][] = [
  'uplinkBegins',
  'uplinkEnds',
  'receiveWindows',
  'uplinkCollected',
  'multicastDecided',
  'fragmentTaken',
];
const frequentOf = (rows: readonly TraceRow[], device: string) =>
  rows.filter((row) => 'device' in row && row.device === device && FREQUENT.includes(row.kind));

describe('an observer of single devices', () => {
  const all = rowsOf(undefined);
  const some = rowsOf(['meter-3', 'meter-5']);

  it('has every row of theirs, and none of the frequent rows of others', () => {
    for (const device of ['meter-3', 'meter-5']) {
      const own = frequentOf(all.rows, device);
      expect(frequentOf(some.rows, device)).toEqual(own);
      expect(new Set(own.map(({ kind }) => kind))).toEqual(new Set(FREQUENT));
    }
    expect(frequentOf(some.rows, 'meter-4')).toEqual([]);
  });

  it('has all other rows, and changes nothing', () => {
    const others = ({ rows }: typeof all) => rows.filter(({ kind }) => !FREQUENT.includes(kind));
    expect(others(some)).toEqual(others(all));
    expect(some.digest).toBe(all.digest);
  });
});
