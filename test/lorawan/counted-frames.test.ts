/**
 * Counted frames: their tokens distinguish what integrity codes distinguish (LoRaWAN 1.0.4 §4.4,
 * 1.1 §4.4; TS004-2.0.0 §4), so that a world has the same outcome in both modes.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countedFrames, type FrameSecurity, realFrames } from '../../sim/lorawan/frame-security.ts';
import { Injector } from '../support/injector.ts';
import { MINUTE_US, networkOf } from '../support/small-network.ts';

interface Signed {
  readonly key: Uint8Array;
  readonly otherKey: Uint8Array;
  /** 0 up, 1 down. */
  readonly direction: number;
  readonly devAddr: number;
  /** All 32 bits. */
  readonly counter: number;
  readonly confFCnt: number;
  readonly dataRate: number;
  readonly channel: number;
  readonly bytes: Uint8Array;
}

const key = fc.uint8Array({ minLength: 16, maxLength: 16 });
const signed: fc.Arbitrary<Signed> = fc.record({
  key,
  otherKey: key,
  direction: fc.constantFrom(0, 1),
  devAddr: fc.nat(0x7fff_ffff),
  counter: fc.integer({ min: 0, max: 0x7fff_ffff }),
  confFCnt: fc.nat(0xffff),
  dataRate: fc.nat(15),
  channel: fc.nat(95),
  bytes: fc.uint8Array({ minLength: 8, maxLength: 60 }),
});

type Mic = (security: FrameSecurity, one: Signed) => number;

const MICS = {
  data: (security, { key, direction, devAddr, counter, bytes }) =>
    security.dataMic(key, 0, direction, devAddr, counter, bytes, bytes.length),
  uplink: ({ v11 }, { key, otherKey, bytes, ...one }) =>
    v11.uplinkMic({ keys: key, at: 0 }, { keys: otherKey, at: 0 }, of(one), bytes, bytes.length),
  downlink: ({ v11 }, { key, bytes, ...one }) =>
    v11.downlinkMic({ keys: key, at: 0 }, of(one), bytes, bytes.length),
  join: (security, { key, bytes }) => security.joinMic(key, 0, bytes, bytes.length),
  block: (security, { key, confFCnt, channel, counter, bytes }) =>
    security.blockMic(key, {
      sessionCnt: confFCnt,
      fragIndex: channel & 3,
      descriptor: counter,
      block: bytes,
    }),
} satisfies Readonly<Record<string, Mic>>;

/** The circumstances that a MIC of LoRaWAN 1.1 covers. */
const of = (one: Omit<Signed, 'key' | 'otherKey' | 'bytes'>) => ({
  devAddr: one.devAddr,
  fCnt32: one.counter,
  confFCnt: one.confFCnt,
  txDr: one.dataRate,
  txCh: one.channel,
});

const flipped = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, i) => byte ^ (i === bit >> 3 ? 1 << (bit & 7) : 0));

/** The same but for one bit of one part. */
const CHANGES: Readonly<Record<string, (one: Signed, bit: number) => Signed>> = {
  'the key': (one, bit) => ({ ...one, key: flipped(one.key, bit % 128) }),
  'the serving key': (one, bit) => ({ ...one, otherKey: flipped(one.otherKey, bit % 128) }),
  'the direction': (one) => ({ ...one, direction: 1 - one.direction }),
  'the address': (one, bit) => ({ ...one, devAddr: one.devAddr ^ (1 << (bit % 31)) }),
  'the low half of the counter': (one, bit) => ({
    ...one,
    counter: one.counter ^ (1 << (bit % 16)),
  }),
  'the high half of the counter': (one, bit) => ({
    ...one,
    counter: one.counter ^ (0x1_0000 << (bit % 15)),
  }),
  'the counter that is acknowledged': (one, bit) => ({
    ...one,
    confFCnt: one.confFCnt ^ (1 << (bit % 16)),
  }),
  'the data rate': (one, bit) => ({ ...one, dataRate: one.dataRate ^ (1 << (bit % 4)) }),
  'the channel': (one, bit) => ({ ...one, channel: one.channel ^ (1 << (bit % 6)) }),
  'a byte': (one, bit) => ({ ...one, bytes: flipped(one.bytes, bit % (8 * one.bytes.length)) }),
  'the length': (one) => ({ ...one, bytes: Uint8Array.of(...one.bytes, 0) }),
};

describe.each(Object.entries(MICS))('the MIC of %s frames', (_, mic) => {
  it.each(Object.entries(CHANGES))(
    'has a token that differs where a MIC differs: %s',
    (_, change) => {
      fc.assert(
        fc.property(signed, fc.nat(1000), (one, bit) => {
          const another = change(one, bit);
          const isApart = (security: FrameSecurity) =>
            mic(security, one) !== mic(security, another);
          expect(isApart(countedFrames)).toBe(isApart(realFrames));
        }),
        { numRuns: 60 },
      );
    },
  );
});

describe.each(['counted', 'real'] as const)('an uplink in %s frames', (frames) => {
  it('is not believed 2^16 messages later, when its 16 bits of counter fit again', () => {
    const injector = new Injector(networkOf({ frames, server: { deduplicationUs: 1 } }));
    injector.runUntil(5 * MINUTE_US);
    const { phyPayload, counter } = injector.observer.of('uplinkBegins').at(-1)!;
    const { registrations } = injector.network.sides.server;
    registrations.column.fCntUp[0] = counter + 0xffff;
    const frame = Uint8Array.from(Buffer.from(phyPayload, 'hex'));
    expect(injector.inject(frame)).toBe('badMic');
  });
});
