/**
 * The air log of multicast channels: what went out on a (frequency, data rate) while somebody might
 * listen, one row when a frame ends, nothing per device.
 *
 * What a device heard is derived from the log when somebody needs to know. Copies of one frame that
 * overlap in time are one row, decided when the last has ended; later copies are rows of their
 * own. A row names what else was on the frequency meanwhile, so it can be judged by itself.
 */
import type { SignalLog } from './signal-log.ts';

/** One gateway's transmission. */
export interface AirCopy {
  readonly gateway: number;
  readonly startUs: number;
  readonly endUs: number;
  readonly eirpCentiDbm: number;
  readonly spreadingFactor: number;
}

/** Copies of one frame that a receiver cannot tell apart in time, and what they met. */
export interface Attempt {
  /** In the order of the gateways' rows. */
  readonly copies: readonly AirCopy[];
  /** Other frames on the frequency that overlap one of the copies. */
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

interface Channel {
  listeners: number;
  rows: AirRow[];
  /** Ordinal of `rows[0]`. */
  first: number;
}

interface SavedChannel {
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
  readonly #channels = new Map<number, Channel>();
  /** Rows so far by group address. */
  readonly #sent = new Map<number, number>();
  /** Copies that have ended while others of the same frame are on the air. */
  readonly #waiting = new Map<string, Attempt>();

  /** Somebody may listen on a channel from now on; tells the ordinal of its next row. */
  open(frequencyHz: number, dataRate: number): number {
    const key = channelKey(frequencyHz, dataRate);
    const channel = this.#channels.get(key) ?? { listeners: 0, rows: [], first: 0 };
    this.#channels.set(key, channel);
    channel.listeners++;
    return channel.first + channel.rows.length;
  }

  /** One listener less; the log of a channel goes with the last. */
  close(frequencyHz: number, dataRate: number): void {
    const channel = this.#channels.get(channelKey(frequencyHz, dataRate));
    if (channel === undefined) return;
    channel.listeners--;
    if (channel.listeners > 0) return;
    channel.first += channel.rows.length;
    channel.rows = [];
  }

  /** Whether a frame on this channel must be kept. */
  isHeard(frequencyHz: number, dataRate: number): boolean {
    return (this.#channels.get(channelKey(frequencyHz, dataRate))?.listeners ?? 0) > 0;
  }

  /** Ordinal of the next row of a channel. */
  end(frequencyHz: number, dataRate: number): number {
    const channel = this.#channels.get(channelKey(frequencyHz, dataRate));
    return channel === undefined ? 0 : channel.first + channel.rows.length;
  }

  /** Adds a copy of a group's frame that has ended to those that wait; tells all of them. */
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
    const channel = this.#channels.get(channelKey(frequencyHz, dataRate));
    if (channel !== undefined) channel.rows.push(row);
  }

  /** Counts a row of a group; tells its number among the group's rows, from 1. */
  countRow(mcAddr: number): number {
    const rows = this.rowsOf(mcAddr) + 1;
    this.#sent.set(mcAddr, rows);
    return rows;
  }

  /** Rows of a group so far. */
  rowsOf(mcAddr: number): number {
    return this.#sent.get(mcAddr) ?? 0;
  }

  /** The row with this ordinal, if it is there yet. */
  row(frequencyHz: number, dataRate: number, ordinal: number): AirRow | undefined {
    const channel = this.#channels.get(channelKey(frequencyHz, dataRate));
    return channel?.rows[ordinal - channel.first];
  }

  save(): SavedMulticastAir {
    const channels = [...this.#channels].map(
      ([key, channel]) => [key, { ...channel, rows: [...channel.rows] }] as const,
    );
    return { channels, sent: [...this.#sent], waiting: [...this.#waiting] };
  }

  load(saved: SavedMulticastAir): void {
    this.#channels.clear();
    this.#sent.clear();
    for (const [key, channel] of saved.channels) {
      this.#channels.set(key, { ...channel, rows: [...channel.rows] });
    }
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

const channelKey = (frequencyHz: number, dataRate: number): number => frequencyHz * 16 + dataRate;

/** Signals of a log that overlap the one at `position`, as copies. */
export function overlapping(log: SignalLog, position: number): AirCopy[] {
  const { startUs, endUs } = log.column;
  const found: AirCopy[] = [];
  for (let other = log.firstAfter(startUs[position]); other < log.end; other++) {
    if (other === position || startUs[other] >= endUs[position]) continue;
    if (endUs[other] > startUs[position]) found.push(copyAt(log, other));
  }
  return found;
}

export function copyAt(log: SignalLog, position: number): AirCopy {
  const { startUs, endUs, eirpCentiDbm, sender, spreadingFactor } = log.column;
  return {
    gateway: sender[position],
    startUs: startUs[position],
    endUs: endUs[position],
    eirpCentiDbm: eirpCentiDbm[position],
    spreadingFactor: spreadingFactor[position],
  };
}
