/** The table of all devices: only the rows in sight are in the document. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../text/format.ts';
import { downloadCsv } from './downloads.ts';
import { type Field, fieldsOf } from './fields.ts';
import { matching, sorted, viewOf } from './filters.ts';
import type { Run } from './page-data.ts';
import { current, select, useSelection } from './store.ts';

const ROW_HEIGHT = 34;
const HEIGHT = 476;
/** Rows above and below those in sight. */
const MORE = 6;

export function DeviceTable({ run }: { readonly run: Run }) {
  const selection = useSelection();
  const { population, outcome, cause, where, query, campaign, sort, descending, span } = selection;
  const fields = fieldsOf(run);
  const devices = useMemo(
    () => sorted(run, matching(run, selection), selection),
    [run, population, outcome, cause, where, query, campaign, sort, descending, span],
  );
  const rows = (): (string | number | null)[][] => {
    const view = viewOf(run, selection);
    const values = devices.map((device) => fields.map(({ of }) => of({ run, device, view, span })));
    return [fields.map(({ label }) => label), ...values];
  };
  return (
    <figure class="interactive-chart device-table">
      <figcaption>
        <strong>Devices</strong>
        <span class="actions">
          <button type="button" onClick={() => downloadCsv(`devices ${run.label}`, rows())}>
            Data as CSV
          </button>
        </span>
        <p class="hint">
          {span === null
            ? 'Frames are of the whole run. '
            : 'Frames and losses are of the span that is selected. '}
          A column’s head sorts by it; a device opens its story.
        </p>
      </figcaption>
      <Rows run={run} fields={fields} devices={devices} />
    </figure>
  );
}

interface RowsProps {
  readonly run: Run;
  readonly fields: readonly Field[];
  readonly devices: readonly number[];
}

function Rows({ run, fields, devices }: RowsProps) {
  const selection = useSelection();
  const [top, setTop] = useState(0);
  const box = useRef<HTMLElement>(null);
  const height = Math.min(HEIGHT, (devices.length + 1) * ROW_HEIGHT + 16);
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - MORE);
  const last = Math.min(devices.length, Math.ceil((top + HEIGHT) / ROW_HEIGHT) + MORE);
  const view = viewOf(run, selection);
  return (
    <section
      ref={box}
      class="device-rows"
      style={{ height: `${height}px` }}
      aria-label={`Devices, ${count(devices.length)} rows`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
      tabIndex={0}
      onScroll={(event) => setTop((event.currentTarget as HTMLElement).scrollTop)}
    >
      <table aria-rowcount={devices.length + 1}>
        <thead>
          <tr>
            {fields.map((field) => (
              <Head key={field.key} field={field} />
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Space height={first * ROW_HEIGHT} columns={fields.length} />}
          {devices.slice(first, last).map((device, at) => {
            const devEui = run.columns!.devices.devEuis[device]!;
            const asked = { run, device, view, span: selection.span };
            const isChosen = devEui === selection.device;
            return (
              <tr key={device} aria-rowindex={first + at + 2} class={isChosen ? 'chosen' : ''}>
                {fields.map(({ key, isNumber, of, text }) => (
                  <td key={key} class={isNumber ? 'number' : ''}>
                    {key === 'name' ? (
                      <button
                        type="button"
                        class="link"
                        aria-pressed={isChosen}
                        onClick={() => select({ device: isChosen ? '' : devEui })}
                      >
                        {text(of(asked))}
                      </button>
                    ) : (
                      text(of(asked))
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
          {last < devices.length && (
            <Space height={(devices.length - last) * ROW_HEIGHT} columns={fields.length} />
          )}
        </tbody>
      </table>
    </section>
  );
}

/** Room of rows that are out of sight. */
const Space = ({ height, columns }: { readonly height: number; readonly columns: number }) => (
  <tr>
    <td colSpan={columns} style={{ height: `${height}px`, padding: 0, border: 0 }} />
  </tr>
);

function Head({ field: { key, label, isNumber } }: { readonly field: Field }) {
  const { sort, descending } = useSelection();
  const order = sort !== key ? 'none' : descending ? 'descending' : 'ascending';
  const arrow = { none: '', ascending: ' ▲', descending: ' ▼' }[order];
  return (
    <th scope="col" aria-sort={order} class={isNumber ? 'number' : ''}>
      <button type="button" class="link" onClick={() => sortBy(key, isNumber)}>
        {label}
        {arrow}
      </button>
    </th>
  );
}

/** A second choice turns the order around, a third one takes it back. */
function sortBy(key: string, isNumber: boolean): void {
  const { sort, descending } = current();
  // What is most is looked for first, and names by the alphabet.
  if (sort !== key) return select({ sort: key, descending: isNumber });
  if (descending === isNumber) return select({ descending: !isNumber });
  select({ sort: '', descending: false });
}
