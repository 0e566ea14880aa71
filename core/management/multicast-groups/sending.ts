/**
 * Messages to groups on their way: first in, first out, each through all gateways of its group.
 *
 * A message has one frame counter, and a copy of it goes out at each gateway. In class C copies go
 * one after the other, so that none disturbs another at a device between two gateways; in class B
 * all go in one ping slot, at the same instant by GPS time. A copy for which its sub-band has no
 * air time waits for that, and one that its gateway refuses is tried a few times. The next message
 * goes when every copy of this one has gone or is given up: a device takes no counter below one
 * that it has heard (docs/decisions/0058).
 */
import { assert } from '../../../sim/base/assert.ts';
import { fromHex } from '../../../sim/base/bytes.ts';
import { MILLISECOND_US, SECOND_US } from '../../../sim/base/units.ts';
import type { MulticastTxStatus } from '../../../sim/contract/news.ts';
import { MULTICAST_LEAD_US } from '../../../sim/contract/requests.ts';
import type { NetworkFacts } from '../../../sim/contract/view.ts';
import { nextClearSlot } from '../../../sim/lorawan/class-b.ts';
import { type Cell, type Fold, FoldSum, foldField, newCell } from '../../base/fold.ts';
import { copyPlain } from '../../base/plain.ts';
import type { Surroundings } from '../../kit/resource.ts';

/** How long before its start a copy is requested, µs. */
const REQUEST_AHEAD_US = MULTICAST_LEAD_US + MILLISECOND_US;
/** From one gateway's copy to the next one's, class C. */
const PAUSE_US = 100 * MILLISECOND_US;
/** What a gateway's queue keeps free around a frame in a ping slot, and a little more, µs. */
const QUEUE_MARGIN_US = 40_000;
/** MHDR, FHDR, FPort, MIC around an FRMPayload. */
const OVERHEAD_BYTES = 13;

/** Times that a gateway may refuse a copy, and how long it is left alone then. */
const MOST_REFUSALS = 3;
const REFUSED_PAUSE_US = SECOND_US;
/** After these a gateway will not take the copy later either. */
const FINAL_REFUSALS: ReadonlySet<string> = new Set(['gatewayGone', 'groupClosed', 'neverBudget']);

export interface GroupMessage {
  readonly fPort: number;
  /** In upper-case hexadecimal. */
  readonly payloadHex: string;
}

/** What sending needs to know of a group, as it is now. */
export interface SendingGroup {
  /** From 1, unique in the world; its timer. */
  readonly number: number;
  readonly mcAddr: number;
  readonly dataRate: number;
  /** Of class B: 2^(7 − periodicity) ping slots in a beacon period. */
  readonly periodicity: number | undefined;
  /** Those in service that may send for it, by EUI. */
  gateways(): readonly string[];
}

/** A copy that is to be sent again. */
interface Again {
  readonly gatewayEui: string;
  readonly notBeforeUs: number;
}

/** What a group has to send: plain data. */
interface Line {
  readonly number: number;
  /** Counter of the next message. */
  nextFCnt: number;
  waiting: GroupMessage[];
  /** The message that is going out; null: none is. */
  message: GroupMessage | null;
  gateways: readonly string[];
  /** Place in `gateways` of the next that has had no copy yet. */
  next: number;
  /** Requested, and no status yet. */
  underway: string[];
  again: Again[];
  refusals: Record<string, number>;
  /** No copy begins before this, µs. */
  notBeforeUs: number;
}

export type SavedLines = readonly Line[];

type Needs = Pick<Surroundings, 'outbox' | 'timers'>;

export class GroupLines {
  readonly #needs: Needs;
  readonly #groupOf: (number: number) => SendingGroup | undefined;
  readonly #factsOf: (number: number) => NetworkFacts;
  /** By the group's number; a group that was never sent to has none. */
  readonly #lines = new Map<number, Cell<Line>>();
  readonly #sum = new FoldSum<Line>((fold, line) => foldField(fold, 'line', line));
  readonly #busy = new Set<number>();

  /** Functions give what there is of a group by its number. */
  constructor(
    needs: Needs,
    groupOf: (number: number) => SendingGroup | undefined,
    factsOf: (number: number) => NetworkFacts,
  ) {
    this.#needs = needs;
    this.#groupOf = groupOf;
    this.#factsOf = factsOf;
  }

  /** Whether nothing waits or is underway. */
  get isIdle(): boolean {
    return this.#busy.size === 0;
  }

  /** The first counter that no message of the group has. */
  nextFCnt(number: number): number {
    return this.#lines.get(number)?.record.nextFCnt ?? 0;
  }

  /** Queues a message; `flush`: in the place of those that wait. */
  add(number: number, message: GroupMessage, flush: boolean, nowUs: number): void {
    const cell = this.#lines.get(number) ?? newCell(newLine(number));
    this.#lines.set(number, cell);
    const line = cell.record;
    if (flush) line.waiting = [];
    line.waiting.push(message);
    this.#goOn(cell, nowUs);
  }

  /** The group is gone: what waited is dropped, copies on their way go on. */
  drop(number: number, nowUs: number): void {
    const cell = this.#lines.get(number);
    if (cell === undefined) return;
    this.#lines.delete(number);
    this.#sum.forget(cell);
    this.#busy.delete(number);
    this.#needs.timers.wakeNever(number, nowUs);
  }

  onTimer(number: number, nowUs: number): void {
    const cell = this.#lines.get(number);
    if (cell !== undefined) this.#goOn(cell, nowUs);
  }

  /** What became of a copy. */
  onStatus(number: number, { fCnt, gatewayEui, outcome }: MulticastTxStatus, nowUs: number): void {
    const cell = this.#lines.get(number);
    if (cell === undefined) return;
    const line = cell.record;
    const at = line.underway.indexOf(gatewayEui);
    // The status of a copy of a group that had this address before.
    if (at < 0 || line.message === null || fCnt !== line.nextFCnt - 1) return;
    line.underway.splice(at, 1);
    if (outcome.kind === 'noBudget') {
      line.again.push({ gatewayEui, notBeforeUs: outcome.notBeforeUs });
    } else if (outcome.kind === 'refused' && !FINAL_REFUSALS.has(outcome.reason)) {
      const refusals = (line.refusals[gatewayEui] ?? 0) + 1;
      line.refusals[gatewayEui] = refusals;
      const notBeforeUs = nowUs + REFUSED_PAUSE_US;
      if (refusals <= MOST_REFUSALS) line.again.push({ gatewayEui, notBeforeUs });
    }
    this.#goOn(cell, nowUs);
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  /** Requests what is due now, and sets when to look again. */
  #goOn(cell: Cell<Line>, nowUs: number): void {
    const line = cell.record;
    const group = this.#groupOf(line.number);
    assert(group !== undefined, 'a group that is gone has no line');
    for (;;) {
      if (line.message === null && !begin(line, group, this.#mostBytes(group))) break;
      if (this.#depart(line, group, nowUs)) break;
      line.message = null;
    }
    this.#sum.note(cell);
    if (line.message === null) this.#busy.delete(line.number);
    else this.#busy.add(line.number);
  }

  /** FRMPayload bytes that a frame of the group carries. */
  #mostBytes({ number, dataRate }: SendingGroup): number {
    return this.#factsOf(number).dataRate(dataRate)?.maxFrmPayload ?? 0;
  }

  /** False: every copy of the message in hand has gone or is given up. */
  #depart(line: Line, group: SendingGroup, nowUs: number): boolean {
    for (;;) {
      const left = line.gateways.length - line.next + line.again.length;
      if (left === 0) return line.underway.length > 0;
      const startsAtUs = this.#startUs(line, group, nowUs);
      if (startsAtUs - REQUEST_AHEAD_US > nowUs) {
        this.#needs.timers.wakeAt(line.number, startsAtUs - REQUEST_AHEAD_US, nowUs);
        return true;
      }
      this.#request(line, group, startsAtUs, nowUs);
    }
  }

  /** When the next copy may begin. */
  #startUs(line: Line, group: SendingGroup, nowUs: number): number {
    const soonestUs = Math.max(nowUs + REQUEST_AHEAD_US, line.notBeforeUs);
    const first = line.next < line.gateways.length;
    const readyUs = first ? 0 : Math.min(...line.again.map(({ notBeforeUs }) => notBeforeUs));
    const fromUs = Math.max(soonestUs, readyUs);
    if (group.periodicity === undefined) return fromUs;
    const facts = this.#factsOf(line.number);
    const gpsStartS = facts.gpsSeconds(0);
    const gpsStartUs = gpsStartS * SECOND_US - facts.worldUs(gpsStartS);
    const airtimeUs = airtimeOf(line, group, facts);
    const { mcAddr, periodicity } = group;
    const slot = nextClearSlot(
      gpsStartUs + fromUs,
      mcAddr,
      periodicity,
      airtimeUs,
      QUEUE_MARGIN_US,
    );
    return slot.startUs - gpsStartUs;
  }

  /** Class C: one copy. Class B: all that may go in the slot. */
  #request(line: Line, group: SendingGroup, startsAtUs: number, nowUs: number): void {
    const { mcAddr, periodicity } = group;
    const { fPort, payloadHex } = line.message!;
    const gateways = take(line, startsAtUs, periodicity === undefined ? 1 : ALL);
    line.underway.push(...gateways);
    const pauseUs = airtimeOf(line, group, this.#factsOf(line.number)) + PAUSE_US;
    line.notBeforeUs = startsAtUs + pauseUs;
    for (const gatewayEui of gateways) {
      const payload = fromHex(payloadHex);
      const copy = { mcAddr, gatewayEui, fCnt: line.nextFCnt - 1, fPort, payload, startsAtUs };
      this.#needs.outbox.add({ kind: 'multicast.send', ...copy }, nowUs);
    }
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  fold(fold: Fold): void {
    this.#sum.into(fold, 'multicastLines');
  }

  save(): SavedLines {
    const lines = [...this.#lines.values()].map(({ record }) => record);
    return copyPlain(lines.sort((a, b) => a.number - b.number));
  }

  load(saved: SavedLines): void {
    for (const cell of this.#lines.values()) this.#sum.forget(cell);
    this.#lines.clear();
    this.#busy.clear();
    for (const line of copyPlain(saved)) {
      const cell = newCell<Line>(line);
      this.#lines.set(line.number, cell);
      this.#sum.note(cell);
      if (line.message !== null) this.#busy.add(line.number);
    }
  }
}

const ALL = Number.POSITIVE_INFINITY;

const newLine = (number: number): Line => ({
  number,
  nextFCnt: 0,
  waiting: [],
  message: null,
  gateways: [],
  next: 0,
  underway: [],
  again: [],
  refusals: {},
  notBeforeUs: 0,
});

/** Counters of a group never begin again: its keys stay. */
const LAST_FCNT = 0xffff_ffff;

/**
 * Takes the next message in hand. One that no gateway can send any more is dropped. So is one that
 * is too long for the data rate that the group has by now, or that no counter is left for.
 */
function begin(line: Line, group: SendingGroup, mostBytes: number): boolean {
  const message = line.waiting.shift();
  if (message === undefined) return false;
  line.message = message;
  const isOver = line.nextFCnt > LAST_FCNT;
  line.gateways = isOver || message.payloadHex.length / 2 > mostBytes ? [] : group.gateways();
  line.next = 0;
  line.again = [];
  line.refusals = {};
  if (!isOver) line.nextFCnt++;
  assert(line.nextFCnt <= LAST_FCNT + 1, 'counters of a group never begin again');
  return true;
}

/** Gateways whose copies may begin at an instant, up to a limit. */
function take(line: Line, startsAtUs: number, most: number): readonly string[] {
  const until = Math.min(line.gateways.length, line.next + most);
  const taken = line.gateways.slice(line.next, until);
  line.next = until;
  const stored: Again[] = [];
  for (const each of line.again) {
    if (each.notBeforeUs <= startsAtUs && taken.length < most) taken.push(each.gatewayEui);
    else stored.push(each);
  }
  line.again = stored;
  return taken;
}

const airtimeOf = (line: Line, { dataRate }: SendingGroup, facts: NetworkFacts): number =>
  facts.downlinkAirtimeUs(dataRate, line.message!.payloadHex.length / 2 + OVERHEAD_BYTES);
