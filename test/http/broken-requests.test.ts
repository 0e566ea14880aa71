/** What is answered to those whose bytes never become a request, over TLS as over plain HTTP. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../api/emulator.ts';

let emulator: Emulator;
afterEach(async () => await emulator.stop());

/** The answer to these bytes, once the server has closed. */
async function answerTo(bytes: string) {
  const { port } = new URL(emulator.url);
  const to = { port: Number(port), host: '127.0.0.1' };
  const socket = emulator.ca === undefined ? connect(to) : connectTls({ ...to, ca: emulator.ca });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => void (text += chunk));
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ')));
  return { status: Number(first.split(' ')[1]), headers, body };
}

const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';

const START = { paused: true, startAt: '2026-01-31T12:00:00Z' } as const;

describe.each([
  ['over TLS', false],
  ['over plain HTTP', true],
])('what is no request, %s', (_, http) => {
  it.each([
    ['no HTTP at all', 'EHLO there\r\n\r\n', 400, 'request.unreadable'],
    [
      'a method that HTTP does not know',
      'BREW /docs HTTP/1.1\r\nHost: a\r\n\r\n',
      400,
      'request.unreadable',
    ],
    [
      'too many bytes of header lines',
      `GET /docs HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(300_000)}\r\n\r\n`,
      431,
      'headers.too-long',
    ],
    [
      'two lengths of one body',
      `POST /docs HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n${CHUNKED}0\r\n\r\n`,
      400,
      'request.unreadable',
    ],
    [
      'a chunk without a length',
      `POST /oauth/token HTTP/1.1\r\nHost: a\r\n${CHUNKED}zz\r\n`,
      400,
      'request.unreadable',
    ],
  ])('%s: refused in the documented shape, and heard', async (_, bytes, status, code) => {
    emulator = await startEmulator({ ...START, http });
    const answer = await answerTo(bytes);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': `${answer.body.length}`,
      'x-sim-time': '2026-01-31t12:00:00.000000z',
      date: 'sat, 31 jan 2026 12:00:00 gmt',
      connection: 'close',
    });
    expect(JSON.parse(answer.body)).toMatchObject({ type: 'about:blank', status, code });
  });
});

describe('what no operation is asked with', () => {
  it.each([
    [
      'a method that no path has',
      'PROPFIND /api/v3.2/images',
      ['Host: a'],
      405,
      'method.not-allowed',
    ],
    ['TRACE', 'TRACE /api/v3.2/images', ['Host: a'], 405, 'method.not-allowed'],
    ['QUERY', 'QUERY /api/v3.2/images', ['Host: a'], 405, 'method.not-allowed'],
    ['no Host', 'GET /api/v3.2/images', [], 400, 'host.missing'],
    ['two Hosts', 'GET /api/v3.2/images', ['Host: a', 'hOST: b'], 400, 'host.repeated'],
    ['one Host twice', 'GET /api/v3.2/images', ['Host: a', 'Host: a'], 400, 'host.repeated'],
    [
      'another expectation',
      'GET /api/v3.2/images',
      ['Host: a', 'Expect: cake'],
      417,
      'expectation.unknown',
    ],
  ])('%s: refused in the shape of the path', async (_, first, lines, status, code) => {
    emulator = await startEmulator({ ...START, http: true });
    const head = [`${first} HTTP/1.1`, ...lines, 'Connection: close'].join('\r\n');
    const answer = await answerTo(`${head}\r\n\r\n`);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ detail: expect.any(String), code });
  });

  it('HTTP/1.0 has no Host, and is answered', async () => {
    emulator = await startEmulator({ ...START, http: true });
    expect((await answerTo('GET /sim/v1/health HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  it('a method that a path does not have is reported with the requested path', async () => {
    emulator = await startEmulator({ ...START, http: true });
    const head = 'PUT /api/latest/images?x=1 HTTP/1.1\r\nHost: a\r\nConnection: close';
    const { status, headers, body } = await answerTo(`${head}\r\n\r\n`);
    expect([status, headers.allow]).toEqual([405, 'get, post, head']);
    expect(JSON.parse(body).detail).toBe('/api/latest/images has GET, POST, HEAD only.');
  });
});
