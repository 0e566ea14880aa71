/**
 * The knobs of reliable downlink jobs. Their keys are those of the firmware update service's job
 * input, their values quantities; devices and group are named.
 */
import { JOB } from '../../core/update-service/reliable-downlinks/rows.ts';
import { fieldKnobs } from '../language/field-knob.ts';
import { measure } from '../language/kinds.ts';
import { type Context, complain, knob, leaf, maybe, needed, record } from '../language/knob.ts';
import { applicationPort, name } from '../language/readers.ts';
import { subscriber } from '../language/subscriber-knob.ts';
import { GROUP_MEMBERS, readGroupMembers } from '../language/update-readers.ts';

const { name: _, devices: __, device_group_id: ___, ...FIELDS } = JOB;

export const ReliableDownlink = record({
  name: needed(name(), { is: 'Its label; figures are named after it.' }),
  devices: maybe(leaf(readGroupMembers, GROUP_MEMBERS), {
    is:
      'Devices it sends to beside the members of its group: names of populations and devices, or ' +
      'DevEUIs; all: every device of the subscriber. Who is added by the timeline is not meant.',
  }),
  group: maybe(name(), { is: 'Device group, by name, whose members it sends to.' }),
  at: knob(measure('duration', '0 s', '3650 d'), '0 s', {
    is: 'Virtual time at which it is created, and begins to send.',
  }),
  ...fieldKnobs(FIELDS, {
    downlink_fport: applicationPort(),
    expected_uplink_fport: applicationPort(),
  }),
  subscriber,
}).transform(toJob);

interface Given {
  readonly devices?: unknown;
  readonly group?: string | undefined;
}

function toJob<Input extends Given>(input: Input, context: Context): Input {
  if (input.devices !== undefined || input.group !== undefined) return input;
  return complain(context, input, 'names nobody to send to', 'devices, group or both');
}
