/** Operations of the host on its clock, and on the jobs that advance it. */
import type { Fields, Given, Kind } from '../../core/kit/fields.ts';
import { STAGES } from '../../core/update-service/campaigns/stages.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import type { Wanted } from './advance.ts';
import { type Pace, SPEEDS } from './clock.ts';
import { type HostAsking, hostOperation } from './host-operation.ts';
import { JOB_STATES } from './jobs.ts';
import type { AdvanceJob, ServedWorld } from './served-world.ts';
import { instantAt, simTimeOf } from './sim-time.ts';

// ── what is given ────────────────────────────────────────────────────────────────────────────────

const SPEED = {
  type: 'either',
  kinds: [
    { type: 'number', ...SPEEDS },
    { type: 'choice', words: ['max'], allowed: 'max' },
  ],
  failure: 'clock.malformed',
} as const satisfies Kind;

const PACE = {
  paused: { type: 'flag', failure: 'clock.malformed', is: 'Whether the clock stands still.' },
  speed: {
    ...SPEED,
    is: 'Virtual seconds a second; max: as fast as the world can.',
  },
  until: {
    type: 'instant',
    null: 'nothing',
    failure: 'clock.malformed',
    is: 'Virtual instant at which the clock pauses by itself; null: it does not.',
  },
} as const satisfies Fields;

/** Longer than any served world lasts, s. */
const MOST_S = 4_000_000_000;

const ADVANCE = {
  by: {
    type: 'number',
    least: 0,
    most: MOST_S,
    unit: 's',
    failure: 'advance.malformed',
    is: 'Goes on by so much virtual time.',
  },
  to: {
    type: 'instant',
    failure: 'advance.malformed',
    is: 'Goes on to this virtual instant.',
  },
  until: {
    type: 'either',
    kinds: [
      { type: 'choice', words: ['idle'], allowed: 'idle' },
      {
        type: 'record',
        fields: {
          campaign_id: { type: 'text', least: 0, required: true, is: 'The campaign.' },
          stage: { type: 'choice', words: STAGES, required: true, is: 'The name of the stage.' },
        },
      },
    ],
    allowed: 'idle, or a campaign_id and a stage',
    failure: 'advance.malformed',
    is:
      'Goes on until nothing is to come or underway that anybody waits for (no campaign that is ' +
      'not over, or is being deleted, and no application downlink), or until a campaign is in a ' +
      'stage: by 30 virtual days at most, and no further than the campaign’s end.',
  },
} as const satisfies Fields;

type Asked = Given<typeof ADVANCE>;

// ── what is answered ─────────────────────────────────────────────────────────────────────────────

const instant = { type: 'instant', required: true } as const;
const count = { type: 'whole', least: 0, most: Number.MAX_SAFE_INTEGER, required: true } as const;

const CLOCK = {
  now: { ...instant, is: 'Virtual time.' },
  started_at: { ...instant, is: 'Virtual time at which the world began.' },
  paused: { type: 'flag', required: true, is: 'Whether the clock stands still.' },
  speed: { ...SPEED, required: true, is: 'Virtual seconds a second; max: as fast as can be.' },
  until: { ...instant, null: 'nothing', is: 'Instant at which the clock pauses; null: never.' },
  behind_s: {
    type: 'number',
    least: 0,
    most: MOST_S,
    unit: 's',
    required: true,
    is:
      'Virtual time by which the world is behind its clock, since it cannot go as fast; 0 while ' +
      'the clock stands still, is advanced, or goes as fast as can be.',
  },
  events: { ...count, is: 'Events that have happened so far.' },
  job_id: {
    type: 'text',
    null: 'nothing',
    required: true,
    is: 'The job that advances the clock; null: none does.',
  },
} as const satisfies Fields;

const REACHED =
  'Whether what was asked for is there; false where time or the campaign ended first.';

const JOB = {
  job_id: { type: 'text', required: true, is: 'Its id.' },
  kind: { type: 'choice', words: ['advance'], required: true, is: 'What it does.' },
  state: { type: 'choice', words: JOB_STATES, required: true, is: 'Whether it is over, and how.' },
  asked: { type: 'record', fields: ADVANCE, required: true, is: 'What was asked for.' },
  started_at: { ...instant, is: 'Virtual time at which it began.' },
  now: { ...instant, is: 'Virtual time to which it has come.' },
  ends_by: { ...instant, is: 'Virtual time at which it ends at the latest.' },
  events: { ...count, is: 'Events that have happened since it began.' },
  reached: { type: 'flag', null: 'nothing', required: true, is: `${REACHED} null: it is running.` },
} as const satisfies Fields;

const record = <const F extends Fields>(fields: F) => ({ type: 'record', fields }) as const;

/** A list of all that are kept. */
const JOBS = {
  jobs: {
    type: 'list',
    of: record(JOB),
    most: 100,
    required: true,
    is: 'The latest jobs, the oldest first.',
  },
} as const satisfies Fields;

const ADVANCED = {
  ...CLOCK,
  reached: { type: 'flag', required: true, is: REACHED },
} as const satisfies Fields;

const job_id = { type: 'text', least: 0, required: true, is: 'The job.' } as const;

const S_US = 1_000_000;

const READ = { object: 'Simulator', verb: 'get' } as const;
const CHANGE = { object: 'Simulator', verb: 'change' } as const;

/** The clock's and the jobs' operations, by kind. */
export function clockOperations(served: ServedWorld) {
  const { facts } = served;
  const timeOf = (atUs: number): string => simTimeOf(facts, atUs);

  const clock = () => {
    const { isPaused, speed, untilUs } = served.pace;
    return {
      now: served.simTime,
      started_at: timeOf(0),
      paused: isPaused,
      speed,
      until: untilUs === Number.POSITIVE_INFINITY ? null : timeOf(untilUs),
      behind_s: served.behindUs / S_US,
      events: served.events,
      job_id: served.advancing ?? null,
    };
  };

  const told = ({ id, asked, state, startedAtUs, startedEvents, endsByUs, end }: AdvanceJob) => ({
    job_id: id,
    kind: 'advance',
    state,
    asked,
    started_at: timeOf(startedAtUs),
    now: timeOf(end?.atUs ?? served.nowUs),
    ends_by: timeOf(endsByUs),
    events: (end?.events ?? served.events) - startedEvents,
    reached: end?.isReached ?? null,
  });

  const jobOf = (id: string): Result<AdvanceJob> => {
    const job = served.jobs.get(id);
    return job === undefined ? fail('job.unknown', `There is no job ${id}.`) : ok(job);
  };

  return {
    'clock.get': hostOperation({
      is: 'The clock of the world: where it is, and how fast it goes.',
      takes: {},
      answers: record(CLOCK),
      fails: {},
      needs: READ,
      handle: () => {
        served.catchUp();
        return ok(clock());
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
      },
      needs: CHANGE,
      handle: ({ paused, speed, until }) => {
        served.catchUp();
        const changes: Partial<Pace> = {
          ...(paused === undefined ? {} : { isPaused: paused }),
          ...(speed === undefined ? {} : { speed }),
          ...(until === undefined ? {} : { untilUs: untilOf(until) }),
        };
        const set = served.setPace(changes);
        return set.ok ? ok(clock()) : set;
      },
    }),
    'clock.advance': hostOperation({
      is:
        'Goes on at full speed, whatever the speed of the clock, which goes on from there. It ' +
        'takes exactly one of by, to and until. A caller who does not wait gets a job; one who ' +
        'waits and goes away has cancelled it.',
      takes: ADVANCE,
      answers: record(ADVANCED),
      fails: {
        'advance.malformed': 'malformed',
        'clock.past': 'malformed',
        'clock.too-far': 'malformed',
        'campaign.unknown': 'unknown',
        'clock.advancing': 'conflict',
        'advance.cancelled': 'conflict',
        'world.stopped': 'unavailable',
      },
      needs: CHANGE,
      handle: (asked, asking) => {
        served.catchUp();
        const wanted = wantedOf(asked, asking);
        return wanted.ok ? advance(wanted.value, asked, asking) : wanted;
      },
    }),
    'job.list': hostOperation({
      is: 'Jobs of the host, the latest 100.',
      takes: {},
      answers: record(JOBS),
      fails: {},
      needs: { object: 'Simulator', verb: 'list' },
      handle: () => ok({ jobs: served.jobs.list().map(told) }),
    }),
    'job.get': hostOperation({
      is: 'A job of the host.',
      takes: { job_id },
      answers: record(JOB),
      fails: { 'job.unknown': 'unknown' },
      needs: READ,
      handle: ({ job_id }) => andTell(jobOf(job_id)),
    }),
    'job.cancel': hostOperation({
      is: 'Cancels a job that is running; the world stays where it is.',
      takes: { job_id },
      answers: record(JOB),
      fails: { 'job.unknown': 'unknown', 'job.not-running': 'conflict' },
      needs: { object: 'Simulator', verb: 'delete' },
      handle: ({ job_id }) => {
        const job = jobOf(job_id);
        if (job.ok && job.value.state !== 'running') {
          return fail('job.not-running', `The job ${job_id} is ${job.value.state}.`);
        }
        if (job.ok) served.cancelAdvance();
        return andTell(jobOf(job_id));
      },
    }),
  };

  function andTell(job: Result<AdvanceJob>) {
    return job.ok ? ok(told(job.value)) : job;
  }

  function untilOf(until: string | null): number {
    return until === null ? Number.POSITIVE_INFINITY : instantAt(facts, until);
  }

  function wantedOf({ by, to, until }: Asked, asking: HostAsking): Result<Wanted> {
    const given = [by, to, until].filter((one) => one !== undefined);
    if (given.length !== 1) {
      return fail('advance.malformed', 'An advance takes exactly one of by, to and until.');
    }
    if (by !== undefined) {
      return ok({ kind: 'instant', atUs: served.nowUs + Math.round(by * S_US) });
    }
    if (to !== undefined) return ok({ kind: 'instant', atUs: instantAt(facts, to) });
    if (until === 'idle' || until === undefined) return ok({ kind: 'idle' });
    const { campaign_id: campaignId, stage } = until;
    if (facts.stagesOf(asking.by, campaignId) === undefined) {
      const message = `There is no campaign ${campaignId}.`;
      return fail('campaign.unknown', message, '/until/campaign_id');
    }
    return ok({ kind: 'stage', by: asking.by, campaignId, stage });
  }

  function advance(wanted: Wanted, asked: Asked, { respondAsync, signal }: HostAsking) {
    if (respondAsync) {
      const job = served.advance(wanted, asked);
      if (!job.ok) return job;
      return { location: `/sim/v1/jobs/${job.value.id}`, value: told(job.value) };
    }
    return new Promise<Result<unknown>>((resolve) => {
      const cancel = () => served.cancelAdvance();
      const job = served.advance(wanted, asked, (ended) => {
        signal.removeEventListener('abort', cancel);
        resolve(answerOf(ended));
      });
      if (!job.ok) return resolve(job);
      if (signal.aborted) return cancel();
      signal.addEventListener('abort', cancel);
    });
  }

  function answerOf({ state, end }: AdvanceJob): Result<unknown> {
    if (state === 'finished') return ok({ ...clock(), reached: end!.isReached });
    if (state === 'failed') {
      return fail('world.stopped', 'A broken invariant has stopped this world.');
    }
    return fail('advance.cancelled', `The advance was cancelled at ${timeOf(end!.atUs)}.`);
  }
}
