/** An emulator over HTTPS, who knocks at it, and which statuses each operation has answered. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, type Dispatcher } from 'undici';
import { expect } from 'vitest';
import { connect, type FleetwaveClient } from '../../api/client/client.ts';
import {
  type Credentials,
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../api/emulator.ts';
import { isRecording, recordExchange } from './recorded-exchanges.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed JSON; undefined where there is no body, and the text where it is no JSON. */
  readonly body: unknown;
}

export interface Asked {
  /** Of the first subscriber when absent; null: none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Text and bytes are sent as they are, all else as JSON. */
  readonly body?: unknown;
}

export const SERVICE = '/api/v3.2';

const TEXT = expect.any(String);

/** An error of the firmware update service about a place of the request. */
export const errorAt = (code: string, ...loc: readonly (string | number)[]) => ({
  detail: [{ loc, msg: TEXT, type: code }],
  code,
});

/** The same about no place. */
export const errorOf = (code: string) => ({ detail: TEXT, code });

/** An error of management: its number of gRPC, its code, and the field that it is about, if any. */
export const statusErrorOf = (grpc: number, reason: string, field?: string) => ({
  code: grpc,
  message: TEXT,
  details: [{ reason, ...(field === undefined ? {} : { field }) }],
});

/** The body of a refusal about no place, in the words of the path's family. */
export const refusalAt = (path: string, status: number, code: unknown) =>
  path.startsWith(`${SERVICE}/`)
    ? { detail: TEXT, code }
    : /^\/v[012]\//.test(path)
      ? { code: expect.any(Number), message: TEXT, details: [{ reason: code }] }
      : expect.objectContaining({ status, code });

/** Two gateways and devices of both classes for ann, something for bob and carol. */
export const TOWN = `
scenario: town
duration: 2 d
subscribers: [ann, bob, carol]
radio: { pathLoss: { model: constant, loss: 110 dB } }
server: { rx2DataRate: DR3, adr: false }
gateways:
  - { name: mast, count: 2, subscriber: ann }
  - { name: tower, subscriber: bob }
  - { name: chimney, subscriber: carol }
devices:
  - name: meter
    count: 8
    subscriber: ann
    class: C
    activation: abp
    dataRate: DR5
    adr: false
    joinWithin: 1 min
    traffic: { every: 5 min }
  - name: sensor
    count: 2
    subscriber: ann
    activation: abp
    dataRate: DR5
    adr: false
    joinWithin: 1 min
    traffic: { every: 5 min }
  - name: valve
    count: 4
    subscriber: bob
    class: C
    activation: abp
    dataRate: DR5
    adr: false
    joinWithin: 1 min
    traffic: { every: 5 min }
  - name: pump
    count: 2
    subscriber: carol
    class: C
    activation: abp
    dataRate: DR5
    adr: false
    joinWithin: 1 min
    traffic: { every: 5 min }
timeline:
  - { at: 6 h, removeGateway: chimney }
  - { at: 6 h, removeDevice: pump-2 }
`;

export class ServedEntry {
  readonly emulator: Emulator;
  readonly client: FleetwaveClient;
  /** Statuses by `METHOD /path` as the OpenAPI document has it. */
  readonly seen = new Map<string, Set<number>>();
  readonly #agent: Agent;
  readonly #clients: FleetwaveClient[] = [];
  readonly #tokens = new Map<string, string>();
  readonly #operations: readonly { readonly name: string; readonly pattern: RegExp }[];

  private constructor(emulator: Emulator, agent: Agent, document: OpenApi) {
    this.emulator = emulator;
    this.#agent = agent;
    this.#operations = operationsOf(document).map(({ method, path }) => ({
      name: `${method} ${path}`,
      // What has no parameter comes before what has one.
      pattern: new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
    this.client = this.clientOf();
  }

  /** Paused, with each answer held to its own schema, unless the options say otherwise. */
  static async open(scenario?: string, options: EmulatorOptions = {}): Promise<ServedEntry> {
    const folder = mkdtempSync(join(tmpdir(), 'fleetwave-door-'));
    try {
      const file = join(folder, 'served.yaml');
      if (scenario !== undefined) writeFileSync(file, scenario);
      const emulator = await startEmulator({
        paused: true,
        checkAnswers: true,
        deliver: 'none',
        seed: 'served',
        startAt: '2026-03-01T00:00:00Z',
        ...(scenario === undefined ? {} : { scenario: file }),
        ...options,
      });
      const { ca } = emulator;
      const agent = new Agent(ca === undefined ? {} : { connect: { ca } });
      const document = await (await agent.request(at(emulator, '/openapi.json'))).body.json();
      return new ServedEntry(emulator, agent, document as OpenApi);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.#agent.close();
    await this.emulator.stop();
  }

  credentialsOf(subscriber: string): Credentials {
    const found = this.emulator.subscribers.find((each) => each.subscriber === subscriber);
    if (found === undefined) throw new Error(`nobody is ${subscriber}`);
    return found;
  }

  /** A typed client of a subscriber; of the first when absent. */
  clientOf(subscriber: string = this.emulator.subscriber): FleetwaveClient {
    const { url, ca } = this.emulator;
    const { clientId, clientSecret } = this.credentialsOf(subscriber);
    const client = connect({ url, ca, clientId, clientSecret });
    const bodies = new Map<string, unknown>();
    client.use({
      onRequest: async ({ id, request }) => {
        const isJson = request.headers.get('content-type') === 'application/json';
        if (isRecording && isJson) bodies.set(id, parsed(await request.clone().text()));
      },
      onResponse: async ({ id, request, response }) => {
        const { pathname, search } = new URL(request.url);
        const { method } = request;
        const { status } = response;
        this.#note(method, pathname, status);
        if (!isRecording) return;
        const answer = await response.clone().text();
        recordExchange({ method, path: pathname + search, status, body: bodies.get(id), answer });
      },
    });
    this.#clients.push(client);
    return client;
  }

  /** A token of a subscriber, with the permissions of the scope alone if there is one. */
  async tokenOf(subscriber: string = this.emulator.subscriber, scope = ''): Promise<string> {
    const key = `${subscriber} ${scope}`;
    const stored = this.#tokens.get(key);
    if (stored !== undefined) return stored;
    const { clientId, clientSecret } = this.credentialsOf(subscriber);
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope === '' ? {} : { scope }),
    });
    const { body } = await this.ask('POST', '/oauth/token', {
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    const token = (body as { readonly access_token: string }).access_token;
    this.#tokens.set(key, token);
    return token;
  }

  /** Requests without a token of their own fetch another one. */
  forgetTokens(): void {
    this.#tokens.clear();
  }

  /** A request as it stands: nothing is encoded, and nothing is added but a token. */
  async ask(method: string, path: string, { token, headers, body }: Asked = {}): Promise<Answer> {
    const bearer = token === undefined ? await this.tokenOf() : token;
    const isPlain = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const answer = await this.#agent.request({
      ...at(this.emulator, path),
      method: method as Dispatcher.HttpMethod,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(isPlain ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isPlain ? (body ?? null) : JSON.stringify(body),
    });
    const text = await answer.body.text();
    this.#note(method, path.split('?', 1)[0]!, answer.statusCode);
    recordExchange({ method, path, status: answer.statusCode, body, answer: text });
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      text,
      body: parsed(text),
    };
  }

  /** Of the update service. */
  async service(method: string, path: string, asked?: Asked): Promise<Answer> {
    return await this.ask(method, SERVICE + path, asked);
  }

  /** The status for a JSON body of this length, before any byte is sent. */
  async announce(method: string, path: string, bytes: number): Promise<number> {
    const { url, ca } = this.emulator;
    const headers = {
      authorization: `Bearer ${await this.tokenOf()}`,
      'content-type': 'application/json',
      'content-length': bytes,
    };
    const status = await new Promise<number>((resolve, reject) => {
      const sending = request(url + path, { method, headers, ca, agent: false });
      sending.on('response', (response) => {
        resolve(response.statusCode!);
        sending.destroy();
      });
      sending.on('error', reject);
      sending.flushHeaders();
    });
    this.#note(method, path, status);
    return status;
  }

  /** Goes on in virtual time, in seconds or until something; reports whether it is there. */
  async advance(asked: number | 'idle' | { readonly campaign_id: string; readonly stage: string }) {
    const body = typeof asked === 'number' ? { by: asked } : { until: asked };
    const answer = await this.ask('POST', '/sim/v1/clock:advance', { body });
    if (answer.status !== 200) throw new Error(`no advance: ${answer.text}`);
    return (answer.body as { readonly reached: boolean }).reached;
  }

  /** DevEUIs of a population, in their order; of the subscriber who asks. */
  async devEuisOf(population: string, subscriber?: string): Promise<string[]> {
    const { body } = await this.ask('GET', '/sim/v1/devices', {
      token: await this.tokenOf(subscriber),
    });
    const devices = body as readonly { readonly devEui: string; readonly typeName: string }[];
    return devices.flatMap(({ devEui, typeName }) => (typeName === population ? [devEui] : []));
  }

  #note(method: string, path: string, status: number): void {
    const normal = path.replace(/^\/api\/latest\//, `${SERVICE}/`).replaceAll(/%3a/gi, ':');
    const name = this.#operations.find(({ pattern }) => pattern.test(`${method} ${normal}`))?.name;
    if (name === undefined) return;
    const statuses = this.seen.get(name) ?? new Set();
    this.seen.set(name, statuses.add(status));
  }
}

const at = ({ url }: Emulator, path: string) => ({ origin: url, path, method: 'GET' as const });

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// ── the document ─────────────────────────────────────────────────────────────────────────────────

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface ListedOperation extends OpenApiOperation {
  readonly method: string;
  readonly path: string;
}

/** Every operation; paths without parameters first. */
export const operationsOf = ({ paths }: OpenApi): readonly ListedOperation[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
      })),
    )
    .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

/** Statuses that the document lists, but those that faults and limits alone bring about. */
export const listedStatuses = ({ responses }: OpenApiOperation): readonly number[] =>
  Object.keys(responses)
    .map(Number)
    .filter((status) => status < 500 && status !== 414 && status !== 429);
