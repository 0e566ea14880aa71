/**
 * The knobs of device groups of device and gateway management. `groups` are those of the firmware
 * update service.
 */
import { END_DEVICE_GROUP } from '../../core/management/end-device-groups.ts';
import { leaf, maybe, needed, record } from '../language/knob.ts';
import { name } from '../language/readers.ts';
import { subscriber } from '../language/subscriber-knob.ts';
import { GROUP_MEMBERS, readGroupMembers } from '../language/update-readers.ts';

const { Name, DeviceList } = END_DEVICE_GROUP;

export const EndDeviceGroup = record({
  name: needed(name(), { is: 'Its label, and what its id derives from.', source: Name.source }),
  devices: maybe(leaf(readGroupMembers, GROUP_MEMBERS), {
    is:
      'Names of populations and devices, or DevEUIs; all: every device of the subscriber; none ' +
      'when absent. Who is added by the timeline is no member.',
    source: DeviceList.source,
  }),
  subscriber,
});
