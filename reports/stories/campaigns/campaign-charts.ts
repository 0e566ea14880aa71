/** The charts of a campaign: how the updates spread, and what the fragments were lost to. */
import type { CampaignResult, RunResult } from '../../../core/result/result.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { timeUnit } from '../../charts/charts.ts';
import { outageBands } from '../../charts/outages.ts';
import {
  across,
  areaOf,
  axisBelow,
  bars,
  type Chart,
  type Frame,
  frame,
  grid,
  hundredth,
  lineOf,
  NARROW,
  type Point,
  type Scale,
  svg,
  upwards,
  WIDE,
} from '../../charts/plot.ts';
import { ratio } from '../../figures/figure.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { count, counted, duration, percent } from '../../text/format.ts';
import { byAmount, FRAGMENT_WORDS } from '../../text/words.ts';

/** Shares of the devices whose times a campaign is judged by. */
export const MILESTONES = [
  { percentage: 50, key: 't50' },
  { percentage: 90, key: 't90' },
  { percentage: 99, key: 't99' },
] as const;

/** Seconds since the run's start at which the campaign began. */
export function startOf({ stages }: CampaignResult): number {
  return stages[0]?.atSeconds ?? 0;
}

/**
 * Seconds that the campaign took: until its last stage or success, or until the run's end while
 * devices are in progress. At least 1.
 */
export function lengthOf(campaign: CampaignResult, run: RunResult): number {
  const { stages, completionSeconds, inProgress } = campaign;
  const start = startOf(campaign);
  const ends = [
    (stages.at(-1)?.atSeconds ?? start) - start,
    completionSeconds.at(-1) ?? 0,
    inProgress > 0 ? run.virtualSeconds - start : 0,
  ];
  return ends.reduce((latest, end) => Math.max(latest, end), 1);
}

/** Share of the campaign's devices that confirmed the update, over virtual time since its start. */
export function completionChart(campaign: CampaignResult, run: RunResult): Chart {
  const { name, devices, success } = campaign;
  const reached = MILESTONES.map(({ percentage, key }) => {
    const seconds = campaign[key];
    return `${percentage} % ${seconds === null ? 'never' : `after ${duration(seconds)}`}`;
  });
  return {
    alternative:
      `Line over virtual time since the start of ${name}: ${count(success)} of ` +
      `${counted(devices, 'device')} confirmed; ${reached.join(', ')}.`,
    widths: [WIDE, NARROW],
    drawing: (width) => completionDrawing(campaign, run, width),
  };
}

function completionDrawing(campaign: CampaignResult, run: RunResult, width: number): Markup {
  const seconds = lengthOf(campaign, run);
  const fromSeconds = startOf(campaign);
  const around = frame(width, 230, 52);
  const { name, unitSeconds } = timeUnit(seconds);
  const x = across(around, seconds / unitSeconds);
  const y = upwards(around, 1);
  const points = completionPoints(campaign, seconds, { x, y, unitSeconds });
  const marks = MILESTONES.map(({ percentage, key }) => {
    const at = campaign[key];
    return at === null
      ? ''
      : milestone(around, x(at / unitSeconds), y(percentage / 100), percentage, at);
  });
  return svg(
    around,
    areaOf(around, points, true),
    outageBands(around, x, run, {
      fromSeconds,
      untilSeconds: fromSeconds + seconds,
      unitSeconds,
    }),
    grid(around, y, [0, 0.25, 0.5, 0.75, 1], (share) => percent(share, 0)),
    axisBelow(around, x, `${name} since the campaign’s start`),
    lineOf(points, 'accent', true),
    marks,
  );
}

/** A step up for each success, those within half a pixel as one. */
function completionPoints(
  { completionSeconds, devices }: CampaignResult,
  seconds: number,
  { x, y, unitSeconds }: { readonly x: Scale; readonly y: Scale; readonly unitSeconds: number },
): Point[] {
  const points: Point[] = [[0, y(0)]];
  completionSeconds.forEach((at, before) => {
    const left = Math.round(x(at / unitSeconds) * 2) / 2;
    if (points.at(-1)?.[0] === left) points.pop();
    points.push([left, y(ratio(before + 1, devices))]);
  });
  points.push([x(seconds / unitSeconds), y(completionSeconds.length / Math.max(devices, 1))]);
  return points;
}

/**
 * A dot on the curve with a line down to its time, and words on its right where there is room, else
 * on its left: so far down that they clear the curve and the words of another milestone.
 */
function milestone(
  { plotWidth, plotHeight }: Frame,
  left: number,
  top: number,
  percentage: number,
  seconds: number,
): Content {
  const fits = left < plotWidth - 150;
  const [x, y] = [hundredth(left), hundredth(top)];
  const time = duration(seconds);
  return html`<path class="drop" d="M${x},${y}V${plotHeight}"/>
<circle class="mark" cx="${x}" cy="${y}" r="4.5"/>
<text class="halo${fits ? '' : ' end'}" x="${hundredth(left + (fits ? 9 : -9))}"
 y="${hundredth(top + (fits ? 16 : 52))}"><tspan>${percentage} %</tspan> after ${time}</text>`;
}

/** Fragments that devices missed, by cause, the worst first. */
export function fragmentLossChart({ fragmentLosses, name }: CampaignResult): Chart {
  const all = sumOf(fragmentLosses);
  const rows = byAmount(fragmentLosses).map(([cause, copies]) => ({
    label: FRAGMENT_WORDS[cause].label,
    value: copies,
    figure: percent(ratio(copies, all)),
  }));
  const figures = rows.map(({ label, figure }) => `${label}: ${figure}`).join('; ');
  return {
    alternative: `Bars: ${counted(all, 'fragment')} of ${name} missed. ${figures}.`,
    widths: [NARROW],
    drawing: (width) => bars(rows, width, 116, 'bad'),
  };
}
