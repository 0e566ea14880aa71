/**
 * CPU time of whole campaigns: set-up of ABP devices by the campaign itself, 234 fragments of
 * 50 KiB and 29 of redundancy at DR5, 10 % constant loss, one gateway per thousand devices.
 *
 * Run: `npx tsc -b && node test/bench/campaigns.mjs [devices …]`
 *
 * Without arguments: 1000, 2000, 4000 and 8000 devices, a process each, and how the time grows.
 * With one: this many devices in this process, which `--cpu-prof` then describes.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { World } from '../../dist/core/world/world.js';
import { networkOf } from '../../dist/test/support/small-network.js';

const S = 1_000_000;
const HOUR = 3600 * S;
const IMAGE_BYTES = 50 * 1024;
const SET_UP_HOURS = 12;

/** Speaks once an hour; what it does not say is as in the networks of tests. */
const WANTED = {
  type: { startSpreadUs: 1000 * S, driftPpb: 20_000, dutyCycle: true, frameLossPpm: 100_000 },
  traffic: { meanUs: HOUR, payloadBytes: 12 },
  backhaul: { latencyUs: 50_000 },
};

/** Clusters of a thousand devices around a gateway each, out of each other's reach. */
function planOf(devices) {
  const clusters = Math.ceil(devices / 1000);
  const gatewaysAt = Array.from({ length: clusters }, (_, cluster) => 40_000 * cluster);
  const network = networkOf({ ...WANTED, devices, gatewaysAt });
  const spread = network.devices.map((device, i) => ({
    ...device,
    xMeters: gatewaysAt[i % clusters] + ((i * 7919) % 1000) - 500,
    yMeters: ((i * 104729) % 1000) - 500,
  }));
  const startUnixMs = 1_767_225_600_000;
  const durationUs = (2 + SET_UP_HOURS + 4) * HOUR;
  const plan = { name: 'bench', description: '', durationUs, timeline: [] };
  return { ...plan, network: { ...network, startUnixMs, devices: spread } };
}

const cpuSeconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;

function measure(devices) {
  const plan = planOf(devices);
  const bytes = Uint8Array.from({ length: IMAGE_BYTES }, (_, i) => (i * 7919 + 13) % 251);
  const world = World.create(plan, 'bench', { records: false });
  const stages = {};
  let before = cpuSeconds();
  const lap = (stage) => {
    const now = cpuSeconds();
    stages[stage] = +(now - before).toFixed(3);
    before = now;
  };
  world.runUntil(2 * HOUR);
  lap('before');
  const submit = (command) => {
    const answer = world.submit({ ...command, by: 'default' });
    if (!answer.ok) throw new Error(answer.failure.message);
  };
  submit({ kind: 'image.create', name: 'meter-1.2.0.bin', bytes, tags: [] });
  const members = plan.network.devices.map(({ devEui }) => devEui);
  const id = 'groupA';
  submit({ kind: 'deviceGroup.create', id, group: { name: 'all', devices: members } });
  const campaign = {
    name: 'campaign',
    image_name: 'meter-1.2.0.bin',
    device_group_id: id,
    multicast_setup_time: SET_UP_HOURS * 3600,
    mcast_dr: 5,
    frag_size: 219,
    redundancy: 29 / 234,
  };
  submit({ kind: 'campaign.create', campaign });
  lap('create');
  world.runUntil((2 + SET_UP_HOURS) * HOUR);
  lap('setUp');
  world.runUntil((2 + SET_UP_HOURS) * HOUR + 90 * 60 * S);
  lap('session');
  world.runUntil(world.endUs);
  lap('verify');
  const [{ sent, nbFrag, redundancy, success, failures, stage, funnel }] = world.result().campaigns;
  lap('result');
  const passed = funnel.find(({ step }) => step === 'session').devices;
  const cpu = +cpuSeconds().toFixed(2);
  const { events } = world;
  return {
    devices,
    cpu,
    stages,
    events,
    sent,
    nbFrag,
    redundancy,
    passed,
    success,
    failures,
    stage,
  };
}

/** Exponent of a power law through the points, by least squares. */
function slopeOf(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const [mx, my] = [mean(logs.map(([x]) => x)), mean(logs.map(([, y]) => y))];
  const up = mean(logs.map(([x, y]) => (x - mx) * (y - my)));
  return up / mean(logs.map(([x]) => (x - mx) ** 2));
}

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 1) {
  console.log(JSON.stringify(measure(sizes[0])));
} else {
  const self = fileURLToPath(import.meta.url);
  const results = (sizes.length > 1 ? sizes : [1000, 2000, 4000, 8000]).map((devices) =>
    JSON.parse(execFileSync(process.execPath, [self, String(devices)], { encoding: 'utf8' })),
  );
  for (const result of results) console.log(JSON.stringify(result));
  for (const part of ['session', 'setUp', 'verify']) {
    const slope = slopeOf(results.map(({ devices, stages }) => [devices, stages[part]]));
    console.log(`${part} grows with devices^${slope.toFixed(2)}`);
  }
  const slope = slopeOf(results.map(({ devices, cpu }) => [devices, cpu]));
  console.log(`all grows with devices^${slope.toFixed(2)}`);
}
