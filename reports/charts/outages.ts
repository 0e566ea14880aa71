/** Outages of gateways: where they lie on the time axes of charts. */
import type { OutageResult, RunResult } from '../../core/result/result.ts';
import { type Content, html } from '../markup/markup.ts';
import { counted, duration } from '../text/format.ts';
import { type Frame, hundredth, type Scale } from './plot.ts';

/** What an axis of time shows: seconds of the run, and how many of them a unit of the axis has. */
export interface TimeAxis {
  readonly fromSeconds: number;
  readonly untilSeconds: number;
  readonly unitSeconds: number;
}

/** A band over the plot for each outage that lies on its axis, named where the pointer rests. */
export function outageBands(
  { plotHeight }: Frame,
  x: Scale,
  { outages = [], virtualSeconds }: RunResult,
  { fromSeconds, untilSeconds, unitSeconds }: TimeAxis,
): Content[] {
  return outages.map((outage) => {
    const from = Math.max(outage.fromSeconds, fromSeconds);
    const until = Math.min(outage.untilSeconds ?? virtualSeconds, untilSeconds);
    if (until <= from) return '';
    const left = x((from - fromSeconds) / unitSeconds);
    const width = Math.max(1, x((until - fromSeconds) / unitSeconds) - left);
    return html`<rect class="outage" x="${hundredth(left)}" y="0" width="${hundredth(width)}"
 height="${plotHeight}"><title>${outageText(outage)}</title></rect>`;
  });
}

export const OUTAGE_WORDS = { backhaul: 'backhaul down', radio: 'radio failed' } as const;

function outageText({ gateway, part, fromSeconds, untilSeconds }: OutageResult): string {
  const end = untilSeconds === null ? 'the end' : duration(untilSeconds);
  return `${gateway}: ${OUTAGE_WORDS[part]} from ${duration(fromSeconds)} to ${end}`;
}

/** The words for readers of a chart who cannot see its bands. */
export function outagesInWords({ outages = [] }: RunResult): string {
  return outages.length === 0 ? '' : ` Marked: ${counted(outages.length, 'gateway outage')}.`;
}
