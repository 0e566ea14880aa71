/** Limits of the HTTP server: sizes, times and counts, and where each is enforced. */
import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { MOST_BY_PARTS } from '../../core/update-service/device-groups.ts';
import { fail } from '../../sim/base/result.ts';
import { Refusal } from './refusal.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Of a JSON body; json-body.ts holds them, fastify holds `bytes`. */
export interface BodyLimits {
  /** Beyond: 413. */
  readonly bytes: number;
  /** Objects and arrays within each other. Beyond: 400, as with the next two. */
  readonly depth: number;
  /** Of one object. */
  readonly keys: number;
  /** Of one array. */
  readonly items: number;
}

export const ORDINARY_BODY: BodyLimits = { bytes: MIB, depth: 32, keys: 1_000, items: 10_000 };

/**
 * Of operations that take a fleet at once, of many entries each. What a body costs is done in one
 * piece, so its size bounds how long others wait (docs/decisions/0102).
 */
export const BULK_BODIES = {
  /** Lists of devices or gateways, such as members of groups. */
  members: { bytes: MIB, depth: 32, keys: 1_000, items: MOST_BY_PARTS },
  /** Keys by DevEUI. */
  keys: { bytes: 640 * KIB, depth: 32, keys: 10_000, items: 10_000 },
} as const satisfies Record<string, BodyLimits>;

/** The most bytes that any body of JSON may have. */
export const MOST_BODY_BYTES = ORDINARY_BODY.bytes;

/** Of connections and of what comes before a body. */
export interface ServerLimits {
  /** Of a URL with its query, which may list thousands of DevEUIs. Beyond: 414. */
  readonly urlBytes: number;
  /** Of a segment of a path when it is decoded. Beyond: 414. */
  readonly segmentCharacters: number;
  /** Of the request's first line and all header lines; Node.js counts both. Beyond: 431. */
  readonly headBytes: number;
  /** Beyond: 431. */
  readonly headerLines: number;
  /** From the first byte of a request to the end of its header lines. Beyond: 408. */
  readonly headersMs: number;
  /** From the first byte of a request to the end of its body. Beyond: 408. */
  readonly requestMs: number;
  /** Between an answer and the next request. Beyond: the connection is closed. */
  readonly keepAliveMs: number;
  /** How often the times above are looked at. */
  readonly checkMs: number;
  /** Of a TLS handshake. Beyond: the connection is closed. */
  readonly handshakeMs: number;
  /** At the same time. Beyond: a new one is closed at once. */
  readonly connections: number;
  /** From `close` of the server on, for requests that are underway. Beyond: cut off. */
  readonly stopMs: number;
  /** On one connection: the last one is answered with `Connection: close`. Beyond: 503. */
  readonly requestsPerConnection: number;
}

export const SERVER_LIMITS: ServerLimits = {
  urlBytes: 64 * KIB,
  segmentCharacters: 128,
  headBytes: 80 * KIB,
  headerLines: 64,
  headersMs: 10_000,
  requestMs: 60_000,
  keepAliveMs: 5_000,
  checkMs: 2_000,
  handshakeMs: 10_000,
  stopMs: 5_000,
  connections: 12_000,
  requestsPerConnection: 10_000,
};

/** For `http.createServer` and `https.createServer`; what else Node.js holds: `limitServer`. */
export const serverOptions = (
  limits: ServerLimits = SERVER_LIMITS,
): ServerOptions & { readonly handshakeTimeout: number } => ({
  maxHeaderSize: limits.headBytes,
  headersTimeout: limits.headersMs,
  requestTimeout: limits.requestMs,
  keepAliveTimeout: limits.keepAliveMs,
  connectionsCheckingInterval: limits.checkMs,
  handshakeTimeout: limits.handshakeMs,
  // Its refusal would have no body: `headRefusal` looks at Host.
  requireHostHeader: false,
});

/** What Node.js takes of a server only, and not as an option. */
export function limitServer(server: Server, limits: ServerLimits = SERVER_LIMITS): void {
  server.maxConnections = limits.connections;
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  // Node.js leaves out header lines beyond this count, so that one beyond ours can still be seen.
  server.maxHeadersCount = limits.headerLines + 1;
  const close = server.close.bind(server);
  // Node.js looks at no time any more when it closes, and waits for who has never asked anything.
  server.close = (done) => {
    const overdue = setTimeout(() => server.closeAllConnections(), limits.stopMs).unref();
    server.once('close', () => clearTimeout(overdue));
    return close(done);
  };
}

/**
 * For `fastify`. A server of its own making takes its times from here again, as fastify sets some
 * of them anew. The router is given two UTF-16 units a character: what is too long, `headRefusal`
 * decides.
 */
export const fastifyOptions = (
  limits: ServerLimits = SERVER_LIMITS,
  bodyBytes: number = ORDINARY_BODY.bytes,
): {
  readonly bodyLimit: number;
  readonly keepAliveTimeout: number;
  readonly requestTimeout: number;
  readonly maxRequestsPerSocket: number;
  readonly routerOptions: { readonly maxParamLength: number };
} => ({
  bodyLimit: Math.min(ORDINARY_BODY.bytes, bodyBytes),
  keepAliveTimeout: limits.keepAliveMs,
  requestTimeout: limits.requestMs,
  maxRequestsPerSocket: limits.requestsPerConnection,
  routerOptions: { maxParamLength: 2 * limits.segmentCharacters },
});

/**
 * No route takes more bytes of a body than these, whatever it says itself. One that says nothing
 * has the limit of its parser: that of forms is lower.
 */
export function boundRoutes(app: FastifyInstance, bytes: number): void {
  app.addHook('onRoute', (route) => {
    if (route.bodyLimit !== undefined) route.bodyLimit = Math.min(route.bodyLimit, bytes);
  });
}

type Head = Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'headers' | 'rawHeaders'>;

/** What is wrong with a request's first line or header lines; for an `onRequest` hook. */
export function headRefusal(head: Head, limits: ServerLimits = SERVER_LIMITS): Refusal | undefined {
  return tooLong(head, limits) ?? notOurs(head);
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS.split(', '));

/** RFC 9112 §3.2 of Host, RFC 9110 §10.1.1 of Expect, §9.1 of methods. */
function notOurs({ method = '', httpVersion, headers, rawHeaders }: Head): Refusal | undefined {
  if (!KNOWN_METHODS.has(method)) {
    const { failure } = fail('method.not-allowed', `No path has the method ${method}.`);
    return new Refusal(405, failure, { allow: METHODS });
  }
  if (headers.host === undefined && httpVersion === '1.1') {
    return refusal(400, 'host.missing', 'A request of HTTP/1.1 has a Host header.');
  }
  // `headers` has the first alone; a proxy before the emulator may go by another one.
  if (rawHeaders.filter((name, i) => i % 2 === 0 && /^host$/i.test(name)).length > 1) {
    return refusal(400, 'host.repeated', 'A request has one Host header.');
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    return refusal(417, 'expectation.unknown', 'The only expectation here is 100-continue.');
  }
  return undefined;
}

function tooLong({ url = '/', rawHeaders }: Head, limits: ServerLimits): Refusal | undefined {
  const { urlBytes, segmentCharacters, headerLines } = limits;
  if (url.length > urlBytes) {
    return refusal(414, 'url.too-long', `A URL has at most ${urlBytes} bytes, here ${url.length}.`);
  }
  // None is longer than all, and decoding makes none longer.
  if (url.length > segmentCharacters && longestSegment(url) > segmentCharacters) {
    const most = `A segment of a path has at most ${segmentCharacters} characters`;
    return refusal(414, 'url.too-long', `${most}, here ${longestSegment(url)}.`);
  }
  // Each line is a name and a value.
  if (rawHeaders.length > 2 * headerLines) {
    return refusal(431, 'headers.too-many', `A request has at most ${headerLines} header lines.`);
  }
  return undefined;
}

const refusal = (status: number, code: string, message: string): Refusal =>
  new Refusal(status, fail(code, message).failure);

/** In characters when decoded; a path that cannot be decoded is for the router to refuse. */
function longestSegment(url: string): number {
  const path = url.split('?', 1)[0]!;
  return Math.max(...path.split('/').map((segment) => [...decoded(segment)].length));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
