/**
 * UDP sockets of the bridge, one a gateway: a PULL_RESP names no gateway, so its port has to. They
 * are connected, so nobody but the server reaches them.
 */
import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { describeSystemError } from '../host/process/system-error.ts';

/** Datagrams that wait in the process for a socket; more are dropped. */
const MOST_WAITING = 256;
/** Room for a burst of a busy server, bytes. */
const RECEIVE_BUFFER_BYTES = 262_144;
const MOST_PORT = 65_535;

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** What stands in the way of a bridge, for its user: one line. */
export class BridgeFault extends Error {
  override readonly name = 'BridgeFault';
}

/** Reads `HOST:PORT`; an IPv6 address stands in brackets. */
export function serverAddress(text: string): ServerAddress {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const number = Number(port);
  if (host !== undefined && number >= 1 && number <= MOST_PORT) return { host, port: number };
  const allowed = `HOST:PORT with a port from 1 to ${MOST_PORT}, such as localhost:1700`;
  throw new BridgeFault(`--udp is '${text}'; allowed: ${allowed}`);
}

/** One socket. */
export class GatewaySocket {
  readonly #socket: Socket;
  /** Datagrams that were not sent, since too many waited or the system refused them. */
  unsent = 0;
  /** What the system said last of a datagram that did not arrive; '': nothing. */
  lastError = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', (error) => this.#note(error));
  }

  /** Opens `count` sockets towards a server; on a failure none stays open. */
  static async openAll(count: number, { host, port }: ServerAddress): Promise<GatewaySocket[]> {
    const found = await resolved(host);
    const opened: Socket[] = [];
    try {
      for (let i = 0; i < count; i++) opened.push(await connected(found, port));
    } catch (error) {
      for (const socket of opened) socket.close();
      const why = describeSystemError(error);
      throw new BridgeFault(
        `${host}:${port}: socket ${opened.length + 1} of ${count}, one a gateway, cannot be ` +
          `opened: ${why}${isLimit(error) ? ' (ulimit -n says how many a process may have)' : ''}`,
      );
    }
    return opened.map((socket) => new GatewaySocket(socket));
  }

  onDatagram(take: (bytes: Uint8Array) => void): void {
    this.#socket.removeAllListeners('message');
    this.#socket.on('message', take);
  }

  send(bytes: Uint8Array): void {
    if (this.#socket.getSendQueueCount() >= MOST_WAITING) return void this.unsent++;
    this.#socket.send(bytes, (error) => {
      if (error) this.#note(error);
    });
  }

  close(): void {
    this.#socket.close();
  }

  #note(error: Error): void {
    this.unsent++;
    this.lastError = describeSystemError(error);
  }
}

async function resolved(host: string) {
  try {
    return await lookup(host);
  } catch (error) {
    throw new BridgeFault(`${host}: the host is not known: ${describeSystemError(error)}`);
  }
}

function connected(
  { address, family }: { readonly address: string; readonly family: number },
  port: number,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket({ type: family === 6 ? 'udp6' : 'udp4' });
    socket.once('error', (error) => {
      socket.close();
      reject(error);
    });
    socket.connect(port, address, () => {
      socket.removeAllListeners('error');
      socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES);
      resolve(socket);
    });
  });
}

const isLimit = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
