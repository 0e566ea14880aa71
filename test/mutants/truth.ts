/** Mutants of what is told of devices’ physical truth, and of faults begun by command. */
import type { Mutant } from './mutant.ts';

const TRUTH = { test: 'test/worlds/truth.test.ts' } as const;
const FAULTS = { test: 'test/worlds/physical-faults.test.ts' } as const;
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
    find: 'up - noise - plan.gatewaySensitivityCentiDbm[dataRate[row]]!',
    replace: 'up - noise - plan.gatewaySensitivityCentiDbm[0]!',
    ...TOLD,
  },
  {
    what: 'What weakens a gateway weakens its links twice once the fault ends.',
    file: 'sim/radio/links.ts',
    find: '|| gateways[link] === gateway.row) continue;',
    replace: ') continue;',
    ...FAULTS,
    title: 'weakens the links of a gateway',
  },
  {
    what: 'A gateway that moves leaves behind what weakens its links.',
    file: 'sim/network/requests.ts',
    find: 'if (before !== NONE) network',
    replace: 'if (before > 1e9) network',
    ...FAULTS,
    title: 'stays with a gateway that moves',
  },
  {
    what: 'A frame that a mute device sends is too weak.',
    file: 'sim/network/passages.ts',
    find: "return isMute ? 'deviceFault' : fateName(outcome);",
    replace: 'return fateName(outcome);',
    ...FAULTS,
    title: 'is heard by nobody meanwhile',
  },
  {
    what: 'A device that joins reboots, too, once a second.',
    file: 'sim/network/faults.ts',
    find: 'if (side.devices.column.activation[row] !== Activation.active) return;',
    replace: '',
    ...FAULTS,
    title: 'does nothing without a session',
  },
  {
    what: 'A fault that is begun again begins anew.',
    file: 'sim/radio/link-faults.ts',
    find: 'if (this.lossCentiDb(row) === lossCentiDb) return false;',
    replace: '',
    test: 'test/core/resources/faults.test.ts',
    title: 'go on as they are when they are begun again',
  },
  {
    what: 'A jammed gateway tells the server the ratio that it had before.',
    file: 'sim/network/passages.ts',
    find: 'rssiCentiDbm[row] - floor);',
    replace: 'rssiCentiDbm[row] - noise);',
    ...FAULTS,
    title: 'is in the signal-to-noise ratio',
  },
  {
    what: 'What a slow backhaul adds stays with the gateway’s old place.',
    file: 'sim/gateway/faults.ts',
    find: 'c.delayUs[row] = c.delayUs[from.row];',
    replace: '',
    test: 'test/core/resources/faults.test.ts',
    title: 'move with a gateway',
  },
  {
    what: 'A slow backhaul is slow for downlinks alone.',
    file: 'sim/network/passages.ts',
    find: 'nowUs + delayUs + gateways.faults.delayUs(gateway[row]);',
    replace: 'nowUs + delayUs;',
    ...FAULTS,
    title: 'adds its delay to the copies',
  },
];
