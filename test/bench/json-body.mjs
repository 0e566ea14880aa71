/**
 * What the limits of JSON bodies cost: `npx tsc -b && node test/bench/json-body.mjs` after a build.
 *
 * CPU time of reading a body of some 1 kB (a campaign with thirty devices), and two of 16 MiB
 * (members of a group as a list, keys of devices as a map), beside plain `JSON.parse` of the same
 * bytes. The best of nine rounds each, taken by turns.
 */
import { parseBody } from '../../dist/api/http/json-body.js';
import { BULK_BODY, ORDINARY_BODY } from '../../dist/api/http/limits.js';

const ROUNDS = 9;

const eui = (i) => (0x70b3d57ed0000000n + BigInt(i)).toString(16).toUpperCase();
const campaign = {
  name: 'spring update',
  firmware_image: 'sensor-firmware-1.4.2.bin',
  device_groups: ['Ab12Xy'],
  gateways: ['7076FF0056070001', '7076FF0056070002'],
  start_time: '2026-03-01T00:00:00Z',
  redundancy: 0.3,
  mcast_dr: 5,
  frag_send_delay: 4,
  acceptable_time_drift: 5,
  min_downlink_delay: 5,
  devices: Array.from({ length: 30 }, (_, i) => eui(i)),
  tags: ['spring', 'sensors'],
};

/** As many devices as fit into 16 MiB. */
const members = Array.from({ length: 880_000 }, (_, i) => eui(i));

/** As many devices with a key. V8 takes most of its time to make an object of that many keys. */
const keys = Object.fromEntries(
  Array.from({ length: 310_000 }, (_, i) => [eui(i), eui(i) + eui(i + 1)]),
);

const cpuMs = () => process.cpuUsage().user / 1e3 + process.cpuUsage().system / 1e3;

function measured(read, times) {
  const before = cpuMs();
  for (let i = 0; i < times; i++) read();
  return (cpuMs() - before) / times;
}

function compare(body, limits, times) {
  const bytes = Buffer.from(JSON.stringify(body));
  const plain = () => JSON.parse(bytes.toString());
  const ours = () => {
    if (!parseBody(bytes, limits).ok) throw new Error('the body is good');
  };
  const best = { plain: Infinity, ours: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    best.plain = Math.min(best.plain, measured(plain, times));
    best.ours = Math.min(best.ours, measured(ours, times));
  }
  const ratio = +(best.ours / best.plain).toFixed(3);
  return { bytes: bytes.length, plainMs: best.plain, oursMs: best.ours, ratio };
}

console.log(
  JSON.stringify(
    {
      ordinary: compare(campaign, ORDINARY_BODY, 20_000),
      list: compare(members, BULK_BODY, 1),
      map: compare(keys, BULK_BODY, 1),
    },
    null,
    2,
  ),
);
