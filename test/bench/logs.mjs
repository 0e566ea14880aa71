/**
 * What a full log costs: memory an entry, and the time of a page, of 10 000 000 entries of one
 * subscriber: the first page and a deep one, of everything, of a device, of a gateway, of filters
 * that fit much, little, the oldest entry alone or nothing, and of both together. A row has
 * the median of PAGES (20) and the worst, ms of CPU, and the longest step, which is what holds
 * a server.
 *
 * Run: `npx tsc -b && node --expose-gc test/bench/logs.mjs [entries]`
 *
 * Half of the entries are downlinks; an uplink is heard by two of 2 000 gateways on average, and
 * carries 12 bytes. One device in ten entries is `BUSY`; the rest are of 20 000 others.
 */
import { copyPlain } from '../../dist/core/base/plain.js';
import { wordsOf } from '../../dist/core/management/logs/chunk.js';
import { classesOf } from '../../dist/core/management/logs/filters.js';
import { keepDownlink, keepUplink } from '../../dist/core/management/logs/gathering.js';
import { entryResponse } from '../../dist/core/management/logs/log-responses.js';
import { LogStore } from '../../dist/core/management/logs/log-store.js';
import { selecting } from '../../dist/core/management/logs/selecting.js';

const ENTRIES = Number(process.argv[2] ?? 10_000_000);
const PAGES = Number(process.env.PAGES ?? 20);
const [DEVICES, GATEWAYS] = [20_000, 2_000];

let word = 1;
/** Below a number; the same in every run. */
const below = (most) => {
  word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
  return Math.floor((word / 2 ** 32) * most);
};
const eui = (first, number) => first + number.toString(16).toUpperCase().padStart(14, '0');
const devEuis = Array.from({ length: DEVICES }, (_, i) => eui('D0', i));
const gatewayEuis = Array.from({ length: GATEWAYS }, (_, i) => eui('06', i));
const BUSY = eui('DB', 1);

const NO_BYTES = new Uint8Array(0);
const payload = Uint8Array.from({ length: 12 }, (_, i) => i);
const commands = Uint8Array.of(3, 7);

const radio = {
  frequencyHz: 868_100_000,
  dataRate: 5,
  spreadingFactor: 7,
  bandwidthHz: 125_000,
  airtimeUs: 61_696,
  phyBytes: 25,
};

function uplink(atUs, devEui, fCnt) {
  const receptions = Array.from({ length: 1 + below(3) }, (_, i) => ({
    gatewayEui: gatewayEuis[below(GATEWAYS)],
    rssiCentiDbm: -9_000 - below(3_000),
    snrCentiDb: 500 - 300 * i,
    arrivesAtUs: atUs + 20_000,
    late: false,
  }));
  const hasCommands = below(20) === 0;
  const data = {
    devAddr: 0x26000000 + fCnt,
    fCnt,
    fPort: 1,
    adr: true,
    ack: below(10) === 0,
    adrAckReq: false,
    classB: false,
    fOpts: hasCommands ? commands : NO_BYTES,
    payload,
    inClear: true,
  };
  const type = 'unconfirmedDataUp';
  const verdict = 'accepted';
  const tooLate = false;
  return {
    ...radio,
    devEui,
    type,
    verdict,
    tooLate,
    endedAtUs: atUs,
    mic: fCnt,
    data,
    join: null,
    receptions,
  };
}

const join = (atUs, devEui) => ({
  ...uplink(atUs, devEui, 0),
  type: 'joinRequest',
  verdict: 'joined',
  tooLate: true,
  data: null,
  join: { joinEui: eui('70', 1), devNonce: 1, rejoinType: null },
});

const downlink = (atUs, devEui, fCnt) => ({
  devEui,
  mcAddr: null,
  type: 'unconfirmedDataDown',
  counter: fCnt,
  mic: fCnt,
  phyBytes: 12,
  data: { ...uplink(atUs, devEui, fCnt).data, payload: NO_BYTES, fPort: null, fPending: false },
  sending: {
    ...radio,
    gatewayEui: gatewayEuis[below(GATEWAYS)],
    window: 1,
    startsAtUs: atUs,
    eirpCentiDbm: 1400,
  },
  outcome: { kind: 'sent' },
  tries: [],
});

const log = new LogStore(ENTRIES, () => true);
const memory = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const cpu = () => process.cpuUsage().user / 1e6;
const before = { bytes: memory(), seconds: cpu() };
keepUplink(log, join(1_000, BUSY), false);
let receptions = 2;
for (let i = 1; i < ENTRIES; i++) {
  const atUs = 1_000 * (i + 1);
  const devEui = below(10) === 0 ? BUSY : devEuis[below(DEVICES)];
  if (i % 2 === 0) {
    keepDownlink(log, downlink(atUs, devEui, i), devEui, atUs, false);
    receptions++;
  } else {
    const frame = uplink(atUs, devEui, i);
    receptions += frame.receptions.length;
    keepUplink(log, frame, false);
  }
}
const filled = { bytes: memory() - before.bytes, seconds: cpu() - before.seconds };

const anyTime = { fromUs: Number.NEGATIVE_INFINITY, untilUs: Number.POSITIVE_INFINITY };
const filter = (given) => classesOf(given);
const stream = (one) => filter({ 'LogFrameFilter.Stream': [one] });
const device = wordsOf(BUSY);
const usual = wordsOf(devEuis[77]);
const gateway = wordsOf(gatewayEuis[77]);
const middleUs = 500 * ENTRIES;
const DEEP = Math.floor(ENTRIES / 100) - 10_000 > 0 ? Math.floor(ENTRIES / 100) - 10_000 : 1;

const ASKED = {
  'first page': [{}, 1],
  'deep page': [{}, DEEP],
  'last page': [{}, ENTRIES / 100],
  'past the last': [{}, 1e12],
  'uplinks, deep': [{ classes: stream('UPSTREAM') }, Math.floor(DEEP / 2)],
  'acknowledgements, deep': [
    { classes: filter({ 'LogFrameFilter.Ack': ['ACKTRUE'] }) },
    Math.floor(DEEP / 12),
  ],
  'the oldest alone': [{ classes: filter({ 'LogFrameFilter.Activation': ['JOINREQUEST'] }) }, 1],
  nothing: [{ classes: filter({ 'LogFrameFilter.Activation': ['JOINACCEPT'] }) }, 1],
  'until the middle, deep': [{ untilUs: middleUs }, Math.floor(DEEP / 3)],
  'a device': [{ device: usual }, 1],
  'a device, last page': [{ device: usual }, Math.ceil((0.9 * ENTRIES) / DEVICES / 100)],
  'a busy device, deep': [{ device }, Math.floor(DEEP / 10)],
  'a busy device, its late ones': [
    { device, classes: filter({ 'LogFrameFilter.Late': ['LATETRUE'] }) },
    1,
  ],
  'a gateway, deep': [{ gateway }, Math.floor((1.4 * ENTRIES) / GATEWAYS / 100)],
  'a gateway, nothing': [{ gateway, classes: filter({ 'LogFrameFilter.Late': ['LATETRUE'] }) }, 1],
  'a busy device at a gateway': [{ device, gateway }, 1],
  nobody: [{ device: wordsOf(eui('FF', 0)) }, 1],
};

const telling = {
  codecOf: () => undefined,
  facts: {
    unixMs: (us) => 1_767_225_600_000 + Math.floor(us / 1000),
    channelAt: () => ({ subBand: 2, channel: 1 }),
  },
  nowUs: Number.MAX_SAFE_INTEGER,
  subscriber: 'default',
  gateway: (id) => ({ id, latitude: '48.000000', longitude: '11.000000' }),
};

const round = (ms) => +ms.toFixed(2);
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
function time(wanted, page) {
  let longest = 0;
  const began = cpuMs();
  const steps = selecting(log.copy, { ...anyTime, ...wanted }, (page - 1) * 100, 100);
  for (;;) {
    const from = cpuMs();
    const { done, value } = steps.next();
    const entries = done ? JSON.stringify(value.map((each) => entryResponse(each, telling))) : '';
    longest = Math.max(longest, cpuMs() - from);
    if (done) return { ms: cpuMs() - began, longest, found: value.length, bytes: entries.length };
  }
}

const rows = Object.entries(ASKED).map(([name, [wanted, page]]) => {
  const times = Array.from({ length: PAGES }, () => time(wanted, page));
  const ms = times.map((each) => each.ms).toSorted((a, b) => a - b);
  const step = Math.max(...times.map((each) => each.longest));
  return {
    name,
    page,
    found: times[0].found,
    medianMs: round(ms[PAGES >> 1]),
    worstMs: round(ms.at(-1)),
    stepMs: round(step),
  };
});

const forkBegan = cpuMs();
const fork = new LogStore(ENTRIES, () => true);
fork.load(copyPlain(log.save()));
const forkMs = cpuMs() - forkBegan;

console.log(
  JSON.stringify({
    entries: ENTRIES,
    receptions,
    bytesAnEntry: round(filled.bytes / ENTRIES),
    payloadsAnEntry: round((ENTRIES * 0.5 * 12) / ENTRIES),
    microsecondsAnEntry: round((1e6 * filled.seconds) / ENTRIES),
    forkMs: round(forkMs),
    ...Object.fromEntries(rows.map(({ name, ...row }) => [name, row])),
  }),
);
