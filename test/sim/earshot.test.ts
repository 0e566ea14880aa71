/** What gateways hear of a frequency, against a plain list of all that was ever heard. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Earshot } from '../../sim/radio/earshot.ts';
import { Overlaps } from '../../sim/radio/overlaps.ts';

/** Signals in the order of their start: how long after the one before, how long, who hears it. */
const signals = fc.array(
  fc.record({
    pauseUs: fc.nat(3),
    // Rings go round, and then are too short.
    airtimeUs: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 99 })),
    gateways: fc.uniqueArray(fc.nat(5), { maxLength: 4 }),
  }),
  { minLength: 60, maxLength: 120 },
);

interface Heard {
  readonly number: number;
  readonly gateway: number;
  readonly startUs: number;
  readonly endUs: number;
}

/** A log without dropped entries: numbers are positions. */
function logOf(all: readonly Heard[], count: number, oldest: number) {
  const startUs = new Float64Array(count);
  const endUs = new Float64Array(count);
  for (const one of all) {
    startUs[one.number] = one.startUs;
    endUs[one.number] = one.endUs;
  }
  return { base: 0, oldest, column: { startUs, endUs } };
}

test('each gateway hears what is on the air in its reach, in the order of its start', () => {
  fc.assert(
    fc.property(signals, fc.nat(5), (drawn, asked) => {
      const earshot = new Earshot();
      const all: Heard[] = [];
      let nowUs = 0;
      let oldest = 0;
      drawn.forEach(({ pauseUs, airtimeUs, gateways }, number) => {
        nowUs += pauseUs;
        const isOver = (one: number) =>
          all.every(({ number: of, endUs }) => of !== one || endUs <= nowUs);
        while (oldest < number && isOver(oldest)) oldest++;
        for (const gateway of gateways) {
          all.push({ number, gateway, startUs: nowUs, endUs: nowUs + airtimeUs });
          earshot.add(gateway, number, 100 * gateway + number, oldest);
        }
      });
      const untilUs = nowUs + 5;
      const heard = new Overlaps();
      earshot.hear(asked, logOf(all, drawn.length, oldest), nowUs, untilUs, heard);
      const expected = all.filter(
        ({ gateway, startUs, endUs }) => gateway === asked && endUs > nowUs && startUs < untilUs,
      );
      expect([...heard.positions.subarray(0, heard.count)]).toEqual(
        expected.map(({ number }) => number),
      );
      expect([...heard.powersMw.subarray(0, heard.count)]).toEqual(
        expected.map(({ number }) => 100 * asked + number),
      );
    }),
  );
});

test('what was cleared is not heard', () => {
  const earshot = new Earshot();
  earshot.add(3, 0, 1, 0);
  earshot.clear();
  const heard = new Overlaps();
  const column = { startUs: Float64Array.of(0), endUs: Float64Array.of(9) };
  earshot.hear(3, { base: 0, oldest: 0, column }, 0, 9, heard);
  expect(heard.count).toBe(0);
});
