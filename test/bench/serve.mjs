/**
 * What `fleetwave serve` costs: start, memory, requests, long answers. It starts the bundle, as
 * users do. Run: `npm run build && node test/bench/serve.mjs [section …]`
 *
 *     start       spawn to the first answer of /sim/v1/health
 *     requests    PUT of an image's tags and a small GET, paused, with and without TLS
 *     memory      after 100 000 requests, 10 000 idempotency keys, 1 000 connections
 *     campaign    10 000 devices: memory, a small GET meanwhile, blocks of long answers
 *
 * The machine may be busy: beside wall time there is CPU time, the best of several rounds is taken,
 * and a bare node:http server is measured in the same rounds. Figures of CPU time are Linux's.
 * FLEETWAVE: another bundle; SERVER_FLAGS: such as `--cpu-prof`; ROUNDS, SECONDS: 3 of 2 s.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ask,
  cpuSeconds,
  load,
  residentMiB,
  serve,
  sleep,
  upload,
  yardstick,
} from './serve/served.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = Number(process.env.SECONDS ?? 2);
const CONNECTIONS = 32;
const NAME = 'meter-1.2.0.bin';
const TEN_THOUSAND = fileURLToPath(
  new URL('../../scenarios/library/campaigns/ten-thousand.yaml', import.meta.url),
);

const round = (value) => Number(value.toPrecision(3));
const rounded = (row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? round(value) : value,
    ]),
  );
const show = (title, rows) => {
  console.log(`\n${title}`);
  console.table(rows.map(rounded));
};

const setTags = {
  method: 'PUT',
  path: `/api/v3.2/images/tags/${NAME}`,
  body: ['spring', 'sensors', 'tag-#'],
};
const getTags = { path: `/api/v3.2/images/tags/${NAME}` };

// ── sections ─────────────────────────────────────────────────────────────────────────────────────

async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwave-bench-'));
  const rows = [{ what: 'node alone', 'ms to answer': emptyProgramMs() }];
  for (const isTls of [true, false]) {
    const times = [];
    for (let i = 0; i < ROUNDS + 1; i++) {
      const server = await serve([], { isTls, isProbed: false, folder });
      times.push({ ms: server.startMs, cpu: cpuSeconds(server.pid), rss: residentMiB(server.pid) });
      await server.stop();
    }
    const [first, ...later] = times;
    const least = (what) => Math.min(...later.map((each) => each[what]));
    const figures = { 'ms to answer': least('ms'), 'CPU s': least('cpu'), 'RSS MiB': least('rss') };
    rows.push({ what: isTls ? 'TLS' : 'HTTP', ...figures, 'the first time, ms': first.ms });
  }
  rmSync(folder, { recursive: true });
  show('Start, without a file', rows);
}

/** What starting Node.js takes, and nothing else. */
function emptyProgramMs() {
  const times = Array.from({ length: ROUNDS + 1 }, () => {
    const began = performance.now();
    execFileSync(process.execPath, ['-e', '0']);
    return performance.now() - began;
  });
  return Math.min(...times);
}

async function requests() {
  const rows = [];
  for (const isTls of [false, true]) {
    const server = await serve(['--paused'], { isTls });
    await upload(server, NAME);
    const bare = await yardstick(isTls, await bareCertificates());
    const names = { 'PUT tags': [server, setTags], 'GET tags': [server, getTags] };
    const all = { 'bare server': [bare, setTags], ...names };
    const best = new Map();
    for (let i = 0; i < ROUNDS + 1; i++) {
      for (const [name, [target, request]] of Object.entries(all)) {
        const report = await measured(target, request);
        if (i > 0 && !(best.get(name)?.cpuUs <= report.cpuUs)) best.set(name, report);
      }
    }
    for (const [name, report] of best) rows.push({ over: isTls ? 'TLS' : 'HTTP', name, ...report });
    await server.stop();
    bare.stop();
  }
  show('Requests', rows);
}

/** `cpuUs`: of the server, a request; what it answers in a second if it has a core to itself. */
async function measured({ url, pid, token }, request) {
  const before = cpuSeconds(pid);
  const asked = { url, token, requests: [request], connections: CONNECTIONS, seconds: SECONDS };
  const { answers, perSecond, p50, p99, statuses } = await load(asked);
  const cpu = cpuSeconds(pid) - before;
  const failed = answers - (statuses[200] ?? 0);
  const own = { cpuUs: (1e6 * cpu) / answers, 'in a CPU second': answers / cpu };
  return { 'in a second': perSecond, ...own, 'p50 ms': p50, 'p99 ms': p99, failed };
}

/** As the emulator's own are: made by the same code, so that both pay the same for TLS. */
async function bareCertificates() {
  const { localCertificates } = await import('../../dist/api/host/tls/local-ca.js');
  const { key, cert } = (await localCertificates(undefined, { names: [], now: new Date() })).value;
  return { key, cert };
}

async function memory() {
  const server = await serve(['--paused'], {});
  await upload(server, NAME);
  const rows = [];
  const note = async (after) => {
    const { rss, heap } = await server.tell({ collects: true });
    rows.push({ after, 'RSS MiB': rss, 'heap MiB': heap });
  };
  const times = async (request, count, connections = CONNECTIONS) => {
    const { url, token } = server;
    return await load({ url, token, requests: [request], count, connections });
  };
  await note('the start');
  await times(getTags, 10_000);
  await note('10 000 GETs');
  await times(getTags, 100_000);
  await note('100 000 more');
  await times({ method: 'GET', path: '/api/v3.2/campaigns/#' }, 100_000);
  await note('100 000 refusals');
  await times(setTags, 100_000);
  await note('100 000 PUTs, which the session keeps');
  const keyed = { method: 'POST', path: '/api/v3.2/device_groups', key: 'key-#' };
  await times({ ...keyed, body: { name: 'g', devices: [] } }, 20_000);
  await note('20 000 idempotency keys');
  await times(getTags, 100_000, 1_000);
  await note('1 000 connections');
  await server.stop();
  show('Memory', rows);
}

async function campaign() {
  const server = await serve([TEN_THOUSAND, '--paused'], {});
  const rows = [];
  const note = async (what, ms, watches = false) => {
    const { rss, heap } = await server.tell({ watches });
    rows.push({ what, ms, 'RSS MiB': rss, 'heap MiB': heap });
  };
  await note('the start', server.startMs, true);
  const body = { by: 17 * 3600 };
  const advanced = ask(server, { method: 'POST', path: '/sim/v1/clock:advance', body });
  const seconds = await secondsUntil(advanced, server);
  const { turn } = await server.tell();
  await note('the campaign', (await advanced).ms);
  show('10 000 devices', rows);
  const of = (what) => {
    const sorted = seconds.map((each) => each[what]).sort((a, b) => a - b);
    const [least, median] = [sorted[0], sorted[sorted.length >> 1]];
    return { ms: what, 'best second': least, 'median second': median, worst: sorted.at(-1) };
  };
  show('A small GET while the campaign runs at full speed', ['p50', 'p99', 'longest'].map(of));
  show('CPU time of a turn of the event loop meanwhile, ms', [turn]);
  await longAnswers(server);
  await server.stop();
}

/** What a client with one connection sees of each second until something is there. */
async function secondsUntil(promise, { url, token }) {
  const seconds = [];
  let isOver = false;
  void promise.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const few = { requests: [{ path: '/sim/v1/clock' }], connections: 1, seconds: 1 };
    seconds.push(await load({ url, token, ...few }));
  }
  return seconds.slice(0, -1);
}

async function longAnswers(server) {
  const [{ campaign_id }] = (await ask(server, { path: '/api/v3.2/campaigns' })).value;
  const paths = [
    '/api/v3.2/campaigns',
    `/api/v3.2/campaigns/${campaign_id}`,
    `/api/v3.2/campaigns/${campaign_id}/short-status`,
    '/api/v3.2/history',
    '/api/v3.2/device_version/all',
    '/api/v3.2/device_groups',
    '/sim/v1/devices',
    '/sim/v1/session.yaml',
    '/openapi.json',
  ];
  const rows = [];
  for (const path of paths) {
    const figures = [];
    for (let i = 0; i < ROUNDS; i++) {
      const { cpuMs } = await server.tell({ collects: true });
      const { status, bytes, ms } = await ask(server, { path });
      await sleep(20);
      const after = await server.tell();
      figures.push({ status, bytes, ms, block: after.blockMs, cpu: after.cpuMs - cpuMs });
    }
    const least = (what) => Math.min(...figures.map((each) => each[what]));
    const { status, bytes } = figures[0];
    const times = { ms: least('ms'), 'block ms': least('block'), 'CPU ms': least('cpu') };
    rows.push({ path: path.replace(campaign_id, '{id}'), status, bytes, ...times });
  }
  show('Long answers', rows);
}

// ── ──────────────────────────────────────────────────────────────────────────────────────────────

const SECTIONS = { start, requests, memory, campaign };
const wanted = process.argv.slice(2);
for (const [name, section] of Object.entries(SECTIONS)) {
  if (wanted.length === 0 || wanted.includes(name)) await section();
}
