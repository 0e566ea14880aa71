/** A lawful trace of class B, from a living world, and the bugs that its laws must notice. */
import type { TraceRow } from '../../sim/observation/observer.ts';
import { classBCampaign, downlinkAt } from './class-b-world.ts';
import { HOUR_US, MINUTE_US } from './small-network.ts';

/** Two downlinks to a class B device, then a campaign in ping slots. */
const world = classBCampaign({ devices: 2 }, {}, (network) => [
  downlinkAt(30 * MINUTE_US, network),
  downlinkAt(45 * MINUTE_US, network),
]);

export const CLASS_B_PLAN = world.network;

export const classBTrace = (): readonly TraceRow[] => world.trace.rows;

type Bug = (rows: readonly TraceRow[]) => readonly TraceRow[];
type Planned = Extract<TraceRow, { kind: 'downlinkPlanned' }>;

/** Moves the first planned frame that fits, and all rows about it. */
function moved(fits: (row: Planned) => boolean, byUs: number): Bug {
  return (rows) => {
    const found = rows.find((row) => row.kind === 'downlinkPlanned' && fits(row)) as Planned;
    return rows.map((row) => {
      if (!('downlink' in row) || row.downlink !== found.downlink) return row;
      if (row.kind === 'downlinkPlanned') return { ...row, startsAtUs: row.startsAtUs + byUs };
      return { ...row, atUs: row.atUs + byUs };
    });
  };
}

const isPing = ({ pingSlot }: Planned): boolean => pingSlot === true;
const isBeacon = ({ purpose }: Planned): boolean => purpose === 'beacon';

const anotherTime: Bug = (rows) =>
  rows.map((row) =>
    row.kind === 'downlinkPlanned' && isBeacon(row)
      ? { ...row, phyPayload: `0000ff${row.phyPayload.slice(6)}` }
      : row,
  );

const without =
  (dropped: (row: TraceRow) => boolean): Bug =>
  (rows) =>
    rows.filter((row) => !dropped(row));

/** Gives the last row that fits another fate. */
const withFate =
  (fits: (row: TraceRow) => boolean, fate: string): Bug =>
  (rows) => {
    const last = rows.findLastIndex(fits);
    return rows.map((row, i) => (i === last ? ({ ...row, fate } as TraceRow) : row));
  };

const otherPeriodicity: Bug = (rows) =>
  rows.map((row) =>
    row.kind === 'multicastSessionOpens' && row.slots !== undefined
      ? { ...row, slots: { ...row.slots, periodicity: 7 } }
      : row,
  );

/** Moves an uplink to so much after the last beacon but one that its device looked for. */
function besideBeacon(rows: readonly TraceRow[], afterUs: number): readonly TraceRow[] {
  const decided = rows.filter((row) => row.kind === 'beaconDecided');
  const beacon = decided.filter(({ device }) => device === decided[0]!.device).at(-2)!;
  const found = rows.find(
    (row) => row.kind === 'uplinkBegins' && row.device === beacon.device && row.atUs > HOUR_US,
  ) as Extract<TraceRow, { kind: 'uplinkBegins' }>;
  const byUs = beacon.beganAtUs + afterUs - found.atUs;
  return rows.map((row) => {
    if (!('frame' in row) || row.frame !== found.frame || row.device !== found.device) return row;
    if (row.kind !== 'receiveWindows') return { ...row, atUs: row.atUs + byUs };
    const later = (window: typeof row.rx1) => ({ ...window, opensAtUs: window.opensAtUs + byUs });
    return { ...row, atUs: row.atUs + byUs, rx1: later(row.rx1), rx2: later(row.rx2) };
  });
}

/** By law. */
export const CLASS_B_BUGS = {
  beaconsAreOnTime: {
    'a beacon comes a millisecond late': moved(isBeacon, 1000),
    'a beacon carries another time': anotherTime,
  },
  noBeaconIsLeftOut: {
    'a beacon is left out': without(
      (row) => row.kind === 'downlinkBegins' && row.phyBytes === 17 && row.atUs < HOUR_US / 2,
    ),
  },
  beaconsAreKeptClear: {
    'a ping slot lies in the guard': (rows) => intoGuard(rows),
  },
  uplinksKeepClearOfBeacons: {
    'an uplink begins with the beacon': (rows) => besideBeacon(rows, 0),
    'the second window of an uplink reaches into the guard': (rows) =>
      besideBeacon(rows, -6_000_000),
    'an uplink begins in the reserved time': (rows) => besideBeacon(rows, 2_000_000),
  },
  pingSlotsAreMet: {
    'a frame comes 30 ms after its slot': moved(isPing, 30_000),
    'a frame comes a microsecond early': moved(isPing, -1),
  },
  groupSlotsAreMet: {
    'the group is sent other slots': otherPeriodicity,
  },
  groupSlotsNeedBeacons: {
    'a device hears a group without any beacon': without(
      (row) => row.kind === 'beaconDecided' && row.fate === 'heard',
    ),
  },
  noBeaconIsNone: {
    'a device that hears the beacon misses a frame for want of one': withFate(
      (row) => row.kind === 'multicastDecided' && row.fate === 'heard',
      'noBeacon',
    ),
  },
  interferenceHasASource: {
    'a beacon is lost to interference that nobody made': withFate(
      (row) => row.kind === 'beaconDecided' && row.fate === 'heard',
      'interfered',
    ),
    'a fragment is lost to interference that nobody made': withFate(
      (row) => row.kind === 'multicastDecided' && row.fate === 'heard',
      'interfered',
    ),
  },
  pingSlotsNeedBeacons: {
    'a device hears without any beacon': without(
      (row) => row.kind === 'beaconDecided' && row.fate === 'heard',
    ),
  },
} as const satisfies Record<string, Record<string, Bug>>;

/** Moves the first frame in a ping slot to a second before the next beacon. */
function intoGuard(rows: readonly TraceRow[]): readonly TraceRow[] {
  const ping = rows.find((row) => row.kind === 'downlinkPlanned' && isPing(row)) as Planned;
  const beacon = rows.find(
    (row) => row.kind === 'downlinkPlanned' && isBeacon(row) && row.startsAtUs > ping.startsAtUs,
  ) as Planned;
  return moved(isPing, beacon.startsAtUs - 1_000_000 - ping.startsAtUs)(rows);
}
