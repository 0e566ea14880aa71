/**
 * What is counted of gateways from frames. All of it follows from events; so it is saved, and no
 * digest folds it.
 */

import { HOUR_US, MILLISECOND_US } from '../../../sim/base/units.ts';
import type { FrameDown, FrameUp } from '../../../sim/contract/frames.ts';
import { DEFAULT_SUBSCRIBER } from '../../base/subscribers.ts';
import type { Listeners, Surroundings } from '../../kit/resource.ts';
import { HeardDevices, MOST_DAYS, type SavedHeard } from './heard-devices.ts';
import { type PacketCounts, Packets, type SavedPackets } from './packets.ts';

const HOUR_MS = HOUR_US / MILLISECOND_US;
const DAY_HOURS = 24;

/** The DevEUI that a frame bears is true. */
const TRUE_VERDICTS = new Set<FrameUp['verdict']>(['joined', 'accepted', 'repeated']);

/** Plain data. */
export interface SavedCounts {
  readonly packets: SavedPackets;
  readonly heard: SavedHeard;
}

interface Needs extends Pick<Surroundings, 'viewOf' | 'world' | 'keepsRecords'> {
  readonly baseStation: {
    /** When a gateway came. */
    createdAtUs(eui: string): number;
  };
}

export class GatewayCounts {
  readonly #needs: Needs;
  readonly #packets = new Packets();
  readonly #heard = new HeardDevices();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  get hears(): Listeners {
    if (!this.#needs.keepsRecords) return {};
    return {
      frameUp: ({ frame }) => this.#countUp(frame),
      frameDown: ({ frame }) => this.#countDown(frame),
      deviceRemoved: ({ devEui }) => this.#heard.forgetDevice(devEui),
      gatewayRemoved: ({ eui }) => {
        this.#packets.forget(eui);
        this.#heard.forgetGateway(eui);
      },
    };
  }

  packetsOf(eui: string, nowUs: number): PacketCounts {
    return this.#packets.of(eui, this.#hourOf(nowUs));
  }

  /** DevEUIs that a gateway has heard in the last days, of every subscriber. */
  heardBy(eui: string, days: number, nowUs: number): string[] {
    const hours = DAY_HOURS * Math.min(days, MOST_DAYS);
    return this.#heard.since(eui, this.#hourOf(nowUs) - hours);
  }

  save(): SavedCounts {
    return { packets: this.#packets.save(), heard: this.#heard.save() };
  }

  load({ packets, heard }: SavedCounts): void {
    if (!this.#needs.keepsRecords) return;
    this.#packets.load(packets);
    this.#heard.load(heard);
  }

  /** Late copies count as the others do: what they take on the way is left out. */
  #countUp({ receptions, endedAtUs, verdict, devEui }: FrameUp): void {
    const hour = this.#hourOf(endedAtUs);
    const device = TRUE_VERDICTS.has(verdict) ? this.#heard.numberOf(devEui) : undefined;
    for (const { gatewayEui } of receptions) {
      if (!this.#hasHeard(gatewayEui, endedAtUs)) continue;
      this.#packets.heard(gatewayEui, endedAtUs, hour);
      if (device !== undefined) this.#heard.heard(gatewayEui, device, hour);
    }
  }

  #countDown({ outcome, sending }: FrameDown): void {
    if (outcome.kind !== 'sent' || sending === null || !this.#isThere(sending.gatewayEui)) return;
    this.#packets.sent(sending.gatewayEui, sending.startsAtUs, this.#hourOf(sending.startsAtUs));
  }

  /** A gateway may have gone since it heard a frame; a later one of its EUI is another. */
  #hasHeard(eui: string, endedAtUs: number): boolean {
    return this.#isThere(eui) && this.#needs.baseStation.createdAtUs(eui) < endedAtUs;
  }

  #isThere(eui: string): boolean {
    return this.#packets.has(eui) || this.#needs.world.has('gateway', eui);
  }

  /** Number of an hour of UTC, from 1970 on. */
  #hourOf(atUs: number): number {
    const { unixMs } = this.#needs.viewOf(DEFAULT_SUBSCRIBER);
    return Math.max(0, Math.floor(unixMs(atUs) / HOUR_MS));
  }
}
