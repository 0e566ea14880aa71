/** The interactive part of a report: reads the runs of the page, and draws them. */
import { render } from 'preact';
import { useMemo } from 'preact/hooks';
import { count, counted } from '../text/format.ts';
import { Chart } from './chart.tsx';
import { type ChartData, highest } from './chart-data.ts';
import { spanText } from './chart-frame.tsx';
import { DeviceFilters } from './device-filters.tsx';
import { DeviceStory } from './device-story.tsx';
import { DeviceTable } from './device-table.tsx';
import { EventBars } from './event-bars.tsx';
import { matching } from './filters.ts';
import { Fragments } from './fragments.tsx';
import { DeviceMap } from './map.tsx';
import { isRun, type Run, readRuns, type Unreadable } from './page-data.ts';
import { alike, chartsOf, marksOf } from './run-charts.ts';
import { focusWideTables } from './scrolling.ts';
import { followAddress, select, useSelection } from './store.ts';

interface PageProps {
  readonly runs: readonly Run[];
  readonly unreadable: readonly Unreadable[];
}

function Page({ runs, unreadable }: PageProps) {
  const recorded = runs.filter(({ columns }) => columns !== undefined);
  return (
    <>
      {unreadable.map(({ why }) => (
        <p key={why} class="note" role="note">
          {why}
        </p>
      ))}
      {runs
        .filter(({ columns }) => columns === undefined)
        .map(({ label, place }) => (
          <p key={place} class="note" role="note">
            {label}: nothing was recorded of single devices, so that there is no map, no table and
            no fragments of it here. fleetwave run records columns.json.gz beside its result.json;
            branches and older runs have none.
          </p>
        ))}
      {recorded.length > 0 && <Devices runs={recorded} />}
      <TimeLine runs={runs} />
    </>
  );
}

const Beside = ({
  count: runs,
  children,
}: {
  count: number;
  children: preact.ComponentChildren;
}) => <div class={runs > 1 ? 'beside-runs' : ''}>{children}</div>;

/** The head of a part of a run, where there are several. */
const Label = ({ run, of }: { readonly run: Run; readonly of: number }) =>
  of > 1 ? <h3 class={`run-label run-${run.place}`}>{run.label}</h3> : null;

function Devices({ runs }: { readonly runs: readonly Run[] }) {
  const selection = useSelection();
  const [first] = runs;
  const found = matching(first!, selection).length;
  return (
    <section class="card" aria-labelledby="devices-title">
      <h2 id="devices-title">Devices</h2>
      <Sample run={first!} />
      <DeviceFilters run={first!} found={found} />
      <Beside count={runs.length}>
        {runs.map((run) => (
          <div key={run.place}>
            <Label run={run} of={runs.length} />
            <DeviceMap run={run} />
          </div>
        ))}
      </Beside>
      <Beside count={runs.length}>
        {runs.map((run) => (
          <div key={run.place} aria-live="polite">
            <Label run={run} of={selection.device === '' ? 1 : runs.length} />
            {(run.place === first!.place || selection.device !== '') && <DeviceStory run={run} />}
          </div>
        ))}
      </Beside>
      {runs.map((run) => (
        <div key={run.place}>
          <Label run={run} of={runs.length} />
          <DeviceTable run={run} />
          <Fragments run={run} />
        </div>
      ))}
    </section>
  );
}

function Sample({ run }: { readonly run: Run }) {
  const { length } = run.columns!.devices.devEuis;
  return length === run.total ? null : (
    <p class="hint">
      A sample: {count(length)} of {counted(run.total, 'device')} were recorded one by one. All
      figures above are of all devices.
    </p>
  );
}

function TimeLine({ runs }: { readonly runs: readonly Run[] }) {
  const { span, zoomed } = useSelection();
  const charts = useMemo(() => {
    const all = runs.map(chartsOf);
    const tops = new Map<string, number>();
    for (const chart of all.flat()) {
      tops.set(chart.title, Math.max(tops.get(chart.title) ?? 0, highest(chart)));
    }
    return runs.length === 1 ? all : all.map((some) => alike(some, tops));
  }, [runs]);
  const titles = [...new Set(charts.flat().map(({ title }) => title))];
  return (
    <section class="card" aria-labelledby="time-title">
      <h2 id="time-title">Over virtual time</h2>
      <p class="hint">
        All charts share one time axis. Drag across a chart to select a span, or move the cursor by
        arrow keys and hold Shift; a double click or Escape takes it back.
      </p>
      <div class="span-bar" role="status">
        {span === null ? (
          'The whole run'
        ) : (
          <>
            {spanText(span)}{' '}
            <button type="button" onClick={() => select({ zoomed: !zoomed })}>
              {zoomed ? 'Show all' : 'Zoom to it'}
            </button>{' '}
            <button type="button" onClick={() => select({ span: null, zoomed: false })}>
              Whole run
            </button>
          </>
        )}
      </div>
      <Beside count={runs.length}>
        {runs.map((run) => (
          <div key={run.place}>
            <Label run={run} of={runs.length} />
            <EventBars run={run} marks={marksOf(run)} />
          </div>
        ))}
      </Beside>
      {titles.map((title) => (
        <Beside key={title} count={runs.length}>
          {runs.map((run, at) => (
            <ChartOf
              key={run.place}
              run={run}
              of={runs.length}
              charts={charts[at]!}
              title={title}
            />
          ))}
        </Beside>
      ))}
    </section>
  );
}

function ChartOf(props: {
  readonly run: Run;
  readonly of: number;
  readonly charts: readonly ChartData[];
  readonly title: string;
}) {
  const { run, of, charts, title } = props;
  const data = charts.find((chart) => chart.title === title);
  const marks = useMemo(() => marksOf(run), [run]);
  return (
    <div>
      <Label run={run} of={of} />
      {data === undefined ? (
        <p class="hint">{`${title}: ${run.label} has none.`}</p>
      ) : (
        <Chart data={data} marks={marks} />
      )}
    </div>
  );
}

async function begin(): Promise<void> {
  const holder = document.getElementById('explorer')!;
  const all = await readRuns();
  followAddress();
  const runs = all.filter(isRun);
  const unreadable = all.filter((one): one is Unreadable => !isRun(one));
  render(<Page runs={runs} unreadable={unreadable} />, holder);
  // What the page shows better is left to paper and to pages without scripts.
  const isWhole = runs.length > 0 && runs.every(({ columns }) => columns !== undefined);
  if (isWhole) document.documentElement.classList.add('interactive');
  focusWideTables();
}

void begin();
