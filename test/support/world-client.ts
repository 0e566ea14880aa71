/** Emulators that tests of whole worlds serve over HTTP, and clients of them. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, expect } from 'vitest';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../api/emulator.ts';

let folder = '';
const running: Emulator[] = [];

/** Of a file: each of its tests has a folder of its own, and leaves no emulator behind. */
export function serveWorlds(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwave-worlds-'));
  });
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** A path in the folder of a test. */
export const inFolder = (...path: readonly string[]): string => join(folder, ...path);

/** What tests of worlds look at of what is answered. */
export interface Body {
  readonly world_id: string;
  readonly path: string;
  readonly fork: boolean;
  readonly now: string;
  readonly paused: boolean;
  readonly commands: number;
  readonly events: number;
  readonly digest: string;
  readonly devices: number;
  readonly uplinks: number;
  readonly uplinks_received: number;
  readonly worlds: readonly unknown[];
  readonly snapshots: readonly { readonly name: string }[];
  readonly DeviceGroups: readonly { readonly Name: string }[];
  readonly Gateways: readonly { readonly Name: string }[];
  readonly meta: { readonly next_page_token: string };
  readonly operations_asked: number;
  readonly requests: readonly { readonly id: number; readonly operation: string }[];
  readonly faults: readonly { readonly id: string; readonly struck: number }[];
  /** Of a list. */
  readonly length: number;
  /** Of a problem. */
  readonly code: string;
  readonly instance: string;
}

export interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

type Late = Pick<Answer, 'status' | 'body'>;

export class Client {
  readonly emulator: Emulator;
  readonly #token: string;

  constructor(emulator: Emulator, token: string) {
    this.emulator = emulator;
    this.#token = token;
  }

  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await fetch(this.emulator.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    const { status, headers } = answer;
    return { status, headers, body: isJson && text !== '' ? JSON.parse(text) : text };
  }

  /** A request that has come to its entry point, and whose body comes later. */
  async askSlowly(method: string, path: string, body: object) {
    const text = JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.#token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      expect: '100-continue',
    };
    const sent = request(this.emulator.url + path, { method, headers });
    const answered = once(sent, 'response');
    sent.flushHeaders();
    await once(sent, 'continue');
    return {
      finish: async (): Promise<Late> => {
        sent.end(text);
        const [response] = (await answered) as [IncomingMessage];
        const { statusCode: status = 0 } = response;
        return { status, body: JSON.parse(await textOf(response)) };
      },
    };
  }

  async got(path: string): Promise<Body> {
    const { status, body } = await this.ask('GET', path);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  async groups(prefix = ''): Promise<readonly string[]> {
    const { DeviceGroups } = await this.got(`${prefix}/v1/groups/devices`);
    return DeviceGroups.map(({ Name }) => Name).sort();
  }

  addGroup(Name: string, prefix = ''): Promise<Answer> {
    return this.ask('POST', `${prefix}/v1/groups/devices`, { Name });
  }

  async advance(by: number, prefix = ''): Promise<void> {
    const { status } = await this.ask('POST', `${prefix}/sim/v1/clock:advance`, { by });
    expect(status).toBe(200);
  }

  stop(): Promise<void> {
    running.splice(running.indexOf(this.emulator), 1);
    return this.emulator.stop();
  }
}

/** Addresses of tests are nobody’s. */
const OPTIONS = {
  http: true,
  paused: true,
  deliver: 'none',
  startAt: '2026-03-01T00:00:00Z',
} as const;

export async function serve(options: EmulatorOptions = {}): Promise<Client> {
  const emulator = await startEmulator({ ...OPTIONS, ...options });
  running.push(emulator);
  const basic = Buffer.from(`${emulator.clientId}:${emulator.clientSecret}`).toString('base64');
  const answer = await fetch(`${emulator.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return new Client(emulator, ((await answer.json()) as { access_token: string }).access_token);
}

/** A world that is stored in the folder of the test. */
export const store = () => ({ data: folder, durable: true });
