/** Broken invariants stop the world: an assertion is never caught and stays on in production. */

export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed';
}

/** `invariant` states, positively, what must hold. */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new AssertionFailed(`broken invariant: ${invariant}`);
}

/**
 * The compiler proves that a switch is whole; at run time a foreign value still stops the world.
 */
export function unreachable(value: never): never {
  throw new AssertionFailed(`broken invariant: ${String(value)} is not a known case`);
}
