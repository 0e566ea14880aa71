/** Commands of the application packages as the vectors give them (`test/vectors/applayer.json`). */
import { vectors } from './vectors.ts';

export interface CommandRow {
  readonly package: string;
  readonly version: number;
  readonly fPort: number;
  readonly name: string;
  readonly uplink: boolean;
  readonly hex: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export const commandRows = vectors<{ readonly vectors: CommandRow[] }>('applayer').vectors;

/** The vectors' names for what the standard, or this project, calls otherwise. */
export const RENAMED: Readonly<Record<string, string>> = {
  dlFrequHz: 'dlFrequencyHz',
  fragmentationMatrix: 'fragAlgo',
  fragAlgoUnsupported: 'encodingUnsupported',
  fragIndexUnsupported: 'indexNotSupported',
  n: 'fragmentNumber',
  data: 'fragment',
  items: 'groups',
  id: 'mcGroupId',
  addr: 'mcAddr',
};

/** Fields of a vector that the message itself does not hold: they follow from others. */
export const DERIVED: readonly string[] = ['status', 'timeOutSeconds'];
