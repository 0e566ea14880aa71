/** Idempotency keys outlive a restart of a durable world (docs/decisions/0105). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../api/emulator.ts';

let data = '';
let emulator: Emulator;
let secret = '';

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'fleetwave-keys-'));
});
afterEach(async () => {
  await emulator.stop();
  rmSync(data, { recursive: true, force: true });
});

async function start() {
  const startAt = '2026-03-01T00:00:00Z';
  emulator = await startEmulator({ durable: true, http: true, paused: true, data, startAt });
  secret = emulator.clientSecret || secret;
  const { url, clientId } = emulator;
  const token = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await token.json()) as { readonly access_token: string };
  const authorization = `Bearer ${access_token}`;
  return async (path: string, body: object) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: JSON.stringify(body),
    });
    const isReplayed = answer.headers.get('idempotency-replayed') === 'true';
    return { status: answer.status, text: await answer.text(), isReplayed };
  };
}

it('a request that comes again has the first answer, secrets included', async () => {
  const requests = [
    ['/v1/groups/devices', { Name: 'roofs' }],
    ['/v1/applications', { Name: 'dashboard' }],
    ['/sim/v1/subscribers', { name: 'bob' }],
    ['/sim/v1/snapshots', { name: 'begin' }],
    ['/api/v3.2/device_groups', { name: 'nobody', devices: ['FFFFFFFFFFFFFFFF'] }],
  ] as const;
  let ask = await start();
  const firsts = [];
  for (const [path, body] of requests) firsts.push(await ask(path, body));
  expect(firsts.every(({ isReplayed }) => !isReplayed)).toBe(true);
  expect(firsts.map(({ status }) => Math.floor(status / 100))).toEqual([2, 2, 2, 2, 4]);
  await emulator.stop();
  ask = await start();
  for (const [i, [path, body]] of requests.entries()) {
    const first = { ...firsts[i]!, isReplayed: true };
    expect({ path, ...(await ask(path, body)) }).toEqual({ path, ...first });
  }
});

it('a key of what ends with the process ends with it: a fork is made again', async () => {
  let ask = await start();
  expect(await ask('/sim/v1/worlds', {})).toMatchObject({ isReplayed: false });
  expect(await ask('/sim/v1/worlds', {})).toMatchObject({ isReplayed: true });
  await emulator.stop();
  ask = await start();
  expect(await ask('/sim/v1/worlds', {})).toMatchObject({ isReplayed: false });
});
