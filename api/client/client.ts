/**
 * The public face `fleetwave/client`: a typed client of the emulator, or of whatever else serves
 * these operations. Its types are generated from docs/openapi.json (`npm run openapi`).
 *
 *     const client = connect({ url, ca, clientId, clientSecret });
 *     const { data, error, response } = await client.GET('/api/v3.2/campaigns');
 */
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { Agent, FormData, fetch, Request } from 'undici';
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

/** A client with a token of its own, and connections that stay open until it is closed. */
export type FleetwaveClient = Client<paths> & { readonly close: () => Promise<void> };

/** Fetches a token with the first request, and another one before that expires. */
export function connect({ url, ca, clientId, clientSecret }: ConnectOptions): FleetwaveClient {
  const dispatcher = new Agent(ca === undefined ? {} : { connect: { ca } });
  const client = createClient<paths>({
    baseUrl: url,
    fetch: fetch as never,
    Request: Request as never,
    requestInitExt: { dispatcher },
  });
  client.use(withToken(async () => await tokenOf(url, clientId, clientSecret, dispatcher)));
  return Object.assign(client, { close: () => dispatcher.close() });
}

interface Token {
  readonly text: string;
  /** Wall clock, ms. */
  readonly untilMs: number;
}

/** A token is not used any more so long before it expires. */
const MARGIN_MS = 30_000;

function withToken(draw: () => Promise<Token>): Middleware {
  let latest: Promise<Token> | undefined;
  return {
    async onRequest({ request }) {
      let token = await (latest ??= draw());
      if (Date.now() > token.untilMs) token = await (latest = draw());
      request.headers.set('authorization', `Bearer ${token.text}`);
      return request;
    },
  };
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
