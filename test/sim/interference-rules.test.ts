/**
 * Rules of interference that others published, and what overlaps what (docs/standard.md,
 * Interference and Copies of one frame; per.json, twoCopies).
 */
import { describe, expect, it } from 'vitest';
import { SIR_MATRICES } from '../../sim/radio/tables.ts';
import { onTheAir } from '../support/air.ts';
import { vectors } from '../support/vectors.ts';

const LORASIM = { model: 'loRaSim' } as const;
const FLORA = { model: 'flora', sirCentiDb: SIR_MATRICES.croce } as const;

/** One character lasts one SF12 symbol at 125 kHz. */
const SYMBOLS = { characterUs: 32_768 };

/** A frame of 30 symbols on which another bears for its first `over` symbols. */
const overrun = (over: number) => `
  alder SF12 868.1 -110 |          ##############################
  birch SF12 868.1 -110 |${'#'.repeat(10 + over)}
`;

describe('LoRaSim', () => {
  it('lets the later frame live when the earlier ends within its first three symbols', () => {
    expect(onTheAir(overrun(3), { ...LORASIM, ...SYMBOLS }).gateway.heard).toContain('alder');
    expect(onTheAir(overrun(4), { ...LORASIM, ...SYMBOLS }).gateway.heard).toEqual([]);
  });

  it('then lets the earlier frame live too', () => {
    expect(onTheAir(overrun(3), { ...LORASIM, ...SYMBOLS }).gateway.heard).toContain('birch');
  });

  it.each([
    [-104, ['birch']],
    [-104.01, []],
    [-116, ['alder']],
    [-115.99, []],
  ])('lets the stronger live from 6 dB on: a second frame at %f dBm', (dbm, heard) => {
    const drawing = `
      alder SF9 868.1 -110 |##########
      birch SF9 868.1 ${dbm} |    ##########
    `;
    expect(onTheAir(drawing, LORASIM).gateway.heard).toEqual(heard);
  });

  it('judges pair by pair: two frames that a sum would be too strong for are withstood', () => {
    const drawing = `
      alder SF9 868.1 -100 |##########
      birch SF9 868.1 -107 |##########
      cedar SF9 868.1 -107 |##########
    `;
    expect(onTheAir(drawing, LORASIM).gateway.heard).toEqual(['alder']);
    expect(onTheAir(drawing).gateway.heard).toEqual([]);
  });

  it('knows no collision of different spreading factors, however strong', () => {
    const drawing = `
      alder SF9 868.1 -130 |##########
      birch SF8 868.1 -30  |##########
    `;
    expect(onTheAir(drawing, LORASIM).gateway.heard).toEqual(['alder', 'birch']);
  });

  it.each([
    [125, 30, 31],
    [250, 60, 61],
    [500, 120, 121],
  ])('lets carriers at %i kHz collide within %i kHz, not %i', (khz, within, beyond) => {
    const apart = (kHz: number) =>
      onTheAir(
        `
        alder SF9/125 868.1 -100 |##########
        birch SF9/${khz} ${868.1 + kHz / 1000} -100 |##########
      `,
        LORASIM,
      ).gateway.heard;
    expect(apart(within)).toEqual([]);
    expect(apart(beyond)).toEqual(['alder', 'birch']);
  });
});

describe('FLoRa', () => {
  it('wants six clean symbols of the preamble', () => {
    expect(onTheAir(overrun(2), { ...FLORA, ...SYMBOLS }).gateway.heard).toContain('alder');
    expect(onTheAir(overrun(3), { ...FLORA, ...SYMBOLS }).gateway.heard).not.toContain('alder');
  });

  it.each([
    [7, 7, -111, true],
    [7, 7, -110.99, false],
    [12, 7, -85, true],
    [12, 7, -84.99, false],
    [9, 11, -96, true],
    [9, 11, -95.99, false],
  ])('judges SF%i against SF%i at %f dBm by the matrix of Croce: %s', (own, other, dbm, lives) => {
    const drawing = `
      alder SF${own} 868.1 -110 |############
      birch SF${other} 868.1 ${dbm} |############
    `;
    expect(onTheAir(drawing, FLORA).gateway.heard.includes('alder')).toBe(lives);
  });

  it('knows one carrier only', () => {
    const drawing = `
      alder SF9 868.1 -120   |##########
      birch SF9 868.101 -100 |##########
    `;
    expect(onTheAir(drawing, FLORA).gateway.heard).toEqual(['alder', 'birch']);
    expect(onTheAir(drawing).gateway.heard).toEqual(['birch']);
  });
});

describe('channels that overlap', () => {
  const near = (mhz: number, dbm: number, factor = 'SF9', wanted = 'SF9') =>
    onTheAir(`
      alder ${wanted} 903.0 -100 |############
      birch ${factor} ${mhz} ${dbm} |############
    `).gateway.heard.includes('alder');

  it('do so when their edges do: neighbours at 200 kHz are apart', () => {
    expect(near(903.2, -60)).toBe(true);
    expect(near(903.125, -60)).toBe(true);
    expect(near(903.1, -60)).toBe(false);
  });

  it.each([902.8, 902.9, 903.1, 903.2])('include 125 kHz at %f MHz in 500 kHz', (mhz) => {
    expect(near(mhz, -100, 'SF9/125', 'SF9/500')).toBe(false);
    expect(near(mhz, -107, 'SF9/125', 'SF9/500')).toBe(true);
  });

  it('do not include 125 kHz outside of 500 kHz', () => {
    expect(near(903.4, -60, 'SF9/125', 'SF9/500')).toBe(true);
  });

  it('take from a wider signal the share in their own band: 500 kHz harm 125 kHz 6 dB less', () => {
    expect(near(903.0, -99.99, 'SF9/500')).toBe(true);
    expect(near(903.0, -99.97, 'SF9/500')).toBe(false);
    expect(near(903.1, -99.99, 'SF9/500')).toBe(true);
    expect(near(903.1, -99.97, 'SF9/500')).toBe(false);
  });

  it('disturb long frames of one by many short frames of the other', () => {
    const short = Array.from(
      { length: 12 },
      (_, i) => `
      birch${i} SF10/500 903.0 -90 |${' '.repeat(4 * i)}##`,
    );
    const { gateway } = onTheAir(`
      alder SF10/125 903.0 -100 |##################################################
      ${short.join('\n')}
    `);
    expect(gateway.heard).not.toContain('alder');
  });
});

interface TwoCopies {
  readonly diffDb: readonly number[];
  readonly rows: readonly {
    readonly sf: number;
    readonly snrOfStrongerDb: number;
    readonly offsetBins: number;
    readonly ser: readonly number[];
  }[];
}

describe('two identical copies', () => {
  const { diffDb, rows } = vectors<{ readonly twoCopies: TwoCopies }>('per').twoCopies;
  /** Symbols of a 64-byte downlink at SF9. */
  const SYMBOLS_64_BYTES = 75;
  const lost = (ser: number): number => 1 - (1 - ser) ** SYMBOLS_64_BYTES;
  const at = (db: number) => diffDb.indexOf(db);

  /** More than a bin apart, and the stronger well above its floor: what the rule is made for. */
  const usual = rows.filter(
    ({ sf, snrOfStrongerDb, offsetBins }) =>
      offsetBins > 1 && snrOfStrongerDb >= -7.5 - 2.5 * (sf - 7) + 5,
  );

  it('lose few frames at 3 dB and none at 6 dB, but many when they are equal', () => {
    expect(usual).toHaveLength(9);
    for (const { ser } of usual) {
      expect(lost(ser[at(3)])).toBeLessThan(0.07);
      expect(ser[at(6)]).toBe(0);
    }
    const equal = usual.map(({ ser }) => lost(ser[at(0)]));
    expect(equal.filter((share) => share > 0.25).length).toBeGreaterThanOrEqual(7);
    expect(equal.filter((share) => share > 0.99).length).toBe(3);
  });

  it('would need more than 3 dB only where less than a bin lies between them', () => {
    const harmed = rows.filter(({ ser }) => lost(ser[at(3)]) > 0.5);
    for (const { offsetBins, snrOfStrongerDb } of harmed) {
      expect(offsetBins < 1 || snrOfStrongerDb <= -10).toBe(true);
    }
    expect(harmed.length).toBeGreaterThan(0);
  });
});
