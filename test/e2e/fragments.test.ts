/** `fleetwave fragments`: sizes against the standard, redundancy against measured curves. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commandLine } from '../../api/cli/command-line.ts';
import {
  fragmentSizes,
  needsOf,
  redundancyNeeded,
} from '../../scenarios/planning/fragment-plan.ts';
import { isDefective } from '../../sim/lorawan/fragmentation-code.ts';
import { REGION_NAMES } from '../../sim/lorawan/region.ts';
import { IS_LONG, sampled } from '../support/long.ts';
import { vectors } from '../support/vectors.ts';

let stdout = '';
let stderr = '';

beforeEach(() => {
  stdout = '';
  stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text;
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** The document of `--json`. */
async function asked(...words: readonly string[]) {
  expect(await commandLine(['fragments', '--json', ...words])).toBe(0);
  return JSON.parse(stdout);
}

describe('sizes for 8 KiB at DR3 of EU868', () => {
  it('go down from N − 3 by eighths, with the figures of a frame', async () => {
    const answer = await asked('--bytes', '8192', '--dr', '3', '--loss', '10');
    expect(answer).toMatchObject({
      bytes: 8192,
      region: 'EU868',
      dataRate: 3,
      spreadingFactor: 9,
    });
    expect(answer).toMatchObject({ frequencyHz: 869_525_000, dutyCycle: 0.1 });
    const sizes = answer.sizes.map(({ fragSize }: { fragSize: number }) => fragSize);
    expect(sizes).toEqual([112, 98, 84, 70, 56, 42, 28]);
    expect(answer.sizes[0]).toEqual({
      fragSize: 112,
      nbFrag: 74,
      paddingBytes: 96,
      phyBytes: 128,
      airtimeUs: 676_864,
      totalAirtimeUs: 74 * 676_864,
      minIntervalUs: 6_768_640,
      defective: false,
      goodFragSize: 112,
      redundancy: [{ loss: 0.1, p50: 10, p90: 15, p99: 20 }],
    });
  });

  it('are shown as a table, a column a loss', async () => {
    expect(await commandLine(['fragments', '--bytes', '4096', '--loss', '5,12.5'])).toBe(0);
    expect(stdout).toMatch(
      /^4.096 B, EU868, DR3 \(SF9, 125 kHz\), 869\.525 MHz, on air at most 10 %/,
    );
    expect(stdout).toMatch(/│ Size +│ Fragments │ .*│ 5 % lost +│ 12\.5 % lost +│\n/);
    expect(stdout).toMatch(/│ 112 B │ 37 +│ 48 B +│ 676\.9 ms │ 25.s +│ 6\.77 s │ 4.min 10.s │/);
    expect(stdout).not.toContain('Warning');
  });
});

describe('a defective number of fragments', () => {
  it('is warned of, with the nearest good size', async () => {
    expect(await commandLine(['fragments', '--bytes', String(112 * 192), '--loss', '10'])).toBe(0);
    expect(stdout).toMatch(/│ 112 B │ 192 ! +│/);
    expect(stdout).toContain(
      'Warning: 112 B make 192 fragments, of which some pairs can hardly be rebuilt when both ' +
        'are lost; take 111 B\n',
    );
  });

  it('costs what it costs, and the good size next to it does not', () => {
    const [, , bad] = redundancyNeeded(384, 0.1);
    const [, , good] = redundancyNeeded(388, 0.1);
    expect(isDefective(384) && !isDefective(388)).toBe(true);
    expect(good).toBeLessThan(70);
    expect(bad).toBeGreaterThan(100);
  });

  it('may need more than anyone would send', () => {
    expect(redundancyNeeded(384, 0.3)[2]).toBeUndefined();
  });
});

describe('fragment sizes', () => {
  const air = { spreadingFactor: 12, bandwidthHz: 125_000, maxFrmPayload: 51, dutyCyclePpm: 1e4 };

  it('hold the whole image, with less than a fragment of padding', () => {
    for (const bytes of [1, 47, 48, 49, 1000, 40_960, 200_000, 48 * 16_383]) {
      const sizes = fragmentSizes(bytes, air);
      expect(sizes[0]?.fragSize).toBe(48);
      for (const { fragSize, nbFrag, paddingBytes } of sizes) {
        expect(nbFrag * fragSize - paddingBytes).toBe(bytes);
        expect(paddingBytes).toBeLessThan(fragSize);
        expect(nbFrag <= 4096 || fragSize === 48).toBe(true);
      }
    }
  });

  it('are none when the image does not fit into 16383 fragments', () => {
    expect(fragmentSizes(48 * 16_383 + 1, air)).toEqual([]);
  });
});

describe('the redundancy needed', () => {
  interface Curves {
    readonly curveColumns: readonly string[];
    readonly curves: readonly (readonly (number | null)[])[];
  }
  const { curveColumns, curves } = vectors<Curves>('fragmentation-decoder');
  const at = (row: readonly (number | null)[], name: string) => row[curveColumns.indexOf(name)];
  /** Of version 1, memoryless loss of all fragments, M with the usual extra need. */
  const rows = curves
    .filter((row) => at(row, 'ver') === 1 && at(row, 'lostUncoded') === null)
    .map((row) => ({
      nbFrag: at(row, 'M')!,
      loss: at(row, 'lossRate')!,
      p50: at(row, 'sentRedundancyP50')!,
      p99: at(row, 'sentRedundancyP99')!,
    }))
    .filter(({ nbFrag, loss }) => !isDefective(nbFrag) && loss <= 0.5)
    .filter(({ nbFrag, loss }) => IS_LONG || nbFrag * loss <= 60)
    .map((row) => ({ ...row, needed: redundancyNeeded(row.nbFrag, row.loss) }));

  it('is that of the measured curves: the median within 2 fragments', () => {
    expect(rows.length).toBeGreaterThan(IS_LONG ? 30 : 10);
    for (const { nbFrag, loss, p50, needed } of rows) {
      expect(Math.abs(needed[0]! - p50), `M ${nbFrag} at ${loss}`).toBeLessThanOrEqual(2);
    }
  });

  it('and the 99th percentile within 2, but where their own sample leaves it open to 4', () => {
    const open = ['100 at 0.1', '400 at 0.4', '800 at 0.4'];
    for (const { nbFrag, loss, p99, needed } of rows) {
      const name = `${nbFrag} at ${loss}`;
      const allowed = open.includes(name) ? 4 : 2;
      expect(Math.abs(needed[2]! - p99), `M ${name}`).toBeLessThanOrEqual(allowed);
    }
  });

  const FOUND: readonly (readonly [nbFrag: number, loss: number, found: readonly number[]])[] = [
    [100, 0.1, [13, 18, 26]],
    [1000, 0.1, [112, 132, 141]],
    [1000, 0.3, [432, 463, 482]],
  ];

  it.each(sampled(FOUND, ([, loss]) => loss < 0.3))(
    'of %d fragments at a loss of %d is about what others found',
    (nbFrag, loss, found) => {
      const needed = redundancyNeeded(nbFrag, loss);
      needed.forEach((one, share) => {
        expect(Math.abs(one! - found[share]!)).toBeLessThanOrEqual(5);
      });
    },
  );

  it('is the least with which that share of the devices is complete', () => {
    // One device less or more makes a difference to each of these.
    const exact = [
      [11, 0.3],
      [24, 0.2],
      [29, 0.3],
      [40, 0.25],
    ] as const;
    for (const [nbFrag, loss] of exact) {
      const mean = (nbFrag * loss) / (1 - loss);
      const most = nbFrag + Math.ceil(1.5 * mean) + 512;
      const needs = needsOf(nbFrag, loss, most, 4_000);
      const completeWith = (coded: number) => needs.filter((need) => need <= coded).length;
      for (const [at, share] of [0.5, 0.9, 0.99].entries()) {
        const needed = redundancyNeeded(nbFrag, loss)[at]!;
        expect(completeWith(needed)).toBeGreaterThanOrEqual(share * 4_000);
        expect(completeWith(needed - 1)).toBeLessThan(share * 4_000);
      }
    }
  });

  it('grows with the loss and with the share of devices, and is the same each time', () => {
    const needs = [0.01, 0.1, 0.3].map((loss) => redundancyNeeded(100, loss));
    for (const [p50, p90, p99] of needs) {
      expect(p50! <= p90! && p90! <= p99!).toBe(true);
    }
    const medians = needs.map(([p50]) => p50!);
    expect(medians.toSorted((a, b) => a - b)).toEqual(medians);
    expect(redundancyNeeded(100, 0.1)).toEqual(needs[1]);
  });
});

describe('what is asked', () => {
  it.each(REGION_NAMES)('may be of %s, at its own data rate', async (name) => {
    const { region, sizes } = await asked(
      '--bytes',
      '400',
      '--loss',
      '10',
      '--region',
      name.toLowerCase(),
    );
    expect(region).toBe(name);
    for (const size of sizes) {
      expect(size.minIntervalUs).toBeGreaterThanOrEqual(size.airtimeUs);
    }
  });

  it.each([
    [['--bytes', '0'], '--bytes "0" is not right; allowed: a whole number from 1 to 16777216'],
    [
      ['--bytes', '900000', '--dr', '0'],
      '--bytes "900000" is too much at DR0; allowed: at most 786384 bytes',
    ],
    [
      ['--bytes', '9', '--dr', '7'],
      '--dr "7" is not a LoRa data rate of EU868 that carries fragments; allowed: DR0, DR1, DR2',
    ],
    [
      ['--bytes', '9', '--region', 'AS923-1', '--dr', '0'],
      '--dr "0" is not a LoRa data rate of AS923-1 that carries fragments; allowed: DR2, DR3',
    ],
    [['--bytes', '9', '--region', 'EU'], '--region "EU" is not right; allowed: EU868, US915'],
    [['--bytes', '9', '--loss', '10,60'], '--loss "10,60" is not right; allowed: up to 5'],
    [['--bytes', '9', '--loss', '0'], '--loss "0" is not right; allowed: up to 5'],
  ])('ends with 2 and a sentence when it is not right: %j', async (words, sentence) => {
    expect(await commandLine(['fragments', ...words])).toBe(2);
    expect(stderr.startsWith(sentence), stderr).toBe(true);
    expect(stdout).toBe('');
  });
});
