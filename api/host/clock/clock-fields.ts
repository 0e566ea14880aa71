/** Rows of what callers give to the clock and its jobs, and of what they are answered. */
import { COUNT, INSTANT, record } from '../../../core/rows/answers.ts';
import { STAGES } from '../../../core/update-service/campaigns/stages.ts';
import type { Fields, Given, Kind } from '../../../sim/base/rows/fields.ts';
import { SPEEDS } from './clock.ts';
import { JOB_STATES, MOST_JOBS } from './jobs.ts';

// ── what is given ────────────────────────────────────────────────────────────────────────────────

const SPEED = {
  type: 'either',
  kinds: [
    { type: 'number', ...SPEEDS },
    { type: 'choice', words: ['max'], allowed: 'max' },
  ],
  failure: 'clock.malformed',
} as const satisfies Kind;

export const PACE = {
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

export const ADVANCE = {
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
      'not over, or is being deleted, no running reliable downlink job and no application ' +
      'downlink), or until a campaign is in a stage: by 30 virtual days at most, and no further ' +
      'than the campaign’s end.',
  },
} as const satisfies Fields;

/** What an advance was asked for. */
export type AskedAdvance = Given<typeof ADVANCE>;

// ── what is answered ─────────────────────────────────────────────────────────────────────────────

const instant = { ...INSTANT, required: true } as const;
const count = { ...COUNT, required: true } as const;

export const CLOCK = {
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

export const JOB = {
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

/** A list of all that are stored. */
export const JOBS = {
  jobs: {
    type: 'list',
    of: record(JOB),
    most: MOST_JOBS,
    required: true,
    is: 'The latest jobs, the oldest first.',
  },
} as const satisfies Fields;

export const ADVANCED = {
  ...CLOCK,
  reached: { type: 'flag', required: true, is: REACHED },
} as const satisfies Fields;
