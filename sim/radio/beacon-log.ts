/**
 * The latest beacons that went out, one row a beacon: every gateway with GPS time sends it at the
 * same instant, and what a device heard of it is derived when somebody needs to know.
 */
import { assert } from '../base/assert.ts';
import { NONE } from '../kernel/columns.ts';
import type { AirCopy, Attempt } from './multicast-air.ts';

export interface BeaconRow {
  /** GPS time / 128 s. */
  readonly number: number;
  readonly frequencyHz: number;
  readonly startUs: number;
  readonly endUs: number;
  /** One for each gateway that sent it. */
  readonly copies: readonly AirCopy[];
  /** Other frames on the frequency that overlap it, a row for each gateway's view of them. */
  readonly others: readonly AirCopy[];
}

export type SavedBeaconLog = readonly BeaconRow[];

/**
 * Rows that are stored. A device of class B looks at them at least once in 120 min, the longest
 * time without one (LoRaWAN 1.0.4 §10.1); who has not looked at the oldest yet does so before it
 * goes.
 */
const MOST_ROWS = 64;

export class BeaconLog {
  #rows: BeaconRow[] = [];

  /** Number of the row that goes when this beacon is logged; NONE when none does. */
  outgoing(number: number): number {
    const isNew = this.#rows.at(-1)?.number !== number;
    return isNew && this.#rows.length === MOST_ROWS ? this.#rows[0]!.number : NONE;
  }

  /** A gateway's beacon has ended. */
  append(number: number, frequencyHz: number, { copies, others }: Attempt): void {
    const last = this.#rows.at(-1);
    assert(last === undefined || last.number <= number, 'beacons are logged in their order');
    const [copy] = copies as readonly [AirCopy];
    assert(copy.endUs > copy.startUs, 'a beacon ends after it starts');
    if (last?.number === number) {
      const all = [...last.copies, copy];
      this.#rows[this.#rows.length - 1] = { ...last, copies: all, others: strangers(all, last) };
      return;
    }
    const { startUs, endUs } = copy;
    const row = { number, frequencyHz, startUs, endUs, copies, others };
    this.#rows.push({ ...row, others: strangers(copies, row) });
    if (this.#rows.length > MOST_ROWS) this.#rows.shift();
  }

  /** The beacon of this number; undefined when no gateway sent it. */
  row(number: number): BeaconRow | undefined {
    return this.#rows.findLast((row) => row.number === number);
  }

  save(): SavedBeaconLog {
    return [...this.#rows];
  }

  load(saved: SavedBeaconLog): void {
    this.#rows = [...saved];
  }
}

/** What overlaps a beacon besides the beacon itself, which all gateways begin together. */
function strangers(
  copies: readonly AirCopy[],
  { startUs, others }: Pick<BeaconRow, 'startUs' | 'others'>,
): readonly AirCopy[] {
  return others.filter(
    (other) =>
      other.startUs !== startUs || !copies.some(({ gateway }) => gateway === other.gateway),
  );
}
