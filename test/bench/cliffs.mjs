/**
 * Costs that may grow faster than the work: `npm run build && npm run bench:cliffs -- [words]`.
 * Each row is a scenario at growing sizes, run by the program in processes of its own; a row is
 * chosen by a word of its name. Prints CPU seconds with the start-up of an empty run taken off,
 * peak memory, the cost that `validate` forecasts, and the exponent of the last step.
 *
 *     --cap=120     a process is ended after that many seconds of CPU time
 *     --sizes=2     only the first two sizes of each row
 *     --json        rows as JSON
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HERE, optionsOf } from './measured.mjs';
import { ask, serve } from './serve/served.mjs';

const PROGRAM = join(HERE, 'dist/fleetwave.js');

const lines = (count, line) => Array.from({ length: count }, (_, i) => line(i)).join('\n');

/** Radius of an area that grows with its gateways, m: each has as many neighbours as before. */
const meters = (gateways) => Math.round(2_000 * Math.sqrt(gateways / 10));

const EMPTY = `
scenario: empty
duration: 1 s
gateways: [{ name: mast }]
devices: [{ name: meter, count: 1, activation: abp, traffic: { process: none } }]
`;

const beacons = (gateways, gps = true) => `
scenario: beacons
duration: 30 min
area: { radius: ${meters(gateways)} m }
gateways: [{ name: mast, count: ${gateways}, gps: ${gps} }]
devices: [{ name: meter, count: 100, activation: abp, traffic: { every: 10 min } }]
`;

const populationFaults = (entries) => `
scenario: faults
duration: 1 d
area: { radius: 3 km }
gateways: [{ name: mast, count: 2 }]
devices: [{ name: meter, count: 2000, activation: abp, traffic: { every: 6 h } }]
timeline:
${lines(entries, (i) => {
  const fault = `fault: attenuation, by: ${1 + (i % 20)} dB, for: 2 h`;
  const atS = 600 + Math.floor((i * 80_000) / entries);
  return `  - { at: ${atS} s, deviceFault: { device: meter, ${fault} } }`;
})}
`;

const overlap = (gateways) => `
scenario: overlap
duration: 1 h
area: { radius: 500 m }
radio: { pathLoss: { model: constant, loss: 110 dB }, shadowing: 3 dB }
gateways: [{ name: mast, count: ${gateways} }]
devices:
  - name: meter
    count: 100
    activation: abp
    dataRate: DR5
    adr: false
    traffic: { every: 10 min }
`;

const classC = (devices) => `
scenario: class-c
duration: 6 h
radio: { pathLoss: { model: constant, loss: 110 dB } }
gateways: [{ name: mast, count: 1, dutyCycle: false }]
server: { rx2DataRate: DR5 }
devices:
  - name: valve
    count: ${devices}
    class: C
    activation: abp
    dataRate: DR5
    adr: false
    joinWithin: 1 h
    traffic: { every: 3 h }
timeline:
${lines(devices, (i) => `  - { at: 2 h, downlink: { to: valve-${i + 1}, payload: "0a10" } }`)}
`;

const image = (bytes) => `
scenario: image
duration: 10 d
radio: { pathLoss: { model: constant, loss: 110 dB } }
gateways: [{ name: mast, count: 1, dutyCycle: false }]
devices:
  - name: meter
    count: 100
    class: C
    activation: abp
    dataRate: DR5
    adr: false
    frameLoss: 10 %
    traffic: { every: 30 min }
images: [{ name: meter-1.1.0.bin, bytes: ${bytes / 1_000} kB }]
groups: [{ name: town, devices: all }]
campaigns:
  - name: update
    image: meter-1.1.0.bin
    group: town
    at: 1 h
    redundancy: 30 %
    frag_size: 200 B
    mcast_dr: 5
    frag_send_delay: 1 s
`;

const classB = (gateways) => `
scenario: class-b
duration: 2 h
area: { radius: ${meters(gateways)} m }
gateways: [{ name: mast, count: ${gateways}, gps: true }]
devices:
  - name: valve
    count: 2000
    class: B
    activation: abp
    joinWithin: 10 min
    traffic: { every: 30 min }
`;

const LISTED = 100_000;

const listed = `
scenario: pages
duration: 30 d
radio: { pathLoss: { model: constant, loss: 110 dB } }
server: { adr: false }
gateways: [{ name: mast }]
devices:
  - name: meter
    count: ${LISTED}
    activation: abp
    dataRate: DR5
    adr: false
    joinWithin: 1 d
    traffic: { every: 1 d }
`;

/** What grows, its sizes, and the scenario of a size. */
const ROWS = [
  { name: 'beacons of gateways', sizes: [500, 1_000, 2_000], text: beacons },
  {
    name: 'beacons: 10 000 gateways by GPS',
    sizes: ['without', 'with'],
    text: (gps) => beacons(10_000, gps === 'with'),
  },
  { name: 'faults of a population', sizes: [100, 400, 1_600], text: populationFaults },
  { name: 'overlapping gateways', sizes: [1_000, 2_000, 4_000], text: overlap },
  { name: 'class C devices', sizes: [2_000, 4_000, 8_000, 16_000], text: classC },
  { name: 'image bytes', sizes: [500_000, 1_000_000, 2_000_000], text: image },
  { name: 'class B gateways', sizes: [100, 200, 400, 800], text: classB },
];

/** The program under GNU time, ended when it has had its CPU time. */
function run(words, capS) {
  const capped = `ulimit -t ${capS}; exec "$0" "$@"`;
  const command = ['-f', '%U %S %M', 'sh', '-c', capped, process.execPath, PROGRAM];
  const { stderr, stdout } = spawnSync('/usr/bin/time', [...command, ...words], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const [user, system, kilobytes] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  const isEnded = !/terminated by signal/.test(stderr);
  const cpuSeconds = user + system;
  const megabytes = kilobytes / 1024;
  return { cpuSeconds, megabytes, isEnded, printed: stdout, complaints: stderr };
}

function startSeconds(folder) {
  const file = join(folder, 'empty.yaml');
  writeFileSync(file, EMPTY);
  const once = () => run(['run', file, '--out', join(folder, 'out')], 60).cpuSeconds;
  return Math.min(once(), once(), once());
}

function forecastOf(file, capS) {
  const { printed } = run(['validate', file], capS);
  return /a run takes about (.* MB)/.exec(printed)?.[1] ?? 'none';
}

function measureRow({ name, sizes, text }, folder, { startS, capS }) {
  const points = sizes.map((size) => {
    const file = join(folder, 'cliff.yaml');
    writeFileSync(file, text(size));
    const ran = run(['run', file, '--out', join(folder, 'out'), '--no-report', '--quiet'], capS);
    const { cpuSeconds, megabytes, isEnded } = ran;
    if (/cliff.yaml:/.test(ran.complaints)) throw new Error(ran.complaints);
    const seconds = Math.max(0.01, cpuSeconds - startS);
    return { size, seconds, megabytes, isEnded, forecast: forecastOf(file, capS) };
  });
  return { name, points, exponent: exponentOf(points) };
}

/** By how much the last step has grown, as a power; undefined of what has no sizes. */
function exponentOf(points) {
  const [before, last] = points.slice(-2);
  if (last === undefined || typeof last.size !== 'number') return undefined;
  return Math.log(last.seconds / before.seconds) / Math.log(last.size / before.size);
}

const PAGE = 100;

/** CPU time of pages of `/v2/devices` along the whole list, and of the list at once. */
async function measurePages({ name, sizes }, folder) {
  const file = join(folder, 'pages.yaml');
  writeFileSync(file, listed);
  const server = await serve([file, '--paused'], { isTls: false });
  const msOf = async (path) => {
    const before = await server.tell();
    const { status } = await ask(server, { path });
    if (status !== 200) throw new Error(`${path} is answered with ${status}`);
    return (await server.tell()).cpuMs - before.cpuMs;
  };
  try {
    await ask(server, { method: 'POST', path: '/sim/v1/clock:advance', body: { by: 86_400 } });
    const points = [];
    for (const size of sizes) {
      const page = Math.max(1, Math.round((size * LISTED) / PAGE));
      const path = size === 'all' ? '/v2/devices' : `/v2/devices?page=${page}&page_size=${PAGE}`;
      const times = [];
      for (let i = 0; i < 5; i++) times.push(await msOf(path));
      points.push({ size, seconds: Math.min(...times) / 1_000, megabytes: 0, isEnded: true });
    }
    return { name, points };
  } finally {
    await server.stop();
  }
}

for (const row of ROWS) row.measure = measureRow;
const PAGES = {
  name: 'pages of /v2/devices',
  sizes: [0, 0.5, 1, 'all'],
  measure: measurePages,
};

function print({ name, points, exponent }) {
  console.log(name);
  for (const { size, seconds, megabytes, isEnded, forecast } of points) {
    const time = `${isEnded ? '' : '> '}${Number(seconds.toPrecision(3))} s`;
    const memory = megabytes === 0 ? '' : `, ${Math.round(megabytes)} MB`;
    console.log(`  ${size}: ${time}${memory}${forecast ? `; forecast ${forecast}` : ''}`);
  }
  if (exponent !== undefined) console.log(`  exponent of the last step: ${exponent.toFixed(2)}`);
}

async function main(words) {
  const { cap = '120', sizes = '9', json } = optionsOf(words);
  const asked = words.filter((word) => !word.startsWith('--'));
  const isAsked = ({ name }) => asked.length === 0 || asked.some((word) => name.includes(word));
  const folder = mkdtempSync(join(tmpdir(), 'fleetwave-bench-'));
  try {
    const startS = startSeconds(folder);
    if (!json) console.log(`start-up of an empty run: ${startS.toFixed(2)} s`);
    const results = [];
    for (const row of [...ROWS, PAGES].filter(isAsked)) {
      const shorter = { ...row, sizes: row.sizes.slice(0, Number(sizes)) };
      const measured = await row.measure(shorter, folder, { startS, capS: Number(cap) });
      results.push(measured);
      if (!json) print(measured);
    }
    if (json) console.log(JSON.stringify(results));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await main(process.argv.slice(2));
