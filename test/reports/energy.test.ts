/** What reports show of energy: `reports/stories/energy/`. */
import { describe, expect, it } from 'vitest';
import type { EnergyPopulation, EnergyResult } from '../../core/result/result.ts';
import { renderHtml } from '../../reports/pages/html.ts';
import { renderMarkdown } from '../../reports/pages/markdown.ts';
import { rowsOf, wordsOf } from './page.ts';
import { sampleInput } from './sample-result.ts';

const DAY = 86_400;
const percentiles = (p10: number, p50: number) => ({ p10, p50, p90: 2 * p50, max: 2 * p50 });

const METERS: EnergyPopulation = {
  name: 'meter',
  devices: 2,
  chip: 'SX1262',
  supplyVolts: 3.3,
  batteryMilliAmpHours: 2_400,
  selfDischargePerYear: 0.01,
  meanJoules: 4,
  byCause: { sleep: 1, uplink: 3 },
  joules: percentiles(3, 4),
  batteryLifeSeconds: percentiles(100 * DAY, 200 * DAY),
  batteryLifeYears: null,
  died: 1,
};
const PUMPS: EnergyPopulation = {
  ...METERS,
  name: 'pump',
  batteryMilliAmpHours: null,
  byCause: {},
  joules: null,
  batteryLifeSeconds: null,
  died: 0,
};
const ENERGY: EnergyResult = {
  meanJoules: 4,
  byCause: { sleep: 1, uplink: 3 },
  batteryLifeSeconds: null,
  batteryLifeYears: null,
  updates: { devices: 2, meanJoules: 8, steadyDays: 20 },
  populations: [METERS, PUMPS],
};

const input = (energy: EnergyResult) => {
  const sample = sampleInput();
  return { ...sample, result: { ...sample.result, energy } };
};
const spaced = (text: string) => text.replaceAll('\u202F', ' ').replaceAll('\\', '');

describe('energy in a report', () => {
  it('is by cause, the dearest first, with its share of all', () => {
    const rows = rowsOf(renderHtml(input(ENERGY)), /the mean of the whole run/);
    expect(rows.map(([cause, joules, share]) => [cause!.split(' ')[0], joules, share])).toEqual([
      ['Uplinks', '3 J', '75.0 %'],
      ['Sleep', '1 J', '25.0 %'],
    ]);
  });

  it('has a row a population, with its battery and how long that lasts', () => {
    expect(rowsOf(renderHtml(input(ENERGY)), /their chips and batteries/)).toEqual([
      [
        'meter 2 devices',
        'SX1262 2 400 mAh at 3.3 V, less 1.0 % a year',
        '4 J',
        '8 J',
        '200 d 1 empty by now',
        '100 d',
      ],
      ['pump 2 devices', 'SX1262 external power', '4 J', '–', '–', '–'],
    ]);
    const lines = spaced(renderMarkdown(input(ENERGY))).split('\n');
    expect(lines).toContain('| meter | SX1262 | 4 J | Uplinks | 100 d |');
    expect(lines).toContain('| pump | SX1262 | 4 J | – | – |');
  });

  it('says what an update cost', () => {
    expect(spaced(wordsOf(renderHtml(input(ENERGY))))).toContain(
      'cost each of 2 devices that took part 8 J on the mean, for sessions and flash memory: ' +
        'as much as 20 d without updates.',
    );
  });

  it('is no section where nothing was drawn or nobody counts', () => {
    expect(renderHtml(input({ ...ENERGY, meanJoules: 0 }))).not.toContain('<h2>Energy</h2>');
    expect(renderHtml(sampleInput())).not.toContain('<h2>Energy</h2>');
    expect(renderMarkdown(sampleInput())).not.toContain('Battery');
  });
});
