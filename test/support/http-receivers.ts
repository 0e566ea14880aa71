/**
 * Receivers of webhooks on this machine, good ones and bad ones: what they do is a table. Each
 * request is reported with the digest of its body. As a process of its own:
 * http-receiver-program.ts.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** A request that has come, body included, before it is answered. */
export interface Seen {
  /** `webhook-id`; '': it has none. */
  readonly id: string;
  /** Of the body, hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** Ms since 1970. */
  readonly atMs: number;
  readonly behaviour: Behaviour;
}

/** The same with all that was sent. */
export interface SeenWhole extends Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a receiver does with a request. */
export type Behave = (answer: ServerResponse, seen: SeenWhole, receiver: HttpReceiver) => void;

export const says =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): Behave =>
  (answer) =>
    void answer.writeHead(status, headers).end(body);

/** Bytes to the socket, past HTTP. */
const writes =
  (bytes: string): Behave =>
  ({ socket }) =>
    void socket!.write(bytes);

/** The same bytes again and again, until nobody takes them any more. */
function again(answer: { write(bytes: string | Buffer): unknown; closed: boolean }, bytes: string) {
  const timer = setInterval(() => {
    if (answer.closed) clearInterval(timer);
    else answer.write(bytes);
  }, 20);
}

const FLOOD_BYTES = 100_000_000;
const CHUNK = Buffer.alloc(65_536, 'x');

/** As fast as it is taken. */
const flood: Behave = (answer, _, receiver) => {
  answer.writeHead(200, { 'content-length': String(FLOOD_BYTES) });
  const pour = () => {
    while (receiver.flooded < FLOOD_BYTES && !answer.destroyed) {
      receiver.flooded += CHUNK.length;
      if (!answer.write(CHUNK)) return void answer.once('drain', pour);
    }
  };
  pour();
};

const HTML = Buffer.concat([
  Buffer.from('<h1>No\u0000\u001b[31m!</h1>\r\n<script>alert(1)</script>\u202e '),
  Buffer.from([0xff, 0xfe]),
]);

export const BEHAVIOURS = {
  accepts: says(204),
  'accepts with words': says(200, { 'content-type': 'text/plain' }, 'Thank you.'),
  fails: says(500, {}, 'Out of order.'),
  'is unavailable for 120 s': says(503, { 'retry-after': '120' }),
  'asks for 7 s': says(429, { 'retry-after': '7' }),
  'asks for a date': (answer, { atMs }) =>
    void answer.writeHead(429, { 'retry-after': new Date(atMs + 90_000).toUTCString() }).end(),
  'asks for nonsense': says(429, { 'retry-after': 'soon' }),
  'is gone': says(410),
  'knows nobody': says(401, {}, 'Who are you?'),
  'redirects with 301': (answer, _, { elsewhere }) =>
    says(301, { location: elsewhere })(answer, _, null!),
  'redirects with 307': (answer, _, { elsewhere }) =>
    says(307, { location: elsewhere })(answer, _, null!),
  hangs: () => undefined,
  'hangs in its answer': (answer) =>
    void answer.writeHead(200, { 'content-length': '1000' }).write('Half of'),
  'hangs up': ({ socket }) => void socket!.destroy(),
  resets: ({ socket }) => void socket!.resetAndDestroy(),
  'resets in its answer': (answer) => {
    answer.writeHead(200, { 'content-length': '1000' }).write('Half of');
    setTimeout(() => answer.socket?.resetAndDestroy(), 20);
  },
  'drips its answer': (answer) => again(answer.writeHead(200), '.'),
  'drips its headers': ({ socket }) => {
    socket!.write('HTTP/1.1 200 OK\r\n');
    again(socket!, 'x-drip: 1\r\n');
  },
  'has long headers': writes(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`),
  'speaks no HTTP': writes('220 mail.example ESMTP\r\n'),
  'answers with a flood': flood,
  'answers with HTML': says(400, { 'content-type': 'text/html', 'set-cookie': 'a=b' }, HTML),
  echoes: (answer, { headers, body }) =>
    void answer.writeHead(200).end(`${JSON.stringify(headers)} ${body}`),
} as const satisfies Record<string, Behave>;

export type Behaviour = keyof typeof BEHAVIOURS;

export interface ReceiverOptions {
  readonly behaviour: Behaviour;
  /** In the place of that behaviour. */
  readonly behaves?: Behave;
  /** 0: any free port, the default. */
  readonly port?: number;
  /** 127.0.0.1 when absent; '': all addresses of the machine. */
  readonly host?: string;
  /** HTTPS; PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Where `redirects …` leads. */
  readonly elsewhere?: string;
  /** It keeps what it has seen in `seen` when this is absent. */
  readonly onSeen?: (seen: SeenWhole) => void;
}

export class HttpReceiver {
  behaviour: Behaviour;
  readonly seen: SeenWhole[] = [];
  /** Those that were ever made. */
  connections = 0;
  /** Bytes of a flood that were let out. */
  flooded = 0;
  readonly #options: ReceiverOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #waiting: (() => void)[] = [];

  private constructor(options: ReceiverOptions) {
    this.#options = options;
    this.behaviour = options.behaviour;
    const take = (request: IncomingMessage, answer: ServerResponse) => this.#take(request, answer);
    const { tls } = options;
    this.#server = tls === undefined ? createServer(take) : createSecureServer(tls, take);
    this.#server.on('connection', (socket) => {
      this.connections++;
      this.#sockets.add(socket.on('close', () => this.#sockets.delete(socket)));
    });
  }

  static async open(options: ReceiverOptions): Promise<HttpReceiver> {
    const receiver = new HttpReceiver(options);
    const { port = 0, host = '127.0.0.1' } = options;
    await new Promise<void>((resolve, reject) => {
      receiver.#server.on('error', reject).listen({ port, ...(host && { host }) }, resolve);
    });
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get elsewhere(): string {
    return this.#options.elsewhere ?? '/elsewhere';
  }

  url(path = '/hook', host = '127.0.0.1'): string {
    return `${this.#options.tls === undefined ? 'http' : 'https'}://${host}:${this.port}${path}`;
  }

  /** Connections that are open. */
  get connected(): number {
    return this.#sockets.size;
  }

  /** Once that many have come. */
  async hasSeen(count: number): Promise<void> {
    while (this.seen.length < count) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Anyone who is connected is cut off. */
  async close(): Promise<void> {
    const isClosed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await isClosed;
  }

  async #take(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // Anyone who asked has gone: it was not received.
    }
    const seen = this.#wholeOf(request, Buffer.concat(chunks));
    const { onSeen = (each) => void this.seen.push(each) } = this.#options;
    onSeen(seen);
    const behave: Behave = this.#options.behaves ?? BEHAVIOURS[this.behaviour];
    behave(answer, seen, this);
    for (const go of this.#waiting.splice(0)) go();
  }

  #wholeOf({ method, url, headers }: IncomingMessage, body: Buffer): SeenWhole {
    return {
      id: String(headers['webhook-id'] ?? ''),
      sha256: createHash('sha256').update(body).digest('hex'),
      bytes: body.length,
      atMs: Date.now(),
      behaviour: this.behaviour,
      method: method!,
      path: url!,
      headers,
      body: body.toString(),
    };
  }
}
