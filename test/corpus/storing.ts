/**
 * Stores worlds with which something has failed in the corpus. Loads nothing of the product, since
 * every test file has it.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { ArbitraryWorld } from '../../scenarios/testing/generators/arbitraries.ts';

/** Where the corpus is. */
export const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/**
 * Stores the world among the arguments with which a property has failed, if there is one. Returns
 * its path.
 */
export function storeFailure(values: unknown, folder = FOLDER): string | undefined {
  const world = (Array.isArray(values) ? values : [values]).find(isWorld);
  if (world === undefined) return undefined;
  const { plan, seed, commands } = world;
  return store(folder, 'json', worldToJson({ plan, seed, commands }));
}

/** As built: it loads the product. */
const EXPLAIN = fileURLToPath(new URL('../../dist/test/corpus/explain-stored.js', import.meta.url));

/**
 * Writes beside a stored world what broke a law in it, as an answer: complaints, and the stories of
 * the devices that they name. The path of the text; undefined: no law is broken.
 */
export function explainStored(path: string): string | undefined {
  if (!existsSync(EXPLAIN)) return undefined;
  spawnSync(process.execPath, [EXPLAIN, path], { timeout: EXPLAIN_MS });
  return existsSync(`${path}.txt`) ? `${path}.txt` : undefined;
}

const EXPLAIN_MS = 60_000;

/** Stores a scenario file with which a property has failed. Returns its path. */
export const storeScenario = (document: object, seed: string, folder = FOLDER): string =>
  store(folder, 'yaml', stringify({ ...document, seed }));

function store(folder: string, ending: string, text: string): string {
  const name = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const path = `${folder}/failed-${name}.${ending}`;
  writeFileSync(path, text);
  return path;
}

function isWorld(value: unknown): value is ArbitraryWorld {
  if (typeof value !== 'object' || value === null) return false;
  const { plan, seed, commands } = value as Partial<ArbitraryWorld>;
  return typeof plan === 'object' && typeof seed === 'string' && Array.isArray(commands);
}

/** Bytes are written in Base64, lists with gaps by their places, since JSON has neither. */
export const worldToJson = (world: ArbitraryWorld): string =>
  `${JSON.stringify(world, (_, value) => inJson(value), 2)}\n`;

function inJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (!Array.isArray(value) || !value.includes(undefined)) return value;
  return { places: value.length, of: { ...value } };
}
