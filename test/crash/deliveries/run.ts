/**
 * `npm run crash:deliveries [kills] [seed]`: a world whose uplinks go to a webhook and a broker;
 * its process and the broker are killed that many times each, at random moments. Then all that has
 * left the world has to have been taken. Builds that are broken on purpose have to be noticed then.
 * Ends with 1 when anything was lost, or is not as it left, or a broken build is not noticed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { drawsOf } from '../../support/journals.ts';
import { bundledChild } from '../bundle.ts';
import { BROKEN_BUILDS, type BrokenBuild } from './broken-builds.ts';
import { verdictOn } from './judge.ts';
import { DeliveringTown } from './town.ts';

const KILLS = 50;

const [kills = KILLS, seed = 1] = process.argv.slice(2).map(Number);
const draw = drawsOf(seed);
const child = await bundledChild('test/crash/deliveries/child.ts');
const town = await DeliveringTown.open(child.path, draw);
await town.start();
while (town.kills.server < kills || town.kills.broker < kills) {
  await sleep(100 + draw(1_400));
  if (town.kills.broker < kills && draw(2) === 0) await town.killBroker();
  else if (town.kills.server < kills) {
    await town.killServer();
    await town.start();
  }
}
const { complaints, ...verdict } = await verdictOn(town);
for (const complaint of complaints) console.log(complaint);
const wrong = complaints.length;
console.log(
  JSON.stringify({ kills: town.kills, ...verdict, failures: town.receiver.failures(), wrong }),
);
await town.remove();
let unnoticed = 0;
for (const build of Object.keys(BROKEN_BUILDS) as BrokenBuild[]) {
  // Nothing is taken in the first life, so that all of it is sent again in the second.
  const refusesFirst = () => (broken.kills.server === 0 ? 0 : 99);
  const broken = await DeliveringTown.open(child.path, refusesFirst, build);
  await broken.live(2);
  const [noticed] = (await verdictOn(broken)).complaints;
  console.log(`a build that ${build}: ${noticed ?? 'is not noticed'}`);
  if (noticed === undefined) unnoticed++;
  await broken.remove();
}
child.remove();
process.exit(wrong === 0 && unnoticed === 0 ? 0 : 1);
