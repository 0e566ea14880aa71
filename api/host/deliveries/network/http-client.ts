/**
 * Requests over HTTP to where deliveries go: guarded, bounded, and apart for each target, so that
 * none waits for another's connections. Redirects are not followed.
 */
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { buildConnector, Dispatcher, errors, Pool } from 'undici';
import type { HostTime } from '../../clock/host-time.ts';
import type { Sent } from './attempt-result.ts';
import { AddressRefused, type Egress } from './egress.ts';
import { ATTEMPT_S, CONNECT_S, NoWay, noAnswer } from './request-errors.ts';

export interface HttpClientOptions {
  readonly egress: Egress;
  readonly time: HostTime;
  /** PEMs of authorities that are trusted beside those of Node.js. */
  readonly ca: readonly string[];
  /** Default: `MOST_OPEN`. */
  readonly mostOpen?: MostOpen;
}

/** What is open at a time; of more, those that were used last. */
export interface MostOpen {
  /** Targets, twice where they have a token server. */
  readonly lines: number;
  /** Connections, so that files and clients of this process have what they need. */
  readonly connections: number;
}

const MOST_OPEN: MostOpen = { lines: 1_000, connections: 2_000 };

/** What a connection of a target leads to. */
const ENDS = ['receiver', 'token server'] as const;
type End = (typeof ENDS)[number];

export interface Asked {
  readonly target: string;
  readonly end: End;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface Answered {
  readonly status: number;
  /** Names in lower case; one that was given several times has a list. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The first 16 kB of it. */
  readonly text: string;
}

/** Of a target, to one of its ends. */
const MOST_CONNECTIONS = 10;
/** Before a server that says nothing of it would close an idle connection. */
const IDLE_MS = 4_000;
const LONGEST_IDLE_MS = 10_000;
const MOST_HEADER_BYTES = 16_384;
const MOST_ANSWER_BYTES = 16_384;
/** A status has come: what else is said may take so long. */
const SAYING_MS = 2_000;

/** What is used of it. */
interface Undici {
  readonly Pool: typeof Pool;
  readonly buildConnector: typeof buildConnector;
  readonly errors: Pick<typeof errors, 'ClientClosedError'>;
}

/** A target's connections to one end. */
interface Line {
  readonly origin: string;
  readonly pool: Pool;
}

export class HttpClient {
  readonly #options: HttpClientOptions;
  /** The one that was used last is the last. */
  readonly #lines = new Map<string, Line>();
  #openConnections = 0;
  #trusted: SecureContext | undefined;
  #isClosed = false;

  constructor(options: HttpClientOptions) {
    this.#options = options;
  }

  /** What is answered, or why there is no answer. */
  async post(asked: Asked): Promise<Answered | Sent> {
    const { url, headers, body, signal } = asked;
    try {
      // Loaded lazily: loading takes 0.2 s, which hosts without deliveries save.
      const undici = await import('undici');
      const pool = this.#poolFor(asked, undici);
      const path = `${url.pathname}${url.search}`;
      const request = pool.request({ method: 'POST', path, headers, body, signal });
      const answer = await this.#answerOf(request, asked, pool);
      const { statusCode: status } = answer;
      return { status, headers: answer.headers, text: await this.#firstOf(answer.body) };
    } catch (error) {
      return noAnswer(error);
    }
  }

  /** Requests that are underway are answered still. */
  async forget(target: string): Promise<void> {
    await Promise.all(ENDS.map((end) => this.#drop(keyOf(target, end))));
  }

  /** Requests that are underway are cut off. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#lines.values()].map(({ pool }) => pool.destroy()));
    this.#lines.clear();
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  /**
   * The answer of a request, or the reason of its abort. A connection that the receiver closes
   * while undici still loads its parser leaves the requests of the pool pending for ever, deaf to
   * their signals. Such a pool is destroyed, so that the next attempt gets a new one.
   */
  #answerOf<Answer>(request: Promise<Answer>, asked: Asked, pool: Pool): Promise<Answer> {
    const { target, end, signal } = asked;
    return new Promise((resolve, reject) => {
      let isPending = true;
      const onAbort = async () => {
        // undici rejects what it can in its own listener.
        await nextTurn();
        if (!isPending) return;
        const hung = keyOf(target, end);
        if (this.#lines.get(hung)?.pool === pool) this.#lines.delete(hung);
        void pool.destroy();
        reject(signal.reason);
      };
      const settle = () => {
        isPending = false;
        signal.removeEventListener('abort', onAbort);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) void onAbort();
      request.finally(settle).then(resolve, reject);
    });
  }

  #poolFor({ target, end, url }: Asked, undici: Undici): Pool {
    if (this.#isClosed) throw new undici.errors.ClientClosedError();
    const key = keyOf(target, end);
    const known = this.#lines.get(key);
    const line = known?.origin === url.origin ? known : this.#newLine(url, undici);
    if (known !== undefined && known !== line) void this.#drop(key);
    this.#lines.delete(key);
    this.#lines.set(key, line);
    this.#closeOldest();
    return line.pool;
  }

  #closeOldest(): void {
    const { lines, connections } = this.#options.mostOpen ?? MOST_OPEN;
    const isTooMuch = this.#lines.size > lines || this.#openConnections >= connections;
    const [oldest] = this.#lines.keys();
    if (isTooMuch && this.#lines.size > 1) void this.#drop(oldest!);
  }

  async #drop(key: string): Promise<void> {
    const line = this.#lines.get(key);
    this.#lines.delete(key);
    await line?.pool.close();
  }

  #newLine({ origin, protocol, port }: URL, undici: Undici): Line {
    const portNumber = Number(port) || (protocol === 'https:' ? 443 : 80);
    const pool = new undici.Pool(origin, {
      connections: MOST_CONNECTIONS,
      connect: this.#connector(portNumber, undici),
      headersTimeout: ATTEMPT_S * 1_000,
      bodyTimeout: ATTEMPT_S * 1_000,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: LONGEST_IDLE_MS,
      maxHeaderSize: MOST_HEADER_BYTES,
    });
    return { origin, pool };
  }

  /** Checks addresses where it connects to them; what fails here has sent nothing. */
  #connector(port: number, { buildConnector }: Undici): buildConnector.connector {
    const { egress, ca } = this.#options;
    this.#trusted ??= createSecureContext(
      ca.length > 0 ? { ca: [...rootCertificates, ...ca] } : {},
    );
    const connect = buildConnector({
      timeout: CONNECT_S * 1_000,
      lookup: egress.lookupFor(port),
      secureContext: this.#trusted,
    });
    return (to, then) => {
      const refusal = egress.refusalOf(to.hostname, port);
      if (refusal !== undefined) return then(new NoWay(new AddressRefused(refusal)), null);
      connect(to, (...come) => {
        if (come[0] !== null) return then(new NoWay(come[0]), null);
        this.#count(come[1]);
        then(...come);
      });
    };
  }

  #count(socket: Socket): void {
    this.#openConnections++;
    socket.once('close', () => this.#openConnections--);
  }

  /** What is said late, or breaks off, is passed over: the status has said what matters. */
  async #firstOf(body: Dispatcher.ResponseData['body']): Promise<string> {
    const late = this.#options.time.later(() => body.destroy(), SAYING_MS);
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= MOST_ANSWER_BYTES) break;
      }
    } catch {
      // The status stands.
    }
    late.cancel();
    return Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES).toString();
  }
}

const keyOf = (target: string, end: End): string => `${end} ${target}`;
