/** What a network's summary says of beacons: sent, heard, and missed by cause. */
import type { DeviceSummary, NetworkSummary } from '../network-face.ts';
import type { BeaconFigures, RunResult } from '../result.ts';

type Counts = Record<string, number>;

/** Fates by type, in this order: those that devices have settled, and those ahead of them. */
export function tellBeacons(
  types: readonly { readonly name: string }[],
  { tally, devices }: NetworkSummary,
): Pick<RunResult, 'beacons'> {
  const byType = new Map<string, Counts>();
  for (const [key, times] of Object.entries(tally.counts.beacons)) {
    const space = key.indexOf(' ');
    add(byType, key.slice(space + 1), { [key.slice(0, space)]: times });
  }
  for (const { type, beacons } of devices) {
    if (beacons !== undefined) add(byType, type, beacons.ahead);
  }
  if (tally.beaconsSent === 0 && byType.size === 0) return {};
  const populations = types.flatMap(({ name }) => {
    const fates = byType.get(name);
    if (fates === undefined) return [];
    return [
      {
        name,
        ...figures(
          fates,
          devices.filter(({ type }) => type === name),
        ),
      },
    ];
  });
  const all = new Map<string, Counts>();
  for (const fates of byType.values()) add(all, '', fates);
  const total = figures(all.get('') ?? {}, devices);
  return { beacons: { sent: tally.beaconsSent, ...total, populations } };
}

function add(byType: Map<string, Counts>, type: string, fates: Readonly<Counts>): void {
  const sum = byType.get(type) ?? {};
  byType.set(type, sum);
  for (const [fate, times] of Object.entries(fates)) sum[fate] = (sum[fate] ?? 0) + times;
}

function figures(fates: Readonly<Counts>, devices: readonly DeviceSummary[]): BeaconFigures {
  const { heard = 0, ...missed } = fates;
  const sorted = Object.entries(missed).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    lookedFor: Object.values(fates).reduce((sum, times) => sum + times, 0),
    heard,
    missed: Object.fromEntries(sorted),
    inClassB: devices.filter(({ beacons }) => beacons?.inClassB === true).length,
  };
}
