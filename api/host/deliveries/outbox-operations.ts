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
import { type Delivery, noDeliveries, type Try } from './stored-deliveries.ts';
import type { TargetQueue } from './target-queue.ts';
import type { FoundDelivery, TargetQueues } from './target-queues.ts';

const LIST = { object: 'Simulator', verb: 'list' } as const;
const READ = { object: 'Simulator', verb: 'get' } as const;
const CHANGE = { object: 'Simulator', verb: 'change' } as const;

/** Handlers by target kind. `queues`: undefined where nothing has left the world yet. */
export const outboxOperations = (facts: WorldFacts, queues: () => TargetQueues | undefined) => ({
  ...ofTargets(queues),
  ...ofMessages(facts, queues),
});

function ofTargets(queues: () => TargetQueues | undefined) {
  const queueOf = (asked: AskedTarget, by: string) => queueIn(queues(), asked, by);
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
        const targets = Array.from(queues()?.all ?? [], queueResponse);
        return ok({ targets, removed_targets: queues()?.gone ?? noDeliveries() });
      },
    }),
    'outbox.get': hostOperation({
      is: 'What has left the world for one target.',
      takes: TARGET_ID,
      answers: record(OUTBOX_TARGET),
      fails,
      needs: READ,
      handle: (asked, { by }) => {
        const queue = queueOf(asked, by);
        return queue.ok ? ok(queueResponse(queue.value)) : queue;
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
        const queue = queueOf(asked, by);
        if (!queue.ok) return queue;
        queue.value.pause();
        return ok(queueResponse(queue.value));
      },
    }),
    'outbox.resume': hostOperation({
      is: 'A target that was paused, or is left alone for a while, is tried at once.',
      takes: TARGET_ID,
      answers: record(OUTBOX_TARGET),
      fails,
      needs: CHANGE,
      handle: (asked, { by }) => {
        const queue = queueOf(asked, by);
        if (!queue.ok) return queue;
        queue.value.resume();
        return ok(queueResponse(queue.value));
      },
    }),
  };
}

function ofMessages(facts: WorldFacts, queues: () => TargetQueues | undefined) {
  const responseOf = ({ queue, delivery }: FoundDelivery) => ({
    id: queues()!.idOf(queue.state, delivery),
    target: queue.state.target,
    occurred_at: simTimeOf(facts, delivery.atUs),
    ...deliveryResponse(delivery),
  });
  const find = async (id: string): Promise<Result<FoundDelivery, 'message.unknown'>> => {
    const message = `There is no message ${id}, or not any more.`;
    return found(await queues()?.find(id), 'message.unknown', message);
  };
  return {
    'message.list': hostOperation({
      is: 'Messages to a target: those that wait, or the latest that have ended.',
      takes: WHICH,
      answers: record(MESSAGES),
      fails: { 'outbox.unknown': 'unknown' },
      needs: LIST,
      handle: async ({ state = 'waiting', limit = 100, ...asked }, { by }) => {
        const queue = queueIn(queues(), asked, by);
        if (!queue.ok) return queue;
        const deliveries = await queues()!.deliveriesOf(queue.value, state, limit);
        return ok({
          messages: deliveries.map((delivery) => responseOf({ queue: queue.value, delivery })),
        });
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
        return one.ok ? ok(responseOf(one.value)) : one;
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
        const { queue, delivery } = one.value;
        const again = delivery.end === undefined ? undefined : queue.redeliver(delivery);
        if (again === undefined) return fail('message.waiting', `${id} has not ended.`);
        return ok(responseOf({ queue, delivery: again }));
      },
    }),
  };
}

interface AskedTarget {
  readonly target: string;
  readonly subscriber?: string | undefined;
}

const queueIn = (
  queues: TargetQueues | undefined,
  { target, subscriber }: AskedTarget,
  by: string,
): Result<TargetQueue, 'outbox.unknown'> => {
  const message = `Nothing has left the world for ${target}.`;
  return found(queues?.of(subscriber ?? by, target), 'outbox.unknown', message);
};

// ── responses ─────────────────────────────────────────────────────────────────────────────

const wall = (ms: number): string => new Date(ms).toISOString();

const tryResponse = ({ atMs, tookMs, answer, says }: Try) => ({
  at: wall(atMs),
  took_ms: tookMs,
  answer: String(answer),
  says,
});

function queueResponse({ state, underway, beginsAtMs }: TargetQueue) {
  const { owner: subscriber, target, kind, address, what: matter, waiting, last } = state;
  const begins_at = beginsAtMs === undefined ? null : wall(beginsAtMs);
  const now = {
    paused: state.isPaused,
    waiting,
    underway,
    fails_in_row: state.failsInRow,
    begins_at,
  };
  const tried = last === undefined ? null : tryResponse(last);
  return { subscriber, target, kind, address, matter, ...now, last: tried, ...state.counts };
}

const deliveryResponse = ({ leftMs, what, attempts, dueMs, tries, end, body }: Delivery) => ({
  left_at: wall(leftMs),
  matter: what.kind,
  about: what.about,
  attempts,
  next_attempt_at: dueMs === undefined ? null : wall(dueMs),
  tries: tries.map(tryResponse),
  end: end === undefined ? null : { how: end.how, at: wall(end.atMs) },
  body,
});
