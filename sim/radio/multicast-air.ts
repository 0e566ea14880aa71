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

export interface AirRow {
  /** Group address; 0 for a frame that is no multicast. */
  readonly mcAddr: number;
  /** The PHYPayload as it was sent. */
  readonly bytes: Uint8Array;
  readonly copies: readonly AirCopy[];
  /** Other frames on the frequency that overlap one of the copies. */
  readonly others: readonly AirCopy[];
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
}

export class MulticastAir {
  readonly #channels = new Map<number, Channel>();
  /** Rows so far by group address. */
  readonly #sent = new Map<number, number>();

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
    return { channels, sent: [...this.#sent] };
  }

  load(saved: SavedMulticastAir): void {
    this.#channels.clear();
    this.#sent.clear();
    for (const [key, channel] of saved.channels) {
      this.#channels.set(key, { ...channel, rows: [...channel.rows] });
    }
    for (const [mcAddr, rows] of saved.sent) this.#sent.set(mcAddr, rows);
  }
}

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
