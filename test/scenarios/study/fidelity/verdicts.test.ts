/** Published figures beside ours: what holds, what does not, and what a page says of it. */
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../../../core/result/result.ts';
import { World } from '../../../../core/world/world.ts';
import {
  type FidelityBlock,
  fidelityHtml,
  fidelityMarkdown,
  fidelitySentence,
} from '../../../../reports/pages/fidelity.ts';
import { CLAIMS } from '../../../../scenarios/study/fidelity/claims.ts';
import { dependencesOf } from '../../../../scenarios/study/fidelity/sensitivity.ts';
import {
  isAsExpected,
  seedsOf,
  verdictOfCode,
  verdictsOf,
} from '../../../../scenarios/study/fidelity/verdicts.ts';
import { LIBRARY_FILES, libraryScenario, libraryWorld } from '../../../support/library.ts';

const result = (value: number) => ({ virtualSeconds: value }) as RunResult;
const claim = {
  figure: 'x',
  unit: 'share' as const,
  published: 0.5,
  tolerance: 0.25,
  of: (r: RunResult) => r.virtualSeconds,
};
const judged = (...values: number[]) =>
  verdictsOf({ at: 'here', claims: [claim] }, values.map(result))[0]!;

describe('a verdict', () => {
  it('holds exactly up to the tolerance, on both sides', () => {
    expect([0.25, 0.75].map((value) => judged(value).holds)).toEqual([true, true]);
    expect([0.2499, 0.7501].map((value) => judged(value).holds)).toEqual([false, false]);
    expect(judged(Number.NaN).holds).toBe(false);
  });

  it('has the mean over seeds, its interval, and the difference', () => {
    const two = judged(0.4, 0.8);
    expect(two.ours).toBeCloseTo(0.6, 12);
    expect(two.difference).toBeCloseTo(0.1, 12);
    // Student's t of one degree of freedom is 12.706; the standard error is 0.2.
    expect(two.interval!.high - two.ours).toBeCloseTo(12.706 * 0.2, 3);
    expect([two.seeds, judged(0.4).interval]).toEqual([2, null]);
  });

  it('on the code has no seed', () => {
    const verdict = verdictOfCode({
      at: 'a',
      figure: 'f',
      unit: 'count',
      published: 3,
      tolerance: 0,
      value: () => 3,
    });
    expect(verdict).toMatchObject({ holds: true, seeds: 0, interval: null });
  });

  it('is over the seeds 1, 2 and so on, as many as are asked for', () => {
    expect(seedsOf({ seeds: 2 }, undefined)).toEqual(['1', '2']);
    expect(seedsOf({ seeds: 2 }, 3)).toEqual(['1', '2', '3']);
  });
});

describe('the claims', () => {
  it('have names of their own, and settings that the library accepts', () => {
    expect(new Set(CLAIMS.map(({ name }) => name)).size).toBe(CLAIMS.length);
    for (const { file, set } of CLAIMS.flatMap(({ settings }) => settings)) {
      expect(LIBRARY_FILES).toContain(file);
      expect(libraryScenario(file, set).scenario).toBeTruthy();
    }
  });
});

describe('a figure that is missed for a known reason', () => {
  const missed = verdictsOf({ at: 'here', claims: [{ ...claim, reason: 'of this' }] }, [result(2)]);

  it('has its true verdict and the reason, and is expected; one without is not', () => {
    expect(missed[0]).toMatchObject({ holds: false, reason: 'of this', tolerance: 0.25 });
    expect([missed[0]!, judged(2), judged(0.5)].map(isAsExpected)).toEqual([true, false, true]);
  });

  it('has no reason where it is met', () => {
    const met = verdictsOf({ at: 'x', claims: [{ ...claim, reason: 'of this' }] }, [result(0.5)]);
    expect(met[0]).not.toHaveProperty('reason');
  });

  it('stands below the table, and is counted', () => {
    const block = { title: 'A', source: 'b', rows: [...missed, judged(0.5)], dependences: [] };
    expect(fidelityMarkdown([block])).toContain('Not met: here, x, since of this.');
    expect(fidelitySentence([block])).toBe(
      '1 of 2 published figures of 1 source are met; 1 missed for a known reason.',
    );
  });
});

describe('campaigns that were measured on hardware', () => {
  const claims = CLAIMS.filter(({ name }) => name.startsWith('hardware'));

  it.each(claims.flatMap(({ settings }) => settings))('are met: $at', (setting) => {
    const { plan, seed } = libraryWorld(setting.file, setting.set, '1');
    const world = World.create(plan, seed);
    world.runUntil(plan.durationUs);
    const verdicts = verdictsOf(setting, [world.result()]);
    expect(verdicts.filter((verdict) => !isAsExpected(verdict))).toEqual([]);
  });

  it('differ from one another in data rate, policy and length of the recording alone', () => {
    const paths = claims.flatMap(({ settings }) =>
      settings.flatMap(({ set }) => set.map((one) => one.split('=')[0])),
    );
    expect([...new Set(paths)].sort()).toEqual([
      'campaigns.update.multicastDataRate',
      'devices.nucleo.dataRate',
      'duration',
    ]);
  });
});

describe('what a figure depends on', () => {
  const results = (lower: number, higher: number) => ({
    lower: result(lower),
    higher: result(higher),
  });

  it('is its change from lower to higher, the strongest first, as a share of the figure', () => {
    const claims = [
      { ...claim, published: 2 },
      { ...claim, figure: 'y', published: 0 },
    ];
    const varied = [
      { name: 'weak', ...results(1.9, 2) },
      { name: 'strong', ...results(3, 2) },
    ];
    expect(dependencesOf(claims, varied)).toEqual([
      {
        figure: 'x',
        parameters: [
          { name: 'strong', change: -0.5 },
          { name: 'weak', change: expect.closeTo(0.05, 9) },
        ],
      },
    ]);
  });

  it('is varied by settings that the library accepts, and each changes the world', () => {
    for (const { settings, variation } of CLAIMS) {
      if (variation === undefined) continue;
      const { file, set } = settings[variation.setting]!;
      const plain = JSON.stringify(libraryWorld(file, set, '1').plan);
      for (const { lower, higher } of variation.parameters) {
        for (const change of [lower, higher]) {
          const { plan } = libraryWorld(file, [...set, ...change], '1');
          expect(JSON.stringify(plan), change[0]).not.toBe(plain);
        }
      }
    }
  });
});

describe('the page of them', () => {
  const rows = [judged(0.5, 0.6), judged(0.9)];
  const block: FidelityBlock = { title: 'Theirs <&>', source: 'a paper', rows, dependences: [] };

  it('has every figure and verdict, in Markdown and in HTML, and escapes texts', () => {
    const markdown = fidelityMarkdown([block]);
    expect(markdown).toContain('1 of 2 published figures of 1 source are met.');
    expect(markdown).toMatch(/0\.5000 \|\s+0\.5500 \|/);
    expect(markdown).toMatch(/✗/);
    const page = fidelityHtml([block]);
    expect(page).toContain('Theirs &lt;&amp;&gt;');
    expect(page).toContain('x: 1 of 2 points lie within their tolerance.');
    expect(page).not.toMatch(/https?:|<script/);
    expect(fidelityHtml([block])).toBe(page);
  });

  it('draws each figure as a curve over its points, and shows what moves it', () => {
    const dependences = [{ figure: 'x', parameters: [{ name: 'period', change: -0.1234 }] }];
    const shown = [{ ...block, rows: [...rows, { ...rows[0]!, figure: 'y' }], dependences }];
    expect(fidelityHtml(shown).match(/role="img"/g)).toHaveLength(2);
    expect(fidelityMarkdown(shown)).toMatch(/period \| +−12\.3 % \|/);
    expect(fidelityMarkdown(shown)).toContain('x on period');
  });

  it.each([
    ['seconds', 1673.96, '1674 s'],
    ['seconds', 4.6464, '4.646 s'],
    ['joules', 33.286, '33.29 J'],
    ['share', 0.000291386, '0.0002914'],
    ['share', 0.8789, '0.8789'],
    ['count', 52, '52'],
  ] as const)('has four digits, and the unit: %s %d', (unit, published, text) => {
    const row = { ...rows[0]!, unit, published };
    expect(fidelityMarkdown([{ ...block, rows: [row] }])).toContain(`| ${text} |`);
  });

  it('says that all are met where they are', () => {
    expect(fidelitySentence([{ ...block, rows: rows.slice(0, 1) }])).toBe(
      'All 1 published figures of 1 source are met.',
    );
  });
});
