/** Captures for Wireshark (LoRaTap, linktype 270): reports/trace/pcap.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CapturedFrame,
  joinKeyLine,
  pcapFileHeader,
  pcapRecord,
  sessionKeysLine,
} from '../../../reports/trace/pcap.ts';
import { fromHex, toHex } from '../../../sim/base/bytes.ts';
import { type ReadFrame, readKeys, readPcap } from '../../support/pcap.ts';
import { vectors } from '../../support/vectors.ts';

interface LoRaTapVectors {
  readonly v0Hex: string;
  readonly v1Hex: string;
  readonly keysFile: { readonly lines: readonly string[] };
}

const loratap = vectors<LoRaTapVectors>('loratap');

const joined = (parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

const asCaptured = ({ rssiDbm: [rssiDbm], snrDb, ...frame }: ReadFrame): CapturedFrame => ({
  ...frame,
  rssiDbm,
  snrCentiDb: snrDb * 100,
});

function captureOf(frames: readonly CapturedFrame[]): Uint8Array {
  return Uint8Array.from(
    [pcapFileHeader(), ...frames.map((frame) => pcapRecord(frame))].flatMap((part) => [...part]),
  );
}

/** The vector with packet RSSI also as maximum and current, where it says "not measured". */
function withRssiThrice(file: Uint8Array): Uint8Array {
  const bytes = file.slice();
  const view = new DataView(bytes.buffer);
  for (let at = 24; at < bytes.length; at += 16 + view.getUint32(at + 8, true)) {
    expect(toHex(bytes.subarray(at + 16 + 11, at + 16 + 13))).toBe('ffff');
    bytes.fill(bytes[at + 16 + 10]!, at + 16 + 11, at + 16 + 13);
  }
  return bytes;
}

describe('a capture', () => {
  it('of the eight frames of the vector has its bytes', () => {
    const vector = fromHex(loratap.v0Hex);
    const frames = readPcap(vector).map(({ rssiDbm: [rssiDbm], snrDb, ...frame }) => ({
      ...frame,
      rssiDbm,
      snrCentiDb: snrDb * 100,
    }));
    expect(frames).toHaveLength(8);
    expect(frames[0]).toMatchObject({ frequencyHz: 868_100_000, rssiDbm: -97, snrCentiDb: 750 });
    expect(toHex(captureOf(frames))).toBe(toHex(withRssiThrice(vector)));
  });

  it('of the eight frames of the vector is the file of version 0, byte for byte', () => {
    const file = fromHex(loratap.v0Hex);
    const frames = readPcap(file).map(asCaptured);
    const records = frames.map((frame) => pcapRecord({ ...frame, onlyPacketRssi: true }));
    expect(toHex(joined([pcapFileHeader(), ...records]))).toBe(loratap.v0Hex);
  });

  it('of the eight frames of the vector is the file of version 1, byte for byte', () => {
    const frames = readPcap(fromHex(loratap.v0Hex)).map(asCaptured);
    const records = frames.map((frame, i) => {
      const direction = [2, 3, 4, 5, 7].includes(i) ? 'down' : 'up';
      const received = i < 6 ? { counterUs: 123_456, channel: 2 } : { counterUs: 999 };
      const at = { direction, gatewayEui: 'AA555A0000000101', ...received } as const;
      return pcapRecord({ ...frame, ...at, onlyPacketRssi: true }, 1);
    });
    expect(toHex(joined([pcapFileHeader(), ...records]))).toBe(loratap.v1Hex);
  });

  it('marks beacons by sync word 0, and in version 1 by their implicit header alone', () => {
    const frame = readPcap(fromHex(loratap.v0Hex)).map(asCaptured)[0]!;
    const beacon = { ...frame, isBeacon: true, direction: 'down' as const };
    expect(readPcap(captureOf([beacon, frame])).map((one) => one.isBeacon)).toEqual([
      true,
      undefined,
    ]);
    const record = pcapRecord(beacon, 1);
    expect([record[16 + 14], record[16 + 27]]).toEqual([0, 0x04]);
  });

  it('of nothing is a header of 24 bytes', () => {
    expect(toHex(pcapFileHeader())).toBe(loratap.v0Hex.slice(0, 48));
    expect(readPcap(pcapFileHeader())).toEqual([]);
  });

  it('is read back as it was written', () => {
    const frame = fc.record({
      atUnixUs: fc.integer({ min: 0, max: 0xffff_ffff * 1e6 + 999_999 }),
      frequencyHz: fc.integer({ min: 0, max: 0xffff_ffff }),
      bandwidthHz: fc.constantFrom(125_000, 250_000, 500_000),
      spreadingFactor: fc.integer({ min: 5, max: 12 }),
      rssiDbm: fc.option(fc.integer({ min: -139, max: 115 }), { nil: undefined }),
      snrCentiDb: fc.integer({ min: -128, max: 127 }).map((quarters) => quarters * 25),
      phyPayload: fc.uint8Array({ maxLength: 255 }),
    });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 5 }), (frames) => {
        const read = readPcap(captureOf(frames));
        const wanted = frames.map(({ rssiDbm, snrCentiDb, ...rest }) => ({
          ...rest,
          rssiDbm: [rssiDbm, rssiDbm, rssiDbm],
          snrDb: snrCentiDb / 100,
        }));
        expect(read).toEqual(wanted);
      }),
    );
  });

  it('rounds SNR to quarters of a dB, and refuses what the header cannot say', () => {
    const frame: CapturedFrame = {
      atUnixUs: 0,
      frequencyHz: 868_100_000,
      bandwidthHz: 125_000,
      spreadingFactor: 7,
      phyPayload: new Uint8Array(12),
    };
    const snrOf = (snrCentiDb: number) => readPcap(captureOf([{ ...frame, snrCentiDb }]))[0]!.snrDb;
    expect([snrOf(-737), snrOf(-738), snrOf(12), snrOf(13)]).toEqual([-7.25, -7.5, 0, 0.25]);
    expect(() => pcapRecord({ ...frame, snrCentiDb: 3200 })).toThrow('SNR lies in');
    expect(() => pcapRecord({ ...frame, rssiDbm: -140 })).toThrow('RSSI lies in');
    expect(() => pcapRecord({ ...frame, atUnixUs: 0x1_0000_0000 * 1e6 })).toThrow('before 2106');
    expect(() => pcapRecord({ ...frame, phyPayload: new Uint8Array(256) })).toThrow('255 bytes');
  });
});

describe('lines of keys', () => {
  it('are those of the vector', () => {
    const [device, group, join] = loratap.keysFile.lines;
    const ofSession = (line: string) => {
      const { devAddr, nwkSKey, appSKey } = readKeys(`${line}\n`)[0]!;
      return sessionKeysLine(devAddr, nwkSKey, appSKey);
    };
    expect([ofSession(device!), ofSession(group!)]).toEqual([`${device}\n`, `${group}\n`]);
    const { joinEui, nwkSKey: appKey } = readKeys(`${join}\n`)[0]!;
    expect(joinKeyLine(joinEui, appKey)).toBe(`${join}\n`);
  });
});
