/**
 * Application downlinks that wait for their turn, a line for each device, and those that have left
 * it and still owe a notification.
 *
 * First come, first served, from any sender; one that is not due yet lets those behind it pass. A
 * confirmed one that was tried goes before all others until it leaves.
 */
import { assert } from '../base/assert.ts';
import { isApplicationFPort, isSameSender, type Sender } from '../contract/downlinks.ts';
import { NEVER_US } from '../gateway/downlinks.ts';
import { NONE } from '../kernel/columns.ts';
import type { Digest } from '../kernel/digest.ts';

/** Most sent downlinks of a device remembered until an uplink answers them. */
const MOST_UNANSWERED = 64;

/** Most times that a confirmed downlink is sent, unless who asks says otherwise. */
const CONFIRMED_TRIES = 8;

/** What is asked for. */
export interface QueuedDownlink {
  /** From 1, growing. */
  readonly id: number;
  readonly sender: Sender;
  /** 1…223, 225. */
  readonly fPort: number;
  readonly payload: Uint8Array;
  readonly confirmed: boolean;
  /** Frames of a confirmed one, at most; `CONFIRMED_TRIES` when absent. */
  readonly mostTries?: number | undefined;
  /** It does not go out before, µs. */
  readonly notBeforeUs: number;
}

/** A downlink in the server's hands. */
export interface AppDownlink extends QueuedDownlink {
  readonly mostTries: number;
  /** Frames made of it, but for those that were taken back. */
  tries: number;
  /** A frame of it is on its way to the air. */
  underway: boolean;
  /** When its first and its latest frame began, µs; `NEVER_US`: none did. */
  firstBeganUs: number;
  lastBeganUs: number;
  /** An uplink has answered it. */
  answered: boolean;
  /** Its sender wants no more of it: it does not come back. */
  cleared: boolean;
  /** Frames in a row that gateways refused or lost, outside the windows of class A. */
  refusals: number;
  /** Row of the gateway that did so last; NONE: none did. */
  refusedBy: number;
  /** How much later than planned frames reach that gateway, as its refusal shows, µs. */
  lateUs: number;
}

interface Line {
  /** In the order of ids from `first` on. */
  waiting: AppDownlink[];
  first: number;
  /** The confirmed one that was tried and waits; undefined: none. */
  tried: AppDownlink | undefined;
  /** Those that have left the line, in that order. */
  left: AppDownlink[];
}

type SavedLine = Readonly<Record<'waiting' | 'left', readonly AppDownlink[]>>;

export interface SavedDownlinkQueue {
  readonly lines: readonly (readonly [number, SavedLine])[];
}

export class DownlinkQueue {
  readonly #lines = new Map<number, Line>();
  /** Downlinks of all devices that are not over. */
  #open = 0;

  push(registration: number, asked: QueuedDownlink): AppDownlink {
    assert(isApplicationFPort(asked.fPort), 'a downlink of an application has an FPort');
    const line = this.#lines.get(registration) ?? newLine();
    this.#lines.set(registration, line);
    const last = line.waiting.at(-1)?.id ?? 0;
    assert(asked.id > last, 'ids of downlinks grow, from 1');
    const { id, sender, fPort, payload, confirmed, notBeforeUs } = asked;
    // Field by field: a spread costs five times as much.
    const downlink: AppDownlink = {
      id,
      sender,
      fPort,
      payload,
      confirmed,
      mostTries: asked.mostTries ?? CONFIRMED_TRIES,
      notBeforeUs,
      tries: 0,
      underway: false,
      firstBeganUs: NEVER_US,
      lastBeganUs: NEVER_US,
      answered: false,
      cleared: false,
      refusals: 0,
      refusedBy: NONE,
      lateUs: 0,
    };
    line.waiting.push(downlink);
    this.#open++;
    return downlink;
  }

  // ── who waits ──────────────────────────────────────────────────────────────────────────────────

  /** Downlinks of all devices that wait, are on their way, or wait to be acknowledged. */
  get open(): number {
    return this.#open;
  }

  /** Whether some downlink of some device waits, is on its way, or waits to be acknowledged. */
  get hasOpen(): boolean {
    return this.#open > 0;
  }

  isEmpty(registration: number): boolean {
    const line = this.#lines.get(registration);
    return line === undefined || line.first === line.waiting.length;
  }

  /** Whether some downlink of the device waits, or there is something to tell of one. */
  has(registration: number): boolean {
    return this.#lines.has(registration);
  }

  /** Whose turn it is at an instant; undefined: nobody's. */
  next(registration: number, atUs: number): AppDownlink | undefined {
    const line = this.#lines.get(registration);
    return line === undefined ? undefined : (line.tried ?? firstDue(line, atUs));
  }

  /** Whether another one is due beside this. */
  hasMore(registration: number, downlink: AppDownlink | undefined, atUs: number): boolean {
    const line = this.#lines.get(registration);
    if (line === undefined) return false;
    if (line.tried !== undefined && line.tried !== downlink) return true;
    return firstDue(line, atUs, downlink) !== undefined;
  }

  /** When the line is to be looked at, µs; Infinity: nothing waits. O(those that wait). */
  nextDueUs(registration: number): number {
    const line = this.#lines.get(registration);
    let earliestUs = Number.POSITIVE_INFINITY;
    if (line === undefined) return earliestUs;
    for (let i = line.first; i < line.waiting.length; i++) {
      const downlink = line.waiting[i]!;
      earliestUs = Math.min(earliestUs, downlink === line.tried ? 0 : downlink.notBeforeUs);
    }
    return earliestUs;
  }

  /**
   * In the order in which they go: one that was tried, then those that are due as they came, then
   * by the time when they fall due.
   */
  waiting(registration: number, nowUs: number): readonly AppDownlink[] {
    const line = this.#lines.get(registration);
    if (line === undefined) return [];
    const rank = (downlink: AppDownlink) =>
      downlink === line.tried ? -1 : Math.max(nowUs, downlink.notBeforeUs);
    return line.waiting.slice(line.first).sort((a, b) => rank(a) - rank(b) || a.id - b.id);
  }

  /** The confirmed one that was tried and waits. */
  tried(registration: number): AppDownlink | undefined {
    return this.#lines.get(registration)?.tried;
  }

  /** Those that have left the queue and still owe a notification. */
  left(registration: number): readonly AppDownlink[] {
    return this.#lines.get(registration)?.left ?? [];
  }

  /**
   * The one with this id whose frame is on its way or was sent; undefined: its end was reported.
   */
  find(registration: number, id: number): AppDownlink | undefined {
    const line = this.#lines.get(registration);
    if (line?.tried?.id === id) return line.tried;
    return line?.left.findLast((downlink) => downlink.id === id);
  }

  // ── its way ────────────────────────────────────────────────────────────────────────────────────

  /** A frame of it was made and it stays first, to be tried again. */
  hold(registration: number, downlink: AppDownlink): void {
    const line = this.#line(registration);
    assert(downlink.confirmed, 'only what is confirmed is tried again');
    assert((line.tried ?? downlink) === downlink, 'one downlink of a device is tried at a time');
    line.tried = downlink;
    downlink.tries++;
  }

  /** The latest frame of the one that is held does not count. */
  takeTryBack(registration: number): void {
    const line = this.#line(registration);
    const { tried } = line;
    assert(tried !== undefined && tried.tries > 0, 'a try is taken back that was made');
    tried.tries--;
    tried.underway = false;
    if (tried.tries === 0) line.tried = undefined;
  }

  /** A frame of it was made, and there will be no other. */
  leave(registration: number, downlink: AppDownlink): void {
    const line = this.#line(registration);
    takeOut(line, downlink);
    line.left.push(downlink);
    downlink.tries++;
  }

  /** A frame of it is on the air from now on. */
  begin(downlink: AppDownlink, nowUs: number): void {
    const wasOpen = isOpen(downlink);
    downlink.underway = false;
    downlink.refusals = 0;
    if (downlink.firstBeganUs === NEVER_US) downlink.firstBeganUs = nowUs;
    downlink.lastBeganUs = nowUs;
    if (wasOpen && !isOpen(downlink)) this.#open--;
  }

  /**
   * One that has left was not sent after all, and waits at its place again. False where its sender
   * has cleared it meanwhile.
   */
  putBack(registration: number, downlink: AppDownlink): boolean {
    if (downlink.cleared) return false;
    const line = this.#line(registration);
    line.left.splice(line.left.lastIndexOf(downlink), 1);
    downlink.tries--;
    downlink.underway = false;
    const at = placeOf(line, downlink.id);
    if (at === line.first && at > 0) line.waiting[--line.first] = downlink;
    else line.waiting.splice(at, 0, downlink);
    return true;
  }

  /** It waits no more. */
  drop(registration: number, downlink: AppDownlink): void {
    const line = this.#line(registration);
    takeOut(line, downlink);
    this.#close([downlink]);
    this.#tidy(registration, line);
  }

  /** There is nothing to tell of it any more. */
  forget(registration: number, downlink: AppDownlink): void {
    const line = this.#line(registration);
    const at = line.left.lastIndexOf(downlink);
    assert(at >= 0, 'what is forgotten has left its line');
    line.left.splice(at, 1);
    this.#close([downlink]);
    this.#tidy(registration, line);
  }

  /** Takes the oldest that was sent where too many wait for an uplink; undefined: few do. */
  takeOldest(registration: number): AppDownlink | undefined {
    const { left } = this.#line(registration);
    if (left.length <= MOST_UNANSWERED) return undefined;
    const at = left.findIndex(({ underway }) => !underway);
    if (at < 0) return undefined;
    const taken = left.splice(at, 1);
    this.#close(taken);
    return taken[0];
  }

  /** Those of one sender that wait leave the line; those on their way do not come back. */
  clear(registration: number, sender: Sender): readonly AppDownlink[] {
    const line = this.#lines.get(registration);
    if (line === undefined) return [];
    const waiting = line.waiting.slice(line.first);
    const cleared = waiting.filter((downlink) => isSameSender(downlink.sender, sender));
    line.waiting = waiting.filter((downlink) => !isSameSender(downlink.sender, sender));
    line.first = 0;
    if (line.tried !== undefined && isSameSender(line.tried.sender, sender)) line.tried = undefined;
    for (const downlink of line.left) {
      if (isSameSender(downlink.sender, sender)) downlink.cleared = true;
    }
    this.#close(cleared);
    this.#tidy(registration, line);
    return cleared;
  }

  /** The device is gone: all that waits, and all that has left the line. */
  remove(registration: number): readonly AppDownlink[] {
    const line = this.#lines.get(registration);
    this.#lines.delete(registration);
    const gone = line === undefined ? [] : [...line.left, ...line.waiting.slice(line.first)];
    this.#close(gone);
    return gone;
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  /** Without payloads: a key in one is another where frames are counted. */
  digest(registration: number, digest: Digest): void {
    const line = this.#lines.get(registration);
    if (line === undefined) return;
    for (let i = line.first; i < line.waiting.length; i++) digestOne(line.waiting[i]!, digest);
    digest.addNumber(line.waiting.length - line.first);
    for (const downlink of line.left) digestOne(downlink, digest);
    digest.addNumber(line.left.length);
  }

  /** What `digest` leaves out. */
  digestBytes(registration: number, digest: Digest): void {
    const line = this.#lines.get(registration);
    if (line === undefined) return;
    for (const { payload } of [...line.waiting.slice(line.first), ...line.left]) {
      for (const byte of payload) digest.addWord(byte);
    }
  }

  save(): SavedDownlinkQueue {
    const lines = [...this.#lines].map(([row, { waiting, first, left }]) => {
      const saved = { waiting: waiting.slice(first).map(copyOf), left: left.map(copyOf) };
      return [row, saved] as const;
    });
    return { lines };
  }

  load(saved: SavedDownlinkQueue): void {
    this.#lines.clear();
    this.#open = 0;
    for (const [row, line] of saved.lines) {
      const waiting = line.waiting.map(copyOf);
      const tried = waiting.find(({ tries }) => tries > 0);
      const left = line.left.map(copyOf);
      this.#lines.set(row, { waiting, first: 0, tried, left });
      this.#open += [...waiting, ...left].filter(isOpen).length;
    }
  }

  /** They are in no line any more. */
  #close(gone: readonly AppDownlink[]): void {
    for (const downlink of gone) if (isOpen(downlink)) this.#open--;
    assert(this.#open >= 0, 'a downlink is over once');
  }

  /** A line without anybody is none. */
  #tidy(registration: number, { waiting, first, left }: Line): void {
    if (first === waiting.length && left.length === 0) this.#lines.delete(registration);
  }

  #line(registration: number): Line {
    const line = this.#lines.get(registration);
    assert(line !== undefined, 'a downlink is in the line of its device');
    return line;
  }
}

/** Of one in a line: whether its end is still to come; without confirmation it ends once sent. */
const isOpen = ({ confirmed, firstBeganUs }: AppDownlink): boolean =>
  confirmed || firstBeganUs === NEVER_US;

const newLine = (): Line => ({ waiting: [], first: 0, tried: undefined, left: [] });

const copyOf = (downlink: AppDownlink): AppDownlink => ({ ...downlink });

/** Takes the first one out in constant time, over many. */
function takeOut(line: Line, downlink: AppDownlink): void {
  const { waiting } = line;
  const at = placeOf(line, downlink.id);
  assert(waiting[at] === downlink, 'what leaves a line has waited in it');
  if (line.tried === downlink) line.tried = undefined;
  if (at > line.first) waiting.splice(at, 1);
  else line.first++;
  if (line.first * 2 > waiting.length) {
    waiting.splice(0, line.first);
    line.first = 0;
  }
  assert(line.first * 2 <= waiting.length, 'half of what a line stores, or more, waits in it');
}

function firstDue({ waiting, first }: Line, atUs: number, besides?: AppDownlink) {
  for (let i = first; i < waiting.length; i++) {
    const downlink = waiting[i]!;
    if (downlink.notBeforeUs <= atUs && downlink !== besides) return downlink;
  }
  return undefined;
}

/** Where an id stands in a line, or would stand. */
function placeOf({ waiting, first }: Line, id: number): number {
  let low = first;
  for (let high = waiting.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (waiting[middle]!.id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

function digestOne(downlink: AppDownlink, digest: Digest): void {
  const { id, sender, fPort, payload, confirmed, mostTries, notBeforeUs } = downlink;
  const { tries, underway, firstBeganUs, lastBeganUs, answered, cleared, refusals } = downlink;
  const { refusedBy, lateUs } = downlink;
  digest.addNumber(id);
  digest.addText(sender.kind);
  digest.addText(sender.id);
  for (const value of [fPort, notBeforeUs, tries, refusals, firstBeganUs, lastBeganUs]) {
    digest.addNumber(value);
  }
  digest.addNumber(payload.length);
  if (mostTries !== CONFIRMED_TRIES) digest.addNumber(mostTries);
  if (refusedBy !== NONE) digest.addNumber(refusedBy);
  if (lateUs !== 0) digest.addNumber(lateUs);
  for (const flag of [confirmed, underway, answered, cleared]) digest.addWord(flag ? 1 : 0);
}
