/** LoRaWAN 1.0.4 and 1.1 §4: data frames, byte for byte, and what is no data frame. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, readLe, toHex } from '../../sim/base/bytes.ts';
import {
  type DataFrameFields,
  dataMic10,
  fullFCnt,
  MIC_BYTES,
  ParsedFrame,
  parseDataFrame,
  payloadCrypt,
  putMic,
  writeDataFrame,
} from '../../sim/lorawan/frame.ts';
import {
  type DataMType,
  decodeFrame,
  encodeFrame,
  type FrameKeys,
  type NewDataFrame,
} from '../../sim/lorawan/frame-codec.ts';
import { keySchedule } from '../../sim/lorawan/keys.ts';
import { vectors } from '../support/vectors.ts';

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

const { frames } = vectors<{ frames: FrameRow[] }>('frames');

function securityOf(row: FrameRow): FrameKeys {
  const { confFCnt = 0, txDr = 0, txCh = 0 } = row;
  return { ...row.keys, confFCnt, txDr, txCh };
}

function frameOf(row: FrameRow): NewDataFrame {
  return {
    mType: row.mtype,
    devAddr: Number.parseInt(row.devAddr, 16),
    fCnt: row.fCnt32,
    fCtrl: {
      adr: row.fCtrl.adr === 1,
      adrAckReq: row.fCtrl.adrackreq === 1,
      ack: row.fCtrl.ack === 1,
      fPending: row.fCtrl.fpending === 1,
      classB: row.fCtrl.classb === 1,
    },
    fOpts: fromHex(row.fOptsPlain),
    ...(row.fPort === null ? {} : { fPort: row.fPort }),
    frmPayload: fromHex(row.frmPayloadPlain),
  };
}

describe.each(frames)('$name', (row) => {
  it('is encoded as every implementation does', () => {
    expect(toHex(encodeFrame(frameOf(row), securityOf(row)))).toBe(row.phyPayload);
  });

  it('is decoded to what was sent', () => {
    const fCntHigh = Math.floor(row.fCnt32 / 65536);
    const decoded = decodeFrame(fromHex(row.phyPayload), { ...securityOf(row), fCntHigh });
    expect(decoded).toEqual({
      ok: true,
      value: { fPort: undefined, ...frameOf(row), micOk: true },
    });
  });

  it('fails its MIC when any bit of it is turned', () => {
    const phyPayload = fromHex(row.phyPayload);
    const fCntHigh = Math.floor(row.fCnt32 / 65536);
    for (let bit = 0; bit < 8 * phyPayload.length; bit += 5) {
      const spoilt = phyPayload.slice();
      spoilt[bit >> 3]! ^= 1 << (bit & 7);
      const decoded = decodeFrame(spoilt, { ...securityOf(row), fCntHigh });
      expect(decoded.ok && decoded.value.micOk).toBe(false);
    }
  });
});

const dataFrames: fc.Arbitrary<DataFrameFields> = fc
  .record({
    mType: fc.integer({ min: 2, max: 5 }),
    devAddr: fc.integer({ min: 0, max: 0xffffffff }),
    fCtrl: fc.integer({ min: 0, max: 15 }).map((flags) => flags << 4),
    fCnt: fc.integer({ min: 0, max: 0xffffffff }),
    fOpts: fc.uint8Array({ maxLength: 15 }),
    fPort: fc.integer({ min: -1, max: 255 }),
    payload: fc.uint8Array({ maxLength: 227 }),
  })
  .map((fields) => {
    const fOpts = fields.fPort === 0 ? new Uint8Array(0) : fields.fOpts;
    const payload = fields.fPort < 0 ? new Uint8Array(0) : fields.payload;
    return { ...fields, fOpts, payload, fOptsLength: fOpts.length, payloadLength: payload.length };
  });

describe('the layout of a data frame', () => {
  it('is read as it was written', () => {
    const parsed = new ParsedFrame();
    fc.assert(
      fc.property(dataFrames, fc.integer(), (fields, mic) => {
        const out = new Uint8Array(255);
        const whole = putMic(out, writeDataFrame(out, fields), mic);
        expect(parseDataFrame(out, whole, parsed)).toBe(true);
        const { mType, devAddr, fPort, fOptsLength, payloadLength } = fields;
        expect(parsed).toMatchObject({ mType, devAddr, fPort, fOptsLength, payloadLength, mic });
        expect(parsed.fCnt).toBe(fields.fCnt % 65536);
        expect(parsed.fCtrl).toBe(fields.fCtrl | fOptsLength);
        const at = parsed.payloadOffset;
        expect(out.slice(at, at + payloadLength)).toEqual(fields.payload);
        expect(at + payloadLength + MIC_BYTES).toBe(whole);
      }),
    );
  });

  it('is refused, or read within its bounds, for any bytes', () => {
    const parsed = new ParsedFrame();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        if (!parseDataFrame(bytes, bytes.length, parsed)) return;
        expect(bytes.length).toBeGreaterThanOrEqual(12);
        expect(parsed.payloadOffset + parsed.payloadLength).toBe(bytes.length - 4);
        expect(parsed.payloadLength).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('is refused when cut, of another type or version, or with FOpts at FPort 0', () => {
    const parsed = new ParsedFrame();
    const refused = (hex: string): boolean => !parseDataFrame(fromHex(hex), hex.length / 2, parsed);
    expect(refused('40da1b01260000000001020304')).toBe(false);
    expect(refused('40da1b0126000000010203')).toBe(true);
    expect(refused('40da1b0126010000' + '01020304')).toBe(true);
    expect(refused('00da1b0126000000' + '01020304')).toBe(true);
    expect(refused('41da1b0126000000' + '01020304')).toBe(true);
    expect(refused('40da1b0126010000' + '0200' + '01020304')).toBe(true);
    expect(refused('40'.repeat(256))).toBe(true);
    expect(parseDataFrame(fromHex('40da1b0126'), 12, parsed)).toBe(false);
  });

  it('is not written for fields that contradict each other', () => {
    const fields: DataFrameFields = {
      mType: 2,
      devAddr: 1,
      fCtrl: 0,
      fCnt: 0,
      fOpts: new Uint8Array(16),
      fOptsLength: 0,
      fPort: 1,
      payload: new Uint8Array(250),
      payloadLength: 0,
    };
    const out = new Uint8Array(300);
    expect(() => writeDataFrame(out, { ...fields, fOptsLength: 16 })).toThrow('FOpts');
    expect(() => writeDataFrame(out, { ...fields, fOptsLength: 1, fPort: 0 })).toThrow('FPort 0');
    expect(() => writeDataFrame(out, { ...fields, fPort: -1, payloadLength: 1 })).toThrow('FPort');
    expect(() => writeDataFrame(out, { ...fields, payloadLength: 243 })).toThrow('255');
  });
});

describe('the ciphers', () => {
  it('encrypt and decrypt by the same operation, at any offset', () => {
    const schedule = keySchedule('000102030405060708090a0b0c0d0e0f');
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 242 });
    fc.assert(
      fc.property(bytes, fc.nat(13), fc.nat(0xffffffff), (text, offset, fCnt) => {
        const out = new Uint8Array(offset + text.length + 3);
        out.set(text, offset);
        payloadCrypt(schedule, 1, 0x01020304, fCnt, out, offset, text.length);
        payloadCrypt(schedule, 1, 0x01020304, fCnt, out, offset, text.length);
        expect(out.slice(offset, offset + text.length)).toEqual(text);
        expect(readLe(out, offset + text.length, 3)).toBe(0);
      }),
    );
  });

  it('tell directions, addresses and all 32 bits of the counter apart', () => {
    const schedule = keySchedule('000102030405060708090a0b0c0d0e0f');
    const bytes = fromHex('40da1b012600000001aabb');
    const mics = new Set([
      dataMic10(schedule, 0, 0x26011bda, 0, bytes, 11),
      dataMic10(schedule, 1, 0x26011bda, 0, bytes, 11),
      dataMic10(schedule, 0, 0xa6011bda, 0, bytes, 11),
      dataMic10(schedule, 0, 0x26011bda, 65536, bytes, 11),
      dataMic10(schedule, 0, 0x26011bda, 0x80000000, bytes, 11),
      dataMic10(schedule, 0, 0x26011bda, 0, bytes, 10),
    ]);
    expect(mics.size).toBe(6);
  });
});

describe('the full frame counter', () => {
  it('is the nearest one not below the last', () => {
    expect(fullFCnt(-1, 7)).toBe(7);
    expect(fullFCnt(0, 0)).toBe(0);
    expect(fullFCnt(65535, 0)).toBe(65536);
    expect(fullFCnt(65536 + 5, 4)).toBe(2 * 65536 + 4);
    expect(fullFCnt(0xfffe_fff0, 1)).toBe(0xffff_0001);
  });
});
