/**
 * The network as senders of deliveries are given it. Each connection is checked against the rules
 * of egress.ts where it is made, and uses the addresses that were checked. So a new kind of sender
 * cannot miss the rules: what connects without them is not to be had in `senders/` (a house rule).
 */
import type { Socket } from 'node:net';
import type { HostTime } from '../../clock/host-time.ts';
import type { Egress } from './egress.ts';
import { HttpClient } from './http-client.ts';
import { openSocket, type SocketPlace } from './tcp-socket.ts';

export interface NetworkOptions {
  readonly egress: Egress;
  readonly time: HostTime;
  /** PEMs of authorities that are trusted beside those of Node.js. */
  readonly ca: readonly string[];
}

/** Its private field keeps plain objects out, which could connect to anything. */
export class GuardedNetwork {
  readonly #options: NetworkOptions;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** An HTTP client whose connections no other sender shares. */
  httpClient(): HttpClient {
    return new HttpClient(this.#options);
  }

  /** A TCP or TLS connection. Throws `NoWay`: nothing was sent. */
  connect(place: SocketPlace, signal: AbortSignal): Promise<Socket> {
    return openSocket(place, { ...this.#options, signal });
  }
}
