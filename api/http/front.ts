/**
 * Front of several worlds behind one address. Each world has its own server; a request goes to the
 * world that its path names, else to the main one.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { LocalCertificates } from '../host/tls/local-ca.ts';
import { refuseBroken } from './broken-requests.ts';
import type { Served } from './served.ts';
import { makeServer } from './sockets.ts';
import { worldIn } from './world-path.ts';

export interface FrontEntry {
  readonly entry: FastifyInstance;
  readonly served: Pick<Served, 'simTime' | 'unixMs'>;
}

export interface FrontOptions {
  readonly certificates: LocalCertificates | undefined;
  /** At the same time; the usual number when absent. */
  readonly connections?: number | undefined;
  /** The server of an existing world, by its id. */
  readonly entryOf: (id: string) => FrontEntry | undefined;
  readonly mainEntry: () => FrontEntry;
}

export interface Front {
  /** Throws the system's error. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Answers what was asked, and hears nobody any more. */
  close(): Promise<void>;
}

export function makeFront({ certificates, connections, entryOf, mainEntry }: FrontOptions): Front {
  let isClosing = false;
  const hand = (request: IncomingMessage, response: ServerResponse) => {
    if (isClosing) response.shouldKeepAlive = false;
    response.once('close', () => {
      if (isClosing) server.closeIdleConnections();
    });
    const asked = worldIn(request.url ?? '/');
    const named = asked && entryOf(asked.id);
    // The main world's server refuses requests to unknown worlds.
    if (named !== undefined) request.url = asked!.rest;
    (named ?? mainEntry()).entry.routing(request, response);
  };
  const server = makeServer(certificates, hand, connections);
  server.on('clientError', (error, socket) =>
    refuseBroken(error, socket as Socket, mainEntry().served),
  );
  return {
    listen: async (port, host) => {
      server.listen({ port, host });
      await once(server, 'listening');
      return server.address() as AddressInfo;
    },
    close: async () => {
      isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await closed;
    },
  };
}
