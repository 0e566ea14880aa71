/**
 * Uplinks of devices by the hour of UTC, in two forms. A device that has spoken in few hours of the
 * past week has a short list of them (176 B); one that speaks in more has rings of all hours of the
 * windows with running sums (some 830 B). Sums are whole: 1/100 dB and 1/100 dBm.
 *
 * A window of n hours is the hour of UTC that is running and the n full hours before it. What has
 * left it is removed at the device's next uplink. Earlier reads skip it, and change nothing.
 */
import { assert } from '../../../sim/base/assert.ts';
import { Blocks, type SavedBlocks } from '../../base/blocks.ts';

const DAY_HOURS = 24;
export const WEEK_HOURS = 168;
/** Hours that a window touches. */
const DAY = DAY_HOURS + 1;
const WEEK = WEEK_HOURS + 1;
/** Hours of the past week that the short form holds: who speaks daily needs eight. */
const FEW = 8;

const u16 = (length: number) => new Uint16Array(length);
const u32 = (length: number) => new Uint32Array(length);
const i32 = (length: number) => new Int32Array(length);
const f64 = (length: number) => new Float64Array(length);

/** An uplink, as the windows count it. */
export interface CountedUplink {
  /** Uplinks that are missing before it, by its counter. */
  readonly lost: number;
  readonly rssiCentiDbm: number;
  readonly snrCentiDb: number;
  readonly espCentiDbm: number;
}

/** What the windows hold at an hour. */
export class WindowSums {
  /** Of the day. */
  received = 0;
  lost = 0;
  rssiCentiDbm = 0;
  snrCentiDb = 0;
  espCentiDbm = 0;
  /** Received in the week. */
  week = 0;

  clear(): void {
    this.received = this.lost = this.week = 0;
    this.rssiCentiDbm = this.snrCentiDb = this.espCentiDbm = 0;
  }
}

/** Plain data. */
export interface SavedHours {
  readonly few: SavedBlocks;
  readonly many: SavedBlocks;
}

/**
 * The uplinks of every device. Those of one have a handle, which may be another after each uplink:
 * a block of rings, or the complement of a short list's.
 */
export class Hours {
  /** A place with no uplink received is free. */
  readonly #few = new Blocks({
    hour: [FEW, u32],
    received: [FEW, u16],
    lost: [FEW, u32],
    rssi: [FEW, i32],
    snr: [FEW, i32],
    esp: [FEW, i32],
  });
  /** Rings by the hour modulo their length, up to `hour`; and the sums of all that they hold. */
  readonly #many = new Blocks({
    hour: [1, u32],
    received: [DAY, u16],
    lost: [DAY, u32],
    rssi: [DAY, i32],
    snr: [DAY, i32],
    esp: [DAY, i32],
    week: [WEEK, u16],
    /** Received, lost, RSSI, SNR, ESP of the day; received of the week. */
    sums: [6, f64],
  });

  /** A device without uplinks. */
  begin(): number {
    return ~this.#few.take();
  }

  /** The device is gone. */
  end(handle: number): void {
    if (handle < 0) this.#few.give(~handle);
    else this.#many.give(handle);
  }

  /** Counts an uplink in an hour, which is not before that of the device's last one. */
  add(handle: number, hour: number, uplink: CountedUplink): number {
    if (handle >= 0) {
      this.#addToMany(handle, hour, 1, uplink);
      return handle;
    }
    const place = this.#placeFor(~handle, hour);
    if (place < 0) return this.add(this.#spread(~handle), hour, uplink);
    const { in: few } = this.#fewOf(~handle);
    few.hour[place] = hour;
    few.received[place]! += 1;
    few.lost[place]! += uplink.lost;
    few.rssi[place]! += uplink.rssiCentiDbm;
    few.snr[place]! += uplink.snrCentiDb;
    few.esp[place]! += uplink.espCentiDbm;
    return handle;
  }

  /** What the windows of an hour hold, which is not before that of the last uplink. */
  read(handle: number, hour: number, into: WindowSums): void {
    into.clear();
    if (handle < 0) this.#readFew(~handle, hour, into);
    else this.#readMany(handle, hour, into);
  }

  save(): SavedHours {
    return { few: this.#few.save(), many: this.#many.save() };
  }

  load({ few, many }: SavedHours): void {
    this.#few.load(few);
    this.#many.load(many);
  }

  // ── few hours ──────────────────────────────────────────────────────────────────────────────────

  #fewOf(block: number) {
    return { in: this.#few.in(block), from: this.#few.at(block) * FEW };
  }

  /** Where an hour is or may be counted; −1: all places hold other hours of the week. */
  #placeFor(block: number, hour: number): number {
    const { in: few, from } = this.#fewOf(block);
    let free = -1;
    for (let place = from; place < from + FEW; place++) {
      if (few.received[place]! > 0 && few.hour[place] === hour) return place;
      if (few.received[place] === 0 || few.hour[place]! < hour - WEEK_HOURS) free = place;
    }
    if (free < 0) return -1;
    few.received[free] = few.lost[free] = few.rssi[free] = few.snr[free] = few.esp[free] = 0;
    return free;
  }

  #readFew(block: number, hour: number, into: WindowSums): void {
    const { in: few, from } = this.#fewOf(block);
    for (let place = from; place < from + FEW; place++) {
      if (few.hour[place]! < hour - WEEK_HOURS) continue;
      into.week += few.received[place]!;
      if (few.hour[place]! < hour - DAY_HOURS) continue;
      into.received += few.received[place]!;
      into.lost += few.lost[place]!;
      into.rssiCentiDbm += few.rssi[place]!;
      into.snrCentiDb += few.snr[place]!;
      into.espCentiDbm += few.esp[place]!;
    }
  }

  /** Puts the hours of a short list into rings, the oldest first, and gives the list back. */
  #spread(block: number): number {
    const { in: few, from } = this.#fewOf(block);
    const places = Array.from({ length: FEW }, (_, i) => from + i);
    places.sort((a, b) => few.hour[a]! - few.hour[b]!);
    const handle = this.#many.take();
    // Fresh rings hold nothing that has to be taken out.
    this.#many.in(handle).hour[this.#many.at(handle)] = few.hour[places[0]!]!;
    for (const place of places) {
      this.#addToMany(handle, few.hour[place]!, few.received[place]!, {
        lost: few.lost[place]!,
        rssiCentiDbm: few.rssi[place]!,
        snrCentiDb: few.snr[place]!,
        espCentiDbm: few.esp[place]!,
      });
    }
    this.#few.give(block);
    return handle;
  }

  // ── many hours ─────────────────────────────────────────────────────────────────────────────────

  #addToMany(block: number, hour: number, received: number, uplink: CountedUplink): void {
    this.#advance(block, hour);
    const rings = this.#many.in(block);
    const at = this.#many.at(block);
    const day = at * DAY + (hour % DAY);
    const sums = at * 6;
    const { lost, rssiCentiDbm, snrCentiDb, espCentiDbm } = uplink;
    rings.received[day]! += received;
    rings.lost[day]! += lost;
    rings.rssi[day]! += rssiCentiDbm;
    rings.snr[day]! += snrCentiDb;
    rings.esp[day]! += espCentiDbm;
    rings.week[at * WEEK + (hour % WEEK)]! += received;
    rings.sums[sums]! += received;
    rings.sums[sums + 1]! += lost;
    rings.sums[sums + 2]! += rssiCentiDbm;
    rings.sums[sums + 3]! += snrCentiDb;
    rings.sums[sums + 4]! += espCentiDbm;
    rings.sums[sums + 5]! += received;
  }

  /** Takes out what has left the windows of an hour. */
  #advance(block: number, hour: number): void {
    const rings = this.#many.in(block);
    const at = this.#many.at(block);
    const last = rings.hour[at]!;
    assert(hour >= last, 'the uplinks of a device come in the order of time');
    if (hour === last) return;
    rings.hour[at] = hour;
    const sums = at * 6;
    for (let each = Math.max(last + 1, hour - DAY_HOURS); each <= hour; each++) {
      const day = at * DAY + (each % DAY);
      rings.sums[sums]! -= rings.received[day]!;
      rings.sums[sums + 1]! -= rings.lost[day]!;
      rings.sums[sums + 2]! -= rings.rssi[day]!;
      rings.sums[sums + 3]! -= rings.snr[day]!;
      rings.sums[sums + 4]! -= rings.esp[day]!;
      rings.received[day] = rings.lost[day] = 0;
      rings.rssi[day] = rings.snr[day] = rings.esp[day] = 0;
    }
    for (let each = Math.max(last + 1, hour - WEEK_HOURS); each <= hour; each++) {
      const week = at * WEEK + (each % WEEK);
      rings.sums[sums + 5]! -= rings.week[week]!;
      rings.week[week] = 0;
    }
  }

  /** The sums, less what `advance` would take out. */
  #readMany(block: number, hour: number, into: WindowSums): void {
    const rings = this.#many.in(block);
    const at = this.#many.at(block);
    const last = rings.hour[at]!;
    const sums = at * 6;
    if (hour - last <= WEEK_HOURS) {
      into.week = rings.sums[sums + 5]!;
      for (let each = last + 1; each <= hour; each++) {
        into.week -= rings.week[at * WEEK + (each % WEEK)]!;
      }
    }
    if (hour - last > DAY_HOURS) return;
    into.received = rings.sums[sums]!;
    into.lost = rings.sums[sums + 1]!;
    into.rssiCentiDbm = rings.sums[sums + 2]!;
    into.snrCentiDb = rings.sums[sums + 3]!;
    into.espCentiDbm = rings.sums[sums + 4]!;
    for (let each = last + 1; each <= hour; each++) {
      const day = at * DAY + (each % DAY);
      into.received -= rings.received[day]!;
      into.lost -= rings.lost[day]!;
      into.rssiCentiDbm -= rings.rssi[day]!;
      into.snrCentiDb -= rings.snr[day]!;
      into.espCentiDbm -= rings.esp[day]!;
    }
  }
}
