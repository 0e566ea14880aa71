/**
 * What a preset is: knobs of a scenario file that one word stands for, a row each. Presets are laid
 * below what a file says while it is composed, so that no world sees one (docs/decisions/0127).
 */

/** One knob of a preset. */
export interface PresetRow {
  /** Path below the entry, such as `windows.rxError`. */
  readonly knob: string;
  /** As a file writes it. */
  readonly value: unknown;
  /** Document, file or measurement that it comes from. */
  readonly source: string;
  /** The source does not say so itself: it was concluded from it. */
  readonly isInferred?: true;
  /** Another knob and the value that it has to have, or to be absent. */
  readonly where?: readonly [knob: string, value: unknown];
  /** Knobs of the entry that leave no place for this one. */
  readonly unless?: readonly string[];
}

export interface Preset {
  /** What it stands for, a clause. */
  readonly is: string;
  readonly rows: readonly PresetRow[];
  /** Of a server: knobs of each campaign. */
  readonly campaign?: readonly PresetRow[];
  /** What its users meet in the field and see here first, a sentence each. */
  readonly faults?: readonly string[];
  /** What it does and the simulator does not, or what nobody knows, a sentence each. */
  readonly missing: readonly string[];
}

export type Presets = Readonly<Record<string, Preset>>;

type RowOptions = Pick<PresetRow, 'isInferred' | 'where' | 'unless'>;

/** A row in one line. */
export const row = (
  knob: string,
  value: unknown,
  source: string,
  options: RowOptions = {},
): PresetRow => ({ knob, value, source, ...options });

export const INFERRED: RowOptions = { isInferred: true };

/** The words of a table. */
export const wordsOf = <T extends Presets>(presets: T): readonly (keyof T & string)[] =>
  Object.keys(presets);
