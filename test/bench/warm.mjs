/**
 * W1 in one process that is warm, as a study has it: `node test/bench/warm.mjs loop 10000` prints
 * uplinks a second of CPU, `node test/bench/warm.mjs snapshot 100000` what saving and restoring
 * take. After `tsc -b`.
 */
import { readFileSync } from 'node:fs';
import { World } from '../../dist/core/world/world.js';
import { populate } from '../../dist/scenarios/filling/populate.js';
import { load } from '../../dist/scenarios/load.js';

const MINUTE = 60e6;
const W1 = new URL('../../scenarios/library/validation/w1.yaml', import.meta.url);

function worldOf(devices) {
  const set = [`devices.device.count=${devices}`, 'duration=3 h'];
  const loaded = load('w1.yaml', new Map([['w1.yaml', readFileSync(W1)]]), set);
  if (loaded.outcome !== 'scenario') throw new Error(JSON.stringify(loaded.problems));
  const plan = populate(loaded.scenario, 'bench');
  return { plan, world: World.create(plan, 'bench', { records: false }) };
}

function cpuSecondsOf(act) {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** After 20 minutes, that many that 100 000 uplinks are measured, but not more than two hours. */
function loop(devices) {
  const { world } = worldOf(devices);
  world.runUntil(20 * MINUTE);
  const before = world.result().radio.uplinks;
  const minutes = Math.min(120, Math.ceil((100_000 / devices) * 10));
  const cpuSeconds = cpuSecondsOf(() => world.runUntil((20 + minutes) * MINUTE));
  const uplinks = world.result().radio.uplinks - before;
  return { uplinks, cpuSeconds, uplinksPerSecond: Math.round(uplinks / cpuSeconds) };
}

const digestOf = (world) => JSON.stringify(world.digest());

function snapshot(devices) {
  const { plan, world } = worldOf(devices);
  world.runUntil(10 * MINUTE);
  let bytes;
  const saveSeconds = cpuSecondsOf(() => {
    bytes = world.toBytes();
  });
  let restored;
  const restoreSeconds = cpuSecondsOf(() => {
    restored = World.fromBytes(plan, 'bench', bytes, { records: false });
  });
  const isSame = restored.ok && digestOf(restored.value) === digestOf(world);
  return { saveSeconds, restoreSeconds, megabytes: bytes.length / 2 ** 20, isSame };
}

const [, , what, devices] = process.argv;
console.log(JSON.stringify((what === 'snapshot' ? snapshot : loop)(Number(devices))));
