/** The knobs of a model of the air, which derive from the rows of its models (`sim/radio/`). */
import type * as z from 'zod';
import { assert } from '../../sim/base/assert.ts';
import type { Choice, Model, Parameter, PlanOf } from '../../sim/radio/model.ts';
import type { Complaint } from '../language/complaint.ts';
import {
  type About,
  type Context,
  choice,
  complain,
  complainAt,
  count,
  knob,
  maybe,
  measure,
  needed,
  plainNumber,
  record,
} from '../language/knob.ts';

type Models = Readonly<Record<string, Model>>;

interface Fault {
  readonly path: readonly string[];
  readonly complaint: Complaint;
}

/**
 * A map with `model`, and with the parameters of that model and no others. Without a `standard`
 * model the map has to name one. `kind` is what the models are, such as `fading`.
 */
export function modelSchema<Rows extends Models>(
  rows: Rows,
  kind: string,
  about: About,
  standard?: keyof Rows & string,
): z.ZodType<PlanOf<Rows>, unknown> {
  const names = choice(...Object.keys(rows));
  const model = standard === undefined ? needed(names, about) : knob(names, standard, about);
  return record({ model, ...parameterKnobs(rows) }).transform((given, context: Context) =>
    planOf(rows, kind, given, context),
  ) as unknown as z.ZodType<PlanOf<Rows>, unknown>;
}

/**
 * Every parameter of any model, by its knob. A knob that several models share takes what any of
 * them takes; `planOf` holds each model to its own range.
 */
function parameterKnobs(rows: Models): Record<string, z.ZodType> {
  const owners = new Map<string, { readonly model: string; readonly parameter: Parameter }[]>();
  for (const [model, { parameters }] of Object.entries(rows)) {
    for (const parameter of Object.values(parameters)) {
      owners.set(parameter.knob, [...(owners.get(parameter.knob) ?? []), { model, parameter }]);
    }
  }
  return Object.fromEntries(
    [...owners].map(([name, all]) => {
      const parameters = all.map(({ parameter }) => parameter);
      const is = `Of ${all.map(({ model }) => model).join(' and ')}: ${parameters.at(-1)!.is}`;
      return [name, maybe(schemaOf(widest(name, parameters)), { is })];
    }),
  );
}

type Measured = Exclude<Parameter, Choice>;

/** A parameter that takes what any of these takes. */
function widest(name: string, parameters: readonly Parameter[]): Parameter {
  const first = parameters[0]!;
  const isShared = parameters.every(({ unit }) => unit === first.unit);
  assert(isShared, `models share the knob ${name} in one unit`);
  if (first.unit === 'word') {
    const words = parameters.flatMap((one) => (one.unit === 'word' ? one.words : []));
    return { ...first, words: [...new Set(words)] };
  }
  const measured = parameters as readonly Measured[];
  const lowest = measured.reduce((a, b) => (rangeOf(b).least < rangeOf(a).least ? b : a));
  const highest = measured.reduce((a, b) => (rangeOf(b).most > rangeOf(a).most ? b : a));
  return { ...first, least: lowest.least, most: highest.most } as Measured;
}

/** The ends of a parameter's range as its knob is read. */
function rangeOf(parameter: Measured) {
  const schema = schemaOf(parameter);
  return {
    least: schema.parse(parameter.least) as number,
    most: schema.parse(parameter.most) as number,
  };
}

const DIMENSION = { dB: 'level', m: 'length', Hz: 'frequency' } as const;

function schemaOf(parameter: Parameter): z.ZodType {
  switch (parameter.unit) {
    case 'word':
      return choice(...parameter.words);
    case 'number':
      return plainNumber(parameter.least, parameter.most);
    case 'count':
      return count(parameter.least, parameter.most);
    default:
      return measure(DIMENSION[parameter.unit], parameter.least, parameter.most);
  }
}

/** Why a model does not take a value that another one takes; undefined: it does. */
function faultOf(model: string, parameter: Parameter, value: unknown): Fault | undefined {
  const { knob } = parameter;
  if (parameter.unit === 'word') {
    const { words } = parameter;
    if (words.includes(String(value))) return undefined;
    return { path: [knob], complaint: { what: `is not for ${model}`, allowed: words.join(', ') } };
  }
  const { least, most } = rangeOf(parameter);
  const isLow = (value as number) < least;
  if (!isLow && (value as number) <= most) return undefined;
  const what = `is too ${isLow ? 'small' : 'large'} for ${model}`;
  return {
    path: [knob],
    complaint: { what, allowed: `${parameter.least} to ${parameter.most}` },
  };
}

function planOf(
  rows: Models,
  kind: string,
  given: Readonly<Record<string, unknown>>,
  context: Context,
): unknown {
  const model = String(given.model);
  const parameters = Object.entries(rows[model]!.parameters);
  const known = parameters.map(([, { knob }]) => knob);
  const plan: Record<string, unknown> = { model };
  for (const [key, parameter] of parameters) {
    // Levels are read in 1/100 dB.
    const value = given[parameter.knob];
    const fault = value === undefined ? undefined : faultOf(model, parameter, value);
    if (fault !== undefined) return complainAt(context, given, fault);
    plan[key] = parameter.unit === 'dB' && typeof value === 'number' ? value / 100 : value;
    if (value === undefined && 'absent' in parameter) plan[key] = parameter.absent;
  }
  const isWhole = Object.values(plan).every((value) => value !== undefined);
  const excess = Object.keys(given).some(
    (key) => key !== 'model' && given[key] !== undefined && !known.includes(key),
  );
  if (isWhole && !excess) return plan;
  const words = parameters.map(([, parameter]) =>
    'absent' in parameter ? `${parameter.knob} (may be absent)` : parameter.knob,
  );
  const allowed = ['model', ...words].join(', ');
  return complain(context, given, `does not describe ${model} ${kind}`, allowed);
}
