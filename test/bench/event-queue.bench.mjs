/**
 * CPU nanoseconds per event of the event queue and of a plain binary heap, one process a cell.
 * Run: `npx tsc -b sim && node test/bench/event-queue.bench.mjs [cell …]`
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EventQueue } from '../../dist/sim/kernel/event-queue.js';

/** The yardstick: a binary heap of two parallel columns, ordered by (time, key). */
class BinaryHeap {
  due = { atUs: Number.NaN, key: 0 };
  size = 0;
  #atUs = new Float64Array(1 << 21);
  #key = new Int32Array(1 << 21);

  push(atUs, key) {
    const times = this.#atUs;
    const keys = this.#key;
    let hole = this.size++;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (times[parent] < atUs || (times[parent] === atUs && keys[parent] <= key)) break;
      times[hole] = times[parent];
      keys[hole] = keys[parent];
      hole = parent;
    }
    times[hole] = atUs;
    keys[hole] = key;
  }

  take() {
    if (this.size === 0) return false;
    const times = this.#atUs;
    const keys = this.#key;
    this.due.atUs = times[0];
    this.due.key = keys[0];
    const count = --this.size;
    const atUs = times[count];
    const key = keys[count];
    let hole = 0;
    for (let child = 1; child < count; child = 2 * hole + 1) {
      const other = child + 1;
      const otherIsFirst =
        other < count &&
        (times[other] < times[child] ||
          (times[other] === times[child] && keys[other] < keys[child]));
      if (otherIsFirst) child = other;
      if (atUs < times[child] || (atUs === times[child] && key <= keys[child])) break;
      times[hole] = times[child];
      keys[hole] = keys[child];
      hole = child;
    }
    times[hole] = atUs;
    keys[hole] = key;
    return true;
  }
}

/** Pauses drawn beforehand, so that drawing costs one load. */
const PAUSES = 1 << 12;
function drawn(pauseUs) {
  const table = new Float64Array(PAUSES);
  for (let i = 0; i < PAUSES; i++) table[i] = Math.floor(pauseUs(i));
  return table;
}
const exponential = () => drawn(() => -600e6 * Math.log(1 - Math.random()));
const lora = () =>
  drawn((i) => (i % 2 === 0 ? 50e3 + 1.95e6 * Math.random() : 540e6 + 120e6 * Math.random()));

const SLICE = 20_000;

/** Takes and pushes `takes` times; a slice is a call of its own, so that it is compiled whole. */
function holdSlice(queue, table, from) {
  const { due } = queue;
  for (let i = from; i < from + SLICE; i++) {
    queue.take();
    queue.push(due.atUs + table[(i * 7 + due.key) & (PAUSES - 1)], due.key);
  }
}

function holdNs(queue, table, count) {
  for (let i = 0; i < count; i++) queue.push(table[(i * 13) & (PAUSES - 1)], i);
  const slices = Math.max(50, Math.ceil((3 * count) / SLICE));
  for (let s = 0; s < slices; s++) holdSlice(queue, table, s * SLICE);
  let best = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < 5; repeat++) {
    const start = process.cpuUsage();
    for (let s = 0; s < slices; s++) holdSlice(queue, table, s * SLICE);
    best = Math.min(best, nsSince(start) / (slices * SLICE));
  }
  return best;
}

function nsSince(start) {
  const used = process.cpuUsage(start);
  return (used.user + used.system) * 1000;
}

const BURST = 20_000;
const PERIOD_US = 60e6;
/** Keys of burst events; those below belong to the 100 000 periodic ones. */
const BURST_KEY = 1 << 26;

/** All pushed ahead of time for one instant, or for 5 ms, or pushed one from another. */
const burstPlaces = {
  'same instant': (queue, atUs) => {
    for (let i = 0; i < BURST; i++) queue.push(atUs, BURST_KEY + ((i * 7919) % BURST));
  },
  'inside 5 ms': (queue, atUs) => {
    for (let i = 0; i < BURST; i++) {
      queue.push(atUs + Math.floor(5000 * Math.random()), BURST_KEY + i);
    }
  },
  'into the present': (queue, atUs) => queue.push(atUs, 2 * BURST_KEY),
};

function burstSlice(queue, endUs) {
  const { due } = queue;
  let events = 0;
  for (; due.atUs < endUs; events++) {
    queue.take();
    if (due.key < BURST_KEY) queue.push(due.atUs + PERIOD_US, due.key);
    else if (due.key === 2 * BURST_KEY) pushIntoPresent(queue, due.atUs);
  }
  return events;
}

function pushIntoPresent(queue, nowUs) {
  for (let i = 0; i < BURST; i++) {
    queue.push(nowUs + Math.floor(300 * Math.random()), BURST_KEY + i);
  }
}

function burstNs(queue, place) {
  for (let i = 0; i < 1e5; i++) queue.push(Math.floor(Math.random() * PERIOD_US), i);
  queue.push(0, 0);
  queue.take();
  let best = Number.POSITIVE_INFINITY;
  for (let minute = 0; minute < 40; minute++) {
    const start = process.cpuUsage();
    place(queue, minute * PERIOD_US + 30e6);
    const events = burstSlice(queue, (minute + 1) * PERIOD_US);
    best = Math.min(best, nsSince(start) / events);
  }
  return best;
}

const cells = {};
for (const [name, table] of Object.entries({ exp: exponential, lora })) {
  for (const count of [1e3, 1e4, 1e5, 1e6]) {
    cells[`hold ${name} ${count}`] = (queue) => holdNs(queue, table(), count);
  }
}
for (const [name, place] of Object.entries(burstPlaces)) {
  cells[`burst ${name}`] = (queue) => burstNs(queue, place);
}
const queues = { bucket: () => new EventQueue(), heap: () => new BinaryHeap() };

const [first, queueName] = process.argv.slice(2);
if (queueName in queues) {
  console.log(cells[first](queues[queueName]()).toFixed(1));
} else {
  const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(cells);
  console.log('ns per event                 bucket   heap');
  for (const cell of chosen) {
    const [bucket, heap] = Object.keys(queues).map((name) =>
      execFileSync(process.execPath, [fileURLToPath(import.meta.url), cell, name], {
        encoding: 'utf8',
      }).trim(),
    );
    console.log(`${cell.padEnd(26)} ${bucket.padStart(8)} ${heap.padStart(6)}`);
  }
}
