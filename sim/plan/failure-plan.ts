/**
 * How devices of a type fail in updates: plain data. Which of them do is drawn by device
 * (docs/decisions/0073).
 */

import type { DeviceFailure } from '../base/counts.ts';
import { isWholeWithin } from '../base/rows/range.ts';

export interface FailurePlan {
  readonly model: DeviceFailure;
  /** Devices that fail so, parts per million. */
  readonly sharePpm: number;
  /** How often each of them does, 1 or more; absent: each time. */
  readonly times?: number;
  /**
   * Of `flashWrite`, and there alone: the fragment that cannot be written, as the share of the
   * block that it is written after, parts per million.
   */
  readonly atPpm?: number;
  /** Of `reboot`, and there alone: so long after its multicast session opened, µs by its clock. */
  readonly afterUs?: number;
}

/** What each model has besides, and no other. */
export const isFailure = ({ model, sharePpm, times, atPpm, afterUs }: FailurePlan): boolean =>
  isBetween(sharePpm, 0, 1_000_000) &&
  (times === undefined || isBetween(times, 1, 0xffff)) &&
  (model === 'flashWrite' ? isBetween(atPpm, 0, 999_999) : atPpm === undefined) &&
  (model === 'reboot' ? isBetween(afterUs, 1, Number.MAX_SAFE_INTEGER) : afterUs === undefined);

const isBetween = (value: number | undefined, least: number, most: number): boolean =>
  isWholeWithin(value, { least, most });
