/** Uplink frames of one device over time: received and lost, with its steps of data rate. */
import { countOf } from '../../core/result/columns.ts';
import { count } from '../text/format.ts';
import { TimeTicks, useWidth } from './chart.tsx';
import { Key } from './chart-frame.tsx';
import type { Run } from './page-data.ts';
import { useSelection } from './store.ts';
import { placeOf, type TimeAxis } from './time-axis.ts';

const HEIGHT = 54;
const LEFT = 40;

export function TrafficStrip({ run, device }: { readonly run: Run; readonly device: number }) {
  const { span, zoomed, cursor } = useSelection();
  const [holder, width] = useWidth<HTMLDivElement>();
  const { traffic, steps } = run.columns!.devices;
  const [from, until] = zoomed && span !== null ? span : [0, run.virtualSeconds];
  const axis: TimeAxis = { from, until, width: width - LEFT - 10 };
  const text = traffic.frames[device] ?? '';
  const slices = Array.from({ length: text.length / 2 }, (_, slice) => {
    return { sent: countOf(text[2 * slice]!), lost: countOf(text[2 * slice + 1]!) };
  });
  const most = slices.reduce((high, { sent }) => Math.max(high, sent), 1);
  const all = slices.reduce((sum, { sent }) => sum + sent, 0);
  const lost = slices.reduce((sum, each) => sum + each.lost, 0);
  return (
    <div ref={holder}>
      <strong>Uplink frames</strong>
      <svg
        width={width}
        height={HEIGHT + 26}
        role="img"
        aria-label={`Uplink frames over time: ${count(all)} sent, ${count(lost)} lost`}
      >
        <g transform={`translate(${LEFT},4)`}>
          <text x={-8} y={10} text-anchor="end" fill="var(--muted)" font-size="12">
            {most}
          </text>
          <svg width={axis.width} height={HEIGHT} aria-hidden="true">
            {slices.map((slice, at) => (
              <Bar
                key={at}
                {...slice}
                most={most}
                axis={axis}
                at={at * traffic.sliceSeconds}
                until={(at + 1) * traffic.sliceSeconds}
              />
            ))}
            {(steps[device] ?? []).map(([at], place) => (
              <path
                key={place}
                d={`M${placeOf(axis, at)},0v${HEIGHT}`}
                stroke="var(--muted)"
                stroke-dasharray="2 3"
              />
            ))}
          </svg>
          {cursor !== null && cursor >= from && cursor <= until && (
            <path d={`M${placeOf(axis, cursor)},0v${HEIGHT}`} stroke="var(--ink)" />
          )}
          <TimeTicks axis={axis} height={HEIGHT} />
        </g>
      </svg>
      <ul class="legend">
        <li>
          <Key colour="var(--good)" />
          received <b>{count(all - lost)}</b>
        </li>
        <li>
          <Key colour="var(--bad)" />
          lost <b>{count(lost)}</b>
        </li>
        <li>dotted: another data rate or power</li>
      </ul>
    </div>
  );
}

interface BarProps {
  readonly sent: number;
  readonly lost: number;
  readonly most: number;
  readonly axis: TimeAxis;
  readonly at: number;
  readonly until: number;
}

function Bar({ sent, lost, most, axis, at, until }: BarProps) {
  const [x, end] = [placeOf(axis, at), placeOf(axis, until)];
  const width = Math.max(0.5, end - x - 1);
  const [low, high] = [(lost / most) * HEIGHT, (sent / most) * HEIGHT];
  return (
    <g>
      <rect x={x} y={HEIGHT - high} width={width} height={high - low} fill="var(--good)" />
      <rect x={x} y={HEIGHT - low} width={width} height={low} fill="var(--bad)" />
    </g>
  );
}
