/** Faults of the bridge to a real network server. */
import type { Mutant } from './mutant.ts';

const ANOTHER = 'test/bridge/another-region.test.ts';
const OUTSIDE = 'test/bridge/outside-server.test.ts';
const FORWARDER = 'test/bridge/forwarder.test.ts';
const COMING = 'test/bridge/gateways-of-the-timeline.test.ts';
const RECORD = 'test/bridge/server-record.test.ts';

export const BRIDGE_MUTANTS: readonly Mutant[] = [
  {
    what: 'A counter in the past is an hour ahead, and not refused as too early.',
    file: 'sim/network/outside-server.ts',
    find: 'return Refusal.tooEarly;',
    replace: 'd.startsAtUs[downlink] = nowUs + 100_000;',
    test: OUTSIDE,
    title: 'when the instant has passed',
  },
  {
    what: 'A transmission stands in the log and not in the digest.',
    file: 'core/world/world.ts',
    find: 'this.#commands.addTransmission(entry);',
    replace: '',
    test: OUTSIDE,
    title: 'the digest covers each transmission',
  },
  {
    what: 'A gateway sends what its duty cycle has no room for.',
    file: 'sim/network/outside-server.ts',
    find: 'if (isClosed) return Refusal.dutyCycle;',
    replace: '',
    test: OUTSIDE,
    title: 'by the duty cycle that it keeps',
  },
  {
    what: 'Immediate frames take no account of what is in the queue.',
    file: 'sim/network/outside-server.ts',
    find: 'gateways.firstGapUs(downlink, fromUs)',
    replace: 'fromUs',
    test: OUTSIDE,
    title: 'immediately in the first gap',
  },
  {
    what: 'A PULL_ACK counts whatever its token.',
    file: 'api/bridge/forwarder.ts',
    find: 'if (!this.#pulls.delete(token)) return void this.counts.unexpected++;',
    replace: 'this.#pulls.delete(token);',
    test: FORWARDER,
  },
  {
    what: 'A gateway that the timeline moves never speaks with the server again.',
    file: 'api/bridge/bridge.ts',
    find: 'this.#isUp[started] = true;',
    replace: 'this.#isUp[started] = !this.#runs;',
    test: COMING,
  },
  {
    what: 'A gateway that is not there yet sends keep-alives.',
    file: 'api/bridge/bridge.ts',
    find: 'if (this.#isUp[gateway]) this.forwarders[gateway]!.pull();',
    replace: 'this.forwarders[gateway]!.pull();',
    test: COMING,
  },
  {
    what: 'A bridge knows the gateways of its start alone.',
    file: 'api/bridge/bridged-plan.ts',
    find: "if (command.kind !== 'gateway.create') continue;",
    replace: "if (command.kind !== 'gateway.change') continue;",
    test: COMING,
  },
  {
    what: 'Power beyond what a gateway has is answered with NONE.',
    file: 'api/bridge/packets.ts',
    find: 'if (sendsAtCentiDbm >= requestedCentiDbm)',
    replace: 'if (sendsAtCentiDbm >= 0)',
    test: FORWARDER,
  },
  {
    what: 'Fragments after the end of the session are no finding.',
    file: 'api/bridge/update-checks.ts',
    find: '(startS) => startS > session.untilS',
    replace: '(startS) => startS > 2 * session.untilS',
    test: RECORD,
  },
  {
    what: 'The report says that a check holds where it has found something.',
    file: 'reports/stories/outside-server/outside-server-blocks.ts',
    find: '    found: `',
    replace: '    found: fine || `',
    test: RECORD,
  },
  {
    what: 'A fleet is registered where one of its channels is enough.',
    file: 'api/bridge/server-regions.ts',
    find: 'lacking.some(({ length }) => length === 0)',
    replace: 'lacking.some(({ length }) => length <= 1)',
    test: ANOTHER,
  },
  {
    what: 'A gateway’s last region counts beside those that ChirpStack has now.',
    file: 'api/bridge/server-regions.ts',
    find: 'if (regions !== undefined) {',
    replace: 'if (regions !== undefined && seen.length === 0) {',
    test: ANOTHER,
  },
  {
    what: 'A server that has answered a join is taken for one that answers none.',
    file: 'api/bridge/bridge.ts',
    find: 'if (this.#transmissions > 0 || atUs',
    replace: 'if (this.#transmissions < 0 || atUs',
    test: ANOTHER,
  },
  {
    what: 'A request at the frequency of another region is no warning.',
    file: 'api/bridge/bridge.ts',
    find: 'if (!this.#rates.isDownlinkFrequency(frequencyHz)) {',
    replace: 'if (!this.#rates.isDownlinkFrequency(frequencyHz) && frequencyHz < 9e8) {',
    test: ANOTHER,
  },
];
