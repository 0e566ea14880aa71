/** The chart of configurations: devices that were set, rollouts that were applied, over time. */
import type { ConfigurationResult } from '../../../core/result/configuration.ts';
import type { RunResult } from '../../../core/result/result.ts';
import { timeUnit, wholeRun } from '../../charts/charts.ts';
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
  type Point,
  type Scale,
  svg,
  upwards,
  WIDE,
} from '../../charts/plot.ts';
import { count, duration } from '../../text/format.ts';

export function configurationChart(
  run: RunResult,
  { setAtSeconds, appliedAtSeconds }: ConfigurationResult,
): Chart {
  const { virtualSeconds } = run;
  const { name, unitSeconds } = timeUnit(virtualSeconds);
  return {
    alternative:
      `Lines over virtual time: ${count(setAtSeconds.length)} devices set as desired` +
      `${halfOf(setAtSeconds)}; ${count(appliedAtSeconds.length)} rollouts applied` +
      `${halfOf(appliedAtSeconds)}.`,
    widths: [WIDE, NARROW],
    drawing: (width) => {
      const around = frame(width, 180);
      const x = across(around, Math.max(virtualSeconds, 1) / unitSeconds);
      const y = upwards(around, Math.max(setAtSeconds.length, appliedAtSeconds.length, 1));
      const at = (seconds: number) => x(seconds / unitSeconds);
      const set = steps(setAtSeconds, virtualSeconds, at, y);
      const applied = steps(appliedAtSeconds, virtualSeconds, at, y);
      return svg(
        around,
        areaOf(around, set, true),
        outageBands(around, x, run, wholeRun(run, unitSeconds)),
        countGrid(around, y),
        axisBelow(around, x, `${name} of virtual time`),
        lineOf(applied, 'received', true),
      );
    },
  };
}

const halfOf = (seconds: readonly number[]): string =>
  seconds.length === 0 ? '' : `, half of them by ${duration(seconds[(seconds.length - 1) >> 1]!)}`;

/** A step up for each, those within half a pixel as one. */
function steps(
  seconds: readonly number[],
  lastSeconds: number,
  x: (seconds: number) => number,
  y: Scale,
): Point[] {
  const points: Point[] = [[x(0), y(0)]];
  seconds.forEach((at, before) => {
    const left = Math.round(x(at) * 2) / 2;
    if (points.at(-1)?.[0] === left) points.pop();
    points.push([left, y(before + 1)]);
  });
  points.push([x(lastSeconds), y(seconds.length)]);
  return points;
}
