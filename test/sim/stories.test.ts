/** Numbers that stories are stored in: written, read back, and bounded. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArraysReader, bytesOfArrays } from '../../sim/base/array-bytes.ts';
import { VarintReader, VarintWriter } from '../../sim/base/varints.ts';
import { FACT, FactLog, readFacts } from '../../sim/observation/stories/facts.ts';
import { StoryLog } from '../../sim/observation/stories/story-log.ts';
import { readUplinks, UplinkLog } from '../../sim/observation/stories/uplink-log.ts';

describe('whole numbers as bytes', () => {
  it('are read as they were written, up to the largest', () => {
    const unsigned = fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 127, 128, 16_383, 2 ** 53 - 1));
    const signed = fc.oneof(fc.integer(), fc.constantFrom(-1, 0, 1, 2 ** 52 - 1, -(2 ** 52)));
    fc.assert(
      fc.property(fc.array(unsigned), fc.array(signed), (some, others) => {
        const writer = new VarintWriter();
        for (const each of some) writer.unsigned(each);
        for (const each of others) writer.signed(each);
        const reader = new VarintReader(writer.taken());
        expect(some.map(() => reader.unsigned())).toEqual(some);
        expect(others.map(() => reader.signed())).toEqual(others);
        expect(reader.isAtEnd).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('that are cut off break an invariant', () => {
    expect(() => new VarintReader(Uint8Array.of(0x80)).unsigned()).toThrow('before the bytes do');
    expect(() => new VarintReader(Uint8Array.of(1)).bytes(2)).toThrow('before the bytes do');
  });
});

describe('transmissions', () => {
  const DATA = 2;

  it('have the receptions of their end, whichever device ends first', () => {
    const log = new UplinkLog(10);
    log.begins(0, 5, 3, -100, DATA, -1);
    log.begins(7, 6, 5, 1_400, DATA, 0);
    log.reception(2, 1);
    log.ends(7);
    log.reception(2, 4);
    log.reception(0, 1);
    log.ends(0);
    log.collected(0, 0);
    log.begins(7, 9, 5, 1_400, DATA, -1);
    log.reception(2, 1);
    log.ends(7);
    log.begins(7, 12, 5, 1_400, DATA, -1);
    const messages = Uint8Array.of(2, 200, 8, 9);
    const all = [...readUplinks(log.written(), messages)];
    expect(all.map(({ device, frame, atUs }) => [device, frame, atUs])).toEqual([
      [0, 0, 5],
      [7, 0, 6],
      [7, 1, 9],
      [7, 2, 12],
    ]);
    const at2 = [{ gateway: 2, fate: 1 }];
    const both = [
      { gateway: 2, fate: 4 },
      { gateway: 0, fate: 1 },
    ];
    expect(all.map(({ gateways }) => gateways)).toEqual([both, at2, at2, undefined]);
    expect(all.map(({ isCollected }) => isCollected)).toEqual([true, false, false, false]);
    const message = { fPort: 200, payload: Uint8Array.of(8, 9) };
    expect(all.map((one) => one.message)).toEqual([undefined, message, undefined, undefined]);
    expect(all.map(({ eirpCentiDbm }) => eirpCentiDbm)).toEqual([-100, 1_400, 1_400, 1_400]);
  });

  it('are collected by their number, also once a later one began', () => {
    const log = new UplinkLog(10);
    for (let atUs = 1; atUs <= 3; atUs++) log.begins(1, atUs, 0, 0, DATA, -1);
    log.collected(1, 1);
    const all = [...readUplinks(log.written(), new Uint8Array(0))];
    expect(all.map(({ isCollected }) => isCollected)).toEqual([false, true, false]);
  });

  it('have room for as many as there are to be, and lack something with one more', () => {
    const log = new UplinkLog(2);
    for (const atUs of [1, 2]) log.begins(0, atUs, 0, 0, DATA, -1);
    expect(log.isFull).toBe(false);
    log.begins(0, 3, 0, 0, DATA, -1);
    expect(log.isFull).toBe(true);
  });

  it('at a gateway beyond the last row lack something', () => {
    const log = new UplinkLog(2);
    log.begins(0, 1, 0, 0, DATA, -1);
    log.reception(4_095, 1);
    expect(log.isFull).toBe(false);
    log.reception(4_096, 1);
    expect(log.isFull).toBe(true);
  });
});

describe('arrays as bytes', () => {
  it('are read as they were written, wherever the bytes begin', () => {
    const numbers = Float64Array.of(2 ** 52 - 1, -1, 0.5);
    const bytes = bytesOfArrays([
      Uint8Array.of(255),
      new Uint16Array(0),
      Int32Array.of(-(2 ** 31), 7).subarray(0, 1),
      numbers,
    ]);
    const shifted = new Uint8Array([9, ...bytes, 9]).subarray(1, 1 + bytes.length);
    for (const each of [bytes, shifted]) {
      const reader = new ArraysReader(each);
      expect(reader.next(Uint8Array)).toEqual(Uint8Array.of(255));
      expect(reader.next(Uint16Array)).toHaveLength(0);
      expect(reader.next(Int32Array)).toEqual(Int32Array.of(-(2 ** 31)));
      expect(reader.next(Float64Array)).toEqual(numbers);
      expect(() => reader.next(Uint8Array)).toThrow('begins before the bytes end');
    }
  });

  it('that are cut off, or of another kind, break an invariant', () => {
    const bytes = bytesOfArrays([Uint8Array.of(1, 2, 3)]);
    const cut = new ArraysReader(bytes.subarray(0, bytes.length - 1));
    expect(() => cut.next(Uint8Array)).toThrow('ends before the bytes do');
    expect(() => new ArraysReader(bytes).next(Uint16Array)).toThrow('whole numbers of its kind');
  });
});

describe('facts', () => {
  it('are read by their names', () => {
    const log = new FactLog(8);
    log.note(FACT.starts, 3, 900, -15_800, 1);
    log.note(FACT.joined, 4, 800);
    expect(log.isFull).toBe(false);
    expect([...readFacts(log.written())]).toEqual([
      { kind: 'starts', device: 3, atUs: 900, driftPpb: -15_800, isPersonalised: 1 },
      { kind: 'joined', device: 4, atUs: 800 },
    ]);
  });

  it('beyond their room leave no story at all', () => {
    const log = new StoryLog({ ports: new Set(), uplinks: 1 });
    log.joined(0, 1);
    log.joined(0, 2);
    expect(log.isWhole).toBe(true);
    log.joined(0, 3);
    expect(log.isWhole).toBe(false);
  });
});
