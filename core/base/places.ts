/**
 * Which campaigns, or which jobs, have a device, the one that took it into a round last before all
 * others. It is made anew of their members when they are loaded. 16 B for each place, beside the
 * device's entry in a map.
 */
import { grown } from './columns.ts';

/** A device's place in a campaign or a job. */
export interface Place {
  /** Of the campaign or job. */
  readonly number: number;
  /** Among its members. */
  readonly place: number;
  /** The round that took it, by its number among those of all. */
  readonly round: number;
}

const FIRST_CAPACITY = 64;
/** In the place of a row. */
export const NO_ROW = -1;

export class Places {
  /** By DevEUI: the row of its latest place. */
  readonly #first = new Map<string, number>();
  #number = new Uint32Array(FIRST_CAPACITY);
  #place = new Uint32Array(FIRST_CAPACITY);
  #round = new Uint32Array(FIRST_CAPACITY);
  /** The row of the device's place before, or the next row that is free. */
  #next = new Int32Array(FIRST_CAPACITY);
  #rows = 0;
  #free = NO_ROW;

  /** The device's places, the latest first. */
  of(devEui: string): readonly Place[] {
    const found: Place[] = [];
    for (let row = this.#firstRow(devEui); row !== NO_ROW; row = this.#next[row]!) {
      found.push({
        number: this.#number[row]!,
        place: this.#place[row]!,
        round: this.#round[row]!,
      });
    }
    return found;
  }

  /** Row of the device's latest place; `NO_ROW`: it has none. `of` makes a list, this does not. */
  latest(devEui: string): number {
    return this.#firstRow(devEui);
  }

  /** Row of the place that the device had before the one in this row; `NO_ROW`: none. */
  before(row: number): number {
    return this.#next[row]!;
  }

  numberAt(row: number): number {
    return this.#number[row]!;
  }

  placeAt(row: number): number {
    return this.#place[row]!;
  }

  /** The device's place in one of them; undefined: it has none. */
  in(number: number, devEui: string): number | undefined {
    let row = this.#firstRow(devEui);
    while (row !== NO_ROW && this.#number[row] !== number) row = this.#next[row]!;
    return row === NO_ROW ? undefined : this.#place[row];
  }

  /** A round took the device; the place that its campaign or job had for it is gone. */
  take(devEui: string, { number, place, round }: Place): void {
    this.leave(devEui, number);
    const row = this.#newRow();
    this.#number[row] = number;
    this.#place[row] = place;
    this.#round[row] = round;
    let before = NO_ROW;
    let next = this.#firstRow(devEui);
    while (next !== NO_ROW && this.#round[next]! > round) {
      before = next;
      next = this.#next[next]!;
    }
    this.#next[row] = next;
    this.#link(devEui, before, row);
  }

  /** A campaign or job has no place for the device any more, if it ever had one. */
  leave(devEui: string, number: number): void {
    let before = NO_ROW;
    let row = this.#firstRow(devEui);
    while (row !== NO_ROW && this.#number[row] !== number) {
      before = row;
      row = this.#next[row]!;
    }
    if (row === NO_ROW) return;
    this.#link(devEui, before, this.#next[row]!);
    this.#next[row] = this.#free;
    this.#free = row;
  }

  #firstRow(devEui: string): number {
    return this.#first.get(devEui) ?? NO_ROW;
  }

  /** Lets `row` follow after `before`, or be the device's first. */
  #link(devEui: string, before: number, row: number): void {
    if (before !== NO_ROW) this.#next[before] = row;
    else if (row !== NO_ROW) this.#first.set(devEui, row);
    else this.#first.delete(devEui);
  }

  #newRow(): number {
    const row = this.#free;
    if (row !== NO_ROW) {
      this.#free = this.#next[row]!;
      return row;
    }
    if (this.#rows === this.#next.length) {
      const capacity = this.#rows * 2;
      this.#number = grown(this.#number, capacity);
      this.#place = grown(this.#place, capacity);
      this.#round = grown(this.#round, capacity);
      this.#next = grown(this.#next, capacity);
    }
    return this.#rows++;
  }
}
