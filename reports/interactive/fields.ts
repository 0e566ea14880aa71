/** Fields of a device: columns of the table, colours of the map, and how each is written. */
import { countOf, sumAt } from '../../core/result/columns.ts';
import { count, duration, joules, NOTHING, percent } from '../text/format.ts';
import {
  type CampaignView,
  causeLabel,
  memberFigure,
  OUTCOME_LABELS,
  outcomeOf,
} from './campaign-view.ts';
import type { Run } from './page-data.ts';

/** What a field is asked about. */
export interface Asked {
  readonly run: Run;
  readonly device: number;
  readonly view: CampaignView | undefined;
  readonly span: readonly [number, number] | null;
}

export type Value = string | number | null;

export interface Field {
  readonly key: string;
  readonly label: string;
  readonly isNumber: boolean;
  readonly of: (asked: Asked) => Value;
  readonly text: (value: Value) => string;
  /** What a bound is written in, and how much of it one of the value is; of numbers alone. */
  readonly unit?: string;
  readonly times?: number;
  /** Whether runs of this kind have it. */
  readonly isThere?: (run: Run) => boolean;
}

const plain = (value: Value): string => (value === null || value === '' ? NOTHING : String(value));
const written =
  (words: (value: number) => string) =>
  (value: Value): string =>
    typeof value === 'number' && Number.isFinite(value) ? words(value) : NOTHING;

/** Sent and lost transmissions of a device in a span of time, whole slices of the record. */
function framesIn({ run, device, span }: Asked): { sent: number; lost: number } {
  const { traffic, uplinks } = run.columns!.devices;
  if (span === null) {
    const sent = sumAt(uplinks, device);
    return { sent, lost: sent - (uplinks.received?.[device] ?? 0) };
  }
  const text = traffic.frames[device] ?? '';
  const from = Math.floor(span[0] / traffic.sliceSeconds);
  const until = Math.ceil(span[1] / traffic.sliceSeconds);
  let [sent, lost] = [0, 0];
  for (let slice = from; slice < until && 2 * slice + 1 < text.length; slice++) {
    sent += countOf(text[2 * slice]!);
    lost += countOf(text[2 * slice + 1]!);
  }
  return { sent, lost };
}

const hasEnergy = ({ columns }: Run) => columns?.devices.joules !== undefined;
const hasCampaign = ({ views }: Run) => views.length > 0;

export const FIELDS: readonly Field[] = [
  {
    key: 'name',
    label: 'Device',
    isNumber: false,
    of: ({ run, device }) => run.columns!.devices.names[device] ?? '',
    text: plain,
  },
  {
    key: 'devEui',
    label: 'DevEUI',
    isNumber: false,
    of: ({ run, device }) => run.columns!.devices.devEuis[device] ?? '',
    text: plain,
  },
  {
    key: 'population',
    label: 'Population',
    isNumber: false,
    of: ({ run, device }) => populationOf(run, device),
    text: plain,
  },
  {
    key: 'place',
    label: 'Place',
    isNumber: false,
    isThere: ({ columns }) => columns?.devices.latitude !== undefined,
    of: ({ run, device }) => {
      const { latitude = [], longitude = [] } = run.columns!.devices;
      return `${latitude[device]}, ${longitude[device]}`;
    },
    text: plain,
  },
  {
    key: 'outcome',
    label: 'Outcome',
    isNumber: false,
    isThere: hasCampaign,
    of: ({ view, device }) => OUTCOME_LABELS[outcomeOf(view, device)],
    text: plain,
  },
  {
    key: 'cause',
    label: 'Cause of failure',
    isNumber: false,
    isThere: hasCampaign,
    of: ({ view, device }) => causeLabel(view, device),
    text: plain,
  },
  {
    key: 'missing',
    label: 'Fragments missing',
    isNumber: true,
    isThere: hasCampaign,
    of: ({ view, device }) => memberFigure(view, device, 'fragmentsMissing'),
    text: written(count),
  },
  {
    key: 'dataRate',
    label: 'Data rate',
    isNumber: true,
    of: ({ run, device }) => run.columns!.devices.dataRate[device] ?? null,
    text: written((value) => `DR${value}`),
  },
  {
    key: 'margin',
    label: 'Link margin',
    isNumber: true,
    unit: 'dB',
    of: ({ run, device }) => run.columns!.devices.marginDb[device] ?? null,
    text: written((value) => `${value.toFixed(1)} dB`),
  },
  {
    key: 'frames',
    label: 'Uplink frames',
    isNumber: true,
    of: (asked) => framesIn(asked).sent,
    text: written(count),
  },
  {
    key: 'loss',
    label: 'Frames lost',
    isNumber: true,
    unit: '%',
    times: 100,
    of: (asked) => {
      const { sent, lost } = framesIn(asked);
      return sent === 0 ? null : lost / sent;
    },
    text: written((value) => percent(value)),
  },
  {
    key: 'delivered',
    label: 'Messages delivered',
    isNumber: true,
    unit: '%',
    times: 100,
    of: ({ run, device }) => {
      const { sent, delivered } = run.columns!.devices;
      return sent[device] === 0 ? null : delivered[device]! / sent[device]!;
    },
    text: written((value) => percent(value)),
  },
  {
    key: 'join',
    label: 'Join time',
    isNumber: true,
    unit: 's',
    of: ({ run, device }) => run.columns!.devices.joinSeconds[device] ?? null,
    text: written(duration),
  },
  {
    key: 'energy',
    label: 'Energy',
    isNumber: true,
    unit: 'J',
    isThere: hasEnergy,
    of: ({ run, device }) => {
      const columns = run.columns!.devices.joules ?? {};
      const isCounted = Object.values(columns).some((column) => column?.[device] !== null);
      return isCounted ? sumAt(columns, device) : null;
    },
    text: written(joules),
  },
  {
    key: 'updateEnergy',
    label: 'Energy of updates',
    isNumber: true,
    unit: 'J',
    isThere: (run) => hasEnergy(run) && hasCampaign(run),
    of: ({ run, device }) => {
      const { multicast = [], flash = [] } = run.columns!.devices.joules ?? {};
      const [heard, written = null] = [multicast[device] ?? null, flash[device]];
      return heard === null && written === null ? null : (heard ?? 0) + (written ?? 0);
    },
    text: written(joules),
  },
  {
    key: 'battery',
    label: 'Battery life',
    isNumber: true,
    unit: 'years',
    isThere: hasEnergy,
    of: ({ run, device }) => run.columns!.devices.batteryYears?.[device] ?? null,
    text: written((value) => `${value.toFixed(1)} years`),
  },
];

export const fieldsOf = (run: Run): readonly Field[] =>
  FIELDS.filter(({ isThere }) => isThere === undefined || isThere(run));

export const fieldCalled = (key: string): Field | undefined =>
  FIELDS.find((field) => field.key === key);

export function populationOf(run: Run, device: number): string {
  const { populations, population } = run.columns!.devices;
  return populations[population[device] ?? -1] ?? '';
}
