/**
 * A whole update over UDP on loopback, by a network server in a process of its own: it reaches the
 * devices that an update inside the simulator reaches, and the session repeats without it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundledChild } from '../crash/bundle.ts';
import { fleetwave } from '../support/bridge-program.ts';
import type { KnownDevice, ServerReport } from '../support/udp-server/network-server.ts';

const SPEED = 20;
const DEVICES = 10;
const IMAGE_BYTES = 1_000;

const SCENARIO = `
scenario: bridged-town
duration: 7 min
region: EU868
area: { radius: 1 km }
radio: { pathLoss: freeSpace, shadowing: 0 dB }
gateways:
  - { name: roof, count: 1, gps: true, backhaul: { latency: 5 ms, jitter: 0 ms } }
devices:
  - name: meter
    count: ${DEVICES}
    joinWithin: 10 s
    traffic: { every: 15 s, payload: 10 B, fPort: 2, confirmed: 10 % }
`;

const folder = mkdtempSync(join(tmpdir(), 'fleetwave-bridge-'));
const path = join(folder, 'town.yaml');
const out = join(folder, 'out');
let removeChild = () => {};
let server: ChildProcess;
let report: ServerReport;
let printed = '';

beforeAll(async () => {
  writeFileSync(path, SCENARIO);
  const { path: child, remove } = await bundledChild('test/support/udp-server/child.ts');
  removeChild = remove;
  server = fork(child);
  const exported = await fleetwave(['bridge', 'export', path, '--format', 'json']);
  const { devices } = JSON.parse(exported.stdout) as { devices: KnownDevice[] };
  const image = Array.from({ length: IMAGE_BYTES }, (_, i) => (i * 7) & 0xff);
  const update = {
    image: Buffer.from(image).toString('hex'),
    fragSize: 40,
    redundancy: 20,
    sessionTimeOut: 8,
    leadS: 150,
    gapS: 2,
  };
  server.send({ setting: { devices, speed: SPEED, update } });
  const [{ port }] = await once(server, 'message');
  const words = ['bridge', path, '--udp', `127.0.0.1:${port}`, '--speed', String(SPEED)];
  const ran = await fleetwave([...words, '--out', out]);
  expect(ran.stderr).toContain(`127.0.0.1:${port} answers. ${DEVICES} devices, 1 gateway, ×20`);
  expect(ran.code).toBe(0);
  printed = ran.stdout;
  server.send({ report: true });
  [{ report }] = await once(server, 'message');
}, 120_000);

afterAll(async () => {
  server.disconnect();
  await once(server, 'exit');
  removeChild();
  rmSync(folder, { recursive: true });
});

const resultOf = () => JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));

it('all devices join at the server, and no frame has a wrong MIC', () => {
  expect(report.joined).toHaveLength(DEVICES);
  expect(report).toMatchObject({ badMics: 0, wrong: [] });
  expect(report.uplinks).toBeGreaterThan(100);
  expect(report.stats).toBeGreaterThan(0);
});

it('the update reaches all devices, as one inside the simulator does', () => {
  expect(report.stage).toBe('done');
  const { outsideServer } = resultOf();
  const [update] = outsideServer.updates;
  expect(update.devices).toMatchObject({ total: DEVICES, complete: DEVICES, unknown: 0 });
  expect(update).toMatchObject({ mcAddr: '01FFFF01', nbFrag: 25, fragSize: 40, deviceClass: 'C' });
  expect(update.fragments).toMatchObject({ refused: {}, sent: 45 });
});

it('what the server believes agrees with what devices have', () => {
  const { outsideServer } = resultOf();
  const [update] = outsideServer.updates;
  const missing = Object.values(report.missing);
  expect(missing).toHaveLength(DEVICES);
  expect(update.devices.believedComplete).toBe(missing.filter((each) => each === 0).length);
  const found = update.checks.filter(({ verdict }: { verdict: string }) => verdict === 'found');
  const names = found.map(({ check }: { check: string }) => check);
  for (const name of names) expect(['wrongBelief', 'statusUnanswered']).toContain(name);
});

it('gateways have answered each request by a word of the protocol', () => {
  const words = Object.keys(report.txAcks);
  const { outsideServer } = resultOf();
  const answered = Object.values(report.txAcks).reduce((sum, each) => sum + each, 0);
  expect(words).toContain('NONE');
  expect(answered).toBe(outsideServer.transmissions);
});

it('the session repeats to the same bytes without the server', async () => {
  const again = await fleetwave(['bridge', 'replay', out]);
  expect(again.stdout).toContain('The result is the same to the last byte');
  expect(again.code).toBe(0);
  const session = join(out, 'bridge.ndjson');
  const lines = readFileSync(session, 'utf8').split('\n');
  writeFileSync(session, lines.filter((_, i) => i !== 5).join('\n'));
  const other = await fleetwave(['bridge', 'replay', out]);
  expect(other.stdout).toContain('The result differs');
  expect(other.code).toBe(1);
});

it('no command that repeats runs takes its result for one', async () => {
  const refused = await fleetwave(['replay', join(out, 'result.json')]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('is of fleetwave bridge');
});

it('there are a report, a summary, and a line for each device', () => {
  expect(printed).toContain('PUSH_DATA');
  expect(printed).toContain('Behind the clock');
  expect(existsSync(join(out, 'report.html'))).toBe(true);
  const page = readFileSync(join(out, 'report.html'), 'utf8');
  expect(page).toContain('What your server did');
  const lines = readFileSync(join(out, 'fragments.csv'), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(1 + DEVICES);
});

it('a crashed session repeats up to its last request, and a broken line is named', async () => {
  const session = join(out, 'bridge.ndjson');
  const lines = readFileSync(session, 'utf8').trim().split('\n');
  writeFileSync(session, lines.slice(0, 20).join('\n'));
  const crashed = await fleetwave(['bridge', 'replay', out]);
  expect(crashed.code).toBe(1);
  writeFileSync(session, [...lines.slice(0, 3), '{"kind":"transmission"}', lines[4]].join('\n'));
  const broken = await fleetwave(['bridge', 'replay', out]);
  expect(broken.code).toBe(2);
  expect(broken.stderr).toBe(
    `fleetwave bridge: ${session}:4: is not right; allowed: a transmission\n`,
  );
});
