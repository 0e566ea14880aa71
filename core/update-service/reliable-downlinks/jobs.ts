/**
 * Reliable downlink jobs: their operations, and the events that each receives. START HERE; one of
 * them is in job.ts (docs/operations.md, Reliable downlink job).
 */
import { assert } from '../../../sim/base/assert.ts';
import { fromHex } from '../../../sim/base/bytes.ts';
import { andThen, fail, found, ok } from '../../../sim/base/result.ts';
import { effective } from '../../../sim/base/rows/fields.ts';
import { CachedFold, type Fold, foldField } from '../../base/fold.ts';
import { Places } from '../../base/places.ts';
import { copyPlain } from '../../base/plain.ts';
import { keyOfOwned } from '../../base/store.ts';
import type { Asking, OwnView } from '../../base/subscribers.ts';
import {
  declareResource,
  done,
  handlers,
  type Listeners,
  type Surroundings,
} from '../../kit/resource.ts';
import type { JobResult } from '../../result/result.ts';
import type { DeviceGroup } from '../device-groups.ts';
import {
  begin,
  isOver,
  type Job,
  onDownlink,
  onRemoved,
  onTimer,
  onUplink,
  remove,
  restart,
  stop,
} from './job.ts';
import { jobAnswer, jobResult } from './job-answer.ts';
import { DeviceIs, failedOf, foldJob, type JobState, newJob } from './job-state.ts';
import { FAILURES, type GivenJob, JOB, OPERATIONS } from './rows.ts';

/** What jobs use of the platform and of other resources. */
export interface JobNeeds extends Surroundings {
  readonly deviceGroup: { get(owner: string, id: string): DeviceGroup | undefined };
}

/** Plain data. */
export interface SavedJobs {
  readonly jobs: readonly JobState[];
  /** Jobs created so far. */
  readonly latestNumber: number;
}

export class ReliableDownlinks {
  readonly #needs: JobNeeds;
  /** By number, ascending; those that are deleted until they are cleared up. */
  #byNumber = new Map<number, Job>();
  /** Of those that there are or were. */
  #largestNumber = 0;
  #byId = new Map<string, Job>();
  #byOwner = new Map<string, Map<number, Job>>();
  /** Jobs that are not finished. */
  readonly #active = new Set<Job>();
  /** How many running jobs use a group, by its owner and id. */
  readonly #groups = new Map<string, number>();
  /** Which jobs have a device. */
  #places = new Places();
  /** Numbers are never used again. */
  #latestNumber = 0;

  readonly handle = handlers(OPERATIONS, {
    'reliableDownlink.create': ({ job, id }, asking) => this.#create(job, id, asking),
    'reliableDownlink.list': (_, { by, view }) =>
      ok(this.#ofOwner(by).map(({ state }) => jobAnswer(state, view))),
    'reliableDownlink.get': ({ job_id }, { by, view }) =>
      andThen(this.#known(by, job_id), ({ state }) => ok(jobAnswer(state, view))),
    'reliableDownlink.delete': ({ job_id }, { by, nowUs }) =>
      andThen(this.#known(by, job_id), (job) => done(this.#remove(job, nowUs))),
    'reliableDownlink.restart': ({ job_id }, asking) =>
      andThen(this.#known(asking.by, job_id), (job) => this.#restart(job, asking)),
    'reliableDownlink.stop': ({ job_id }, asking) =>
      andThen(this.#known(asking.by, job_id), (job) => this.#stop(job, asking)),
  });

  readonly hears: Listeners = {
    uplink: ({ uplink }, { owner }) => {
      for (const [job, place] of this.#jobsWith(owner, uplink.devEui)) {
        this.#change(job, () => onUplink(job, place, uplink));
      }
    },
    downlink: ({ id, sender, devEui, what }, { owner, nowUs }) => {
      const job = sender.kind === 'job' ? this.#byId.get(sender.id) : undefined;
      if (job?.state.owner !== owner) return;
      // A device may be in thousands of jobs: the others are not looked at.
      const place = this.#places.in(job.state.number, devEui);
      if (place !== undefined) onDownlink(job, place, id, what, nowUs);
    },
    /** A device that is removed fails in all its jobs. */
    deviceRemoved: ({ devEui }, { owner, nowUs }) => {
      for (const [job, place] of this.#jobsWith(owner, devEui)) {
        this.#change(job, () => onRemoved(job, place, nowUs));
      }
    },
  };

  constructor(needs: JobNeeds) {
    this.#needs = needs;
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────

  #create(input: GivenJob, given: string | undefined, asking: Asking) {
    const isTaken = (id: string) => this.#byId.has(id);
    if (given !== undefined && isTaken(given)) {
      return fail('reliableDownlink.exists', `There is a job ${given}.`, '/id');
    }
    const { by, nowUs, view } = asking;
    const { devices, ...settings } = effective(JOB, input);
    return andThen(this.#devices(devices, settings.device_group_id, asking), (devEuis) => {
      const number = ++this.#latestNumber;
      const id = given ?? this.#needs.ids.uuid(isTaken);
      const job = this.#keep(newJob({ number, owner: by, id, settings, devEuis }, nowUs));
      this.#change(job, () => begin(job, nowUs));
      return ok(jobAnswer(job.state, view));
    });
  }

  /** The devices that are listed and the members of the group as it is now, each once. */
  #devices(listed: readonly string[], groupId: string | undefined, { by, view }: Asking) {
    const unknown = listed.findIndex((devEui) => view.device(devEui) === undefined);
    if (unknown >= 0) {
      const message = `There is no device ${listed[unknown]}.`;
      return fail('reliableDownlink.unknown-device', message, `/devices/${unknown}`);
    }
    if (groupId === undefined && listed.length === 0) {
      return fail('reliableDownlink.devices', 'Give devices or device_group_id.', '/devices');
    }
    if (groupId === undefined) return ok(listed);
    return andThen(this.#members(by, groupId, view), (members) => {
      const all = [...new Set([...listed, ...members])];
      if (all.length > 0) return ok(all);
      const message = `The device group ${groupId} has no devices.`;
      return fail('reliableDownlink.empty-group', message, '/device_group_id');
    });
  }

  #members(by: string, groupId: string, view: OwnView) {
    const group = this.#needs.deviceGroup.get(by, groupId);
    if (group === undefined) {
      return fail('deviceGroup.unknown', `There is no device group ${groupId}.`, GROUP_ID);
    }
    // A member may be another subscriber's: a job sends to its owner's devices alone.
    const foreign = group.devices.find((devEui) => view.device(devEui) === undefined);
    if (foreign === undefined) return ok(group.devices);
    const message = `The device group ${groupId} has the device ${foreign}, which is not yours.`;
    return fail('reliableDownlink.unknown-device', message, GROUP_ID);
  }

  #stop(job: Job, { nowUs, view }: Asking) {
    const { id, status } = job.state;
    if (status !== 'running') {
      return fail('reliableDownlink.not-running', `The job ${id} is ${status}.`);
    }
    this.#change(job, () => stop(job, nowUs));
    return ok(jobAnswer(job.state, view));
  }

  #restart(job: Job, { nowUs, view }: Asking) {
    const { id, pending } = job.state;
    if (pending > 0) {
      const message = `Devices of the job ${id} that are pending: ${pending}.`;
      return fail('reliableDownlink.running', message);
    }
    if (failedOf(job.state) === 0) {
      const message = `All devices of the job ${id} have succeeded.`;
      return fail('reliableDownlink.nothing-to-restart', message);
    }
    this.#change(job, () => restart(job, nowUs));
    return ok(jobAnswer(job.state, view));
  }

  #remove(job: Job, nowUs: number): void {
    const { number, owner } = job.state;
    const owned = this.#byOwner.get(owner);
    owned?.delete(number);
    if (owned?.size === 0) this.#byOwner.delete(owner);
    this.#change(job, () => remove(job, nowUs));
  }

  // ── what happened ──────────────────────────────────────────────────────────────────────────────

  /** `timer` is a job's number. */
  onTimer(timer: number, nowUs: number): void {
    const job = this.#byNumber.get(timer);
    assert(job !== undefined, 'a timer that is due is a job’s');
    this.#change(job, () => onTimer(job, nowUs));
  }

  // ── operations ───────────────────────────────────────────────────────────────────────────────

  /** In the order of their creation; `received` counts devices that received that of a job. */
  results(received: { count(jobId: string): number }): JobResult[] {
    return this.#seen().map(({ state }) => jobResult(state, received.count(state.id)));
  }

  /** Whether there is a job with this id, whosever it is. */
  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Whether no job is running or being cleared up. */
  get isIdle(): boolean {
    return this.#active.size === 0;
  }

  /** Whether a running job of an owner sends to this device group. */
  usesGroup(owner: string, id: string): boolean {
    return this.#groups.has(keyOfOwned(owner, id));
  }

  /** Devices that a job sends to, and those that it must clean up. */
  watches(devEui: string): boolean {
    for (const { number, place } of this.#places.of(devEui)) {
      if (this.#byNumber.get(number)?.state.columns.isEngaged[place] === 1) return true;
    }
    return false;
  }

  fold(fold: Fold): void {
    for (const { state, stored } of this.#byNumber.values()) {
      stored.into(fold, (own) => foldJob(own, state));
    }
    foldField(fold, 'latestJob', this.#latestNumber);
  }

  save(): SavedJobs {
    const jobs = Array.from(this.#byNumber.values(), ({ state }) => copyPlain(state));
    return { jobs, latestNumber: this.#latestNumber };
  }

  load({ jobs, latestNumber }: SavedJobs): void {
    this.#byNumber = new Map();
    this.#byId = new Map();
    this.#byOwner = new Map();
    this.#active.clear();
    this.#groups.clear();
    this.#places = new Places();
    this.#latestNumber = latestNumber;
    this.#largestNumber = 0;
    for (const saved of jobs) {
      const job = this.#keep(copyPlain(saved));
      this.#note(job);
      const { state, isEngaged } = job.state.columns;
      for (let place = 0; place < state.length; place++) {
        if (state[place] === DeviceIs.pending || isEngaged[place] === 1) job.has(place, true);
      }
    }
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #seen(): readonly Job[] {
    return [...this.#byNumber.values()].filter(({ state }) => !state.isDeleted);
  }

  #ofOwner(owner: string): readonly Job[] {
    return [...(this.#byOwner.get(owner)?.values() ?? [])];
  }

  #known(by: string, id: string) {
    const job = this.#byId.get(id);
    const isHis = job?.state.owner === by && !job.state.isDeleted;
    return found(isHis ? job : undefined, 'reliableDownlink.unknown', `There is no job ${id}.`);
  }

  /** A device that was another's is a stranger to that one's jobs. */
  #jobsWith(owner: string, devEui: string): (readonly [Job, place: number])[] {
    const jobs: (readonly [Job, number])[] = [];
    for (const { number, place } of this.#places.of(devEui)) {
      const job = this.#byNumber.get(number);
      if (job?.state.owner === owner) jobs.push([job, place]);
    }
    return jobs;
  }

  /** What a job does, and then what others know of it. */
  #change(job: Job, work: () => void): void {
    const ran = this.#active.has(job) && job.state.status === 'running';
    work();
    this.#note(job, ran);
    if (!job.state.isDeleted || !isOver(job)) return;
    this.#byNumber.delete(job.state.number);
    this.#byId.delete(job.state.id);
  }

  #note(job: Job, ran = false): void {
    const { status, owner, settings } = job.state;
    if (isOver(job)) this.#active.delete(job);
    else this.#active.add(job);
    const runs = status === 'running';
    if (runs === ran || settings.device_group_id === undefined) return;
    const key = keyOfOwned(owner, settings.device_group_id);
    const left = (this.#groups.get(key) ?? 0) + (runs ? 1 : -1);
    if (left === 0) this.#groups.delete(key);
    else this.#groups.set(key, left);
  }

  #keep(state: JobState): Job {
    const { downlinks, timers, watching, viewOf } = this.#needs;
    const { number, owner, id, settings, devEuis } = state;
    const job: Job = {
      state,
      downlink: fromHex(settings.downlink_hex),
      expected: fromHex(settings.expected_uplink_hex),
      stored: new CachedFold(),
      downlinks,
      timers,
      watching,
      get view() {
        return viewOf(owner);
      },
      has: (place, has) => {
        const devEui = devEuis[place]!;
        if (has) this.#places.take(devEui, { number, place, round: number });
        else this.#places.leave(devEui, number);
      },
    };
    assert(number > this.#largestNumber, 'jobs come by number, ascending');
    this.#largestNumber = number;
    this.#byNumber.set(number, job);
    this.#byId.set(id, job);
    if (!state.isDeleted) {
      const owned = this.#byOwner.get(owner) ?? new Map<number, Job>();
      this.#byOwner.set(owner, owned.set(number, job));
    }
    return job;
  }
}

const GROUP_ID = '/device_group_id';

export const reliableDownlinkResource = declareResource({
  name: 'reliableDownlink',
  is: 'Jobs that repeat a downlink until the device sends the expected uplink.',
  permission: 'Device',
  failures: FAILURES,
  operations: OPERATIONS,
  timerSpace: 2,
  make: (needs: JobNeeds) => new ReliableDownlinks(needs),
});
