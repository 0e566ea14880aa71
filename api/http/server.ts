/**
 * The HTTP server: joins route rows with operations, tokens and errors. START HERE.
 *
 * A request is authenticated and permitted, its fields are found (requests.ts), and the platform or
 * the host is asked. Nothing of a resource is decided on the way.
 */
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { makeRequestIds } from '../host/process/logger.ts';
import { cacheLatest } from '../host/process/one-value-cache.ts';
import { AnswerStore } from '../host/requests/response-store.ts';
import { makeWatch, watchOperations } from '../host/watching/watch.ts';
import { pathOf, sendRefusal } from './answering.ts';
import { boundBodies } from './body-budget.ts';
import { type CheckOf, compilers } from './compilers.ts';
import { addDocsPage } from './docs-page.ts';
import { FAMILIES, type Family, PLACES } from './families.ts';
import { addFamily } from './family-routes.ts';
import { answerOnce } from './idempotency.ts';
import { acceptJson } from './json-body.ts';
import { boundRoutes, fastifyOptions, SERVER_LIMITS } from './limits.ts';
import { ListPlaces } from './list-stream.ts';
import { addDocuments } from './openapi.ts';
import { refusalOf, refuse } from './refusals.ts';
import type { EntryOptions } from './served.ts';
import { strikeRequests } from './watching/faults.ts';
import { addMetrics, tallyRequests } from './watching/metrics.ts';
import { watchRequests } from './watching/watch.ts';

/**
 * The complete server of a world; front.ts listens. The order of plugins matters: the OpenAPI
 * plugin sees later routes only, OAuth parses forms instead of JSON, and idempotency keys apply to
 * later routes.
 */
export async function makeEntry(options: EntryOptions): Promise<FastifyInstance> {
  const { auth, ca, served, checkAnswers = false } = options;
  const checkOf = checkAnswers ? (await import('./answer-check.ts')).checkOf : undefined;
  const app = emptyEntry(options, checkOf);
  if (options.bodyBytes !== undefined) boundRoutes(app, options.bodyBytes);
  const { now = Date.now, keys } = options;
  const answeredBefore = answerOnce(app, new AnswerStore(now), keys, now);
  const watch = makeWatch(served, PLACES, options.records);
  strikeRequests(app, watch.faults, served);
  watchRequests(app, watch, served);
  if (options.tally !== undefined) tallyRequests(app, options.tally);
  await addDocuments(app);
  addDocsPage(app, () => emptyEntry(options));
  await app.register(auth.routes);
  if (ca !== undefined) app.get('/sim/ca.pem', HIDDEN, async (_, reply) => await sendCa(reply, ca));
  if (options.metrics !== undefined) addMetrics(app, options.metrics);
  acceptJson(app);
  boundBodies(app);
  const host = { ...options.host, ...watchOperations(watch, served) };
  const { coverage } = watch;
  const places = new ListPlaces();
  const common = { options: { ...options, host }, answeredBefore, coverage, places, checkOf };
  const add = (family: Family, prefix: string, isShown: boolean) =>
    app.register(async (scope) => addFamily(scope, family, common, isShown), { prefix });
  for (const family of FAMILIES) {
    add(family, family.prefix, true);
    if (family.alias !== undefined) add(family, family.alias, false);
  }
  return app;
}

/** Without a route, but with what is true of all of them. */
function emptyEntry(
  { served, clock = () => served, logger, bodyBytes, path = '' }: EntryOptions,
  checkOf?: CheckOf,
): FastifyInstance {
  const stamp = stampOf(clock);
  const app = fastify({
    ...(logger === undefined ? {} : { loggerInstance: logger }),
    schemaController: compilers(checkOf),
    ...fastifyOptions(SERVER_LIMITS, bodyBytes),
    genReqId: makeRequestIds(),
    frameworkErrors: (error, _request, reply) => {
      stamp(reply);
      return sendRefusal(reply, refusalOf(error));
    },
    rewriteUrl: ({ url = '/' }) => (url.includes('%3') ? withColons(url) : url),
  });
  app.decorate('worldPath', path);
  for (const name of ['identity', 'sent', 'watched']) app.decorateRequest(name);
  refuse(app);
  app.addHook('onSend', (_request, reply, payload, done) => {
    stamp(reply);
    done(null, payload);
  });
  return app;
}

const HIDDEN = { schema: { hide: true } };

/** What clients have to trust, as `curl --cacert` takes it. */
const sendCa = (reply: FastifyReply, ca: string) => reply.type('application/x-pem-file').send(ca);

/** Clients may write the colon of a verb as `%3A`. */
function withColons(url: string): string {
  const path = pathOf(url);
  return path.includes('%3') ? path.replaceAll(/%3A/gi, ':') + url.slice(path.length) : url;
}

/** Adds the virtual time to every response, also as HTTP's Date header. */
function stampOf(clock: NonNullable<EntryOptions['clock']>): (reply: FastifyReply) => void {
  const dateOf = cacheLatest((second: number) => new Date(1000 * second).toUTCString());
  return (reply) => {
    const { simTime, unixMs } = clock();
    reply.header('x-sim-time', simTime);
    reply.header('date', dateOf(Math.floor(unixMs / 1000)));
    reply.header('x-content-type-options', 'nosniff');
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  };
}
