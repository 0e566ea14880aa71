/**
 * A day of 1 000 devices whose uplinks are delivered, without a codec and with one in JavaScript:
 * bodies that nobody reads, bodies that somebody does (`WorldOptions.effects`), and devices that
 * report what they are set to. CPU time, the median of paired runs:
 * `npx tsc -b && node test/bench/codec-day.mjs [pairs]`.
 */
import { codecEngine } from '../../dist/api/host/codecs/codec-engine.js';
import { World } from '../../dist/core/world/world.js';
import { populate } from '../../dist/scenarios/filling/populate.js';
import { load } from '../../dist/scenarios/load.js';
import { METER_CODEC } from '../../dist/test/support/codecs.js';

const PAIRS = Number(process.argv[2] ?? 5);

/** A codec of the settings that simulated devices report. */
const REPORTING = `
var configuration = { confirmation: 'reported-config', fPorts: [85] };
function decodeUplink(input) { return { data: { length: input.bytes.length } }; }
function encodeConfiguration(input) {
  var s = input.config.uplinkPeriod;
  return { fragments: [{ fPort: 85, bytes: [1, s >> 16 & 255, s >> 8 & 255, s & 255] }] };
}
function decodeConfiguration(input) {
  var b = input.bytes;
  return b[0] === 1 ? { config: { uplinkPeriod: b[1] << 16 | b[2] << 8 | b[3] } } : {};
}
`;

const indented = (source) => source.replaceAll('\n', '\n      ');
const typeOf = (source) => `
decoderTypes:
  - name: meter
    script: |
      ${indented(source)}`;

const day = (device, more = '') => `
scenario: day
duration: 1 d
gateways: [{ name: roof, count: 5 }]
devices:
  - name: meter
    count: 1000
    joinWithin: 30 min
    traffic: { every: 1 h, payload: 20 B }
    outputProfile: readings
    ${device}
outputProfiles:
  - name: readings
    rest: [{ url: "https://app.example/in", outputFormat: extended }]
receivers: [{ name: app, at: "https://app.example/*" }]
${more}`;

const REPORT = 'settings: { protocol: report }\n    decoderType: ';
const CASES = {
  'bodies that nobody reads': [day(''), day('decoderType: meter', typeOf(METER_CODEC)), false],
  'bodies that are read': [day(''), day('decoderType: meter', typeOf(METER_CODEC)), true],
  'reports of settings': [
    day(`${REPORT}SETTINGS_REPORTED`),
    day(`${REPORT}meter`, typeOf(REPORTING)),
    false,
  ],
};

const codecs = codecEngine();

function planOf(text) {
  const bundle = new Map([['day.yaml', new TextEncoder().encode(text)]]);
  const loaded = load('day.yaml', bundle, [], codecs);
  if (loaded.outcome !== 'scenario') throw new Error(JSON.stringify(loaded.problems));
  return populate(loaded.scenario, 'day');
}

function secondsOf(plan, isRead) {
  let bytes = 0;
  const effects = isRead
    ? ({ body = '' }) => {
        bytes += JSON.stringify(body).length;
      }
    : undefined;
  const world = World.create(plan, 'day', { codecs, effects });
  const began = process.cpuUsage();
  world.runUntil(world.endUs);
  const { user, system } = process.cpuUsage(began);
  return { seconds: (user + system) / 1e6, bytes, result: world.result() };
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

for (const [name, [without, withCodec, isRead]] of Object.entries(CASES)) {
  const plans = [planOf(without), planOf(withCodec)];
  const runs = Array.from({ length: PAIRS + 1 }, () =>
    plans.map((plan) => secondsOf(plan, isRead)),
  );
  const stored = runs.slice(1);
  const ratio = median(stored.map(([a, b]) => b.seconds / a.seconds));
  const [a, b] = [0, 1].map((i) => median(stored.map((pair) => pair[i].seconds)));
  const { result, bytes } = stored[0][1];
  process.stdout.write(
    `${name}: ${a.toFixed(2)} s without, ${b.toFixed(2)} s with a codec, ` +
      `ratio ${ratio.toFixed(2)}; ${result.deliveries.emitted} deliveries, ${bytes} bytes\n`,
  );
}
