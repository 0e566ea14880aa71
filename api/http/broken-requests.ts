/**
 * What Node.js itself refuses, as there is no request that could be handed on: bytes that are no
 * HTTP, too much before a body, and what does not end in time. It reads as any other refusal.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { closingResponse } from '../host/process/closing-response.ts';
import { bodyOf, PROBLEM_JSON } from './errors.ts';
import { SERVER_LIMITS } from './limits.ts';
import type { Served } from './served.ts';

/** As the event `clientError` has it. */
interface BrokenRequest extends Error {
  readonly code?: string;
}

/** Virtual time, which every response has. */
type Now = Pick<Served, 'simTime' | 'unixMs'>;

/** So long what a refused client still sends is read and dropped. */
const PATIENCE_MS = 2_000;

/**
 * Answers with the status, a body as RFC 9457 has it and virtual time, and closes. Which family
 * was asked is not known: the path may be what cannot be read.
 */
export function refuseBroken(error: BrokenRequest, socket: Socket, now: Now): void {
  // The handler is called for packets after its response, too.
  if (socket.writableEnded) return;
  if (!socket.writable || error.code === 'ECONNRESET' || isAnswered(socket)) {
    socket.destroy();
    return;
  }
  closingResponse(socket, answerOf(error, now), PATIENCE_MS);
}

/** Whether an answer to an earlier request is on its way, into which nothing may be written. */
const isAnswered = (socket: Socket): boolean =>
  (socket as Underway)._httpMessage?.headersSent === true;

/** https://nodejs.org/api/http.html, event `clientError`. */
type Underway = Socket & { readonly _httpMessage?: { readonly headersSent: boolean } };

function answerOf({ code = '' }: BrokenRequest, { simTime, unixMs }: Now): string {
  const response = REFUSALS[code] ?? UNREADABLE;
  const body = JSON.stringify(bodyOf('problem', { ...response, instance: '' }));
  const lines = Object.entries({
    'content-type': `${PROBLEM_JSON}; charset=utf-8`,
    'x-sim-time': simTime,
    date: new Date(unixMs).toUTCString(),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const statusLine = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n`;
  return `${statusLine}${lines.join('')}\r\n${body}`;
}

const UNREADABLE = {
  status: 400,
  code: 'request.unreadable',
  message: 'This is no request of HTTP/1.1, or one with a method that HTTP does not know.',
} as const;

const { headBytes, headersMs, requestMs } = SERVER_LIMITS;

/** By the codes of Node.js. */
const REFUSALS: Readonly<Record<string, { status: number; code: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers.too-long',
    message: `The first line and the header lines have at most ${headBytes} bytes together.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request.too-slow',
    message:
      `The header lines come within ${headersMs / 1_000} s, ` +
      `and the whole request within ${requestMs / 1_000} s.`,
  },
};
