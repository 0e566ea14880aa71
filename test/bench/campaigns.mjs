/**
 * CPU time of whole campaigns: set-up of ABP devices by the campaign itself, 234 fragments of
 * 50 KiB and 29 of redundancy at DR5, 10 % constant loss, one gateway per thousand devices.
 *
 * Run: `npx tsc -b core && node test/bench/campaigns.mjs [devices …]`
 *
 * Without arguments: 1000, 2000, 4000 and 8000 devices, a process each, and how the time grows.
 * With one: this many devices in this process, which `--cpu-prof` then describes.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { World } from '../../dist/core/world/world.js';

const S = 1_000_000;
const HOUR = 3600 * S;
const IMAGE_BYTES = 50 * 1024;
const SET_UP_HOURS = 12;

const hex = (prefix, i) => prefix + i.toString(16).toUpperCase().padStart(14, '0');

const RADIO = {
  pathLoss: { model: 'logDistance', exponent: 3.76, referenceLossDb: 7.7, referenceMeters: 1 },
  shadowingSigmaDb: 0,
  noiseFigureDb: 6,
  gatewaySensitivityCentiDbm: [-12500, -12750, -13000, -13250, -13500, -13750, -14000, -14250],
  deviceSensitivityCentiDbm: [-11800, -12100, -12400, -12700, -13000, -13300, -13500, -13700],
  interference: {
    model: 'energy',
    sirCentiDb: [7, 8, 9, 10, 11, 12].map((wanted) =>
      [7, 8, 9, 10, 11, 12].map((other) => (wanted === other ? 600 : -1600)),
    ),
    window: 'afterLock',
  },
  ignoredBelowCentiDbm: -14300,
};

const TRAFFIC = { jitterPpm: 0, payloadBytes: 12, fPort: 7, confirmedPpm: 0 };

/** Speaks once an hour. */
const METER = {
  name: 'meter',
  deviceClass: 'A',
  activation: 'abp',
  startSpreadUs: 1000 * S,
  traffic: { process: 'periodic', meanUs: HOUR, ...TRAFFIC },
  dataRate: { from: 'fixed', dataRate: 5 },
  adr: false,
  maxEirpCentiDbm: 1600,
  antennaGainCentiDb: 0,
  indoorPpm: 0,
  driftPpb: 20_000,
  nbTrans: 1,
  confirmedTries: 8,
  dutyCycle: true,
  firmwareVersion: 0x01000000,
  hardwareVersion: 0x01000000,
  frameLossPpm: 100_000,
};

/** Clusters of a thousand devices around a gateway each, out of each other's reach. */
function planOf(devices) {
  const gateways = Math.ceil(devices / 1000);
  const at = (cluster) => 40_000 * cluster;
  const network = {
    region: 'EU868',
    startUnixMs: 1_767_225_600_000,
    frames: 'counted',
    verifyAllImages: false,
    radio: RADIO,
    gateways: Array.from({ length: gateways }, (_, g) => ({
      name: `gateway-${g + 1}`,
      eui: hex('06', g + 1),
      xMeters: at(g),
      yMeters: 0,
      receptionPaths: 8,
      antennaGainCentiDb: 0,
      maxEirpCentiDbm: 2915,
      dutyCycle: true,
      backhaul: { latencyUs: 50_000, jitterUs: 0, lossPpm: 0 },
    })),
    deviceTypes: [METER],
    devices: Array.from({ length: devices }, (_, i) => ({
      name: `meter-${i + 1}`,
      devEui: hex('02', i + 1),
      xMeters: at(i % gateways) + ((i * 7919) % 1000) - 500,
      yMeters: ((i * 104729) % 1000) - 500,
      type: 0,
    })),
    server: {
      deduplicationUs: 200_000,
      netId: 0,
      rx1DelayS: 1,
      rx1DrOffset: 0,
      rx2DataRate: 0,
      adr: false,
      adrMarginCentiDb: 1000,
    },
    uplinkChannelsHz: [],
  };
  const durationUs = (2 + SET_UP_HOURS + 4) * HOUR;
  return { name: 'bench', description: '', durationUs, network, timeline: [] };
}

const cpuSeconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;

function measure(devices) {
  const plan = planOf(devices);
  const bytesHex = Array.from({ length: IMAGE_BYTES }, (_, i) =>
    ((i * 7919 + 13) % 251).toString(16).padStart(2, '0'),
  ).join('');
  const world = World.create(plan, 'bench');
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
    const answer = world.submit(command);
    if (!answer.ok) throw new Error(answer.failure.message);
  };
  submit({ kind: 'image.create', name: 'meter-1.2.0.bin', bytesHex, tags: [] });
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
