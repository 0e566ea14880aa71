/** What a client can see of a world that was killed, after the next start (docs/decisions/0104). */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../api/emulator.ts';
import { bundledChild } from './bundle.ts';
import { newDurable, type Stored } from './process-runs.ts';
import { type Life, type Served, STORED } from './served.ts';

let child = '';
let removeChild = () => {};
let stored: Stored;
let emulator: Emulator;
let process: ChildProcess;
let token = '';
/** Large commands that were refused, and what one more was answered. */
let refused = 0;
let last: Awaited<ReturnType<typeof ask>>;
/** Of the life before the kill, by what was asked. */
const before = new Map<string, string>();

async function ask(
  url: string,
  method: string,
  path: string,
  body?: object,
  key = '',
  prefer = '',
) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(key && { 'idempotency-key': key }),
    ...(prefer && { prefer }),
  };
  const answer = await fetch(url + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const READ = [
  '/v1/groups/devices',
  '/v1/applications',
  '/sim/v1/snapshots',
  '/sim/v1/world',
  '/sim/v1/session.yaml',
  '/v1/logs',
  '/sim/v1/deliveries',
];

beforeAll(async () => {
  ({ path: child, remove: removeChild } = await bundledChild());
  stored = newDurable();
  const life: Life = { data: stored.data, scenario: stored.scenario, paused: true };
  process = fork(child, [JSON.stringify(life)], { stdio: ['ignore', 'ignore', 2, 'ipc'] });
  const [{ url, clientId, clientSecret }] = (await once(process, 'message')) as [Served];
  const given = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  token = ((await given.json()) as { readonly access_token: string }).access_token;
  const post = (path: string, body: object, key?: string) => ask(url, 'POST', path, body, key);
  await post('/v1/groups/devices', { Name: 'roofs' }, 'k');
  await post('/v1/applications', { Name: 'dashboard' });
  await post('/sim/v1/snapshots', { name: 'begin' });
  await post('/sim/v1/worlds', {});
  await post('/v1/groups/devices', { Name: 'refused', DeviceList: ['FFFFFFFFFFFFFFFF'] });
  // The mark of the refusal is written in the background, before this one.
  await post('/v1/groups/devices', { Name: 'cellars' });
  await post('/sim/v1/clock:advance', { by: 3_600 });
  const job = await ask(url, 'POST', '/sim/v1/clock:advance', { by: 60 }, '', 'respond-async');
  before.set('job', job.text);
  while (JSON.parse((await ask(url, 'GET', '/sim/v1/clock')).text).job_id !== null);
  await ask(url, 'PUT', '/sim/v1/clock', { paused: true, speed: 7 });
  await post('/sim/v1/faults/api', { path: '/v1/groups/gateways', status: 503 });
  // Nothing is in the network that these name.
  const devices = Array.from({ length: 20_000 }, (_, i) => `FFFFFFFFFF${100_000 + i}`);
  do last = await post('/api/v3.2/device_groups', { name: 'refused', devices });
  while (last.status === 400 && ++refused < 120);
  for (const path of READ) before.set(path, (await ask(url, 'GET', path)).text);
  const isOver = once(process, 'exit');
  process.kill('SIGKILL');
  await isOver;
  emulator = await startEmulator({
    ...STORED,
    data: stored.data,
    scenario: stored.scenario,
    paused: true,
  });
});
afterAll(async () => {
  await emulator.stop();
  stored.remove();
  removeChild();
});

const get = async (path: string) => await ask(emulator.url, 'GET', path);

it('tokens that were given before are good', async () => {
  expect((await get('/v1/account')).status).toBe(200);
});

it('records, snapshots, logs, deliveries and the instant are as they were', async () => {
  for (const path of READ) {
    const { text } = await get(path);
    expect({ path, text }).toEqual({ path, text: before.get(path)! });
  }
});

it('the session has what was done, and not what was refused', async () => {
  const session = (await get('/sim/v1/session.yaml')).text;
  for (const name of ['roofs', 'dashboard', 'cellars']) expect(session).toContain(name);
  expect(session).not.toContain('refused');
});

it('refused commands of a subscriber leave some 16 MiB; then the next one waits', async () => {
  expect(last.status).toBe(429);
  // Some drains meanwhile.
  expect(refused).toBeGreaterThan(40);
  expect(refused).toBeLessThan(80);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  const folder = join(stored.data, 'world');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const sizes = files.map((each) => statSync(join(each.parentPath, each.name)).size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(15 * 1_024 * 1_024);
  expect(bytes).toBeLessThan(20 * 1_024 * 1_024);
});

it('an idempotency key has its answer', async () => {
  const again = await ask(emulator.url, 'POST', '/v1/groups/devices', { Name: 'roofs' }, 'k');
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});

it('jobs are gone, and none gets an id again', async () => {
  const { job_id } = JSON.parse(before.get('job')!) as { readonly job_id: string };
  expect((await get(`/sim/v1/jobs/${job_id}`)).status).toBe(404);
  const next = await ask(
    emulator.url,
    'POST',
    '/sim/v1/clock:advance',
    { by: 60 },
    '',
    'respond-async',
  );
  expect(JSON.parse(next.text).job_id).not.toBe(job_id);
});

it('forks, failing requests by rule, the log of requests and the pace begin anew', async () => {
  expect(JSON.parse((await get('/sim/v1/worlds')).text).worlds).toHaveLength(1);
  expect(JSON.parse((await get('/sim/v1/faults/api')).text).faults).toEqual([]);
  expect((await get('/v1/groups/gateways')).status).toBe(200);
  const log = JSON.parse((await get('/sim/v1/requests')).text);
  expect(JSON.stringify(log)).not.toContain('application.create');
  expect(JSON.parse((await get('/sim/v1/clock')).text).speed).not.toBe(7);
});
