/** Mutants of what is reported of gateways. */
import type { Mutant } from './mutant.ts';

const FOLDER = 'core/management/gateway-states';

export const GATEWAY_STATE_MUTANTS: readonly Mutant[] = [
  {
    what: 'Packets of an hour that left the window are counted in the hour that took its place.',
    file: `${FOLDER}/packets.ts`,
    find: 'counts.up[place] = counts.down[place] = 0;',
    replace: 'counts.up[place] = 0;',
    test: 'test/core/gateway-packets.test.ts',
  },
  {
    what: 'A packet that is reported late takes the place of the latest one.',
    file: `${FOLDER}/packets.ts`,
    find: 'lastUpUs[at] = Math.max(lastUpUs[at]!, atUs);',
    replace: 'lastUpUs[at] = atUs;',
    test: 'test/core/gateway-packets.test.ts',
  },
  {
    what: 'Devices that are gone are stored when a table of heard devices is made anew.',
    file: `${FOLDER}/heard-devices.ts`,
    find: 'this.#devEuis[devices[place]!] !== undefined && hours[place]!',
    replace: 'hours[place]!',
    test: 'test/core/gateway-packets.test.ts',
  },
  {
    what: 'A silence is reported at its ninetieth second, when the gateway is still connected.',
    file: `${FOLDER}/timeline.ts`,
    find: 'const staleAtUs = this.#statusAtUs + FRESH_US + 1;',
    replace: 'const staleAtUs = this.#statusAtUs + FRESH_US;',
    test: 'test/core/resources/gateway-states.test.ts',
  },
  {
    what: 'A backhaul that is down lets statuses through in what is reported of the past.',
    file: `${FOLDER}/timeline.ts`,
    find: 'const nextUs = backhaulUp ? this.#gateway.firstSentUs(fromUs, untilUs) : null;',
    replace: 'const nextUs = this.#gateway.firstSentUs(fromUs, untilUs);',
    test: 'test/core/resources/gateway-states.test.ts',
  },
  {
    what: 'An RF region is reported as given while nobody can reach the gateway.',
    file: `${FOLDER}/changes.ts`,
    find: 'if (!isConnected) continue;',
    replace: '',
    test: 'test/core/resources/gateway-states.test.ts',
  },
  {
    what: 'Of what has happened to a gateway the latest goes first.',
    file: `${FOLDER}/history.ts`,
    find: 'turns.shift()',
    replace: 'turns.pop()',
    test: 'test/core/resources/gateway-states.test.ts',
  },
  {
    what: 'Packets an hour are of a whole day, also of a gateway that has just come.',
    file: `${FOLDER}/figures.ts`,
    find: 'MILLISECOND_US, knownUs)',
    replace: 'MILLISECOND_US, Number.POSITIVE_INFINITY)',
    test: 'test/core/resources/gateway-states.test.ts',
  },
  {
    what: 'Events of a gateway end 30 days ago, whatever StartTime says.',
    file: `${FOLDER}/gateway-events.ts`,
    find: 'usualFrom(untilUs) : asked.fromUs',
    replace: 'usualFrom(untilUs) : Math.max(asked.fromUs, usualFrom(untilUs))',
    test: 'test/worlds/gateway-events.test.ts',
  },
  {
    what: 'A gateway whose statuses are missing is listed as one with a connect error.',
    file: `${FOLDER}/gateway-statistics.ts`,
    find: "['INIT', 'HEALTH_UNKNOWN']",
    replace: "['INIT']",
    test: 'test/worlds/gateway-events.test.ts',
    title: 'give connection and health at any instant as they were reported then',
  },
];
