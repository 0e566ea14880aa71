/**
 * What a world that is stored costs to come back, and to be copied. It starts the bundle, as users
 * do. `npm run build && node test/bench/starts.mjs [devices of the fork]`.
 *
 *     second start    spawn to the first answer, with a saved state of 1 000 devices after a day
 *     fork            of a world of 10 000 devices with a campaign, until it is answered
 *
 * The machine may be busy: beside wall time there is CPU time of the server, the best of several
 * rounds is taken, and Node.js alone is started in the same rounds. ROUNDS: 3.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, cpuSeconds, serve } from './serve/served.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const FORKED = Number(process.argv[2] ?? 10_000);
const DAY_S = 86_400;

const fleetOf = (count) => `
scenario: fleet
duration: 30 d
seed: bench
subscribers: [ann]
gateways:
  - { name: mast, count: 4, subscriber: ann }
devices:
  - { name: meter, count: ${count}, subscriber: ann, traffic: { every: 30 min } }
`;

/** A folder with a scenario, whose world is there for a while. */
function fleet(count) {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwave-bench-'));
  const file = join(folder, 'fleet.yaml');
  writeFileSync(file, fleetOf(count));
  const begin = () => serve([file, '--paused'], { isProbed: false, folder: join(folder, 'data') });
  return { begin, remove: () => rmSync(folder, { recursive: true }) };
}

const advance = (server, by) =>
  ask(server, { method: 'POST', path: '/sim/v1/clock:advance', body: { by } });

function nodeMs() {
  const began = performance.now();
  execFileSync(process.execPath, ['-e', '0']);
  return performance.now() - began;
}

async function secondStart() {
  const { begin, remove } = fleet(1_000);
  const first = await begin();
  await advance(first, DAY_S);
  await first.stop();
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) {
    const node = nodeMs();
    const server = await begin();
    rounds.push({ node, ms: server.startMs, cpu: 1_000 * cpuSeconds(server.pid) });
    await server.stop();
  }
  remove();
  const what = 'second start, 1 000 devices';
  return { what, 'first, ms': first.startMs, ...least(rounds) };
}

async function fork() {
  const { begin, remove } = fleet(FORKED);
  const server = await begin();
  await advance(server, 3_600);
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) {
    const node = nodeMs();
    const before = cpuSeconds(server.pid);
    const { value, ms, status } = await ask(server, {
      method: 'POST',
      path: '/sim/v1/worlds',
      body: {},
    });
    if (status !== 201) throw new Error(`a fork is answered with ${status}`);
    rounds.push({ node, ms, cpu: 1_000 * (cpuSeconds(server.pid) - before) });
    await ask(server, { method: 'DELETE', path: `/sim/v1/worlds/${value.world_id}` });
  }
  await server.stop();
  remove();
  return { what: `fork, ${FORKED} devices`, 'first, ms': rounds[0].ms, ...least(rounds) };
}

function least(rounds) {
  const of = (name) => Math.round(Math.min(...rounds.map((each) => each[name])));
  return { 'best, ms': of('ms'), 'CPU, ms': of('cpu'), 'Node.js alone, ms': of('node') };
}

console.table([await secondStart(), await fork()]);
console.log(`load of the machine: ${loadavg()[0].toFixed(1)}`);
