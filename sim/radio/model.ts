/**
 * Models of the air as rows: each has its parameters, from which the plan's type and the knobs of
 * the scenario file derive.
 */
import type { Field, Of } from '../base/rows/fields.ts';

/**
 * A parameter of a model, with its knob in a scenario file. What it means is a sentence that begins
 * in lower case; a file has to give it unless it has a default.
 */
export type Parameter = Field & { readonly knob: string };

/** Parameters by their key in the plan, which ends in the unit. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** Values of parameters as a plan has them, in the parameter's unit. */
export type ValuesOf<P extends Parameters> = { readonly [Key in keyof P]: Of<P[Key]> };

export interface Model<P extends Parameters = Parameters> {
  /** What it is, the end of a sentence that begins with its name. */
  readonly is: string;
  readonly parameters: P;
}

/** A plan of one of these models: its name and its values. */
export type PlanOf<Models extends Readonly<Record<string, Model>>> = {
  readonly [Name in keyof Models]: { readonly model: Name } & ValuesOf<Models[Name]['parameters']>;
}[keyof Models];
