/** Rows of what callers give for a fault of the API, and of what they are answered. */
import { COUNT } from '../../../core/rows/answers.ts';
import type { Fields, Given } from '../../../sim/base/rows/fields.ts';

/** Longest wait of one rule, ms. */
const MOST_MS = 30_000;

const failure = 'apiFault.malformed';

/** What a fault does: exactly one of these. */
const KINDS = {
  latency_ms: {
    type: 'whole',
    least: 1,
    most: MOST_MS,
    failure,
    is: 'Delay in milliseconds of wall time; delays of several faults add up.',
  },
  status: {
    type: 'whole',
    least: 400,
    most: 599,
    failure,
    is: 'It answers this status of an error, in the words of the path’s family.',
  },
  broken_body: {
    type: 'flag',
    failure,
    is: 'It answers with the status of success and a body of JSON that breaks off.',
  },
  close_connection: {
    type: 'flag',
    failure,
    is: 'It closes the connection without an answer.',
  },
} as const satisfies Fields;

export const FAULT_KINDS = Object.keys(KINDS) as (keyof typeof KINDS)[];

export const FAULT = {
  method: {
    type: 'choice',
    words: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    failure,
    is: 'Of requests with this method; of all when absent.',
  },
  path: {
    type: 'text',
    most: 1_000,
    pattern: /^\/.*$/,
    allowed: 'a documented path such as /api/v3.2/campaigns/{campaign_id}, or a beginning with *',
    failure,
    is:
      'Of requests for this documented path, or for all that begin so where it ends with *; ' +
      'of all requests for the services when absent. What begins with /sim/v1/ or /oauth/ has to ' +
      'be named so; /sim/v1/faults never fails.',
  },
  operation: {
    type: 'text',
    most: 200,
    failure,
    is: 'Of requests for this operation, by its kind; of all when absent.',
  },
  probability: {
    type: 'number',
    least: 0,
    most: 1,
    unit: 'share',
    default: 1,
    failure,
    is: 'How likely it strikes each of them; draws follow from the seed of the world.',
  },
  count: {
    type: 'whole',
    least: 1,
    most: 1_000_000_000,
    failure,
    is: 'Number of times that it strikes at most; unlimited when absent.',
  },
  from: { type: 'instant', failure, is: 'Virtual instant from which it strikes.' },
  to: { type: 'instant', failure, is: 'Virtual instant from which it strikes no more.' },
  when: {
    type: 'choice',
    words: ['before', 'after'],
    default: 'before',
    failure,
    is:
      'Before: the operation is not carried out. After: it is carried out, and the client does ' +
      'not hear what came of it.',
  },
  ...KINDS,
  retry_after: {
    type: 'whole',
    least: 0,
    most: 86_400,
    unit: 's',
    failure,
    is: 'Retry-After of a status; 1 s of 429 and 503, and none of others, when absent.',
  },
} as const satisfies Fields;

/** What a fault was asked for. */
export type AskedFault = Given<typeof FAULT>;

export const RULE = {
  id: { type: 'text', required: true, is: 'Its id, counted from 1.' },
  ...FAULT,
  matched: {
    ...COUNT,
    required: true,
    is: 'Requests that it was about, until it had struck as often as it may.',
  },
  struck: { ...COUNT, required: true, is: 'Those of them that it struck.' },
} as const satisfies Fields;
