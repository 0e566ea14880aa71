/**
 * What is retained of a world for the stories of a few devices: their rows of the trace, downlinks
 * and answers, the steps of campaigns, and what happens to gateways. It only observes.
 */

import type { CampaignRow } from '../../core/update-service/campaigns/step-rows.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import type { FrameDown, FrameUp } from '../../sim/contract/frames.ts';
import type { News } from '../../sim/contract/news.ts';
import type { DownlinkEnds, TraceRow } from '../../sim/observation/observer.ts';

export interface WatchedDevice {
  readonly name: string;
  readonly devEui: string;
}

/** A frame of a multicast group, by the end of its first copy. */
export interface GroupFrame {
  readonly mcAddr: number;
  readonly counter: number;
  readonly endsAtUs: number;
}

type EndOfDownlink = Omit<DownlinkEnds, 'devices'> & {
  readonly fate: DownlinkEnds['devices'][number]['fate'];
};

/** Everything retained of a device, each list in the order of time. */
export interface DeviceRows {
  readonly rows: TraceRow[];
  readonly downlinkEnds: EndOfDownlink[];
  readonly frames: (
    | { readonly kind: 'down'; readonly frame: FrameDown; readonly atUs: number }
    | { readonly kind: 'up'; readonly frame: FrameUp }
  )[];
}

export class DeviceWatch {
  readonly #byName = new Map<string, DeviceRows>();
  readonly #byEui = new Map<string, DeviceRows>();
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
      const rows: DeviceRows = { rows: [], downlinkEnds: [], frames: [] };
      this.#byName.set(name, rows);
      this.#byEui.set(devEui, rows);
    }
    this.#nowUs = nowUs;
  }

  /** Name of a gateway that was ever in service; else its EUI. */
  gatewayName(eui: string): string {
    const row = this.gatewayRows.find((one) => one.kind === 'gatewayStarts' && one.eui === eui);
    return row !== undefined && 'gateway' in row ? row.gateway : eui;
  }

  of({ devEui }: WatchedDevice): DeviceRows {
    return this.#byEui.get(devEui) ?? { rows: [], downlinkEnds: [], frames: [] };
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
          this.#byName.get(device)?.downlinkEnds.push({ ...row, fate });
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
      device?.frames.push({
        kind: 'down',
        frame,
        atUs: frame.sending?.startsAtUs ?? this.#nowUs(),
      });
    } else if (news.kind === 'frameUp') {
      this.#byEui.get(news.frame.devEui)?.frames.push({ kind: 'up', frame: news.frame });
    }
  }
}
