/** The chart of deliveries: how many waited over virtual time. */
import type { RunResult } from '../../../core/result/result.ts';
import { highest, levels, timeUnit, wholeRun } from '../../charts/charts.ts';
import { outageBands } from '../../charts/outages.ts';
import {
  across,
  areaOf,
  axisBelow,
  type Chart,
  countGrid,
  frame,
  lineOf,
  NARROW,
  svg,
  upwards,
  WIDE,
} from '../../charts/plot.ts';
import { count, counted } from '../../text/format.ts';

/** Deliveries that waited or were paused at the end of each slice. */
export function waitingChart(result: RunResult, waiting: readonly number[]): Chart {
  const most = highest(waiting);
  const { name, unitSeconds } = timeUnit(result.virtualSeconds);
  return {
    alternative:
      `Line over virtual time: at most ${counted(most, 'delivery', 'deliveries')} waited, ` +
      `${count(waiting.at(-1) ?? 0)} at the end.`,
    widths: [WIDE, NARROW],
    drawing: (width) => {
      const around = frame(width, 130);
      const x = across(around, Math.max(result.virtualSeconds, 1) / unitSeconds);
      const y = upwards(around, Math.max(most, 1));
      const points = levels(result, waiting, (seconds) => x(seconds / unitSeconds), y);
      return svg(
        around,
        areaOf(around, points, false),
        outageBands(around, x, result, wholeRun(result, unitSeconds)),
        countGrid(around, y),
        axisBelow(around, x, `${name} of virtual time`),
        lineOf(points, 'accent', false),
      );
    },
  };
}
