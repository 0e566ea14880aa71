/** A receiver of webhooks that now and then refuses, or takes a message and says nothing. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Draw } from '../../support/power-loss-disk.ts';

export class Receiver {
  readonly #server: Server;
  readonly #draw: Draw;
  /** Bodies by webhook-id, and how often each was answered 200. */
  readonly bodies = new Map<string, Set<string>>();
  readonly accepted = new Map<string, number>();
  /** Answers that were none, or none of 200. */
  failures = 0;

  private constructor(draw: Draw) {
    this.#draw = draw;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async open(draw: Draw): Promise<Receiver> {
    const receiver = new Receiver(draw);
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as { readonly port: number }).port;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    if (body === undefined) return;
    const id = String(request.headers['webhook-id']);
    this.bodies.set(id, (this.bodies.get(id) ?? new Set()).add(body));
    const luck = this.#draw(100);
    if (luck < 10) this.failures++;
    if (luck < 5) return void response.writeHead(503).end();
    // It has the message, and the sender does not hear so.
    this.accepted.set(id, (this.accepted.get(id) ?? 0) + 1);
    if (luck < 10) return void request.socket.destroy();
    response.writeHead(200).end('taken');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Undefined: the sender has gone before its end. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString();
}
