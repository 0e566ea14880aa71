/**
 * The public face `fleetwave/client`: a typed client of the emulator, or of whatever else serves
 * these operations. Its types are generated from docs/openapi.json (`npm run openapi`).
 *
 *     const client = connect({ url, ca, clientId, clientSecret });
 *     const { data, error, response } = await client.GET('/api/v3.2/campaigns');
 */

import createClient, { type Client } from 'openapi-fetch';
import { Agent, FormData, fetch, Request, type Response } from 'undici';
import {
  ANY_OPTION,
  checkOptions,
  needed,
  type OptionRows,
  textOption,
} from '../../sim/base/options.ts';
import type { paths } from './generated/operations.ts';

export type { components, paths } from './generated/operations.ts';

export interface ConnectOptions {
  /** Such as `https://127.0.0.1:8443`. */
  readonly url: string;
  /** PEM of the certificate authority, where the system does not trust it. */
  readonly ca?: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Address and secrets of an emulator: a test needs `connect(emulator)` and no more. */
type ReportedByEmulator =
  | 'subscriber'
  | 'username'
  | 'password'
  | 'applications'
  | 'openapi'
  | 'subscribers'
  | 'judged'
  | 'stop';

const CONNECT_OPTIONS: OptionRows<ConnectOptions & { [Name in ReportedByEmulator]?: unknown }> = {
  url: needed(textOption('a text such as https://127.0.0.1:8443')),
  ca: textOption('a certificate as PEM text'),
  clientId: needed(textOption('a text')),
  clientSecret: needed(textOption('a text')),
  subscriber: ANY_OPTION,
  username: ANY_OPTION,
  password: ANY_OPTION,
  applications: ANY_OPTION,
  openapi: ANY_OPTION,
  subscribers: ANY_OPTION,
  judged: ANY_OPTION,
  stop: ANY_OPTION,
};

/** What answers are read as; lists in lines are read as streams (`linesOf`). */
type Media = 'application/json' | 'application/yaml';

/** A client with a token of its own, and connections that stay open until it is closed. */
export type FleetwaveClient = Client<paths, Media> & { readonly close: () => Promise<void> };

/**
 * Fetches a token with the first request, and another one before that expires, or when it has: by
 * which clock tokens expire is the emulator's affair.
 */
export function connect(options: ConnectOptions): FleetwaveClient {
  checkOptions('connect', options, CONNECT_OPTIONS);
  const { url, ca, clientId, clientSecret } = options;
  const dispatcher = new Agent(ca === undefined ? {} : { connect: { ca } });
  const tokens = new Tokens(() => tokenOf(url, clientId, clientSecret, dispatcher));
  const client = createClient<paths, Media>({
    baseUrl: url,
    fetch: fetchWith(tokens, dispatcher) as never,
    Request: Request as never,
  });
  return Object.assign(client, { close: () => dispatcher.close() });
}

function fetchWith(tokens: Tokens, dispatcher: Agent) {
  const send = async (request: Request, token: string): Promise<Response> => {
    request.headers.set('authorization', `Bearer ${token}`);
    return await fetch(request, { dispatcher });
  };
  return async (request: Request): Promise<Response> => {
    // A body can be sent once.
    const again = request.clone();
    const token = await tokens.current();
    const response = await send(request, token);
    if (response.status !== 401) return response;
    await response.body?.cancel();
    return await send(again, await tokens.after(token));
  };
}

interface Token {
  readonly text: string;
  /** Wall clock, ms. */
  readonly untilMs: number;
}

/** A token is not used any more so long before it expires. */
const MARGIN_MS = 30_000;

/** The latest token, for all requests; one that could not be fetched is asked for anew. */
class Tokens {
  readonly #draw: () => Promise<Token>;
  #latest: Promise<Token> | undefined;

  constructor(draw: () => Promise<Token>) {
    this.#draw = draw;
  }

  async current(): Promise<string> {
    const { text, untilMs } = await (this.#latest ??= this.#drawn());
    return Date.now() > untilMs ? await this.after(text) : text;
  }

  /** One that follows a token which is good no more. */
  async after(old: string): Promise<string> {
    const { text } = await (this.#latest ??= this.#drawn());
    if (text !== old) return text;
    this.#latest = this.#drawn();
    return (await this.#latest).text;
  }

  #drawn(): Promise<Token> {
    const token = this.#draw();
    const forget = () => {
      if (this.#latest === token) this.#latest = undefined;
    };
    token.catch(forget);
    return token;
  }
}

async function tokenOf(
  url: string,
  clientId: string,
  clientSecret: string,
  dispatcher: Agent,
): Promise<Token> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    dispatcher,
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`no token: ${answer.error_description ?? answer.error}`);
  const lifeMs = Number(answer.expires_in) * 1000;
  return { text: String(answer.access_token), untilMs: Date.now() + lifeMs - MARGIN_MS };
}

/** The body of an image's upload, as `client.POST('/api/v3.2/images', upload(…))` takes it. */
export function upload(name: string, bytes: Uint8Array, tags: readonly string[] = []) {
  const form = new FormData();
  form.append('image', new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
  for (const tag of tags) form.append('tags', tag);
  // The type of the body has its boundary, which is not known before it is sent.
  const headers = { 'content-type': null };
  return { body: { image: '', tags: [...tags] }, bodySerializer: () => form, headers };
}

/**
 * The lines of a list that was asked for with `accept: application/x-ndjson` and `parseAs:
 * 'stream'`, parsed one by one as they come; the first one has what is no entry of the list.
 */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line);
  }
}
