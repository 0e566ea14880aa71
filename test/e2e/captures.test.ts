/** `fleetwave run --pcap`: captures against the trace of the same run, and keys against frames. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commandLine } from '../../api/cli/command-line.ts';
import { PcapFiles } from '../../api/host/files/pcap-files.ts';
import { fromHex, readLe, toHex } from '../../sim/base/bytes.ts';
import { decodeFrame } from '../../sim/lorawan/frame-codec.ts';
import { decodeJoinRequest } from '../../sim/lorawan/join.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import { noiseFloorCentiDbm } from '../../sim/radio/power.ts';
import { type ReadFrame, readKeys, readPcap } from '../support/pcap.ts';

/** An update over two gateways; one goes and a third comes, a device goes and another comes. */
const BUSY = `scenario: busy
duration: 8 h
start: 2026-03-01T12:00:00Z
area: { radius: 1 km }
gateways: [{ name: roof, count: 2 }]
devices:
  - { name: meter, count: 4, joinWithin: 5 min, traffic: { every: 6 min, confirmed: 50 % } }
  - { name: valve, count: 2, class: C, activation: abp, traffic: { every: 20 min } }
images: [{ name: meter-1.2.0.bin, bytes: 6 kB }]
groups: [{ name: meters, devices: [meter] }]
campaigns: [{ name: spring, image: meter-1.2.0.bin, group: meters, at: 1 h }]
timeline:
  - { at: 30 min, removeGateway: roof-2 }
  - { at: 40 min, addGateway: { name: mast } }
  - { at: 50 min, removeDevice: meter-4 }
  - { at: 55 min, addDevices: { population: meter } }
`;
const START_US = Date.UTC(2026, 2, 1, 12) * 1000;

let folder = '';
let code = -1;
let rows: TraceRow[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-captures-'));
  const file = join(folder, 'busy.yaml');
  writeFileSync(file, BUSY);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const pcap = join(folder, 'captures');
  const words = [
    'run',
    file,
    '--out',
    folder,
    '--no-report',
    '--trace-keys',
    '--pcap',
    pcap,
    '--pcap-all-keys',
  ];
  code = await commandLine(words);
  const lines = readFileSync(join(folder, 'trace.ndjson'), 'utf8').trimEnd().split('\n');
  rows = lines.map((line) => JSON.parse(line) as TraceRow);
});

afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const capture = (name: string): ReadFrame[] =>
  readPcap(readFileSync(join(folder, 'captures', name)));

/** When, and the PHYPayload: what distinguishes two frames. */
type Seen = readonly [number, string];
const seen = ({ atUnixUs, phyPayload }: ReadFrame): Seen => [atUnixUs, toHex(phyPayload)];

/** Of all rows of a kind. */
function of<Kind extends TraceRow['kind']>(kind: Kind): Extract<TraceRow, { kind: Kind }>[] {
  return rows.filter((row): row is Extract<TraceRow, { kind: Kind }> => row.kind === kind);
}

/** Frames that ended, with those who received or sent them; found in the trace by hand. */
function onAir(): { readonly seen: Seen; readonly gateways: readonly string[] }[] {
  const found: { seen: Seen; gateways: string[] }[] = [];
  const payloads = new Map<string, string>();
  for (const row of rows) {
    if (row.kind === 'uplinkBegins') payloads.set(`${row.device}:${row.frame}`, row.phyPayload);
    if (row.kind === 'downlinkPlanned') {
      payloads.set(`${row.gateway}/${row.downlink}`, row.phyPayload);
    }
    if (row.kind === 'uplinkEnds') {
      const received = row.gateways.filter(({ fate }) => fate === 'received');
      const payload = payloads.get(`${row.device}:${row.frame}`)!;
      found.push({
        seen: [START_US + row.atUs, payload],
        gateways: received.map(({ gateway }) => gateway),
      });
    }
    if (row.kind === 'downlinkEnds') {
      const payload = payloads.get(`${row.gateway}/${row.downlink}`)!;
      found.push({ seen: [START_US + row.atUs, payload], gateways: [row.gateway] });
    }
  }
  return found;
}

describe('a run with --pcap', () => {
  it('is good, and makes a capture a gateway, one of the air, and the keys', () => {
    expect(code).toBe(0);
    expect(readdirSync(join(folder, 'captures')).sort()).toEqual([
      'air.pcap',
      'encryption_keys_lorawan',
      'gateway-mast.pcap',
      'gateway-roof-1.pcap',
      'gateway-roof-2.pcap',
    ]);
    expect(of('multicastSessionOpens').length).toBeGreaterThan(0);
    expect(of('gatewayRemoved')).toHaveLength(1);
  });

  it('has every frame that was on the air in air.pcap, once, stamped with its end', () => {
    expect(capture('air.pcap').map(seen)).toEqual(onAir().map((frame) => frame.seen));
  });

  it.each([
    ['roof-1', 100],
    ['roof-2', 3],
    ['mast', 50],
  ])('has what %s received and sent in its capture', (name, least) => {
    const its = onAir().filter(({ gateways }) => gateways.includes(name));
    expect(its.length).toBeGreaterThan(least);
    expect(capture(`gateway-${name}.pcap`).map(seen)).toEqual(its.map((frame) => frame.seen));
  });

  it('has channel, level and SNR of a reception, and no level of what a gateway sent', () => {
    const begun = of('uplinkBegins')[0]!;
    const ended = of('uplinkEnds').find(({ device }) => device === begun.device)!;
    const { gateway, rssiCentiDbm } = ended.gateways.find(({ fate }) => fate === 'received')!;
    const file = capture(`gateway-${gateway}.pcap`);
    const snr = Math.min(rssiCentiDbm - noiseFloorCentiDbm(begun.bandwidthHz, 6), 1000);
    const level = Math.round(rssiCentiDbm / 100);
    expect(file.find(({ atUnixUs }) => atUnixUs === START_US + ended.atUs)).toMatchObject({
      frequencyHz: begun.frequencyHz,
      bandwidthHz: begun.bandwidthHz,
      spreadingFactor: begun.spreadingFactor,
      rssiDbm: [level, level, level],
      snrDb: Math.round(snr / 25) / 4,
    });
    const sent = of('downlinkEnds').find((row) => row.gateway === gateway)!;
    const frame = file.find(({ atUnixUs }) => atUnixUs === START_US + sent.atUs)!;
    expect(frame.rssiDbm).toEqual([undefined, undefined, undefined]);
  });

  it('has keys that every data frame was made with, those of the group among them', () => {
    const keys = readKeys(readFileSync(join(folder, 'captures/encryption_keys_lorawan'), 'utf8'));
    const byAddr = new Map(keys.map((line) => [line.devAddr, line]));
    const data = capture('air.pcap').filter(({ phyPayload: [mhdr] }) => mhdr! >> 5 >= 2);
    const groups = new Set(of('multicastSessionOpens').map(({ mcAddr }) => mcAddr));
    let ofGroups = 0;
    for (const { phyPayload } of data) {
      const line = byAddr.get(toHex(phyPayload.subarray(1, 5)))!;
      const session = { nwkSKey: fromHex(line.nwkSKey), appSKey: fromHex(line.appSKey) };
      const frame = decodeFrame(phyPayload, session);
      expect(frame).toMatchObject({ ok: true, value: { micOk: true } });
      if (groups.has(readLe(phyPayload, 1, 4))) ofGroups++;
    }
    expect(ofGroups).toBeGreaterThan(20);
  });

  it('has a key for every join request', () => {
    const keys = readKeys(readFileSync(join(folder, 'captures/encryption_keys_lorawan'), 'utf8'));
    const joined = new Set(
      of('uplinkBegins').flatMap((r) => (r.purpose === 'join' ? r.device : [])),
    );
    const wanted = of('deviceStarts').filter(({ device }) => joined.has(device));
    expect(wanted).toHaveLength(5);
    const joining = keys.filter(({ devAddr }) => devAddr === '00000000');
    expect(joining.map(({ nwkSKey }) => nwkSKey).sort()).toEqual(
      wanted.map(({ appKey }) => appKey).sort(),
    );
    expect(new Set(joining.map(({ joinEui }) => joinEui)).size).toBe(1);
  });
});

/** A device of LoRaWAN 1.1 that joins, and another one of 1.0. */
const JOINS = `scenario: joins
duration: 20 min
frames: real
gateways: [{ name: roof, placement: { at: [0, 0] } }]
devices:
  - name: new
    lorawan: "1.1"
    placement: { at: [100 m, 0] }
    joinWithin: 1 min
    traffic: { every: 5 min }
  - { name: old, placement: { at: [0, 100 m] }, joinWithin: 1 min, traffic: { every: 5 min } }
timeline: [{ at: 10 min, downlink: { to: new, payload: 'aabb' } }]
`;

describe('keys of joins of LoRaWAN 1.1 and 1.0', () => {
  const run = async (...words: readonly string[]): Promise<TraceRow[]> => {
    const file = join(folder, 'joins.yaml');
    writeFileSync(file, JOINS);
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const out = join(folder, 'joins');
    expect(await commandLine(['run', file, '--out', out, '--no-report', ...words])).toBe(0);
    const lines = readFileSync(join(out, 'trace.ndjson'), 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as TraceRow);
  };

  it('check the integrity code of each join request, in trace and captures', async () => {
    const pcap = join(folder, 'joins-captures');
    const traced = await run('--trace-keys', '--pcap', pcap);
    const lines = readFileSync(join(pcap, 'encryption_keys_lorawan'), 'utf8');
    for (const name of ['new', 'old']) {
      const starts = traced.find((row) => row.kind === 'deviceStarts' && row.device === name);
      const joins = traced.find((row) => row.kind === 'uplinkBegins' && row.device === name);
      if (starts?.kind !== 'deviceStarts' || joins?.kind !== 'uplinkBegins') expect.fail(name);
      const key = starts.nwkKey ?? starts.appKey;
      expect('nwkKey' in starts).toBe(name === 'new');
      const request = decodeJoinRequest(fromHex(joins.phyPayload), fromHex(key));
      expect(request).toMatchObject({ ok: true, value: { micOk: true } });
      expect(lines).toContain(`"00000000","${key}"`);
    }
  });

  it('are in no trace that does not ask for them', async () => {
    const text = JSON.stringify(await run('--trace'));
    expect(text).toContain('uplinkBegins');
    expect(text).not.toMatch(/"\w*[kK]eys?"|"nwkSKey"/);
    const keys = (await run('--trace-keys')).flatMap((row) =>
      row.kind === 'deviceStarts' ? [row.appKey, row.nwkKey ?? row.appKey] : [],
    );
    expect(keys).toHaveLength(4);
    for (const key of keys) expect(text).not.toContain(key);
  });
});

describe('captures of single rows', () => {
  const SIGNAL = { frequencyHz: 868_100_000, spreadingFactor: 7, bandwidthHz: 125_000 };
  const radio = { ...SIGNAL, eirpCentiDbm: 1400, airtimeUs: 50_000, phyBytes: 12 };
  const keys = { nwkSKey: '1'.repeat(32), appSKey: '2'.repeat(32) };
  const PHY_PAYLOAD = '40da1b01260001008901f153';

  function uplink(frame: number, phyPayload = PHY_PAYLOAD): TraceRow[] {
    const device = 'meter';
    const atUs = frame * 1_000_000;
    const counts = { frame, counter: frame, attempt: 1 };
    const begins = { purpose: 'data', confirmed: false, phyPayload, keys, ...counts } as const;
    const gateways = [{ gateway: 'roof', rssiCentiDbm: -20_000, fate: 'received' }] as const;
    return [
      { kind: 'uplinkBegins', atUs, device, ...begins, ...radio },
      { kind: 'uplinkEnds', atUs: atUs + 50_000, device, frame, gateways },
    ];
  }

  function downlink(number: number, atUs: number, until: 'planned' | 'sent'): TraceRow[] {
    const at = { gateway: 'roof', downlink: number };
    const plan = { devEui: '', window: 0, purpose: 'multicast', counter: number } as const;
    const startsAtUs = atUs + 100_000;
    const planned = { ...plan, startsAtUs, phyPayload: PHY_PAYLOAD.replace('40', '60'), keys };
    return [
      { kind: 'downlinkPlanned', atUs, ...at, ...planned, ...radio },
      ...(until === 'planned'
        ? []
        : ([
            { kind: 'downlinkBegins', atUs: startsAtUs, ...at, ...radio },
            { kind: 'downlinkEnds', atUs: startsAtUs + 50_000, ...at, devices: [] },
          ] as const)),
    ];
  }

  const roofStarts: TraceRow = { kind: 'gatewayStarts', atUs: 0, gateway: 'roof', eui: 'A' };

  function capturesIn(name: string, allKeys = false): PcapFiles {
    const start = { startUnixMs: 0, noiseFigureDb: 6, allKeys };
    const files = new PcapFiles(join(folder, name), start);
    files.trace(roofStarts);
    return files;
  }

  it('are written while the rows come, and whole once closed', () => {
    const files = capturesIn('streamed');
    const air = join(folder, 'streamed/air.pcap');
    for (let frame = 0; frame < 2_000; frame++) {
      for (const row of uplink(frame)) files.trace(row);
    }
    expect(statSync(air).size).toBeGreaterThan(65_536);
    files.close();
    expect(readPcap(readFileSync(air))).toHaveLength(2_000);
    const keyLines = readFileSync(join(folder, 'streamed/encryption_keys_lorawan'), 'utf8');
    expect(readKeys(keyLines)).toHaveLength(1);
  });

  /** A data frame on port 1 of this address with that many bytes of FRMPayload. */
  const dataFrame = (devAddr: string, payloadBytes: number) =>
    `40${devAddr}00010001${'5a'.repeat(payloadBytes)}8901f153`;

  it.each([
    ['leave out the keys of an address with frames that Wireshark fails on', false, ['0b000026']],
    ['have these keys when asked for', true, ['0a000026', '0b000026']],
  ])('%s', (name, allKeys, addresses) => {
    const files = capturesIn(name, allKeys);
    const frames = [
      dataFrame('0a000026', 12),
      dataFrame('0b000026', 237),
      dataFrame('0a000026', 238),
      dataFrame('0a000026', 12),
    ];
    for (const [at, frame] of frames.entries()) {
      for (const row of uplink(at, frame)) files.trace(row);
    }
    files.close();
    const lines = readKeys(readFileSync(join(folder, name, 'encryption_keys_lorawan'), 'utf8'));
    expect(lines.map(({ devAddr }) => devAddr)).toEqual(addresses);
    expect(files.addressesLeftOut).toBe(2 - addresses.length);
    expect(readPcap(readFileSync(join(folder, name, 'air.pcap')))).toHaveLength(4);
  });

  it('clamp a level that the header cannot hold', () => {
    const files = capturesIn('weak');
    for (const row of uplink(0)) files.trace(row);
    files.close();
    const [frame] = readPcap(readFileSync(join(folder, 'weak/gateway-roof.pcap')));
    expect(frame).toMatchObject({ rssiDbm: [-139, -139, -139], snrDb: -32 });
  });

  it('have nothing of what was planned and never sent, and go on when a gateway comes back', () => {
    const files = capturesIn('back');
    const story: TraceRow[] = [
      ...downlink(0, 0, 'planned'),
      ...downlink(1, 1_000_000, 'sent'),
      ...downlink(2, 2_000_000, 'planned'),
      { kind: 'gatewayRemoved', atUs: 2_050_000, gateway: 'roof' },
      { ...roofStarts, atUs: 3_000_000 },
      ...downlink(0, 4_000_000, 'sent'),
      ...downlink(1, 5_000_000, 'planned'),
      { kind: 'downlinkRefused', atUs: 5e6, gateway: 'roof', downlink: 1, reason: 'tooLate' },
      ...downlink(2, 6_000_000, 'sent'),
    ];
    for (const row of story) files.trace(row);
    files.close();
    const sent = readPcap(readFileSync(join(folder, 'back/gateway-roof.pcap')));
    expect(sent.map(({ atUnixUs }) => atUnixUs)).toEqual([1_150_000, 4_150_000, 6_150_000]);
  });
});

describe('a gateway whose name is no name of a file', () => {
  it('has a file of its own in the folder of the captures', () => {
    const own = join(folder, 'names');
    const captures = new PcapFiles(own, { startUnixMs: 0, noiseFigureDb: 6 });
    for (const gateway of ['../a/b', '..:a:b', 'Müller GmbH, Dach']) {
      captures.trace({ kind: 'gatewayStarts', gateway, eui: '0'.repeat(16) } as TraceRow);
    }
    captures.close();
    expect(readdirSync(own).sort()).toEqual([
      'air.pcap',
      'encryption_keys_lorawan',
      'gateway-.._a_b-2.pcap',
      'gateway-.._a_b.pcap',
      'gateway-Müller GmbH_ Dach.pcap',
    ]);
  });
});
