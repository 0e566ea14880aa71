/** Knobs of how devices fail in updates. */
import type * as z from 'zod';
import { DEVICE_FAILURES, type DeviceFailure } from '../../sim/base/counts.ts';
import type { FailurePlan } from '../../sim/plan/failure-plan.ts';
import { choice, count, measure } from '../language/kinds.ts';
import { type Context, complain, knob, list, maybe, needed, record } from '../language/knob.ts';

const MOST_FAILURES = 10;
const MOST_TIMES = 1000;

/** What each model is. */
const IS: Readonly<Record<DeviceFailure, string>> = {
  flashWrite: 'a fragment cannot be written, and no other is after it; status: memory error',
  noMemory: 'the set-up of a block is refused: NotEnoughMemory',
  reboot:
    'it reboots in the multicast session, loses that and its fragments, and joins anew unless it ' +
    'is personalised',
  badSignature: 'the image is whole and its signature wrong, so it never runs: UpImageStatus 1',
  wrongHardware: 'it is for other hardware: UpImageStatus 2',
};

const Failure = record({
  model: needed(choice(...DEVICE_FAILURES), {
    is: `${DEVICE_FAILURES.map((model) => `${model}: ${IS[model]}`).join('; ')}.`,
    source: 'TS004, FragSessionSetupAns and FragSessionStatusAns; TS006, DevUpgradeImageAns',
  }),
  share: knob(measure('share', '0 %', '100 %'), '100 %', {
    is: 'Share of the devices that fail so, drawn by device.',
  }),
  times: maybe(count(1, MOST_TIMES), {
    is: 'How often each of them does, and is right after that; each time when absent.',
  }),
  at: maybe(measure('share', '0 %', '99.9 %'), {
    is: 'Of flashWrite: how much of the block is written before; 50 % when absent.',
  }),
  after: maybe(measure('duration', '1 s', '10 d'), {
    is: 'Of reboot: so long after the session opened, if it lasts so long; 30 s when absent.',
  }),
}).transform(toPlan);

interface FailureInput {
  readonly model: DeviceFailure;
  readonly share: number;
  readonly times?: number | undefined;
  readonly at?: number | undefined;
  readonly after?: number | undefined;
}

const OWNERS = [
  ['at', 'flashWrite'],
  ['after', 'reboot'],
] as const;
const USUAL_AT_PPM = 500_000;
const USUAL_AFTER_US = 30_000_000;

/** Each model has its own parts, and no others. */
function toPlan(given: FailureInput, context: Context): FailurePlan {
  const { model, share, times, at = USUAL_AT_PPM, after = USUAL_AFTER_US } = given;
  for (const [key, owner] of OWNERS) {
    if (given[key] === undefined || model === owner) continue;
    return complain(context, given, `${model} has no ${key}`, `${key} where model is ${owner}`);
  }
  return {
    model,
    sharePpm: share,
    ...(times === undefined ? {} : { times }),
    ...(model === 'flashWrite' ? { atPpm: at } : {}),
    ...(model === 'reboot' ? { afterUs: after } : {}),
  };
}

export const failuresKnob = maybe(list(Failure, 1, MOST_FAILURES, 'failures'), {
  is: 'How they fail in updates; not at all when absent. Several models may meet in one device.',
}) as z.ZodOptional<z.ZodType<readonly FailurePlan[], unknown>>;
