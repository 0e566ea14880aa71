/**
 * Duty-cycle budgets: time on air per transmitter and sub-band in any sliding hour (ETSI EN 300
 * 220-2).
 *
 * An account is one transmitter in one sub-band. Its records are sorted by their end; a planned
 * transmission is booked like a sent one. A record counts in full while any of it lies in the
 * hour, so the sum never falls short of the true time on air. Usage grows while a transmitter
 * sends and shrinks while it is silent, so the hours that end with a transmission decide: a frame
 * fits when everything booked that ends later than one hour before the frame's own end, planned
 * frames included, leaves enough for it.
 */
import { assert } from '../base/assert.ts';
import { HOUR_US } from '../base/units.ts';
import {
  f64,
  i32,
  NONE,
  opaque,
  Pool,
  type SavedPool,
  type SavedTable,
  Table,
} from '../kernel/columns.ts';
import type { Digest } from '../kernel/digest.ts';

export interface SavedDutyCycle {
  readonly accounts: SavedTable;
  readonly records: SavedPool;
}

export class DutyCycle {
  readonly #accounts = new Table({ oldest: opaque(i32), newest: opaque(i32), usedUs: opaque(f64) });
  readonly #records = new Pool({
    next: opaque(i32),
    previous: opaque(i32),
    endUs: f64,
    airtimeUs: i32,
  });

  /** Opens accounts up to this number. */
  open(accounts: number): void {
    while (this.#accounts.rows < accounts) {
      const account = this.#accounts.add();
      this.#accounts.column.oldest[account] = NONE;
      this.#accounts.column.newest[account] = NONE;
    }
  }

  /**
   * Earliest start ≥ `startUs` ≥ `nowUs` at which `airtimeUs` fits; Infinity when it never does.
   */
  earliestUs(
    account: number,
    nowUs: number,
    startUs: number,
    airtimeUs: number,
    budgetUs: number,
  ): number {
    assert(account < this.#accounts.rows && airtimeUs > 0, 'a transmission has an account');
    assert(budgetUs >= 0 && budgetUs <= HOUR_US, 'a budget is a share of the hour');
    if (airtimeUs > budgetUs) return Number.POSITIVE_INFINITY;
    const { next, endUs, airtimeUs: recorded } = this.#records.column;
    const { oldest, usedUs } = this.#accounts.column;
    while (oldest[account] !== NONE && endUs[oldest[account]] <= nowUs - HOUR_US) {
      this.#unlink(account, oldest[account]);
    }
    let used = usedUs[account] + airtimeUs;
    let row = oldest[account];
    let atUs = startUs;
    for (; row !== NONE; row = next[row]) {
      const outOfTheHourAtUs = endUs[row] + HOUR_US - airtimeUs;
      if (outOfTheHourAtUs > atUs && used <= budgetUs) break;
      atUs = Math.max(atUs, outOfTheHourAtUs);
      used -= recorded[row];
    }
    return atUs;
  }

  /** Time on air in the hour until now and planned after it, µs. */
  usedUs(account: number, nowUs: number): number {
    assert(account < this.#accounts.rows, 'a transmitter has an account in each sub-band');
    const { next, endUs, airtimeUs } = this.#records.column;
    let used = this.#accounts.column.usedUs[account];
    let row = this.#accounts.column.oldest[account];
    for (; row !== NONE && endUs[row] <= nowUs - HOUR_US; row = next[row]) used -= airtimeUs[row];
    assert(used >= 0, 'an account holds no less than its records');
    return used;
  }

  /** Books a transmission; it may lie before others that are planned. */
  book(account: number, startUs: number, airtimeUs: number): void {
    assert(account < this.#accounts.rows && airtimeUs > 0, 'a transmission has an account');
    const row = this.#records.take();
    const { next, previous, endUs, airtimeUs: recorded } = this.#records.column;
    const { oldest, newest, usedUs } = this.#accounts.column;
    endUs[row] = startUs + airtimeUs;
    recorded[row] = airtimeUs;
    usedUs[account] += airtimeUs;
    let before = newest[account];
    while (before !== NONE && endUs[before] > endUs[row]) before = previous[before];
    const after = before === NONE ? oldest[account] : next[before];
    previous[row] = before;
    next[row] = after;
    if (before === NONE) oldest[account] = row;
    else next[before] = row;
    if (after === NONE) newest[account] = row;
    else previous[after] = row;
  }

  /** Takes back a booking that was not sent. */
  cancel(account: number, startUs: number, airtimeUs: number): void {
    const { previous, endUs, airtimeUs: recorded } = this.#records.column;
    let row = this.#accounts.column.newest[account];
    while (row !== NONE && (endUs[row] !== startUs + airtimeUs || recorded[row] !== airtimeUs)) {
      row = previous[row];
    }
    assert(row !== NONE, 'only what was booked is cancelled');
    this.#unlink(account, row);
  }

  /** Folds what still counts at `nowUs`. */
  digestAccount(account: number, nowUs: number, digest: Digest): void {
    const { next, endUs, airtimeUs } = this.#records.column;
    for (let row = this.#accounts.column.oldest[account]; row !== NONE; row = next[row]) {
      if (endUs[row] <= nowUs - HOUR_US) continue;
      digest.addNumber(endUs[row]);
      digest.addWord(airtimeUs[row]);
    }
  }

  save(): SavedDutyCycle {
    return { accounts: this.#accounts.save(), records: this.#records.save() };
  }

  load(saved: SavedDutyCycle): void {
    this.#accounts.load(saved.accounts);
    this.#records.load(saved.records);
  }

  #unlink(account: number, row: number): void {
    const { next, previous, airtimeUs } = this.#records.column;
    const { oldest, newest, usedUs } = this.#accounts.column;
    usedUs[account] -= airtimeUs[row];
    assert(usedUs[account] >= 0, 'no more is taken from an account than was booked');
    if (previous[row] === NONE) oldest[account] = next[row];
    else next[previous[row]] = next[row];
    if (next[row] === NONE) newest[account] = previous[row];
    else previous[next[row]] = previous[row];
    this.#records.give(row);
  }
}
