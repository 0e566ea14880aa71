/** A chart over the shared time axis: a cursor by pointer and keys, a brush, and its data. */
import { scaleLinear } from 'd3-scale';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Brush, useBrush } from './brush.ts';
import { type ChartData, highest, type Mark, sliceAt } from './chart-data.ts';
import { ChartFrame } from './chart-frame.tsx';
import { SeriesPaths } from './series-paths.tsx';
import { current, select, useSelection } from './store.ts';
import { clockText, placeOf, type TimeAxis, timeTicks } from './time-axis.ts';

const HEIGHT = 132;
const LEFT = 56;
const RIGHT = 10;
const BELOW = 22;

/** Inside of a card of the whole width: what is drawn at once is seldom drawn anew. */
function likelyWidth(): number {
  const { clientWidth } = document.getElementById('explorer')!;
  return clientWidth - (innerWidth > 720 ? 42 : 28);
}

/** Width of an element, CSS pixels, as it changes. */
export function useWidth<Of extends HTMLElement>(): [{ readonly current: Of | null }, number] {
  const ref = useRef<Of>(null);
  const [width, setWidth] = useState(likelyWidth);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width));
    if (ref.current !== null) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, Math.max(200, width)];
}

interface ChartProps {
  readonly data: ChartData;
  readonly marks: readonly Mark[];
}

export function Chart({ data, marks }: ChartProps) {
  const { span, zoomed, cursor } = useSelection();
  const [holder, width] = useWidth<HTMLDivElement>();
  const [from, until] = zoomed && span !== null ? span : [0, data.endSeconds];
  const axis: TimeAxis = { from, until, width: width - LEFT - RIGHT };
  const brush = useBrush(axis, LEFT);
  const said = cursor === null ? '' : valuesAt(data, cursor);
  return (
    <ChartFrame data={data} span={span} holder={holder} said={said}>
      {/* A slider has a value that changes by keys: assistive technology announces it. */}
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${data.title}, ${data.unit}: cursor on the time axis`}
        aria-valuemin={Math.round(from)}
        aria-valuemax={Math.round(until)}
        aria-valuenow={Math.round(cursor ?? from)}
        aria-valuetext={said === '' ? 'no instant is chosen' : said}
        class="plot"
        onKeyDown={(event) => moveByKey(event, data, [from, until])}
        {...brush.handlers}
      >
        <Drawing data={data} axis={axis} width={width} marks={marks} brush={brush} />
      </div>
    </ChartFrame>
  );
}

/** `06:15: sent 612, received 600`. */
function valuesAt(data: ChartData, seconds: number): string {
  const slice = sliceAt(data, seconds);
  const values = data.series.map(({ label, values: all }) => {
    return `${label} ${data.write(all[slice] ?? 0)}`;
  });
  return `${clockText(slice * data.sliceSeconds)}: ${values.join(', ')}`;
}

/** Arrows move by a slice, Page keys by ten; with Shift they select; Escape selects nothing. */
function moveByKey(
  event: KeyboardEvent,
  { sliceSeconds }: ChartData,
  [from, until]: readonly [number, number],
): void {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageUp: 10,
    PageDown: -10,
  };
  const { cursor, span } = current();
  const at = cursor ?? from;
  const step = steps[event.key];
  if (event.key === 'Escape') return select({ span: null, zoomed: false, cursor: null });
  const ends: Readonly<Record<string, number>> = { Home: from, End: until - 1 };
  if (step === undefined && ends[event.key] === undefined) return;
  event.preventDefault();
  const next = step === undefined ? ends[event.key]! : at + step * sliceSeconds;
  const moved = Math.max(from, Math.min(until - 1, next));
  if (!event.shiftKey) return select({ cursor: moved });
  const [low, high] = span ?? [at, at];
  const other = at === high ? low : high;
  const ordered = [Math.min(other, moved), Math.max(other, moved)] as const;
  select({ cursor: moved, span: ordered[0] < ordered[1] ? ordered : null });
}

interface DrawingProps extends ChartProps {
  readonly axis: TimeAxis;
  readonly width: number;
  readonly brush: Brush;
}

function Drawing({ data, axis, width, marks, brush }: DrawingProps) {
  const { span, zoomed, cursor } = useSelection();
  const top = data.top ?? highest(data);
  const y = scaleLinear([0, top === 0 ? 1 : top], [HEIGHT, 0]).nice(4);
  const shown = brush.span ?? (zoomed ? null : span);
  return (
    <svg width={width} height={HEIGHT + BELOW + 8} aria-hidden="true" focusable="false">
      <g transform={`translate(${LEFT},8)`}>
        {y.ticks(4).map((value) => (
          <g key={value}>
            <path d={`M0,${y(value)}h${axis.width}`} stroke="var(--grid)" />
            <text x={-8} y={y(value) + 4} text-anchor="end" fill="var(--muted)" font-size="12">
              {data.write(value)}
            </text>
          </g>
        ))}
        <SeriesPaths data={data} axis={axis} y={y} height={HEIGHT} />
        <Limits data={data} axis={axis} y={y} />
        <Marks marks={marks} axis={axis} height={HEIGHT} />
        {shown !== null && <Shade axis={axis} span={shown} height={HEIGHT} />}
        {cursor !== null && cursor >= axis.from && cursor <= axis.until && (
          <path d={`M${placeOf(axis, cursor)},0v${HEIGHT}`} stroke="var(--ink)" />
        )}
        <TimeTicks axis={axis} height={HEIGHT} />
      </g>
    </svg>
  );
}

export function TimeTicks({ axis, height }: { readonly axis: TimeAxis; readonly height: number }) {
  return (
    <g>
      <path d={`M0,${height}h${axis.width}`} stroke="var(--axis)" />
      {timeTicks(axis).map((at) => (
        <text
          key={at}
          x={placeOf(axis, at)}
          y={height + 17}
          text-anchor={placeOf(axis, at) > axis.width - 24 ? 'end' : 'middle'}
          fill="var(--muted)"
          font-size="12"
        >
          {clockText(at)}
        </text>
      ))}
    </g>
  );
}

/** What is outside of a span, darkened. */
export function Shade(props: {
  readonly axis: TimeAxis;
  readonly span: readonly [number, number];
  readonly height: number;
}) {
  const { axis, span, height } = props;
  const [from, until] = span.map((each) => Math.min(axis.width, Math.max(0, placeOf(axis, each))));
  return (
    <g class="shade">
      <rect width={from} height={height} fill="var(--card)" opacity="0.72" />
      <rect
        x={until}
        width={Math.max(0, axis.width - until!)}
        height={height}
        fill="var(--card)"
        opacity="0.72"
      />
      <path d={`M${from},0v${height}M${until},0v${height}`} stroke="var(--accent)" />
    </g>
  );
}

function Marks(props: {
  readonly marks: readonly Mark[];
  readonly axis: TimeAxis;
  readonly height: number;
}) {
  const { axis, height } = props;
  const shown = props.marks.filter((mark) => {
    return mark.atSeconds <= axis.until && (mark.untilSeconds ?? mark.atSeconds) >= axis.from;
  });
  return (
    <g>
      {shown.map((mark, at) => {
        const x = placeOf(axis, Math.max(axis.from, mark.atSeconds));
        if (mark.kind !== 'fault') {
          return (
            <path key={at} d={`M${x},0v${height}`} stroke="var(--axis)" stroke-dasharray="1 4" />
          );
        }
        const end = placeOf(axis, Math.min(axis.until, mark.untilSeconds ?? axis.until));
        return (
          <rect
            key={at}
            x={x}
            width={Math.max(1, end - x)}
            height={height}
            fill="var(--bad)"
            opacity="0.14"
          />
        );
      })}
    </g>
  );
}

function Limits(props: {
  readonly data: ChartData;
  readonly axis: TimeAxis;
  readonly y: (value: number) => number;
}) {
  const { data, axis, y } = props;
  const shown = (data.limits ?? []).filter(({ value }) => y(value) >= 0);
  return (
    <g>
      {shown.map(({ label, value }) => (
        <g key={label}>
          <path
            d={`M0,${y(value)}h${axis.width}`}
            stroke="var(--bad)"
            stroke-width="2"
            stroke-dasharray="8 4"
          />
          <text x={4} y={y(value) - 4} fill="var(--bad-ink)" font-size="12">
            {label}
          </text>
        </g>
      ))}
    </g>
  );
}
