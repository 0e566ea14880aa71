/** Mutants of senders that share gateways and air. */
import type { Mutant } from './mutant.ts';

const CLASS_C = 'sim/network-server/class-c.ts';
const SHARED = 'core/update-service/campaigns/shared-air.ts';
const STORIES = 'test/at-once/several-senders.test.ts';
const PLACES = 'test/campaigns/shared-air.test.ts';

export const SENDER_MUTANTS: readonly Mutant[] = [
  {
    what: 'A gateway that is known to fail is chosen for unicast.',
    file: 'sim/network-server/best-gateway.ts',
    find: 'if (gateways.faults.isKnownToFail(station, nowUs)) continue;',
    replace: '',
    test: STORIES,
    title: 'is not chosen for a job',
  },
  {
    what: 'A gateway whose radio has failed is not known to fail.',
    file: 'sim/gateway/faults.ts',
    find: 'return radioDown[row] === 1 || nowUs',
    replace: 'return nowUs',
    test: STORIES,
    title: 'is not chosen for a job',
  },
  {
    what: 'What a gateway loses is not sent by the next best.',
    file: CLASS_C,
    find: 'return takeBackRefused(side, downlink, reason, MOST_REFUSALS);',
    replace: 'return false;',
    test: STORIES,
    title: 'what it loses is sent by the next best',
  },
  {
    what: 'The same gateway gets again what it has just lost.',
    file: CLASS_C,
    find: 'bestGateway(side, row, nowUs, { last: next.refusedBy })',
    replace: 'bestGateway(side, row, nowUs)',
    test: STORIES,
    title: 'what it loses is sent by the next best',
  },
  {
    what: 'Devices whose gateways all fail are not looked at again.',
    file: CLASS_C,
    find: 'if (isHeardBySome(side, row)) lookAgain(side, EventKind.classCDue, row, nowUs);',
    replace: '',
    test: STORIES,
    title: 'and comes back is chosen again',
  },
  {
    what: 'A slow backhaul is not known from statuses.',
    file: 'sim/gateway/faults.ts',
    find: 'return isSeen ? delayUs[station.row] : 0;',
    replace: 'return 0;',
    test: STORIES,
    title: 'behind a backhaul that is slower',
  },
  {
    what: 'No air is left for answers.',
    file: CLASS_C,
    find: 'return isLong ? Math.min(answerUs, Math.ceil(airtimeUs / 2)) : answerUs;',
    replace: 'return 0;',
    test: STORIES,
    title: 'are answered by devices that answer at once',
  },
  {
    what: 'Gateways that a device hears alike send to class C devices at one instant.',
    file: CLASS_C,
    find: 'untilUs = Math.max(untilUs, classCUntilUs[heardGateway(word)]);',
    replace: '',
    test: STORIES,
    title: 'between two gateways that share it',
  },
  {
    what: 'A campaign chooses gateways that are known to fail.',
    file: 'core/update-service/gateway-choice.ts',
    find: 'heardBy.filter(({ gatewayEui }) => serves(gatewayEui, owner))',
    replace: 'heardBy.filter(({ gatewayEui }) => serves(gatewayEui, owner) || true)',
    test: STORIES,
    title: 'sends for no campaign',
  },
  {
    what: 'The set-up of a fleet that has just come takes its period for none.',
    file: 'core/update-service/campaigns/set-up-time.ts',
    find: 'return Math.max(observedUs, declaredPauseUs);',
    replace: 'return observedUs;',
    test: STORIES,
    title: 'has a set-up that its period takes',
  },
  {
    what: 'Sessions that meet begin together.',
    file: 'core/update-service/campaigns/rounds.ts',
    find: 'if (place?.behind === undefined) return beginRound(campaign, nowUs);',
    replace: 'return beginRound(campaign, nowUs);',
    test: 'test/campaigns/waiting-for-air.test.ts',
  },
  {
    what: 'Gateways 30 km apart do not meet.',
    file: SHARED,
    find: 'north * north <= REACH_METERS',
    replace: 'north * north < REACH_METERS',
    test: PLACES,
  },
  {
    what: 'Sessions may send more than a gateway may.',
    file: SHARED,
    find: 'same.length > 0 && sum > dutyCycle',
    replace: 'same.length > 0 && sum > 2 * dutyCycle',
    test: PLACES,
  },
  {
    what: 'No guard is left before the fragments of others.',
    file: SHARED,
    find: 'if (commonUs - laterUs < mine.airtimeUs + GUARD_US) return false;',
    replace: 'if (commonUs - laterUs < mine.airtimeUs) return false;',
    test: PLACES,
  },
  {
    what: 'Lanes of the others are taken for one.',
    file: SHARED,
    find: 'for (let j = 0; j < other.turns; j++)',
    replace: 'for (let j = 0; j < 1; j++)',
    test: PLACES,
  },
];
