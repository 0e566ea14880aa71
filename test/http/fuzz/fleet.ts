/**
 * A served world behind its entry point, without a socket: two subscribers with devices, images and
 * groups. Its clock stands still, and time of the host is counted. So the same requests have the
 * same effects.
 */
import { hkdfSync } from 'node:crypto';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { accountOperations } from '../../../api/host/accounts/account-operations.ts';
import { Accounts, type Issued } from '../../../api/host/accounts/accounts.ts';
import { applicationOperations } from '../../../api/host/accounts/application-operations.ts';
import { drawBytes, KEY_BYTES } from '../../../api/host/accounts/secrets.ts';
import { subscriberOperations } from '../../../api/host/accounts/subscriber-operations.ts';
import type { HostTime } from '../../../api/host/clock/host-time.ts';
import { outboxOperations } from '../../../api/host/deliveries/outbox-operations.ts';
import { TextPieces } from '../../../api/host/files/chunked-text.ts';
import { packageFile } from '../../../api/host/files/package-root.ts';
import { BEGINNING, MemoryStates } from '../../../api/host/replay/saved-states.ts';
import { makeWatch, watchOperations } from '../../../api/host/watching/watch.ts';
import { clockOperations } from '../../../api/host/world/clock-operations.ts';
import { hostOperations } from '../../../api/host/world/host-operations.ts';
import type { HostedWorld } from '../../../api/host/world/hosted-world.ts';
import { type ServedScenario, scenarioOf } from '../../../api/host/world/served-scenario.ts';
import type { ServedWorld } from '../../../api/host/world/served-world.ts';
import { timelineOperations } from '../../../api/host/world/timeline-operations.ts';
import { worldOperations } from '../../../api/host/world/world-operations.ts';
import { Worlds } from '../../../api/host/world/worlds.ts';
import { makeAuth } from '../../../api/http/auth/auth.ts';
import { PLACES } from '../../../api/http/families.ts';
import type { HostOperations } from '../../../api/http/served-operations.ts';
import { makeEntry } from '../../../api/http/server.ts';
import { worldPath } from '../../../api/http/world-path.ts';
import { sessionPieces, sessionText } from '../../../scenarios/session.ts';
import { assert } from '../../../sim/base/assert.ts';
import { Judge, type OpenApi, type Operation, operationsOf, type Schema } from './document.ts';

export const FLEET_FILE = packageFile('test/http/fuzz/fleet.yaml');
const STARTS_AT = '2026-03-01T00:00:00Z';

export const NAMES = ['ann', 'bob'] as const;
export type Name = (typeof NAMES)[number];

/** Turns of the host, taken when the test says so; a slice ends after some looks at the time. */
class CountedTime implements HostTime {
  #looks = 0;
  #turns: (() => void)[] = [];

  wallMs = (): number => Date.parse(STARTS_AT);
  elapsedMs = (): number => this.#looks++;
  soon = (act: () => void) => {
    this.#turns.push(act);
    return { cancel: () => void (this.#turns = this.#turns.filter((each) => each !== act)) };
  };
  later = () => ({ cancel: () => undefined });

  /** Whether there was a turn to take. */
  turn(): boolean {
    const act = this.#turns.shift();
    act?.();
    return act !== undefined;
  }
}

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: Buffer | undefined;
}

export type Answer = LightMyRequestResponse;

/** A world behind its entry point; another one may take its place. */
interface Current {
  readonly app: FastifyInstance;
  readonly host: HostOperations;
  readonly served: ServedWorld;
  readonly accounts: Accounts;
  readonly issued: readonly Issued[];
}

interface Parts {
  /** The main world. */
  readonly current: () => Current;
  readonly scenario: ServedScenario;
  readonly time: CountedTime;
  readonly document: OpenApi;
  readonly tokens: Readonly<Record<Name, string>>;
  /** What stopped the world, if anything did. */
  readonly broken: unknown[];
}

type Logger = Parameters<typeof makeEntry>[0]['logger'];

export async function makeFleet(logger?: Logger): Promise<Fleet> {
  const broken: unknown[] = [];
  const time = new CountedTime();
  const scenario = scenarioOf({ scenario: FLEET_FILE, startAt: STARTS_AT }, 0);
  const key = drawBytes(KEY_BYTES);
  let current: Current | undefined;
  const worlds = await Worlds.open({
    origins: scenario,
    states: new MemoryStates(),
    past: BEGINNING,
    named: new Map(),
    pace: { isPaused: true },
    time,
    onBroken: (error) => broken.push(error),
    open: async (hosted, all) => {
      if (!hosted.isFork) current = await currentOf(hosted, all, scenario, key, logger);
    },
    close: async () => undefined,
    warn: (_, error) => broken.push(error),
  });
  worlds.main.served.start();
  const { app, issued } = current!;
  const tokens = await Promise.all(
    issued.map(async ({ username, password }) => {
      // Of a user: who fuzzes deletes applications, and changes their secrets.
      const form = { grant_type: 'password', username, password: password.reveal() };
      const answer = await app.inject({
        method: 'POST',
        url: '/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: `${new URLSearchParams(form)}`,
      });
      return answer.json<{ access_token: string }>().access_token;
    }),
  );
  const document = (await app.inject('/openapi.json')).json<OpenApi>();
  const [ann, bob] = tokens as [string, string];
  const of = { current: () => current!, scenario, time, document, broken };
  return new Fleet({ ...of, tokens: { ann, bob } });
}

async function currentOf(
  hosted: HostedWorld,
  worlds: Worlds,
  scenario: ServedScenario,
  key: Uint8Array,
  logger: Logger,
): Promise<Current> {
  const { served } = hosted;
  // As in an emulator, anyone who begins a world anew has the secrets that he had.
  const first = (name: string) =>
    new Uint8Array(hkdfSync('sha256', key, '', `first secret of ${name}`, KEY_BYTES));
  const accounts = new Accounts({ world: served, key, draw: drawBytes, first });
  const issued = accounts.issueFirst();
  const auth = makeAuth({ accounts, key, draw: drawBytes, limits: { requestsASecond: null } });
  const host = {
    ...hostOperations(
      'fuzzed-fleet',
      () => new TextPieces(sessionPieces(sessionOf(scenario, served))),
    ),
    ...clockOperations(served),
    ...worldOperations(
      hosted,
      worlds,
      ({ id }) => worldPath(id),
      async () => {
        const { seed, files } = scenario;
        return { scenario: sessionText(sessionOf(scenario, served)), files, set: [], seed };
      },
    ),
    // What is fuzzed delivers nothing.
    ...outboxOperations(served.facts, () => undefined),
    ...timelineOperations(hosted, scenario),
    ...subscriberOperations(served, accounts),
    ...applicationOperations(served, accounts),
    ...accountOperations(served, accounts, auth.guarded),
  };
  const app = await makeEntry({
    served,
    host,
    auth,
    simControl: true,
    checkAnswers: true,
    ...(logger === undefined ? {} : { logger }),
  });
  await app.ready();
  // The entry point adds its own.
  const rows = { ...host, ...watchOperations(makeWatch(served, PLACES), served) };
  return { app, host: rows, served, accounts, issued };
}

export const sessionOf = (
  { document, seed, startUnixMs }: Pick<ServedScenario, 'document' | 'seed' | 'startUnixMs'>,
  { nowUs, log }: ServedWorld,
) => ({
  document,
  seed,
  startUnixMs,
  nowUs,
  commands: log,
});

/** The number of turns an advance is given before it is cancelled. */
const TURNS = 12;

export class Fleet {
  readonly parts: Parts;
  readonly operations: readonly Operation[];
  readonly judge: Judge;

  constructor(parts: Parts) {
    this.parts = parts;
    // An answer that goes on as the world does is for watching/events.test.ts.
    this.operations = operationsOf(parts.document).filter(({ id }) => id !== 'event.listen');
    this.judge = new Judge(parts.document);
  }

  get served(): ServedWorld {
    return this.parts.current().served;
  }

  get document(): OpenApi {
    return this.parts.document;
  }

  schemaOf(name: string): Schema {
    return this.document.components.schemas[name]!;
  }

  headersOf(name: Name): Record<string, string> {
    return { authorization: `Bearer ${this.parts.tokens[name]}` };
  }

  /** What an operation answers; one that takes too long is cancelled, as a client may. */
  async ask(asked: Asked, turns = TURNS): Promise<Answer> {
    const { time } = this.parts;
    const { app } = this.parts.current();
    let answer: Answer | undefined;
    const waiting = app.inject(asked as never).then((each) => void (answer = each));
    for (let taken = 0; answer === undefined; ) {
      await Promise.race([waiting, new Promise((soon) => setImmediate(soon))]);
      if (answer !== undefined) break;
      if (taken < turns) taken += time.turn() ? 1 : 0;
      else if (this.served.advancing !== undefined) this.served.cancelAdvance();
    }
    return answer as unknown as Answer;
  }

  /** What was left behind running: nothing of it goes on into the next case. */
  settle(): void {
    for (let i = 0; i < TURNS && this.parts.time.turn(); i++);
    if (this.served.advancing !== undefined) this.served.cancelAdvance();
    if (!this.served.pace.isPaused) this.served.setPace({ isPaused: true, speed: 1 });
  }

  /** Requests fail by the laws again. */
  async endFaults(): Promise<void> {
    const { statusCode } = await this.send('ann', 'DELETE', '/sim/v1/faults/api', {});
    assert(statusCode === 204, 'faults end');
  }

  async advance(seconds: number): Promise<void> {
    const headers = { ...this.headersOf('ann'), 'content-type': 'application/json' };
    const payload = Buffer.from(JSON.stringify({ by: seconds }));
    const url = '/sim/v1/clock:advance';
    const { statusCode } = await this.ask({ method: 'POST', url, headers, payload }, 1e6);
    assert(statusCode === 200, 'the clock goes on');
  }

  async get(name: Name, url: string): Promise<Answer> {
    return await this.ask({ method: 'GET', url, headers: this.headersOf(name) });
  }

  /** A JSON request of a subscriber. */
  async send(name: Name, method: string, url: string, body: unknown): Promise<Answer> {
    const headers = { ...this.headersOf(name), 'content-type': 'application/json' };
    return await this.ask({ method, url, headers, payload: Buffer.from(JSON.stringify(body)) });
  }

  async upload(name: Name, fileName: string, bytes: Uint8Array): Promise<Answer> {
    const form = formOf([{ name: 'image', fileName, bytes }]);
    const headers = { ...this.headersOf(name), 'content-type': form.type };
    return await this.ask({ method: 'POST', url: '/api/v3.2/images', headers, payload: form.body });
  }

  async close(): Promise<void> {
    this.served.stop();
    await this.parts.current().app.close();
  }
}

export interface FormPart {
  readonly name: string;
  readonly fileName?: string;
  readonly bytes: Uint8Array;
}

const BOUNDARY = 'fuzzed-boundary';

/** A body of multipart/form-data. */
export function formOf(parts: readonly FormPart[]): { type: string; body: Buffer } {
  const of = ({ name, fileName, bytes }: FormPart) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')]);
  };
  const body = Buffer.concat([...parts.map(of), Buffer.from(`--${BOUNDARY}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body };
}
