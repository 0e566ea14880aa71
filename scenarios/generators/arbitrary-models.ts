/** Models of the air (fast-check), drawn from their rows: a model that is added is drawn, too. */
import * as fc from 'fast-check';
import type { Model, Parameter, PlanOf } from '../../sim/radio/model.ts';

type Models = Readonly<Record<string, Model>>;

/** Plans of any of these models, over the whole ranges of their parameters. */
export const modelPlans = <Rows extends Models>(rows: Rows): fc.Arbitrary<PlanOf<Rows>> =>
  each(rows, (model, parameters) =>
    fc.record({ model: fc.constant(model), ...ofEach(parameters, (key) => key, drawnOf) }),
  ) as fc.Arbitrary<PlanOf<Rows>>;

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

/** Whole numbers of the parameter's unit. */
function drawnOf(parameter: Parameter): fc.Arbitrary<unknown> {
  if (parameter.unit === 'word') return fc.constantFrom(...parameter.words);
  const [min, max] = [parameter.least, parameter.most].map((end) => Number.parseFloat(`${end}`));
  return fc.integer({ min: Math.ceil(min!), max: Math.floor(max!) });
}

const writtenOf = (parameter: Parameter): fc.Arbitrary<unknown> =>
  'words' in parameter || typeof parameter.least === 'number'
    ? drawnOf(parameter)
    : drawnOf(parameter).map((value) => `${value} ${parameter.unit}`);
