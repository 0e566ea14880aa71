/** Mutants of what is told of gateways. */
import type { Mutant } from './mutant.ts';

const FOLDER = 'core/management/gateway-states';

export const GATEWAY_STATE_MUTANTS: readonly Mutant[] = [
  {
    what: 'Packets of an hour that has left the window are counted in the hour that took its place.',
    file: `${FOLDER}/packets.ts`,
    find: 'counts.up[place] = counts.down[place] = 0;',
    replace: 'counts.up[place] = 0;',
    test: 'test/core/gateway-packets.test.ts',
  },
  {
    what: 'A packet that is told late takes the place of the latest one.',
    file: `${FOLDER}/packets.ts`,
    find: 'lastUpUs[at] = Math.max(lastUpUs[at]!, atUs);',
    replace: 'lastUpUs[at] = atUs;',
    test: 'test/core/gateway-packets.test.ts',
  },
  {
    what: 'Devices that are gone are kept when a table of heard devices is made anew.',
    file: `${FOLDER}/heard-devices.ts`,
    find: 'this.#devEuis[devices[place]!] !== undefined && hours[place]!',
    replace: 'hours[place]!',
    test: 'test/core/gateway-packets.test.ts',
  },
];
