/**
 * The corpus: worlds with which a property or a law once failed, as small scenario files (`.yaml`)
 * or as plans with commands (`.json`). All tests of worlds add to it when they fail.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { populate, seedOf } from '../../scenarios/filling/populate.ts';
import { load } from '../../scenarios/load.ts';
import type { ArbitraryWorld } from '../../scenarios/testing/generators/arbitraries.ts';
import { FOLDER } from './storing.ts';

export const corpusFiles = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((name) => /\.(yaml|json)$/.test(name))
    .sort();

export function worldOfFile(name: string): ArbitraryWorld {
  const bytes = readFileSync(`${FOLDER}/${name}`);
  if (name.endsWith('.json')) return worldFromJson(bytes.toString());
  const loaded = load(name, new Map([[name, new Uint8Array(bytes)]]));
  if (loaded.outcome !== 'scenario') throw new Error(`${name}: ${JSON.stringify(loaded)}`);
  const seed = seedOf(loaded.scenario);
  return { plan: populate(loaded.scenario, seed), seed, commands: [] };
}

export const worldFromJson = (text: string): ArbitraryWorld =>
  JSON.parse(text, (_, value) => {
    if (typeof value?.base64 === 'string')
      return new Uint8Array(Buffer.from(value.base64, 'base64'));
    return typeof value?.places === 'number'
      ? Object.assign(new Array(value.places), value.of)
      : value;
  });
