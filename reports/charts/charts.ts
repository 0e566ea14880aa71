/** The charts of a report: what each shows, and the words that stand for it. */
import { NEVER_SENT, type RunResult } from '../../core/result/result.ts';
import { entriesOf, sumOf } from '../../sim/base/counts.ts';
import { ratio } from '../figures/figure.ts';
import { count, counted, duration, percent } from '../text/format.ts';
import { byAmount, UPLINK_WORDS } from '../text/words.ts';
import { outageBands, outagesInWords, type TimeAxis } from './outages.ts';
import {
  across,
  areaOf,
  axisBelow,
  bars,
  type Chart,
  columns,
  countGrid,
  frame,
  lineOf,
  NARROW,
  type Point,
  svg,
  upwards,
  WIDE,
} from './plot.ts';

/** Frames per slice of virtual time: sent, received by a gateway, destroyed on the air. */
export function trafficChart(result: RunResult): Chart {
  const { uplinks, received, interfered, sliceSeconds } = result.series;
  return {
    alternative:
      `Lines over virtual time, in slices of ${duration(sliceSeconds)}: ` +
      `${counted(total(uplinks), 'uplink')} sent, at most ${count(highest(uplinks))} in a slice; ` +
      `${count(total(received))} received; ${count(total(interfered))} interfered, ` +
      `at most ${count(highest(interfered))} in a slice.${outagesInWords(result)}`,
    widths: [WIDE, NARROW],
    drawing: (width) => {
      const around = frame(width, 220);
      const { name, unitSeconds } = timeUnit(result.virtualSeconds);
      const x = across(around, Math.max(result.virtualSeconds, 1) / unitSeconds);
      const y = upwards(around, highest([...uplinks, ...received, ...interfered, 1]));
      /** Each slice is level from its start to its end. */
      const steps = (values: readonly number[]): Point[] =>
        [...values, values.at(-1) ?? 0].map((value, slices) => [
          x(sliceStart(result, slices) / unitSeconds),
          y(value),
        ]);
      return svg(
        around,
        areaOf(around, steps(uplinks), true),
        outageBands(around, x, result, wholeRun(result, unitSeconds)),
        countGrid(around, y),
        axisBelow(around, x, `${name} of virtual time`),
        lineOf(steps(received), 'received', true),
        lineOf(steps(interfered), 'interfered', true),
      );
    },
  };
}

/** How many devices had joined by the end of each slice. */
export function joinedChart(result: RunResult): Chart {
  const { joined, sliceSeconds } = result.series;
  const half = joined.findIndex((value) => value * 2 >= (joined.at(-1) ?? 0));
  return {
    alternative:
      `Line over virtual time: ${count(joined.at(-1) ?? 0)} of ` +
      `${counted(result.devices.total, 'device')} joined at the end` +
      `${half < 0 ? '' : `, half of them after ${duration((half + 1) * sliceSeconds)}`}.`,
    widths: [WIDE, NARROW],
    drawing: (width) => {
      const around = frame(width, 130);
      const { name, unitSeconds } = timeUnit(result.virtualSeconds);
      const x = across(around, Math.max(result.virtualSeconds, 1) / unitSeconds);
      const y = upwards(around, highest([...joined, result.devices.total, 1]));
      const points = levels(result, joined, (seconds) => x(seconds / unitSeconds), y);
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

/** The axis of a chart over all of the virtual time. */
export const wholeRun = ({ virtualSeconds }: RunResult, unitSeconds: number): TimeAxis => ({
  fromSeconds: 0,
  untilSeconds: virtualSeconds,
  unitSeconds,
});

/** Lost uplinks by cause, the worst first. */
export function lossChart(result: RunResult): Chart {
  const { lost, uplinks } = result.radio;
  const rows = byAmount(lost).map(([cause, frames]) => ({
    label: UPLINK_WORDS[cause].label,
    value: frames,
    figure: percent(ratio(frames, uplinks)),
  }));
  return {
    alternative:
      `Bars: of ${counted(uplinks, 'uplink')} ${count(sumOf(lost))} were lost. ` + list(rows),
    widths: [NARROW],
    drawing: (width) => bars(rows, width, 116, 'bad'),
  };
}

/** Devices by their data rate at the end, the fastest first. */
export function dataRateChart(result: RunResult): Chart {
  const { byDataRate } = result.devices;
  const devices = sumOf(byDataRate);
  const rows = entriesOf(byDataRate)
    .sort(([a], [b]) => dataRateOf(b) - dataRateOf(a))
    .map(([label, value]) => ({ label, value, figure: percent(ratio(value, devices)) }));
  return {
    alternative: `Bars: data rates of ${counted(devices, 'device')}. ${list(rows)}`,
    widths: [NARROW],
    drawing: (width) => bars(rows, width, 44, 'accent'),
  };
}

/** How many devices of the map's sample delivered which share of their messages. */
export function deliveryChart(result: RunResult): Chart {
  const bins = deliveryBins(result.devices.map.deliveredPermille);
  const figures = bins.map(({ label, devices }) => ({ label, figure: count(devices) }));
  const stands = bins.map(({ tick, devices }) => ({
    label: tick,
    value: devices,
    figure: count(devices),
  }));
  return {
    alternative: `Columns: devices by the share of their messages that arrived. ${list(figures)}`,
    widths: [NARROW],
    drawing: (width) => columns(stands, width, '% of messages delivered, from'),
  };
}

/** Ten equal bins below 1000 ‰, and one for devices that lost nothing; others never sent. */
export function deliveryBins(
  deliveredPermille: readonly number[],
): { readonly label: string; readonly tick: string; readonly devices: number }[] {
  const devices = new Array<number>(11).fill(0);
  for (const permille of deliveredPermille) {
    if (permille !== NEVER_SENT) devices[Math.floor(permille / 100)]! += 1;
  }
  return devices.map((inBin, bin) => ({
    label: bin === 10 ? 'all' : `${bin * 10}–${bin * 10 + 10} %`,
    tick: bin === 10 ? 'all' : String(bin * 10),
    devices: inBin,
  }));
}

/** Unit of a time axis: the largest that fits at least three times. */
export function timeUnit(seconds: number): { readonly name: string; readonly unitSeconds: number } {
  if (seconds >= 3 * 86_400) return { name: 'days', unitSeconds: 86_400 };
  if (seconds >= 3 * 3_600) return { name: 'hours', unitSeconds: 3_600 };
  if (seconds >= 3 * 60) return { name: 'minutes', unitSeconds: 60 };
  return { name: 'seconds', unitSeconds: 1 };
}

/** Where each value of a series that is counted at the ends of slices stands; the first is 0. */
export function levels(
  result: RunResult,
  values: readonly number[],
  x: (seconds: number) => number,
  y: (value: number) => number,
): Point[] {
  return [0, ...values].map((value, slices) => [x(sliceStart(result, slices)), y(value)]);
}

/** Seconds since the run's start; the last slice may be cut off by the run's end. */
function sliceStart({ series, virtualSeconds }: RunResult, slices: number): number {
  return Math.min(slices * series.sliceSeconds, virtualSeconds);
}

function list(bars: readonly { readonly label: string; readonly figure: string }[]): string {
  return bars.map(({ label, figure }) => `${label}: ${figure}`).join('; ') + '.';
}

/** Index of a data rate by its name, such as `DR5`; other names sort after all data rates. */
function dataRateOf(key: string): number {
  const index = Number(key.replace(/^DR/, ''));
  return Number.isInteger(index) ? index : Number.NEGATIVE_INFINITY;
}

function total(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

export function highest(values: readonly number[]): number {
  return values.reduce((top, value) => Math.max(top, value), 0);
}
