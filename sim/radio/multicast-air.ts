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
 * frequency meanwhile, so it can be judged by itself. Rows are stored by channel
 * (`channel-log.ts`). Rows that every listener has read are forgotten.
 *
 * Rejected: reception of each copy as an attempt of its own. One radio cannot receive two preambles
 * at once, so two chances would be wrong. Also rejected: references from a row to the signal log,
 * which forgets signals before the last device has settled.
 */
import { assert } from '../base/assert.ts';
import type { AirCopy, AirRow, Attempt } from './air-row.ts';
import { ChannelLog, type SavedChannel } from './channel-log.ts';
import type { SignalLog } from './signal-log.ts';

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
