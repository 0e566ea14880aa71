/** How messages lie on the wire: fields, bits, conditions, lists and runs. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import {
  absentWhen,
  bits,
  bytes,
  frequency,
  i32,
  message,
  type Payload,
  perBit,
  presentWhen,
  readCommands,
  rest,
  u8,
  u16,
  u24,
  u32,
} from '../../sim/lorawan/message.ts';
import { expectLawfulMessages } from '../support/messages.ts';

const Everything = message(0x10, {
  small: u8,
  middle: u16,
  odd: u24,
  large: u32,
  balance: i32,
  channel: frequency,
  status: bits(u16, { index: [15, 14], flag: 9, level: [5, 0, 'signed'] }),
  tag: bytes(3),
  tail: rest,
});

const Conditional = message(0x11, {
  status: bits(u8, { failed: 7, state: [1, 0] }),
  seconds: absentWhen(u24, 'failed'),
  version: presentWhen(u32, 'state', 3),
});

const Listed = message(0x12, {
  head: bits(u8, { mask: [3, 0] }),
  groups: perBit('mask', { id: u8, address: u32 }),
});

const example = {
  small: 255,
  middle: 0x1234,
  odd: 0xabcdef,
  large: 0xfffffffe,
  balance: -2,
  channel: 868_100_000,
  index: 2,
  flag: true,
  level: -32,
  tag: Uint8Array.of(1, 2, 3),
  tail: Uint8Array.of(9),
};

describe('a message', () => {
  it('is little-endian, field after field, and comes back', () => {
    const encoded = Everything.encode(example);
    expect(toHex(encoded)).toBe('10ff3412efcdabfefffffffeffffff287684208201020309');
    expect(Everything.decode(encoded)).toEqual({ ok: true, value: example });
  });

  it('has the payload type that its table says', () => {
    expectTypeOf<Payload<(typeof Everything)['fields']>>().toEqualTypeOf<{
      readonly small: number;
      readonly middle: number;
      readonly odd: number;
      readonly large: number;
      readonly balance: number;
      readonly channel: number;
      readonly index: number;
      readonly flag: boolean;
      readonly level: number;
      readonly tag: Uint8Array;
      readonly tail: Uint8Array;
    }>();
    expectTypeOf<Payload<(typeof Conditional)['fields']>>().toEqualTypeOf<{
      readonly failed: boolean;
      readonly state: number;
      readonly seconds?: number;
      readonly version?: number;
    }>();
  });

  it('keeps the laws', () => {
    expectLawfulMessages({ Everything, Conditional, Listed });
  });

  it('is refused under another CID', () => {
    expect(Conditional.decode(fromHex('1001020304'))).toMatchObject({
      failure: { code: 'message.malformed' },
    });
  });

  it('is not written with values that do not fit', () => {
    expect(() => Everything.encode({ ...example, small: 256 })).toThrow('small fits its 1 bytes');
    expect(() => Everything.encode({ ...example, middle: 0.5 })).toThrow('middle');
    expect(() => Everything.encode({ ...example, balance: 2 ** 31 })).toThrow('balance');
    expect(() => Everything.encode({ ...example, channel: 868_100_050 })).toThrow('channel');
    expect(() => Everything.encode({ ...example, index: 4 })).toThrow('index fits its 2 bits');
    expect(() => Everything.encode({ ...example, level: 32 })).toThrow('level');
    expect(() => Everything.encode({ ...example, tag: new Uint8Array(4) })).toThrow('tag has 3');
  });
});

describe('a field under a condition', () => {
  it('is there exactly when the condition holds', () => {
    expect(toHex(Conditional.encode({ failed: true, state: 0 }))).toBe('1180');
    expect(toHex(Conditional.encode({ failed: false, state: 1, seconds: 5 }))).toBe('1101050000');
    expect(Conditional.decode(fromHex('118302000000'))).toEqual({
      ok: true,
      value: { failed: true, state: 3, version: 2 },
    });
    expect(() => Conditional.encode({ failed: true, state: 0, seconds: 5 })).toThrow('seconds');
    expect(() => Conditional.encode({ failed: false, state: 0 })).toThrow('seconds');
  });
});

describe('a list', () => {
  it('has one record per bit of its mask', () => {
    const payload = {
      mask: 0b1010,
      groups: [
        { id: 1, address: 7 },
        { id: 3, address: 9 },
      ],
    };
    expect(toHex(Listed.encode(payload))).toBe('120a01070000000309000000');
    expect(Listed.decode(fromHex('120a010700000003090000')).ok).toBe(false);
    expect(() => Listed.encode({ ...payload, mask: 1 })).toThrow('one entry per bit');
  });
});

describe('a run of commands', () => {
  const set = { Conditional, Listed };

  it('is read command by command', () => {
    expect(readCommands(set, fromHex('118012011100000000'.slice(0, 16)))).toEqual({
      commands: [{ name: 'Conditional', payload: { failed: true, state: 0 } }],
      unreadBytes: 6,
    });
    expect(readCommands(set, fromHex('ff118012000011'), 1, 6)).toEqual({
      commands: [
        { name: 'Conditional', payload: { failed: true, state: 0 } },
        { name: 'Listed', payload: { mask: 0, groups: [] } },
      ],
      unreadBytes: 1,
    });
  });

  it('stops at an unknown CID', () => {
    expect(readCommands(set, fromHex('11807f1180')).unreadBytes).toBe(3);
    expect(readCommands(set, new Uint8Array(0))).toEqual({ commands: [], unreadBytes: 0 });
  });

  it('takes each CID once', () => {
    const twice = { Conditional, Again: message(0x11, {}) };
    expect(() => readCommands(twice, fromHex('11'))).toThrow('its own CID');
  });
});

describe('single values', () => {
  it('are read where they stand, without the rest of the message', () => {
    const { small, middle, odd, balance, channel, index, flag, level } = Everything.value;
    const bytes = Uint8Array.of(0, 0, ...Everything.encode(example));
    const read = [small, middle, odd, balance, channel, index, flag, level].map((one) =>
      one(bytes, 2),
    );
    expect(read).toEqual([255, 0x1234, 0xabcdef, -2, 868_100_000, 2, true, -32]);
  });

  it('have readers as long as their place is fixed, and none for bytes and lists', () => {
    expect(Object.keys(Everything.value)).not.toContain('tag');
    expect(Object.keys(Conditional.value)).toEqual(['failed', 'state']);
    expect(Object.keys(Listed.value)).toEqual(['mask']);
    expectTypeOf(Everything.value.flag).returns.toEqualTypeOf<boolean>();
    expectTypeOf(Everything.value).not.toHaveProperty('tag');
  });
});
