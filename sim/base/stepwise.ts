/** Work over many rows that its caller may cut: each `next` does some milliseconds of it. */
export type Stepwise = Generator<undefined, void, undefined>;

/** Rows of one step. */
export const ROWS_A_STEP = 64;

/** Does all of it at once. */
export function doAll(steps: Stepwise): void {
  while (steps.next().done !== true);
}
