/** The report on energy: what a device drew by cause, and how long batteries last. */
import type { EnergyPopulation, EnergyResult, RunResult } from '../../../core/result/result.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { bars, type Chart, NARROW } from '../../charts/plot.ts';
import {
  type Block,
  type Cell,
  type DetailedCell,
  explained,
  type Form,
  HTML,
  MARKDOWN,
} from '../../document/document.ts';
import { ratio } from '../../figures/figure.ts';
import { count, counted, joules, lifetime, NOTHING, percent } from '../../text/format.ts';
import { byAmount, ENERGY_WORDS } from '../../text/words.ts';

/** Nothing when nobody counts; HTML has no section where nothing was drawn. */
export function energyBlocks({ energy }: RunResult): Block[] {
  if (energy === undefined) return [];
  if (energy.meanJoules === 0) return [populationTable(energy, MARKDOWN)];
  const hint = `Typical currents of the chip and its supply; battery life is capacity over
mean power so far, without updates, and self-discharge, where a population has one. Beyond ten years
what a real battery loses by itself decides: `;
  return [
    {
      kind: 'section',
      title: 'Energy',
      blocks: [
        {
          kind: 'split',
          forms: HTML,
          style: 'beside',
          parts: [[{ kind: 'chart', chart: energyChart(energy) }], [causeTable(energy)]],
        },
        populationTable(energy),
        ...updates(energy),
        {
          kind: 'hint',
          forms: HTML,
          text: [hint, { code: 'energy.selfDischarge' }, ' counts it.'],
        },
      ],
    },
  ];
}

function causeTable({ meanJoules, byCause }: EnergyResult): Block {
  return {
    kind: 'table',
    name: `A device drew ${joules(meanJoules)}, the mean of the whole run`,
    stack: 2,
    columns: [
      { head: 'For' },
      { head: 'Per device', kind: 'number' },
      { head: 'Share', kind: 'number' },
    ],
    rows: byAmount(byCause).map(([cause, mean]) => [
      explained(ENERGY_WORDS[cause]),
      joules(mean),
      percent(ratio(mean, meanJoules)),
    ]),
  };
}

/** What updates cost beside the steady state that battery life is computed from. */
function updates({ updates: cost }: EnergyResult): Block[] {
  if (cost === undefined) return [];
  const { devices, meanJoules, steadyDays } = cost;
  const days = lifetime(steadyDays * 86_400);
  const text = `An update of this run cost each of ${counted(devices, 'device')} that took part
${joules(meanJoules)} on the mean, for sessions and flash memory: as much as ${days} without
updates.`;
  return [{ kind: 'paragraph', forms: HTML, text }];
}

/** Causes that take less than this share are in the table only. */
const LEAST_SHARE = 0.005;

/** What a device drew by cause, the dearest first. */
function energyChart({ byCause, meanJoules }: EnergyResult): Chart {
  const all = sumOf(byCause);
  const rows = byAmount(byCause)
    .filter(([, mean]) => ratio(mean, all) >= LEAST_SHARE)
    .map(([cause, mean]) => ({
      label: ENERGY_WORDS[cause].label,
      value: mean,
      figure: percent(ratio(mean, all)),
    }));
  const list = rows.map(({ label, figure }) => `${label}: ${figure}`).join('; ');
  return {
    alternative: `Bars: what ${joules(meanJoules)} a device went into. ${list}.`,
    widths: [NARROW],
    drawing: (width) => bars(rows, width, 124, 'accent'),
  };
}

function populationTable({ populations }: EnergyResult, forms?: readonly Form[]): Block {
  const longest = populations.reduce(
    (most, { batteryLifeSeconds }) => Math.max(most, batteryLifeSeconds?.p50 ?? 0),
    0,
  );
  return {
    kind: 'table',
    ...(forms && { forms }),
    name: 'Populations, their chips and batteries',
    stack: 6,
    columns: [
      { head: 'Population' },
      { head: {}, isBelow: true },
      { head: { html: 'Supply', markdown: 'Chip' } },
      { head: {}, isBelow: true },
      { head: { html: 'Mean energy', markdown: 'Energy per device' }, kind: 'number' },
      { head: { markdown: 'Most of it' } },
      { head: { html: 'Dearest device' }, kind: 'number' },
      { head: { html: 'Battery life, median' }, kind: 'number' },
      { head: { html: '9 in 10 last', markdown: 'Battery lasts (9 in 10)' }, kind: 'number' },
    ],
    rows: populations.map((one) => populationRow(one, longest)),
  };
}

function populationRow(population: EnergyPopulation, longest: number): Cell[] {
  const { name, devices, chip, meanJoules, byCause, joules: spread } = population;
  const { batteryLifeSeconds: life } = population;
  const [most] = byAmount(byCause);
  return [
    name,
    counted(devices, 'device'),
    { own: chip },
    batteryText(population),
    joules(meanJoules),
    most === undefined ? NOTHING : ENERGY_WORDS[most[0]].label,
    spread === null ? NOTHING : joules(spread.max),
    life === null ? NOTHING : medianLife(life.p50, longest, population),
    life === null ? NOTHING : lifetime(life.p10),
  ];
}

function batteryText(population: EnergyPopulation): string {
  const { supplyVolts, batteryMilliAmpHours: milliAmpHours, selfDischargePerYear } = population;
  if (milliAmpHours === null) return 'external power';
  const lost =
    selfDischargePerYear === undefined ? '' : `, less ${percent(selfDischargePerYear)} a year`;
  return `${count(milliAmpHours)} mAh at ${supplyVolts} V${lost}`;
}

/** As long a bar as that of the population whose batteries last longest. */
const medianLife = (
  seconds: number,
  longest: number,
  { died }: EnergyPopulation,
): DetailedCell => ({
  text: lifetime(seconds),
  bar: { share: ratio(seconds, longest) },
  below: died === 0 ? [] : [`${count(died)} empty by now`],
});
