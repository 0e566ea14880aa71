/** The charts of a report: what each shows, and the words that stand for it. */
import type { RunResult } from '../../core/result.ts';
import { byCount, uplinkCause } from '../causes.ts';
import { ratio, sum } from '../kpi.ts';
import { count, counted, duration, percent } from './format.ts';
import { barSpec, type Chart, countAxis, frame, NARROW, WIDE } from './plot.ts';

/** Frames per slice of virtual time: sent, received by a gateway, destroyed on the air. */
export function trafficChart(result: RunResult): Chart {
  const { uplinks, received, interfered, sliceSeconds } = result.series;
  const rows = [
    ...stairs(result, 'uplinks', uplinks),
    ...stairs(result, 'received', received),
    ...stairs(result, 'interfered', interfered),
  ];
  return {
    alternative:
      `Lines over virtual time, in slices of ${duration(sliceSeconds)}: ` +
      `${counted(total(uplinks), 'uplink')} sent, at most ${count(highest(uplinks))} in a slice; ` +
      `${count(total(received))} received; ${count(total(interfered))} interfered, ` +
      `at most ${count(highest(interfered))} in a slice.`,
    widths: [WIDE, NARROW],
    spec: (width) => ({
      ...frame(width, 220, { left: 48, right: 14, top: 10, bottom: 40 }),
      data: { values: rows },
      encoding: { x: timeAxis(result, width), y: countAxis(highest([...uplinks, 1])) },
      layer: [
        stairLayer('uplinks', { type: 'area', color: 'var(--area)' }),
        stairLayer('received', { type: 'line', color: 'var(--good)', strokeWidth: 2 }),
        stairLayer('interfered', {
          type: 'line',
          color: 'var(--bad)',
          strokeWidth: 2,
          strokeDash: [5, 3],
        }),
      ],
    }),
  };
}

/** How many devices had joined by the end of each slice. */
export function joinedChart(result: RunResult): Chart {
  const { joined, sliceSeconds } = result.series;
  const { unitSeconds } = timeUnit(result);
  const at = (slices: number) =>
    Math.min(slices * sliceSeconds, result.virtualSeconds) / unitSeconds;
  const rows = [0, ...joined].map((value, slices) => ({ t: at(slices), value }));
  const half = joined.findIndex((value) => value * 2 >= (joined.at(-1) ?? 0));
  return {
    alternative:
      `Line over virtual time: ${count(joined.at(-1) ?? 0)} of ` +
      `${counted(result.devices.total, 'device')} joined at the end` +
      `${half < 0 ? '' : `, half of them after ${duration((half + 1) * sliceSeconds)}`}.`,
    widths: [WIDE, NARROW],
    spec: (width) => ({
      ...frame(width, 130, { left: 48, right: 14, top: 10, bottom: 40 }),
      data: { values: rows },
      mark: {
        type: 'area',
        color: 'var(--area)',
        line: { color: 'var(--accent)', strokeWidth: 2 },
      },
      encoding: {
        x: timeAxis(result, width),
        y: countAxis(highest([...joined, result.devices.total, 1])),
      },
    }),
  };
}

/** Lost uplinks by cause, the worst first. */
export function lossChart(result: RunResult): Chart {
  const { lost, uplinks } = result.radio;
  const bars = byCount(lost).map(([cause, frames]) => ({
    label: uplinkCause(cause).label,
    value: frames,
    figure: percent(ratio(frames, uplinks)),
  }));
  return {
    alternative:
      `Bars: of ${counted(uplinks, 'uplink')} ` + `${count(sum(lost))} were lost. ${list(bars)}`,
    widths: [NARROW],
    spec: (width) => barSpec(bars, width, 116, 'var(--bad)'),
  };
}

/** Devices by their data rate at the end, the fastest first. */
export function dataRateChart(result: RunResult): Chart {
  const { byDataRate } = result.devices;
  const devices = sum(byDataRate);
  const bars = Object.entries(byDataRate)
    .sort(([a], [b]) => dataRateOf(b) - dataRateOf(a))
    .map(([label, value]) => ({ label, value, figure: percent(ratio(value, devices)) }));
  return {
    alternative: `Bars: data rates of ${counted(devices, 'device')}. ${list(bars)}`,
    widths: [NARROW],
    spec: (width) => barSpec(bars, width, 44, 'var(--accent)'),
  };
}

/** How many devices of the map's sample delivered which share of their messages. */
export function deliveryChart(result: RunResult): Chart {
  const bins = deliveryBins(result.devices.map.deliveredPermille);
  const figures = bins.map(({ label, devices }) => ({ label, figure: count(devices) }));
  return {
    alternative: `Columns: devices by the share of their messages that arrived. ${list(figures)}`,
    widths: [NARROW],
    spec: (width) => ({
      ...frame(width, 170, { left: 44, right: 4, top: 10, bottom: 40 }),
      data: { values: bins },
      mark: { type: 'bar', color: 'var(--accent)' },
      encoding: {
        x: {
          field: 'tick',
          type: 'ordinal',
          sort: null,
          scale: { paddingInner: 0.12, paddingOuter: 0.06 },
          axis: {
            title: '% of messages delivered, from',
            labelAngle: 0,
            grid: false,
            ticks: false,
          },
        },
        y: { ...countAxis(highest(bins.map(({ devices }) => devices))), field: 'devices' },
      },
    }),
  };
}

/** Ten equal bins below 1000 ‰, one for devices that lost nothing; −1 (never sent) is in none. */
export function deliveryBins(
  deliveredPermille: readonly number[],
): { readonly label: string; readonly tick: string; readonly devices: number }[] {
  const devices = new Array<number>(11).fill(0);
  for (const permille of deliveredPermille) {
    if (permille >= 0) devices[Math.floor(permille / 100)]! += 1;
  }
  return devices.map((inBin, bin) => ({
    label: bin === 10 ? 'all' : `${bin * 10}–${bin * 10 + 10} %`,
    tick: bin === 10 ? 'all' : String(bin * 10),
    devices: inBin,
  }));
}

/** What a run's length is told in: the largest unit of which it has at least three. */
export function timeUnit({ virtualSeconds }: RunResult): { name: string; unitSeconds: number } {
  if (virtualSeconds >= 3 * 86_400) return { name: 'days', unitSeconds: 86_400 };
  if (virtualSeconds >= 3 * 3_600) return { name: 'hours', unitSeconds: 3_600 };
  if (virtualSeconds >= 3 * 60) return { name: 'minutes', unitSeconds: 60 };
  return { name: 'seconds', unitSeconds: 1 };
}

function timeAxis(result: RunResult, width: number) {
  const { name, unitSeconds } = timeUnit(result);
  return {
    field: 't',
    type: 'quantitative',
    scale: { domainMin: 0, domainMax: result.virtualSeconds / unitSeconds, nice: false },
    axis: {
      title: `${name} of virtual time`,
      grid: false,
      labelFlush: false,
      tickCount: Math.floor(width / 80),
      labelExpr: "format(datum.value, '~g')",
    },
  } as const;
}

/** One series as steps: each slice is level from its start to its end. */
function stairs(result: RunResult, series: string, values: readonly number[]): Rows {
  const { sliceSeconds } = result.series;
  const { unitSeconds } = timeUnit(result);
  const at = (slices: number) =>
    Math.min(slices * sliceSeconds, result.virtualSeconds) / unitSeconds;
  return [...values, values.at(-1) ?? 0].map((value, slices) => ({ series, t: at(slices), value }));
}

type Rows = readonly { readonly series: string; readonly t: number; readonly value: number }[];

interface StairMark {
  readonly type: 'area' | 'line';
  readonly color: string;
  readonly strokeWidth?: number;
  /** Pixels on, pixels off. */
  readonly strokeDash?: number[];
}

function stairLayer(series: string, mark: StairMark) {
  return {
    transform: [{ filter: { field: 'series', equal: series } }],
    mark: { ...mark, interpolate: 'step-after' as const },
  };
}

function list(bars: readonly { readonly label: string; readonly figure: string }[]): string {
  return bars.map(({ label, figure }) => `${label}: ${figure}`).join('; ') + '.';
}

function dataRateOf(key: string): number {
  const index = Number(key.replace(/^DR/, ''));
  return Number.isInteger(index) ? index : -1;
}

function total(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function highest(values: readonly number[]): number {
  return values.reduce((top, value) => Math.max(top, value), 0);
}
