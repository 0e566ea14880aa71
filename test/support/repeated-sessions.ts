/** A scenario is served and driven at random, written as a session, and run again. */
import { expect } from 'vitest';
import { comparable, drive, runText, serve, textOf } from './sessions.ts';

const START = Date.UTC(2026, 0, 1, 0, 0, 0, 123);
const CALLERS = ['default', 'north', 'newcomer'];

/** Commands that were carried out, and codes of refusals. The run amounts to the same. */
export function repeatSession(
  text: string,
  random: string,
  count: number,
  settings: readonly string[] = [],
): ReadonlySet<string> {
  const served = serve(text, `seed ${random}`, START, settings);
  const said = drive(served, random, count, CALLERS);
  const subscribers = [...CALLERS, 'south', 'nobody'];
  const again = comparable(runText(textOf(served)), subscribers);
  expect(again).toEqual(comparable(served.world, subscribers));
  return said;
}
