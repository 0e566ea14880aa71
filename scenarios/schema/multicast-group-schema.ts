/** The knobs of multicast groups of device and gateway management. */
import { CREATION, PING_SLOT_PERIODS } from '../../core/management/multicast-groups/rows.ts';
import { choice, hexadecimal, measure } from '../language/kinds.ts';
import { knob, leaf, maybe, needed, record } from '../language/knob.ts';
import { DATA_RATES, name } from '../language/readers.ts';
import { subscriber } from '../language/subscriber-knob.ts';
import { readGroupMembers } from '../language/update-readers.ts';

const { source } = CREATION.Name;

const members = () =>
  leaf(readGroupMembers, {
    anyOf: [{ enum: ['all'] }, { type: 'array', items: { type: 'string' } }],
  });

const periods = PING_SLOT_PERIODS.map((seconds) => `${seconds} s` as const);

export const MulticastGroup = record({
  name: needed(name(), { is: 'Its name.', source }),
  eui: maybe(hexadecimal(16), {
    is: 'Messages to it go to the group; an EUI that derives from the name when absent.',
    source,
  }),
  address: maybe(hexadecimal(8), {
    is: 'The address of its frames; one that derives from the name when absent.',
    source,
  }),
  class: knob(choice('B', 'C'), 'C', { is: 'B: frames in ping slots; C: at any time.', source }),
  nwkSKey: maybe(hexadecimal(32), {
    is: 'Its network session key; drawn from the seed when absent.',
    source,
  }),
  appSKey: maybe(hexadecimal(32), {
    is: 'Its application session key; drawn from the seed when absent.',
    source,
  }),
  dataRate: maybe(choice(...DATA_RATES), { is: 'Of its frames; that of RX2 when absent.', source }),
  frequency: maybe(measure('frequency', '100 MHz', '1 GHz'), {
    is: 'Of its frames; that of RX2 when absent.',
    source,
  }),
  pingSlotPeriod: knob(choice(...periods), '16 s', {
    is: 'From one ping slot to the next, in class B.',
    source,
  }),
  devices: maybe(members(), {
    is:
      'Names of populations and devices, or DevEUIs; all: every device of the subscriber; none ' +
      'when absent. They have the group’s keys from the start.',
    source,
  }),
  gateways: maybe(members(), {
    is: 'Names or EUIs of gateways; all: every gateway of the subscriber; none when absent.',
    source,
  }),
  subscriber,
});
