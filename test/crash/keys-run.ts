/**
 * `npm run crash:keys [rounds] [seed]`: requests with idempotency keys, whose process is killed in
 * each round, at one of the points of keys.ts or at any moment. Ends with 1 when something was made
 * twice, or a key has another answer.
 */
import { drawsOf } from '../support/journals.ts';
import { bundledChild } from './bundle.ts';
import { KEY_POINTS, keyRound } from './keys.ts';
import { newDurable } from './process-runs.ts';

const ROUNDS = 200;
/** Of one folder. */
const LIVES = 10;
/** A life that does not come to its point ends after so long, ms. */
const LATEST_MS = 1_500;

const [rounds = ROUNDS, seed = 1] = process.argv.slice(2).map(Number);
const draw = drawsOf(seed);
const child = await bundledChild();
const names = { next: 0 };
const sums = { rounds: 0, sent: 0, answered: 0, wrong: 0 };
let stored = newDurable();
for (let round = 0; round < rounds; round++) {
  if (round % LIVES === 0) {
    stored.remove();
    stored = newDurable();
  }
  const point = KEY_POINTS[round % (KEY_POINTS.length + 1)];
  const ending =
    point === undefined
      ? { afterMs: 50 + draw(500) }
      : { afterMs: LATEST_MS, ends: { point, hit: 1 + draw(40) } };
  const { sent, answered, complaints } = await keyRound(child.path, stored, ending, names, draw);
  sums.rounds++;
  sums.sent += sent;
  sums.answered += answered;
  for (const complaint of complaints) {
    sums.wrong++;
    console.log(`round ${round}, ${point ?? 'a moment'}: ${complaint}`);
  }
}
stored.remove();
child.remove();
console.log(JSON.stringify(sums));
process.exit(sums.wrong === 0 ? 0 : 1);
