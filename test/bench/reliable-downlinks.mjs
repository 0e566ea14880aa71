/**
 * CPU time of a reliable downlink job: a day of hourly uplinks of ABP devices of class A, 10 %
 * constant loss, one gateway per thousand devices. Nobody answers, so the job sends with every
 * uplink of each device; beside it the same world without a job, and one in which an application
 * sends as many downlinks.
 *
 * Run: `npx tsc -b && node test/bench/reliable-downlinks.mjs [devices …]`
 *
 * Without arguments: 2500, 5000 and 10000 devices, a process for each figure.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { World } from '../../dist/core/world/world.js';
import { networkOf } from '../../dist/test/support/small-network.js';

const S = 1_000_000;
const HOUR = 3600 * S;
const HOURS = 24;
/** By then each device has been heard. */
const FIRST_HOURS = 8;

const WANTED = {
  type: { startSpreadUs: 3600 * S, driftPpb: 20_000, dutyCycle: true, frameLossPpm: 100_000 },
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
  const plan = {
    name: 'bench',
    description: '',
    durationUs: (FIRST_HOURS + HOURS) * HOUR,
    timeline: [],
  };
  return { ...plan, network: { ...network, startUnixMs, devices: spread } };
}

const JOB = {
  name: 'bench',
  downlink_hex: '0102',
  downlink_fport: 9,
  expected_uplink_hex: 'ff',
  expected_uplink_fport: 9,
  max_retries: 1000,
  retry_interval: 60,
};

const cpuSeconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;

function measure(devices, how) {
  const world = World.create(planOf(devices), 'bench', { records: false });
  const euis = world.plan.network.devices.map(({ devEui }) => devEui);
  const submit = (command) => {
    const answer = world.submit({ ...command, by: 'default' });
    if (!answer.ok) throw new Error(answer.failure.message);
  };
  world.runUntil(FIRST_HOURS * HOUR);
  const before = cpuSeconds();
  if (how === 'job') submit({ kind: 'reliableDownlink.create', job: { ...JOB, devices: euis } });
  for (let hour = 1; hour <= HOURS; hour++) {
    for (const devEui of how === 'application' ? euis : []) {
      submit({ kind: 'downlink.enqueue', devEui, fPort: 9, payloadHex: '0102' });
    }
    world.runUntil((FIRST_HOURS + hour) * HOUR);
  }
  const seconds = cpuSeconds() - before;
  const { downlinks, reliableDownlinks: jobs } = world.result();
  return { seconds, sent: downlinks.sent, tries: jobs?.[0].tries ?? 0 };
}

const [size, how] = process.argv.slice(2);
if (how !== undefined) {
  process.stdout.write(JSON.stringify(measure(Number(size), how)));
} else {
  const sizes = size === undefined ? [2500, 5000, 10_000] : process.argv.slice(2);
  const rows = sizes.map((devices) => {
    const of = (kind) =>
      JSON.parse(execFileSync('node', [fileURLToPath(import.meta.url), devices, kind]));
    const [plain, application, job] = ['plain', 'application', 'job'].map(of);
    return {
      devices: Number(devices),
      'without, s': +plain.seconds.toFixed(2),
      'application, s': +application.seconds.toFixed(2),
      'job, s': +job.seconds.toFixed(2),
      'downlinks of the application': application.sent,
      'tries of the job': job.tries,
      'µs a try beside the application’s': Math.round(
        (1e6 * (job.seconds - application.seconds)) / job.tries,
      ),
    };
  });
  console.table(rows);
}
