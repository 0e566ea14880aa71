/** What a network counts for the report: sums only, no part of what decides. */

import type { REFUSAL_NAMES } from '../gateway/downlinks.ts';
import { FATE_NAMES } from '../radio/uplink-air.ts';

/** Why the server found no way to send a downlink; gateways' own refusals come on top. */
export type PlanRefusal = 'noBudget' | 'tooLateForWindows' | 'tooLong';

export interface SavedTally {
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly sums: readonly number[];
  readonly series: Readonly<Record<string, readonly number[]>>;
  readonly gateways: readonly (readonly number[])[];
}

const SERIES = ['uplinks', 'received', 'interfered', 'downlinks', 'joined'] as const;
type Series = (typeof SERIES)[number];

export class Tally {
  uplinks = 0;
  downlinksRequested = 0;
  downlinksSent = 0;
  downlinksReceived = 0;
  /** Copies of multicast frames that went on air; they are in none of the other counts. */
  multicastSent = 0;
  /** Beacons that went on air, over all gateways. */
  beaconsSent = 0;
  readonly counts = {
    /** Network-level fate of uplinks. */
    uplinkFates: {} as Record<string, number>,
    /** Fates over all gateways in reach. */
    receptions: {} as Record<string, number>,
    downlinksRefused: {} as Record<string, number>,
    /** Refused by a gateway, and planned once more in RX2, or made again after a ping slot. */
    downlinksRetried: {} as Record<string, number>,
    downlinksLost: {} as Record<string, number>,
    /** What the server made of collected uplinks. */
    verdicts: {} as Record<string, number>,
    /** Fragments that devices in a session did not hear, keyed `address cause`. */
    fragments: {} as Record<string, number>,
    /** What became of beacons at devices that looked for them, keyed `fate type`. */
    beacons: {} as Record<string, number>,
  };
  /** Per gateway: fates of receptions, by fate number. */
  readonly gateways: number[][] = [];
  readonly sliceUs: number;
  readonly series: Record<Series, number[]>;

  constructor(sliceUs: number) {
    this.sliceUs = sliceUs;
    this.series = { uplinks: [], received: [], interfered: [], downlinks: [], joined: [] };
  }

  addGateway(): void {
    this.gateways.push(FATE_NAMES.map(() => 0));
  }

  /** Adds one to a series in the slice of `atUs`. */
  mark(series: Series, atUs: number): void {
    const slice = Math.floor(atUs / this.sliceUs);
    const values = this.series[series];
    while (values.length <= slice) values.push(0);
    values[slice] = (values[slice] ?? 0) + 1;
  }

  countFragments(mcAddr: number, cause: string, by: number): void {
    if (by > 0) count(this.counts.fragments, `${mcAddr} ${cause}`, by);
  }

  countBeacon(type: string, fate: string): void {
    count(this.counts.beacons, `${fate} ${type}`);
  }

  refuse(reason: PlanRefusal | (typeof REFUSAL_NAMES)[number]): void {
    count(this.counts.downlinksRefused, reason);
  }

  retry(reason: (typeof REFUSAL_NAMES)[number]): void {
    count(this.counts.downlinksRetried, reason);
  }

  /** Refused by a gateway; the payload waits again, and is asked for once more when it is sent. */
  putOff(reason: (typeof REFUSAL_NAMES)[number]): void {
    this.retry(reason);
    this.downlinksRequested--;
  }

  save(): SavedTally {
    const { counts, series, gateways } = this;
    return {
      counts: copyOfCounts(counts),
      sums: [
        this.uplinks,
        this.downlinksRequested,
        this.downlinksSent,
        this.downlinksReceived,
        this.multicastSent,
        this.beaconsSent,
      ],
      series: Object.fromEntries(SERIES.map((name) => [name, [...series[name]]])),
      gateways: gateways.map((fates) => [...fates]),
    };
  }

  load(saved: SavedTally): void {
    const [uplinks, requested, sent, received, multicast, beacons] = saved.sums;
    this.uplinks = uplinks!;
    this.downlinksRequested = requested!;
    this.downlinksSent = sent!;
    this.downlinksReceived = received!;
    this.multicastSent = multicast!;
    this.beaconsSent = beacons!;
    const { counts } = this;
    for (const [name, values] of Object.entries(saved.counts)) {
      counts[name as keyof typeof counts] = { ...values };
    }
    for (const name of SERIES) this.series[name] = [...saved.series[name]!];
    this.gateways.splice(0, this.gateways.length, ...saved.gateways.map((fates) => [...fates]));
  }
}

/** Adds to a count by name. */
export function count(counts: Record<string, number>, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}

const copyOfCounts = (counts: Tally['counts']): SavedTally['counts'] =>
  Object.fromEntries(Object.entries(counts).map(([name, values]) => [name, { ...values }]));
