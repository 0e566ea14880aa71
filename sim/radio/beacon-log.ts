/**
 * The latest beacons that went out, one row a beacon: every gateway with GPS time sends it at the
 * same instant, and what a device heard of it is derived when somebody needs to know.
 */
import { assert } from '../base/assert.ts';
import { NONE } from '../kernel/columns.ts';
import type { AirCopy, Attempt } from './air-row.ts';

export interface BeaconRow {
  /** GPS time / 128 s. */
  readonly number: number;
  readonly frequencyHz: number;
  readonly startUs: number;
  readonly endUs: number;
  /** One for each gateway that sent it. */
  readonly copies: readonly AirCopy[];
  /** Other frames on the frequency that overlap it, as the first gateway to end it met them. */
  readonly others: readonly AirCopy[];
}

export type SavedBeaconLog = readonly BeaconRow[];

/**
 * Rows that are stored. A device of class B looks at them at least once in 120 min, the longest
 * time without one (LoRaWAN 1.0.4 §10.1); who has not looked at the oldest yet does so before it
 * goes.
 */
export const BEACONS_STORED = 64;

export class BeaconLog {
  #rows: LoggedBeacon[] = [];

  /** Number of the row that goes when this beacon is logged; NONE when none does. */
  outgoing(number: number): number {
    return !this.isLatest(number) && this.#rows.length === BEACONS_STORED
      ? this.#rows[0]!.number
      : NONE;
  }

  /** Whether a gateway's copy of this beacon has been logged, and of none after it. */
  isLatest(number: number): boolean {
    return this.#rows.at(-1)?.number === number;
  }

  /** The first gateway's copy of a beacon has ended, and met others. */
  append(number: number, frequencyHz: number, { copies, others }: Attempt): void {
    const last = this.#rows.at(-1);
    assert(last === undefined || last.number < number, 'beacons are logged in their order');
    const [copy] = copies as readonly [AirCopy];
    assert(copy.endUs > copy.startUs, 'a beacon ends after it starts');
    const { startUs, endUs } = copy;
    this.#rows.push(new LoggedBeacon({ number, frequencyHz, startUs, endUs, copies, others }));
    if (this.#rows.length > BEACONS_STORED) this.#rows.shift();
    assert(this.#rows.length <= BEACONS_STORED, 'a beacon that nobody has to look at goes');
  }

  /** Another gateway's copy of the latest beacon has ended. */
  addCopy(copy: AirCopy): void {
    assert(this.#rows.length > 0, 'a further copy is one of a beacon that is logged');
    assert(copy.endUs > copy.startUs, 'a beacon ends after it starts');
    this.#rows.at(-1)!.add(copy);
  }

  /** The beacon of this number; undefined when no gateway sent it. */
  row(number: number): LoggedBeacon | undefined {
    return this.#rows.findLast((row) => row.number === number);
  }

  save(): SavedBeaconLog {
    return this.#rows.map((row) => row.save());
  }

  load(saved: SavedBeaconLog): void {
    this.#rows = saved.map((row) => new LoggedBeacon(row));
  }
}

/**
 * A beacon whose copies are added one by one as they end: each costs the same, however many there
 * are. What overlaps it, and which copy is a gateway's, is found once somebody asks.
 */
export class LoggedBeacon implements BeaconRow {
  readonly number: number;
  readonly frequencyHz: number;
  readonly startUs: number;
  readonly endUs: number;
  readonly #copies: AirCopy[];
  #others: readonly AirCopy[];
  /** Place of each gateway's copy, and of how many copies they are known. */
  readonly #places: number[] = [];
  #placed = 0;
  /** Copies that `#others` was sifted for. */
  #sifted = 0;

  constructor({ number, frequencyHz, startUs, endUs, copies, others }: BeaconRow) {
    this.number = number;
    this.frequencyHz = frequencyHz;
    this.startUs = startUs;
    this.endUs = endUs;
    this.#copies = [...copies];
    this.#others = others;
  }

  get copies(): readonly AirCopy[] {
    return this.#copies;
  }

  /** What overlaps it besides the beacon itself, which all gateways begin together. */
  get others(): readonly AirCopy[] {
    if (this.#sifted === this.#copies.length) return this.#others;
    this.#sifted = this.#copies.length;
    this.#others = this.#others.filter(
      ({ startUs, gateway }) => startUs !== this.startUs || this.placeOf(gateway) === NONE,
    );
    return this.#others;
  }

  add(copy: AirCopy): void {
    this.#copies.push(copy);
  }

  /** Place of a gateway's copy among all; NONE when it sent none. */
  placeOf(gateway: number): number {
    for (; this.#placed < this.#copies.length; this.#placed++) {
      const sender = this.#copies[this.#placed]!.gateway;
      while (this.#places.length <= sender) this.#places.push(NONE);
      this.#places[sender] = this.#placed;
    }
    return this.#places[gateway] ?? NONE;
  }

  save(): BeaconRow {
    const { number, frequencyHz, startUs, endUs, others } = this;
    return { number, frequencyHz, startUs, endUs, copies: [...this.#copies], others };
  }
}
