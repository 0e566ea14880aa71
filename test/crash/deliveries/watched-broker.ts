/**
 * A way to a broker on which each publish and its acknowledgement are seen: between the emulator
 * and the broker, so neither of them can tell what did not happen.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { parser } from 'mqtt-packet';

export class WatchedBroker {
  readonly #brokerPort: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** How often the broker has acknowledged each payload. */
  readonly acknowledged = new Map<string, number>();
  /** How often each was published. */
  readonly published = new Map<string, number>();

  private constructor(brokerPort: number) {
    this.#brokerPort = brokerPort;
    this.#server = createServer((client) => this.#join(client));
  }

  static async before(brokerPort: number): Promise<WatchedBroker> {
    const watched = new WatchedBroker(brokerPort);
    await new Promise<void>((resolve) => watched.#server.listen(0, '127.0.0.1', resolve));
    return watched;
  }

  get port(): number {
    return (this.#server.address() as { readonly port: number }).port;
  }

  #join(client: Socket): void {
    const broker = connect(this.#brokerPort, '127.0.0.1');
    const underway = new Map<number, string>();
    const sent = parser();
    sent.on('packet', (packet) => {
      if (packet.cmd !== 'publish') return;
      const payload = packet.payload.toString();
      if (packet.messageId !== undefined) underway.set(packet.messageId, payload);
      countOne(this.published, payload);
    });
    const answered = parser();
    answered.on('packet', (packet) => {
      if (packet.cmd !== 'puback') return;
      const payload = underway.get(packet.messageId!);
      if (payload !== undefined) countOne(this.acknowledged, payload);
    });
    pass(client, broker, (bytes) => sent.parse(bytes));
    pass(broker, client, (bytes) => answered.parse(bytes));
    for (const socket of [client, broker]) this.#sockets.add(socket);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const countOne = (counts: Map<string, number>, what: string): void => {
  counts.set(what, (counts.get(what) ?? 0) + 1);
};

/** What is seen first is handed on then; who ends ends the other. */
function pass(from: Socket, to: Socket, see: (bytes: Buffer) => void): void {
  from.on('data', (bytes) => {
    see(bytes);
    to.write(bytes);
  });
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
}
