/**
 * What is retained of a world for the stories of a few devices: their rows of the trace, downlinks
 * and answers, the steps of campaigns, and what happens to gateways. It only observes.
 */

import type { CampaignRow } from '../../core/update-service/campaigns/step-rows.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import type { BeaconFate } from '../../sim/base/counts.ts';
import type { FrameDown, FrameUp } from '../../sim/contract/frames.ts';
import type { News } from '../../sim/contract/news.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import {
  type BeaconsHeard,
  type DeviceRows,
  type EndOfDownlink,
  type GroupFrame,
  NO_ROWS,
  type StorySource,
  type WatchedDevice,
} from './device-rows.ts';

/** The same while it is retained. */
interface Retained {
  readonly rows: TraceRow[];
  readonly downlinkEnds: EndOfDownlink[];
  readonly downlinks: { readonly frame: FrameDown; readonly atUs: number }[];
  readonly uplinks: FrameUp[];
}

export class DeviceWatch implements StorySource {
  readonly #byName = new Map<string, Retained>();
  readonly #byEui = new Map<string, Retained>();
  /** Frames of multicast groups on the air, each once. */
  readonly groupFrames: GroupFrame[] = [];
  readonly #framesSeen = new Set<string>();
  /** Stages of campaigns, and the steps of devices that are watched. */
  readonly steps: CampaignRow[] = [];
  /** Faults of gateways, and those that come and go after the start. */
  readonly gatewayRows: TraceRow[] = [];
  readonly #nowUs: () => number;

  /** `nowUs`: the clock of the world. */
  constructor(devices: readonly WatchedDevice[], nowUs: () => number) {
    for (const { name, devEui } of devices) {
      const rows: Retained = { rows: [], downlinkEnds: [], downlinks: [], uplinks: [] };
      this.#byName.set(name, rows);
      this.#byEui.set(devEui, rows);
    }
    this.#nowUs = nowUs;
  }

  of({ devEui }: WatchedDevice): DeviceRows {
    const own = this.#byEui.get(devEui);
    return own === undefined ? NO_ROWS : { ...own, beacons: beaconsIn(own.rows) };
  }

  /** What a world is given to be watched. */
  options(): WorldOptions {
    return {
      records: false,
      observer: {
        trace: (row) => this.#trace(row),
        watches: (device) => this.#byName.has(device),
      },
      news: (news) => this.#hear(news),
      steps: (row) => {
        if (!('devEui' in row) || this.#byEui.has(row.devEui)) this.steps.push(row);
      },
    };
  }

  #trace(row: TraceRow): void {
    if ('device' in row) {
      this.#byName.get(row.device)?.rows.push(row);
      return;
    }
    switch (row.kind) {
      case 'downlinkEnds':
        for (const { device, fate } of row.devices) {
          this.#byName.get(device)?.downlinkEnds.push({ atUs: row.atUs, fate });
        }
        return;
      case 'gatewayStarts':
      case 'gatewayRemoved':
      case 'gatewayFault':
        this.gatewayRows.push(row);
    }
  }

  #noteGroupFrame({ mcAddr, counter, sending, outcome }: FrameDown): void {
    if (mcAddr === null || sending === null || outcome.kind !== 'sent') return;
    const key = `${mcAddr} ${counter}`;
    if (this.#framesSeen.has(key)) return;
    this.#framesSeen.add(key);
    const endsAtUs = sending.startsAtUs + sending.airtimeUs;
    this.groupFrames.push({ mcAddr, counter, endsAtUs });
  }

  #hear(news: News): void {
    if (news.kind === 'frameDown') {
      const { frame } = news;
      this.#noteGroupFrame(frame);
      const device = frame.devEui === null ? undefined : this.#byEui.get(frame.devEui);
      device?.downlinks.push({ frame, atUs: frame.sending?.startsAtUs ?? this.#nowUs() });
    } else if (news.kind === 'frameUp') {
      this.#byEui.get(news.frame.devEui)?.uplinks.push(news.frame);
    }
  }
}

function beaconsIn(rows: readonly TraceRow[]): BeaconsHeard | undefined {
  const beacons = rows.flatMap((row) => (row.kind === 'beaconDecided' ? [row] : []));
  const [first] = beacons;
  if (first === undefined) return undefined;
  const fates: Partial<Record<BeaconFate, number>> = {};
  for (const { fate } of beacons) fates[fate] = (fates[fate] ?? 0) + 1;
  return { firstUs: first.beganAtUs, lastUs: beacons.at(-1)!.beganAtUs, fates };
}
