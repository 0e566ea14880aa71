/** The section on energy: what a device drew by cause, and how long batteries last. */
import type { EnergyPopulation, EnergyResult, RunResult } from '../../../core/result/result.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { bars, type Chart, draw, NARROW } from '../../charts/plot.ts';
import { ratio } from '../../figures/figure.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { bar, card, explained, table } from '../../markup/parts.ts';
import { count, counted, joules, lifetime, NOTHING, percent } from '../../text/format.ts';
import { byAmount, ENERGY_WORDS } from '../../text/words.ts';

/** Nothing when nobody counts. */
export function energySection({ energy }: RunResult): Content {
  if (energy === undefined || energy.meanJoules === 0) return '';
  const { meanJoules, byCause } = energy;
  const rows = byAmount(byCause).map(([cause, mean]) => [
    explained(ENERGY_WORDS[cause]),
    joules(mean),
    percent(ratio(mean, meanJoules)),
  ]);
  const shape = {
    name: `A device drew ${joules(meanJoules)}, the mean of the whole run`,
    stack: 2,
    columns: [
      { head: 'For' },
      { head: 'Per device', kind: 'number' },
      { head: 'Share', kind: 'number' },
    ],
  } as const;
  return card(
    'Energy',
    html`<div class="split beside"><div>${draw(energyChart(energy))}</div>
${table(shape, rows)}</div>`,
    populationTable(energy),
    updatesLine(energy),
    html`<p class="hint">Typical currents of the chip and its supply; battery life is capacity over
mean power so far, without updates, and self-discharge, where a population has one. Beyond ten years
what a real battery loses by itself decides: <code>energy.selfDischarge</code> counts it.</p>`,
  );
}

/** What updates cost beside the steady state that battery life is computed from. */
function updatesLine({ updates }: EnergyResult): Content {
  if (updates === undefined) return '';
  const { devices, meanJoules, steadyDays } = updates;
  const days = lifetime(steadyDays * 86_400);
  return html`<p>An update of this run cost each of ${counted(devices, 'device')} that took part
${joules(meanJoules)} on the mean, for sessions and flash memory: as much as ${days} without
updates.</p>`;
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

function populationTable({ populations }: EnergyResult): Markup {
  const longest = populations.reduce(
    (most, { batteryLifeSeconds }) => Math.max(most, batteryLifeSeconds?.p50 ?? 0),
    0,
  );
  const shape = {
    name: 'Populations, their chips and batteries',
    stack: 6,
    columns: [
      { head: 'Population' },
      { head: 'Supply' },
      { head: 'Mean energy', kind: 'number' },
      { head: 'Dearest device', kind: 'number' },
      { head: 'Battery life, median', kind: 'number' },
      { head: '9 in 10 last', kind: 'number' },
    ],
  } as const;
  return table(
    shape,
    populations.map((one) => populationRow(one, longest)),
  );
}

function populationRow(population: EnergyPopulation, longest: number): Content[] {
  const { name, devices, chip, supplyVolts, batteryMilliAmpHours, died } = population;
  const { selfDischargePerYear } = population;
  const lost =
    selfDischargePerYear === undefined ? '' : `, less ${percent(selfDischargePerYear)} a year`;
  const { meanJoules, joules: spread, batteryLifeSeconds: life } = population;
  const battery =
    batteryMilliAmpHours === null
      ? 'external power'
      : `${count(batteryMilliAmpHours)} mAh at ${supplyVolts} V${lost}`;
  const dead = died === 0 ? '' : html`<small>${count(died)} empty by now</small>`;
  return [
    html`${name}<small>${counted(devices, 'device')}</small>`,
    html`${chip}<small>${battery}</small>`,
    joules(meanJoules),
    spread === null ? NOTHING : joules(spread.max),
    life === null ? NOTHING : html`${lifetime(life.p50)}${bar(ratio(life.p50, longest))}${dead}`,
    life === null ? NOTHING : lifetime(life.p10),
  ];
}
