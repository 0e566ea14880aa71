/** What stands around every chart: title, unit, one-line reading, legend, and its data. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type ChartData, over, tableOf } from './chart-data.ts';
import { copySvg, downloadCsv } from './downloads.ts';
import { clockText } from './time-axis.ts';

interface Props {
  readonly data: ChartData;
  readonly span: readonly [number, number] | null;
  readonly holder: { readonly current: HTMLDivElement | null };
  /** What is at the cursor. */
  readonly said: string;
  readonly children: ComponentChildren;
}

export function ChartFrame({ data, span, holder, said, children }: Props) {
  const { title, unit, reading, series } = data;
  const times = { sum: 'in all', highest: 'at most', last: 'at the end' }[data.over];
  const when = span === null ? times : `${times}, ${spanText(span)}`;
  return (
    <figure class="interactive-chart">
      <figcaption>
        <strong>{title}</strong> <span class="hint">{unit}</span>
        <Actions
          data={data}
          drawing={() => holder.current?.querySelector('svg')?.outerHTML ?? ''}
        />
        <p class="hint">{reading}</p>
        <ul class="legend" aria-label={`Legend: ${when}`}>
          {series.map((one) => (
            <li key={one.label}>
              <Key colour={one.colour} dashed={one.dashed === true} />
              {one.label} <b>{data.write(over(data, one, span))}</b>
            </li>
          ))}
          <li>{when}</li>
        </ul>
      </figcaption>
      <div ref={holder}>{children}</div>
      <div class="chart-foot">
        <DataTable data={data} />
        <p class="hint readout" aria-hidden="true">
          {said}
        </p>
      </div>
    </figure>
  );
}

export const spanText = ([from, until]: readonly [number, number]): string =>
  `${clockText(from)} to ${clockText(until)}`;

export function Key({ colour, dashed = false }: { colour: string; dashed?: boolean }) {
  return (
    <svg class="swatch" width="18" height="10" aria-hidden="true">
      <path
        d="M0,5h18"
        stroke={colour}
        stroke-width={dashed ? 3 : 9}
        {...(dashed && { 'stroke-dasharray': '5 3' })}
      />
    </svg>
  );
}

interface ActionsProps {
  readonly data: Pick<ChartData, 'title'> & Partial<ChartData>;
  readonly drawing: () => string;
  readonly rows?: () => readonly (readonly (string | number | null)[])[];
}

/** Data as CSV, and the drawing as SVG. */
export function Actions({ data, drawing, rows }: ActionsProps) {
  const [done, setDone] = useState('');
  const csv = () => downloadCsv(data.title, rows?.() ?? tableOf(data as ChartData));
  const svg = async () => setDone(await copySvg(data.title, drawing()));
  return (
    <span class="actions">
      <button type="button" onClick={csv} aria-label={`${data.title}: data as CSV`}>
        Data as CSV
      </button>
      <button type="button" onClick={svg} aria-label={`${data.title}: copy as SVG`}>
        Copy as SVG
      </button>
      <span role="status" class="hint">
        {done}
      </span>
    </span>
  );
}

/** The numbers behind a chart, made when a reader opens it. */
function DataTable({ data }: { readonly data: ChartData }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>{data.title} as a table</summary>
      {isOpen && <Rows rows={tableOf(data)} title={data.title} />}
    </details>
  );
}

export function Rows(props: {
  readonly title: string;
  readonly rows: readonly (readonly (string | number | null)[])[];
}) {
  const [head = [], ...rows] = props.rows;
  return (
    <section
      class="scroll"
      aria-label={props.title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
      tabIndex={0}
    >
      <table>
        <caption>{props.title}</caption>
        <TableHead head={head.map(String)} />
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} class="number">
                  {typeof cell === 'number' ? Number(cell.toPrecision(6)) : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function TableHead({ head }: { readonly head: readonly string[] }) {
  return (
    <thead>
      <tr>
        {head.map((cell) => (
          <th key={cell} scope="col">
            {cell}
          </th>
        ))}
      </tr>
    </thead>
  );
}
