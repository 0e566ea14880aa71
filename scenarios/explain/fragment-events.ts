/** What a device heard of multicast sessions, and of beacons: one event a session. */
import type { StoryEvent } from '../../core/result/explanation.ts';
import type { FragmentLoss } from '../../sim/base/counts.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import type { MulticastDecided } from '../../sim/observation/observer.ts';
import type { BeaconsHeard, DeviceRows, GroupFrame, StoryRow } from './device-rows.ts';

interface Timed {
  readonly atUs: number;
  readonly event: StoryEvent;
}

/** Frames of one group further apart are of another session. */
const SESSION_GAP_US = 3_600 * SECOND_US;

/** Events by the rows of a device and the frames of all groups on the air until an instant. */
export function fragmentEvents(
  { rows, beacons }: Pick<DeviceRows, 'rows' | 'beacons'>,
  frames: readonly GroupFrame[],
  untilUs: number,
): Timed[] {
  const completions = rows.flatMap((row) =>
    row.kind === 'fragmentTaken' && row.completes ? [row] : [],
  );
  const complete = completions.map(({ receivedAtUs: atUs, fragmentNumber: fragments }): Timed => {
    return { atUs, event: { kind: 'complete', atSeconds: atUs / SECOND_US, fragments } };
  });
  const sessions = sessionsOf(rows, frames).map((session) => {
    const doneUs = completions.find(({ receivedAtUs }) => receivedAtUs >= session[0]!.endsAtUs);
    const lastUs = Math.min(untilUs, doneUs?.receivedAtUs ?? untilUs);
    return session.filter(({ endsAtUs }) => endsAtUs <= lastUs);
  });
  const fragments = sessions.filter(({ length }) => length > 0).map((one) => eventOf(one, rows));
  return [...fragments, ...complete, ...beaconEvent(beacons)];
}

/** Frames of the groups whose sessions the device opened, session by session. */
function sessionsOf(rows: readonly StoryRow[], frames: readonly GroupFrame[]): GroupFrame[][] {
  const opened = rows.flatMap((row) => (row.kind === 'multicastSessionOpens' ? [row] : []));
  const sessions: GroupFrame[][] = [];
  const own = frames.filter(({ mcAddr }) => opened.some((row) => row.mcAddr === mcAddr));
  for (const frame of [...own].sort((a, b) => a.mcAddr - b.mcAddr || a.endsAtUs - b.endsAtUs)) {
    const last = sessions.at(-1)?.at(-1);
    const isSame = last?.mcAddr === frame.mcAddr && frame.endsAtUs - last.endsAtUs < SESSION_GAP_US;
    if (!isSame) sessions.push([]);
    sessions.at(-1)!.push(frame);
  }
  return sessions.filter((session) => {
    const [first, last] = [session[0]!, session.at(-1)!];
    return opened.some(
      ({ mcAddr, opensAtUs, closesAtUs }) =>
        mcAddr === first.mcAddr &&
        opensAtUs < last.endsAtUs + SESSION_GAP_US &&
        closesAtUs > first.endsAtUs - SESSION_GAP_US,
    );
  });
}

/** Several gateways may send a fragment: it is heard where one copy is. */
function eventOf(session: readonly GroupFrame[], rows: readonly StoryRow[]): Timed {
  const [first, last] = [session[0]!, session.at(-1)!];
  const fates = new Map<number, MulticastDecided['fate']>();
  for (const row of rows) {
    if (row.kind !== 'multicastDecided' || row.mcAddr !== first.mcAddr) continue;
    if (row.endedAtUs < first.endsAtUs - SESSION_GAP_US) continue;
    const known = fates.get(row.fCnt);
    if (known === undefined || known === 'outOfReach' || row.fate === 'heard') {
      fates.set(row.fCnt, row.fate);
    }
  }
  const missed: Partial<Record<FragmentLoss | 'outOfReach', number>> = {};
  let heard = 0;
  let heardUs: number | undefined;
  for (const { counter, endsAtUs } of session) {
    // A frame without a decision passed while the session was not open.
    const fate = fates.get(counter & 0xffff) ?? 'notListening';
    if (fate === 'heard') {
      heard++;
      heardUs ??= endsAtUs;
    } else missed[fate] = (missed[fate] ?? 0) + 1;
  }
  return {
    atUs: first.endsAtUs,
    event: {
      kind: 'fragments',
      atSeconds: first.endsAtUs / SECOND_US,
      untilSeconds: last.endsAtUs / SECOND_US,
      heard,
      missed,
      firstHeardAfter: heardUs === undefined ? null : (heardUs - first.endsAtUs) / SECOND_US,
    },
  };
}

function beaconEvent(beacons: BeaconsHeard | undefined): Timed[] {
  if (beacons === undefined) return [];
  const { firstUs, lastUs, fates } = beacons;
  const { heard = 0, ...missed } = fates;
  const times = { atSeconds: firstUs / SECOND_US, untilSeconds: lastUs / SECOND_US };
  return [{ atUs: firstUs, event: { kind: 'beacons', ...times, heard, missed } }];
}
