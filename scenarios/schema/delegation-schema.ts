/**
 * The knobs of upgrade delegations: whose devices another subscriber may update, and until when.
 * Devices are named; a population is all of its devices, those that are added later included.
 */
import type * as z from 'zod';
import { DELEGATION } from '../../core/update-service/delegation-fields.ts';
import { rangeFault } from '../../sim/base/rows/range.ts';
import { quote, type Reading, read, refuse } from '../language/complaint.ts';
import { measure } from '../language/kinds.ts';
import { complain, knob, leaf, maybe, needed, record } from '../language/knob.ts';
import { named } from '../language/naming.ts';
import { name, subscriberName } from '../language/readers.ts';
import { subscriber } from '../language/subscriber-knob.ts';

const { include_devices, exclude_devices, expires_at, delegate_to } = DELEGATION;

const ALLOWED =
  'a list of names of populations and devices, of DevEUIs, and of patterns of 16 characters, ' +
  'such as [meter, valve-3, "02............01"]';
/** A name, a DevEUI, or a pattern of DevEUIs. */
const WORD = /^([\w-]{1,80}|[0-9A-Fa-f.]{16})$/;

/** Words that name devices; at least that many. */
const words = (least: number): z.ZodType<readonly string[], unknown> =>
  leaf(
    (input: unknown): Reading<readonly string[]> => {
      if (input === undefined) return refuse('is missing', ALLOWED);
      if (!Array.isArray(input)) return refuse(`${quote(input)} is not a list`, ALLOWED);
      const wrong: unknown = input.find((word) => typeof word !== 'string' || !WORD.test(word));
      if (wrong !== undefined) return refuse(`${quote(wrong)} names no devices`, ALLOWED);
      const { most } = include_devices;
      const side = rangeFault(input.length, { least, most });
      if (side === undefined) return read(input as readonly string[]);
      if (side === 'small') return refuse('is empty', ALLOWED);
      return refuse(`has ${input.length} entries`, `at most ${most}`);
    },
    { type: 'array', items: { type: 'string' }, minItems: least },
  );

/** From the start of the world. */
const expires = () => measure('duration', '1 s', '3650 d');

export const Delegation = record({
  name: needed(name(), { is: 'Verbs of the timeline name it.' }),
  to: needed(subscriberName(), {
    is: 'Who may update the devices, another name of `subscribers`.',
    source: delegate_to.source,
  }),
  devices: needed(words(include_devices.least), {
    is:
      'Names of populations and devices, DevEUIs, or patterns of DevEUIs of 16 characters with ' +
      '. for any digit. A population is all of its devices, later ones too.',
    source: include_devices.source,
  }),
  exclude: knob(words(0), [], {
    is: 'The same of those among them that it does not cover.',
    source: exclude_devices.source,
  }),
  expires: needed(expires(), {
    is: 'Virtual time of the last instant at which it holds.',
    source: expires_at.source,
  }),
  at: knob(measure('duration', '0 s', '3650 d'), '0 s', {
    is: 'Virtual time at which it is created; groups may have its devices if that is 0 s.',
  }),
  subscriber,
}).transform((input, context) => {
  if (input.expires > input.at) return input;
  return complain(context, input, 'is over before it begins', 'expires after at');
});

/** What the timeline changes of a delegation. */
export const DelegationChange = record({
  delegation: needed(named('delegation'), { is: 'Delegation, by name.' }),
  expires: maybe(expires(), { is: 'Virtual time of its last instant; as before when absent.' }),
  devices: maybe(words(include_devices.least), { is: 'Devices it covers; as before when absent.' }),
  exclude: maybe(words(0), { is: 'Devices it excludes; as before when absent.' }),
});

export type DelegationEntry = z.output<typeof Delegation>;
