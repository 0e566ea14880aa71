/**
 * Why a device really failed in a campaign: what the service noticed, what it could not hear, or
 * how the device failed by itself (docs/decisions/0069 and 0073).
 */
import type { DeviceFailure } from '../../sim/base/counts.ts';
import type { FailureGroundTruth } from '../../sim/contract/truth.ts';
import type { Resources } from '../operations.ts';
import type { DeviceCause, FailureCause, FailureReason } from '../result/outcome.ts';

type BelievedOutcome = ReturnType<Resources['campaign']['outcomes']>[number];
type Belief = Pick<
  ReturnType<BelievedOutcome['believes']>,
  'reason' | 'ofSilence' | 'finalVersion'
>;

/** What a way of failing is called, and which of the service's reasons may be a sign of it. */
interface Sign {
  readonly cause: DeviceCause;
  readonly reasons: readonly FailureReason[];
}

const OLD_VERSION: readonly FailureReason[] = ['version mismatch'];
const NO_BLOCK: readonly FailureReason[] = ['missing fragments', 'version mismatch'];

/** Null: the service's reason says it. Any silence may hide each of them. */
const SIGNS: Readonly<Record<DeviceFailure, Sign | null>> = {
  flashWrite: { cause: 'flash write error', reasons: ['not enough memory', ...NO_BLOCK] },
  noMemory: null,
  reboot: { cause: 'rebooted', reasons: ['multicast group undefined', 'no beacon', ...NO_BLOCK] },
  badSignature: { cause: 'wrong signature', reasons: OLD_VERSION },
  wrongHardware: { cause: 'wrong hardware', reasons: OLD_VERSION },
};

/** What is true of the device while it was the campaign's. */
interface GroundTruth {
  readonly runs: boolean;
  /** In the campaign's latest round, in the order of time. */
  readonly failures: readonly FailureGroundTruth[];
}

/** Null: it has not failed. */
export function causeOf(
  { reason, ofSilence, finalVersion }: Belief,
  { runs, failures }: GroundTruth,
): FailureCause | null {
  if (reason === null) return null;
  if (runs) {
    if (!ofSilence) return reason;
    return finalVersion === null ? 'answer lost' : 'asked too early';
  }
  for (let i = failures.length - 1; i >= 0; i--) {
    const sign = SIGNS[failures[i]!.failure];
    if (sign !== null && (ofSilence || sign.reasons.includes(reason))) return sign.cause;
  }
  return reason;
}
