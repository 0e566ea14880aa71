/**
 * Explains a stored world whose laws are broken: `node dist/test/corpus/explain-stored.js PATH`
 * writes PATH.txt with the complaints and the stories of the devices that they name.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { explanationLines } from '../../reports/library.ts';
import {
  type ArbitraryWorld,
  checkInvariants,
  explainBroken,
  runScenario,
  runWorld,
} from '../../scenarios/testing/testing.ts';
import { worldFromJson } from './corpus.ts';

const [path = ''] = process.argv.slice(2);
const text = readFileSync(path, 'utf8');
const world: string | ArbitraryWorld = path.endsWith('.json') ? worldFromJson(text) : text;
const { trace } = typeof world === 'string' ? runScenario(world) : runWorld(world);
const broken = checkInvariants(trace);
const complaints = Object.entries(broken).map(([law, all]) => `${law}: ${all[0] ?? ''}`);
const stories = explainBroken(world, broken).map((one) => explanationLines(one).join('\n'));
if (complaints.length > 0) {
  writeFileSync(`${path}.txt`, `${[complaints.join('\n'), ...stories].join('\n\n')}\n`);
}
