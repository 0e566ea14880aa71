/** Charts of budgets over virtual time: duty cycle, air time, waiting downlinks, data rates. */
import type { BudgetResult, RunResult } from '../../core/result/result.ts';
import { type Content, html } from '../markup/markup.ts';
import { count, duration, percent } from '../text/format.ts';
import { highest, timeUnit, wholeRun } from './charts.ts';
import { outageBands, outagesInWords } from './outages.ts';
import {
  across,
  axisBelow,
  type Chart,
  countGrid,
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
} from './plot.ts';

/** Height of a chart, CSS pixels. */
const HEIGHT = 150;

interface Lines {
  readonly values: readonly (readonly number[])[];
  /** Of the vertical axis; at least this. */
  readonly least: number;
  readonly written: 'share' | 'count';
  /** A level that is drawn as a line, such as a limit. */
  readonly level?: number;
  readonly alternative: string;
}

const PAINTS = ['received', 'accent', 'interfered'] as const;

/** Lines by slices, level in each, with outages and the beginnings of campaigns marked. */
function linesChart(result: RunResult, budgets: BudgetResult, lines: Lines): Chart {
  return {
    alternative: `${lines.alternative}${outagesInWords(result)}${eventsInWords(result)}`,
    widths: [WIDE, NARROW],
    drawing: (width) => {
      const around = frame(width, HEIGHT);
      const { name, unitSeconds } = timeUnit(result.virtualSeconds);
      const x = across(around, Math.max(result.virtualSeconds, 1) / unitSeconds);
      const top = highest([...lines.values.flat(), lines.level ?? 0, lines.least]);
      const y = upwards(around, top * 1.05);
      const steps = (values: readonly number[]): Point[] =>
        [...values, values.at(-1) ?? 0].map((value, slice) => {
          const atSeconds = Math.min(slice * budgets.sliceSeconds, result.virtualSeconds);
          return [x(atSeconds / unitSeconds), y(value)];
        });
      const level = lines.level === undefined ? '' : levelLine(around, y(lines.level));
      return svg(
        around,
        outageBands(around, x, result, wholeRun(result, unitSeconds)),
        lines.written === 'count'
          ? countGrid(around, y)
          : grid(around, y, y.ticks(4), (value) => percent(value, value < 0.01 ? 2 : 1)),
        axisBelow(around, x, `${name} of virtual time`),
        campaignMarks(around, x, result, unitSeconds),
        level,
        lines.values.map((values, at) => lineOf(steps(values), PAINTS[at % 3]!, true)),
      );
    },
  };
}

const levelLine = ({ plotWidth }: Frame, at: number): Content =>
  html`<path class="line interfered" stroke-dasharray="5 4" d="M0,${hundredth(at)}h${plotWidth}"/>`;

/** Stages that change what is on the air. */
const MARKED: Readonly<Record<string, string>> = {
  SETTING_UP_DEVICES: 'sets up devices',
  SENDING_FRAGMENTS: 'sends fragments',
  VERIFYING: 'asks who has the image',
};

/** Marks that a chart has room for. */
const MARKS_MOST = 30;

const eventsOf = ({ campaigns }: RunResult) =>
  campaigns
    .flatMap(({ name, stages }) =>
      stages.flatMap(({ stage, atSeconds }) => {
        const what = MARKED[stage];
        return what === undefined ? [] : [{ atSeconds, words: `${name} ${what}` }];
      }),
    )
    .slice(0, MARKS_MOST);

/** A thin line where a campaign begins something, named where the pointer rests. */
function campaignMarks(
  { plotHeight }: Frame,
  x: Scale,
  result: RunResult,
  unitSeconds: number,
): Content[] {
  return eventsOf(result).map(({ atSeconds, words }) => {
    const at = hundredth(x(atSeconds / unitSeconds));
    const text = `${words} at ${duration(atSeconds)}`;
    return html`<path class="axis" stroke-dasharray="2 3" d="M${at},0v${plotHeight}">
<title>${text}</title></path>`;
  });
}

function eventsInWords(result: RunResult): string {
  const events = eventsOf(result).map(
    ({ atSeconds, words }) => `${words} at ${duration(atSeconds)}`,
  );
  return events.length === 0 ? '' : ` Marked: ${events.join(', ')}.`;
}

/** Duty cycle of the gateway and sub-band that came nearest to their limit. */
export function dutyCycleChart(result: RunResult, budgets: BudgetResult): Chart | undefined {
  const [busiest] = budgets.dutyCycle;
  if (busiest === undefined) return undefined;
  const { gateway, band, limit, used } = busiest;
  const peak = highest(used);
  return linesChart(result, budgets, {
    values: [used],
    least: limit / 10,
    written: 'share',
    ...(peak * 4 >= limit ? { level: limit } : {}),
    alternative:
      `Line over virtual time: the most of an hour that ${gateway} used in ${band} MHz, at most ` +
      `${percent(peak, 2)} of the ${percent(limit)} that the region allows.`,
  });
}

/** Application downlinks that were not over. */
export function queueChart(result: RunResult, budgets: BudgetResult): Chart {
  const { downlinkQueue } = budgets;
  return linesChart(result, budgets, {
    values: [downlinkQueue],
    least: 4,
    written: 'count',
    alternative: `Line over virtual time: at most ${count(highest(downlinkQueue))} downlinks wait.`,
  });
}
