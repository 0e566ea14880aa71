/** Sessions of scenarios of the library are repeated by a run, whatever was asked in them. */
import { describe, expect, it } from 'vitest';
import { COMMAND_KINDS } from '../../scenarios/schema/command-schema.ts';
import { libraryText } from '../support/library.ts';
import { IS_LONG } from '../support/long.ts';
import { repeatSession } from '../support/repeated-sessions.ts';

/** Commands that were carried out, and codes of refusals, in all these worlds. */
const allSaid = new Set<string>();

describe('a session that is run', () => {
  it.each([
    ['campaigns/class-b.yaml', ['devices.0.count=5']],
    ['campaigns/five-thousand.yaml', ['devices.meter.count=40']],
    ['regions/us915.yaml', ['devices.0.count=20']],
  ])('produces the same, whatever was asked: %s', (file, settings) => {
    const count = IS_LONG ? 600 : 360;
    const said = repeatSession(libraryText(file), `${file} 1`, count, settings);
    for (const word of said) allSaid.add(word);
  });

  it('had every command carried out somewhere, and as many refusals', () => {
    expect(COMMAND_KINDS.filter((kind) => !allSaid.has(kind))).toEqual([]);
    expect(allSaid.size).toBeGreaterThan((IS_LONG ? 2 : 1.8) * COMMAND_KINDS.length);
  });
});
