/**
 * What tshark makes of captures; written for tshark 4.0 (Debian 12). Its known faults: a data frame
 * without FPort is "malformed" (it looks for FPort all the same), and a join accept is not
 * decrypted. Of keys with the same JoinEUI it tries the first only.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commandLine } from '../../api/cli/command-line.ts';
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import { decodeBeacon } from '../../sim/lorawan/class-b.ts';
import { decodeFrame } from '../../sim/lorawan/frame-codec.ts';
import { type KeyLine, type ReadFrame, readKeys, readPcap } from '../support/pcap.ts';
import { vectors } from '../support/vectors.ts';

const found = spawnSync('tshark', ['--version'], { encoding: 'utf8' });
const version = /^TShark .*?(\d+\.\d+\.\d+)/.exec(found.stdout ?? '')?.[1];
if (version === undefined) {
  console.log('SKIPPED: there is no tshark here; on Debian: apt-get install -y tshark');
}

const OTAA = `scenario: otaa
duration: 6 h
area: { radius: 1 km }
gateways: [{ name: roof, count: 2 }]
devices: [{ name: meter, count: 8, joinWithin: 1 min, traffic: { every: 10 min, confirmed: 30 % } }]
`;
const CAMPAIGN = `scenario: campaign
duration: 8 h
area: { radius: 1 km }
gateways: [{ name: roof, count: 2 }]
devices: [{ name: meter, count: 10, joinWithin: 1 min, traffic: { every: 15 min } }]
images: [{ name: meter-1.2.0.bin, bytes: 12.8 kB }]
groups: [{ name: meters, devices: all }]
campaigns: [{ name: spring, image: meter-1.2.0.bin, group: meters, at: 1 h, frag_size: 41 B }]
expectations: [spring.updated = 100 %]
`;

/** A line of tshark. */
interface Dissected {
  /** Not a number of what is not taken for LoRaWAN. */
  readonly mType: number;
  /** 1 is good, 0 bad, 2 could not be checked; undefined of what is malformed. */
  readonly micStatus: number | undefined;
  readonly decrypted: string;
  readonly malformed: boolean;
}

const FIELDS = ['lorawan.mhdr.mtype', 'lorawan.mic.status', 'lorawan.frmpayload_decrypted'];

/** All frames of a capture; the keys are those in the folder `config`. */
function dissect(file: string, config: string): Dissected[] {
  const fields = [...FIELDS, '_ws.malformed'].flatMap((field) => ['-e', field]);
  const words = ['-r', file, '-T', 'fields', '-E', 'separator=|', ...fields];
  const env = { ...process.env, WIRESHARK_CONFIG_DIR: config };
  const { stdout, status } = spawnSync('tshark', words, { env, encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [mType, micStatus, decrypted, malformed] = line.split('|') as [string, ...string[]];
      return {
        mType: mType === '' ? Number.NaN : Number(mType),
        micStatus: micStatus === '' ? undefined : Number(micStatus),
        decrypted: decrypted!,
        malformed: malformed !== '',
      };
    });
}

const isData = ({ phyPayload }: ReadFrame) => phyPayload[0]! >> 5 >= 2;
/** MHDR, DevAddr, FCtrl, FCnt, FOpts and MIC are all there is. */
const lacksFPort = ({ phyPayload }: ReadFrame) => phyPayload.length === 12 + (phyPayload[5]! & 15);

function decode({ phyPayload }: ReadFrame, keys: readonly KeyLine[]): string {
  const line = keys.find(({ devAddr }) => devAddr === toHex(phyPayload.subarray(1, 5)))!;
  const session = { nwkSKey: fromHex(line.nwkSKey), appSKey: fromHex(line.appSKey) };
  const frame = decodeFrame(phyPayload, session);
  return frame.ok ? toHex(frame.value.frmPayload) : frame.failure.message;
}

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-wireshark-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(version === undefined).each([
  ['a small network with OTAA', 'otaa', OTAA],
  ['a campaign', 'campaign', CAMPAIGN],
])('captures of %s', (_, name, scenario) => {
  let captures = '';
  let keys: KeyLine[] = [];
  let files: { name: string; frames: ReadFrame[]; dissected: Dissected[] }[] = [];

  beforeAll(async () => {
    const file = join(folder, `${name}.yaml`);
    captures = join(folder, name);
    writeFileSync(file, scenario);
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const code = await commandLine(['run', file, '--out', captures, '--pcap', captures]);
    printed.mockRestore();
    expect(code).toBe(0);
    keys = readKeys(readFileSync(join(captures, 'encryption_keys_lorawan'), 'utf8'));
    const names = readdirSync(captures).filter((entry) => entry.endsWith('.pcap'));
    files = names.map((entry) => ({
      name: entry,
      frames: readPcap(readFileSync(join(captures, entry))),
      dissected: dissect(join(captures, entry), captures),
    }));
  });

  it('are dissected frame by frame, and malformed are only frames without FPort', () => {
    expect(files.map((file) => file.name)).toEqual([
      'air.pcap',
      'gateway-roof-1.pcap',
      'gateway-roof-2.pcap',
    ]);
    for (const { frames, dissected } of files) {
      expect(dissected.map(({ mType }) => mType)).toEqual(
        frames.map(({ phyPayload }) => phyPayload[0]! >> 5),
      );
      const malformed = frames.filter((_frame, at) => dissected[at]!.malformed);
      expect(malformed.filter((frame) => !isData(frame) || !lacksFPort(frame))).toEqual([]);
    }
  });

  it('have good MICs in every data frame that tshark reads, and payloads in clear', () => {
    for (const { frames, dissected } of files) {
      const data = frames.flatMap((frame, at) =>
        isData(frame) && !dissected[at]!.malformed ? [{ frame, ...dissected[at]! }] : [],
      );
      expect(data.length).toBeGreaterThan(100);
      expect(data.filter(({ micStatus }) => micStatus !== 1)).toEqual([]);
      for (const { frame, decrypted } of data) expect(decrypted).toBe(decode(frame, keys));
    }
  });

  it('have a good MIC in every join request, with the key of its device', () => {
    const air = files[0]!;
    const good = air.frames.map(() => 0);
    keys.forEach(({ devAddr, nwkSKey, joinEui }, at) => {
      if (devAddr !== '00000000') return;
      const config = join(folder, `${name}-${at}`);
      mkdirSync(config);
      const line = `"${devAddr}","${nwkSKey}","${nwkSKey}","${joinEui}"\n`;
      writeFileSync(join(config, 'encryption_keys_lorawan'), line);
      dissect(join(captures, 'air.pcap'), config).forEach(({ mType, micStatus }, frame) => {
        if (mType === 0 && micStatus === 1) good[frame]!++;
      });
    });
    const requests = air.dissected.flatMap(({ mType }, at) => (mType === 0 ? [good[at]] : []));
    expect(requests.length).toBeGreaterThanOrEqual(8);
    expect(requests.filter((count) => count !== 1)).toEqual([]);
  });

  afterAll(() => {
    for (const file of files) console.log(totals(`${name}/${file.name}`, file.dissected));
  });
});

function totals(name: string, all: readonly Dissected[]): string {
  const count = (holds: (frame: Dissected) => boolean) => all.filter(holds).length;
  const data = count(({ mType }) => mType >= 2);
  const good = count(({ mType, micStatus }) => mType >= 2 && micStatus === 1);
  const malformed = count((frame) => frame.malformed);
  const joins = `${count(({ mType }) => mType === 0)} join requests`;
  const accepts = `${count(({ mType }) => mType === 1)} join accepts`;
  return (
    `tshark ${version}, ${name}: ${all.length} frames, of ${data} data frames ${good} with a ` +
    `good MIC, ${malformed} malformed (no FPort), ${joins}, ${accepts}`
  );
}

describe.skipIf(version === undefined)('captures of gateways with GPS time', () => {
  const CLASS_B = `scenario: beacons
duration: 2 h
area: { radius: 1 km }
gateways: [{ name: roof, count: 1, gps: true }]
devices: [{ name: meter, count: 3, class: B, joinWithin: 1 min, traffic: { every: 10 min } }]
`;

  it('hold beacons, which tshark does not take for LoRaWAN frames', async () => {
    const file = join(folder, 'beacons.yaml');
    const captures = join(folder, 'beacons');
    writeFileSync(file, CLASS_B);
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await commandLine(['run', file, '--out', captures, '--pcap', captures])).toBe(0);
    printed.mockRestore();
    const frames = readPcap(readFileSync(join(captures, 'air.pcap')));
    const dissected = dissect(join(captures, 'air.pcap'), captures);
    const beacons = frames.map(({ phyPayload }) => decodeBeacon(9, phyPayload).ok);
    expect(beacons.filter((is) => is).length).toBe(56);
    for (const [at, { mType, malformed }] of dissected.entries()) {
      expect(Number.isNaN(mType)).toBe(beacons[at]);
      expect(frames[at]!.isBeacon === true).toBe(beacons[at]);
      if (beacons[at]) expect(malformed).toBe(false);
    }
  });
});

describe.skipIf(version === undefined)('the sample capture', () => {
  interface Sample {
    readonly command: string;
    readonly output: readonly string[];
    readonly plainSummary: readonly string[];
    readonly keysFile: { readonly lines: readonly string[] };
    readonly v0Hex: string;
  }
  const { command, output, plainSummary, keysFile, v0Hex } = vectors<Sample>('loratap');

  /** Lines that tshark prints of the sample, with the keys in their file. */
  function tshark(words: readonly string[]): string[] {
    const config = mkdtempSync(join(folder, 'sample-'));
    writeFileSync(join(config, 'sample.pcap'), fromHex(v0Hex));
    writeFileSync(join(config, 'encryption_keys_lorawan'), `${keysFile.lines.join('\n')}\n`);
    const env = { ...process.env, WIRESHARK_CONFIG_DIR: config };
    const run = spawnSync('tshark', ['-r', join(config, 'sample.pcap'), ...words], {
      env,
      encoding: 'utf8',
    });
    return run.stdout.split('\n').slice(0, -1);
  }

  it('is dissected as it was when the vectors were made', () => {
    const fields = [...command.matchAll(/-e (\S+)/g)].flatMap(([, field]) => ['-e', field!]);
    expect(tshark(['-T', 'fields', '-E', 'separator=|', ...fields])).toEqual(output);
  });

  it('has a line of summary for each frame', () => {
    const words = (line: string) => line.split(/\s+/).filter((word) => word !== '');
    expect(tshark([]).map(words)).toEqual(plainSummary.map(words));
  });
});
