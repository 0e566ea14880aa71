/**
 * Listen before talk (KR920: RP002-1.0.4 §2.11): who wants to send has heard the channel for 6 ms,
 * and nothing on it above −65 dBm. What is heard is derived from the logs of the air, without an
 * event (docs/decisions/0026).
 */

import type { DownlinkAir } from '../radio/downlink-air.ts';
import type { Links } from '../radio/links.ts';
import { pathLossDb } from '../radio/propagation.ts';
import type { RadioPlan } from '../radio/radio-plan.ts';
import type { SignalLog } from '../radio/signal-log.ts';
import type { UplinkAir } from '../radio/uplink-air.ts';
import type { ChannelPlan } from './channel-plan.ts';

interface Place {
  readonly xMeters: number;
  readonly yMeters: number;
}

/** Where things stand, by row. */
export interface Places {
  readonly devices: { of(row: number): Place };
  readonly gateways: readonly (Place & { readonly antennaGainCentiDb: number })[];
}

/** Who is on the air. */
export interface Airs {
  readonly links: Links;
  readonly uplinkAir: UplinkAir;
  readonly downlinkAir: DownlinkAir;
}

export class ListenBeforeTalk {
  /** Whether the region asks for it. */
  readonly active: boolean;
  readonly #durationUs: number;
  readonly #levelCentiDbm: number;
  readonly #radio: RadioPlan;
  readonly #places: Places;
  readonly #airs: Airs;

  constructor({ region }: ChannelPlan, radio: RadioPlan, places: Places, airs: Airs) {
    const { listenBeforeTalk } = region;
    this.active = listenBeforeTalk !== undefined;
    this.#durationUs = listenBeforeTalk?.durationUs ?? 0;
    this.#levelCentiDbm = listenBeforeTalk?.levelCentiDbm ?? 0;
    this.#radio = radio;
    this.#places = places;
    this.#airs = airs;
  }

  /** Whether a device that has listened until now may send on a channel. */
  isFreeForDevice(device: number, frequencyHz: number, nowUs: number): boolean {
    const { devices, gateways } = this.#places;
    const { links, uplinkAir, downlinkAir } = this.#airs;
    const own = devices.of(device);
    const ofDevice = ({ column }: SignalLog, at: number): number =>
      column.sender[at] === device
        ? Number.NEGATIVE_INFINITY
        : column.eirpCentiDbm[at] - this.#lossCentiDb(own, devices.of(column.sender[at]));
    const ofGateway = ({ column }: SignalLog, at: number): number => {
      const gateway = column.sender[at];
      const gain = links.gainCentiDb(device, gateway) - gateways[gateway]!.antennaGainCentiDb;
      return column.eirpCentiDbm[at] + gain;
    };
    return (
      !this.#isLoud(uplinkAir.on(frequencyHz), nowUs, ofDevice) &&
      !this.#isLoud(downlinkAir.on(frequencyHz), nowUs, ofGateway)
    );
  }

  /** The same for a gateway. */
  isFreeForGateway(gateway: number, frequencyHz: number, nowUs: number): boolean {
    const { gateways } = this.#places;
    const { links, uplinkAir, downlinkAir } = this.#airs;
    const own = gateways[gateway]!;
    const ofDevice = ({ column }: SignalLog, at: number): number =>
      column.eirpCentiDbm[at] + links.gainCentiDb(column.sender[at], gateway);
    const ofGateway = ({ column }: SignalLog, at: number): number => {
      const loss = this.#lossCentiDb(own, gateways[column.sender[at]]!);
      return column.eirpCentiDbm[at] - loss + own.antennaGainCentiDb;
    };
    return (
      !this.#isLoud(uplinkAir.on(frequencyHz), nowUs, ofDevice) &&
      !this.#isLoud(downlinkAir.on(frequencyHz), nowUs, ofGateway)
    );
  }

  /** Whether something on a channel was too loud at some time since the listening began. */
  #isLoud(log: SignalLog, nowUs: number, levelOf: (log: SignalLog, at: number) => number): boolean {
    const fromUs = nowUs - this.#durationUs;
    for (let at = log.firstAfter(fromUs); at < log.end; at++) {
      if (log.column.endUs[at] <= fromUs || log.column.startUs[at] >= nowUs) continue;
      if (levelOf(log, at) >= this.#levelCentiDbm) return true;
    }
    return false;
  }

  /** Median loss between two that are not a device and a gateway, 1/100 dB. */
  #lossCentiDb(a: Place, b: Place): number {
    const [x, y] = [a.xMeters - b.xMeters, a.yMeters - b.yMeters];
    return Math.round(100 * pathLossDb(this.#radio.pathLoss, Math.sqrt(x * x + y * y)));
  }
}
