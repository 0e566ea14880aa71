/**
 * Log of one multicast channel: rows in the order in which they ended, and who sent them.
 *
 * Problem: each listener looks for its next row, of the gateways in its reach, and reads little of
 * most rows. Approach: counters and times stand in columns beside the rows, and by gateway the
 * ordinals of what it sent to groups. So a listener skips frames out of reach. Rows that differ in
 * nothing but gateway, counter and time are a series, which a listener takes at once
 * (`sim/device/frame-series.ts`). Columns and series derive from the rows: they are not saved.
 */
import { assert } from '../base/assert.ts';
import { f64, NONE, Table, u16 } from '../kernel/columns.ts';
import { type AirRow, lowerFCnt } from './air-row.ts';
import { gatewayOf } from './links.ts';

/**
 * Rows of one group: single copies that nothing overlapped, each gateway with one power. Counters
 * never fall, no gateway repeats one, and a counter has the same bytes in all its rows. Rows of no
 * group may lie between them.
 */
export interface FrameSeries {
  readonly mcAddr: number;
  /** Ordinal of the row after the latest one. */
  until: number;
}

/** What a gateway sent to groups. */
class SentRows {
  /** Ordinals of the rows, ascending. */
  readonly ordinals: number[] = [];
  /** Of the latest row: counter, power, and the series that it is in. */
  fCnt = 0;
  eirpCentiDbm = 0;
  series: FrameSeries | undefined;

  /** Place in `ordinals` of the first row from an ordinal on, or how many there are. */
  firstFrom(ordinal: number): number {
    const { ordinals } = this;
    let [low, high] = [0, ordinals.length];
    if (high > 0 && ordinals[high - 1]! < ordinal) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ordinals[middle]! < ordinal) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Ordinals of a gateway's rows: `ordinals[place … end − 1]`. */
export interface RowsBetween {
  readonly ordinals: readonly number[];
  readonly place: number;
  readonly end: number;
}

export interface SavedChannel {
  readonly listeners: number;
  readonly rows: readonly AirRow[];
  readonly first: number;
}

/** What went out on one channel while somebody listened. */
export class ChannelLog {
  listeners: number;
  readonly #rows: AirRow[] = [];
  /** Ordinal of `#rows[0]`. */
  #first: number;
  /** Of each row; one of no group has the counter of the row before. */
  #columns = new Table({ startUs: f64, endUs: f64, fCnt: u16 });
  /** Of each row; undefined: it is in none. */
  readonly #series: (FrameSeries | undefined)[] = [];
  /** By gateway row. */
  readonly #sent: (SentRows | undefined)[] = [];

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

  startUs(ordinal: number): number {
    return this.#columns.column.startUs[ordinal - this.#first];
  }

  endUs(ordinal: number): number {
    return this.#columns.column.endUs[ordinal - this.#first];
  }

  /** Lower 16 bits of a row's counter. */
  fCnt(ordinal: number): number {
    return this.#columns.column.fCnt[ordinal - this.#first];
  }

  append(row: AirRow): void {
    assert(row.copies.length > 0, 'a row of the air log has a copy');
    assert(row.endUs > row.startUs, 'a frame on the air ends after it starts');
    const ordinal = this.end;
    const latest = this.#rows.at(-1);
    assert(
      latest === undefined || latest.endUs <= row.endUs,
      'rows stand in the order of their ends',
    );
    const fCnt =
      row.mcAddr !== 0 ? lowerFCnt(row) : latest === undefined ? 0 : this.fCnt(ordinal - 1);
    const place = this.#columns.add();
    const { column } = this.#columns;
    column.startUs[place] = row.startUs;
    column.endUs[place] = row.endUs;
    column.fCnt[place] = fCnt;
    const series = this.#seriesWith(row);
    this.#rows.push(row);
    this.#series.push(series);
    if (series !== undefined) series.until = this.end;
    if (row.mcAddr === 0) return;
    for (const { gateway, eirpCentiDbm } of row.copies) {
      this.#sent[gateway] ??= new SentRows();
      const sent = this.#sent[gateway];
      sent.ordinals.push(ordinal);
      Object.assign(sent, { fCnt, eirpCentiDbm, series });
    }
  }

  /** The series that the next row is in: that of the row before, another, or none. */
  #seriesWith(row: AirRow): FrameSeries | undefined {
    const series = this.#series.at(-1);
    if (row.mcAddr === 0) return series;
    const { copies, others } = row;
    if (copies.length > 1 || others.length > 0) return undefined;
    const isNext = series !== undefined && this.#continues(series, row);
    return isNext ? series : { mcAddr: row.mcAddr, until: this.end };
  }

  #continues(series: FrameSeries, row: AirRow): boolean {
    // The latest row of the series: the first always is one of the group's.
    let place = this.#rows.length - 1;
    while (this.#rows[place]!.mcAddr === 0) place--;
    const latest = this.#rows[place]!;
    if (row.mcAddr !== series.mcAddr || row.startUs < latest.endUs) return false;
    const [before, fCnt] = [lowerFCnt(latest), lowerFCnt(row)];
    if (fCnt < before || (fCnt === before && !haveSameBytes(latest, row))) return false;
    const { gateway, eirpCentiDbm } = row.copies[0]!;
    const sent = this.#sent[gateway];
    if (sent === undefined || sent.series !== series) return true;
    return sent.fCnt < fCnt && sent.eirpCentiDbm === eirpCentiDbm;
  }

  /**
   * Ordinal of the first row from `ordinal` on that the gateway of one of `links[from … until − 1]`
   * sent to a group; NONE when there is none.
   */
  next(ordinal: number, links: Uint32Array, from: number, until: number): number {
    if (ordinal >= this.end) return NONE;
    let first = Number.POSITIVE_INFINITY;
    for (let i = from; i < until; i++) {
      const sent = this.#sent[gatewayOf(links[i])];
      if (sent === undefined) continue;
      const at = sent.firstFrom(ordinal);
      if (at < sent.ordinals.length && sent.ordinals[at]! < first) first = sent.ordinals[at]!;
    }
    return first === Number.POSITIVE_INFINITY ? NONE : first;
  }

  /** The series that a row is in. */
  seriesAt(ordinal: number): FrameSeries | undefined {
    return this.#series[ordinal - this.#first];
  }

  /** What a gateway sent to groups in rows `from` … `until` − 1; undefined: nothing. */
  sentBetween(gateway: number, from: number, until: number): RowsBetween | undefined {
    const sent = this.#sent[gateway];
    if (sent === undefined) return undefined;
    const place = sent.firstFrom(from);
    const end = sent.firstFrom(until);
    return place === end ? undefined : { ordinals: sent.ordinals, place, end };
  }

  /**
   * Of rows from `ordinal` on, in its series: ordinal of the first that ends after `endsByUs`, or
   * has a counter of `fCntLimit` or more, or of the row after the series.
   */
  untilInSeries(ordinal: number, endsByUs: number, fCntLimit: number): number {
    let [low, high] = [ordinal, this.#series[ordinal - this.#first]!.until];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.endUs(middle) <= endsByUs && this.fCnt(middle) < fCntLimit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  clear(): void {
    this.#first = this.end;
    this.#rows.length = 0;
    this.#columns = new Table({ startUs: f64, endUs: f64, fCnt: u16 });
    this.#series.length = 0;
    this.#sent.length = 0;
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

function haveSameBytes({ bytes: a }: AirRow, { bytes: b }: AirRow): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
