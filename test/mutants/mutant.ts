/** Small faults of the product, as data: what is replaced where, and which test notices. */
import type { LawName } from '../../scenarios/testing/laws/laws.ts';

/** Lines of the determinism contract in ARCHITECTURE.md. */
export const CONTRACT_LINES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const;

export interface Mutant {
  /** The fault, as a sentence. */
  readonly what: string;
  /** Where it is planted: a path of the project. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The test file that notices. */
  readonly test: string;
  /** Part of the names of the tests that notice, as it stands in the file; absent: all. */
  readonly title?: string;
  /** The law that must be among the complaints of that test. */
  readonly law?: LawName;
  /** The line of the determinism contract that the fault breaks. */
  readonly contract?: (typeof CONTRACT_LINES)[number];
  /** Whether `npm test` tries this one too: its test is over in a second. */
  readonly sample?: true;
}

/** What is needed to plant a mutant. */
export type Fault = Pick<Mutant, 'file' | 'find' | 'replace'>;

/** The text of the mutant's file with its fault. Throws when the row fits the file no more. */
export function planted({ file, find, replace }: Fault, text: string): string {
  const places = text.split(find).length - 1;
  if (places !== 1) throw new Error(`${file} has ${places} times, not once: ${find}`);
  if (find === replace) throw new Error(`${file} stays as it is: ${find}`);
  return text.replace(find, () => replace);
}
