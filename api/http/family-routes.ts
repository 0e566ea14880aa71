/** Puts the routes of a family on a fastify scope. */
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { fieldsReader } from '../../core/base/reading.ts';
import { isPermitted, permissionFor } from '../../core/rows/permissions.ts';
import { fail } from '../../sim/base/result.ts';
import type { Fields } from '../../sim/base/rows/fields.ts';
import { kindSchema } from '../../sim/base/rows/json-schema.ts';
import type { Identity } from '../host/accounts/accounts.ts';
import { TURNS } from '../host/process/turns.ts';
import type { Coverage, Tally } from '../host/watching/coverage.ts';
import {
  type Carry,
  carryHost,
  carryInSteps,
  carryPlatform,
  pathOf,
  type RouteContext,
} from './answering.ts';
import type { CheckOf } from './compilers.ts';
import { type RouteSchema, routeSchema, successOf } from './documentation.ts';
import type { Family } from './families.ts';
import type { AnsweredBefore } from './idempotency.ts';
import { takesBody } from './json-body.ts';
import { BULK_BODIES } from './limits.ts';
import type { ListPlaces } from './list-stream.ts';
import { Refusal } from './refusal.ts';
import { givenIn, type Parts } from './requests.ts';
import {
  type Binding,
  bindingOf,
  isCreation,
  METHODS,
  type Method,
  type Route,
  type ServedOperation,
} from './route.ts';
import { callerOf, type EntryOptions } from './served.ts';
import { hostOperations, PLATFORM } from './served-operations.ts';
import { addUpload, readUpload } from './uploads.ts';
import { type WatchedRoute, watchedRoute } from './watching/watched-route.ts';

/** What the routes of all families have in common. */
export interface Common {
  readonly options: EntryOptions;
  readonly answeredBefore: AnsweredBefore;
  readonly coverage: Coverage;
  readonly places: ListPlaces;
  /** In tests: what holds answers to their schemas. */
  readonly checkOf: CheckOf | undefined;
}

/** Routes that are added before the event loop does other work. */
const ROUTES_AT_ONCE = 8;

/** All routes of a family, and what refuses the methods that its paths do not have. */
export async function addFamily(
  scope: FastifyInstance,
  family: Family,
  common: Common,
  isShown: boolean,
): Promise<void> {
  for (const [at, route] of family.routes.entries()) {
    // A world that comes holds nobody up.
    if (at % ROUTES_AT_ONCE === 0) await setImmediate();
    const whole = wholeRoute(route, family, common);
    const shown = { ...whole, schema: { ...whole.schema, hide: !isShown } };
    if (route.upload === undefined) scope.route(shown);
    else addUpload(scope, shown);
  }
  for (const [url, methods] of byUrl(family.routes)) refuseOthers(scope, url, methods);
}

/** A row, and all that follows from its operation. */
function wholeRoute(route: Route, family: Family, common: Common): RouteOptions {
  const { options, answeredBefore, checkOf } = common;
  const { kind, media, lines, method, url, bulk } = route;
  const { operations, carry } = joined(route, common);
  const { takes, fails, inSteps, answers } = operations;
  const binding = bindingOf(route, takes);
  const check = inSteps && checkOf?.(kindSchema(answers!, 'answer'));
  const success = successOf(route, operations);
  const carried = carry({ kind, binding, success, fails, media, lines, check });
  const carryOut: Carry = (asked, request, reply) => {
    if (method !== 'GET') lookAtRefused(options.served, request);
    return carried(asked, request, reply);
  };
  const endsWithProcess = options.host[kind]?.endsWithProcess ?? false;
  const once: Carry = (asked, request, reply) =>
    answeredBefore(request, reply, { ...askedBy(request, asked), endsWithProcess })
      ? undefined
      : carryOut(asked, request, reply);
  const schema = routeSchema(route, operations, binding, family.errors);
  const tally = tallyOf(route, family, schema, common.coverage);
  const watched = watchedRoute(route, family, operations, binding, { success, tally });
  return {
    ...(bulk === undefined ? {} : takesBody(BULK_BODIES[bulk])),
    method,
    url: fastifyUrl(url),
    schema,
    onRequest: [watchedBy(watched), ...deprecationOf(route), faultFor(route, operations, options)],
    handler: handlerOf(route, takes, binding, isCreation(route, operations) ? once : carryOut),
  };
}

/** Throws a `Refusal` where refused commands of the subscriber fill the journal. */
function lookAtRefused(served: EntryOptions['served'], { identity }: FastifyRequest): void {
  const waitS = served.waitS?.(identity?.subscriber ?? '') ?? 0;
  if (waitS === 0) return;
  const message = `Too many bytes of commands that were refused; try again in ${waitS} s.`;
  throw new Refusal(429, fail('commands.refused', message).failure, { 'retry-after': `${waitS}` });
}

/**
 * Counts what is asked of a documented operation; undefined: it is none. Its statuses are those
 * that its schema has, but for those that faults and limits alone bring about.
 */
function tallyOf(
  { kind, method, url, beyond }: Route,
  { name, prefix }: Family,
  { response }: RouteSchema,
  coverage: Coverage,
): Tally | undefined {
  if (beyond || name === 'simulator') return undefined;
  const statuses = Object.keys(response).map(Number);
  const ofClients = statuses.filter((status) => status < 500 && !OF_LIMITS.includes(status));
  return coverage.add({ operation: kind, method, path: prefix + url, statuses: ofClients });
}

/** A URL that is too long, and too many requests. */
const OF_LIMITS = [414, 429];

/** Marks the request with its operation for later hooks. */
const watchedBy =
  (watched: WatchedRoute) => (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    request.watched = watched;
    done();
  };

/** Every answer of a deprecated route says so, and names its successor (RFC 9745, RFC 8288). */
function deprecationOf({ url, deprecated }: Route) {
  if (deprecated === undefined) return [];
  const { since, successor } = deprecated;
  return [
    ({ url: asked }: FastifyRequest, reply: FastifyReply, done: () => void) => {
      const prefix = reply.server.worldPath + pathOf(asked).slice(0, -url.length);
      reply.header('deprecation', `@${since}`);
      reply.header('link', `<${prefix}${successor}>; rel="successor-version"`);
      done();
    },
  ];
}

/** What is asked for is known at once, unless there is a file. */
function handlerOf({ upload }: Route, takes: Fields, binding: Binding, answer: Carry) {
  const given = (request: FastifyRequest) => givenIn(binding, request as Parts);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const file = upload === undefined ? {} : await readUpload(request, upload, takes);
    await inTurn(request, () => answer({ ...given(request), ...file }, request, reply));
    return reply;
  };
}

/** What an operation does at once is done in its caller's turn. */
const inTurn = (request: FastifyRequest, act: () => Promise<unknown> | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    TURNS.take(callerOf(request), () => {
      try {
        Promise.resolve(act()).then(() => resolve(), reject);
      } catch (error) {
        reject(error);
      }
    });
  });

const askedBy = ({ identity }: FastifyRequest, asked: unknown) => ({
  subscriber: identity.subscriber,
  caller: identity.as ?? '',
  // A stored response is not replayed to a caller with fewer permissions.
  asked: { asked, permissions: identity.permissions },
});

interface Joined {
  readonly operations: ServedOperation;
  readonly carry: (context: RouteContext) => Carry;
}

/** A route's operation, and what carries it out. */
function joined({ kind }: Route, { options: { served, host }, places }: Common): Joined {
  const operation = host[kind];
  const ofPlatform = PLATFORM.get(kind);
  // What a host adds to comes first: it asks the platform itself.
  if (operation === undefined && ofPlatform !== undefined) {
    const { isQuery, inSteps } = ofPlatform;
    return {
      operations: ofPlatform,
      carry: (context) =>
        inSteps ? carryInSteps(served, context, places) : carryPlatform(served, context, isQuery),
    };
  }
  if (operation === undefined) throw new Error(`no operation is ${kind}`);
  const at = { path: '', name: kind, failure: 'request.malformed' };
  const read = fieldsReader(operation.takes, at);
  return {
    operations: hostOperations(kind, operation),
    carry: (context) => carryHost(operation, (given) => read(given), context),
  };
}

/** Whose token it is, and whether that may do this; before anything of the body is read. */
function faultFor({ kind }: Route, { needs }: ServedOperation, { auth, simControl }: EntryOptions) {
  if (needs === null) return auth.admit;
  const needed = permissionFor(needs.object, needs.verb);
  const isClosed = needs.object === 'Simulator' && !simControl;
  const message = isClosed
    ? 'The simulator is not controlled from other machines unless --enable-sim-control allows it.'
    : `${kind} needs the permission ${needed}.`;
  const forbidden = fail(isClosed ? 'simulator.closed' : 'asker.forbidden', message).failure;
  const enter = (request: FastifyRequest, identity: Identity): Refusal | undefined => {
    request.identity = identity;
    const isFree = needs.open === true || isPermitted(identity.permissions, needed);
    const mayEnter = !isClosed && isFree;
    return mayEnter ? undefined : new Refusal(403, forbidden);
  };
  return (request: FastifyRequest, _reply: FastifyReply, done: (refused?: Error) => void) => {
    const known = auth.recognised(request);
    if (known !== undefined) return done(enter(request, known));
    auth.authenticate(request).then((identity) => done(enter(request, identity)), done);
  };
}

/** `{name}` as fastify has it; a colon of the path itself is doubled there. */
const fastifyUrl = (url: string): string =>
  url.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1');

function byUrl(routes: readonly Route[]): Map<string, Method[]> {
  const methods = new Map<string, Method[]>();
  for (const { url, method } of routes) methods.set(url, [...(methods.get(url) ?? []), method]);
  return methods;
}

/** What a path does not have: 405, and what it has. */
function refuseOthers(scope: FastifyInstance, url: string, methods: readonly Method[]): void {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  scope.route({
    method: [...METHODS.filter((method) => !methods.includes(method)), 'OPTIONS'],
    url: fastifyUrl(url),
    schema: { hide: true },
    onRequest: async ({ url: asked }) => {
      const { failure } = fail('method.not-allowed', `${pathOf(asked)} has ${allow} only.`);
      throw new Refusal(405, failure, { allow });
    },
    handler: () => undefined,
  });
}
