/**
 * Loaded into a server by `serve.mjs` before all else, with `--expose-gc`: reports of its memory
 * and of its event loop when it is sent a message.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const MIB = 2 ** 20;
const loop = monitorEventLoopDelay({ resolution: 1 });
loop.enable();

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};

/** CPU time of each turn of the event loop, ms: what a busy machine does not lengthen. */
let turns = [];
let isWatching = false;

function watch(beforeMs) {
  if (!isWatching) return;
  const nowMs = cpuMs();
  turns.push(nowMs - beforeMs);
  setImmediate(watch, nowMs);
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

/**
 * The longest block of the event loop since the latest message, ms; memory in MiB. `collects`: what
 * is garbage goes first; `watches`: turns of the loop are timed until the next message, and the
 * loop never sleeps.
 */
async function reportTo({ collects = false, watches = false }) {
  const blockMs = loop.max / 1e6;
  if (collects) {
    await settled();
    globalThis.gc();
    globalThis.gc();
  }
  const { rss, heapUsed } = process.memoryUsage();
  const sorted = turns.sort((a, b) => a - b);
  const turn = { p99: sorted[Math.floor(0.99 * sorted.length)], longest: sorted.at(-1) };
  process.send({ blockMs, turn, rss: rss / MIB, heap: heapUsed / MIB, cpuMs: cpuMs() });
  loop.reset();
  turns = [];
  isWatching = watches;
  watch(cpuMs());
}

process.on('message', reportTo);
process.channel.unref();
