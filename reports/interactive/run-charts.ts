/** The charts of a run over time, and the marks that all of them show. */
import { count, duration, percent } from '../text/format.ts';
import { spelled, UPLINK_WORDS, type Words } from '../text/words.ts';
import type { ChartData, Mark, Series } from './chart-data.ts';
import type { Run } from './page-data.ts';
import { colourAt } from './palette.ts';

/** In the order in which they stand below each other. */
export function chartsOf(run: Run): ChartData[] {
  return [
    traffic(run),
    ...losses(run),
    ...dutyCycles(run),
    ...airTime(run),
    ...downlinkQueue(run),
    ...updates(run),
    ...joins(run),
  ];
}

const countText = (value: number): string => count(value);

function traffic({ series, virtualSeconds }: Run): ChartData {
  return {
    title: 'Uplink frames',
    unit: `frames in ${duration(series.sliceSeconds)}`,
    reading: 'A gap between sent and received is what was lost.',
    sliceSeconds: series.sliceSeconds,
    endSeconds: virtualSeconds,
    over: 'sum',
    write: countText,
    series: [
      { label: 'sent', values: series.uplinks, colour: 'var(--area)', area: true },
      { label: 'received', values: series.received, colour: 'var(--good)' },
      { label: 'downlinks', values: series.downlinks, colour: colourAt(3), dashed: true },
    ],
  };
}

const words = (of: Readonly<Record<string, Words>>, name: string): string =>
  of[name]?.label ?? name;

function losses({ budgets, virtualSeconds }: Run): ChartData[] {
  if (budgets === undefined || Object.keys(budgets.lost).length === 0) return [];
  return [
    {
      title: 'Uplinks lost by cause',
      unit: `frames in ${duration(budgets.sliceSeconds)}`,
      reading: 'The height is all that was lost; each colour is one cause.',
      sliceSeconds: budgets.sliceSeconds,
      endSeconds: virtualSeconds,
      stacked: true,
      over: 'sum',
      write: countText,
      series: Object.entries(budgets.lost).map(([cause, values = []], at) => {
        return { label: words(UPLINK_WORDS, cause), values, colour: colourAt(at) };
      }),
    },
  ];
}

/** One for each sub-band: its limit is the same at all gateways. */
function dutyCycles({ budgets, virtualSeconds }: Run): ChartData[] {
  if (budgets === undefined) return [];
  const bands = new Map<string, Series[]>();
  const limits = new Map<string, number>();
  for (const { gateway, band, limit, used } of budgets.dutyCycle) {
    const all = bands.get(band) ?? [];
    bands.set(band, all);
    limits.set(band, limit);
    const at = all.length;
    all.push({ label: gateway, values: used, colour: colourAt(at), dashed: at >= 4 });
  }
  return [...bands].map(([band, series]) => {
    const limit = limits.get(band)!;
    return {
      title: `Duty cycle used in ${band} MHz`,
      unit: `share of an hour, the legal limit is ${percent(limit, 1)}`,
      reading:
        'The most of any hour that each of the busiest gateways had used or planned. ' +
        'Above the dashed line nothing may be sent.',
      sliceSeconds: budgets.sliceSeconds,
      endSeconds: virtualSeconds,
      over: 'highest',
      write: (value: number) => percent(value, value < 0.001 ? 3 : 2),
      limits: [{ label: `limit ${percent(limit, 1)}`, value: limit }],
      series,
    };
  });
}

function airTime({ budgets, virtualSeconds }: Run): ChartData[] {
  const all = Object.entries(budgets?.airSeconds ?? {});
  if (budgets === undefined || all.length === 0) return [];
  return [
    {
      title: 'Air time of gateways by purpose',
      unit: `seconds in ${duration(budgets.sliceSeconds)}`,
      reading: 'What the gateways sent for, all of them together.',
      sliceSeconds: budgets.sliceSeconds,
      endSeconds: virtualSeconds,
      stacked: true,
      over: 'sum',
      write: (value: number) => `${Number(value.toPrecision(3))} s`,
      series: all.map(([label, values], at) => ({ label, values, colour: colourAt(at) })),
    },
  ];
}

function downlinkQueue({ budgets, virtualSeconds }: Run): ChartData[] {
  if (budgets === undefined || budgets.downlinkQueue.every((value) => value === 0)) return [];
  return [
    {
      title: 'Downlink queue',
      unit: 'application downlinks that are not over',
      reading: 'A queue that grows means that windows or air time are too few.',
      sliceSeconds: budgets.sliceSeconds,
      endSeconds: virtualSeconds,
      over: 'highest',
      write: countText,
      series: [{ label: 'waiting', values: budgets.downlinkQueue, colour: colourAt(0) }],
    },
  ];
}

/** Slices of the curve of confirmed updates. */
const SLICES = 192;

function updates({ campaigns, virtualSeconds }: Run): ChartData[] {
  const shown = campaigns.filter(({ devices }) => devices > 0).slice(0, 8);
  if (shown.length === 0) return [];
  const sliceSeconds = virtualSeconds / SLICES;
  return [
    {
      title: 'Updates confirmed',
      unit: 'share of the campaign’s devices',
      reading: 'A steep curve is a fast campaign; where it flattens, devices are left behind.',
      sliceSeconds,
      endSeconds: virtualSeconds,
      over: 'last',
      top: 1,
      write: (value: number) => percent(value),
      series: shown.map(({ name, devices, stages, completionSeconds }, at) => {
        const start = stages[0]?.atSeconds ?? 0;
        const values = new Array<number>(SLICES).fill(0);
        let done = 0;
        for (let slice = 0; slice < SLICES; slice++) {
          const until = (slice + 1) * sliceSeconds - start;
          while (done < completionSeconds.length && completionSeconds[done]! <= until) done++;
          values[slice] = done / devices;
        }
        return { label: name, values, colour: colourAt(at) };
      }),
    },
  ];
}

function joins({ series, virtualSeconds }: Run): ChartData[] {
  if (series.joined.length === 0) return [];
  return [
    {
      title: 'Devices joined',
      unit: 'devices with a session',
      reading: 'How many have joined by then.',
      sliceSeconds: series.sliceSeconds,
      endSeconds: virtualSeconds,
      over: 'last',
      write: countText,
      series: [{ label: 'joined', values: series.joined, colour: colourAt(0) }],
    },
  ];
}

// ── marks ────────────────────────────────────────────────────────────────────────────────────────

/** Stages of campaigns, outages of gateways and commands of the timeline, in the order of time. */
export function marksOf({ campaigns, outages, columns, virtualSeconds }: Run): Mark[] {
  const stages = campaigns.slice(0, 4).flatMap(({ name, stages: reached }) =>
    reached.map(({ stage, atSeconds }): Mark => {
      return { kind: 'stage', atSeconds, text: `${name}: ${spelled(stage)}` };
    }),
  );
  const faults = outages.map(({ gateway, part, fromSeconds, untilSeconds }): Mark => {
    const text = `${gateway}: ${part} fails`;
    return {
      kind: 'fault',
      atSeconds: fromSeconds,
      untilSeconds: untilSeconds ?? virtualSeconds,
      text,
    };
  });
  const commands = (columns?.marks ?? []).map(({ atSeconds, operation, what, times }): Mark => {
    const name = what === '' ? '' : ` ${what}`;
    const many = times > 1 ? ` (${count(times)})` : '';
    return { kind: 'command', atSeconds, text: `${operation}${name}${many}` };
  });
  return [...stages, ...faults, ...commands].sort((a, b) => a.atSeconds - b.atSeconds);
}

/** Axes of the same chart in several runs, so that they can be compared. */
export function alike(
  charts: readonly ChartData[],
  tops: ReadonlyMap<string, number>,
): ChartData[] {
  return charts.map((chart) => {
    const top = chart.top ?? tops.get(chart.title);
    return top === undefined ? chart : { ...chart, top };
  });
}
