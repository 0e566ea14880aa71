/** Mutants of what is told of devices’ physical truth, and of faults begun by command. */
import type { Mutant } from './mutant.ts';

const TRUTH = { test: 'test/worlds/truth.test.ts' } as const;
const TOLD = { test: 'test/core/resources/truths.test.ts' } as const;

export const TRUTH_MUTANTS: readonly Mutant[] = [
  {
    what: 'Who asks for the truth settles the living network in the middle of a session.',
    file: 'sim/network/device-truth.ts',
    find: 'copy ??= copyOf(network);',
    replace: 'copy ??= network;',
    ...TRUTH,
    title: 'in mid-session',
  },
  {
    what: 'The truth of a device that listens is what it was at its last event.',
    file: 'sim/network/device-truth.ts',
    find: 'settle(sides.device, row, nowUs - 1);',
    replace: 'settle(sides.device, row, 0);',
    ...TRUTH,
    title: 'settled by an event or not',
  },
  {
    what: 'Another subscriber’s gateways are among those that a device is told to reach.',
    file: 'core/base/own-view.ts',
    find: 'links: links.filter(({ gatewayEui }) => isOwn(gatewayEui)) };',
    replace: 'links };',
    test: 'test/core/own-view.test.ts',
  },
  {
    what: 'A margin is over the sensitivity at the slowest data rate, not at the device’s.',
    file: 'sim/network/device-truth.ts',
    find: 'up - plan.gatewaySensitivityCentiDbm[dataRate[row]]!',
    replace: 'up - plan.gatewaySensitivityCentiDbm[0]!',
    ...TOLD,
  },
];
