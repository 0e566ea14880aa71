/**
 * A port that speaks HTTPS detects clients that speak plain HTTP: the first byte of each connection
 * is looked at, and all else than a TLS handshake is answered in plain words.
 */
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { closingResponse } from '../process/closing-response.ts';

/** Of a TLS record that begins a handshake (RFC 8446 §5.1). */
const HANDSHAKE = 0x16;
/** How long a connection may stay silent, and how long a refused one may go on sending. */
const PATIENCE_MS = 10_000;
/** Plain ASCII: its length is counted in characters. */
const ADVICE = 'This port speaks HTTPS: write https:// in place of http://.\n';

/**
 * To be called once, before the server listens. Connections that begin with a TLS handshake go on
 * as if nobody had looked. Those on which nothing ever comes are ended after 10 s, or when the
 * server closes, which waits for them otherwise.
 */
export function refusePlainHttp(server: Server, patienceMs: number = PATIENCE_MS): void {
  const tls = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    const overdue = setTimeout(() => socket.destroy(), patienceMs);
    silent.add(socket);
    const leave = (): void => {
      clearTimeout(overdue);
      silent.delete(socket);
      socket.off('readable', look).off('close', leave).off('error', ignore);
    };
    const look = (): void => {
      const first: Buffer | null = socket.read(1);
      if (first === null) return;
      leave();
      socket.unshift(first);
      if (first[0] === HANDSHAKE) for (const accept of tls) accept.call(server, socket);
      else refuse(socket, patienceMs);
    };
    socket.on('readable', look).on('close', leave).on('error', ignore);
  });
  const close = server.close.bind(server);
  server.close = (done) => {
    for (const socket of silent) socket.destroy();
    return close(done);
  };
}

/** A connection that breaks is closed, and nobody has asked anything on it yet. */
const ignore = (): void => {};

function refuse(socket: Socket, patienceMs: number): void {
  const answer =
    'HTTP/1.1 400 Bad Request\r\n' +
    'Content-Type: text/plain; charset=utf-8\r\n' +
    `Content-Length: ${ADVICE.length}\r\n` +
    `Connection: close\r\n\r\n${ADVICE}`;
  closingResponse(socket, answer, patienceMs);
}
