/** The part of a result on class B: beacons sent, heard, and missed by cause. */
import {
  type BeaconFate,
  type Counts,
  entriesOf,
  sortedByName,
  sumOf,
} from '../../sim/base/counts.ts';
import { ROWS_A_STEP } from '../../sim/base/stepwise.ts';
import type { NetworkSummary } from '../../sim/contract/summary.ts';
import type { Steps } from '../base/in-steps.ts';
import type { BeaconFigures, RunResult } from '../result/result.ts';

type Fates = Partial<Record<BeaconFate, number>>;

/**
 * Absent where no beacon was sent and none looked for. Fates are those that devices have settled
 * and those ahead of them; populations come in the order of `types`. In steps.
 */
export function* beaconResult(
  types: readonly { readonly name: string }[],
  { counted, devices }: NetworkSummary,
): Steps<Pick<RunResult, 'beacons'>> {
  const byType = new Map<string, Fates>();
  for (const [type, fates] of counted.beaconFates) byType.set(type, { ...fates });
  const inClassB = new Map<string, number>();
  let seen = 0;
  for (const { type, beacons } of devices) {
    if (seen++ % ROWS_A_STEP === 0) yield;
    if (beacons === undefined) continue;
    if (beacons.inClassB) inClassB.set(type, (inClassB.get(type) ?? 0) + 1);
    const fates = byType.get(type) ?? {};
    byType.set(type, fates);
    addTo(fates, beacons.ahead);
  }
  const sent = counted.sums.beaconsSent;
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
