/**
 * Verbs of the timeline that operations declare (`Operation.timeline`): knobs and commands derive
 * from the operation's rows. One entry gives the command to one thing or to many.
 */
import type * as z from 'zod';
import {
  type DeclaredVerb,
  type ListedOperation,
  OPERATIONS,
  type PlatformCommand,
} from '../../core/operations.ts';
import { assert } from '../../sim/base/assert.ts';
import type { Field, Fields } from '../../sim/base/rows/fields.ts';
import { fieldKnobs } from '../language/field-knob.ts';
import { needed, record } from '../language/knob.ts';
import { named } from '../language/naming.ts';
import { forEach, type Site, type Verb, verb } from '../language/verb.ts';

type Given = Readonly<Record<string, unknown>>;
type OperationVerb = Verb<z.ZodType<Given>>;

/** The field that names the thing of a command, and what names many things in a file. */
const THINGS = [
  {
    field: 'devEui',
    knob: 'devices',
    schema: needed(named('devices'), { is: 'A population, or a device by name or DevEUI.' }),
    euis: (site: Site, word: string) => site.devEuis(word),
  },
  {
    field: 'eui',
    knob: 'gateways',
    schema: needed(named('gateways'), {
      is: 'An entry of gateways, which is all of them, or a gateway by name or EUI.',
    }),
    euis: (site: Site, word: string) => site.gatewayEuis(word),
  },
] as const;

/** Fields are put by name into a command: their own types say no more. */
const knobsOf = fieldKnobs as (rows: Fields) => Record<string, z.ZodType>;

function verbOf(kind: string, { takes, timeline }: ListedOperation): OperationVerb {
  const thing = THINGS.find(({ field }) => Object.hasOwn(takes, field));
  assert(thing !== undefined, `${kind} has a verb, so it names a device or a gateway`);
  const { knobs = {}, is } = timeline!;
  const fields = Object.keys(takes).filter((field) => field !== thing.field);
  const own = Object.keys(knobs);
  assert(
    own.every((field) => fields.includes(field)),
    `${kind} has the fields that its verb renames`,
  );
  const nameOf = (field: string) => knobs[field]?.name ?? field;
  const rows = fields.map((field): [string, Field] => [
    nameOf(field),
    { ...takes[field]!, is: knobs[field]?.is ?? takes[field]!.is },
  ]);
  const names = [thing.knob, ...rows.map(([name]) => name)];
  assert(new Set(names).size === names.length, `knobs of ${kind} have different names`);
  return verb({
    is,
    takes: record({ [thing.knob]: thing.schema, ...knobsOf(Object.fromEntries(rows)) }),
    commands: (given, site) => {
      const values = fields.map((field) => [field, given[nameOf(field)]] as const);
      const present = Object.fromEntries(values.filter(([, value]) => value !== undefined));
      return forEach(thing.euis(site, given[thing.knob] as string), (eui) => ({
        afterUs: 0,
        // The schema has read the fields by the rows of the operation.
        command: { kind, [thing.field]: eui, ...present } as object as PlatformCommand,
      }));
    },
  });
}

const declared = Object.entries<ListedOperation>(OPERATIONS)
  .filter(([, { timeline }]) => timeline !== undefined)
  .map(([kind, row]) => [row.timeline!.verb, verbOf(kind, row)] as const);

/** By the name of the verb, in the order of the operations. */
export const OPERATION_VERBS = Object.fromEntries(declared) as Readonly<
  Record<DeclaredVerb, OperationVerb>
>;

assert(
  Object.keys(OPERATION_VERBS).length === declared.length,
  'verbs of operations have different names',
);
