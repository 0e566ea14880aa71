/**
 * Air log of multicast channels: frames on a (frequency, data rate) while somebody may listen.
 *
 * Problem: a campaign sends thousands of fragments to thousands of devices. An event for each
 * device and fragment would cost most of the run, although most devices only count what they
 * receive.
 *
 * Approach: one row when a frame ends, and nothing per device. What a device received is derived
 * from the log when an event or a query needs it (`sim/device/multicast-settling.ts`). Copies of
 * one frame that overlap in time are one row, decided when the last has ended
 * (docs/decisions/0013). Later copies are rows of their own. A row names what else was on the
 * frequency meanwhile, so it can be judged by itself. For each gateway an index finds the next row
 * that it sent to a group, so devices skip frames out of reach. Rows that every listener has read
 * are forgotten.
 *
 * Rejected: reception of each copy as an attempt of its own. One radio cannot receive two preambles
 * at once, so two chances would be wrong. Also rejected: references from a row to the signal log,
 * which forgets signals before the last device has settled.
 */
import { assert } from '../base/assert.ts';
import { NONE } from '../kernel/columns.ts';
import { gatewayOf } from './links.ts';
import type { SignalLog } from './signal-log.ts';

/** One gateway's transmission. */
export interface AirCopy {
  readonly gateway: number;
  readonly startUs: number;
  readonly endUs: number;
  readonly eirpCentiDbm: number;
  readonly spreadingFactor: number;
  readonly frequencyHz: number;
  readonly bandwidthHz: number;
  /** Number of this transmission of its gateway. */
  readonly frame: number;
}

/** Copies of one frame that overlap in time at a receiver, and what they met. */
export interface Attempt {
  /** In the order of the gateways' rows. */
  readonly copies: readonly AirCopy[];
  /** Other frames, on this frequency or near it, that overlap one of the copies in time. */
  readonly others: readonly AirCopy[];
}

export interface AirRow extends Attempt {
  /** Group address; 0 for a frame that is no multicast. */
  readonly mcAddr: number;
  /** The PHYPayload as it was sent. */
  readonly bytes: Uint8Array;
  /** Start of the first copy and end of the last. */
  readonly startUs: number;
  readonly endUs: number;
}

/** What went out on one channel while somebody listened. */
export class ChannelLog {
  listeners: number;
  readonly #rows: AirRow[] = [];
  /** Ordinal of `#rows[0]`. */
  #first: number;
  /**
   * `[gateway][place of a row]`: ordinal of the first row from there on that the gateway sent to a
   * group; as long as there is one.
   */
  readonly #byGateway: number[][] = [];

  constructor({ listeners, rows, first }: SavedChannel) {
    this.listeners = listeners;
    this.#first = first;
    for (const row of rows) this.append(row);
  }

  /** Ordinal of the next row. */
  get end(): number {
    return this.#first + this.#rows.length;
  }

  row(ordinal: number): AirRow | undefined {
    return this.#rows[ordinal - this.#first];
  }

  append(row: AirRow): void {
    assert(row.copies.length > 0, 'a row of the air log has a copy');
    assert(row.endUs > row.startUs, 'a frame on the air ends after it starts');
    if (row.mcAddr !== 0) {
      const place = this.#rows.length;
      for (const { gateway } of row.copies) {
        this.#byGateway[gateway] ??= [];
        const following = this.#byGateway[gateway];
        while (following.length <= place) following.push(this.end);
      }
    }
    this.#rows.push(row);
  }

  /**
   * Ordinal of the first row from `ordinal` on that the gateway of one of `links[from … until − 1]`
   * sent to a group; NONE when there is none.
   */
  next(ordinal: number, links: Uint32Array, from: number, until: number): number {
    const place = Math.max(0, ordinal - this.#first);
    let first = Number.POSITIVE_INFINITY;
    for (let i = from; i < until; i++) {
      const following = this.#byGateway[gatewayOf(links[i])];
      if (following === undefined || place >= following.length) continue;
      if (following[place]! < first) first = following[place]!;
    }
    return first === Number.POSITIVE_INFINITY ? NONE : first;
  }

  clear(): void {
    this.#first = this.end;
    this.#rows.length = 0;
    this.#byGateway.length = 0;
  }

  /** Forgets the rows before an ordinal, which nobody will ask for. */
  forgetBefore(ordinal: number): void {
    assert(ordinal <= this.end, 'rows are forgotten that there were');
    const stored = this.#rows.slice(Math.max(0, ordinal - this.#first));
    this.clear();
    this.#first -= stored.length;
    for (const row of stored) this.append(row);
  }

  save(): SavedChannel {
    return { listeners: this.listeners, rows: [...this.#rows], first: this.#first };
  }
}

export interface SavedChannel {
  readonly listeners: number;
  readonly rows: readonly AirRow[];
  readonly first: number;
}

export interface SavedMulticastAir {
  readonly channels: readonly (readonly [number, SavedChannel])[];
  readonly sent: readonly (readonly [number, number])[];
  readonly waiting: readonly (readonly [string, Attempt])[];
}

export class MulticastAir {
  readonly #channels = new Map<number, ChannelLog>();
  /** Rows by group address, since the group was opened last. */
  readonly #sent = new Map<number, number>();
  /** Copies that have ended while others of the same frame are on the air. */
  readonly #waiting = new Map<string, Attempt>();

  /** Somebody may listen on a channel from now on. */
  open(frequencyHz: number, dataRate: number): void {
    const key = channelKey(frequencyHz, dataRate);
    const channel = this.#channels.get(key) ?? new ChannelLog({ listeners: 0, rows: [], first: 0 });
    this.#channels.set(key, channel);
    channel.listeners++;
  }

  /** One listener less; the log of a channel goes with the last. */
  close(frequencyHz: number, dataRate: number): void {
    const channel = this.log(frequencyHz, dataRate);
    if (channel === undefined) return;
    assert(channel.listeners > 0, 'a channel is closed as often as it was opened');
    channel.listeners--;
    if (channel.listeners === 0) channel.clear();
  }

  /** Whether a frame on this channel must be stored. */
  isHeard(frequencyHz: number, dataRate: number): boolean {
    return (this.log(frequencyHz, dataRate)?.listeners ?? 0) > 0;
  }

  /** The log of a channel that somebody has listened on. */
  log(frequencyHz: number, dataRate: number): ChannelLog | undefined {
    return this.#channels.get(channelKey(frequencyHz, dataRate));
  }

  /** Ordinal of the next row of a channel. */
  end(frequencyHz: number, dataRate: number): number {
    return this.log(frequencyHz, dataRate)?.end ?? 0;
  }

  /** Adds a copy of a group's frame that has ended to those that wait; returns all of them. */
  gather(mcAddr: number, fCnt: number, ended: Attempt): Attempt {
    const key = frameKey(mcAddr, fCnt);
    const earlier = this.#waiting.get(key);
    const attempt = earlier === undefined ? ended : together(earlier, ended);
    this.#waiting.set(key, attempt);
    return attempt;
  }

  /** No more copies of this frame are waited for. */
  release(mcAddr: number, fCnt: number): void {
    this.#waiting.delete(frameKey(mcAddr, fCnt));
  }

  append(frequencyHz: number, dataRate: number, row: AirRow): void {
    this.log(frequencyHz, dataRate)?.append(row);
  }

  /** A group is opened, or opened again: from now on its rows are counted. */
  openGroup(mcAddr: number): void {
    this.#sent.delete(mcAddr);
  }

  /** Counts a row of a group. */
  countRow(mcAddr: number): void {
    this.#sent.set(mcAddr, this.rowsOf(mcAddr) + 1);
  }

  /** Rows of a group since it was opened last. */
  rowsOf(mcAddr: number): number {
    return this.#sent.get(mcAddr) ?? 0;
  }

  save(): SavedMulticastAir {
    const channels = [...this.#channels].map(([key, log]) => [key, log.save()] as const);
    return { channels, sent: [...this.#sent], waiting: [...this.#waiting] };
  }

  load(saved: SavedMulticastAir): void {
    this.#channels.clear();
    this.#sent.clear();
    for (const [key, channel] of saved.channels) this.#channels.set(key, new ChannelLog(channel));
    for (const [mcAddr, rows] of saved.sent) this.#sent.set(mcAddr, rows);
    this.#waiting.clear();
    for (const [key, attempt] of saved.waiting) this.#waiting.set(key, attempt);
  }
}

const frameKey = (mcAddr: number, fCnt: number): string => `${mcAddr} ${fCnt}`;

function together(a: Attempt, b: Attempt): Attempt {
  const copies = [...a.copies, ...b.copies].sort((x, y) => x.gateway - y.gateway);
  const isCopy = (other: AirCopy) => copies.some((copy) => isSame(copy, other));
  const added = b.others.filter((other) => !a.others.some((one) => isSame(one, other)));
  const others = [...a.others, ...added].filter((other) => !isCopy(other));
  return { copies, others: others.sort((x, y) => x.startUs - y.startUs || x.gateway - y.gateway) };
}

const isSame = (a: AirCopy, b: AirCopy): boolean =>
  a.gateway === b.gateway && a.startUs === b.startUs;

/** A channel and a data rate as one number. */
export const channelKey = (frequencyHz: number, dataRate: number): number =>
  frequencyHz * 16 + dataRate;

/** Signals that overlap the one at `position` of a log in time, there and near it, as copies. */
export function overlapping(log: SignalLog, position: number): AirCopy[] {
  const [fromUs, untilUs] = [log.column.startUs[position], log.column.endUs[position]];
  const found: AirCopy[] = [];
  for (const one of [log, ...log.near]) {
    const { startUs, endUs } = one.column;
    for (let other = one.firstAfter(fromUs); other < one.end; other++) {
      if (one === log && other === position) continue;
      if (startUs[other] >= untilUs || endUs[other] <= fromUs) continue;
      found.push(copyAt(one, other));
    }
  }
  return found;
}

export function copyAt(log: SignalLog, position: number): AirCopy {
  const { startUs, endUs, eirpCentiDbm, sender, spreadingFactor, bandwidthHz, frame } = log.column;
  return {
    gateway: sender[position],
    startUs: startUs[position],
    endUs: endUs[position],
    eirpCentiDbm: eirpCentiDbm[position],
    spreadingFactor: spreadingFactor[position],
    frequencyHz: log.frequencyHz,
    bandwidthHz: bandwidthHz[position],
    frame: frame[position],
  };
}
