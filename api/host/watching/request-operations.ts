/** Operations of the host on the log of requests. */
import { COUNT, INSTANT, listOf, record } from '../../../core/rows/answers.ts';
import { ok } from '../../../sim/base/result.ts';
import { ANY_NUMBER, type Fields } from '../../../sim/base/rows/fields.ts';
import { hostOperation } from '../requests/host-operation.ts';
import { BODY_BYTES, LOG_BOUNDS, type RequestLog } from './request-log.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const TEXT = { type: 'text', least: 0, most: ANY_NUMBER, raw: true } as const;

const FILTER = {
  method: { type: 'choice', words: METHODS, is: 'Requests with this method.' },
  path: { type: 'text', most: 1_000, is: 'Requests whose path begins so.' },
  status: {
    type: 'text',
    pattern: /^[1-5](\d\d|xx)$/,
    allowed: 'a status such as 404, or a class such as 4xx',
    is: 'Requests that were answered so: a status, or a class such as 4xx.',
  },
  operation: { type: 'text', most: 200, is: 'Requests for this operation, by its kind.' },
  since: { type: 'whole', least: 0, most: ANY_NUMBER, is: 'Requests after the one with this id.' },
  limit: {
    type: 'whole',
    least: 1,
    most: LOG_BOUNDS.entries,
    default: 100,
    is: 'Largest number of requests in the response.',
  },
} as const satisfies Fields;

const BODY = record({
  bytes: { ...COUNT, required: true, is: 'Of the whole body.' },
  text: {
    ...TEXT,
    null: 'nothing',
    required: true,
    is:
      `Its first ${BODY_BYTES / 1024} KiB, without secrets; null where only the size is stored: ` +
      'files, streams, and what is no JSON.',
  },
  cut: { type: 'flag', required: true, is: 'Whether there is more than the text.' },
});

const NAME = { ...TEXT, null: 'nothing', required: true } as const;

const REQUEST = {
  id: { ...COUNT, required: true, is: 'Counted from 1.' },
  at: { ...INSTANT, required: true, is: 'Virtual time of its answer.' },
  wall_ms: {
    type: 'number',
    least: 0,
    most: ANY_NUMBER,
    required: true,
    is: 'Milliseconds of the wall’s clock that it took.',
  },
  method: { ...TEXT, required: true, is: 'Its method.' },
  path: { ...TEXT, required: true, is: 'Its path with its query, without secrets.' },
  operation: { ...NAME, is: 'The kind of its operation; null: the path has none.' },
  subscriber: { ...NAME, is: 'Who asked; null: nobody who is known.' },
  client_id: { ...NAME, is: 'The client that got the token; null as above.' },
  status: {
    ...COUNT,
    null: 'nothing',
    required: true,
    is: 'Of the answer; null: the connection was closed without one.',
  },
  request: { ...BODY, required: true, is: 'What was sent.' },
  answer: { ...BODY, required: true, is: 'What was answered.' },
} as const satisfies Fields;

const REQUESTS = {
  requests: { ...listOf(record(REQUEST)), required: true, is: 'The latest first.' },
} as const satisfies Fields;

/** `request.list` and `request.clear`, by kind. */
export const requestOperations = (log: RequestLog) => ({
  'request.list': hostOperation({
    is:
      `The latest requests of all clients: ${LOG_BOUNDS.entries} at most, and ` +
      `${LOG_BOUNDS.bytes / 1024 / 1024} MiB. Secrets stand as [redacted]. Requests for this log ` +
      'and for events are not among them.',
    takes: FILTER,
    answers: record(REQUESTS),
    fails: {},
    needs: { object: 'Simulator', verb: 'list' },
    handle: ({ limit = 100, ...filter }) => ok({ requests: log.list({ limit, ...filter }) }),
  }),
  'request.clear': hostOperation({
    is: 'Empties the log of requests; ids go on.',
    takes: {},
    answers: null,
    fails: {},
    needs: { object: 'Simulator', verb: 'delete' },
    handle: () => {
      log.clear();
      return ok(undefined);
    },
  }),
});
