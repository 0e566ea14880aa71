/** Budgets in the report: which gateways and sub-bands the table leaves out is said. */
import { describe, expect, it } from 'vitest';
import { budgetBlocks } from '../../reports/stories/radio/budget-blocks.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';

const resultWith = (gateways: number) =>
  runScenario(`
    scenario: roofs
    duration: 1 h
    area: { radius: 500 m }
    gateways: [{ name: roof, count: ${gateways} }]
    devices:
      - name: meter
        count: 40
        joinWithin: 20 min
        traffic: { every: 5 min, confirmed: 100 % }
  `).result;

const textOf = (gateways: number): string =>
  JSON.stringify(budgetBlocks(resultWith(gateways)), (_, value) =>
    typeof value === 'function' ? undefined : value,
  );

describe('the table of duty cycles', () => {
  it('says how many it leaves out, and where they stand', () => {
    const result = resultWith(14);
    const peaks = result.gateways.flatMap(({ dutyCyclePeaks = {} }) => Object.keys(dutyCyclePeaks));
    expect(peaks.length).toBeGreaterThan(10);
    expect(result.budgets!.dutyCycle).toHaveLength(10);
    expect(textOf(14)).toContain(`The 10 of ${peaks.length} that came nearest to their limits`);
  });

  it('says nothing of the kind where it has all', () => {
    expect(textOf(1)).not.toContain('nearest to their limits');
  });
});
