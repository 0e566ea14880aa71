/** The story of a device: why it ended so, its traffic, its steps, its fragments, its energy. */
import { count, duration, joules, NOTHING, partOf, percent } from '../text/format.ts';
import { ENERGY_WORDS, UPLINK_WORDS, type Words } from '../text/words.ts';
import { framesOf } from './campaign-view.ts';
import { TableHead } from './chart-frame.tsx';
import { FateLegend } from './fate-legend.tsx';
import { FIELDS } from './fields.ts';
import { viewOf } from './filters.ts';
import { fateColour } from './fragment-colours.ts';
import { frameFate, type Run } from './page-data.ts';
import { select, useSelection } from './store.ts';
import { fateLabel, framesByFate, verdictOn } from './story-words.ts';
import { clockText } from './time-axis.ts';
import { TrafficStrip } from './traffic-strip.tsx';

export function DeviceStory({ run }: { readonly run: Run }) {
  const selection = useSelection();
  const device = run.placeOf.get(selection.device);
  if (selection.device === '') {
    return (
      <p class="hint on-screen">
        Choose a device on the map or in the table: its story stands here then.
      </p>
    );
  }
  if (device === undefined) {
    return (
      <p class="hint">{`${selection.device} is not among the recorded devices of ${run.label}.`}</p>
    );
  }
  const { names, devEuis } = run.columns!.devices;
  const view = viewOf(run, selection);
  return (
    <section class="story" aria-label={`Story of ${names[device]}`}>
      <h3>
        {names[device]} <code>{devEuis[device]}</code>{' '}
        <button type="button" onClick={() => select({ device: '' })}>
          Close
        </button>
      </h3>
      <p class="verdict-line">{verdictOn(run, view, device)}</p>
      <Facts run={run} device={device} />
      <TrafficStrip run={run} device={device} />
      <Fragments run={run} device={device} />
      <div class="story-tables">
        <Steps run={run} device={device} />
        <Downlinks run={run} device={device} />
        <Fates run={run} device={device} />
        <Energy run={run} device={device} />
      </div>
      <p class="hint">
        Every event of it, and what would have saved it:{' '}
        <code>fleetwave explain {names[device]} --run .</code>
      </p>
    </section>
  );
}

interface Of {
  readonly run: Run;
  readonly device: number;
}

const SHOWN = [
  'population',
  'place',
  'outcome',
  'join',
  'dataRate',
  'margin',
  'delivered',
  'battery',
];

function Facts({ run, device }: Of) {
  const selection = useSelection();
  const asked = { run, device, view: viewOf(run, selection), span: null };
  const fields = FIELDS.filter(
    ({ key, isThere }) => SHOWN.includes(key) && (isThere === undefined || isThere(run)),
  );
  return (
    <dl class="facts">
      {fields.map(({ key, label, of, text }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{text(of(asked))}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Each frame of the campaign as a cell of a strip. */
function Fragments({ run, device }: Of) {
  const view = viewOf(run, useSelection());
  const text = framesOf(view, device);
  if (text === '') return null;
  const fates = framesByFate(view, device);
  const words = fates.map(([fate, times]) => `${fateLabel(fate)}: ${count(times)}`).join(', ');
  const width = 1000;
  const cell = width / text.length;
  return (
    <div>
      <strong>Multicast frames of {view?.name}</strong>
      <svg
        viewBox={`0 0 ${width} 20`}
        preserveAspectRatio="none"
        class="strip"
        role="img"
        aria-label={`Frames in the order of their counters. ${words}`}
      >
        {[...text].map((character, at) => (
          <rect
            key={at}
            x={at * cell}
            width={Math.max(0.5, cell - Math.min(1, cell / 6))}
            height={20}
            fill={fateColour(frameFate(character))}
          />
        ))}
      </svg>
      <FateLegend fates={fates} />
    </div>
  );
}

function Small(props: {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}) {
  const { title, head, rows } = props;
  return rows.length === 0 ? null : (
    <table>
      <caption>{title}</caption>
      <TableHead head={head} />
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Steps({ run, device }: Of) {
  const steps = run.columns!.devices.steps[device] ?? [];
  const rows = steps.map(([at, dataRate, eirpDbm]) => {
    return [clockText(at), `DR${dataRate}`, `${eirpDbm} dBm`];
  });
  return <Small title="Data rate and power" head={['From', 'Data rate', 'EIRP']} rows={rows} />;
}

const WINDOWS = { rx1: 'RX1', rx2: 'RX2', other: 'class C, ping slots' } as const;

function Downlinks({ run, device }: Of) {
  const { downlinks } = run.columns!.devices;
  const rows = Object.entries(WINDOWS).flatMap(([window, label]) => {
    const { sent, received } = downlinks[window as keyof typeof WINDOWS];
    const all = sent[device] ?? 0;
    return all === 0 ? [] : [[label, partOf(received[device] ?? 0, all)]];
  });
  return <Small title="Downlinks received" head={['Window', 'Received']} rows={rows} />;
}

function Fates({ run, device }: Of) {
  const { uplinks, dropped, dutyCycleWaits, joinRequests } = run.columns!.devices;
  const fates = Object.entries(uplinks).map(([fate, values]) => [fate, values![device]!] as const);
  const sent = fates.reduce((sum, [, times]) => sum + times, 0);
  const rows = fates
    .filter(([, times]) => times > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([fate, times]) => {
      const { label } = (UPLINK_WORDS as Readonly<Record<string, Words>>)[fate]!;
      return [label, count(times), percent(times / sent)];
    });
  const others: [string, number][] = [
    ['Join requests', joinRequests[device] ?? 0],
    ['Messages never sent', dropped[device] ?? 0],
    ['Waits for duty cycle', dutyCycleWaits[device] ?? 0],
  ];
  const more = others.filter(([, times]) => times > 0);
  return (
    <Small
      title="Uplink frames"
      head={['Fate', 'Frames', 'Share']}
      rows={[...rows, ...more.map(([label, times]) => [label, count(times), ''])]}
    />
  );
}

function Energy({ run, device }: Of) {
  const { joules: columns = {} } = run.columns!.devices;
  const drawn = Object.entries(columns)
    .map(([cause, values]) => [cause, values?.[device] ?? 0] as const)
    .filter(([, amount]) => amount > 0)
    .sort((a, b) => b[1] - a[1]);
  const all = drawn.reduce((sum, [, amount]) => sum + amount, 0);
  const rows = drawn.map(([cause, amount]) => {
    const label = (ENERGY_WORDS as Readonly<Record<string, Words>>)[cause]?.label ?? cause;
    return [label, joules(amount), percent(amount / all)];
  });
  const title = `Energy, ${all === 0 ? NOTHING : joules(all)} in ${duration(run.virtualSeconds)}`;
  return <Small title={title} head={['For', 'Energy', 'Share']} rows={rows} />;
}
