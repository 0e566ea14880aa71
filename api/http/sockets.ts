/** The sockets of an emulator, with or without TLS. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type LocalCertificates, TLS_OPTIONS } from '../host/tls/local-ca.ts';
import { refusePlainHttp } from '../host/tls/plain-http.ts';
import { limitServer, SERVER_LIMITS, serverOptions } from './limits.ts';

/**
 * A server that speaks TLS and refuses plain HTTP on its port; plain HTTP without certificates.
 * `connections`: most at the same time; those of `SERVER_LIMITS` when absent.
 */
export function makeServer(
  certificates: LocalCertificates | undefined,
  handler: RequestListener,
  connections: number = SERVER_LIMITS.connections,
): Server {
  const limits = { ...SERVER_LIMITS, connections };
  if (certificates === undefined) {
    const server = createServer(serverOptions(), handler).on('checkExpectation', handler);
    limitServer(server, limits);
    return server;
  }
  const { key, cert } = certificates;
  const server = createTlsServer({ ...serverOptions(), ...TLS_OPTIONS, key, cert }, handler);
  server.on('checkExpectation', handler);
  limitServer(server, limits);
  refusePlainHttp(server);
  return server;
}
