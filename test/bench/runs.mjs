/**
 * What one run of a study costs after others in its process: `node test/bench/runs.mjs 60` runs the
 * quickstart's campaign with 200 devices so often, each with a seed of its own, and prints what the
 * first, and later ones took, and a run's share of its loop: from plan to row, by `World.runUntil`
 * alone. CPU seconds with those of the compiler. After `tsc -b`.
 */
import { readFileSync } from 'node:fs';
import { World } from '../../dist/core/world/world.js';
import { rowOf } from '../../dist/reports/study/rows.js';
import { judge } from '../../dist/scenarios/expectations/expectations.js';
import { populate } from '../../dist/scenarios/filling/populate.js';
import { load } from '../../dist/scenarios/load.js';
import { replicateSeed } from '../../dist/scenarios/study/seeds.js';
import { median } from './measured.mjs';

const TOWN = new URL('../../scenarios/library/quickstart.yaml', import.meta.url);
const COUNTS = { meter: 120, soil: 50, tracker: 24, alarm: 6 };

function scenarioOf() {
  const set = Object.entries(COUNTS).map(([name, count]) => `devices.${name}.count=${count}`);
  const loaded = load('town.yaml', new Map([['town.yaml', readFileSync(TOWN)]]), set);
  if (loaded.outcome !== 'scenario') throw new Error(JSON.stringify(loaded.problems));
  return loaded.scenario;
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

function run(scenario, seed) {
  const begun = cpuSeconds();
  const world = World.create(populate(scenario, seed), seed);
  const created = cpuSeconds();
  world.runUntil(world.endUs);
  const ended = cpuSeconds();
  const result = world.result();
  rowOf(result, judge(scenario.expectations, result), []);
  return { all: cpuSeconds() - begun, loop: ended - created };
}

const runs = Number(process.argv[2] ?? 60);
const scenario = scenarioOf();
const done = Array.from({ length: runs }, (_, i) => run(scenario, replicateSeed('bench', i + 1)));
const all = done.map((each) => each.all);
const last = done.slice(-Math.min(20, runs));
console.log(
  JSON.stringify({
    first: all[0],
    second: all[1],
    warm: median(last.map((each) => each.all)),
    ofLoop: median(last.map((each) => each.all / each.loop)),
    cpuSeconds: all.reduce((sum, each) => sum + each, 0),
  }),
);
