/**
 * A reliable downlink job at work: it sends a downlink to each of its devices. It sends it again
 * `retry_interval` after the latest sending, until the expected uplink comes or the tries are used
 * up. It receives the time, uplinks and what became of its downlinks, and requests downlinks.
 *
 * A try is counted when the network reports that the downlink is on the air, or lost on the way
 * there; what waits for a device is never doubled. So a class A device that speaks once an hour
 * gets all of its tries (docs/decisions/0049). One that stays silent while a downlink waits for it
 * fails when its patience is over.
 *
 * It has one timer, its number: the next device that is due, the next slice of a pass over all
 * devices. A wake-up looks at 256 of either at most.
 */
import { assert } from '../../../sim/base/assert.ts';
import { HOUR_US, SECOND_US } from '../../../sim/base/units.ts';
import type { DownlinkFateNews, Sender } from '../../../sim/contract/downlinks.ts';
import type { ReceivedUplink } from '../../../sim/contract/news.ts';
import type { DeviceView } from '../../../sim/contract/view.ts';
import { isTry } from '../../base/downlinks.ts';
import { addDue, takeDue } from '../../base/due-list.ts';
import type { CachedFold } from '../../base/fold.ts';
import { NEVER_US } from '../../base/instant.ts';
import { MOST_PER_WAKE, nextSliceUs } from '../../base/slices.ts';
import type { OwnView } from '../../base/subscribers.ts';
import type { Surroundings } from '../../kit/resource.ts';
import { JOB_FAILURES, type JobFailure } from '../../result/result.ts';
import { DeviceIs, failedOf, type JobState, NO_PASS } from './job-state.ts';

export interface Job extends Pick<Surroundings, 'downlinks' | 'timers' | 'watching'> {
  readonly state: JobState;
  /** Payloads, as bytes. */
  readonly downlink: Uint8Array;
  readonly expected: Uint8Array;
  /** Until the state changes. */
  readonly stored: CachedFold;
  /** That of the job's owner. */
  readonly view: OwnView;
  /** The device at this place is the job's from now on, or no longer. */
  has(place: number, has: boolean): void;
}

/** Whose its downlinks are. */
const senderOf = ({ state }: Job): Sender => ({ kind: 'job', id: state.id });

// ── what is asked of it ──────────────────────────────────────────────────────────────────────────

/** It has just been made, with all its devices pending. */
export function begin(job: Job, nowUs: number): void {
  job.state.devEuis.forEach((_, place) => {
    job.has(place, true);
  });
  startPass(job, nowUs);
}

/** Pending devices fail at once; what waits for them is dropped slice by slice. */
export function stop(job: Job, nowUs: number): void {
  const { state } = job;
  const { columns } = state;
  const stopped = numberOf('stopped');
  for (let place = 0; place < state.devEuis.length; place++) {
    if (columns.state[place] !== DeviceIs.pending) continue;
    columns.state[place] = DeviceIs.failed;
    columns.reason[place] = stopped;
    columns.completedAtUs[place] = nowUs;
    columns.dueAtUs[place] = NEVER_US;
    state.pending--;
  }
  assert(state.pending === 0, 'pending devices are counted once');
  state.due.length = 0;
  state.status = 'stopped';
  startPass(job, nowUs);
}

/** Failed devices get fresh tries. */
export function restart(job: Job, nowUs: number): void {
  const { state } = job;
  const { columns } = state;
  for (let place = 0; place < state.devEuis.length; place++) {
    if (columns.state[place] !== DeviceIs.failed) continue;
    columns.state[place] = DeviceIs.pending;
    columns.reason[place] = 0;
    columns.attempts[place] = 0;
    columns.firstSentAtUs[place] = NEVER_US;
    columns.lastSentAtUs[place] = NEVER_US;
    columns.completedAtUs[place] = NEVER_US;
    // What still waits of the tries before is none of these.
    columns.waitingId[place] = 0;
    state.pending++;
    job.has(place, true);
  }
  state.status = 'running';
  state.beganAtUs = nowUs;
  startPass(job, nowUs);
}

/** Nobody sees it any more; it is gone once `isOver` says so. */
export function remove(job: Job, nowUs: number): void {
  job.state.isDeleted = true;
  if (job.state.status === 'running') stop(job, nowUs);
  else rearm(job, nowUs);
}

/** Whether nothing of it is to come, and the network has nothing of it. */
export const isOver = ({ state }: Job): boolean =>
  state.status !== 'running' && state.next === NO_PASS;

// ── what happens ─────────────────────────────────────────────────────────────────────────────────

export function onTimer(job: Job, nowUs: number): void {
  const { state } = job;
  job.stored.changed();
  state.wakesAtUs = NEVER_US;
  passSlice(job, nowUs);
  serveDue(job, nowUs);
  rearm(job, nowUs);
}

/** An uplink of the device at this place. */
export function onUplink(job: Job, place: number, uplink: ReceivedUplink): void {
  if (!isExpected(job, place, uplink)) return;
  end(job, place, null, uplink.atUs);
  rearm(job, uplink.atUs);
}

/** An answer's transmission ends after that of the first try has begun. */
function isExpected({ state, expected }: Job, place: number, uplink: ReceivedUplink): boolean {
  const { columns, settings } = state;
  const firstSentAtUs = columns.firstSentAtUs[place]!;
  if (columns.state[place] !== DeviceIs.pending || firstSentAtUs === NEVER_US) return false;
  if (uplink.endedAtUs <= firstSentAtUs || uplink.fPort !== settings.expected_uplink_fport) {
    return false;
  }
  const { payload } = uplink;
  return payload.length === expected.length && payload.every((byte, i) => byte === expected[i]);
}

/** What became of a downlink of the job to the device at this place. */
export function onDownlink(
  job: Job,
  place: number,
  id: number,
  what: DownlinkFateNews,
  nowUs: number,
): void {
  const { state } = job;
  const { columns } = state;
  if (columns.waitingId[place] !== id || !isTry(what)) return;
  job.stored.changed();
  columns.waitingId[place] = 0;
  if (columns.state[place] !== DeviceIs.pending) return;
  columns.attempts[place]!++;
  state.tries++;
  if (what.kind === 'sent') {
    columns.lastSentAtUs[place] = nowUs;
    if (columns.firstSentAtUs[place] === NEVER_US) columns.firstSentAtUs[place] = nowUs;
  }
  appoint(job, place, nowUs + state.settings.retry_interval * SECOND_US);
  rearm(job, nowUs);
}

/** The device at this place is gone, and with it what waited for it. */
export function onRemoved(job: Job, place: number, nowUs: number): void {
  job.state.columns.isEngaged[place] = 0;
  end(job, place, 'device removed', nowUs);
  rearm(job, nowUs);
}

// ── devices ──────────────────────────────────────────────────────────────────────────────────────

const numberOf = (reason: JobFailure): number => JOB_FAILURES.indexOf(reason) + 1;

function send(job: Job, place: number, nowUs: number): void {
  const { state, downlink: payload } = job;
  const devEui = state.devEuis[place]!;
  assert(state.columns.waitingId[place] === 0, 'what waits is never doubled');
  const downlink = { devEui, fPort: state.settings.downlink_fport, payload };
  state.columns.waitingId[place] = job.downlinks.send(senderOf(job), downlink, nowUs);
  appoint(job, place, silentSinceUs(job, place, nowUs) + patienceUs(state));
}

/** When there is something to do for a device; an earlier appointment of it counts no more. */
function appoint({ state }: Job, place: number, atUs: number): void {
  state.columns.dueAtUs[place] = atUs;
  addDue(state.due, { atUs, member: place });
}

/** A device succeeds, or fails; nothing of the job is left in the network for it. */
function end(job: Job, place: number, failure: JobFailure | null, nowUs: number): void {
  const { state } = job;
  const { columns } = state;
  job.stored.changed();
  if (columns.state[place] === DeviceIs.pending) {
    columns.state[place] = failure === null ? DeviceIs.success : DeviceIs.failed;
    columns.reason[place] = failure === null ? 0 : numberOf(failure);
    columns.completedAtUs[place] = nowUs;
    columns.dueAtUs[place] = NEVER_US;
    state.pending--;
    if (failure === null) state.succeeded++;
    assert(state.pending >= 0 && failedOf(state) >= 0, 'a device ends once');
    if (state.pending === 0) {
      state.status = 'finished';
      state.due.length = 0;
    }
  }
  release(job, place, nowUs);
}

/** The job has no more to do with a device. */
function release(job: Job, place: number, nowUs: number): void {
  const { columns, devEuis } = job.state;
  const devEui = devEuis[place]!;
  job.has(place, false);
  columns.waitingId[place] = 0;
  if (columns.isEngaged[place] === 0) return;
  columns.isEngaged[place] = 0;
  job.downlinks.clear(senderOf(job), devEui, nowUs);
  job.watching.ends(devEui, nowUs);
}

// ── passes over all devices ──────────────────────────────────────────────────────────────────────

/** The first slice at once. */
function startPass(job: Job, nowUs: number): void {
  job.stored.changed();
  job.state.next = 0;
  passSlice(job, nowUs);
  rearm(job, nowUs);
}

function passSlice(job: Job, nowUs: number): void {
  const { state } = job;
  if (state.next === NO_PASS) return;
  const last = Math.min(state.next + MOST_PER_WAKE, state.devEuis.length);
  for (; state.next < last; state.next++) visit(job, state.next, nowUs);
  if (last === state.devEuis.length) state.next = NO_PASS;
}

/** Pending: it is sent to, without what may still wait since before a restart. */
function visit(job: Job, place: number, nowUs: number): void {
  const { state, watching } = job;
  const { columns } = state;
  const devEui = state.devEuis[place]!;
  if (columns.state[place] !== DeviceIs.pending) return release(job, place, nowUs);
  if (job.view.device(devEui) === undefined) return end(job, place, 'device removed', nowUs);
  if (columns.isEngaged[place] === 1) job.downlinks.clear(senderOf(job), devEui, nowUs);
  else watching.begins(devEui, nowUs);
  columns.isEngaged[place] = 1;
  send(job, place, nowUs);
}

// ── time ─────────────────────────────────────────────────────────────────────────────────────────

/** Sends again, or gives up, where the pause after the latest try is over. */
function serveDue(job: Job, nowUs: number): void {
  const { due, columns, settings } = job.state;
  for (let served = 0; served < MOST_PER_WAKE && (due[0]?.atUs ?? Infinity) <= nowUs; served++) {
    const entry = takeDue(due);
    assert(entry !== undefined, 'what is due is in the list');
    const { member: place } = entry;
    if (columns.dueAtUs[place] !== entry.atUs) continue;
    columns.dueAtUs[place] = NEVER_US;
    if (columns.waitingId[place] !== 0) judgeSilence(job, place, nowUs);
    else if (columns.attempts[place]! <= settings.max_retries) send(job, place, nowUs);
    else end(job, place, whyUnanswered(job, place), nowUs);
  }
}

/** A device fails that said nothing while it could be heard; else it is waited for again. */
function judgeSilence(job: Job, place: number, nowUs: number): void {
  const endsAtUs = silentSinceUs(job, place, nowUs) + patienceUs(job.state);
  if (endsAtUs <= nowUs) end(job, place, 'no uplink', nowUs);
  else appoint(job, place, endsAtUs);
}

/** How long a device that is waited for may be silent: as long as all tries take, or a day. */
const patienceUs = ({ settings: { max_retries, retry_interval } }: JobState): number =>
  Math.max(LEAST_PATIENCE_US, (1 + max_retries) * retry_interval * SECOND_US);

const LEAST_PATIENCE_US = 24 * HOUR_US;

/**
 * Since when a device has been silent: since its latest uplink, the latest sending to it, or the
 * beginning; not before a gateway that hears it was connected again.
 */
function silentSinceUs({ state, view }: Job, place: number, nowUs: number): number {
  const { columns, beganAtUs, devEuis } = state;
  const sentAtUs = columns.lastSentAtUs[place]!;
  const device = view.device(devEuis[place]!);
  assert(device !== undefined, 'a pending device is in the network');
  const sinceUs = sentAtUs === NEVER_US ? beganAtUs : sentAtUs;
  return Math.max(sinceUs, device.lastUplinkAtUs, reachableSinceUs(device, view, nowUs));
}

/**
 * Since when some gateway of the owner's that hears the device is connected; this instant: none is.
 * A device that none of them has heard is not excused by an outage.
 */
function reachableSinceUs({ heardBy }: DeviceView, view: OwnView, nowUs: number): number {
  const since = heardBy.flatMap(({ gatewayEui }) => {
    const gateway = view.gateway(gatewayEui);
    if (gateway === undefined) return [];
    return gateway.backhaulUp ? gateway.backhaulSinceUs : nowUs;
  });
  return since.length === 0 ? 0 : Math.min(...since);
}

const whyUnanswered = ({ state }: Job, place: number): JobFailure =>
  state.columns.firstSentAtUs[place] === NEVER_US ? 'not sent' : 'no answer';

/** Makes the one appointment: the earliest that there is to do. */
function rearm(job: Job, nowUs: number): void {
  const { state } = job;
  const atUs = nextWakeUs(state, nowUs);
  if (atUs === state.wakesAtUs) return;
  state.wakesAtUs = atUs;
  if (atUs === NEVER_US) job.timers.wakeNever(state.number, nowUs);
  else job.timers.wakeAt(state.number, atUs, nowUs);
}

/** When it wakes next, in the future; `NEVER_US`: not by itself. */
function nextWakeUs({ next, wakesAtUs, due }: JobState, nowUs: number): number {
  if (next !== NO_PASS) return nextSliceUs(wakesAtUs, nowUs);
  const [first] = due;
  return first === undefined ? NEVER_US : Math.max(first.atUs, nowUs + 1);
}
