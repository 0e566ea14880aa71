/** Response with a reliable downlink job, also for results. */
import { type Counts, sortedByName } from '../../../sim/base/counts.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import type { NetworkView } from '../../../sim/contract/view.ts';
import { formatInstant, NEVER_US } from '../../base/instant.ts';
import { percentiles } from '../../base/percentiles.ts';
import { DEFAULT_SUBSCRIBER } from '../../base/subscribers.ts';
import { JOB_FAILURES, type JobFailure, type JobResult } from '../../result/result.ts';
import { DeviceIs, failedOf, type JobState } from './job-state.ts';
import { DEVICE_STATES, type DeviceAnswer, type JobAnswer } from './rows.ts';

export function jobAnswer(state: JobState, view: NetworkView): JobAnswer {
  const { settings } = state;
  return {
    job_id: state.id,
    ...settings,
    device_group_id: settings.device_group_id ?? null,
    created_at: formatInstant(view.unixMs(state.createdAtUs)),
    status: state.status,
    num_devices_pending: state.pending,
    num_devices_success: state.succeeded,
    num_devices_fail: failedOf(state),
    devices: Object.fromEntries(
      state.devEuis.map((devEui, place) => [devEui, deviceAnswer(state, place, view)]),
    ),
  };
}

function deviceAnswer({ columns }: JobState, place: number, view: NetworkView): DeviceAnswer {
  const at = (us: number) => (us === NEVER_US ? null : formatInstant(view.unixMs(us)));
  return {
    state: DEVICE_STATES[columns.state[place]!]!,
    attempts: columns.attempts[place]!,
    last_sent_at: at(columns.lastSentAtUs[place]!),
    completed_at: at(columns.completedAtUs[place]!),
    reason: reasonOf(columns.reason[place]!),
  };
}

const reasonOf = (number: number): JobFailure | null => JOB_FAILURES[number - 1] ?? null;

/** `received`: how many of its devices have received the downlink. */
export function jobResult(state: JobState, received: number): JobResult {
  const { columns, owner } = state;
  const failures: Partial<Record<JobFailure, number>> = {};
  const [tries, seconds]: [number[], number[]] = [[], []];
  for (let place = 0; place < state.devEuis.length; place++) {
    const reason = reasonOf(columns.reason[place]!);
    if (reason !== null) failures[reason] = (failures[reason] ?? 0) + 1;
    if (columns.state[place] !== DeviceIs.success) continue;
    tries.push(columns.attempts[place]!);
    seconds.push((columns.completedAtUs[place]! - state.createdAtUs) / SECOND_US);
  }
  return {
    name: state.settings.name,
    ...(owner === DEFAULT_SUBSCRIBER ? {} : { subscriber: owner }),
    status: state.status,
    devices: state.devEuis.length,
    received,
    pending: state.pending,
    success: state.succeeded,
    failures: sortedByName(failures as Counts<JobFailure>),
    tries: state.tries,
    triesToSuccess: percentiles(tries),
    successSeconds: percentiles(seconds),
  };
}
