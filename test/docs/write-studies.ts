/**
 * `npm run studies`: the tables of `docs/studies/` from the `study.json` of each study of the
 * library, below the folder in which `fleetwave study run` has left them: `out`, or the one given.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DesignedStudy } from '../../core/result/designed-study.ts';
import { pageOf, STUDIES, withTable } from './study-pages.ts';

const [, , folder = 'out'] = process.argv;
for (const name of STUDIES) {
  const file = join(folder, name, 'study.json');
  if (!existsSync(file)) {
    console.log(`${name}: no ${file}, its page stays as it is`);
    continue;
  }
  const study = JSON.parse(readFileSync(file, 'utf8')) as DesignedStudy;
  writeFileSync(pageOf(name), withTable(readFileSync(pageOf(name), 'utf8'), study));
  console.log(`${pageOf(name)}: ${study.points.length} points, ${study.runs} runs`);
}
