/** What holds of every answer, whatever was asked. */
import { bodyOf } from '../../../api/http/errors.ts';
import { familyOf } from '../../../api/http/families.ts';
import { assert } from '../../../sim/base/assert.ts';
import type { Case, Request } from './cases.ts';
import { OF_REQUESTS, type Operation } from './document.ts';
import { type Answer, type Fleet, NAMES, type Name } from './fleet.ts';
import { namedBy, type Pools } from './pools.ts';

/**
 * What the entry point itself refuses, of any operation: unknown, method, sizes, type, header
 * lines.
 */
const OF_THE_SERVER = new Set([404, 405, 413, 414, 415, 431]);

/** What is wrong with an answer; undefined: all laws hold. */
export function faultOf(
  fleet: Fleet,
  given: Case,
  request: Request,
  answer: Answer,
): string | undefined {
  const { statusCode: status, headers } = answer;
  const { operation, twist } = given;
  const isElsewhere = ['wrong-method', 'wrong-path', 'broken-percent'].includes(twist);
  const code = codeOf(answer);
  const isReplay = code?.startsWith('idempotency.') === true && status === 409;
  if (headers['x-sim-time'] === undefined) return 'the answer does not tell the virtual time';
  if (isElsewhere) return status >= 500 ? `status ${status}` : errorFault(fleet, request, answer);
  if (!operation.answers.has(status) && !OF_THE_SERVER.has(status) && !isReplay) {
    return `status ${status} is not documented`;
  }
  if (status >= 500 && code !== 'subscriber.full') return `status ${status}`;
  if (status >= 400) return errorFault(fleet, request, answer);
  return successFault(fleet, operation, answer) ?? acceptedFault(fleet, given, request, answer);
}

function codeOf({ body }: Answer): string | undefined {
  try {
    const response = JSON.parse(body) as { code?: unknown; details?: { reason?: string }[] };
    return typeof response.code === 'string' ? response.code : response.details?.[0]?.reason;
  } catch {
    return undefined;
  }
}

/** The error of the family of the path, or as RFC 9457 has it where that is asked for. */
function errorFault(fleet: Fleet, { url, method, headers }: Request, answer: Answer) {
  const { statusCode: status, body } = answer;
  if (status < 400 || method === 'HEAD') return undefined;
  // It was worded for the request that came first.
  if (answer.headers['idempotency-replayed'] !== undefined) return undefined;
  const wantsProblem = headers.accept?.includes('application/problem+json') === true;
  const shape = wantsProblem ? 'problem' : (familyOf(url.split('?')[0]!)?.errors ?? 'problem');
  const media = shape === 'problem' ? 'application/problem+json' : 'application/json';
  if (answer.headers['content-type'] !== `${media}; charset=utf-8`) {
    return `an error of type ${answer.headers['content-type']}`;
  }
  const name = { detail: 'UpdateServiceError', status: 'StatusError', problem: 'Problem' }[shape];
  const response: unknown = JSON.parse(body);
  const fault = fleet.judge.fault(fleet.schemaOf(name), response);
  if (fault !== undefined) return `an error that is no ${name}: ${fault}`;
  const known = Object.keys(bodyOf(shape, WHOLE));
  const extra = Object.keys(response as object).find((key) => !known.includes(key));
  if (extra !== undefined) return `an error with ${extra}`;
  if (/\bat \S+ \(|node_modules|\.ts:\d|\/tmp\//.test(body))
    return 'an error reports of the inside';
  if (status === 405 && !answer.headers.allow) return 'a 405 without Allow';
  if (status === 401 && !answer.headers['www-authenticate']) return 'a 401 without a challenge';
  return undefined;
}

const WHOLE = { status: 400, code: 'a.b', message: 'a', loc: ['body', 'a'], instance: '/' };

function successFault(fleet: Fleet, { answers }: Operation, answer: Answer): string | undefined {
  const { statusCode: status, body, headers } = answer;
  const schemas = answers.get(status);
  if (schemas === undefined) return `status ${status} is not documented`;
  if (schemas.size === 0) return body === '' ? undefined : `${status} with a body`;
  const media = String(headers['content-type']).split(';')[0]!;
  const schema = schemas.get(media);
  if (schema === undefined) return `an answer of type ${media}`;
  const value: unknown = media === 'application/json' ? JSON.parse(body) : body;
  const fault = fleet.judge.fault(schema, value);
  return fault === undefined ? undefined : `an answer that is not of its schema: ${fault}`;
}

/** What the schema of the body refuses is not accepted. */
function acceptedFault(fleet: Fleet, { operation }: Case, request: Request, answer: Answer) {
  const isJson = operation.body?.media === 'application/json';
  if (!isJson || !('body' in request) || answer.headers['idempotency-replayed']) return undefined;
  const fault = fleet.judge.fault(operation.body!.schema, request.body);
  return fault === undefined ? undefined : `accepted, though the schema refuses it: ${fault}`;
}

// ── what a refusal leaves behind ─────────────────────────────────────────────────────────────────

/** All that requests may change, but for the log. */
export interface Trace {
  readonly digest: string;
  readonly entries: number;
  readonly rest: string;
}

export function traceOf({ served }: Fleet): Trace {
  const { nowUs, events, pace } = served;
  const accounts = served.facts.accounts.subscriber.all.length;
  const jobs = served.jobs.list().map(({ id, state }) => `${id} ${state}`);
  const rest = JSON.stringify({ nowUs, events, pace, accounts, jobs: jobs.slice(-3) });
  return { digest: JSON.stringify(served.digest()), entries: served.log.length, rest };
}

/** A refusal changes nothing; one that never came to the log leaves no trace in digests either. */
export function traceFault(before: Trace, after: Trace): string | undefined {
  if (before.rest !== after.rest) return `a refusal changed ${before.rest} to ${after.rest}`;
  if (before.entries === after.entries && before.digest !== after.digest) {
    return 'a refusal that is not in the log changed the digest';
  }
  return undefined;
}

/** Operations that tell of commands, whatever became of them. */
const OF_THE_LOG: ReadonlySet<string> = new Set([
  'session.get',
  'world.get',
  'world.list',
  'world.find',
  'world.result',
  'world.report',
]);

/**
 * Status and bytes of every GET that the document has, by URL, for each subscriber and all that the
 * world has by the time. What reports of requests and commands themselves is left out.
 */
export async function answersOf(fleet: Fleet, pools: Pools): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const { method, path, id } of fleet.operations) {
    if (method !== 'GET' || OF_THE_LOG.has(id) || OF_REQUESTS.includes(id)) continue;
    for (const name of NAMES) {
      for (const url of urlsOf(path, name, pools)) {
        const { statusCode, body, headers } = await fleet.get(name, url);
        assert(statusCode < 500, `${url} answers ${statusCode}`);
        const time = String(headers['x-sim-time']);
        answers.set(`${name} ${url}`, `${statusCode} ${time} ${body}`);
      }
    }
  }
  return answers;
}

/** Of a path with a name in it at most three: the first, one in the middle, the latest. */
function urlsOf(path: string, of: Name, pools: Pools): string[] {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [path];
  const all = pools.get(of, pools.nameOf(namedBy(path, name)));
  const some = new Set(
    [all[0], all[all.length >> 1], all.at(-1)].filter((each) => each !== undefined),
  );
  return [...some].map((each) => path.replace(`{${name}}`, encodeURIComponent(each)));
}

export function firstDifference(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string | undefined {
  for (const [url, answer] of before) {
    if (after.get(url) !== answer) return `${url} answered ${answer}, and then ${after.get(url)}`;
  }
  return undefined;
}
