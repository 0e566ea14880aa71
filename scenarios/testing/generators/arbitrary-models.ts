/** Models of the air (fast-check), drawn from their rows: a model that is added is drawn, too. */
import * as fc from 'fast-check';
import { assert } from '../../../sim/base/assert.ts';
import type { Model, Parameter, PlanOf } from '../../../sim/radio/model.ts';

type Models = Readonly<Record<string, Model>>;

/**
 * Plans of any of these models: each number at both ends of its range and in the middle. It is one
 * draw, whatever the models are, so that a model more shifts no other draw of a world.
 */
export const modelPlans = <Rows extends Models>(rows: Rows): fc.Arbitrary<PlanOf<Rows>> =>
  fc.constantFrom(
    ...(Object.entries(rows).flatMap(([model, { parameters }]) =>
      somePlans(model, parameters),
    ) as PlanOf<Rows>[]),
  );

/** A plan with all parameters low, one with all in the middle, one with all high. */
function somePlans(model: string, parameters: Model['parameters']): unknown[] {
  const keys = Object.entries(parameters);
  const at = (share: number) => ({
    model,
    ...Object.fromEntries(keys.map(([key, one]) => [key, valueAt(one, share)])),
  });
  return keys.length === 0 ? [at(0)] : [0, 0.5, 1].map(at);
}

function valueAt(parameter: Parameter, share: number): unknown {
  if (parameter.type === 'choice') {
    return parameter.words[Math.floor(share * (parameter.words.length - 1))];
  }
  const [least, most] = rangeOf(parameter);
  return Math.floor(least + share * (most - least));
}

/** Whole numbers of the parameter's unit: of dB, m or Hz, in which plans have them. */
function rangeOf(parameter: Parameter): readonly [number, number] {
  assert('least' in parameter && 'most' in parameter, 'what is no word is a number');
  return [Math.ceil(parameter.least!), Math.floor(parameter.most!)];
}

/** The same as a scenario file writes them. */
export const modelMaps = (rows: Models): fc.Arbitrary<unknown> =>
  each(rows, (model, parameters) =>
    fc.record({
      model: fc.constant(model),
      ...ofEach(parameters, (_, { knob }) => knob, writtenOf),
    }),
  );

const each = (
  rows: Models,
  draw: (model: string, parameters: Model['parameters']) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> =>
  fc.oneof(...Object.entries(rows).map(([model, { parameters }]) => draw(model, parameters)));

const ofEach = (
  parameters: Model['parameters'],
  keyOf: (key: string, parameter: Parameter) => string,
  draw: (parameter: Parameter) => fc.Arbitrary<unknown>,
): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(Object.entries(parameters).map(([key, one]) => [keyOf(key, one), draw(one)]));

function drawnOf(parameter: Parameter): fc.Arbitrary<unknown> {
  if (parameter.type === 'choice') return fc.constantFrom(...parameter.words);
  const [min, max] = rangeOf(parameter);
  return fc.integer({ min, max });
}

const writtenOf = (parameter: Parameter): fc.Arbitrary<unknown> =>
  'unit' in parameter
    ? drawnOf(parameter).map((value) => `${value} ${parameter.unit}`)
    : drawnOf(parameter);
