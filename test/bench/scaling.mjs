/**
 * How cost grows with size: `node test/bench/scaling.mjs` after a build.
 *
 * Networks of 1 000 to 16 000 devices with gateways and area in proportion, so that the load of a
 * gateway stays the same; then the uplink-only network of ns-3's lorawan module at 1 000 and
 * 10 000 devices. Each run has a process of its own: CPU seconds and peak memory are its alone.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DEVICES_A_GATEWAY = 250;
const METERS_A_GATEWAY = 1_500;
const SIZES = [1_000, 2_000, 4_000, 8_000, 16_000];
const W1_SIZES = [1_000, 10_000];

/** A town of `devices` meters with confirmed uplinks now and then, for six hours. */
function town(devices) {
  const gateways = devices / DEVICES_A_GATEWAY;
  return JSON.stringify({
    scenario: 'town',
    duration: '6 h',
    area: { radius: `${Math.round(METERS_A_GATEWAY * Math.sqrt(gateways))} m` },
    gateways: [{ name: 'roof', count: gateways }],
    devices: [
      {
        name: 'meter',
        count: devices,
        joinWithin: '30 min',
        traffic: { every: '10 min', payload: '12 B', confirmed: '5 %' },
      },
    ],
  });
}

const w1 = () =>
  readFileSync(new URL('../../scenarios/library/validation/w1.yaml', import.meta.url), 'utf8');

/** In the process of its own: runs one scenario and prints what it took. */
async function measure(kind, devices) {
  const built = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
  const { load } = await built('scenarios/load.js');
  const { populate } = await built('scenarios/filling/populate.js');
  const { World } = await built('core/world/world.js');
  const text = kind === 'w1' ? w1() : town(devices);
  const set = kind === 'w1' ? [`devices.device.count=${devices}`] : [];
  const loaded = load('a.yaml', new Map([['a.yaml', new TextEncoder().encode(text)]]), set);
  if (loaded.outcome !== 'scenario') throw new Error(JSON.stringify(loaded));
  const before = process.cpuUsage();
  const world = World.create(populate(loaded.scenario, 'scaling'), 'scaling', { records: false });
  const created = process.cpuUsage(before);
  world.runUntil(world.endUs);
  const used = process.cpuUsage(before);
  const { radio } = world.result();
  const seconds = ({ user, system }) => (user + system) / 1e6;
  process.stdout.write(
    JSON.stringify({
      createSeconds: seconds(created),
      cpuSeconds: seconds(used),
      rssMegabytes: process.resourceUsage().maxRSS / 1024,
      events: world.events,
      uplinks: radio.uplinks,
      delivered: radio.received / radio.uplinks,
    }),
  );
}

function inOwnProcess(kind, devices) {
  const args = [fileURLToPath(import.meta.url), kind, `${devices}`];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

/** Exponent of the power law through the points, by least squares on logarithms. */
function slope(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (i) => logs.reduce((sum, point) => sum + point[i], 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const over = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return over / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

function row(devices, one) {
  const figures = [
    `${devices}`.padStart(8),
    `${one.cpuSeconds.toFixed(2)} s`.padStart(10),
    `${one.createSeconds.toFixed(2)} s`.padStart(10),
    `${((1e6 * one.cpuSeconds) / one.events).toFixed(2)} µs`.padStart(10),
    `${one.rssMegabytes.toFixed(0)} MB`.padStart(9),
    `${one.events}`.padStart(10),
    one.delivered.toFixed(4).padStart(10),
  ];
  return figures.join('');
}

const HEAD = ' devices       CPU    create  CPU/event     peak    events  received';

function table(title, kind, sizes) {
  process.stdout.write(`${title}\n${HEAD}\n`);
  return sizes.map((devices) => {
    const one = inOwnProcess(kind, devices);
    process.stdout.write(`${row(devices, one)}\n`);
    return [devices, one];
  });
}

function main() {
  const rows = table('A town that grows, 250 devices a gateway, six hours', 'town', SIZES);
  const exponent = (of) => slope(rows.map(([devices, one]) => [devices, of(one)])).toFixed(3);
  process.stdout.write(`CPU grows as devices^${exponent((one) => one.cpuSeconds)}`);
  process.stdout.write(`, peak memory as devices^${exponent((one) => one.rssMegabytes)}\n\n`);
  table('W1: one gateway, uplinks only, one hour', 'w1', W1_SIZES);
}

const [, , kind, devices] = process.argv;
if (kind === undefined) main();
else await measure(kind, Number(devices));
