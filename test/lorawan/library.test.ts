/** The public face `fleetwave/sim`: every row of the vectors goes through it. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  adrDecision,
  type DataMType,
  dataBlockMic,
  decodeFrame,
  deriveDataBlockIntKey,
  deriveMulticastKeys,
  deriveSessionKeys,
  encodeFragments,
  encodeFrame,
  type FragmentationVersion,
  FragmentDecoder,
  fromHex,
  fskTimeOnAirUs,
  type NewDataFrame,
  nextPingSlot,
  parityRow,
  pingOffset,
  RankModel,
  REGION_NAMES,
  region,
  symbolUs,
  timeOnAirUs,
  toHex,
} from '../../sim/library.ts';
import { ParsedFrame, parseDataFrame } from '../../sim/lorawan/frame.ts';
import { vectors } from '../support/vectors.ts';

const number = (hex: string): number => Number.parseInt(hex, 16);
const hexValues = (keys: object): Record<string, string> =>
  Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, toHex(key)]));
const sha256 = (parts: readonly (Uint8Array | string)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

describe('the time on air', () => {
  interface LoRaRow {
    sf: number;
    bwHz: number;
    cr: string;
    preamble: number;
    explicitHeader: boolean;
    crc: boolean;
    ldro: boolean;
    phyPayloadLen: number;
    toaUs: number;
  }
  type FskRow = Pick<LoRaRow, 'phyPayloadLen' | 'crc' | 'toaUs'> & { bitrate: number };
  const rows = vectors<{ lora: LoRaRow[]; fsk50kbps: FskRow[] }>('airtime');

  it.each(rows.lora)('is $toaUs µs: SF$sf $bwHz Hz $cr, $phyPayloadLen bytes', (row) => {
    const frame = {
      spreadingFactor: row.sf,
      bandwidthHz: row.bwHz,
      phyPayloadBytes: row.phyPayloadLen,
      codingRate: (Number(row.cr[2]) - 4) as 1 | 2 | 3 | 4,
      preambleSymbols: row.preamble,
      crc: row.crc,
      explicitHeader: row.explicitHeader,
    };
    expect(timeOnAirUs(frame)).toBe(row.toaUs);
    expect(timeOnAirUs({ ...frame, lowDataRateOptimize: row.ldro })).toBe(row.toaUs);
  });

  it('has a preamble of 8 symbols at every spreading factor unless another is given', () => {
    for (let spreadingFactor = 5; spreadingFactor <= 12; spreadingFactor++) {
      const frame = { spreadingFactor, bandwidthHz: 125_000, phyPayloadBytes: 23 };
      const defaults = {
        codingRate: 1,
        preambleSymbols: 8,
        crc: true,
        explicitHeader: true,
      } as const;
      const lowDataRateOptimize = spreadingFactor >= 11;
      expect(timeOnAirUs(frame)).toBe(timeOnAirUs({ ...frame, ...defaults, lowDataRateOptimize }));
      const longer = timeOnAirUs({ ...frame, preambleSymbols: 12 });
      expect(longer - timeOnAirUs(frame)).toBe(4 * symbolUs(spreadingFactor, 125_000));
    }
  });

  it('is that of FSK too', () => {
    for (const row of rows.fsk50kbps) {
      const frame = { bitRate: row.bitrate, phyPayloadBytes: row.phyPayloadLen, crc: row.crc };
      expect(fskTimeOnAirUs(frame)).toBe(row.toaUs);
    }
  });
});

interface FrameRow {
  name: string;
  mtype: DataMType;
  devAddr: string;
  fCnt32: number;
  keys: { nwkSKey: string; appSKey: string };
  fCtrl: Record<'adr' | 'adrackreq' | 'ack' | 'fpending' | 'classb', number>;
  fPort: number | null;
  frmPayloadPlain: string;
  fOptsPlain: string;
  phyPayload: string;
  confFCnt?: number;
  txDr?: number;
  txCh?: number;
}

interface JoinRow {
  name: string;
  type: string;
  appKey: string;
  nwkKey: string;
  joinNonce: number;
  netId: string;
  joinEui: string;
  devNonce: number;
  session: Record<string, string>;
}

const { frames, joins } = vectors<{ frames: FrameRow[]; joins: JoinRow[] }>('frames');

function frameOf(row: FrameRow): Required<NewDataFrame> {
  return {
    mType: row.mtype,
    devAddr: number(row.devAddr),
    fCnt: row.fCnt32,
    fCtrl: {
      adr: row.fCtrl.adr === 1,
      adrAckReq: row.fCtrl.adrackreq === 1,
      ack: row.fCtrl.ack === 1,
      fPending: row.fCtrl.fpending === 1,
      classB: row.fCtrl.classb === 1,
    },
    fOpts: fromHex(row.fOptsPlain),
    fPort: row.fPort ?? undefined,
    frmPayload: fromHex(row.frmPayloadPlain),
  };
}

describe('data frames', () => {
  describe.each(frames)('$name', (row) => {
    const { confFCnt = 0, txDr = 0, txCh = 0 } = row;
    const keys = { ...row.keys, confFCnt, txDr, txCh };
    const asBytes = Object.fromEntries(
      Object.entries(row.keys).map(([name, key]) => [name, fromHex(key)]),
    ) as { nwkSKey: Uint8Array; appSKey: Uint8Array };

    it('are encoded as every implementation does, with keys as text or bytes', () => {
      expect(toHex(encodeFrame(frameOf(row), keys))).toBe(row.phyPayload);
      expect(toHex(encodeFrame(frameOf(row), { ...keys, ...asBytes }))).toBe(row.phyPayload);
    });

    it('are decoded to what was sent, and encoded again', () => {
      const fCntHigh = Math.floor(row.fCnt32 / 65_536);
      const decoded = decodeFrame(fromHex(row.phyPayload), { ...keys, fCntHigh });
      expect(decoded).toEqual({ ...frameOf(row), micOk: true });
      expect(toHex(encodeFrame(decoded, keys))).toBe(row.phyPayload);
    });
  });

  const keys = { nwkSKey: '0'.repeat(32), appSKey: '1'.repeat(32) };

  it('are refused with a reason exactly when they are none', () => {
    const parsed = new ParsedFrame();
    const reasons = new RegExp(
      [
        /^a data frame is a Uint8Array of 12 to 255 bytes, not \d+ bytes$/,
        /^a data frame has MType 2 to 5, not \d$/,
        /^a data frame has major version 0, not [123]$/,
        /^FOptsLen is \d+, but \d+ bytes are left between FHDR and MIC$/,
        /^FOpts has \d+ bytes, but none may stand with FPort 0$/,
      ]
        .map(({ source }) => source)
        .join('|'),
    );
    const likely = fc
      .tuple(fc.nat(255), fc.uint8Array({ maxLength: 40 }))
      .map(([mhdr, rest]) => Uint8Array.of(mhdr & 0x63, ...rest));
    fc.assert(
      fc.property(fc.oneof(likely, fc.uint8Array({ maxLength: 300 })), (bytes) => {
        const isFrame = parseDataFrame(bytes, bytes.length, parsed);
        if (isFrame) expect(decodeFrame(bytes, keys).devAddr).toBe(parsed.devAddr);
        else expect(() => decodeFrame(bytes, keys)).toThrow(reasons);
      }),
      { numRuns: 500 },
    );
  });

  it('are read from a Buffer that stays as it was', () => {
    const phyPayload = Buffer.from(frames[0]!.phyPayload, 'hex');
    const { frmPayload } = decodeFrame(phyPayload, frames[0]!.keys);
    expect(phyPayload.toString('hex')).toBe(frames[0]!.phyPayload);
    phyPayload.fill(0);
    expect(toHex(frmPayload)).toBe(frames[0]!.frmPayloadPlain);
    expect(Object.getPrototypeOf(frmPayload)).toBe(Uint8Array.prototype);
  });

  it('may leave out what is empty or off', () => {
    const shortest = encodeFrame({ mType: 'UnconfirmedDataUp', devAddr: 1, fCnt: 2 }, keys);
    expect(shortest).toHaveLength(12);
    expect(decodeFrame(shortest, keys)).toMatchObject({ fCnt: 2, fPort: undefined, micOk: true });
  });
});

describe('keys', () => {
  interface BlockRow {
    genAppKey: string;
    sessionCnt: number;
    fragIndex: number;
    descriptor: string;
    dataLen: number;
    mic: string;
  }
  interface KeyRows {
    multicastKeys: Record<string, string>[];
    dataBlockMicTs004v2: BlockRow[];
    pingSlots: { beaconTime: number; addr: string; periodicity: number; pingOffset: number }[];
  }
  const { multicastKeys, dataBlockMicTs004v2, pingSlots } = vectors<KeyRows>('keys');

  it.each(joins.filter(({ type }) => type !== 'JoinRequest'))('of a session: $name', (row) => {
    const { appKey, nwkKey, joinNonce, joinEui, devNonce } = row;
    const netId = number(row.netId);
    const keys =
      row.type === 'JoinAccept 1.1'
        ? deriveSessionKeys({ version: '1.1', appKey, nwkKey, joinNonce, joinEui, devNonce })
        : deriveSessionKeys({ version: '1.0', appKey, joinNonce, netId, devNonce });
    expect(hexValues(keys)).toEqual(row.session);
  });

  it.each(multicastKeys)('of the multicast group $mcAddr', (row) => {
    const rootKey = row.genAppKeyOrAppKey!;
    const mcKey = row.mcKey!;
    const mcKeyEncrypted = row['mcKeyEncrypted(with that McKEKey)']!;
    const group = { version: '1.0', rootKey, mcAddr: number(row.mcAddr!) } as const;
    const expected = {
      mcRootKey: row['mcRootKey_1_0_x(from GenAppKey)'],
      mcKEKey: row['mcKEKey(of the 1.0.x root)'],
      mcKey,
      mcKeyEncrypted,
      mcAppSKey: row.mcAppSKey,
      mcNwkSKey: row.mcNwkSKey,
    };
    expect(hexValues(deriveMulticastKeys({ ...group, mcKey }))).toEqual(expected);
    expect(hexValues(deriveMulticastKeys({ ...group, mcKeyEncrypted }))).toEqual(expected);
    expect(hexValues(deriveMulticastKeys({ ...group, mcKey, mcKeyEncrypted }))).toEqual(expected);
    const v11 = deriveMulticastKeys({ ...group, version: '1.1', mcKey });
    expect(toHex(v11.mcRootKey)).toBe(row['mcRootKey_1_1(from AppKey)']);
    expect(toHex(deriveDataBlockIntKey(rootKey))).toBe(row.dataBlockIntKey);
  });

  it.each(dataBlockMicTs004v2)('sign data blocks: $mic', (row) => {
    const { sessionCnt, fragIndex } = row;
    const mic = dataBlockMic({
      dataBlockIntKey: deriveDataBlockIntKey(row.genAppKey),
      sessionCnt,
      fragIndex,
      descriptor: fromHex(row.descriptor),
      data: Uint8Array.from({ length: row.dataLen }, (_, i) => i * 31 + sessionCnt),
    });
    expect(mic).toBe(Buffer.from(row.mic, 'hex').readUInt32LE());
  });

  it.each(pingSlots)(
    'are not needed for the ping slot of $addr at $beaconTime, periodicity $periodicity',
    ({ beaconTime: beaconTimeS, addr, periodicity, pingOffset: expected }) => {
      expect(pingOffset({ beaconTimeS, devAddr: number(addr), periodicity })).toBe(expected);
    },
  );
});

describe('class B', () => {
  interface SlotRow {
    afterMs: number;
    addr: string;
    periodicity: number;
    beaconTime: number;
    pingOffset: number;
    slotN: number;
    slotStartMs: number;
  }
  const classB =
    vectors<Record<'nextPingSlot' | 'chirpstackUnitTestsSatisfied', SlotRow[]>>('classb');

  it('has its ping slots where two implementations have them', () => {
    for (const row of classB.nextPingSlot) {
      const { beaconTime: beaconTimeS, periodicity } = row;
      const devAddr = number(row.addr);
      expect(pingOffset({ beaconTimeS, devAddr, periodicity })).toBe(row.pingOffset);
      const startUs = row.slotStartMs * 1000;
      const slot = { beaconTimeS, slotNumber: row.slotN, startUs };
      expect(nextPingSlot(row.afterMs * 1000, devAddr, periodicity)).toEqual(slot);
    }
    for (const row of classB.chirpstackUnitTestsSatisfied) {
      const slot = nextPingSlot(row.afterMs * 1000, number(row.addr), row.periodicity);
      expect(slot.startUs).toBe(row.slotStartMs * 1000);
    }
    expect(classB.nextPingSlot.length).toBeGreaterThan(90);
  });
});

type AdrRow = Parameters<typeof adrDecision>[0] & { name: string; result: object };

describe('the ADR decision', () => {
  it.each(vectors<{ vectors: AdrRow[] }>('adr').vectors)('$name', (row) => {
    expect(adrDecision(row)).toEqual(row.result);
  });
});

describe('fragments', () => {
  interface CodeRow {
    rowsSha256: string;
    codedSha256: string;
    rows: string[];
    coded: string[];
  }
  interface CaseRow {
    M: number;
    fragSize: number;
    redundancy: number;
    xorshift32Seed: number;
    dataSha256: string;
    v1: CodeRow;
    v2: CodeRow;
  }
  const { cases, bigN } = vectors<{
    cases: CaseRow[];
    bigN: { M: number; n: number; v1Row: string; v2Row: string }[];
  }>('fragmentation');

  /** Entry 0 is the most significant bit of byte 0, as the vectors are printed. */
  const packed = (row: Uint8Array): string => {
    const bytes = new Uint8Array((row.length + 7) >> 3);
    for (let i = 0; i < row.length; i++) bytes[i >> 3] |= row[i] << (7 - (i & 7));
    return toHex(bytes);
  };

  const blockOf = ({ xorshift32Seed, M, fragSize }: CaseRow): Uint8Array => {
    let x = xorshift32Seed;
    return Uint8Array.from({ length: M * fragSize }, () => {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
      return x;
    });
  };

  it.each(bigN)('have the parity row of M $M, n $n', ({ M, n, v1Row, v2Row }) => {
    expect([packed(parityRow(1, M, n)), packed(parityRow(2, M, n))]).toEqual([v1Row, v2Row]);
  });

  describe.each(cases)('of a block of $M × $fragSize bytes', (row) => {
    const block = blockOf(row);
    const { M, fragSize, redundancy } = row;
    const versions: FragmentationVersion[] = [1, 2];

    it.each(versions)('are those of five implementations, version %i', (version) => {
      const expected = version === 1 ? row.v1 : row.v2;
      const fragments = encodeFragments(version, block, fragSize, redundancy);
      expect(fragments).toHaveLength(M + redundancy);
      expect(sha256(fragments.slice(0, M))).toBe(row.dataSha256);
      const coded = fragments.slice(M);
      expect(coded.slice(0, expected.coded.length).map(toHex)).toEqual(expected.coded);
      expect(sha256(coded)).toBe(expected.codedSha256);
      const rows = coded.map((_, i) => packed(parityRow(version, M, i + 1)));
      expect(rows.slice(0, expected.rows.length)).toEqual(expected.rows);
      expect(sha256([rows.join('\n')])).toBe(expected.rowsSha256);
    });

    it.each(versions)('rebuild it from the end to the beginning, version %i', (version) => {
      const fragments = encodeFragments(version, block, fragSize, redundancy);
      const decoder = new FragmentDecoder(version, M, fragSize);
      expect(decoder.block()).toBe(undefined);
      let number = fragments.length;
      while (number > 0 && !decoder.add(number, fragments[number - 1])) number--;
      expect(decoder.complete).toBe(true);
      expect(decoder.block()).toEqual(block);
    });
  });

  it('keep their padding, and are arrays of their own', () => {
    const [first, last] = encodeFragments(2, fromHex('0102030405'), 3, 0);
    expect([first.buffer.byteLength, toHex(last)]).toEqual([3, '040500']);
    const decoder = new FragmentDecoder(2, 2, 3);
    decoder.add(1, first);
    decoder.add(2, last);
    expect(toHex(decoder.block()!)).toBe('010203040500');
  });

  it('count for nothing while more are missing than maxLost', () => {
    const fragments = encodeFragments(1, new Uint8Array(40), 4, 1);
    const decoder = new FragmentDecoder(1, 10, 4, { maxLost: 9 });
    decoder.add(11, fragments[10]);
    expect([decoder.memoryError, decoder.missing]).toEqual([true, 10]);
  });
});

describe('a regional plan', () => {
  it('is a table by its name', () => {
    for (const name of REGION_NAMES) expect(region(name).name).toBe(name);
  });
});

it('a rank model reads a row of a table of receivers from its word on', () => {
  const model = new RankModel(1, 26);
  const numbers = Array.from({ length: 26 }, (_, i) => i);
  const all = numbers.reduce((word, i) => word | (1 << i), 0);
  const table = Int32Array.of(0b111, 0, all, 0);
  expect(model.completesAt(table, 0, 40)).toBe(-1);
  expect(model.completesAt(table, 2, 40)).toBe(26);
  expect(model.missingAfter(table, 0, 26)).toBe(23);
  expect(model.missingAfter(table, 2, 25)).toBe(1);
  expect(model.missingAfter(table, 2, 26)).toBe(0);
});
