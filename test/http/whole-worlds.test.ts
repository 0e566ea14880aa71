/**
 * Whatever one subscriber asks for, no turn of the event loop is long: another one is answered in
 * between (docs/decisions/0102, 0110).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundledChild } from '../crash/bundle.ts';
import { type Ask, neighboursAt } from '../support/neighbours.ts';

const DEVICES = 20_000;
/** Of a turn, yards of some 10 ms. Uncut: a fork 7, a result 8, a snapshot 9, a restored one 29. */
const MOST_YARDS = 6;
/** Of a state that is read: what the platform has is decoded in one piece. */
const MOST_YARDS_OF_STATES = 12;
/** The best round counts: a compiler and a collector of garbage take their time, too. */
const ROUNDS = 4;

const data = mkdtempSync(join(tmpdir(), 'fleetwave-turns-'));
let removeChild = () => {};
let server: ChildProcess;
let yardMs = 0;
let eve: Ask;
let ann: Ask;
let euis: readonly string[] = [];

beforeAll(async () => {
  const { path, remove } = await bundledChild('test/http/turns-child.ts');
  removeChild = remove;
  server = fork(path, [JSON.stringify({ devices: DEVICES, data })]);
  const [served] = await once(server, 'message');
  ({ yardMs } = served);
  ({ eve, ann } = await neighboursAt(served));
  const script = 'function decodeUplink() { for (;;); }';
  const decoder = await eve('POST', '/sim/v1/decoders', { name: 'hostile', script });
  const DecoderType = JSON.parse(decoder.text).Id;
  await eve('POST', '/sim/v1/clock:advance', { by: 7_200 });
  const devices = JSON.parse((await eve('GET', '/sim/v1/devices')).text);
  euis = devices.map(({ devEui }: { readonly devEui: string }) => devEui);
  for (const eui of euis.slice(0, 40)) await eve('PATCH', `/v1/devices/${eui}`, { DecoderType });
});
afterAll(async () => {
  server.disconnect();
  await once(server, 'exit');
  removeChild();
  rmSync(data, { recursive: true });
});

/** The longest turn since it was asked before, yards. */
async function longest(): Promise<number> {
  server.send('longest');
  const [{ longestMs }] = await once(server, 'message');
  return longestMs / yardMs;
}

/** The longest turn while Eve's requests are carried out and Ann asks for little, yards. */
async function turnOf(requests: readonly Parameters<Ask>[]): Promise<number> {
  await setTimeout(50);
  await longest();
  let isOver = false;
  const answers = Promise.all(requests.map((each) => eve(...each))).finally(() => {
    isOver = true;
  });
  do expect((await ann('GET', '/v1/groups/devices')).status).toBe(200);
  while (!isOver);
  for (const { status } of await answers) expect(status).toBeLessThan(500);
  await setTimeout(50);
  return await longest();
}

const times = (count: number, request: Parameters<Ask>) =>
  Array.from({ length: count }, () => request);
const keysOf = (count: number) =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`C0FFEE${1e9 + i}`, '00'.repeat(16)]),
    ),
  );

/** What Eve asks for in a round. */
const ASKED: Readonly<Record<string, (round: number) => readonly Parameters<Ask>[]>> = {
  'the list of devices': () => [['GET', '/sim/v1/devices']],
  'what the world is': () => times(2, ['GET', '/sim/v1/world']),
  'the result so far': () => [['GET', '/sim/v1/result.json']],
  'the report so far': () => [['GET', '/sim/v1/report.html']],
  'a snapshot': (round) => [['POST', '/sim/v1/snapshots', { name: `s${round}` }]],
  'a fork': () => [['POST', '/sim/v1/worlds', {}]],
  'a restored snapshot': () => [['POST', '/sim/v1/snapshots/s0/restore']],
  'a world that begins anew': () => [['POST', '/sim/v1/world:reset']],
  'entries of the timeline': () => [
    ['POST', '/sim/v1/timeline', { entries: [{ gatewayRepair: { gateway: 'mast' } }] }],
  ],
  'payloads that take all their steps': () =>
    euis.slice(0, 40).map((eui) => ['GET', `/v1/devices/${eui}/payloads`]),
  'long pages of lists': () => [
    ['GET', '/v1/devices'],
    ['GET', '/v2/devices?limit=1000'],
    ['GET', '/v1/devices/health'],
  ],
  'bodies of keys': () => times(3, ['POST', '/api/v3.2/key_management', keysOf(9_000)]),
  'long lists of members': (round) => [
    ['POST', '/api/v3.2/device_groups', { name: `g${round}`, devices: euis }],
  ],
};

it.each(Object.entries(ASKED))('%s holds no turn up', { timeout: 600_000 }, async (what, asked) => {
  const most = what === 'a restored snapshot' ? MOST_YARDS_OF_STATES : MOST_YARDS;
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && least >= most; round++) {
    least = Math.min(least, await turnOf(asked(round)));
  }
  expect(least).toBeLessThan(most);
});
