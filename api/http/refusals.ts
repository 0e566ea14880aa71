/**
 * Responses to requests that the HTTP layer refuses, and to internal errors, in the error format of
 * the path's family.
 */
import type { FastifyInstance } from 'fastify';
import { fail } from '../../sim/base/result.ts';
import { pathOf, sendRefusal } from './answering.ts';
import { bodyRefusal } from './json-body.ts';
import { headRefusal } from './limits.ts';
import { Refusal } from './refusal.ts';
import { worldIn } from './world-path.ts';

/** To be called first: of several hooks the first one that refuses is heard. */
export function refuse(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => done(headRefusal(request.raw)));
  app.setNotFoundHandler(({ url }, reply) => {
    const world = worldIn(url);
    const { failure } =
      world === undefined
        ? fail('path.unknown', `There is no ${pathOf(url)}.`)
        : fail('world.unknown', `There is no world ${world.id}, or not any more.`);
    return sendRefusal(reply, new Refusal(404, failure));
  });
  app.setErrorHandler((error, request, reply) => {
    const refusal =
      error instanceof Refusal ? error : (bodyRefusal(error) ?? refusalOf(error as FastifyFault));
    if (refusal.status >= 500) request.log.error({ err: error }, 'an own fault');
    return sendRefusal(reply, refusal);
  });
}

interface FastifyFault extends Error {
  readonly statusCode?: number;
  readonly code?: string;
}

/** What fastify itself refuses: a path that cannot be decoded, or a segment that is too long. */
export function refusalOf({ statusCode = 500, code = '', message }: FastifyFault): Refusal {
  const isOurs = statusCode >= 500;
  const { failure } = isOurs
    ? fail('server.fault', 'The emulator itself is at fault here; its log says more.')
    : fail(CODES[code] ?? 'request.malformed', message);
  return new Refusal(isOurs ? 500 : statusCode, failure);
}

const CODES: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'path.malformed',
  FST_ERR_MAX_PARAM_LENGTH: 'url.too-long',
};
