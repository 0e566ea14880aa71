/**
 * A journal on a disk whose power goes at any moment: what was acknowledged is there, nothing is
 * there that was not appended, and no healthy tail is taken for damage. Each harness also runs
 * against a build that is broken on purpose, and notices.
 */
import { describe, expect, it } from 'vitest';
import { faultOf, roundOf } from '../../support/journals.ts';
import { some } from '../../support/long.ts';
import type { PowerLossDisk } from '../../support/power-loss-disk.ts';

const ROUNDS = Number(process.env.FLEETWAVE_ROUNDS ?? some(1_600));
/** Of a broken build: that many are enough to notice. */
const FEW = 200;

async function faultsIn(
  rounds: number,
  ...more: Parameters<typeof roundOf> extends [number, ...infer R] ? R : never
) {
  const faults: string[] = [];
  let acknowledged = 0;
  for (let seed = 0; seed < rounds; seed++) {
    const round = await roundOf(seed, ...more);
    acknowledged += round.acknowledged.length;
    const fault = faultOf(round);
    if (fault !== undefined) faults.push(`round ${seed}: ${fault}`);
  }
  return { faults, acknowledged };
}

/** A disk that answers before it has done, in some way. */
function broken(change: (disk: PowerLossDisk) => Partial<PowerLossDisk>) {
  return (disk: PowerLossDisk): PowerLossDisk =>
    new Proxy(disk, {
      get: (target, name) => {
        const changed = change(target)[name as keyof PowerLossDisk];
        const value = changed ?? target[name as keyof PowerLossDisk];
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
}

const withoutSync = broken((disk) => ({
  create: async (name: string) => ({ ...(await disk.create(name)), sync: async () => undefined }),
}));
const withoutNames = broken(() => ({ syncNames: async () => undefined }));

describe('a journal whose power goes', () => {
  it(`keeps what it has acknowledged, and nothing else, in ${ROUNDS} rounds`, async () => {
    const { faults, acknowledged } = await faultsIn(ROUNDS);
    expect(faults).toEqual([]);
    expect(acknowledged).toBeGreaterThan(5 * ROUNDS);
  }, 600_000);

  it.each([
    ['does not sync', withoutSync, {}],
    ['does not sync names', withoutNames, {}],
    ['takes the word of the operating system', undefined, { durability: 'os' }],
  ] as const)('loses entries where it %s', async (_, wrap, options) => {
    const { faults } = await faultsIn(FEW, wrap, options);
    expect(faults.filter((fault) => fault.includes('lost')).length).toBeGreaterThan(0);
  });

  it('takes no torn tail for damage where it takes the word of the operating system', async () => {
    const { faults } = await faultsIn(FEW, undefined, { durability: 'os' });
    expect(faults.filter((fault) => fault.includes('refused'))).toEqual([]);
  });
});
