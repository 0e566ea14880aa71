/**
 * Commands that are stored before they are answered, a second, over TLS: clients that ask one after
 * the other, in a process of their own, and how long an answer takes. The bundle serves.
 * `npm run build && node test/bench/durable.mjs [seconds] [clients …]`
 *
 * The machine may be busy: beside wall time there is CPU time of the server, and what a core of its
 * own would answer in a second. SERVER_FLAGS: such as `--cpu-prof`.
 */
import { loadavg } from 'node:os';
import { cpuSeconds, load, serve } from './serve/served.mjs';

const [seconds = 5, ...clients] = process.argv.slice(2).map(Number);
const round = (value) => Number(value.toPrecision(3));

async function measured(isKept, connections) {
  const words = ['--paused', '--seed', 'bench', ...(isKept ? [] : ['--ephemeral'])];
  const server = await serve(words, { isProbed: false });
  const { url, token } = server;
  const group = { method: 'POST', path: '/v1/groups/devices', body: { Name: 'group-#' } };
  const before = cpuSeconds(server.pid);
  const report = await load({ url, token, requests: [group], connections, seconds });
  const cpu = cpuSeconds(server.pid) - before;
  await server.stop();
  const failed = report.answers - (report.statuses[200] ?? 0);
  if (failed > 0) throw new Error(`${failed} were not done`);
  return {
    clients: connections,
    world: isKept ? 'kept' : 'in memory',
    'in a second': round(report.perSecond),
    'p50 ms': round(report.p50),
    'p99 ms': round(report.p99),
    'CPU µs each': round((1e6 * cpu) / report.answers),
    'in a CPU second': round(report.answers / cpu),
  };
}

const rows = [];
for (const each of clients.length > 0 ? clients : [1, 16, 64]) {
  for (const isKept of [false, true]) rows.push(await measured(isKept, each));
}
console.table(rows);
console.log(`load of the machine: ${loadavg()[0].toFixed(1)}`);
