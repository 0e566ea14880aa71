/** What a log says, and what it never does. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../api/host/accounts/secrets.ts';
import {
  type LoggerOptions,
  makeLogger,
  makeRequestIds,
} from '../../../api/host/process/logger.ts';

const CANARY = 'canary-7f3a';

/** A logger and the lines that it has written. */
function logging(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const log = makeLogger({ level: 'info', destination, ...options });
  return { log, lines, last: () => JSON.parse(lines.at(-1)!) };
}

describe('standard error', () => {
  it('has a line before the call returns, even of a process that is killed next', () => {
    const code = new URL('../../../dist/api/host/process/logger.js', import.meta.url).href;
    const program =
      `const { makeLogger } = await import(${JSON.stringify(code)});` +
      `makeLogger({ level: 'info' }).info('the last words'); process.kill(process.pid, 'SIGKILL');`;
    const { stderr, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
    expect(signal).toBe('SIGKILL');
    expect(JSON.parse(String(stderr))).toMatchObject({ msg: 'the last words' });
  });
});

describe('a line', () => {
  it('is JSON with the time, the level and the message', () => {
    const { log, lines, last } = logging();
    log.warn({ port: 8443 }, 'the server listens');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    expect(last()).toMatchObject({ level: 'warn', port: 8443, msg: 'the server listens' });
    expect(Date.parse(last().time)).toBeCloseTo(Date.now(), -4);
    expect(Object.keys(last())).toEqual(['level', 'time', 'port', 'msg']);
  });

  it('is written from the chosen level on', () => {
    const { log, lines } = logging({ level: 'warn' });
    log.info('a');
    log.warn('b');
    expect(lines).toHaveLength(1);
    const silent = logging({ level: 'silent' });
    silent.log.fatal('c');
    expect(silent.lines).toEqual([]);
  });

  it('is for people when wished: time, level, message and the rest', () => {
    const { log, lines } = logging({ pretty: true });
    log.info({ port: 8443 }, 'the server listens');
    expect(lines[0]).toMatch(/^\S+Z INFO {2}the server listens \{"port":8443\}\n$/);
    log.error('alone');
    expect(lines[1]).toMatch(/^\S+Z ERROR alone\n$/);
  });
});

describe('a secret is in no line', () => {
  const secret = new Secret(CANARY);

  it('by its type, wherever it stands', () => {
    const { log, lines } = logging();
    log.info({ any: secret, list: [secret], deep: { a: { b: secret } } }, `said ${secret}`);
    log.info('said %s and %o and %j', secret, secret, secret);
    log.child({ bound: secret }).error(new Error(`about ${secret}`));
    expect(lines.join()).not.toContain(CANARY);
    expect(lines[0]).toContain('[redacted]');
  });

  it.each([
    'authorization',
    'Authorization',
    'proxy-authorization',
    'cookie',
    'Set-Cookie',
    'password',
    'client_secret',
    'ClientSecret',
    'access_token',
    'refreshToken',
    'code',
    'code_verifier',
    'AppKey',
    'NetworkSKey',
    'key',
    'keys',
    'private_key',
    'credentials',
    'body',
    'headers',
  ])('by its name: %s, at any depth and in lists', (name) => {
    const { log, lines } = logging();
    log.info({ [name]: CANARY });
    log.info({ [name]: { inner: CANARY } });
    log.info({ a: { b: { c: [{ [name]: CANARY }] } } });
    log.child({ [name]: CANARY, a: { [name]: CANARY } }).info('a');
    expect(lines).toHaveLength(4);
    expect(lines.join()).not.toContain(CANARY);
  });

  it('in whatever else an object has: bytes, errors with requests, things of classes', () => {
    const { log, lines } = logging();
    const error = Object.assign(new Error('bad'), { request: CANARY, config: { a: CANARY } });
    class Session {
      readonly held = CANARY;
    }
    log.info({ error, err: error, session: new Session(), bytes: Buffer.from(CANARY) });
    expect(lines.join()).not.toContain(CANARY);
    expect(lines[0]).toContain('"message":"bad"');
    expect(lines[0]).toContain('[Session]');
    expect(lines[0]).toContain('[11 bytes]');
  });

  it('and what shows itself without end is cut', () => {
    const endless = (): object => ({ toJSON: endless });
    const { log, last } = logging();
    log.info({ endless: endless() });
    expect(last()).toMatchObject({ endless: '[…]' });
  });

  it('and names that are none are shown', () => {
    const { log, last } = logging();
    const fields = { status: 200, keyboard: 'a', device: { devEui: 'b', name: 'c' }, count: 0 };
    log.info(fields);
    expect(last()).toMatchObject(fields);
  });
});

describe('the log of requests', () => {
  it('has method, path, status and id, and no header, query or body', async () => {
    const { log, lines } = logging();
    const app = fastify({ loggerInstance: log, genReqId: makeRequestIds() });
    app.post('/oauth/token', async () => ({ access_token: CANARY }));
    app.get('/fault', async () => {
      throw Object.assign(new Error('bad'), { headers: { a: CANARY } });
    });
    const headers = { authorization: `Bearer ${CANARY}`, cookie: CANARY, host: 'a' };
    const url = `/oauth/token?code=${CANARY}`;
    await app.inject({ method: 'POST', url, headers, payload: { password: CANARY } });
    await app.inject({ method: 'GET', url: `/fault?a=${CANARY}`, headers });
    await app.close();
    expect(lines.join()).not.toContain(CANARY);
    const all = lines.map((line) => JSON.parse(line));
    expect(all[0]).toMatchObject({ reqId: 'r1', req: { method: 'POST', path: '/oauth/token' } });
    expect(all[1]).toMatchObject({ reqId: 'r1', res: { status: 200 } });
    expect(all.find(({ err }) => err)).toMatchObject({ reqId: 'r2', err: { message: 'bad' } });
  });

  it('has ids that count, or those of clients where they are plain', () => {
    const idOf = makeRequestIds();
    const given = [undefined, 'build-7:a.b_c', 'a b', 'x'.repeat(65), '', '\u001b[31m', ['a', 'b']];
    expect(given.map((id) => idOf({ headers: { 'x-request-id': id } }))).toEqual([
      'r1',
      'build-7:a.b_c',
      'r2',
      'r3',
      'r4',
      'r5',
      'r6',
    ]);
  });
});

describe('texts of users', () => {
  /** Controls but for the end of the line, separators of lines, marks of direction. */
  const isObeyed = (character: string): boolean =>
    /\p{Cc}|\p{Zl}|\p{Zp}|\p{Bidi_Control}|\ufeff/u.test(character) && character !== '\n';
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('\n', '\r', '\x1b', '\x9b', '\u202e', '"', '\\', '{', 'a') }),
  );

  it.each([false, true])('bring no control character and no line (pretty: %s)', (pretty) => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const { log, lines } = logging({ pretty });
        log.info({ name: one, list: [other], [other]: 1 }, other);
        expect(lines).toHaveLength(1);
        expect(lines[0]!.indexOf('\n')).toBe(lines[0]!.length - 1);
        expect([...lines[0]!].filter(isObeyed)).toEqual([]);
      }),
    );
  });

  it('are what they were when the line is read', () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!/\p{Surrogate}/u.test(text));
        const { log, last } = logging();
        log.info({ name: text }, text);
        expect(last()).toMatchObject({ name: text, msg: text });
      }),
    );
  });
});

it('what refers to itself, or is very deep, is cut', () => {
  const { log, last } = logging();
  const circle: { name: string; self?: unknown } = { name: 'a' };
  circle.self = circle;
  log.info({ circle, count: 2n ** 70n });
  expect(last().circle.self.self.name).toBe('a');
  expect(JSON.stringify(last().circle)).toContain('[…]');
  expect(last().count).toBe(`${2n ** 70n}`);
});
