/**
 * Knobs of configurations of devices: policies of a file, and what the timeline desires of devices.
 */

import { POLICY } from '../../core/delivery/device-configuration/rows.ts';
import type { JsonObject } from '../../sim/base/json.ts';
import { jsonCopy } from '../../sim/base/json.ts';
import { isMap } from '../../sim/base/plain-data.ts';
import { quote, type Reading, read, refuse } from '../language/complaint.ts';
import { leaf, maybe, needed, record } from '../language/knob.ts';
import { name } from '../language/readers.ts';
import { subscriber } from '../language/subscriber-knob.ts';
import { GROUP_MEMBERS, readGroupMembers } from '../language/update-readers.ts';

const ALLOWED = 'parameters by name, such as { uplinkPeriod: 600 }';

function readConfig(input: unknown): Reading<JsonObject> {
  if (input === undefined) return refuse('is missing', ALLOWED);
  const config = isMap(input) ? jsonCopy(input) : undefined;
  if (config === undefined) return refuse(`${quote(input)} is no configuration`, ALLOWED);
  return Object.keys(config).length === 0 ? refuse('is empty', ALLOWED) : read(config);
}

/** What a device is to be set to, as its decoder type has it. */
export const config = () =>
  leaf(readConfig, { type: 'object', additionalProperties: true, minProperties: 1 });

const { config: Config } = POLICY;

export const ConfigurationPolicy = record({
  name: needed(name(), { is: 'What people call it, and what its id derives from.' }),
  config: needed(config(), {
    is: 'What its devices are to be set to, as their decoder types have it.',
    source: Config.source,
  }),
  devices: maybe(leaf(readGroupMembers, GROUP_MEMBERS), {
    is: 'Names of populations and devices, or DevEUIs; all: every device of the subscriber.',
  }),
  deviceGroup: maybe(name(), {
    is: 'A name of `endDeviceGroups`: its members of the start are devices of the policy.',
  }),
  population: maybe(name(), {
    is: 'A population, which is a device profile: those that come later are its devices, too.',
  }),
  subscriber,
});
