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
  readonly places: SavedTable;
  readonly accounts: SavedTable;
  readonly records: SavedPool;
}

export class DutyCycle {
  /**
   * By the number of an account: its row in `#accounts` plus 1, or 0 before its first booking.
   * Most transmitters send in few of the sub-bands.
   */
  readonly #places = new Table({ account: opaque(i32) });
  readonly #accounts = new Table({ oldest: opaque(i32), newest: opaque(i32), usedUs: opaque(f64) });
  readonly #records = new Pool({
    next: opaque(i32),
    previous: opaque(i32),
    endUs: f64,
    airtimeUs: i32,
  });

  /** Opens accounts up to this number. */
  open(accounts: number): void {
    while (this.#places.rows < accounts) this.#places.add();
  }

  /** Grows the columns to a number of accounts. */
  reserve(accounts: number): void {
    this.#places.reserve(accounts);
  }

  /** Where an account is stored; NONE before its first booking. */
  #rowOf(account: number): number {
    assert(account < this.#places.rows, 'a transmission has an account');
    return this.#places.column.account[account] - 1;
  }

  #rowFor(account: number): number {
    const row = this.#rowOf(account);
    if (row !== NONE) return row;
    const added = this.#accounts.add();
    this.#accounts.column.oldest[added] = NONE;
    this.#accounts.column.newest[added] = NONE;
    this.#places.column.account[account] = added + 1;
    return added;
  }

  /**
   * Earliest start ≥ `startUs` ≥ `nowUs` at which `airtimeUs` fits; Infinity when it never does.
   */
  earliestUs(
    number: number,
    nowUs: number,
    startUs: number,
    airtimeUs: number,
    budgetUs: number,
  ): number {
    assert(airtimeUs > 0, 'a transmission takes time');
    assert(budgetUs >= 0 && budgetUs <= HOUR_US, 'a budget is a share of the hour');
    assert(startUs >= nowUs, 'a transmission is planned for the present or the future');
    if (airtimeUs > budgetUs) return Number.POSITIVE_INFINITY;
    const account = this.#rowOf(number);
    if (account === NONE) return startUs;
    this.#forget(account, nowUs);
    const { next, endUs, airtimeUs: recorded } = this.#records.column;
    const { oldest, usedUs } = this.#accounts.column;
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

  /**
   * When an account whose sub-band is closed after each transmission is open again: `airtimes`
   * times its air time after the latest began. An hour at most, which the records reach back.
   */
  opensAtUs(number: number, nowUs: number, airtimes: number): number {
    const account = this.#rowOf(number);
    if (account === NONE) return nowUs;
    this.#forget(account, nowUs);
    const { endUs, airtimeUs } = this.#records.column;
    const latest = this.#accounts.column.newest[account];
    if (latest === NONE) return nowUs;
    return endUs[latest] + Math.ceil((airtimes - 1) * airtimeUs[latest]);
  }

  /** Records of more than an hour ago count no more. */
  #forget(account: number, nowUs: number): void {
    const { endUs } = this.#records.column;
    const { oldest } = this.#accounts.column;
    while (oldest[account] !== NONE && endUs[oldest[account]] <= nowUs - HOUR_US) {
      this.#unlink(account, oldest[account]);
    }
  }

  /** Time on air in the hour until now and planned after it, µs. */
  usedUs(number: number, nowUs: number): number {
    const account = this.#rowOf(number);
    if (account === NONE) return 0;
    const { next, endUs, airtimeUs } = this.#records.column;
    let used = this.#accounts.column.usedUs[account];
    let row = this.#accounts.column.oldest[account];
    for (; row !== NONE && endUs[row] <= nowUs - HOUR_US; row = next[row]) used -= airtimeUs[row];
    assert(used >= 0, 'an account holds no less than its records');
    return used;
  }

  /** Time on air of what ends in the hour until an instant that is not over yet, µs. */
  usedInHourUs(number: number, untilUs: number): number {
    const account = this.#rowOf(number);
    if (account === NONE) return 0;
    const { next, previous, endUs, airtimeUs } = this.#records.column;
    const { oldest, newest, usedUs } = this.#accounts.column;
    let used = usedUs[account];
    let row = oldest[account];
    for (; row !== NONE && endUs[row] <= untilUs - HOUR_US; row = next[row]) used -= airtimeUs[row];
    row = newest[account];
    for (; row !== NONE && endUs[row] > untilUs; row = previous[row]) used -= airtimeUs[row];
    assert(used >= 0, 'an hour has no less than its records');
    return used;
  }

  /** Books a transmission; it may lie before others that are planned. */
  book(number: number, startUs: number, airtimeUs: number): void {
    assert(airtimeUs > 0, 'a transmission takes time');
    const account = this.#rowFor(number);
    const row = this.#records.take();
    const { next, previous, endUs, airtimeUs: recorded } = this.#records.column;
    const { oldest, newest, usedUs } = this.#accounts.column;
    endUs[row] = startUs + airtimeUs;
    recorded[row] = airtimeUs;
    usedUs[account] += airtimeUs;
    let before = newest[account];
    while (before !== NONE && endUs[before] > endUs[row]) before = previous[before];
    const after = before === NONE ? oldest[account] : next[before];
    assert(after === NONE || endUs[row] < endUs[after], 'records are sorted by their end');
    previous[row] = before;
    next[row] = after;
    if (before === NONE) oldest[account] = row;
    else next[before] = row;
    if (after === NONE) newest[account] = row;
    else previous[after] = row;
  }

  /** Takes back a booking that was not sent. */
  cancel(number: number, startUs: number, airtimeUs: number): void {
    const account = this.#rowOf(number);
    assert(account !== NONE, 'only what was booked is cancelled');
    const { previous, endUs, airtimeUs: recorded } = this.#records.column;
    let row = this.#accounts.column.newest[account];
    while (row !== NONE && (endUs[row] !== startUs + airtimeUs || recorded[row] !== airtimeUs)) {
      row = previous[row];
    }
    assert(row !== NONE, 'only what was booked is cancelled');
    this.#unlink(account, row);
  }

  /** Folds what still counts at `nowUs`; nothing of an account that was not opened. */
  digestAccount(number: number, nowUs: number, digest: Digest): void {
    const account = number < this.#places.rows ? this.#rowOf(number) : NONE;
    if (account === NONE) return;
    const { next, endUs, airtimeUs } = this.#records.column;
    for (let row = this.#accounts.column.oldest[account]; row !== NONE; row = next[row]) {
      if (endUs[row] <= nowUs - HOUR_US) continue;
      digest.addNumber(endUs[row]);
      digest.addWord(airtimeUs[row]);
    }
  }

  save(): SavedDutyCycle {
    const places = this.#places.save();
    return { places, accounts: this.#accounts.save(), records: this.#records.save() };
  }

  load(saved: SavedDutyCycle): void {
    this.#places.load(saved.places);
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
