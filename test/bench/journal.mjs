/**
 * What durable commands cost: `npx tsc -b && node test/bench/journal.mjs [FOLDER]` after a build.
 *
 * Appends a second by 1, 16, 64 and 256 callers, and each waits for its own entry, with the median
 * and the 99th percentile; CPU time an entry; and how long 10^6 entries take to be read.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderDisk } from '../../dist/api/host/journal/disk.js';
import { Journal } from '../../dist/api/host/journal/journal.js';
import { scan } from '../../dist/api/host/journal/scan.js';

const KEY = new Uint8Array(32).fill(7);
const PAYLOAD = new Uint8Array(300).fill(1);
const RUN_MS = 3_000;
const READ = Number(process.env.ENTRIES ?? 1_000_000);

async function open(folder, durability) {
  const options = {
    key: KEY,
    world: 'bench',
    build: 'bench',
    durability,
    onBroken: (e) => {
      throw e;
    },
  };
  const opened = await Journal.open(new FolderDisk(folder), options, () => undefined);
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.value.journal;
}

async function appends(folder, callers, durability) {
  const journal = await open(folder, durability);
  const took = [];
  const endsAt = performance.now() + RUN_MS;
  const cpu = process.cpuUsage();
  await Promise.all(
    Array.from(
      { length: callers },
      () =>
        new Promise((end) => {
          const next = () => {
            const from = performance.now();
            if (from >= endsAt) return end();
            journal.append(PAYLOAD, () => {
              took.push(performance.now() - from);
              next();
            });
          };
          next();
        }),
    ),
  );
  const { user, system } = process.cpuUsage(cpu);
  await journal.close();
  took.sort((a, b) => a - b);
  const at = (share) => took[Math.floor(took.length * share)].toFixed(2);
  console.log(
    `${durability} ${callers} callers: ${Math.round(took.length / (RUN_MS / 1e3))}/s, ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${((user + system) / took.length).toFixed(1)} us CPU`,
  );
}

const root = await mkdtemp(join(process.argv[2] ?? '.', 'bench-'));
for (const callers of [1, 16, 64, 256]) await appends(join(root, `s${callers}`), callers, 'sync');
await appends(join(root, 'o64'), 64, 'os');
const journal = await open(join(root, 'read'), 'os');
for (let done = 0; done < READ; done += 4096) {
  await new Promise((end) => {
    let left = Math.min(4096, READ - done);
    for (let i = left; i > 0; i--)
      journal.append(PAYLOAD, () => {
        if (--left === 0) end();
      });
  });
}
await journal.close();
const from = performance.now();
let entries = 0;
const read = await scan(new FolderDisk(join(root, 'read')), { key: KEY }, () => void entries++);
const s = (performance.now() - from) / 1e3;
console.log(
  `${entries} entries read in ${s.toFixed(1)} s, ok ${read.ok}, ` +
    `${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB RSS`,
);
await rm(root, { recursive: true });
