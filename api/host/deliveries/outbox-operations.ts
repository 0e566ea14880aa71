/** Operations of the host on its outbox: what waits for real receivers, and what became of it. */

import { record } from '../../../core/rows/answers.ts';
import type { WorldFacts } from '../../../core/world/facts.ts';
import { fail, found, ok, type Result } from '../../../sim/base/result.ts';
import { simTimeOf } from '../clock/sim-time.ts';
import { hostOperation } from '../requests/host-operation.ts';
import {
  MESSAGE,
  MESSAGE_ID,
  MESSAGES,
  OUTBOX,
  OUTBOX_TARGET,
  TARGET_ID,
  WHICH,
} from './outbox-fields.ts';
import { noParcels, type Parcel, type Try } from './stored-deliveries.ts';
import type { Lane } from './target-queue.ts';
import type { FoundParcel, Lanes } from './target-queues.ts';

const LIST = { object: 'Simulator', verb: 'list' } as const;
const READ = { object: 'Simulator', verb: 'get' } as const;
const CHANGE = { object: 'Simulator', verb: 'change' } as const;

/** By kind. `lanes`: undefined where nothing leaves the world, or nothing has left it yet. */
export const outboxOperations = (facts: WorldFacts, lanes: () => Lanes | undefined) => ({
  ...ofTargets(lanes),
  ...ofMessages(facts, lanes),
});

function ofTargets(lanes: () => Lanes | undefined) {
  const laneOf = (asked: AskedTarget, by: string) => laneIn(lanes(), asked, by);
  const fails = { 'outbox.unknown': 'unknown' } as const;
  return {
    'outbox.list': hostOperation({
      is:
        'What has left the world for real receivers, target by target. Left and redelivered ' +
        'together are what is waiting and what has ended.',
      takes: {},
      answers: record(OUTBOX),
      fails: {},
      needs: LIST,
      handle: () => {
        const targets = Array.from(lanes()?.all ?? [], toldLane);
        return ok({ targets, removed_targets: lanes()?.gone ?? noParcels() });
      },
    }),
    'outbox.get': hostOperation({
      is: 'What has left the world for one target.',
      takes: TARGET_ID,
      answers: record(OUTBOX_TARGET),
      fails,
      needs: READ,
      handle: (asked, { by }) => {
        const lane = laneOf(asked, by);
        return lane.ok ? ok(toldLane(lane.value)) : lane;
      },
    }),
    'outbox.pause': hostOperation({
      is:
        'Nothing goes to a target until it is resumed: what leaves the world for it waits. The ' +
        'world knows nothing of it.',
      takes: TARGET_ID,
      answers: record(OUTBOX_TARGET),
      fails,
      needs: CHANGE,
      handle: (asked, { by }) => {
        const lane = laneOf(asked, by);
        if (!lane.ok) return lane;
        lane.value.pause();
        return ok(toldLane(lane.value));
      },
    }),
    'outbox.resume': hostOperation({
      is: 'A target that was paused, or is left alone for a while, is tried at once.',
      takes: TARGET_ID,
      answers: record(OUTBOX_TARGET),
      fails,
      needs: CHANGE,
      handle: (asked, { by }) => {
        const lane = laneOf(asked, by);
        if (!lane.ok) return lane;
        lane.value.resume();
        return ok(toldLane(lane.value));
      },
    }),
  };
}

function ofMessages(facts: WorldFacts, lanes: () => Lanes | undefined) {
  const toldOf = ({ lane, parcel }: FoundParcel) => ({
    id: lanes()!.idOf(lane.state, parcel),
    target: lane.state.target,
    occurred_at: simTimeOf(facts, parcel.atUs),
    ...toldParcel(parcel),
  });
  const find = async (id: string): Promise<Result<FoundParcel, 'message.unknown'>> => {
    const message = `There is no message ${id}, or not any more.`;
    return found(await lanes()?.find(id), 'message.unknown', message);
  };
  return {
    'message.list': hostOperation({
      is: 'Messages to a target: those that wait, or the latest that have ended.',
      takes: WHICH,
      answers: record(MESSAGES),
      fails: { 'outbox.unknown': 'unknown' },
      needs: LIST,
      handle: async ({ state = 'waiting', limit = 100, ...asked }, { by }) => {
        const lane = laneIn(lanes(), asked, by);
        if (!lane.ok) return lane;
        const parcels = await lanes()!.parcelsOf(lane.value, state, limit);
        return ok({ messages: parcels.map((parcel) => toldOf({ lane: lane.value, parcel })) });
      },
    }),
    'message.get': hostOperation({
      is: 'A message that waits, or is among the latest hundred of its target that have ended.',
      takes: MESSAGE_ID,
      answers: record(MESSAGE),
      fails: { 'message.unknown': 'unknown' },
      needs: READ,
      handle: async ({ id }) => {
        const one = await find(id);
        return one.ok ? ok(toldOf(one.value)) : one;
      },
    }),
    'message.redeliver': hostOperation({
      is: 'A message that has ended goes out again, with the same id and the same bytes.',
      takes: MESSAGE_ID,
      answers: record(MESSAGE),
      fails: { 'message.unknown': 'unknown', 'message.waiting': 'conflict' },
      needs: CHANGE,
      handle: async ({ id }) => {
        const one = await find(id);
        if (!one.ok) return one;
        const { lane, parcel } = one.value;
        const again = parcel.end === undefined ? undefined : lane.redeliver(parcel);
        if (again === undefined) return fail('message.waiting', `${id} has not ended.`);
        return ok(toldOf({ lane, parcel: again }));
      },
    }),
  };
}

interface AskedTarget {
  readonly target: string;
  readonly subscriber?: string | undefined;
}

const laneIn = (
  lanes: Lanes | undefined,
  { target, subscriber }: AskedTarget,
  by: string,
): Result<Lane, 'outbox.unknown'> => {
  const message = `Nothing has left the world for ${target}.`;
  return found(lanes?.of(subscriber ?? by, target), 'outbox.unknown', message);
};

// ── what is told ─────────────────────────────────────────────────────────────────────────────────

const wall = (ms: number): string => new Date(ms).toISOString();

const toldTry = ({ atMs, tookMs, answer, says }: Try) => ({
  at: wall(atMs),
  took_ms: tookMs,
  answer: String(answer),
  says,
});

function toldLane({ state, underway, beginsAtMs }: Lane) {
  const { owner: subscriber, target, kind, address, what: matter, waiting, last } = state;
  const begins_at = beginsAtMs === undefined ? null : wall(beginsAtMs);
  const now = {
    paused: state.isPaused,
    waiting,
    underway,
    fails_in_row: state.failsInRow,
    begins_at,
  };
  const tried = last === undefined ? null : toldTry(last);
  return { subscriber, target, kind, address, matter, ...now, last: tried, ...state.counts };
}

const toldParcel = ({ leftMs, what, attempts, dueMs, tries, end, body }: Parcel) => ({
  left_at: wall(leftMs),
  matter: what.kind,
  about: what.about,
  attempts,
  next_attempt_at: dueMs === undefined ? null : wall(dueMs),
  tries: tries.map(toldTry),
  end: end === undefined ? null : { how: end.how, at: wall(end.atMs) },
  body,
});
