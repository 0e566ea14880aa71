/** What has to end in time. */
import type { HostTime } from '../../clock/host-time.ts';
import { TimedOut } from '../network/request-errors.ts';

export interface Bounds {
  readonly time: HostTime;
  /** It ends when this aborts as well. */
  readonly signal?: AbortSignal;
}

/** Runs an action with a deadline: its signal aborts after the timeout, with `TimedOut`. */
export async function within<Value>(
  ms: number,
  { time, signal }: Bounds,
  act: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const late = new AbortController();
  const appointment = time.later(() => late.abort(new TimedOut(ms)), ms);
  try {
    return await act(signal ? AbortSignal.any([signal, late.signal]) : late.signal);
  } finally {
    appointment.cancel();
  }
}
