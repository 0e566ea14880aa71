/**
 * Finds a place on the air for a multicast session beside those of other campaigns.
 *
 * Problem: two sessions meet where a gateway sends for both, or where gateways near each other send
 * on one channel at one data rate. Devices between them receive neither. One network server sends
 * for all subscribers, so it can keep their sessions apart (docs/decisions/0097).
 *
 * Approach: sessions that meet may overlap in time under two conditions. A gateway's duty cycle
 * must suffice for both, and their fragments must fall between each other's. Fragments lie on
 * grids, so two grids are compared modulo the greatest common divisor of their paces.
 * `placeSession` tries phases in steps of 25 ms. If none is free, the session waits for the one
 * that ends first, and tries again from there. A session with a fixed time does not wait: the
 * result names the session that it collides with.
 *
 * Rejected: one calendar of all frames. Unicast responses depend on devices, so most of it would be
 * fiction. Sharing a duty cycle by slowing both sessions: neither ends sooner than in sequence, and
 * devices listen longer.
 */
import { MILLISECOND_US, SECOND_US } from '../../../sim/base/units.ts';

/** A gateway that sends, and where it stands. */
export interface Site {
  readonly eui: string;
  readonly xMeters: number;
  readonly yMeters: number;
  /** Share of an hour that it may send on the session's frequency, 0…1. */
  readonly dutyCycle: number;
}

/** The fragments of a session on the air. */
export interface AirUse {
  readonly sites: readonly Site[];
  readonly frequencyHz: number;
  readonly dataRate: number;
  /** Start of the first fragment, and when all should be sent, µs. */
  readonly firstAtUs: number;
  readonly endsAtUs: number;
  /** From one fragment of a gateway to its next, and how long one takes, µs. */
  readonly delayUs: number;
  readonly airtimeUs: number;
  /** Gateways that take turns within the delay; 1: all send at one instant. */
  readonly turns: number;
  /** Fragments go out in ping slots, which lie on no grid. */
  readonly inSlots: boolean;
}

/** A session that others keep clear of, and whose it is. */
export interface OtherUse<Id> extends AirUse {
  readonly owner: Id;
}

export interface Place<Owner> {
  /** How much later than soonest the session is to begin, µs. */
  readonly shiftUs: number;
  /** From the session's own first instant for a fragment to its first fragment, µs. */
  readonly phaseUs: number;
  /** Owner of the session that it waits for; undefined: none. */
  readonly behind?: Owner;
  /** Owner of the session that it collides with, since it may not wait; undefined: none. */
  readonly against?: Owner;
}

/** Gateways farther apart than this do not meet, m: twice the reach of a class C device. */
const REACH_METERS = 30_000;
/** Between two frames that must not meet: clocks of gateways differ. */
const GUARD_US = 100 * MILLISECOND_US;
/** Steps in which a place between the fragments of others is looked for. */
const PHASE_STEP_US = 25 * MILLISECOND_US;
/** From the end of a session to the beginning of one that waits for it. */
const PAUSE_US = 2 * SECOND_US;

/**
 * Where a session has room. `wanted` says what it uses where it begins so much later than soonest;
 * without `mayWait` it begins at once, whomever it meets.
 */
export function placeSession<Id>(
  wanted: (shiftUs: number) => AirUse,
  others: readonly OtherUse<Id>[],
  mayWait: boolean,
): Place<Id> {
  let shiftUs = 0;
  let behind: Id | undefined;
  for (;;) {
    const mine = wanted(shiftUs);
    const met = others.filter((other) => meet(mine, other) && overlap(mine, other));
    const phaseUs = isOverBudget(mine, met) ? undefined : freePhaseUs(mine, met);
    if (phaseUs !== undefined) return { shiftUs, phaseUs, ...(behind && { behind }) };
    const first = met.reduce((a, b) => (b.endsAtUs < a.endsAtUs ? b : a));
    if (!mayWait) return { shiftUs: 0, phaseUs: 0, against: first.owner };
    behind = first.owner;
    shiftUs += first.endsAtUs + PAUSE_US - mine.firstAtUs;
  }
}

const overlap = (a: AirUse, b: AirUse): boolean =>
  a.firstAtUs < b.endsAtUs && b.firstAtUs < a.endsAtUs;

function meet(a: AirUse, b: AirUse): boolean {
  const isOneChannel = a.frequencyHz === b.frequencyHz && a.dataRate === b.dataRate;
  return a.sites.some((one) =>
    b.sites.some((other) => one.eui === other.eui || (isOneChannel && areNear(one, other))),
  );
}

function areNear(a: Site, b: Site): boolean {
  const [east, north] = [a.xMeters - b.xMeters, a.yMeters - b.yMeters];
  return east * east + north * north <= REACH_METERS * REACH_METERS;
}

/** Share of time that each of its gateways sends. */
const shareOf = ({ airtimeUs, delayUs }: AirUse): number => airtimeUs / delayUs;

/** Whether a gateway would send more than it may for all of them together. */
function isOverBudget(mine: AirUse, met: readonly AirUse[]): boolean {
  return mine.sites.some(({ eui, dutyCycle }) => {
    const same = met.filter(({ sites }) => sites.some((site) => site.eui === eui));
    const sum = same.reduce((shares, other) => shares + shareOf(other), shareOf(mine));
    return same.length > 0 && sum > dutyCycle;
  });
}

/** The least phase in which no fragment meets one of the others; undefined: there is none. */
function freePhaseUs(mine: AirUse, met: readonly AirUse[]): number | undefined {
  const onGrid = met.filter(({ inSlots }) => !inSlots);
  if (mine.inSlots || onGrid.length === 0) return 0;
  for (let phaseUs = 0; phaseUs < mine.delayUs; phaseUs += PHASE_STEP_US) {
    if (onGrid.every((other) => areApart(mine, phaseUs, other))) return phaseUs;
  }
  return undefined;
}

/** Whether no two fragments of two grids ever meet. */
function areApart(mine: AirUse, phaseUs: number, other: AirUse): boolean {
  const commonUs = greatestCommonDivisor(mine.delayUs, other.delayUs);
  for (let i = 0; i < mine.turns; i++) {
    for (let j = 0; j < other.turns; j++) {
      const mineUs = mine.firstAtUs + phaseUs + offsetUs(mine, i);
      const laterUs = modulo(mineUs - other.firstAtUs - offsetUs(other, j), commonUs);
      if (laterUs < other.airtimeUs + GUARD_US) return false;
      if (commonUs - laterUs < mine.airtimeUs + GUARD_US) return false;
    }
  }
  return true;
}

const offsetUs = ({ delayUs, turns }: AirUse, turn: number): number =>
  Math.floor((turn * delayUs) / turns);

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

function greatestCommonDivisor(a: number, b: number): number {
  let [more, less] = [a, b];
  while (less > 0) [more, less] = [less, more % less];
  return more;
}
