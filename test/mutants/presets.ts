/** Faults of presets, of set-ups in turn, and of what devices do in sessions. */
import type { Mutant } from './mutant.ts';

const PRESETS = 'test/scenarios/presets/presets.test.ts';
const TURNS = 'test/campaigns/set-up-turns.test.ts';
const TRAFFIC = 'test/sim/own-traffic.test.ts';
const ENDS = 'test/campaigns/verification.test.ts';
const WINDOWS = 'test/lorawan/receive-window.test.ts';
const VERDICTS = 'test/scenarios/study/fidelity/verdicts.test.ts';
const FOLDER = 'core/update-service/campaigns';

export const PRESET_MUTANTS: readonly Mutant[] = [
  {
    what: 'A board’s chip is for any stack.',
    file: 'scenarios/presets/applying.ts',
    find: 'return at === undefined || at === wanted;',
    replace: 'return true;',
    test: PRESETS,
  },
  {
    what: 'A knob that leaves no place for a row of a preset stands beside it.',
    file: 'scenarios/presets/applying.ts',
    find: 'if (instead !== undefined) {',
    replace: 'if (instead === undefined && path.length === 0) {',
    test: PRESETS,
  },
  {
    what: 'A knob that is what the preset has is warned of.',
    file: 'scenarios/presets/applying.ts',
    find: 'if (!isEqual) this.#warn(place, row, by);',
    replace: 'this.#warn(place, row, by);',
    test: PRESETS,
  },
  {
    what: 'A server’s preset says nothing of campaigns.',
    file: 'scenarios/presets/applying.ts',
    find: 'found.preset.campaign ?? []',
    replace: '[]',
    test: PRESETS,
  },
  {
    what: 'A member may pass a step whose turn has not come.',
    file: `${FOLDER}/steps.ts`,
    find: 'step > (member.turn ?? step)',
    replace: 'step > Step.session',
    test: TURNS,
  },
  {
    what: 'A turn ends with the last answer where the server looks only now and then.',
    file: `${FOLDER}/set-up-turns.ts`,
    find: 'settings.set_up_waits ? turn.closes || turn.members === 0 : isAnswered(state)',
    replace: 'isAnswered(state)',
    test: TURNS,
  },
  {
    what: 'Who has not passed a step stays in the campaign.',
    file: `${FOLDER}/set-up-turns.ts`,
    find: "startSweep(campaign, 'turnEnds');",
    replace: '',
    test: TURNS,
  },
  {
    what: 'Class C devices are not spoken to when a turn begins.',
    file: `${FOLDER}/set-up-turns.ts`,
    find: "startSweep(campaign, 'turnBegins');",
    replace: '',
    test: TURNS,
  },
  {
    what: 'The session does not follow its first request.',
    file: `${FOLDER}/set-up-turns.ts`,
    find: 'state.stageEndsAtUs = startsAtUs;',
    replace: '',
    test: TURNS,
  },
  {
    what: 'Fragments on a grid of seconds get later from one to the next.',
    file: `${FOLDER}/sending.ts`,
    find: 'Math.ceil(atUs / gridUs) * gridUs',
    replace: 'Math.ceil(atUs / gridUs + queue.slot / 4) * gridUs',
    test: TURNS,
  },
  {
    what: 'Own traffic goes on in a session that it pauses for.',
    file: 'sim/device/messages.ts',
    find: 'traffic.inSessions !== undefined && hasMulticastSession(side, device)',
    replace: 'false',
    test: TRAFFIC,
  },
  {
    what: 'Traffic that stops in a session comes back.',
    file: 'sim/device/messages.ts',
    find: "const isOver = traffic.inSessions === 'stop';",
    replace: 'const isOver = false;',
    test: TRAFFIC,
  },
  {
    what: 'The first message comes at a drawn time, whatever is said.',
    file: 'sim/device/next-message.ts',
    find: 'traffic.firstUs ?? firstPauseUs(',
    replace: 'firstPauseUs(',
    test: TRAFFIC,
  },
  {
    what: 'A packet forwarder names the reason that it has.',
    file: 'sim/gateway/gateway.ts',
    find: "plan.queueWords === 'packetForwarder'",
    replace: 'false',
    test: 'test/sim/gateway.test.ts',
    title: 'answers as a packet forwarder',
  },
  {
    what: 'A pace that is asked for goes below the least one.',
    file: `${FOLDER}/pace.ts`,
    find: 'Math.max(paceUs, least.frag_send_least ?? 0, reportedUs)',
    replace: 'Math.max(paceUs, reportedUs)',
    test: ENDS,
  },
  {
    what: 'A fragment does not wait for the report of the one before.',
    file: `${FOLDER}/pace.ts`,
    find: 'least.frag_send_after_report ? airtimeUs + REPORT_US : 0',
    replace: '0',
    test: ENDS,
  },
  {
    what: 'Coded fragments have no limit.',
    file: `${FOLDER}/plan.ts`,
    find: 'Math.min(wanted, settings.redundancy_most ?? wanted)',
    replace: 'wanted',
    test: ENDS,
  },
  {
    what: 'A group of just that many devices is asked by a frame.',
    file: `${FOLDER}/verification.ts`,
    find: 'members > above',
    replace: 'members >= above',
    test: ENDS,
  },
  {
    what: 'A status is waited for without an end.',
    file: `${FOLDER}/verification.ts`,
    find: 'timeUs === null ? NEVER_US : nowUs + timeUs',
    replace: 'NEVER_US',
    test: ENDS,
  },
  {
    what: 'A pass follows although enough devices have all.',
    file: `${FOLDER}/verification.ts`,
    find: 'hasPassLeft(state) && state.succeeded < wanted * memberCount(state)',
    replace: 'hasPassLeft(state)',
    test: ENDS,
  },
  {
    what: 'There are passes beside redundancy.',
    file: `${FOLDER}/settings.ts`,
    find: 'redundancy === 0 && verify_by_status ? (asked ?? 1) : 1',
    replace: 'asked ?? 1',
    test: ENDS,
  },
  {
    what: 'LMIC opens without its margin.',
    file: 'sim/lorawan/receive-window.ts',
    find: 'offsetUs: -(LMIC_MARGIN_US + driftUs)',
    replace: 'offsetUs: -driftUs',
    test: WINDOWS,
  },
  {
    what: 'RadioLib opens a whole guard early.',
    file: 'sim/lorawan/receive-window.ts',
    find: '-Math.floor(guardUs / 2)',
    replace: '-guardUs',
    test: WINDOWS,
  },
  {
    what: 'A figure that is missed without a reason is expected.',
    file: 'scenarios/study/fidelity/verdicts.ts',
    find: 'holds || reason !== undefined;',
    replace: 'holds || true;',
    test: VERDICTS,
  },
];
