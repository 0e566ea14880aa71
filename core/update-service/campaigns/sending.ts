/**
 * Sending the fragments: each queue has a pace of its own and sends fragment after fragment.
 *
 * Staggered gateways have a queue each; simultaneous ones share a queue, so that they never send
 * different fragments at one instant. A queue's copies start on a grid, `firstAtUs + offsetUs + k ·
 * delayUs`, also after a pause: so staggered gateways never fall into step. A copy that its gateway
 * did not take is sent again before the queue goes on: a device takes no counter below one it has
 * heard. Where the pace is so fast that later fragments are on their way already, it is left out.
 */

import { assert } from '../../../sim/base/assert.ts';
import { MILLISECOND_US } from '../../../sim/base/units.ts';
import type { MulticastTxStatus } from '../../../sim/contract/news.ts';
import { MULTICAST_LEAD_US } from '../../../sim/contract/requests.ts';
import { NEVER_US } from '../../base/instant.ts';
import { type PingSlots, slotFrom } from './ping-pace.ts';

/**
 * How long before its start a copy is requested, µs. A little more than the network needs: a status
 * that comes at the very instant of a request must not make it miss its place on the grid.
 */
const REQUEST_AHEAD_US = MULTICAST_LEAD_US + MILLISECOND_US;

export interface Sending {
  /** Start of fragment 1 at the first gateway, µs. */
  firstAtUs: number;
  readonly delayUs: number;
  readonly airtimeUs: number;
  /** Frames end before this, µs. */
  readonly endsAtUs: number;
  /** Fragments to send, redundancy included. */
  readonly fragments: number;
  /** Frames begin in these ping slots only; null in class C. */
  readonly slots: PingSlots | null;
  /** Frames begin at the next whole multiple of this, µs; 0: at their place on the grid. */
  readonly gridUs: number;
  readonly queues: SendingQueue[];
  /** When the latest frame began, µs; `NEVER_US`: none did. */
  lastStartUs: number;
  /** When nothing was left to send any more, µs; `NEVER_US` before. */
  doneAtUs: number;
}

interface Copy {
  readonly fragmentNumber: number;
  readonly gatewayEui: string;
}

export interface SendingQueue {
  gateways: string[];
  readonly offsetUs: number;
  /** Place on the grid of the next sending. */
  slot: number;
  /** Fragment that comes next, from 1. */
  next: number;
  /** Requested, and no status yet. */
  underway: Copy[];
  /** To be sent again. */
  again: Copy[];
  /** Copies in a row that a gateway refused, by its EUI. */
  refusals: Record<string, number>;
  /** No budget before this, µs. */
  notBeforeUs: number;
  /** No frame fits before the end any more. */
  isOutOfTime: boolean;
}

/**
 * Repeats of a copy for a gateway that refuses it. After these, a shared queue no longer waits for
 * that gateway until it accepts one.
 */
const MOST_REFUSALS = 3;

/** One copy to request. */
export interface Departure extends Copy {
  readonly startsAtUs: number;
}

export interface SendingPlan {
  readonly firstAtUs: number;
  readonly delayUs: number;
  readonly airtimeUs: number;
  readonly endsAtUs: number;
  readonly fragments: number;
  readonly slots: PingSlots | null;
  readonly gridUs?: number;
}

export function newSending(
  plan: SendingPlan,
  gateways: readonly string[],
  simultaneous: boolean,
): Sending {
  assert(plan.delayUs > 0 && plan.fragments > 0, 'there is a pace, and something to send');
  const groups = simultaneous ? [[...gateways]] : gateways.map((eui) => [eui]);
  const targetQueues = groups.map((group, i) =>
    newQueue(group, Math.floor((i * plan.delayUs) / groups.length)),
  );
  return { gridUs: 0, ...plan, queues: targetQueues, lastStartUs: NEVER_US, doneAtUs: NEVER_US };
}

function newQueue(gateways: string[], offsetUs: number): SendingQueue {
  return {
    gateways,
    offsetUs,
    slot: 0,
    next: 1,
    underway: [],
    again: [],
    refusals: {},
    notBeforeUs: 0,
    isOutOfTime: false,
  };
}

/** Whether nothing is left to send and nothing underway. */
export function isAllSent(sending: Sending): boolean {
  return sending.queues.every((queue) => queue.underway.length === 0 && !hasMore(sending, queue));
}

/**
 * When each sending is to request next, as long as nothing of it changes: every uplink of a member
 * asks, and a campaign of a hundred thousand has hundreds of queues. No snapshot has it.
 */
const nextDepartures = new WeakMap<Sending, number>();

/** When the next sending is to be requested, µs; Infinity: nothing until a status comes. */
export function nextDepartureUs(sending: Sending): number {
  const known = nextDepartures.get(sending);
  if (known !== undefined) return known;
  let first = Number.POSITIVE_INFINITY;
  for (const queue of sending.queues) first = Math.min(first, requestAtUs(sending, queue));
  nextDepartures.set(sending, first);
  return first;
}

/** What is to be requested now; O(gateways). What a queue requests is nothing to the others. */
export function takeDepartures(sending: Sending, nowUs: number): Departure[] {
  nextDepartures.delete(sending);
  // A start that can no longer be met moves the whole grid: where no clock is waited for, there is
  // no time between the session's start and the first fragment. The next place on the grid would
  // be a pace later.
  if (sending.queues.every(({ slot, next }) => slot === 0 && next === 1)) {
    sending.firstAtUs = Math.max(sending.firstAtUs, nowUs + MULTICAST_LEAD_US);
  }
  const due = sending.queues.filter((queue) => requestAtUs(sending, queue) <= nowUs);
  return due.flatMap((queue) => departuresOf(sending, queue, nowUs));
}

/** After these a gateway will take none of the other fragments either. */
const FINAL_REFUSALS: ReadonlySet<string> = new Set(['gatewayGone', 'neverBudget']);

/** Takes in what became of a copy. */
export function onCopyStatus(
  sending: Sending,
  fragmentNumber: number,
  { gatewayEui, outcome }: Pick<MulticastTxStatus, 'gatewayEui' | 'outcome'>,
  nowUs: number,
): void {
  nextDepartures.delete(sending);
  const isThis = (copy: Copy) =>
    copy.fragmentNumber === fragmentNumber && copy.gatewayEui === gatewayEui;
  const queue = sending.queues.find(({ underway }) => underway.some(isThis));
  if (queue === undefined) return;
  queue.underway = queue.underway.filter((copy) => !isThis(copy));
  switch (outcome.kind) {
    case 'sent':
      sending.lastStartUs = Math.max(sending.lastStartUs, nowUs);
      delete queue.refusals[gatewayEui];
      return;
    case 'noBudget':
      queue.notBeforeUs = Math.max(queue.notBeforeUs, outcome.notBeforeUs);
      return sendAgain(queue, { fragmentNumber, gatewayEui });
    case 'refused':
      if (FINAL_REFUSALS.has(outcome.reason)) {
        queue.gateways = queue.gateways.filter((eui) => eui !== gatewayEui);
        queue.again = queue.again.filter((copy) => copy.gatewayEui !== gatewayEui);
        return;
      }
      queue.refusals[gatewayEui] = (queue.refusals[gatewayEui] ?? 0) + 1;
      if (queue.gateways.length > 1 && queue.refusals[gatewayEui] > MOST_REFUSALS) return;
      return sendAgain(queue, { fragmentNumber, gatewayEui });
  }
}

/** Only the latest fragment can be sent again without harm. */
function sendAgain(queue: SendingQueue, copy: Copy): void {
  if (copy.fragmentNumber === queue.next - 1) queue.again.push(copy);
}

function hasMore(sending: Sending, queue: SendingQueue): boolean {
  if (queue.isOutOfTime || queue.gateways.length === 0) return false;
  return queue.again.length > 0 || queue.next <= sending.fragments;
}

/**
 * Most fragments of a queue under way at once. One, so that every refused copy can be sent again;
 * more where the pace leaves no time for a status before the next request.
 */
function mostUnderway({ delayUs }: Sending): number {
  if (delayUs >= 2 * MULTICAST_LEAD_US) return 1;
  return Math.ceil(REQUEST_AHEAD_US / delayUs) + 1;
}

/** Called for each queue after each change of the sending: allocates nothing. */
function requestAtUs(sending: Sending, queue: SendingQueue): number {
  const waits = fragmentsUnderway(queue) >= mostUnderway(sending);
  if (waits || !hasMore(sending, queue)) return Number.POSITIVE_INFINITY;
  return Math.max(slotUs(sending, queue), queue.notBeforeUs) - REQUEST_AHEAD_US;
}

/** How many different ones there are: the copies of each stand side by side. */
function fragmentsUnderway({ underway }: SendingQueue): number {
  let count = 0;
  let latest = 0;
  for (const { fragmentNumber } of underway) {
    if (fragmentNumber !== latest) count++;
    latest = fragmentNumber;
  }
  return count;
}

function slotUs(sending: Sending, queue: SendingQueue): number {
  const { firstAtUs, slots, airtimeUs, gridUs } = sending;
  if (slots !== null) return slotFrom(slots, Math.max(firstAtUs, queue.notBeforeUs), airtimeUs);
  const atUs = placeUs(sending, queue);
  return gridUs === 0 ? atUs : Math.ceil(atUs / gridUs) * gridUs;
}

/** The place by the pace alone; its slot is the next instant of the grid. */
const placeUs = ({ firstAtUs, delayUs }: Sending, { offsetUs, slot }: SendingQueue): number =>
  firstAtUs + offsetUs + slot * delayUs;

/** The first place whose slot is at an instant or later. */
const leastPlaceUs = ({ gridUs }: Sending, atUs: number): number =>
  gridUs === 0 ? atUs : (Math.ceil(atUs / gridUs) - 1) * gridUs + 1;

function departuresOf(sending: Sending, queue: SendingQueue, nowUs: number): Departure[] {
  const startsAtUs = nextSlotUs(sending, queue, nowUs);
  if (startsAtUs - REQUEST_AHEAD_US > nowUs) return [];
  if (startsAtUs + sending.airtimeUs > sending.endsAtUs) {
    queue.isOutOfTime = true;
    return [];
  }
  assert(startsAtUs >= nowUs + MULTICAST_LEAD_US, 'a copy is requested before its start');
  const copies = copiesOf(queue);
  queue.underway.push(...copies);
  assert(fragmentsUnderway(queue) <= mostUnderway(sending), 'few fragments are under way at once');
  queue.slot++;
  if (sending.slots !== null) queue.notBeforeUs = startsAtUs + sending.delayUs;
  return copies.map((copy) => ({ ...copy, startsAtUs }));
}

/** Moves the queue to the first place on its grid that can still be met. */
function nextSlotUs(sending: Sending, queue: SendingQueue, nowUs: number): number {
  const earliestUs = Math.max(nowUs + MULTICAST_LEAD_US, queue.notBeforeUs);
  if (sending.slots !== null) {
    const fromUs = Math.max(earliestUs, sending.firstAtUs);
    return slotFrom(sending.slots, fromUs, sending.airtimeUs);
  }
  const behindUs = leastPlaceUs(sending, earliestUs) - placeUs(sending, queue);
  if (behindUs > 0) queue.slot += Math.ceil(behindUs / sending.delayUs);
  return slotUs(sending, queue);
}

function copiesOf(queue: SendingQueue): Copy[] {
  if (queue.again.length > 0) return queue.again.splice(0);
  const fragmentNumber = queue.next++;
  return queue.gateways.map((gatewayEui) => ({ fragmentNumber, gatewayEui }));
}
