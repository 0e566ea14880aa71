/**
 * Packets of each gateway by the hour of UTC, in rings of all hours of a day's window: that is the
 * hour that is running and the 24 full hours before it (docs/decisions/0054). What has left the
 * window is taken out when the gateway hears or sends next; who reads before looks past it.
 */
import { Blocks, type SavedBlocks } from '../../base/blocks.ts';
import { NEVER_US } from '../../base/instant.ts';

const DAY_HOURS = 24;
/** Hours that the window touches. */
const WINDOW = DAY_HOURS + 1;

const u32 = (length: number) => new Uint32Array(length);
const f64 = (length: number) => new Float64Array(length);

/** Packet figures of a gateway. */
export interface PacketCounts {
  /** In the window. */
  readonly up: number;
  readonly down: number;
  /** Latest instants, µs; `NEVER_US`: there was none. */
  readonly lastUpUs: number;
  readonly lastDownUs: number;
}

const NONE: PacketCounts = { up: 0, down: 0, lastUpUs: NEVER_US, lastDownUs: NEVER_US };

/** Plain data. */
export interface SavedPackets {
  readonly euis: readonly string[];
  readonly blocks: readonly number[];
  readonly counts: SavedBlocks;
}

export class Packets {
  #byEui = new Map<string, number>();
  readonly #counts = new Blocks({
    /** The latest hour that is counted. */
    hour: [1, u32],
    up: [WINDOW, u32],
    down: [WINDOW, u32],
    lastUpUs: [1, f64],
    lastDownUs: [1, f64],
  });

  /** Whether something is counted of a gateway. */
  has(eui: string): boolean {
    return this.#byEui.has(eui);
  }

  /** A gateway has heard a packet that ended in this hour. */
  heard(eui: string, atUs: number, hour: number): void {
    const block = this.#count('up', eui, hour);
    const { lastUpUs } = this.#counts.in(block);
    const at = this.#counts.at(block);
    // Packets are shown once their copies are gathered, which is not in the order of their ends.
    lastUpUs[at] = Math.max(lastUpUs[at]!, atUs);
  }

  /** A gateway sends a packet from this instant on. */
  sent(eui: string, atUs: number, hour: number): void {
    const block = this.#count('down', eui, hour);
    this.#counts.in(block).lastDownUs[this.#counts.at(block)] = atUs;
  }

  /** What there is at an hour, which is not before any that was counted. */
  of(eui: string, hour: number): PacketCounts {
    const block = this.#byEui.get(eui);
    if (block === undefined) return NONE;
    const { hour: hours, up, down, lastUpUs, lastDownUs } = this.#counts.in(block);
    const at = this.#counts.at(block);
    let [ups, downs] = [0, 0];
    for (let each = Math.max(0, hour - DAY_HOURS); each <= hours[at]!; each++) {
      ups += up[at * WINDOW + (each % WINDOW)]!;
      downs += down[at * WINDOW + (each % WINDOW)]!;
    }
    return { up: ups, down: downs, lastUpUs: lastUpUs[at]!, lastDownUs: lastDownUs[at]! };
  }

  /** The gateway is gone. */
  forget(eui: string): void {
    const block = this.#byEui.get(eui);
    if (block === undefined) return;
    this.#counts.give(block);
    this.#byEui.delete(eui);
  }

  /** Shares nothing with these. */
  save(): SavedPackets {
    const byEui = this.#byEui;
    return { euis: [...byEui.keys()], blocks: [...byEui.values()], counts: this.#counts.save() };
  }

  load({ euis, blocks, counts }: SavedPackets): void {
    this.#byEui = new Map(euis.map((eui, i) => [eui, blocks[i]!]));
    this.#counts.load(counts);
  }

  #count(direction: 'up' | 'down', eui: string, hour: number): number {
    const block = this.#byEui.get(eui) ?? this.#begin(eui, hour);
    const counts = this.#counts.in(block);
    const at = this.#counts.at(block);
    const last = counts.hour[at]!;
    for (let each = Math.max(last + 1, hour - DAY_HOURS); each <= hour; each++) {
      const place = at * WINDOW + (each % WINDOW);
      counts.up[place] = counts.down[place] = 0;
    }
    counts.hour[at] = Math.max(last, hour);
    if (hour > last - WINDOW) counts[direction][at * WINDOW + (hour % WINDOW)]! += 1;
    return block;
  }

  #begin(eui: string, hour: number): number {
    const block = this.#counts.take();
    const counts = this.#counts.in(block);
    const at = this.#counts.at(block);
    counts.hour[at] = hour;
    counts.lastUpUs[at] = counts.lastDownUs[at] = NEVER_US;
    this.#byEui.set(eui, block);
    return block;
  }
}
