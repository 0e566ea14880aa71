/** The sockets of the door, with or without TLS, as fastify takes them. */
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { FastifyServerFactory } from 'fastify';
import { type LocalCertificates, TLS_OPTIONS } from '../host/tls/local-ca.ts';
import { refusePlainHttp } from '../host/tls/plain-http.ts';
import { limitServer, serverOptions } from './limits.ts';

/** A server that speaks TLS and refuses plain HTTP on its port; plain HTTP without certificates. */
export const serverFactory =
  (certificates: LocalCertificates | undefined): FastifyServerFactory =>
  (handler) => {
    if (certificates === undefined) {
      const server = createServer(serverOptions(), handler).on('checkExpectation', handler);
      limitServer(server);
      return server;
    }
    const { key, cert } = certificates;
    const server = createTlsServer({ ...serverOptions(), ...TLS_OPTIONS, key, cert }, handler);
    server.on('checkExpectation', handler);
    limitServer(server);
    refusePlainHttp(server);
    return server;
  };
