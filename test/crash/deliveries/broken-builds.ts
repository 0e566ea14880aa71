/** Builds that are broken on purpose: what the harness has to notice. */
import { Deliverer } from '../../../api/host/deliveries/deliverer.ts';
import { Senders } from '../../../api/host/deliveries/senders/senders.ts';
import { TargetQueues } from '../../../api/host/deliveries/target-queues.ts';

export const BROKEN_BUILDS = {
  'notes as delivered what it is about to send': () => {
    const { send } = Senders.prototype;
    Senders.prototype.send = async function (...words) {
      setTimeout(() => void send.apply(this, words), LATE_MS);
      return { answer: 200, retryAfterS: 0, says: '' };
    };
  },
  'hears nothing of what its world does again after a start': () => {
    const { effectsOf, begin } = Deliverer.prototype;
    let hasBegun = false;
    Deliverer.prototype.effectsOf = function (life) {
      const hear = effectsOf.call(this, life);
      return (effect) => (hasBegun ? hear(effect) : undefined);
    };
    Deliverer.prototype.begin = async function (world) {
      await begin.call(this, world);
      hasBegun = true;
    };
  },
  'gives messages other ids at each start': () => {
    const { idOf } = TargetQueues.prototype;
    TargetQueues.prototype.idOf = function (...words) {
      return `${idOf.apply(this, words)}_${process.pid}`;
    };
  },
} as const satisfies Readonly<Record<string, () => void>>;

export type BrokenBuild = keyof typeof BROKEN_BUILDS;

/** So long after it is noted, ms: a process that is killed meanwhile has not sent it. */
const LATE_MS = 300;
