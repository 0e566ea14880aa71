/** What an update of an outside server is examined for, a function a check. */
import type {
  OutsideCheck,
  OutsideCheckName,
  OutsideFragments,
  OutsideStep,
} from '../../core/result/outside-server.ts';
import { type RegionName, region, subBandOf } from '../../sim/lorawan/region.ts';

const SECOND_US = 1_000_000;
const MILLION = 1_000_000;
const HOUR_US = 3_600 * SECOND_US;
/** A pause of more usual gaps than this, and of more seconds, is a stall. */
const STALL_GAPS = 4;
const STALL_S = 20;

/** A fragment, or another frame of the group: by the group's counter. */
export interface GroupFrame {
  readonly fCnt: number;
  /** Number of its fragment; 0: it is none. */
  readonly fragmentNumber: number;
  readonly airtimeUs: number;
  /** Start of the first copy that a queue took, µs. */
  startsAtUs: number | undefined;
  copies: number;
  refusal: string | undefined;
  /** A command by GPS time came after its instant, less the lead of the queue. */
  late: boolean;
}

export interface Examined {
  readonly frames: readonly GroupFrame[];
  readonly steps: readonly OutsideStep[];
  readonly session: { readonly fromS: number; readonly untilS: number } | undefined;
  readonly nbFrag: number;
  readonly fragments: OutsideFragments;
  readonly members: readonly {
    readonly nbFrag: number;
    readonly complete: boolean;
    readonly listened: boolean;
    readonly reported: number | undefined;
  }[];
  readonly region: RegionName;
  readonly frequencyHz: number;
}

/** What a check found: how much, and of how many fragments; undefined: nothing to look at. */
type Found = { readonly count: number; readonly fragments?: number } | undefined;

const SETUP_STEPS = ['McGroupSetup', 'FragSessionSetup', 'McClassCSession', 'McClassBSession'];

const CHECKS: Readonly<Record<OutsideCheckName, (update: Examined) => Found>> = {
  /** Devices whose session began before they had the block's session, or that had none at all. */
  setupOrder: ({ members, session, fragments }) => {
    if (session === undefined || fragments.firstS === null) return undefined;
    return { count: members.filter(({ nbFrag, listened }) => nbFrag === 0 || !listened).length };
  },
  /** Devices that were asked and whose answer never came to a gateway. */
  unansweredSetup: ({ steps }) => {
    const asked = steps.filter(({ name }) => SETUP_STEPS.includes(name));
    if (asked.length === 0) return undefined;
    return { count: Math.max(...asked.map(({ devices, answered }) => devices - answered)) };
  },
  beforeSession: ({ frames, session }) =>
    session && outside(frames, (startS) => startS < session.fromS),
  afterSession: ({ frames, session }) =>
    session && outside(frames, (startS) => startS > session.untilS),
  /** Fragments of the block that were never sent: what comes last was not sent at all. */
  stoppedEarly: ({ fragments, nbFrag }) => {
    if (fragments.sent === 0 || nbFrag === 0) return undefined;
    const short = Math.max(0, nbFrag - fragments.highest);
    return { count: short, fragments: short };
  },
  refusedFragments: ({ frames, fragments }) => {
    if (frames.length === 0) return undefined;
    const lost = sumOf(fragments.refused);
    return { count: lost, fragments: lost };
  },
  /** Commands that came less than the queue's lead before their instant. */
  lateCommand: ({ frames }) => {
    if (frames.length === 0) return undefined;
    const late = frames.filter((frame) => frame.late);
    const lost = late.filter(({ startsAtUs }) => startsAtUs === undefined);
    return { count: late.length, fragments: lost.length };
  },
  stalled: ({ fragments: { gapS, longestGapS } }) => {
    if (gapS === null || longestGapS === null) return undefined;
    const isStall = longestGapS > STALL_GAPS * gapS && longestGapS > STALL_S;
    return { count: isStall ? Math.round(longestGapS) : 0 };
  },
  /** Share of an hour that the fragments took at a gateway, %, where it is more than allowed. */
  dutyCycle: ({ frames, fragments, region: name, frequencyHz }) => {
    if (frames.length === 0 || fragments.gapS === null) return undefined;
    const plan = region(name);
    const band = plan.subBands[subBandOf(plan, frequencyHz)];
    if (band === undefined || band.dutyCyclePpm >= MILLION) return { count: 0 };
    const usedPpm = (MILLION * mostOfAnHourUs(frames)) / HOUR_US;
    const refused = fragments.refused.dutyCycle ?? 0;
    const isTooFast = usedPpm > band.dutyCyclePpm || refused > 0;
    return { count: isTooFast ? Math.round(usedPpm / 10_000) : 0, fragments: refused };
  },
  statusNotAsked: ({ steps, members, fragments }) => {
    if (fragments.sent === 0) return undefined;
    const asked = steps.find(({ name }) => name === 'FragSessionStatus')?.devices ?? 0;
    return { count: Math.max(0, members.length - asked) };
  },
  statusUnanswered: ({ steps }) => {
    const status = steps.find(({ name }) => name === 'FragSessionStatus');
    return status && { count: status.devices - status.answered };
  },
  /** Devices that are otherwise than the server must believe. */
  wrongBelief: ({ members, fragments }) => {
    if (fragments.sent === 0) return undefined;
    const wrong = members.filter(({ complete, reported }) => complete !== (reported === 0));
    return { count: wrong.length };
  },
};

/** Most air time of the group's frames in any hour, a copy each, µs. */
function mostOfAnHourUs(frames: readonly GroupFrame[]): number {
  const sent = frames
    .flatMap(({ startsAtUs, airtimeUs }) =>
      startsAtUs === undefined ? [] : [{ startsAtUs, airtimeUs }],
    )
    .sort((a, b) => a.startsAtUs - b.startsAtUs);
  let [from, sumUs, mostUs] = [0, 0, 0];
  for (const frame of sent) {
    sumUs += frame.airtimeUs;
    while (sent[from]!.startsAtUs <= frame.startsAtUs - HOUR_US) sumUs -= sent[from++]!.airtimeUs;
    mostUs = Math.max(mostUs, sumUs);
  }
  return mostUs;
}

/** Different fragments that were sent at such instants alone. */
function outside(frames: readonly GroupFrame[], isOutside: (startS: number) => boolean): Found {
  const sent = frames.filter(
    ({ startsAtUs, fragmentNumber }) => startsAtUs !== undefined && fragmentNumber > 0,
  );
  if (sent.length === 0) return undefined;
  const found = sent.filter(({ startsAtUs }) => isOutside(startsAtUs! / SECOND_US)).length;
  return { count: found, fragments: found };
}

export function checksOf(update: Examined): readonly OutsideCheck[] {
  return Object.entries(CHECKS).map(([check, examine]) => {
    const found = examine(update);
    const verdict = found === undefined ? 'open' : found.count > 0 ? 'found' : 'fine';
    const { count = 0, fragments = 0 } = found ?? {};
    return { check: check as OutsideCheckName, verdict, count, fragments };
  });
}

const sumOf = (counts: OutsideFragments['refused']): number =>
  Object.values(counts).reduce<number>((sum, each) => sum + (each ?? 0), 0);

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}
