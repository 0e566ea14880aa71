/** Operations of the host on its clock, and on the jobs that advance it. */
import { record } from '../../../core/rows/answers.ts';
import { andThen, fail, ok, type Result } from '../../../sim/base/result.ts';
import type { Given } from '../../../sim/base/rows/fields.ts';
import type { Wanted } from '../clock/advance.ts';
import type { Pace } from '../clock/clock.ts';
import {
  ADVANCE,
  ADVANCED,
  type AskedAdvance,
  CLOCK,
  JOB,
  JOBS,
  PACE,
} from '../clock/clock-fields.ts';
import { MOST_JOBS } from '../clock/jobs.ts';
import { instantAt, simTimeOf } from '../clock/sim-time.ts';
import { type HostAsking, hostOperation } from '../requests/host-operation.ts';
import type { AdvanceJob, ServedWorld } from './served-world.ts';

const S_US = 1_000_000;

const job_id = { type: 'text', least: 0, required: true, is: 'The job.' } as const;

const READ = { object: 'Simulator', verb: 'get' } as const;
const CHANGE = { object: 'Simulator', verb: 'change' } as const;

/** The clock's and the jobs' operations, by kind. */
export const clockOperations = (served: ServedWorld) => ({
  ...ofClock(served),
  ...ofJobs(served),
});

function ofClock(served: ServedWorld) {
  return {
    'clock.get': hostOperation({
      is: 'The clock of the world: where it is, and how fast it goes.',
      takes: {},
      answers: record(CLOCK),
      fails: {},
      needs: READ,
      handle: () => {
        served.catchUp();
        return ok(clockOf(served));
      },
    }),
    'clock.set': hostOperation({
      is: 'Changes how the clock goes on from here; what is not given stays as it is.',
      takes: PACE,
      answers: record(CLOCK),
      fails: {
        'clock.malformed': 'malformed',
        'clock.past': 'malformed',
        'clock.too-far': 'malformed',
        'clock.advancing': 'conflict',
        'world.stopped': 'unavailable',
      },
      needs: CHANGE,
      handle: (asked) => {
        served.catchUp();
        const set = served.setPace(changesOf(served, asked));
        return set.ok ? ok(clockOf(served)) : set;
      },
    }),
    'clock.advance': hostOperation({
      is:
        'Goes on at full speed, whatever the speed of the clock, which goes on from there. It ' +
        'takes exactly one of by, to and until. A caller who does not wait gets a job; one who ' +
        'waits and goes away has cancelled it.',
      takes: ADVANCE,
      answers: record(ADVANCED),
      meanwhile: record(JOB),
      fails: {
        'advance.malformed': 'malformed',
        'clock.past': 'malformed',
        'clock.too-far': 'malformed',
        'campaign.unknown': 'malformed',
        'clock.advancing': 'conflict',
        'advance.cancelled': 'conflict',
        'world.stopped': 'unavailable',
      },
      needs: CHANGE,
      handle: (asked, asking) => {
        served.catchUp();
        const wanted = wantedOf(served, asked, asking);
        return wanted.ok ? advance(served, wanted.value, asked, asking) : wanted;
      },
    }),
  };
}

function ofJobs(served: ServedWorld) {
  return {
    'job.list': hostOperation({
      is: `Jobs of the host, the latest ${MOST_JOBS}.`,
      takes: {},
      answers: record(JOBS),
      fails: {},
      needs: { object: 'Simulator', verb: 'list' },
      handle: () => ok({ jobs: served.jobs.list().map((job) => responseField(served, job)) }),
    }),
    'job.get': hostOperation({
      is: 'A job of the host.',
      takes: { job_id },
      answers: record(JOB),
      fails: { 'job.unknown': 'unknown' },
      needs: READ,
      handle: ({ job_id }) =>
        andThen(jobOf(served, job_id), (job) => ok(responseField(served, job))),
    }),
    'job.cancel': hostOperation({
      is: 'Cancels a job that is running; the world stays where it is.',
      takes: { job_id },
      answers: record(JOB),
      fails: { 'job.unknown': 'unknown', 'job.not-running': 'conflict' },
      needs: { object: 'Simulator', verb: 'delete' },
      handle: ({ job_id }) =>
        andThen(jobOf(served, job_id), ({ state }) => {
          if (state !== 'running') {
            return fail('job.not-running', `The job ${job_id} is ${state}.`);
          }
          return ok(responseField(served, served.cancelAdvance()));
        }),
    }),
  };
}

// ── responses ─────────────────────────────────────────────────────────────────────────────

function clockOf(served: ServedWorld) {
  const { facts, pace, simTime, behindUs, events, advancing } = served;
  return {
    now: simTime,
    started_at: simTimeOf(facts, 0),
    paused: pace.isPaused,
    speed: pace.speed,
    until: pace.untilUs === Number.POSITIVE_INFINITY ? null : simTimeOf(facts, pace.untilUs),
    behind_s: behindUs / S_US,
    events,
    job_id: advancing ?? null,
  };
}

function responseField(served: ServedWorld, job: AdvanceJob) {
  const { facts, nowUs, events } = served;
  const { id, asked, state, startedAtUs, startedEvents, endsByUs, end } = job;
  return {
    job_id: id,
    kind: 'advance',
    state,
    asked,
    started_at: simTimeOf(facts, startedAtUs),
    now: simTimeOf(facts, end?.atUs ?? nowUs),
    ends_by: simTimeOf(facts, endsByUs),
    events: (end?.events ?? events) - startedEvents,
    reached: end?.isReached ?? null,
  };
}

function jobOf({ jobs }: ServedWorld, id: string): Result<AdvanceJob> {
  const job = jobs.get(id);
  return job === undefined ? fail('job.unknown', `There is no job ${id}.`) : ok(job);
}

// ── what is asked ────────────────────────────────────────────────────────────────────────────────

function changesOf({ facts }: ServedWorld, { paused, speed, until }: Given<typeof PACE>) {
  const untilUs = until == null ? Number.POSITIVE_INFINITY : instantAt(facts, until);
  const changes: Partial<Pace> = {
    ...(paused === undefined ? {} : { isPaused: paused }),
    ...(speed === undefined ? {} : { speed }),
    ...(until === undefined ? {} : { untilUs }),
  };
  return changes;
}

function wantedOf(
  { facts, nowUs }: ServedWorld,
  { by, to, until }: AskedAdvance,
  asking: HostAsking,
): Result<Wanted> {
  if ([by, to, until].filter((one) => one !== undefined).length !== 1) {
    return fail('advance.malformed', 'An advance takes exactly one of by, to and until.');
  }
  if (by !== undefined) return ok({ kind: 'instant', atUs: nowUs + Math.round(by * S_US) });
  if (to !== undefined) return ok({ kind: 'instant', atUs: instantAt(facts, to) });
  if (until === undefined || until === 'idle') return ok({ kind: 'idle' });
  const { campaign_id: campaignId, stage } = until;
  if (facts.stagesOf(asking.by, campaignId) === undefined) {
    const message = `There is no campaign ${campaignId}.`;
    return fail('campaign.unknown', message, '/until/campaign_id');
  }
  return ok({ kind: 'stage', by: asking.by, campaignId, stage });
}

function advance(
  served: ServedWorld,
  wanted: Wanted,
  asked: AskedAdvance,
  { respondAsync, signal }: HostAsking,
) {
  let onEnd: (job: AdvanceJob) => void = () => undefined;
  const job = served.advance(wanted, asked, (ended) => onEnd(ended));
  if (!job.ok) return job;
  if (respondAsync) {
    const lookAt = { kind: 'job.get', asked: { job_id: job.value.id } };
    return { lookAt, value: responseField(served, job.value) };
  }
  return new Promise<Result<unknown>>((resolve) => {
    const cancel = () => void served.cancelAdvance();
    onEnd = (ended) => {
      signal.removeEventListener('abort', cancel);
      resolve(answerOf(served, ended));
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel);
  });
}

function answerOf(served: ServedWorld, { state, end }: AdvanceJob): Result<unknown> {
  if (state === 'finished') return ok({ ...clockOf(served), reached: end!.isReached });
  if (state === 'failed') {
    return fail('world.stopped', 'A broken invariant has stopped this world.');
  }
  const at = simTimeOf(served.facts, end!.atUs);
  return fail('advance.cancelled', `The advance was cancelled at ${at}.`);
}
