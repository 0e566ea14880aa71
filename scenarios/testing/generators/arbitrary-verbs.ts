/**
 * Verbs of a timeline (fast-check), drawn from the rows of `language/timeline-verbs.ts`: what a
 * verb takes is drawn from its JSON Schema, so a verb that is added is drawn without a change here.
 *
 * Words that name something are drawn as numbers; who draws says later what each number names at
 * that time. So a counterexample shrinks, and no verb names what is not there.
 */
import * as fc from 'fast-check';
import * as z from 'zod';
import { gatewayEui } from '../../filling/identity.ts';
import type { Naming } from '../../language/naming.ts';
import type { Site } from '../../language/verb.ts';
import { namesOf, takenBy, VERB_NAMES, type VerbName } from '../../schema/timeline-schema.ts';
import { answerKnobs } from './arbitrary-answers.ts';
import { arbitraryCommands } from './arbitrary-commands.ts';
import { macRequests } from './arbitrary-mac.ts';

/** A verb with what it is given, as a file writes it, but for its names, which are numbers. */
export interface DrawnVerb {
  readonly verb: VerbName;
  readonly given: unknown;
}

/** What the drawing reads of a JSON Schema. */
interface Node {
  readonly names?: Naming;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Node[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
}

/** Values that the schema describes in words only, by their key. */
const BY_KEY: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  answers: answerKnobs,
  commands: macRequests,
  // Of what ends by itself, and of clocks.
  for: fc.constantFrom('1 s', '40 s', '10 min'),
  step: fc.constantFrom('-1 h', '-700 ms', '5 s', '1 d'),
  config: fc.record(
    {
      uplinkPeriod: fc.constantFrom(0, 10, 60, 600),
      payloadBytes: fc.integer({ min: 0, max: 50 }),
      confirmedUplinks: fc.boolean(),
    },
    { requiredKeys: ['uplinkPeriod'] },
  ),
  command: arbitraryCommands,
  // A place for one thing and for several.
  placement: fc
    .tuple(fc.nat(2000), fc.integer({ min: -3000, max: 3000 }))
    .map(([radius, east]) => ({ disc: `${radius} m`, centre: [`${east} m`, '0 m'] })),
};

/** The verbs that name things of no other kinds than these; whose they are may be left out. */
export const verbsNaming = (namings: readonly Naming[]): readonly VerbName[] =>
  VERB_NAMES.filter((verb) =>
    namesOf(verb).every(({ naming }) => naming === 'subscriber' || namings.includes(naming)),
  );

/** These verbs with what they take, each as often as the others. */
export const drawnVerbs = (verbs: readonly VerbName[]): fc.Arbitrary<DrawnVerb> =>
  fc.oneof(...verbs.map((verb) => fc.record({ verb: fc.constant(verb), given: given(verb) })));

function given(verb: VerbName): fc.Arbitrary<unknown> {
  const node = z.toJSONSchema(takenBy(verb), { io: 'input', unrepresentable: 'any' }) as Node;
  const drawn = arbitraryOf(node, verb);
  if (drawn === undefined) throw new TypeError(`nothing draws what ${verb} takes`);
  return drawn.map(withoutIdle);
}

/** What ends lasts for no time. */
function withoutIdle(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { for: _, ...rest } = given as Readonly<Record<string, unknown>>;
  return rest.on === false ? rest : given;
}

/**
 * Undefined for what cannot be drawn, which is left out where it may be absent; whose a thing is,
 * who draws says.
 */
function arbitraryOf(node: Node, key: string): fc.Arbitrary<unknown> | undefined {
  if (node.names === 'subscriber' || node.names === 'caller') return undefined;
  if (node.names !== undefined) return fc.nat(40);
  if (Object.hasOwn(BY_KEY, key)) return BY_KEY[key];
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  if (node.properties !== undefined) return mapOf(node.properties, node.required ?? []);
  if (node.type === 'boolean') return fc.boolean();
  const anyOf = node.anyOf?.flatMap((one) => arbitraryOf(one, key) ?? []) ?? [];
  if (anyOf.length > 0) return fc.oneof(...anyOf);
  const { minimum: min = 0, maximum: max = 100 } = node;
  if (node.type === 'integer') return fc.integer({ min, max: Math.min(max, min + 20) });
  if (node.pattern === '^([0-9A-Fa-f]{2}){0,242}$') return fc.constantFrom('', '01', '0a0B0c');
  return undefined;
}

function mapOf(
  properties: Readonly<Record<string, Node>>,
  required: readonly string[],
): fc.Arbitrary<unknown> | undefined {
  const drawn: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [key, node] of Object.entries(properties)) {
    // Keys of maps within may exclude each other.
    if (node.properties !== undefined && !required.includes(key)) continue;
    const value = arbitraryOf(node, key);
    if (value !== undefined) drawn[key] = value;
    else if (required.includes(key)) return undefined;
  }
  return fc.record(drawn, { requiredKeys: [...required] });
}

/**
 * What the verb is given, with words in place of numbers; undefined when `wordOf` has no word for
 * one, since there is nothing of that kind to name.
 */
export function inWords(
  { verb, given }: DrawnVerb,
  wordOf: (naming: Naming, number: number) => string | undefined,
): unknown {
  let worded = given;
  for (const { path, naming } of namesOf(verb)) {
    const [key] = path;
    const number = key === undefined ? given : (given as Readonly<Record<string, unknown>>)[key];
    if (number === undefined) continue;
    const word = wordOf(naming, number as number);
    if (word === undefined) return undefined;
    worded = key === undefined ? word : { ...(worded as object), [key]: word };
  }
  return worded;
}

/** A site where a name is the EUI, or the id, of what it names. */
export const AS_NAMED = {
  devEui: (word) => word,
  devEuis: (word) => [word],
  gatewayEui: (word) => word,
  gatewayEuis: (word) => [word],
  newGatewayEui: (name) => gatewayEui(name, 1),
  campaignId: (name) => name,
  delegationId: (name) => name,
  patterns: (words) => words,
  spreadUs: () => 0,
  jobId: (name) => name,
  managedCampaignId: (name) => name,
} as const satisfies Partial<Site>;
