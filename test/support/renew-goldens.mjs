/**
 * Writes what the library amounts to now into test/worlds/goldens.test.ts, after a build:
 * `npm run goldens`. Commit the change alone and say why.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadFromDisk } from '../../dist/api/host/files/scenario-files.js';
import { World } from '../../dist/core/world/world.js';
import { populate, seedOf } from '../../dist/scenarios/filling/populate.js';

const TABLE = new URL('../worlds/goldens.test.ts', import.meta.url);
const ROW = /'([\w/-]+\.yaml)': \{\n {4}settings: \[(.*?)\],\n.*?\n {2}\},/gs;

function rowOf(_, file, list) {
  const settings = [...list.matchAll(/'(.*?)'/g)].map(([, setting]) => setting);
  const loaded = loadFromDisk(`scenarios/library/${file}`, settings);
  if (loaded.outcome !== 'scenario') throw new Error(`${file} does not load`);
  const seed = seedOf(loaded.scenario);
  const world = World.create(populate(loaded.scenario, seed), seed);
  world.runUntil(world.endUs);
  const { outcome, full } = world.digest();
  const events = `${world.events}`.replace(/(\d)(?=(\d{3})+$)/g, '$1_');
  const figures = [`events: ${events}`, `outcome: '${outcome}'`, `full: '${full}'`];
  const lines = [`settings: [${list}]`, ...figures].map((line) => `    ${line},\n`);
  return `'${file}': {\n${lines.join('')}  },`;
}

writeFileSync(TABLE, readFileSync(TABLE, 'utf8').replace(ROW, rowOf));
