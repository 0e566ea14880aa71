/** How far each parameter alone moves a figure from its base: the widest bar on top. */
import type { StudySwing } from '../../../core/result/designed-study.ts';
import { axisOver, fitted, marksBelow, textWidth } from '../../charts/axes.ts';
import { type Chart, type Frame, hundredth, svg } from '../../charts/plot.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { axisNumber, type Measure, titleOf } from './measure.ts';

export function tornadoChart(
  swings: readonly StudySwing[],
  base: number,
  measure: Measure,
  widths: Chart['widths'],
): Chart {
  const written = (value: number) => axisNumber(Number((value / measure.size).toPrecision(4)));
  const end = ({ mean, label }: StudySwing['least']) => `${written(mean)} at ${label}`;
  const lines = swings.map(({ parameter, least, greatest }) => {
    return `${parameter}: ${end(least)} to ${end(greatest)}`;
  });
  return {
    alternative: `Bars around the base ${written(base)}: ${titleOf(measure)}. ${lines.join('; ')}.`,
    widths,
    drawing: (width) => drawingOf(swings, base, measure, width),
  };
}

const ROW = 46;

function drawingOf(
  swings: readonly StudySwing[],
  base: number,
  measure: Measure,
  width: number,
): Markup {
  const around: Frame = {
    plotWidth: width - 20,
    plotHeight: swings.length * ROW + 4,
    left: 10,
    right: 10,
    top: 20,
    bottom: 42,
  };
  const { plotWidth, plotHeight } = around;
  const ends = swings.flatMap(({ least, greatest }) => [least.mean, greatest.mean]);
  const low = ends.reduce((all, end) => Math.min(all, end), base) / measure.size;
  const high = ends.reduce((all, end) => Math.max(all, end), base) / measure.size;
  const levels = swings.flatMap(({ least, greatest }) => [least.label, greatest.label]);
  const beside = Math.min(
    levels.reduce((most, level) => Math.max(most, textWidth(level)), 20) + 10,
    plotWidth * 0.25,
  );
  const axis = axisOver(
    { ...(low < high ? { low, high } : { low: low - 1, high: high + 1 }), isLogarithmic: false },
    [beside, plotWidth - beside],
    Math.floor(plotWidth / 100),
  );
  const x = (value: number) => hundredth(axis.place(value / measure.size));
  const upright = axis.ticks.map((tick) => `M${hundredth(axis.place(tick))},0V${plotHeight}`);
  const marks = axis.ticks.map((tick) => ({ at: axis.place(tick), text: axisNumber(tick) }));
  return svg(
    around,
    html`<path class="grid" d="${upright.join('')}"/>`,
    swings.map(({ parameter, least, greatest }, row) => {
      const top = row * ROW + 20;
      const [from, to, middle] = [x(least.mean), x(greatest.mean), x(base)];
      const inside = (at: number) => hundredth(Math.min(Math.max(at, from), to));
      const head = html`<text class="ink strong ground" x="0"
 y="${top - 6}">${fitted(parameter, plotWidth)}</text>`;
      if (to - from < 1) {
        return html`${head}<text x="${middle + 6}" y="${top + 12}">hardly any difference</text>`;
      }
      return html`${head}
<rect class="below" x="${from}" y="${top}" width="${hundredth(inside(middle) - from)}" height="16"/>
<rect class="above" x="${inside(middle)}" y="${top}" width="${hundredth(to - inside(middle))}"
 height="16"/>
<text class="end" x="${from - 5}" y="${top + 12}">${fitted(least.label, beside - 8)}</text>
<text x="${to + 5}" y="${top + 12}">${fitted(greatest.label, beside - 8)}</text>`;
    }),
    html`<path class="base" d="M${x(base)},-4V${plotHeight}"/>
<text class="mid" x="${x(base)}" y="-8">base</text>`,
    marksBelow(around, marks, titleOf(measure)),
  );
}
