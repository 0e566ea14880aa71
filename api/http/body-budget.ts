/**
 * Bytes of bodies that are read at once: what a body may have is reserved while its request is
 * answered, and a request that finds no place is to come again. Small bodies are not counted.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from '../../sim/base/result.ts';
import { MOST_BODY_BYTES } from './limits.ts';
import { Refusal } from './refusal.ts';

const MIB = 1024 * 1024;

/** Of all connections together. */
const MOST_BYTES = 256 * MIB;

/** Not counted: the most connections that there may be have less than `MOST_BYTES` of these. */
const SMALL_BYTES = 16 * 1024;

/** For what is too much: 503 and when to come again, after token and permission were looked at. */
export function boundBodies(app: FastifyInstance, mostBytes: number = MOST_BYTES): void {
  let reserved = 0;
  app.addHook('preParsing', (request, reply, payload, done) => {
    const bytes = mayHave(request);
    if (bytes <= SMALL_BYTES) return done(null, payload);
    if (reserved + bytes > mostBytes) return done(BUSY);
    reserved += bytes;
    reply.raw.once('close', () => {
      reserved -= bytes;
    });
    return done(null, payload);
  });
}

const BUSY = new Refusal(
  503,
  fail('server.busy', 'Too many large bodies are being read; try again in a second.').failure,
  { 'retry-after': '1' },
);

/**
 * Buffers no more than the largest body that any route takes, also for a body without
 * Content-Length.
 */
function mayHave({ headers }: FastifyRequest): number {
  const text = headers['content-length'];
  if (text !== undefined) return Math.min(Number(text), MOST_BODY_BYTES);
  return headers['transfer-encoding'] === undefined ? 0 : MOST_BODY_BYTES;
}
