/** Stored form of targets and deliveries, and their keys. Plain data. */
import type { Matter } from '../../../core/delivery/deliveries/target.ts';
import type { TargetKind } from '../../../core/delivery/targets/kinds.ts';
import type { Range } from './delivery-store.ts';
import type { SentAnswer } from './network/attempt-result.ts';

/** How a delivery ends. */
export const DELIVERY_ENDS = [
  /** A receiver or a broker has it. */
  'delivered',
  /** Answered with what is final. */
  'refused',
  /** All eight attempts failed. */
  'failed',
  /** It has waited for too long, or behind too many. */
  'given_up',
  /** Its target was removed. */
  'removed',
  /** Another world has taken the place of its own. */
  'ended',
] as const;
export type DeliveryEnd = (typeof DELIVERY_ENDS)[number];

/** Most ended deliveries retained per target, the latest. */
export const ENDED_STORED = 100;

/** An attempt that is answered. */
export interface Try {
  /** Wall time, ms since 1970. */
  readonly atMs: number;
  readonly tookMs: number;
  readonly answer: SentAnswer;
  readonly says: string;
}

/** A delivery that has left the world. */
export interface Delivery {
  /** Among those of its target, from 1. */
  readonly seq: number;
  /** When there was something to deliver, virtual µs. */
  readonly atUs: number;
  /** When it had left the world, or was given anew, ms since 1970. */
  readonly leftMs: number;
  readonly what: Matter;
  /** JSON. */
  readonly body: string;
  /** Attempts that count: those since it was given anew. */
  readonly attempts: number;
  /** The latest ones, the latest last. */
  readonly tries: readonly Try[];
  /** When it is tried again; absent: when its turn comes. */
  readonly dueMs?: number;
  readonly end?: { readonly how: DeliveryEnd; readonly atMs: number };
}

/** A delivery that the world holds still: who receives it is not decided. */
export interface Held {
  /** Among those of the world. */
  readonly ordinal: number;
  readonly owner: string;
  readonly target: string;
  readonly kind: TargetKind;
  readonly address: string;
  readonly atUs: number;
  readonly what: Matter;
  readonly body: string;
}

export type DeliveryCounts = Record<DeliveryEnd | 'left' | 'redelivered' | 'attempts', number>;

export const sumOf = (one: DeliveryCounts, other: DeliveryCounts): DeliveryCounts => {
  const names = Object.keys(one) as (keyof DeliveryCounts)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as DeliveryCounts;
};

export const noDeliveries = (): DeliveryCounts => ({
  left: 0,
  redelivered: 0,
  attempts: 0,
  delivered: 0,
  refused: 0,
  failed: 0,
  given_up: 0,
  removed: 0,
  ended: 0,
});

/** A target as it is stored. */
export interface QueueState {
  /** From 1; no other target has had it. */
  readonly number: number;
  readonly owner: string;
  /** The target's id. */
  readonly target: string;
  kind: TargetKind;
  address: string;
  readonly what: Matter['kind'];
  /** The last delivery's; none is used again. */
  latestSeq: number;
  /** How many have ended, those that ended again included. */
  ends: number;
  waiting: number;
  /** Subscriber that requested it. */
  isPaused: boolean;
  readonly counts: DeliveryCounts;
  /** Failed attempts since the last success. */
  failsInRow: number;
  /** The first of them, ms since 1970; 0: there is none. */
  failsSinceMs: number;
  /** It has answered Retry-After: nothing is tried before this, ms since 1970. */
  heldUntilMs: number;
  last?: Try;
}

export const newQueue = (
  number: number,
  { owner, target, kind, address, what }: Held,
): QueueState => ({
  number,
  owner,
  target,
  kind,
  address,
  what: what.kind,
  latestSeq: 0,
  ends: 0,
  waiting: 0,
  isPaused: false,
  counts: noDeliveries(),
  failsInRow: 0,
  failsSinceMs: 0,
  heldUntilMs: 0,
});

// ── keys ─────────────────────────────────────────────────────────────────────────────────────────

/** Which world the rest is of, and how far it is heard. */
export const META = 'meta';

export interface Meta {
  /** Identity of this store: prefix of its delivery ids. */
  readonly name: string;
  /** How often the world had been restored. */
  readonly life: number;
  /** Ordinal of the last delivery that was heard of. */
  readonly heard: number;
  /** Of targets. */
  readonly latestNumber: number;
}

const fixed = (number: number): string => number.toString(36).padStart(10, '0');
const within = (prefix: string): Range => ({ gt: `${prefix}!`, lt: `${prefix}"` });

export const heldKey = (ordinal: number): string => `held!${fixed(ordinal)}`;
/** What became of all that went to an owner’s targets that are gone. */
export const goneKey = (owner: string): string => `gone!${owner}`;
/** Prefix of queues on disk; outboxes of earlier builds have it. */
const QUEUES = 'lane';
export const queueKey = (number: number): string => `${QUEUES}!${fixed(number)}`;
export const waitingKey = (queue: number, seq: number): string =>
  `wait!${fixed(queue)}!${fixed(seq)}`;
export const retryKey = (queue: number, seq: number): string =>
  `retry!${fixed(queue)}!${fixed(seq)}`;
export const endedKey = (queue: number, at: number): string => `end!${fixed(queue)}!${fixed(at)}`;

export const ALL_HELD = within('held');
export const ALL_GONE = within('gone');
export const ALL_QUEUES = within(QUEUES);
export const ALL_RETRIES = within('retry');
export const endedOf = (queue: number): Range => within(`end!${fixed(queue)}`);
/** Those behind one of them. */
export const waitingBehind = (queue: number, seq: number): Range => ({
  gt: waitingKey(queue, seq),
  lt: within(`wait!${fixed(queue)}`).lt,
});
