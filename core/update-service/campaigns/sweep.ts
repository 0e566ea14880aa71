/** Passes over all members, a slice per wake-up, so that no event does unbounded work. */
import { MILLISECOND_US } from '../../../sim/base/units.ts';
import { appoint, awaitUplink, MOST_PER_WAKE } from './conversation.ts';
import { endMember, lacksKey, NO_KEY, type Run, silenceReason, wish } from './run.ts';
import { type Member, type Phase, Step, type Sweep } from './state.ts';
import { isPassed, openSteps, STEPS } from './steps.ts';

/** Pause between two slices. */
const SLICE_PAUSE_US = MILLISECOND_US;

export function startSweep({ state }: Run, kind: Sweep['kind']): void {
  state.sweep = { kind, next: 0 };
}

export function isSweeping({ state }: Run): boolean {
  return state.sweep !== null;
}

export function nextSweepUs(nowUs: number): number {
  return nowUs + SLICE_PAUSE_US;
}

export function sweepSlice(run: Run, nowUs: number): void {
  const { sweep, members } = run.state;
  if (sweep === null) return;
  const end = Math.min(sweep.next + MOST_PER_WAKE, members.length);
  for (; sweep.next < end; sweep.next++) {
    const { fate, waits } = members[sweep.next]!;
    if (fate === 'inProgress' && !waits) VISITS[sweep.kind](run, sweep.next, nowUs);
  }
  if (sweep.next >= members.length) run.state.sweep = null;
}

/** What a pass does with a member in progress. */
const VISITS: Readonly<Record<Sweep['kind'], (run: Run, place: number, nowUs: number) => void>> = {
  begin(run, place, nowUs) {
    const member = run.state.members[place]!;
    if (run.view.device(member.devEui) === undefined) {
      return endMember(run, member, { fate: 'failed', reason: 'device removed' }, nowUs);
    }
    if (lacksKey(run, member)) return endMember(run, member, NO_KEY, nowUs);
    wish(run, { kind: 'watch', devEui: member.devEui, on: true }, nowUs);
    enterPhase(member, 'setUp', nowUs);
    if (run.state.group.deviceClass === 'C') appoint(run, place, nowUs);
  },

  sessionStarts(run, place, nowUs) {
    const member = run.state.members[place]!;
    if (isPassed(member, Step.session, run.state.settings)) {
      return enterPhase(member, 'session', nowUs);
    }
    const [step] = openSteps(member, run.state.settings);
    const unanswered = step === undefined ? null : STEPS[step]!.unanswered(member);
    const reason = silenceReason(member, unanswered ?? 'session missed');
    endMember(run, member, { fate: 'failed', reason }, nowUs);
  },

  verify(run, place, nowUs) {
    const member = run.state.members[place]!;
    if (member.phase !== 'verify') enterPhase(member, 'verify', nowUs);
    if (run.state.group.deviceClass === 'C') appoint(run, place, nowUs);
    else awaitUplink(run, place, nowUs);
  },
};

function enterPhase(member: Member, phase: Phase, nowUs: number): void {
  member.phase = phase;
  member.phaseSinceUs = nowUs;
}
