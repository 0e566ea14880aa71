/** A lawful trace of devices in two groups, from a living network, and bugs planted in it. */
import type { TraceRow } from '../../sim/observation/observer.ts';
import { USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { carryOutScript, networkOfScript, type OverlapScript } from './overlapping.ts';

const group = {
  channel: 0,
  beginsS: 0,
  sendsS: 10,
  timeOut: 8,
  intervalMs: 3000,
  frames: 30,
  blocks: [0],
  sentBy: 'all' as const,
};

/** Two groups on one channel and one on another, a block for each, nothing lost. */
const SCRIPT: OverlapScript = {
  devices: 2,
  deviceClass: 'A',
  meanS: 60,
  driftPpb: 0,
  frameLossPpm: 0,
  gatewaysAt: [100],
  interference: 'energy',
  intrusions: [],
  seed: 'bugs',
  packages: USUAL_PACKAGES,
  groups: [
    { ...group, intervalMs: 4000 },
    { ...group, blocks: [1], sendsS: 12, intervalMs: 4000 },
    { ...group, blocks: [2], sendsS: 11, channel: 1 },
  ],
  blocks: [
    { mask: 1, nbFrag: 12 },
    { mask: 2, nbFrag: 14 },
    { mask: 4, nbFrag: 4 },
    { mask: 8, nbFrag: 4 },
  ],
};

export const PACKAGE_PLAN = networkOfScript(SCRIPT, 'counted');
export const packageTrace = (): readonly TraceRow[] => {
  const bench = carryOutScript(SCRIPT);
  return bench.trace.rows;
};

type Bug = (rows: readonly TraceRow[]) => readonly TraceRow[];
type RowOf<K extends TraceRow['kind']> = Extract<TraceRow, { kind: K }>;

/** Changes the first row of a kind that fits. */
const changed =
  <K extends TraceRow['kind']>(
    kind: K,
    fits: (row: RowOf<K>) => boolean,
    change: (row: RowOf<K>) => Partial<RowOf<K>>,
  ): Bug =>
  (rows) => {
    const at = rows.findIndex((row) => row.kind === kind && fits(row as RowOf<K>));
    if (at < 0) throw new Error(`the trace has no such ${kind}`);
    return rows.with(at, { ...rows[at], ...change(rows[at] as RowOf<K>) } as TraceRow);
  };

const without =
  (dropped: (row: TraceRow) => boolean): Bug =>
  (rows) => {
    const at = rows.findIndex(dropped);
    if (at < 0) throw new Error('the trace has no such row');
    return rows.toSpliced(at, 1);
  };

const isAny = (): boolean => true;
const completes = ({ completes }: RowOf<'fragmentTaken'>): boolean => completes;

/** By law. */
export const PACKAGE_BUGS = {
  fragmentsAreTakenOnce: {
    'a fragment is taken twice': changed(
      'fragmentTaken',
      ({ fragmentNumber }) => fragmentNumber === 2,
      () => ({ fragmentNumber: 1 }),
    ),
    'a fragment is taken for no block': without((row) => row.kind === 'fragmentationSessionBegins'),
    'a fragment comes after the last': changed('fragmentTaken', isAny, () => ({ completes: true })),
  },
  blocksCompleteByRank: {
    'a block completes too soon': changed('fragmentTaken', isAny, () => ({ completes: true })),
    'a block never completes': changed('fragmentTaken', completes, () => ({ completes: false })),
    'a block completes unnoticed': changed('fragmentTaken', completes, ({ atUs }) => ({
      receivedAtUs: atUs - 1,
    })),
  },
  imagesRunWhole: {
    'an image runs twice': (rows) => {
      const at = rows.findIndex(({ kind }) => kind === 'imageActivated');
      return rows.toSpliced(at, 0, rows[at]!);
    },
    'an image runs before it is whole': (rows) => {
      const at = rows.findIndex(({ kind }) => kind === 'imageActivated');
      return [rows[at]!, ...rows.slice(0, at), ...rows.slice(at + 1)];
    },
  },
  theLowestGroupIsHeard: {
    'a device hears a higher group on another channel': changed(
      'multicastDecided',
      ({ fate }) => fate === 'notListening',
      () => ({ fate: 'heard' }),
    ),
    'a device hears a group out of session': without((row) => row.kind === 'multicastSessionOpens'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Bug>>>>;
