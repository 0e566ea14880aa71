/**
 * Loaded into a server by `serve.mjs` before all else, with `--expose-gc`: tells of its memory and
 * of its event loop when it is sent a message.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const MIB = 2 ** 20;
const loop = monitorEventLoopDelay({ resolution: 1 });
loop.enable();

const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

/** The longest block of the event loop since the latest message, ms; memory in MiB. */
async function tell({ collects }) {
  const blockMs = loop.max / 1e6;
  if (collects) {
    await settled();
    globalThis.gc();
    globalThis.gc();
  }
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send({ blockMs, rss: rss / MIB, heap: heapUsed / MIB, cpuMs: (user + system) / 1e3 });
  loop.reset();
}

process.on('message', tell);
process.channel.unref();
