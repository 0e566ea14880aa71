/**
 * Random data frames, written here and read by another implementation (lora-packet), and the other
 * way round: LoRaWAN 1.0.x and 1.1, all 32 bits of the counters.
 */
import { createRequire } from 'node:module';
import fc from 'fast-check';
import type lora from 'lora-packet';
import { describe, expect, it } from 'vitest';
import {
  type DataMType,
  decodeFrame,
  encodeFrame,
  type FrameControl,
  type NewDataFrame,
} from '../../sim/lorawan/frame-codec.ts';

const { decrypt, fromFields, fromWire, verifyMIC } = createRequire(import.meta.url)(
  'lora-packet',
) as typeof lora.default;

const TYPES: readonly DataMType[] = [
  'UnconfirmedDataUp',
  'UnconfirmedDataDown',
  'ConfirmedDataUp',
  'ConfirmedDataDown',
];

const key = fc.uint8Array({ minLength: 16, maxLength: 16 });
const bits = fc.record({ adr: fc.boolean(), adrAckReq: fc.boolean(), ack: fc.boolean() });
const frames: fc.Arbitrary<Required<NewDataFrame> & { readonly fCtrl: FrameControl }> = fc
  .record({
    mType: fc.constantFrom(...TYPES),
    devAddr: fc.integer({ min: 0, max: 0xffff_ffff }),
    fCnt: fc.oneof(fc.nat(0xffff), fc.integer({ min: 0, max: 0xffff_ffff })),
    fCtrl: bits,
    pending: fc.boolean(),
    fOpts: fc.uint8Array({ maxLength: 15 }),
    fPort: fc.oneof(fc.integer({ min: 1, max: 255 }), fc.constant(0), fc.constant(undefined)),
    frmPayload: fc.uint8Array({ minLength: 1, maxLength: 222 }),
  })
  .map(({ pending, ...frame }) => {
    const isUp = frame.mType.endsWith('Up');
    const adrAckReq = isUp && frame.fCtrl.adrAckReq;
    const fCtrl = { ...frame.fCtrl, adrAckReq, fPending: !isUp && pending, classB: false };
    const fOpts = frame.fPort === 0 ? new Uint8Array(0) : frame.fOpts;
    const frmPayload = frame.fPort === undefined ? new Uint8Array(0) : frame.frmPayload;
    return { ...frame, fCtrl, fOpts, frmPayload };
  });

const upper = (fCnt: number): Buffer => {
  const high = fCnt >>> 16;
  return Buffer.from([high & 255, high >> 8]);
};
const devAddr = (address: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(address);
  return bytes;
};
const buffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes);

describe('a 1.0 frame that is encoded here', () => {
  it('is good for lora-packet, and says what was meant', () => {
    fc.assert(
      fc.property(frames, key, key, (frame, nwkSKey, appSKey) => {
        const packet = fromWire(buffer(encodeFrame(frame, { nwkSKey, appSKey })));
        const msb = upper(frame.fCnt);
        expect(verifyMIC(packet, buffer(nwkSKey), undefined, msb)).toBe(true);
        expect(packet.getMType()).toMatch(frame.mType.startsWith('Un') ? /^Un/ : /^Conf/);
        expect(packet.getDir()).toBe(frame.mType.endsWith('Up') ? 'up' : 'down');
        expect(packet.getFCnt()).toBe(frame.fCnt & 0xffff);
        expect(packet.DevAddr).toEqual(devAddr(frame.devAddr));
        expect(packet.getFCtrlADR()).toBe(frame.fCtrl.adr);
        expect(packet.getFCtrlACK()).toBe(frame.fCtrl.ack);
        expect(packet.FOpts).toEqual(buffer(frame.fOpts));
        expect(packet.getFPort() ?? undefined).toBe(frame.fPort);
        if (frame.fPort === undefined) return;
        const text = decrypt(packet, buffer(appSKey), buffer(nwkSKey), msb);
        expect(text).toEqual(buffer(frame.frmPayload));
      }),
      { numRuns: 200 },
    );
  });

  it('is bad for lora-packet with another upper half of the counter', () => {
    fc.assert(
      fc.property(frames, key, key, (frame, nwkSKey, appSKey) => {
        const packet = fromWire(buffer(encodeFrame(frame, { nwkSKey, appSKey })));
        const msb = upper(frame.fCnt ^ 0x1_0000);
        expect(verifyMIC(packet, buffer(nwkSKey), undefined, msb)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a 1.0 frame that lora-packet encodes', () => {
  // It writes frames without FPort as FPort 1.
  const written = frames.filter(({ fPort }) => fPort !== undefined);

  it('is the same as that encoded here, and is read here', () => {
    fc.assert(
      fc.property(written, key, key, (frame, nwkSKey, appSKey) => {
        const { mType, fCnt, fCtrl, fOpts, fPort, frmPayload } = frame;
        const fields = {
          MType: TYPES.indexOf(mType) + 2,
          DevAddr: devAddr(frame.devAddr),
          FCnt: Buffer.from([(fCnt >> 8) & 255, fCnt & 255]),
          FCtrl: {
            ADR: fCtrl.adr,
            ADRACKReq: fCtrl.adrAckReq,
            ACK: fCtrl.ack,
            FPending: fCtrl.fPending,
          },
          FOpts: buffer(fOpts),
          FPort: fPort!,
          payload: buffer(frmPayload),
        };
        const keys = [buffer(appSKey), buffer(nwkSKey)] as const;
        const theirs = fromFields(fields, ...keys, undefined, upper(fCnt)).PHYPayload!;
        const security = { nwkSKey, appSKey };
        expect(buffer(encodeFrame(frame, security))).toEqual(theirs);
        const read = decodeFrame(Uint8Array.from(theirs), { ...security, fCntHigh: fCnt >>> 16 });
        expect(read).toEqual({ ok: true, value: { ...frame, micOk: true } });
      }),
      { numRuns: 200 },
    );
  });
});

describe('a 1.1 frame that is encoded here', () => {
  const contexts = fc.record({
    confFCnt: fc.nat(0xffff),
    txDr: fc.nat(15),
    txCh: fc.nat(95),
  });

  it('is good for lora-packet, FOpts and payload in clear', () => {
    fc.assert(
      fc.property(frames, key, key, key, key, contexts, (frame, a, b, c, d, context) => {
        const keys = { fNwkSIntKey: a, sNwkSIntKey: b, nwkSEncKey: c, appSKey: d };
        const confFCnt = frame.fCtrl.ack ? context.confFCnt : 0;
        const phyPayload = encodeFrame(frame, { ...keys, ...context, confFCnt });
        const packet = fromWire(buffer(phyPayload));
        const msb = upper(frame.fCnt);
        // lora-packet turns the counter of an uplink round.
        const [low, high] = [confFCnt & 255, confFCnt >> 8];
        const isUp = frame.mType.endsWith('Up');
        const about = isUp ? [high, low, context.txDr, context.txCh] : [low, high];
        expect(verifyMIC(packet, buffer(a), buffer(b), msb, Buffer.from(about))).toBe(true);
        if (frame.fOpts.length > 0) {
          expect(packet.decryptFOpts(buffer(c), undefined, msb)).toEqual(buffer(frame.fOpts));
        }
        if (frame.fPort === undefined) return;
        const text = decrypt(packet, buffer(d), buffer(c), msb);
        expect(text).toEqual(buffer(frame.frmPayload));
      }),
      { numRuns: 200 },
    );
  });
});
