/**
 * `npm run crash [points] [seed]`: the process of a stored world is killed at every point of
 * points.ts in turn until that many were reached. Half as often it is killed at random moments,
 * under load. Each folder has a few lives. Ends with 1 when anything was wrong.
 */
import { drawsOf } from '../support/journals.ts';
import { bundledChild } from './bundle.ts';
import { CRASH_POINTS } from './points.ts';
import { lived, newDurable, type Stored } from './process-runs.ts';

const POINTS = 200;
/** Rounds for each of them: a point that is never reached does not go on for ever. */
const MOST_ROUNDS_A_POINT = 3;
/** Of one folder. */
const LIVES = 6;
/** A life that does not come to its point ends after so long, ms. */
const LATEST_MS = 1_500;

const [points = POINTS, seed = 1] = process.argv.slice(2).map(Number);
const draw = drawsOf(seed);
const child = await bundledChild();
const sums = { points: 0, missed: 0, moments: 0, commands: 0, names: 0, restores: 0, wrong: 0 };
const missed = new Map<string, number>();

function addUp({ story, remove }: Stored): void {
  const { commands, names, restores } = story.counts;
  sums.commands += commands;
  sums.names += names;
  sums.restores += restores;
  remove();
}

async function round(stored: Stored, number: number): Promise<boolean> {
  const isMoment = number % 3 === 2;
  const pointsBefore = number - Math.floor((number + 1) / 3);
  const point = CRASH_POINTS[pointsBefore % CRASH_POINTS.length]!;
  const ending = isMoment
    ? { afterMs: 50 + draw(1_000) }
    : { afterMs: LATEST_MS, ends: { point: point.name, hit: 1 + draw(point.within) } };
  const { reached, complaints } = await lived(child.path, stored, ending, draw);
  if (isMoment) sums.moments++;
  else if (reached) sums.points++;
  else missed.set(point.name, (missed.get(point.name) ?? 0) + 1);
  for (const complaint of complaints) {
    sums.wrong++;
    console.log(`round ${number}, ${isMoment ? 'a moment' : point.is}: ${complaint}`);
  }
  return complaints.length === 0;
}

let storedValue = newDurable();
const most = points * MOST_ROUNDS_A_POINT;
for (let number = 0, life = 0; sums.points < points && number < most; number++, life++) {
  const isSound = await round(storedValue, number);
  if (isSound && life < LIVES - 1) continue;
  addUp(storedValue);
  storedValue = newDurable();
  life = -1;
}
addUp(storedValue);
child.remove();
sums.missed = [...missed.values()].reduce((sum, each) => sum + each, 0);
console.log(JSON.stringify(sums));
if (missed.size > 0) console.log('not reached:', Object.fromEntries(missed));
process.exit(sums.wrong === 0 && sums.points >= points ? 0 : 1);
