/**
 * JSON bodies: read with their limits, whatever a client sends.
 *
 * The depth is looked at before parsing, since what walks over a value may recurse. All else shows
 * in the parsed value. A whole number beyond 2^53 − 1 is parsed to 2^53 or more, one beyond all
 * numbers to an infinite one. A key is what it is, however it was escaped. Of keys that are given
 * twice the last one counts, as with `JSON.parse`. A byte order mark is passed over (RFC 8259
 * §8.1).
 */
import { isAscii } from 'node:buffer';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { pointerTo } from '../../sim/base/json-pointer.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { TURNS } from '../host/process/turns.ts';
import { faultAt, placeOf, tooDeepAt } from './json-text.ts';
import { type BodyLimits, ORDINARY_BODY } from './limits.ts';
import { Refusal } from './refusal.ts';
import { callerOf } from './served.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Those of an ordinary body where a route says nothing. */
    bodyLimits?: BodyLimits;
  }
}

const JSON_TYPES = ['application/json', /^application\/[\w.-]+\+json(;|$)/i];
const CODE = 'body.malformed';

/** Options of a route whose bodies have these limits. */
export const takesBody = (
  bodyLimits: BodyLimits,
): { bodyLimit: number; config: FastifyContextConfig } => ({
  bodyLimit: bodyLimits.bytes,
  config: { bodyLimits },
});

/**
 * Bodies of JSON are parsed; empty ones are `{}` whatever their type. Those of types that no other
 * parser knows, or that are encoded, are refused with 415. GET and HEAD have no body: what comes
 * with one is passed over (RFC 9110 §9.3.1).
 */
export function acceptJson(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addHook('preParsing', ({ headers }, _reply, _payload, done) => {
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() === 'identity') return done();
    const message = 'Bodies are taken without a content coding only.';
    done(refusal(415, 'body.encoding', message, { 'accept-encoding': 'identity' }));
  });
  const asBuffer = { parseAs: 'buffer' } as const;
  for (const type of JSON_TYPES) {
    app.addContentTypeParser(type, asBuffer, (request: FastifyRequest, bytes: Buffer, done) => {
      // A path that is not known is refused as such.
      if (request.is404) return done(null, {});
      request.sent = bytes;
      TURNS.take(callerOf(request), () => {
        const body = parseBody(bytes, request.routeOptions.config.bodyLimits ?? ORDINARY_BODY);
        if (body.ok) done(null, body.value);
        else done(new Refusal(400, body.failure));
      });
    });
  }
  app.addContentTypeParser('*', asBuffer, (request: FastifyRequest, bytes: Buffer, done) => {
    if (bytes.length === 0 || request.is404) return done(null, {});
    const message = 'A body is JSON: give it the content type application/json.';
    done(refusal(415, MEDIA_TYPE, message));
  });
}

const MEDIA_TYPE = 'body.media-type';

/** What fastify itself refuses of a body, in our words; undefined for any other error. */
export function bodyRefusal(error: unknown): Refusal | undefined {
  const { code, message } = error instanceof Error ? (error as { code?: string } & Error) : {};
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refusal(413, 'body.too-large', 'The body has more bytes than this operation takes.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refusal(415, MEDIA_TYPE, 'The content type is none that this operation takes.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refusal(400, CODE, 'The body has not as many bytes as its Content-Length says.');
    default:
      return message === 'aborted' ? refusal(400, CODE, 'The body broke off.') : undefined;
  }
}

const refusal = (
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Refusal => new Refusal(status, fail(code, message).failure, headers);

/**
 * The value of a body of JSON. Fails with `body.malformed`, which names a line and column where it
 * is no JSON or too deep. It names a byte where it is not UTF-8, and a JSON pointer where a value
 * is wrong.
 */
export function parseBody(bytes: Buffer, limits: BodyLimits): Result<unknown, typeof CODE> {
  if (bytes.length === 0) return ok({});
  const text = decoded(bytes);
  if (text === undefined) {
    return fail(CODE, `The body is not UTF-8: byte ${invalidByte(bytes)} cannot stand there.`);
  }
  const deepAt = tooDeepAt(text, limits.depth);
  if (deepAt !== undefined) {
    const most = `objects and arrays are at most ${limits.depth} deep`;
    return fail(CODE, `The body is too deep at ${placeOf(text, deepAt)}: ${most}.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text.trim() === '' ? ok({}) : fail(CODE, syntaxFault(text));
  }
  const fault = faultIn(value, limits);
  return fault === undefined
    ? ok(value)
    : fail(CODE, fault.message, pointerTo(fault.path.toReversed()));
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined for what is not UTF-8. Most bodies are plain ASCII, which is read faster. */
function decoded(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Counted from 1: the byte with which what comes before it is no beginning of any text. */
function invalidByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const half = (good + bad) >> 1;
    if (begins(bytes.subarray(0, half))) good = half;
    else bad = half;
  }
  return bad;
}

function begins(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function syntaxFault(text: string): string {
  const at = faultAt(text) ?? text.length;
  const place = placeOf(text, at);
  if (at >= text.length) return `The body is no JSON: it ends too early, at ${place}.`;
  const character = JSON.stringify(String.fromCodePoint(text.codePointAt(at)!));
  return `The body is no JSON: ${character} cannot stand at ${place}.`;
}

interface Fault {
  readonly message: string;
  /** The way to the place, the innermost key first. */
  readonly path: (string | number)[];
}

const fault = (message: string): Fault => ({ message, path: [] });

/** The depth is known to be bounded. */
function faultIn(value: unknown, limits: BodyLimits): Fault | undefined {
  if (typeof value === 'number') return faultOfNumber(value);
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value) ? faultOfItems(value, limits) : faultOfKeys(value, limits);
}

function faultOfNumber(value: number): Fault | undefined {
  return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER
    ? undefined
    : fault('Numbers are at most 2^53 − 1.');
}

function faultOfItems(items: readonly unknown[], limits: BodyLimits): Fault | undefined {
  if (items.length > limits.items) return fault(`Arrays have at most ${limits.items} items.`);
  for (let i = 0; i < items.length; i++) {
    if (typeof items[i] === 'string') continue;
    const found = faultIn(items[i], limits);
    if (found !== undefined) return within(i, found);
  }
  return undefined;
}

function faultOfKeys(object: object, limits: BodyLimits): Fault | undefined {
  let count = 0;
  for (const key in object) {
    if (++count > limits.keys) return fault(`Objects have at most ${limits.keys} keys.`);
    const value: unknown = (object as Record<string, unknown>)[key];
    if (isPrototype(key, value)) return within(key, fault('No key is called so.'));
    const found = typeof value === 'string' ? undefined : faultIn(value, limits);
    if (found !== undefined) return within(key, found);
  }
  return undefined;
}

/** What would change the prototypes of objects into which a body is copied without care. */
const isPrototype = (key: string, value: unknown): boolean =>
  key === '__proto__' ||
  (key === 'constructor' &&
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, 'prototype'));

function within(key: string | number, found: Fault): Fault {
  found.path.push(key);
  return found;
}
