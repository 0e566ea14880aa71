/**
 * What a study of a million runs asks of an engine, its coordinator and the merge:
 *
 *     node test/bench/study-scale.mjs engine redis://127.0.0.1:6379   what a chunk costs there
 *     node test/bench/study-scale.mjs merge 100000                    merge of that many rows
 *     node test/bench/study-scale.mjs model [--land=2 --row=0.15]
 *
 * The first two measure on this machine (npm run build before); the last one reckons the table of
 * docs/studies/scale.md, the same for the same numbers everywhere. The engine has to be empty, and
 * is afterwards.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { HERE, timed } from './measured.mjs';

const PROGRAM = join(HERE, 'dist/fleetwave.js');

const TOWN = `scenario: town
duration: 1 h
area: { radius: 3 km }
devices: [{ name: meter, count: 3, joinWithin: 5 min, traffic: { every: 10 min } }]
`;
const STUDY = `study: scale
scenario: town.yaml
parameters: { hills: { set: radio.shadowing, values: [0 dB, 10 dB] } }
replicates: 2
`;

/** A plan and a row as the product makes them, from which there are as many as it takes. */
function sample(folder) {
  writeFileSync(join(folder, 'town.yaml'), TOWN);
  writeFileSync(join(folder, 'study.yaml'), STUDY);
  const out = join(folder, 'sample');
  const words = [PROGRAM, 'study', 'run', join(folder, 'study.yaml'), '--sink', out, '--quiet'];
  execFileSync(process.execPath, [...words, '--workers', '1']);
  const plan = JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8'));
  const [name] = readdirSync(join(out, 'chunks'));
  const [row] = readFileSync(join(out, 'chunks', name), 'utf8').split('\n');
  return { plan, row: JSON.parse(row) };
}

/** With that many points of that many replicates; each point is a world of its own. */
function grown(plan, points, replicates, chunkRuns) {
  const more = Array.from({ length: points }, (_, at) => ({
    ...plan.points[0],
    levels: plan.points[0].levels.map((level) => ({ ...level, label: `${at}`, number: at })),
    scenario: String(at).padStart(32, '0'),
  }));
  return { ...plan, points: more, replicates, atMost: replicates, chunkRuns };
}

const load = (path) => import(join(HERE, 'dist/api', path));

/** Chunks of a plan with their rows as any worker has them. */
async function chunksOf(plan, row, build) {
  const { StudyRows } = await load('host/studies/study-rows.js');
  const rows = new StudyRows(plan, build, new Map());
  const figures = (run) =>
    Object.fromEntries(Object.entries(row.figures).map(([name]) => [name, 1 / (1 + run.row)]));
  const landed = (run) => ({
    ...row,
    key: rows.keyOf(run),
    seed: run.seed,
    figures: figures(run),
  });
  return { rows, chunks: rows.asked().chunks, rowsOf: ({ runs }) => runs.map(landed) };
}

async function costOf(count, act) {
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  await act();
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  const rounded = (ms) => Number((ms / count).toFixed(3));
  return { wallMs: rounded(wallMs), cpuMs: rounded((user + system) / 1000) };
}

async function infoOf(url) {
  if (!url.startsWith('redis')) return undefined;
  const { Redis } = await import('ioredis');
  const redis = new Redis(url);
  const text = await redis.info('all');
  redis.disconnect();
  const number = (name) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const us = [...text.matchAll(/^cmdstat_[^:]+:calls=\d+,usec=(\d+)/gm)];
  return {
    memory: number('used_memory'),
    bytes: number('total_net_input_bytes') + number('total_net_output_bytes'),
    us: us.reduce((sum, [, each]) => sum + Number(each), 0),
  };
}

async function coordinate(queue, plan, folder) {
  const { Coordinator } = await load('engine/coordinator.js');
  const { StudyFolder } = await load('host/studies/study-folder.js');
  const { StudyRows } = await load('host/studies/study-rows.js');
  const sink = new StudyFolder(folder);
  sink.make();
  const rows = new StudyRows(plan, queue.buildId, new Map());
  const nothing = () => undefined;
  const on = { mathHash: '', stops: () => false, onRound: nothing, onDone: nothing, say: nothing };
  const { kind } = await new Coordinator(rows, sink, queue, on).run();
  if (kind !== 'whole') throw new Error(kind);
}

const jobsOf = (chunks, study, buildId) =>
  chunks.map(({ number, runs }) => ({
    study,
    chunk: number,
    rows: `${runs[0].row}-${runs.at(-1).row}`,
    buildId,
    mathHash: '',
  }));

/** What a chunk of that many rows costs in each of its steps. */
async function chunkCosts(queue, folder, { plan, row }, runsEach, count) {
  const { packed } = await load('engine/handed-back.js');
  const { queueOf } = await load('engine/chunk-queue.js');
  const { planId } = await load('host/studies/keys.js');
  const each = grown(plan, runsEach, count, runsEach);
  const { chunks, rowsOf } = await chunksOf(each, row, queue.buildId);
  const study = planId(each);
  const written = chunks.map((chunk) => packed(chunk.number, rowsOf(chunk)));
  const packs = await costOf(count, () => {
    for (const chunk of chunks) packed(chunk.number, rowsOf(chunk));
  });
  for (const rows of written) await queue.handBack(study, rows);
  const lands = await costOf(count, () => coordinate(queue, each, join(folder, `l${runsEach}`)));
  const before = await infoOf(queue.url);
  const worker = queue.engine.worker(
    queueOf(queue.buildId),
    async ({ data }) => {
      await queue.isCancelled(data.study);
      await queue.handBack(study, written[data.chunk]);
    },
    { concurrency: 2 },
  );
  const whole = await costOf(count, () => coordinate(queue, each, join(folder, `w${runsEach}`)));
  await worker.close();
  const after = await infoOf(queue.url);
  const traffic = after && {
    kilobytes: Number(((after.bytes - before.bytes) / 1000 / count).toFixed(1)),
    serverUs: Math.round((after.us - before.us) / count),
  };
  return { packedBytes: JSON.stringify(written[0]).length, packs, lands, whole, ...traffic };
}

async function engine(url) {
  const { ChunkQueue } = await load('engine/chunk-queue.js');
  const { planId } = await load('host/studies/keys.js');
  const queue = await ChunkQueue.at(url, 'bench', () => undefined);
  queue.url = url;
  const report = {};
  await withFolderOf(async (folder) => {
    const created = sample(folder);
    for (const [runs, count] of [
      [1, 1000],
      [100, 300],
      [500, 100],
    ]) {
      report[`${runs} runs`] = await chunkCosts(queue, folder, created, runs, count);
    }
    const many = 10_000;
    const plan = grown(created.plan, 1, many, 1);
    const { chunks } = await chunksOf(plan, created.row, queue.buildId);
    const study = planId(plan);
    const before = await infoOf(url);
    const jobs = jobsOf(chunks, study, 'bench');
    report.handOut = await costOf(many, async () => {
      for (let at = 0; at < many; at += 200) await queue.add(jobs.slice(at, at + 200), 1 + at);
    });
    const after = await infoOf(url);
    report.bytesAJob = after && Math.round((after.memory - before.memory) / many);
    report.status = await costOf(1, () => queue.standing(study));
    const numbers = chunks.map(({ number }) => number);
    report.lookForLost = await costOf(1, () => queue.known(study, numbers));
    report.cancel = await costOf(many, () => queue.cancel(study));
    await queue.takeUp(study);
  });
  await queue.close();
  return report;
}

/** `withFolder`, for what takes a while. */
async function withFolderOf(act) {
  const { mkdtempSync, rmSync } = await import('node:fs');
  const folder = mkdtempSync('/tmp/fleetwave-scale-');
  try {
    await act(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Rows of a hundred points in chunks of a hundred, as they land; then the product merges them. */
async function merge(count) {
  const { textOf } = await load('host/studies/study-folder.js');
  const report = {};
  await withFolderOf(async (folder) => {
    const created = sample(folder);
    const plan = grown(created.plan, 100, count / 100, 100);
    const { buildId } = await load('host/studies/build.js');
    const { rows, chunks, rowsOf } = await chunksOf(plan, created.row, buildId());
    const out = join(folder, 'out');
    mkdirSync(join(out, 'chunks'), { recursive: true });
    writeFileSync(join(out, 'plan.json'), `${JSON.stringify(plan)}\n`);
    let bytes = 0;
    for (const chunk of chunks) {
      const text = textOf(rowsOf(chunk));
      bytes += text.length;
      const name = `${rows.chunkName}-${String(chunk.number).padStart(6, '0')}.jsonl`;
      writeFileSync(join(out, 'chunks', name), text);
    }
    report.rows = count;
    report.chunks = chunks.length;
    report.megabytesOfRows = Math.round(bytes / 1e6);
    for (const command of ['status', 'merge']) {
      const started = performance.now();
      const { cpuSeconds, megabytes } = timed(process.execPath, [PROGRAM, 'study', command, out]);
      const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
      const cpu = Number(cpuSeconds.toFixed(1));
      report[command] = { seconds, cpuSeconds: cpu, peakMegabytes: Math.round(megabytes) };
    }
  });
  return report;
}

/** As `engine` measured them on Redis, and docs/studies/scale.md reports. */
const MODEL = {
  /** Of the coordinator: to land a chunk, and each row in it, and to hand one out, ms. */
  land: 2,
  row: 0.15,
  hand: 0.2,
  /** Of Redis: all that a chunk asks of it, ms. */
  redis: 0.5,
  /** Memory of a chunk that waits there, and of a row that does, bytes. */
  job: 970,
  waits: 360,
};

/** The coordinator looks so often, ms; it hands out that many at most. */
const TICK_MS = 50;
const outMost = (threads) => Math.max(1000, 20 * threads);

/** From half to one and a half of the mean, the same each time. */
function spread(at) {
  const mixed = Math.imul(at + 1, 0x9e3779b1) >>> 0;
  return 0.5 + (((mixed ^ (mixed >>> 15)) >>> 0) % 1000) / 1000;
}

/** Times of ends, the earliest first. */
class Ends {
  #heap = [];

  get first() {
    return this.#heap[0];
  }

  get count() {
    return this.#heap.length;
  }

  add(end) {
    const heap = this.#heap;
    let at = heap.push(end) - 1;
    for (; at > 0 && heap[(at - 1) >> 1] > end; at = (at - 1) >> 1) heap[at] = heap[(at - 1) >> 1];
    heap[at] = end;
  }

  take() {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let next = 2 * at + 1;
      if (next + 1 < heap.length && heap[next + 1] < heap[next]) next++;
      if (next >= heap.length || heap[next] >= last) break;
      heap[at] = heap[next];
      at = next;
    }
    heap[at] = last;
    return first;
  }
}

/** One coordinator, one Redis, that many threads; `chunks` of `chunkMs` each. */
function simulated({ threads, chunks, chunkMs, landMs }, cost) {
  const ends = new Ends();
  const most = outMost(threads);
  const state = { nowMs: 0, redisFreeMs: 0, waiting: 0, back: 0, landed: 0, handed: 0, most: 0 };
  let busyMs = 0;
  let workedMs = 0;
  const begin = (atMs) => {
    state.waiting--;
    // Redis answers one after another.
    state.redisFreeMs = Math.max(state.redisFreeMs, atMs) + cost.redis;
    const worksMs = chunkMs * spread(state.handed - state.waiting);
    workedMs += worksMs;
    ends.add(state.redisFreeMs + worksMs);
  };
  const until = (ms) => {
    while (ends.first <= ms) {
      const endMs = ends.take();
      state.back++;
      if (state.waiting > 0) begin(endMs);
    }
    state.nowMs = ms;
    while (state.waiting > 0 && ends.count < threads) begin(ms);
  };
  const spend = (ms) => {
    busyMs += ms;
    until(state.nowMs + ms);
  };
  while (state.landed < chunks) {
    while (state.back > 0) {
      state.most = Math.max(state.most, state.back);
      state.back--;
      state.landed++;
      spend(landMs);
    }
    while (state.handed < chunks && state.handed - state.landed < most) {
      const many = Math.min(200, chunks - state.handed, most - (state.handed - state.landed));
      spend(cost.hand * many);
      state.handed += many;
      state.waiting += many;
      until(state.nowMs);
    }
    until(state.nowMs + TICK_MS);
  }
  return { seconds: state.nowMs / 1000, busyMs, workedMs, mostBack: state.most };
}

const RUNS = 1_000_000;

function modelRow(threads, runMs, cost) {
  const runsEach = Math.min(500, Math.max(1, Math.ceil(5000 / runMs)));
  const chunks = Math.ceil(RUNS / runsEach);
  // Once it is in its stride, more of the same reports nothing new.
  const report = Math.min(chunks, 60 * threads + 20_000);
  const chunkMs = runsEach * runMs;
  const landMs = cost.land + runsEach * cost.row;
  const { seconds, busyMs, workedMs, mostBack } = simulated(
    { threads, chunks: report, chunkMs, landMs },
    cost,
  );
  const all = (seconds * chunks) / report;
  const waits = Math.min(chunks, outMost(threads)) * cost.job + mostBack * runsEach * cost.waits;
  return [
    String(threads),
    runMs < 1000 ? `${runMs} ms` : `${runMs / 1000} s`,
    `${chunks} × ${chunkMs / 1000} s`,
    all < 6000 ? `${(all / 60).toFixed(1)} min` : `${(all / 3600).toFixed(1)} h`,
    `${((100 * workedMs) / (seconds * 1000 * threads)).toFixed(0)} %`,
    `${((100 * busyMs) / (seconds * 1000)).toFixed(0)} %`,
    `${(waits / 1e6).toFixed(1)} MB`,
  ];
}

function model(words) {
  const cost = { ...MODEL };
  for (const word of words) {
    const [, name, value] = /^--(\w+)=([\d.]+)$/.exec(word) ?? [];
    if (!(name in cost))
      throw new Error(`${word}: allowed: --${Object.keys(cost).join('=N --')}=N`);
    cost[name] = Number(value);
  }
  const head = [
    'threads',
    'a run takes',
    'chunks',
    'all of it takes',
    'threads at work',
    'coordinator at work',
    'Redis holds at most',
  ];
  const lines = [head, head.map(() => '---:')];
  for (const threads of [100, 300, 1000, 3000]) {
    for (const runMs of [20, 100, 500, 5000, 60_000]) lines.push(modelRow(threads, runMs, cost));
  }
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const [mode, ...words] = process.argv.slice(2);
const MODES = {
  engine: async () => JSON.stringify(await engine(words[0]), null, 1),
  merge: async () => JSON.stringify(await merge(Number(words[0]))),
  model: async () => model(words),
};
if (MODES[mode] === undefined) throw new Error(`allowed: ${Object.keys(MODES).join(', ')}`);
process.stdout.write(`${await MODES[mode]()}\n`);
process.exit(0);
