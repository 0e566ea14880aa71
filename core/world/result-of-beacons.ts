/** The part of a result on class B: beacons sent, heard, and missed by cause. */
import {
  type BeaconFate,
  type Counts,
  entriesOf,
  sortedByName,
  sumOf,
} from '../../sim/base/counts.ts';
import type { DeviceSummary, NetworkSummary } from '../../sim/contract/summary.ts';
import type { BeaconFigures, RunResult } from '../result/result.ts';

type Fates = Partial<Record<BeaconFate, number>>;

/**
 * What became of beacons: fates that devices have settled, and those ahead of them. Populations
 * come in the order of the types.
 */
export class BeaconCounts {
  readonly #sent: number;
  readonly #byType = new Map<string, Fates>();
  readonly #inClassB = new Map<string, number>();

  constructor({ beaconFates, sums }: NetworkSummary['counted']) {
    this.#sent = sums.beaconsSent;
    for (const [type, fates] of beaconFates) this.#byType.set(type, { ...fates });
  }

  add({ type, beacons }: DeviceSummary): void {
    if (beacons === undefined) return;
    if (beacons.inClassB) this.#inClassB.set(type, (this.#inClassB.get(type) ?? 0) + 1);
    const fates = this.#byType.get(type) ?? {};
    this.#byType.set(type, fates);
    addTo(fates, beacons.ahead);
  }

  /** Absent where no beacon was sent and none looked for. */
  result(types: readonly { readonly name: string }[]): Pick<RunResult, 'beacons'> {
    const [sent, byType, inClassB] = [this.#sent, this.#byType, this.#inClassB];
    if (sent === 0 && byType.size === 0) return {};
    const names = new Set(types.map(({ name }) => name));
    const populations = [...names].flatMap((name) => {
      const fates = byType.get(name);
      if (fates === undefined) return [];
      return [{ name, ...beaconFigures(fates, inClassB.get(name) ?? 0) }];
    });
    const all: Fates = {};
    for (const fates of byType.values()) addTo(all, fates);
    const everywhere = [...inClassB.values()].reduce((sum, one) => sum + one, 0);
    return { beacons: { sent, ...beaconFigures(all, everywhere), populations } };
  }
}

function addTo(sum: Fates, fates: Counts<BeaconFate>): void {
  for (const [fate, times] of entriesOf(fates)) sum[fate] = (sum[fate] ?? 0) + times;
}

function beaconFigures(fates: Counts<BeaconFate>, inClassB: number): BeaconFigures {
  const { heard = 0, ...missed } = fates;
  return {
    lookedFor: sumOf(fates),
    heard,
    missed: sortedByName(missed),
    inClassB,
  };
}
