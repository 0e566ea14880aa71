/** Faults of traffic from a list: what is sent, what is lost, what is reported of it. */
import type { Mutant } from './mutant.ts';

const LISTED = 'test/scenarios/listed-traffic.test.ts';
const DEVICE = 'sim/device/listed-traffic.ts';

export const LISTED_TRAFFIC_MUTANTS: readonly Mutant[] = [
  {
    what: 'What waits in the list is forgotten when the next one is looked for.',
    file: DEVICE,
    find: 'const at = side.listed.taken(device) + waiting;',
    replace: 'const at = side.listed.taken(device);',
    test: LISTED,
    title: 'waits while the device may not send, and none of it is lost',
  },
  {
    what: 'What a power cut took is reported as what is left.',
    file: DEVICE,
    find: 'side.listed.addLost(device, taken - before);',
    replace: 'side.listed.addLost(device, 0);',
    test: LISTED,
    title: 'counts as lost what has come up when power is cut',
  },
  {
    what: 'A message in hand that was never on the air is reported as sent.',
    file: DEVICE,
    find: '(hasUntriedInHand(side, device) ? 1 : 0)',
    replace: '0',
    test: LISTED,
    title: 'agrees with what is on the air',
  },
  {
    what: 'A message in hand that power is cut on is reported as sent.',
    file: 'sim/device/power.ts',
    find: 'if (hasUntriedInHand(side, device)) loseListedInHand(side, device);',
    replace: '',
    test: LISTED,
    title: 'agrees with what is on the air',
  },
  {
    what: 'A message that is too long for the data rate is reported as sent.',
    file: 'sim/device/messages.ts',
    find: 'if (side.outgoing.isOwn(c.outgoingInHand[device])) loseListedInHand(side, device);',
    replace: '',
    test: LISTED,
    title: 'counts as lost what the data rate of the moment does not carry',
  },
  {
    what: 'Every device is held against the data rate of its population.',
    file: 'scenarios/load.ts',
    find: 'ofKinds[(rows[device]?.kind ?? -1) + 1]!',
    replace: 'ofKinds[0]!',
    test: LISTED,
    title: 'is held against the data rate that a row of places gives its device',
  },
];
