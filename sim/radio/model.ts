/**
 * Models of the air as rows: each has its parameters, from which the plan's type and the knobs of
 * the scenario file derive.
 */

/** A parameter of a model: its knob in a scenario file, its range, and what it means. */
export type Parameter = Quantity | PlainNumber | Choice;

interface Named {
  readonly knob: string;
  /** What it means, a sentence that begins in lower case. */
  readonly is: string;
}

/** A range as a file writes it; a plan has the value in dB, metres or Hz. */
export interface Quantity extends Named {
  readonly unit: 'dB' | 'm' | 'Hz';
  readonly least: string;
  readonly most: string;
  /** The plan's value when a file does not give one; without it a file has to. */
  readonly absent?: number;
}

export interface PlainNumber extends Named {
  readonly unit: 'number' | 'count';
  readonly least: number;
  readonly most: number;
}

/** One of a few words. */
export interface Choice extends Named {
  readonly unit: 'word';
  readonly words: readonly string[];
}

/** A parameter in a unit, with the value that stands for an absent one, in that unit. */
export const inUnit = (
  unit: Quantity['unit'],
  knob: string,
  [least, most]: readonly [string, string],
  is: string,
  absent?: number,
): Quantity => ({ knob, is, unit, least, most, ...(absent === undefined ? {} : { absent }) });

/** A plain number; `count` is a whole one. */
export const plainNumber = (
  unit: PlainNumber['unit'],
  knob: string,
  [least, most]: readonly [number, number],
  is: string,
): PlainNumber => ({ knob, is, unit, least, most });

/** Parameters by their key in the plan, which ends in the unit. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** Values of parameters as a plan has them, in the parameter's unit. */
export type ValuesOf<P extends Parameters> = {
  readonly [Key in keyof P]: P[Key] extends { readonly words: readonly (infer Word)[] }
    ? Word
    : number;
};

export interface Model<P extends Parameters = Parameters> {
  /** What it is, the end of a sentence that begins with its name. */
  readonly is: string;
  readonly parameters: P;
}

/** A plan of one of these models: its name and its values. */
export type PlanOf<Models extends Readonly<Record<string, Model>>> = {
  readonly [Name in keyof Models]: { readonly model: Name } & ValuesOf<Models[Name]['parameters']>;
}[keyof Models];
