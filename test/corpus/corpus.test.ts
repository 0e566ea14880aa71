/** Worlds with which something once failed keep the laws and the determinism contract. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { drawsOf } from '../soak/any-scenario.ts';
import { complaintsOf } from '../soak/contract.ts';
import { corpusFiles, worldFromJson, worldOfFile } from './corpus.ts';
import { storeFailure, storeScenario, worldToJson } from './storing.ts';

describe('a world of the corpus', () => {
  it.each(corpusFiles())('keeps the laws and the determinism contract: %s', (name) => {
    expect(complaintsOf(worldOfFile(name), drawsOf(42, 0))).toEqual([]);
  });
});

describe('a failure', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwave-corpus-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('stores the world of a property, from which the same world is read', () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        expect(worldFromJson(worldToJson(world))).toEqual(world);
      }),
      { numRuns: 5 },
    );
    const [world] = fc.sample(worlds(), 1);
    const path = storeFailure([7, world], folder)!;
    expect(worldFromJson(readFileSync(path, 'utf8'))).toEqual(world);
  });

  it('stores a scenario file with its seed, once for the same failure', () => {
    const path = storeScenario({ scenario: 'a' }, '42 7', folder);
    expect(storeScenario({ scenario: 'a' }, '42 7', folder)).toBe(path);
    expect(readFileSync(path, 'utf8')).toBe('scenario: a\nseed: 42 7\n');
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('stores nothing of values that are no world', () => {
    expect(storeFailure([7, { plan: {} }, null], folder)).toBeUndefined();
  });
});
