/** What a network counts for its result: sums only; nothing here decides anything. */

import { assert } from '../base/assert.ts';
import {
  type AirPurpose,
  type BeaconFate,
  type Counts,
  type DownlinkLoss,
  type DownlinkRefusal,
  dataRateKey,
  type FragmentLoss,
  type GatewayRefusal,
  type GroupFrameCounts,
  lossKey,
  type MulticastFate,
  type NetworkCounts,
  NO_SUMS,
  type Outage,
  type Series,
  type Sum,
  sortedByName,
  type TransmissionFate,
  type UplinkLoss,
} from '../base/counts.ts';
import { coarser, type Slicing } from '../base/slicing.ts';
import { FATE_NAMES, fateName } from '../radio/uplink-air.ts';
import { type SavedSlices, SlicedValues } from './sliced-values.ts';

/** Where a gateway's receptions stand that it could not forward; those by `Fate` go before. */
export const NOT_FORWARDED = FATE_NAMES.length;

type CountsByCause = {
  -readonly [Of in keyof NetworkCounts['counts']]: Counter<NetworkCounts['counts'][Of]>;
};
type Counter<Stored> = { -readonly [Cause in keyof Stored]: Stored[Cause] };

export interface SavedTally {
  readonly sums: NetworkCounts['sums'];
  readonly counts: NetworkCounts['counts'];
  readonly fragmentLosses: readonly (readonly [mcAddr: number, Counts<FragmentLoss>])[];
  readonly groupFrames: readonly (readonly [mcAddr: number, GroupFrameCounts])[];
  readonly beaconFates: readonly (readonly [deviceType: string, Counts<BeaconFate>])[];
  readonly series: NetworkCounts['series'];
  /** Length of a slice by now, µs; null: none is stored. */
  readonly sliceUs: number | null;
  readonly gateways: readonly (readonly number[])[];
  readonly outages: readonly Outage[];
  readonly lossesByType: readonly (readonly [typeRow: number, Counts<UplinkLoss>])[];
  readonly messagesByType: readonly (readonly [typeRow: number, Counts<TransmissionFate>])[];
  readonly slices: {
    readonly dataRates: SavedSlices<number>;
    readonly losses: SavedSlices<number>;
    readonly airUs: SavedSlices<string>;
    readonly usedUs: SavedSlices<number>;
  };
}

const partOf = (gatewayEui: string, part: Outage['part']): string => `${gatewayEui} ${part}`;

export class Tally implements NetworkCounts {
  sums: Record<Sum, number> = { ...NO_SUMS };
  counts: CountsByCause = {
    uplinkFates: {},
    receptions: {},
    downlinksRefused: {},
    downlinksRetried: {},
    downlinksLost: {},
  };
  fragmentLosses = new Map<number, Counter<Counts<FragmentLoss>>>();
  groupFrames = new Map<number, GroupFrameCounts>();
  beaconFates = new Map<string, Counter<Counts<BeaconFate>>>();
  /** Per gateway row: receptions by number of their fate (`Fate`), and `NOT_FORWARDED` last. */
  gateways: number[][] = [];
  outages: Outage[] = [];
  /** By gateway and part: the place of its outage that lasts. */
  readonly #lasting = new Map<string, number>();
  /** Length of a slice of the series now, µs; undefined: none is stored. */
  sliceUs: number | undefined;
  readonly #most: number;
  lossesByType = new Map<number, Counter<Counts<UplinkLoss>>>();
  messagesByType = new Map<number, Counter<Counts<TransmissionFate>>>();
  readonly #dataRates = new SlicedValues<number>('sum');
  readonly #losses = new SlicedValues<number>('sum');
  readonly #airUs = new SlicedValues<string>('sum');
  readonly #usedUs = new SlicedValues<number>('highest');
  series: Record<Series, number[]> = {
    uplinks: [],
    received: [],
    interfered: [],
    downlinks: [],
    joined: [],
  };

  /** Without slices no series is stored. */
  constructor(slicing?: Slicing) {
    const { firstUs, most = Number.POSITIVE_INFINITY } = slicing ?? {};
    const isWhole = firstUs === undefined || (Number.isSafeInteger(firstUs) && firstUs > 0);
    assert(isWhole && most >= 1, 'a slice is a whole number of µs');
    this.sliceUs = firstUs;
    this.#most = most;
  }

  /** A gateway was created; its row is the next one. */
  addGateway(): void {
    this.gateways.push([...FATE_NAMES, 'backhaulLoss'].map(() => 0));
  }

  add(sum: Sum): void {
    this.sums[sum]++;
  }

  /** Adds one to a series in the slice of `atUs`, where series are stored. */
  mark(series: Series, atUs: number): void {
    assert(atUs >= 0, 'nothing is counted before the start');
    const slice = this.#sliceOf(atUs);
    if (slice === undefined) return;
    const values = this.series[series];
    while (values.length <= slice) values.push(0);
    values[slice] = (values[slice] ?? 0) + 1;
  }

  /** Where an instant lies; undefined: no series is stored. */
  #sliceOf(atUs: number): number | undefined {
    if (this.sliceUs === undefined) return undefined;
    while (atUs >= this.sliceUs * this.#most) this.#coarsen(2 * this.sliceUs);
    return Math.floor(atUs / this.sliceUs);
  }

  get slices(): NetworkCounts['slices'] {
    return {
      dataRates: this.#dataRates.byKey,
      losses: this.#losses.byKey,
      airUs: this.#airUs.byKey,
      usedUs: this.#usedUs.byKey,
    };
  }

  /** Two slices become one. */
  #coarsen(sliceUs: number): void {
    for (const each of [this.#dataRates, this.#losses, this.#airUs, this.#usedUs]) each.coarsen();
    this.series = mapSeries(this.series, (counts) => coarser(counts, 2));
    this.sliceUs = sliceUs;
  }

  /** A transmission of a device of this type's row ended, whatever became of it. */
  countUplink(fate: TransmissionFate, typeRow: number, dataRate: number, atUs: number): void {
    this.add('uplinks');
    count(this.counts.uplinkFates, fate);
    const slice = this.#sliceOf(atUs);
    if (slice !== undefined) this.#dataRates.add(dataRateKey(typeRow, dataRate), slice, 1);
    if (fate === 'received') return;
    count(countsOf(this.lossesByType, typeRow), fate);
    if (slice !== undefined) this.#losses.add(lossKey(typeRow, fate), slice, 1);
  }

  /** A message of a device of this type's row is over. */
  countMessage(fate: TransmissionFate, typeRow: number): void {
    count(countsOf(this.messagesByType, typeRow), fate);
  }

  /** A gateway begins to send; `account` is its own in the sub-band, where that has a budget. */
  countAir(
    purpose: AirPurpose,
    airtimeUs: number,
    atUs: number,
    account?: { readonly number: number; readonly usedUs: number },
  ): void {
    const slice = this.#sliceOf(atUs);
    if (slice === undefined) return;
    this.#airUs.add(purpose, slice, airtimeUs);
    if (account !== undefined) this.#usedUs.add(account.number, slice, account.usedUs);
  }

  /** A reception at the gateway in this row ended; `fate` is one of `Fate`, but `pending`. */
  countReception(gateway: number, fate: number): void {
    const fates = this.gateways[gateway];
    assert(fates !== undefined, 'a gateway that receives was created');
    fates[fate]!++;
    count(this.counts.receptions, fateName(fate));
  }

  /** A gateway had received a transmission, and the server does not get it. */
  countNotForwarded(gateway: number): void {
    const fates = this.gateways[gateway];
    assert(fates !== undefined, 'a gateway that receives was created');
    fates[NOT_FORWARDED]!++;
    count(this.counts.receptions, 'backhaulLoss');
  }

  /** A part of a gateway fails; one that has failed already is no other outage. */
  beginOutage(gatewayEui: string, part: Outage['part'], nowUs: number): void {
    this.#lasting.set(partOf(gatewayEui, part), this.outages.length);
    this.outages.push({ gatewayEui, part, fromUs: nowUs });
  }

  /** It works again, or the gateway is gone. */
  endOutage(gatewayEui: string, part: Outage['part'], nowUs: number): void {
    const failed = partOf(gatewayEui, part);
    const at = this.#lasting.get(failed);
    if (at === undefined) return;
    this.#lasting.delete(failed);
    this.outages[at] = { ...this.outages[at]!, untilUs: nowUs };
  }

  /** Counts gateways in reach for which a transmission was too weak. */
  countTooWeak(gateways: number): void {
    assert(gateways >= 0, 'counts grow');
    if (gateways > 0) count(this.counts.receptions, 'tooWeak', gateways);
  }

  /** A unicast downlink that was sent did not reach its device. */
  loseDownlink(cause: DownlinkLoss): void {
    count(this.counts.downlinksLost, cause);
  }

  /** `by` fragments of a group were missed by a device; 0 counts nothing. */
  countFragments(mcAddr: number, cause: FragmentLoss, by: number): void {
    assert(by >= 0, 'counts grow');
    if (by > 0) count(countsOf(this.fragmentLosses, mcAddr), cause, by);
  }

  /** Counts the members of a standing group that a frame was for. */
  countGroupMembers(mcAddr: number, members: number): void {
    assert(members >= 0, 'counts grow');
    const { frames, toHear, fates } = this.groupFrames.get(mcAddr) ?? NO_GROUP_FRAMES;
    this.groupFrames.set(mcAddr, { frames: frames + 1, toHear: toHear + members, fates });
  }

  /** A standing group is gone, and what was counted of it. */
  forgetGroup(mcAddr: number): void {
    this.groupFrames.delete(mcAddr);
  }

  /** What became of it at one of them. */
  countGroupFrame(mcAddr: number, fate: MulticastFate): void {
    const counted = this.groupFrames.get(mcAddr);
    assert(counted !== undefined, 'a frame that a member decides of was counted');
    if (fate === 'outOfReach') return;
    const fates = { ...counted.fates };
    count(fates, fate);
    this.groupFrames.set(mcAddr, { ...counted, fates });
  }

  /** What became of a beacon at a device of this type. */
  countBeacon(deviceType: string, fate: BeaconFate): void {
    count(countsOf(this.beaconFates, deviceType), fate);
  }

  /** A downlink will not be sent. */
  refuse(reason: DownlinkRefusal): void {
    count(this.counts.downlinksRefused, reason);
  }

  /** Refused by a gateway; the same downlink is planned once more. */
  retry(reason: GatewayRefusal): void {
    count(this.counts.downlinksRetried, reason);
  }

  /** Refused by a gateway; the payload waits again, and is requested once more when it is sent. */
  putOff(reason: GatewayRefusal): void {
    this.retry(reason);
    this.sums.downlinksRequested--;
    assert(this.sums.downlinksRequested >= 0, 'what is put off was requested before');
  }

  save(): SavedTally {
    const { sums, counts, fragmentLosses, beaconFates, series, gateways } = this;
    const groupFrames = [...this.groupFrames];
    return {
      sums: { ...sums },
      counts: copyOfCounts(counts),
      fragmentLosses: [...fragmentLosses].map(([mcAddr, losses]) => [mcAddr, { ...losses }]),
      groupFrames,
      // Queries settle devices, so fates are counted in another order.
      beaconFates: [...beaconFates]
        .map(([type, fates]) => [type, sortedByName(fates)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
      series: copyOfSeries(series),
      sliceUs: this.sliceUs ?? null,
      gateways: gateways.map((fates) => [...fates]),
      outages: [...this.outages],
      lossesByType: [...this.lossesByType].map(([row, losses]) => [row, { ...losses }]),
      messagesByType: [...this.messagesByType].map(([row, fates]) => [row, { ...fates }]),
      slices: {
        dataRates: this.#dataRates.save(),
        losses: this.#losses.save(),
        airUs: this.#airUs.save(),
        usedUs: this.#usedUs.save(),
      },
    };
  }

  load(saved: SavedTally): void {
    const { sums, counts, fragmentLosses, beaconFates, series, gateways } = saved;
    this.sums = { ...sums };
    this.counts = copyOfCounts(counts);
    this.fragmentLosses = new Map(fragmentLosses.map(([mcAddr, each]) => [mcAddr, { ...each }]));
    this.groupFrames = new Map(saved.groupFrames);
    this.beaconFates = new Map(beaconFates.map(([type, each]) => [type, { ...each }]));
    this.series = copyOfSeries(series);
    this.sliceUs = saved.sliceUs ?? undefined;
    this.gateways = gateways.map((fates) => [...fates]);
    this.outages = [...saved.outages];
    this.#lasting.clear();
    for (const [at, { gatewayEui, part, untilUs }] of this.outages.entries()) {
      if (untilUs === undefined) this.#lasting.set(partOf(gatewayEui, part), at);
    }
    this.lossesByType = new Map(saved.lossesByType.map(([row, each]) => [row, { ...each }]));
    this.messagesByType = new Map(saved.messagesByType.map(([row, each]) => [row, { ...each }]));
    this.#dataRates.load(saved.slices.dataRates);
    this.#losses.load(saved.slices.losses);
    this.#airUs.load(saved.slices.airUs);
    this.#usedUs.load(saved.slices.usedUs);
  }
}

/** Adds to a count by name; `by` is at least 0. */
export function count<Name extends string>(
  counts: Partial<Record<Name, number>>,
  name: Name,
  by = 1,
): void {
  counts[name] = (counts[name] ?? 0) + by;
}

const NO_GROUP_FRAMES: GroupFrameCounts = { frames: 0, toHear: 0, fates: {} };

/** The counts of a key; none so far is a new record. */
function countsOf<Key, Name extends string>(
  all: Map<Key, Partial<Record<Name, number>>>,
  key: Key,
): Partial<Record<Name, number>> {
  const known = all.get(key);
  if (known !== undefined) return known;
  const fresh: Partial<Record<Name, number>> = {};
  all.set(key, fresh);
  return fresh;
}

const copyOfCounts = (counts: NetworkCounts['counts']): CountsByCause => ({
  uplinkFates: { ...counts.uplinkFates },
  receptions: { ...counts.receptions },
  downlinksRefused: { ...counts.downlinksRefused },
  downlinksRetried: { ...counts.downlinksRetried },
  downlinksLost: { ...counts.downlinksLost },
});

const copyOfSeries = (series: NetworkCounts['series']) => mapSeries(series, (each) => [...each]);

const mapSeries = (
  { uplinks, received, interfered, downlinks, joined }: NetworkCounts['series'],
  map: (counts: readonly number[]) => number[],
): Record<Series, number[]> => ({
  uplinks: map(uplinks),
  received: map(received),
  interfered: map(interfered),
  downlinks: map(downlinks),
  joined: map(joined),
});
