/** The knobs of a model of the air, which derive from the rows of its models (`sim/radio/`). */
import type * as z from 'zod';
import { readerOf, Wrong } from '../../sim/base/rows/reading.ts';
import { spanOf } from '../../sim/base/rows/tables.ts';
import type { Model, Parameter, PlanOf } from '../../sim/radio/model.ts';
import type { Complaint } from '../language/complaint.ts';
import { allowedInFile, choice, kindKnob } from '../language/kinds.ts';
import {
  type About,
  type Context,
  complain,
  complainAt,
  knob,
  maybe,
  needed,
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
      return [name, maybe(kindKnob(spanOf(name, parameters)), { is })];
    }),
  );
}

/** Why a model does not take a value that another one takes; undefined: it does. */
function faultOf(model: string, parameter: Parameter, value: unknown): Fault | undefined {
  if (!(readerOf(parameter)(value) instanceof Wrong)) return undefined;
  const isRange = parameter.type === 'number' || parameter.type === 'whole';
  const isLow = isRange && (value as number) < parameter.least;
  const what = isRange ? `is too ${isLow ? 'small' : 'large'} for` : 'is not for';
  const complaint = { what: `${what} ${model}`, allowed: allowedInFile(parameter) };
  return { path: [parameter.knob], complaint };
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
    const value = given[parameter.knob];
    const fault = value === undefined ? undefined : faultOf(model, parameter, value);
    if (fault !== undefined) return complainAt(context, given, fault);
    plan[key] = value ?? parameter.default;
  }
  const isWhole = Object.values(plan).every((value) => value !== undefined);
  const excess = Object.keys(given).some(
    (key) => key !== 'model' && given[key] !== undefined && !known.includes(key),
  );
  if (isWhole && !excess) return plan;
  const words = parameters.map(([, parameter]) =>
    parameter.default === undefined ? parameter.knob : `${parameter.knob} (may be absent)`,
  );
  const allowed = ['model', ...words].join(', ');
  return complain(context, given, `does not describe ${model} ${kind}`, allowed);
}
