/**
 * Deliveries to real receivers: how many go out, and what of them is in memory. It starts the
 * bundle, as users do. `npm run build && node test/bench/deliveries.mjs [devices]`.
 *
 *     one webhook     messages a minute to one receiver, while the world runs at full speed
 *     a virtual day   at full speed to 20 receivers; two of them always fail: resident memory
 *                     while they wait, and whether what is reported is all
 *
 * The receivers are in this process, on the same cores.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, cpuSeconds, residentMiB, serve, sleep } from './serve/served.mjs';

const DEVICES = Number(process.argv[2] ?? 1_000);
const DAY_S = 86_400;
const POPULATIONS = 10;

/** Paths that begin with /fails are answered 503. */
async function receivers() {
  const taken = { messages: 0 };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const fails = request.url.startsWith('/fails');
      if (!fails) taken.messages++;
      response.writeHead(fails ? 503 : 200).end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, taken, close: () => server.closeAllConnections() ?? server.close() };
}

const population = (i, count, targets) => ({
  device:
    `  - { name: meter${i}, count: ${count}, subscriber: ann, activation: abp, dataRate: DR5, ` +
    `adr: false, traffic: { every: 10 min }, outputProfile: readings${i} }`,
  profile:
    `  - { name: readings${i}, subscriber: ann, rest: [` +
    `${targets.map((url) => `{ url: "${url}", outputFormat: simple }`).join(', ')}] }`,
});

const scenarioOf = (populations) => `
scenario: deliveries
duration: 30 d
seed: bench
subscribers: [ann]
radio: { pathLoss: { model: constant, loss: 110 dB } }
gateways:
  - { name: mast, count: 4, subscriber: ann }
devices:
${populations.map(({ device }) => device).join('\n')}
outputProfiles:
${populations.map(({ profile }) => profile).join('\n')}
`;

async function outboxOf(server) {
  const { value } = await ask(server, { path: '/sim/v1/deliveries/outbox' });
  return value.targets;
}

const sumOf = (targets, name) => targets.reduce((sum, each) => sum + each[name], 0);
const ENDS = ['delivered', 'refused', 'failed', 'given_up', 'removed', 'ended', 'waiting'];

async function served(scenario, act) {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwave-bench-'));
  const file = join(folder, 'deliveries.yaml');
  writeFileSync(file, scenario);
  const server = await serve([file, '--paused', '--speed', 'max'], { folder, isProbed: false });
  try {
    return await act(server);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

const put = (server, body) => ask(server, { method: 'PUT', path: '/sim/v1/clock', body });

async function oneWebhook() {
  const { url, taken, close } = await receivers();
  const rate = await served(scenarioOf([population(0, DEVICES, [`${url}/in`])]), async (server) => {
    const by = { method: 'POST', path: '/sim/v1/clock:advance', body: { by: DAY_S / 4 } };
    const began = performance.now();
    const cpu = cpuSeconds(server.pid);
    await ask(server, by);
    while (sumOf(await outboxOf(server), 'waiting') > 0) await sleep(100);
    const minutes = (performance.now() - began) / 60_000;
    const a = taken.messages / minutes;
    const used = (cpuSeconds(server.pid) - cpu) / taken.messages;
    return { messages: taken.messages, aMinute: Math.round(a), cpuUs: Math.round(used * 1e6) };
  });
  close();
  return rate;
}

async function virtualDay() {
  const { url, close } = await receivers();
  const populations = Array.from({ length: POPULATIONS }, (_, i) => {
    const second = i < 2 ? `${url}/fails/${i}` : `${url}/b/${i}`;
    return population(i, DEVICES / POPULATIONS, [`${url}/a/${i}`, second]);
  });
  const report = await served(scenarioOf(populations), async (server) => {
    const at = async () => {
      const { value } = await ask(server, { path: '/sim/v1/world' });
      return (Date.parse(value.now) - Date.parse(value.started_at)) / 1000;
    };
    const memory = [];
    const began = performance.now();
    await put(server, { paused: false, speed: 'max' });
    for (let hours = 0; hours < 24; ) {
      await sleep(250);
      hours = (await at()) / 3600;
      memory.push({ hours, mib: residentMiB(server.pid) });
    }
    await put(server, { paused: true });
    const worldS = (performance.now() - began) / 1000;
    const waits = sumOf(await outboxOf(server), 'waiting');
    for (let last = -1; ; ) {
      await sleep(1_000);
      memory.push({ mib: residentMiB(server.pid) });
      const delivered = sumOf(await outboxOf(server), 'delivered');
      if (delivered === last) break;
      last = delivered;
    }
    const targets = await outboxOf(server);
    const { value } = await ask(server, { path: '/sim/v1/deliveries' });
    const complete = targets.every((each) => {
      const all = ENDS.reduce((sum, name) => sum + each[name], 0);
      return all === each.left + each.redelivered;
    });
    const leftWorld = sumOf(value.targets, 'left');
    return { worldS, waits, memory, targets, complete, leftWorld };
  });
  close();
  return report;
}

const one = await oneWebhook();
console.log(
  `one webhook: ${one.messages} messages, ${one.aMinute} a minute, ${one.cpuUs} µs CPU each`,
);
const day = await virtualDay();
const mib = day.memory.map((each) => Math.round(each.mib));
const left = sumOf(day.targets, 'left');
console.log(
  `a virtual day of ${DEVICES} devices in ${day.worldS.toFixed(1)} s; ${day.waits} waited then`,
);
const ends = ENDS.map((name) => `${name} ${sumOf(day.targets, name)}`).join(', ');
console.log(`  left ${left} (the world says ${day.leftWorld}): ${ends}`);
console.log(
  `  what is reported is ${day.complete && left === day.leftWorld ? 'complete' : 'NOT complete'}`,
);
const some = mib.filter((_, i) => i % Math.ceil(mib.length / 12) === 0).join(' ');
console.log(
  `  resident memory, MiB, from the start to the end: ${some}, at most ${Math.max(...mib)}`,
);
process.exit(day.complete && left === day.leftWorld ? 0 : 1);
