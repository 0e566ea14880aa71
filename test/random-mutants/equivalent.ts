/** Faults that no test can notice, each with the reason. */

interface Equivalent {
  readonly file: string;
  /** The text of the source and what stood in its place. */
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

export const EQUIVALENT: readonly Equivalent[] = [];

export const reasonOf = (file: string, before: string, after: string): string | undefined =>
  EQUIVALENT.find((one) => one.file === file && one.before === before && one.after === after)
    ?.reason;
