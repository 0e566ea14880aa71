/**
 * The rows a scenario schema is made of: a knob has a reader, a default, a description, a unit
 * and a source.
 */
import * as z from 'zod';
import { type Complaint, quote, type Reader, sentence } from './complaint.ts';

/**
 * How a schema reads what a process reads but a few times: zod would write a program for each map
 * of keys first, and compile it, which takes longer than such a reading.
 */
export const READ_ONCE = { jitless: true } as const;

/** What a knob means, and why. */
export interface About {
  readonly is: string;
  /** Document and section the default or the meaning comes from. */
  readonly source?: string;
}

/** How a leaf looks in JSON Schema. */
export type Form = Readonly<Record<string, unknown>>;

/** A value that one reader understands. */
export function leaf<Value>(reader: Reader<Value>, form: Form): z.ZodType<Value, unknown> {
  const schema = z.unknown().transform((input, context) => {
    const reading = reader(input);
    if (reading.ok) return reading.value;
    context.issues.push({ code: 'custom', message: sentence(reading.complaint), input });
    return z.NEVER;
  });
  return described(schema, form);
}

/**
 * Of a schema that nobody else has: `meta` would make a copy first, and half of all schemas of a
 * scenario would be such originals.
 */
function described<Schema extends z.ZodType>(schema: Schema, form: Form): Schema {
  z.globalRegistry.add(schema, form as z.core.GlobalMeta);
  return schema;
}

/** A knob with a default, which is written as the user would write it. */
export function knob<Schema extends z.ZodType>(
  schema: Schema,
  standard: unknown,
  about: About,
): z.ZodPrefault<Schema> {
  return described(z.prefault(schema, standard as never), metaOf(about));
}

/** A knob that every file must give. */
export function needed<Schema extends z.ZodType>(schema: Schema, about: About): Schema {
  return schema.meta(metaOf(about)) as Schema;
}

/** A knob that may be absent, which means something of its own. */
export function maybe<Schema extends z.ZodType>(
  schema: Schema,
  about: About,
): z.ZodOptional<Schema> {
  return described(z.optional(schema), metaOf(about));
}

function metaOf({ is, source }: About): Form {
  return source === undefined ? { description: is } : { description: is, source };
}

/**
 * A map of knobs; other keys are refused. The message about them is the list of the known ones: the
 * one that was meant is looked for only when it is shown (`problem.ts`).
 */
export function record<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: ({ code, input }) => {
      if (code === 'unrecognized_keys') return known.join(', ');
      const what =
        input === undefined ? 'is missing' : `${quote(input)} is not a map of keys and values`;
      return sentence({ what, allowed: `a map with ${known.join(', ')}` });
    },
  });
}

/** A list of `least` to `most` entries. */
export function list<Entry extends z.ZodType>(
  entry: Entry,
  least: number,
  most: number,
  entries: string,
): z.ZodArray<Entry> {
  const wrong = (what: string, allowed: string) => sentence({ what, allowed });
  const kind = `a list of ${entries}`;
  return z
    .array(entry, {
      error: ({ input }) =>
        wrong(input === undefined ? 'is missing' : `${quote(input)} is not a list`, kind),
    })
    .min(least, { error: wrong('is empty', `${kind}, at least ${least}`) })
    .max(most, { error: wrong('is too long', `at most ${most} ${entries}`) });
}

/** What a check of a whole map may add to. */
export interface Context {
  readonly issues: z.core.$ZodRawIssue[];
}

/**
 * Adds a complaint about a whole map, which is then not used. It marks the map as one that was
 * meant to be this alternative.
 */
export function complain(context: Context, input: unknown, what: string, allowed: string): never {
  const message = sentence({ what, allowed });
  context.issues.push({ code: 'custom', message, params: { meant: true }, input });
  return undefined as never;
}

/** The same about an entry of the map. */
export function complainAt(
  context: Context,
  input: unknown,
  { path, complaint }: { readonly path: readonly string[]; readonly complaint: Complaint },
): never {
  const message = sentence(complaint);
  context.issues.push({
    code: 'custom',
    message,
    path: [...path],
    params: { meant: true },
    input,
  });
  return undefined as never;
}
