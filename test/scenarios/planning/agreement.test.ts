/**
 * Estimates against simulated campaigns: durations within 15 %, energy within 30 %, and the
 * redundancy suffices.
 */
import { describe, expect, it } from 'vitest';
import { World } from '../../../core/world/world.ts';
import { populate } from '../../../scenarios/filling/populate.ts';
import { compare } from '../../../scenarios/planning/comparison.ts';
import { estimate } from '../../../scenarios/planning/estimate.ts';
import type { Asked } from '../../../scenarios/planning/plan-settings.ts';
import { plannedScenario } from '../../../scenarios/planning/planned-scenario.ts';
import { readScenario } from '../../../scenarios/texts.ts';
import { HOUR_US, MINUTE_US, SECOND_US } from '../../../sim/base/units.ts';
import { sampled } from '../../support/long.ts';

const USUAL: Asked = {
  devices: 150,
  imageBytes: 12_000,
  region: 'EU868',
  session: 'C',
  loss: 0.1,
  confidence: 0.99,
  gateways: 1,
  timing: 'staggered',
  periodUs: HOUR_US,
};

const BAND = 0.15;
/** What a device draws is reported about, and in the mean. */
const ENERGY_BAND = 0.3;

/** Ratios of what was simulated to what was estimated, by figure, and both. */
function held(changed: Partial<Asked>) {
  const one = estimate({ ...USUAL, ...changed });
  if ('faults' in one) throw new Error(JSON.stringify(one.faults));
  const { scenario } = readScenario(plannedScenario(one, ''));
  const world = World.create(populate(scenario, 'planned'), 'planned');
  world.runUntil(world.endUs);
  const rows = compare(one, [world.result()]);
  return new Map(rows.map((row) => [row.figure, row]));
}

describe('an estimate agrees with the simulation', () => {
  const CASES: readonly (readonly [string, Partial<Asked>, 'always'?])[] = [
    ['EU868, class C, DR3', {}, 'always'],
    ['EU868, class C, DR5, 30 % lost', { dataRate: 5, loss: 0.3 }],
    ['EU868, class B', { session: 'B' }, 'always'],
    ['EU868, class B, DR5', { session: 'B', dataRate: 5 }],
    [
      'EU868, a pace of 1 s that an hour’s budget stops',
      { delayUs: SECOND_US, imageBytes: 60_000 },
    ],
    [
      'EU868, three gateways that take turns',
      { gateways: 3, dataRate: 5, rx2DataRate: 3 },
      'always',
    ],
    ['US915, class C, DR8', { region: 'US915' }],
    ['US915, class C, DR10', { region: 'US915', dataRate: 10 }, 'always'],
    ['US915, class B, DR8', { region: 'US915', session: 'B' }, 'always'],
    ['AS923-1, where RX1 and RX2 share 1 %', { region: 'AS923-1', imageBytes: 6_000 }],
    ['KR920, class B', { region: 'KR920', session: 'B' }],
    ['CN470, every 20 min', { region: 'CN470', periodUs: 20 * MINUTE_US }],
  ];
  const IN_QUICK = sampled(CASES, ([, , when]) => when === 'always').map(
    ([what, changed]) => [what, changed] as const,
  );

  it.each(IN_QUICK)('%s', (_, changed) => {
    const figures = held(changed);
    for (const { figure, unit, estimated, simulated } of figures.values()) {
      const ratio = (simulated ?? Number.NaN) / estimated;
      if (unit === 'count') expect(ratio, figure).toBe(1);
      else {
        const band = unit === 'joules' ? ENERGY_BAND : BAND;
        expect(Math.abs(ratio - 1), `${figure} ${ratio}`).toBeLessThan(band);
      }
    }
    // Chance left aside, of so few devices: three standard deviations.
    const { estimated, simulated } = figures.get('holding')!;
    const spread = Math.sqrt((estimated * (1 - estimated)) / USUAL.devices);
    expect(simulated).toBeGreaterThan(estimated - 3 * spread);
  });

  it('and a plan with too little redundancy fails in both', () => {
    const figures = held({ redundancy: { fragments: 12 } });
    const { estimated, simulated } = figures.get('holding')!;
    expect(estimated).toBeLessThan(0.6);
    expect(Math.abs(simulated! - estimated)).toBeLessThan(0.15);
  });
});
