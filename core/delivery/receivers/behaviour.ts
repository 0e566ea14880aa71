/** What a receiver makes of a request: a pure function of what it does, of time and of draws. */
import { toUnit } from '../../../sim/base/random.ts';
import { type Effective, effective } from '../../../sim/base/rows/fields.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import type { Reception } from '../deliveries/attempts.ts';
import type { Request } from '../deliveries/deliveries.ts';
import { type Answer, isRetried, isTaken, TIMEOUT_US } from '../deliveries/schedule.ts';
import { BEHAVIOUR, type RECEIVER } from './rows.ts';

const UNAVAILABLE = 503;

type Behaviour = Effective<typeof BEHAVIOUR>;
type Known = Effective<typeof RECEIVER> & { readonly name: string };

/** Its draws. */
const Draw = { refusal: 1, hang: 2, failure: 3 } as const;

/** What it does at an instant: that of the first phase that holds, else what it does otherwise. */
function behaviourAt(receiver: Known, nowUs: number): Behaviour {
  const holds = receiver.phases.find(
    ({ from, until }) => nowUs >= from * SECOND_US && nowUs < until * SECOND_US,
  );
  return holds === undefined ? receiver : effective(BEHAVIOUR, holds);
}

export function receptionOf(receiver: Known, { draw }: Request, nowUs: number): Reception {
  const behaviour = behaviourAt(receiver, nowUs);
  const happens = (share: number, counter: number): boolean =>
    share > 0 && toUnit(draw(counter)) < share;
  const latencyUs = Math.round(behaviour.latency * SECOND_US);
  const of = (answer: Answer, keeps: boolean, afterUs: number): Reception => ({
    receiver: receiver.name,
    answer,
    keeps,
    answersAtUs: nowUs + afterUs,
    retryAfterS: typeof answer === 'number' && isRetried(answer) ? behaviour.retryAfter : 0,
  });
  if (happens(behaviour.refusal, Draw.refusal)) return of('connection refused', false, 0);
  if (happens(behaviour.hang, Draw.hang)) return of('timeout', true, TIMEOUT_US);
  const answer = happens(behaviour.failure, Draw.failure) ? UNAVAILABLE : behaviour.answer;
  if (latencyUs < TIMEOUT_US) return of(answer, isTaken(answer), latencyUs);
  return of('timeout', isTaken(answer), TIMEOUT_US);
}
