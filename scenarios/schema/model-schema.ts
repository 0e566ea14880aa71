/** The knobs of a model of the air, which derive from the rows of its models (`sim/radio/`). */
import type * as z from 'zod';
import type { Model, Parameter, PlanOf } from '../../sim/radio/model.ts';
import {
  type About,
  type Context,
  choice,
  complain,
  count,
  knob,
  maybe,
  measure,
  needed,
  plainNumber,
  record,
} from '../language/knob.ts';

type Models = Readonly<Record<string, Model>>;

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

/** Every parameter of any model, by its knob. */
function parameterKnobs(rows: Models): Record<string, z.ZodType> {
  const knobs: Record<string, z.ZodType> = {};
  const owners = new Map<string, string[]>();
  for (const [model, { parameters }] of Object.entries(rows)) {
    for (const parameter of Object.values(parameters)) {
      const models = [...(owners.get(parameter.knob) ?? []), model];
      owners.set(parameter.knob, models);
      const is = `Of ${models.join(' and ')}: ${parameter.is}`;
      knobs[parameter.knob] = maybe(schemaOf(parameter), { is });
    }
  }
  return knobs;
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
