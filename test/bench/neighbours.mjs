/**
 * How long a small request waits beside a subscriber who asks for as much as he may, in ms:
 *
 *     npm run -s compile && node test/bench/neighbours.mjs [durable]
 *     npm run -s compile && node test/bench/neighbours.mjs fleet [devices]
 *
 * The server is a process of its own. What Ann waits is reported as the CPU time of the server's
 * main thread between her request and its answer, so that other work of the machine has no say in
 * it.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { neighboursAt, serveNeighbours } from '../../dist/test/support/neighbours.js';

if (process.argv[2] === 'serve') {
  const [devices, data] = process.argv.slice(3);
  const options = data === undefined ? {} : { durable: true, data };
  const every = Number(devices) > 20 ? '12 h' : '2 min';
  const { url, subscribers } = await serveNeighbours(options, Number(devices), every);
  process.send({ url, subscribers });
  process.once('disconnect', () => process.exit());
  await new Promise(() => undefined);
}

const isFleet = process.argv[2] === 'fleet';
const data = mkdtempSync(join(tmpdir(), 'fleetwave-neighbours-'));
const given = process.argv[2] === 'durable' ? [data] : [];
const devices = isFleet ? (process.argv[3] ?? '20000') : '20';
const server = fork(process.argv[1], ['serve', devices, ...given]);
const [served] = await once(server, 'message');
const { eve, ann } = await neighboursAt(served);
/** Of the server's main thread so far, ms. */
const cpuMs = () =>
  Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/schedstat`, 'utf8').split(' ')[0]) /
  1e6;

const at = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/** Ann asks one thing after the other while Eve's requests are underway. */
async function beside(name, requests) {
  let isOver = false;
  const before = cpuMs();
  const answers = Promise.all(requests.map((each) => eve(...each))).then((all) => {
    isOver = true;
    return all;
  });
  const waited = [];
  // The client sends all of Eve's first.
  await setTimeout(100);
  do {
    const asked = cpuMs();
    await ann('GET', '/v1/groups/devices');
    waited.push(cpuMs() - asked);
  } while (!isOver);
  const statuses = new Set((await answers).map(({ status }) => status));
  waited.sort((one, other) => one - other);
  const figures = [
    `${requests.length} of Eve: ${[...statuses].join(' ')}`,
    `cpu ${Math.round(cpuMs() - before)}`,
    `Ann ${waited.length}`,
    `p50 ${at(waited, 0.5).toFixed(1)}`,
    `p99 ${at(waited, 0.99).toFixed(1)}`,
    `most ${waited.at(-1).toFixed(1)}`,
  ];
  console.log(`${name.padEnd(34)} ${figures.join(', ')}`);
  return answers;
}

const times = (count, request) => Array.from({ length: count }, () => request);
const eui = (i) => (0xc0ffee0000000000n + BigInt(i)).toString(16).toUpperCase();
const keys = Object.fromEntries(
  Array.from({ length: 9_000 }, (_, i) => [eui(i), '000102030405060708090a0b0c0d0e0f']),
);
const members = { name: 'x', devices: Array.from({ length: 20_000 }, (_, i) => eui(i)) };

if (isFleet) await campaignToAll();
else await smallThings();
server.disconnect();
await once(server, 'exit');
rmSync(data, { recursive: true, force: true });

async function smallThings() {
  const HOSTILE = 'function decodeUplink() { for (;;); } function encodeDownlink() { for (;;); }';
  const decoder = await eve('POST', '/sim/v1/decoders', { name: 'hostile', script: HOSTILE });
  const DecoderType = JSON.parse(decoder.text).Id;
  const { Devices } = JSON.parse((await eve('GET', '/v1/devices')).text);
  const euis = Devices.map(({ DevEUI }) => DevEUI);
  for (const eui of euis) await eve('PATCH', `/v1/devices/${eui}`, { DecoderType });
  await eve('POST', '/sim/v1/clock:advance', { by: 86_400 });

  await beside('nothing else', times(200, ['GET', '/v1/account']));
  await beside('one list of 717 payloads', [['GET', `/v1/devices/${euis[0]}/payloads`]]);
  await beside('four such lists', times(4, ['GET', `/v1/devices/${euis[0]}/payloads`]));
  await beside('a hundred pages of a log', times(100, ['GET', '/v1/logs']));
  const message = { ApplicationPayload: { data: { a: 1 } }, TargetPort: '20' };
  await beside(
    'a hundred encoded messages',
    times(100, ['POST', `/v1/devices/${euis[0]}/message`, message]),
  );
  await beside('a source that loads for long', [
    [
      'POST',
      '/sim/v1/decoders',
      { name: 'slow', script: 'let a = []; for (;;) a.push({ a: 1 });' },
    ],
  ]);
  await beside(
    'eight bodies of keys',
    times(8, ['POST', '/api/v3.2/key_management', JSON.stringify(keys)]),
  );
  await beside(
    'eight lists of members',
    times(8, ['POST', '/api/v3.2/device_groups', JSON.stringify(members)]),
  );

  const RestParams = Array.from({ length: 10 }, (_, i) => ({
    URL: `https://app.example/${i}`,
    OutputFormat: 'simple',
  }));
  const profile = await eve('POST', '/v1/outputprofiles', { Name: 'app', RestParams });
  const { Id } = JSON.parse(profile.text);
  await eve('PATCH', `/v1/outputprofiles/${Id}/devices`, { Id, Devices: euis });
  await beside('a clock that advances by an hour', [
    ['POST', '/sim/v1/clock:advance', { by: 3_600 }],
  ]);
  await beside('ten sessions', times(10, ['GET', '/sim/v1/session.yaml']));
  await beside('twenty results', times(20, ['GET', '/sim/v1/result.json']));
}

/** A campaign to every device that Eve has, in one group. */
async function campaignToAll() {
  const { Devices } = JSON.parse((await eve('GET', '/v1/devices')).text);
  const members = Devices.map(({ DevEUI }) => DevEUI);
  const advance = (by) => ['POST', '/sim/v1/clock:advance', { by }];
  const body = { name: 'all', devices: members };
  const [group] = await beside('a group', [['POST', '/api/v3.2/device_groups', body]]);
  const { device_group_id } = JSON.parse(group.text);
  await uploadImage('fw-1.1.0.bin');
  const campaign = { name: 'all', image_name: 'fw-1.1.0.bin', device_group_id };
  const [made] = await beside('a campaign', [['POST', '/api/v3.2/campaigns', campaign]]);
  const path = `/api/v3.2/campaigns/${JSON.parse(made.text).campaign_id}`;
  await beside('its first round', [advance(10)]);
  await beside('an hour of it', [advance(3_600)]);
  await beside('its full state', [['GET', path]]);
  await beside('a halt', [['POST', `${path}/halt`]]);
  await beside('a restart', [['POST', `${path}/restart`, {}]]);
  await beside('its second round', [advance(10)]);
}

async function uploadImage(name) {
  const { clientId, clientSecret } = served.subscribers.find((one) => one.subscriber === 'eve');
  const answer = await fetch(`${served.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = await answer.json();
  const form = new FormData();
  form.append('image', new Blob([new Uint8Array(5_000)]), name);
  const headers = { authorization: `Bearer ${access_token}` };
  await fetch(`${served.url}/api/v3.2/images`, { method: 'POST', body: form, headers });
}
