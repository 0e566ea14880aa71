/**
 * What a long list costs: first byte, whole, CPU time, blocks and memory of `GET /v2/devices` and
 * of the lists of the first version, over TLS on loopback, of devices that have spoken for two
 * days. It starts the bundle: `npm run build && node test/bench/v2-list.mjs [devices]`
 *
 * The server is paused, and then goes on at ×1. Of ROUNDS (5) the best counts; RSS is what it grew
 * by after a list was read. The yardstick makes the same text of plain objects, in this process.
 * PLAIN: without TLS.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, serve, sleep } from './serve/served.mjs';

const DEVICES = Number(process.argv[2] ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const IS_TLS = process.env.PLAIN === undefined;

const SCENARIO = `
scenario: many-devices
duration: 30 d
radio: { pathLoss: { model: constant, loss: 110 dB } }
server: { adr: false }
gateways: [{ name: mast, count: 1 }]
devices:
  - name: meter
    count: ${DEVICES}
    activation: abp
    dataRate: DR5
    adr: false
    joinWithin: 1 d
    traffic: { every: 1 d }
`;

/** Reads an answer as it comes, and keeps its text if that is wanted. */
function read({ url, ca, token }, path, accept, keeps = false) {
  const began = performance.now();
  const request = url.startsWith('https') ? requestTls : requestPlain;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept };
    const asked = request(url + path, { ca, headers, agent: false }, (answer) => {
      let [first, bytes] = [Number.NaN, 0];
      const chunks = [];
      answer.on('data', (chunk) => {
        if (bytes === 0) first = performance.now() - began;
        bytes += chunk.length;
        if (keeps) chunks.push(chunk);
      });
      answer.on('end', () => {
        const ms = performance.now() - began;
        const text = keeps ? Buffer.concat(chunks).toString() : '';
        resolve({ status: answer.statusCode, first, ms, bytes, text });
      });
    });
    asked.on('error', reject).end();
  });
}

const JSON_LINES = 'application/x-ndjson';
const filter = (value) => `filter=${encodeURIComponent(JSON.stringify(value))}`;
const pattern = { name: { $ilike: '~9~' }, health_state: { $in: ['good', 'offline'] } };
const LISTS = [
  ['all', '/v2/devices'],
  ['all, lines', '/v2/devices', JSON_LINES],
  ['sorted by two', '/v2/devices?sort=-last_uplink,name'],
  ['filtered, sorted, a page', `/v2/devices?${filter(pattern)}&sort=-average_rssi&page_size=100`],
  ['one page', '/v2/devices?page_size=100'],
  ['two fields', '/v2/devices?field_mask=name,health_state'],
  ['v1, all', '/v1/devices'],
  ['v1, by health', '/v1/devices/health'],
];

const round = (value) => Number(value.toPrecision(3));

async function measure(server) {
  const rows = [];
  for (const [what, path, accept = 'application/json'] of LISTS) {
    const figures = [];
    for (let i = 0; i < ROUNDS; i++) {
      const before = await server.tell({ collects: true });
      const { status, first, ms, bytes } = await read(server, path, accept);
      const after = await server.tell();
      if (status !== 200) throw new Error(`${path} is answered with ${status}`);
      const [cpu, block] = [after.cpuMs - before.cpuMs, after.blockMs];
      figures.push({ first, ms, bytes, cpu, block, rss: after.rss - before.rss });
    }
    const least = (name) => round(Math.min(...figures.map((each) => each[name])));
    rows.push({
      what,
      MB: round(figures[0].bytes / 1e6),
      'first byte ms': least('first'),
      'whole ms': least('ms'),
      'CPU ms': least('cpu'),
      'block ms': least('block'),
      'RSS grew MiB': least('rss'),
    });
  }
  return rows;
}

async function yardstick(server) {
  const { text } = await read(server, '/v2/devices', 'application/json', true);
  const value = JSON.parse(text);
  const times = Array.from({ length: ROUNDS }, () => {
    const { user } = process.cpuUsage();
    if (JSON.stringify(value).length === 0) throw new Error('there is text');
    return (process.cpuUsage().user - user) / 1000;
  });
  return { devices: value.data.length, 'JSON.stringify, CPU ms': round(Math.min(...times)) };
}

const folder = mkdtempSync(join(tmpdir(), 'fleetwave-bench-'));
const file = join(folder, 'many.yaml');
writeFileSync(file, SCENARIO);
const server = await serve([file, '--paused'], { isTls: IS_TLS });
try {
  await ask(server, { method: 'POST', path: '/sim/v1/clock:advance', body: { by: 2 * 86_400 } });
  console.log(`\n${DEVICES} devices, ${IS_TLS ? 'TLS' : 'plain HTTP'} on loopback`);
  console.table([await yardstick(server)]);
  console.log('paused');
  console.table(await measure(server));
  await ask(server, { method: 'PUT', path: '/sim/v1/clock', body: { paused: false, speed: 1 } });
  await sleep(500);
  console.log('at ×1');
  console.table(await measure(server));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
