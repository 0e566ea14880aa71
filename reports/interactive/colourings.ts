/** What the map colours devices by: classes with a colour, and the class of each device. */
import { percent } from '../text/format.ts';
import type { Selection } from './address.ts';
import {
  type CampaignView,
  causeLabel,
  memberFigure,
  OUTCOME_LABELS,
  OUTCOMES,
  outcomeOf,
} from './campaign-view.ts';
import { type Asked, type Field, fieldCalled, populationOf, type Value } from './fields.ts';
import { viewOf } from './filters.ts';
import type { Run } from './page-data.ts';
import { colourAt, SCALE, UNKNOWN } from './palette.ts';

export interface Class {
  readonly label: string;
  readonly colour: string;
}

export interface Coloured {
  readonly classes: readonly Class[];
  /** By place of the device. */
  readonly classOf: Uint8Array;
}

interface Colouring {
  readonly key: string;
  readonly label: string;
  readonly isThere: (run: Run) => boolean;
  readonly classes: (run: Run, view: CampaignView | undefined) => readonly Class[];
  readonly classOf: (asked: Asked, classes: readonly Class[]) => number;
}

const always = () => true;
const hasCampaign = ({ views }: Run) => views.length > 0;
const none: Class = { label: 'unknown', colour: UNKNOWN };

/** Steps of a scale from bad to good: a value belongs to the first whose bound it does not pass. */
function scaled(
  key: string,
  label: string,
  field: string,
  bounds: readonly number[],
  words: readonly string[],
): Colouring {
  const classes = [
    ...words.map((word, at) => ({ label: word, colour: SCALE[at]! })),
    { ...none, label: 'none' },
  ];
  return {
    key,
    label,
    isThere: always,
    classes: () => classes,
    classOf: (asked) => {
      const value: Value = fieldCalled(field)!.of(asked);
      if (typeof value !== 'number') return words.length;
      const at = bounds.findIndex((bound) => value < bound);
      return at < 0 ? bounds.length : at;
    },
  };
}

/** Shares of the devices that draw less than each bound of a colour, the highest first. */
const FIFTHS = [0.8, 0.6, 0.4, 0.2] as const;

/** Bounds between fifths of the devices, the highest first: those that read the same are one. */
function fifthsOf(run: Run, view: CampaignView | undefined, field: Field): readonly number[] {
  const values = [...(run.columns?.devices.devEuis.keys() ?? [])]
    .map((device) => field.of({ run, device, view, span: null }))
    .filter((value) => typeof value === 'number')
    .sort((a, b) => a - b);
  if (values.length === 0) return [];
  const bounds = new Map([[field.text(values[0]!), values[0]!]]);
  for (const share of [...FIFTHS].reverse()) {
    const bound = values[Math.floor(share * (values.length - 1))]!;
    if (!bounds.has(field.text(bound))) bounds.set(field.text(bound), bound);
  }
  return [...bounds.values()].slice(1).reverse();
}

/** Bounds of classes that depend on the run. */
const boundsOf = new WeakMap<readonly Class[], readonly number[]>();

/** Fifths of the devices: what is much or little depends on the run. */
function inFifths(key: string, field: Field): Colouring {
  return {
    key,
    label: field.label,
    isThere: (run) => field.isThere?.(run) ?? true,
    classes: (run, view) => {
      const bounds = fifthsOf(run, view, field);
      const texts = bounds.map((bound) => field.text(bound));
      const labels = bounds.map((_, at) =>
        at === 0 ? `${texts[0]} or more` : `${texts[at]} to ${texts[at - 1]}`,
      );
      const last = bounds.length === 0 ? 'all the same' : `under ${texts.at(-1)}`;
      const scale = [...labels, last].map((label, at) => ({ label, colour: SCALE[at]! }));
      const classes = [...scale, { ...none, label: 'not counted' }];
      boundsOf.set(classes, bounds);
      return classes;
    },
    classOf: (asked, classes) => {
      const value = field.of(asked);
      if (typeof value !== 'number') return classes.length - 1;
      const bounds = boundsOf.get(classes)!;
      const at = bounds.findIndex((bound) => value >= bound);
      return at < 0 ? bounds.length : at;
    },
  };
}

const lossWords = [0.5, 0.2, 0.05, 0.01].map((share) => `${percent(share, 0)} or more lost`);

/** Loss falls along the scale, so that its bounds are turned around. */
const loss: Colouring = {
  ...scaled('loss', 'Frames lost', 'loss', [], []),
  classes: () => [
    ...[...lossWords, 'less'].map((label, at) => ({ label, colour: SCALE[at]! })),
    { ...none, label: 'sent nothing' },
  ],
  classOf: (asked) => {
    const value = fieldCalled('loss')!.of(asked);
    if (typeof value !== 'number') return 5;
    const at = [0.5, 0.2, 0.05, 0.01].findIndex((share) => value >= share);
    return at < 0 ? 4 : at;
  },
};

const COLOURINGS: readonly Colouring[] = [
  {
    key: 'outcome',
    label: 'Fate in the campaign',
    isThere: hasCampaign,
    classes: () =>
      OUTCOMES.map((outcome) => ({
        label: OUTCOME_LABELS[outcome],
        colour: OUTCOME_COLOURS[outcome],
      })),
    classOf: ({ view, device }) => OUTCOMES.indexOf(outcomeOf(view, device)),
  },
  {
    key: 'cause',
    label: 'Cause of failure',
    isThere: hasCampaign,
    classes: (run, view) => {
      const places = [...(run.columns?.devices.devEuis.keys() ?? [])];
      const labels = [...new Set(places.map((device) => causeLabel(view, device)))];
      const causes = labels.filter((label) => label !== '').sort();
      const classes = causes.map((label, at) => ({ label, colour: colourAt(at) }));
      return [...classes, { label: 'not failed', colour: UNKNOWN }];
    },
    classOf: ({ view, device }, classes) => {
      const label = causeLabel(view, device);
      const at = classes.findIndex((one) => one.label === label);
      return at < 0 ? classes.length - 1 : at;
    },
  },
  {
    key: 'missing',
    label: 'Fragments missing',
    isThere: hasCampaign,
    classes: () => [
      { label: '16 or more', colour: SCALE[0] },
      { label: '5 to 15', colour: SCALE[1] },
      { label: '1 to 4', colour: SCALE[2] },
      { label: 'complete', colour: SCALE[4] },
      none,
    ],
    classOf: ({ view, device }) => {
      const missing = memberFigure(view, device, 'fragmentsMissing');
      if (missing === null) return 4;
      if (missing === 0) return 3;
      return missing >= 16 ? 0 : missing >= 5 ? 1 : 2;
    },
  },
  {
    key: 'dataRate',
    label: 'Data rate',
    isThere: always,
    classes: (run) =>
      ratesOf(run).map((rate, at) => ({ label: `DR${rate}`, colour: colourAt(at) })),
    classOf: ({ run, device }, classes) => {
      const label = `DR${run.columns!.devices.dataRate[device]}`;
      return classes.findIndex((one) => one.label === label);
    },
  },
  scaled(
    'margin',
    'Link margin',
    'margin',
    [0, 3, 6, 10],
    ['below 0 dB', '0 to 3 dB', '3 to 6 dB', '6 to 10 dB', '10 dB and more'],
  ),
  loss,
  inFifths('energy', fieldCalled('energy')!),
  inFifths('updateEnergy', fieldCalled('updateEnergy')!),
  {
    ...scaled(
      'battery',
      'Battery life',
      'battery',
      [1, 3, 5, 10],
      ['under 1 year', '1 to 3 years', '3 to 5 years', '5 to 10 years', '10 years and more'],
    ),
    isThere: ({ columns }) => columns?.devices.batteryYears !== undefined,
  },
  {
    key: 'population',
    label: 'Population',
    isThere: always,
    classes: ({ columns }) =>
      (columns?.devices.populations ?? []).map((label, at) => ({ label, colour: colourAt(at) })),
    classOf: ({ run, device }, classes) => {
      const name = populationOf(run, device);
      return classes.findIndex((one) => one.label === name);
    },
  },
];

const OUTCOME_COLOURS = {
  confirmed: 'var(--d4)',
  unheard: 'var(--d3)',
  inProgress: 'var(--d2)',
  failed: 'var(--d0)',
  none: UNKNOWN,
} as const;

const ratesOf = ({ columns }: Run): number[] =>
  [...new Set(columns?.devices.dataRate ?? [])].sort((a, b) => a - b);

export const colouringsOf = (run: Run): readonly Colouring[] =>
  COLOURINGS.filter(({ isThere }) => isThere(run));

/** The colouring that is chosen, else the first that the run has. */
export function colouringFor(run: Run, { colour }: Selection): Colouring {
  const all = colouringsOf(run);
  return all.find(({ key }) => key === colour) ?? all[0]!;
}

export function coloured(run: Run, selection: Selection): Coloured {
  const { classes: classesOf, classOf: classOfDevice } = colouringFor(run, selection);
  const view = viewOf(run, selection);
  const classes = classesOf(run, view);
  const { length } = run.columns?.devices.devEuis ?? [];
  const classOf = new Uint8Array(length);
  const { span } = selection;
  for (let device = 0; device < length; device++) {
    classOf[device] = Math.max(0, classOfDevice({ run, device, view, span }, classes));
  }
  return { classes, classOf };
}
