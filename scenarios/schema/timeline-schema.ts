/** Entries of the timeline as files have them: all of it derives from the rows of the verbs. */
import type * as z from 'zod';
import type { PlatformCommand } from '../../core/operations.ts';
import { measure } from '../language/kinds.ts';
import { maybe, needed, record } from '../language/knob.ts';
import { type NamedField, namedFields } from '../language/naming.ts';
import { exactlyOneOf } from '../language/readers.ts';
import type { Later, Site } from '../language/verb.ts';
import { VERBS } from './timeline-verbs.ts';

type Verbs = typeof VERBS;
export type VerbName = keyof Verbs;

export const VERB_NAMES = Object.keys(VERBS) as readonly VerbName[];

/** The schema of what a verb takes. */
export const takenBy = (verb: VerbName): z.ZodType => VERBS[verb].takes;

const namesByVerb = new Map<VerbName, readonly NamedField[]>();

/** The names that a verb takes; most files have few verbs, so they are looked for when asked. */
export function namesOf(verb: VerbName): readonly NamedField[] {
  const known = namesByVerb.get(verb);
  if (known !== undefined) return known;
  const names = namedFields(takenBy(verb));
  namesByVerb.set(verb, names);
  return names;
}

/** A verb, and what it was given. */
export type TimelineVerb = {
  readonly [Name in VerbName]: {
    readonly verb: Name;
    readonly given: z.output<Verbs[Name]['takes']>;
  };
}[VerbName];

/** A verb at a virtual time, µs, and again every so often. */
export type TimelineEntry = TimelineVerb & {
  readonly at: number;
  readonly every?: number;
  readonly until?: number;
};

/** The times of an entry, µs: one, or one every so often until the end of the run. */
export function timesOf(
  { at, every, until }: Pick<TimelineEntry, 'at' | 'every' | 'until'>,
  endUs: number,
): readonly number[] {
  if (every === undefined) return [at];
  const last = Math.min(until ?? endUs, endUs);
  const count = Math.max(0, Math.floor((last - at) / every)) + 1;
  return Array.from({ length: count }, (_, i) => at + i * every);
}

/** Reads what a file gives to a verb; there must be no fault in it. */
export const readVerb = (verb: VerbName, input: unknown): TimelineVerb =>
  ({ verb, given: takenBy(verb).parse(input) }) as TimelineVerb;

/** The commands that a verb becomes, for the subscriber to give whose thing it names. */
export function commandsOf({ verb, given }: TimelineVerb, site: Site): readonly Later[] {
  const commands = VERBS[verb].commands as (
    given: unknown,
    site: Site,
  ) => readonly (PlatformCommand | Later)[];
  return commands(given, site).map((each) =>
    'afterUs' in each ? each : { afterUs: 0, command: each },
  );
}

const knobs = Object.fromEntries(
  VERB_NAMES.map((verb) => [verb, maybe(takenBy(verb), { is: VERBS[verb].is })]),
) as { [Name in VerbName]: z.ZodOptional<Verbs[Name]['takes']> };

/** Exactly one verb, without a time: for a world that lives. */
export const VerbSchema = record(knobs)
  .transform(exactlyOneOf(VERB_NAMES))
  .transform((entry): TimelineVerb => {
    const verb = VERB_NAMES.find((name) => entry[name] !== undefined);
    return { verb, given: verb && entry[verb] } as TimelineVerb;
  });

/** An entry of the timeline: a time and exactly one verb. */
export const TimelineSchema = record({
  at: needed(measure('duration', '0 s', '3650 d'), { is: 'Virtual time since the start.' }),
  every: maybe(measure('duration', '1 s', '3650 d'), {
    is: 'Again every so often, such as 1 w; once when absent.',
  }),
  until: maybe(measure('duration', '0 s', '3650 d'), {
    is: 'Of what is done every so often: not after this; until the end when absent.',
  }),
  ...knobs,
})
  .transform(exactlyOneOf(VERB_NAMES))
  .transform((entry): TimelineEntry => {
    const verb = VERB_NAMES.find((name) => entry[name] !== undefined);
    const { at, every, until } = entry;
    return { at, every, until, verb, given: verb && entry[verb] } as TimelineEntry;
  });
