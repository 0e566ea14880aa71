/** Stages, faults and commands on the shared time axis, and as a list. */

import { TimeTicks, useWidth } from './chart.tsx';
import type { Mark } from './chart-data.ts';
import { Actions, Rows } from './chart-frame.tsx';
import type { Run } from './page-data.ts';
import { colourAt } from './palette.ts';
import { select, useSelection } from './store.ts';
import { clockText, placeOf, type TimeAxis } from './time-axis.ts';

const ROW = 22;
const LEFT = 56;

interface Bar {
  readonly text: string;
  readonly from: number;
  readonly until: number;
  readonly colour: string;
}

/** Stages as bars, one row for each campaign; faults as bars in rows of their own. */
function rowsOf({ campaigns, outages, virtualSeconds }: Run): [name: string, bars: Bar[]][] {
  const rows = campaigns.slice(0, 4).map(({ name, stages }): [string, Bar[]] => {
    const bars = stages.map(({ stage, atSeconds }, at): Bar => {
      const until = stages[at + 1]?.atSeconds ?? virtualSeconds;
      const text = stage.toLowerCase().replaceAll('_', ' ');
      return { text, from: atSeconds, until, colour: colourAt(at) };
    });
    return [name, bars];
  });
  const faults = outages.slice(0, 60).map(({ gateway, part, fromSeconds, untilSeconds }): Bar => {
    const until = untilSeconds ?? virtualSeconds;
    return { text: `${gateway}: ${part}`, from: fromSeconds, until, colour: 'var(--bad)' };
  });
  return faults.length === 0 ? rows : [...rows, ['faults of gateways', faults]];
}

export function EventBars({ run, marks }: { readonly run: Run; readonly marks: readonly Mark[] }) {
  const { span, zoomed, cursor } = useSelection();
  const [holder, width] = useWidth<HTMLDivElement>();
  const [from, until] = zoomed && span !== null ? span : [0, run.virtualSeconds];
  const axis: TimeAxis = { from, until, width: width - LEFT - 10 };
  const rows = rowsOf(run);
  const height = rows.length * 2 * ROW;
  if (marks.length === 0) return null;
  return (
    <figure class="interactive-chart">
      <figcaption>
        <strong>Stages, faults and commands</strong>
        <Actions
          data={{ title: `Events ${run.label}` }}
          drawing={() => holder.current?.querySelector('svg')?.outerHTML ?? ''}
          rows={() => [
            ['at, s', 'until, s', 'what'],
            ...marks.map((mark) => [mark.atSeconds, mark.untilSeconds ?? null, mark.text]),
          ]}
        />
        <p class="hint">
          Bars are stages of campaigns and faults of gateways. Choose an entry of the list to put
          the cursor there.
        </p>
      </figcaption>
      <div ref={holder}>
        {rows.length > 0 && (
          <svg width={width} height={height + 30} aria-hidden="true" focusable="false">
            <g transform={`translate(${LEFT},4)`}>
              {rows.map(([name, bars], row) => (
                <BarRow key={name} name={name} bars={bars} axis={axis} top={row * 2 * ROW} />
              ))}
              {cursor !== null && cursor >= from && cursor <= until && (
                <path d={`M${placeOf(axis, cursor)},0v${height}`} stroke="var(--ink)" />
              )}
              <TimeTicks axis={axis} height={height} />
            </g>
          </svg>
        )}
      </div>
      <MarkList marks={marks} />
    </figure>
  );
}

function BarRow(props: {
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly axis: TimeAxis;
  readonly top: number;
}) {
  const { name, bars, axis, top } = props;
  return (
    <g transform={`translate(0,${top})`}>
      <text x={-LEFT + 2} y={13} fill="var(--ink)" font-size="12" font-weight="600">
        {name}
      </text>
      <svg width={axis.width} height={2 * ROW} aria-hidden="true">
        {bars.map(({ text, from, until, colour }, at) => {
          const [x, end] = [placeOf(axis, from), placeOf(axis, until)];
          const wide = Math.max(2, end - x);
          return (
            <g key={at}>
              <title>{`${text}, ${clockText(from)} to ${clockText(until)}`}</title>
              <rect x={x} y={ROW - 4} width={wide} height={ROW - 6} fill={colour} opacity="0.4" />
              {wide > 7 * text.length + 8 && (
                <text x={x + 4} y={ROW + 8} fill="var(--ink)" font-size="11">
                  {text}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </g>
  );
}

function MarkList({ marks }: { readonly marks: readonly Mark[] }) {
  const rows = marks.map(({ atSeconds, text }) => [clockText(atSeconds), text]);
  return (
    <details>
      <summary>{marks.length} entries as a list</summary>
      <ul class="marks">
        {marks.slice(0, 200).map(({ atSeconds, text }, at) => (
          <li key={at}>
            <button type="button" onClick={() => select({ cursor: atSeconds })}>
              {clockText(atSeconds)}
            </button>{' '}
            {text}
          </li>
        ))}
      </ul>
      {marks.length > 200 && <Rows title="All entries" rows={[['at', 'what'], ...rows]} />}
    </details>
  );
}
