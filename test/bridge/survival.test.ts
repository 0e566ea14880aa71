/**
 * What a bridge survives on its way to the server: hostile datagrams, floods, an address where
 * nobody is, and a signal that stops it.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDatagram, writeDatagram } from '../../sim/gateway/forwarder-datagram.ts';
import { fleetwave } from '../support/bridge-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'fleetwave-survival-'));
const path = join(folder, 'field.yaml');
const SCENARIO = `
scenario: field
duration: 20 min
region: EU868
area: { radius: 1 km }
gateways: [{ name: mast, count: 2, backhaul: { latency: 1 ms } }]
devices: [{ name: meter, count: 5, joinWithin: 10 s, traffic: { every: 1 min } }]
timeline:
  - { at: 6 min, gatewayFault: { gateway: mast-1, fault: backhaul } }
  - { at: 9 min, gatewayFault: { gateway: mast-1, fault: backhaul, on: false } }
`;
writeFileSync(path, SCENARIO);
afterAll(() => rmSync(folder, { recursive: true }));

describe('a bridge ends before it begins, in one line and with nothing written,', () => {
  const out = join(folder, 'nothing');
  const refusedBy = async (...words: readonly string[]) => {
    const { code, stderr } = await fleetwave(['bridge', path, '--out', out, ...words]);
    expect(code).toBe(2);
    expect(existsSync(out)).toBe(false);
    return stderr;
  };

  it.each([
    [['--udp', 'nohost.invalid:1700'], 'nohost.invalid: the host is not known'],
    [['--udp', '127.0.0.1'], "--udp is '127.0.0.1'; allowed: HOST:PORT"],
    [['--udp', '127.0.0.1:70000'], 'allowed: HOST:PORT with a port from 1 to 65535'],
    [['--udp', '127.0.0.1:1700', '--speed', '0'], '--speed is 0; allowed: 0.01 to 1000'],
    [['--udp', '127.0.0.1:1700', '--set', 'gateways=[]'], 'gateways'],
  ])('by %j', async (words, sentence) => {
    expect(await refusedBy(...words)).toContain(sentence);
  });

  it('where nobody answers', async () => {
    const silent = createSocket('udp4');
    silent.bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address();
    const stderr = await refusedBy('--udp', `127.0.0.1:${port}`);
    expect(stderr).toBe(
      `fleetwave bridge: 127.0.0.1:${port} does not answer PULL_DATA within 10 s; ` +
        'is a gateway bridge with Semtech UDP there?\n',
    );
    silent.close();
  }, 30_000);
});

describe('a bridge before a hostile server', () => {
  const out = join(folder, 'out');
  let server: Socket;
  let ended: Awaited<ReturnType<typeof fleetwave>>;
  const gateways = new Map<string, RemoteInfo>();
  let answers = 0;

  beforeAll(async () => {
    server = createSocket('udp4');
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    server.on('message', (bytes, from) => {
      const read = readDatagram(new Uint8Array(bytes));
      if (!read.ok) return;
      const { name, token, gatewayEui = '' } = read.value;
      gateways.set(gatewayEui, from);
      if (name === 'PULL_DATA') reply(from, writeDatagram({ name: 'PULL_ACK', token }));
      if (name === 'TX_ACK') answers++;
      if (name === 'PUSH_DATA') attack(from, token);
    });
    const words = ['bridge', path, '--udp', `127.0.0.1:${port}`, '--speed', '200', '--out', out];
    ended = await fleetwave([...words, '--json']);
  }, 60_000);
  afterAll(() => server.close());

  const reply = (to: RemoteInfo, bytes: Uint8Array) => server.send(bytes, to.port, to.address);

  /** Noise, acknowledgements of nothing, broken objects, and more requests than may be open. */
  function attack(to: RemoteInfo, token: number): void {
    const json = (txpk: object) => writeDatagram({ name: 'PULL_RESP', token: 7, json: { txpk } });
    const now = { imme: true, freq: 869.525, datr: 'SF9BW125', data: 'YAEAAAAA' };
    reply(to, writeDatagram({ name: 'PUSH_ACK', token }));
    reply(to, writeDatagram({ name: 'PUSH_ACK', token: (token + 999) % 65_536 }));
    for (const bytes of [[], [2], [2, 0, 0, 3, 0x7b], [9, 9, 9, 9], Array(1_400).fill(0xff)]) {
      reply(to, new Uint8Array(bytes));
    }
    reply(to, json({}));
    reply(to, json({ ...now, freq: 'loud' }));
    reply(to, json({ ...now, freq: 2_400 }));
    reply(to, json({ ...now, datr: 'SF9BW125'.padEnd(999, '5') }));
    for (let i = 0; i < 40; i++) reply(to, json(now));
  }

  it('reaches its end, and repeats without it', async () => {
    expect(ended.code).toBe(0);
    const again = await fleetwave(['bridge', 'replay', out]);
    expect(again.stdout).toContain('the same to the last byte');
  });

  it('counts what was no datagram, what was no request, and what nobody awaits', () => {
    const { bridge } = JSON.parse(ended.stdout);
    expect(bridge.malformed).toBeGreaterThan(5);
    expect(bridge.unexpected).toBeGreaterThan(1);
    expect(bridge.transmissions).toBeGreaterThan(20);
    // A system under load may drop datagrams.
    expect(bridge.pushAcked).toBeGreaterThan(bridge.pushed / 2);
    expect(bridge.pushAcked).toBeLessThanOrEqual(bridge.pushed);
  });

  it('says once of each kind what is wrong', () => {
    const lines = ended.stderr.split('\n').filter((line) => line.startsWith('warning:'));
    expect(lines.some((line) => line.includes('txpk.freq is a frequency in MHz'))).toBe(true);
    expect(lines.some((line) => line.includes('is none of the region'))).toBe(true);
    expect(lines.length).toBeLessThanOrEqual(20);
    for (const line of lines) expect(line.length).toBeLessThan(300);
  });

  it('answers, and refuses what its queue and its region do not take', () => {
    expect(answers).toBeGreaterThan(20);
    const { outsideServer } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
    const words = Object.keys(outsideServer.answers);
    expect(words).toContain('sent');
    expect(words).toContain('frequency');
  });

  it('a gateway whose backhaul is down sends nothing, and is connected again afterwards', () => {
    const result = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
    expect(result.outages).toHaveLength(1);
    expect(result.outages[0]).toMatchObject({ gateway: 'mast-1', part: 'backhaul' });
    expect(gateways.size).toBe(2);
  });
});

describe('a bridge that is stopped', () => {
  it('by Ctrl-C writes result and report, and its session repeats', async () => {
    const out = join(folder, 'stopped');
    const server = createSocket('udp4');
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    let begun: { kill(signal: NodeJS.Signals): unknown } | undefined;
    server.on('message', (bytes, from) => {
      const read = readDatagram(new Uint8Array(bytes));
      if (!read.ok) return;
      const { name, token } = read.value;
      if (name === 'PULL_DATA') {
        server.send(writeDatagram({ name: 'PULL_ACK', token }), from.port, from.address);
      }
      if (name !== 'PUSH_DATA' || read.value.json?.rxpk === undefined) return;
      begun?.kill('SIGINT');
      // A second signal would end it at once.
      begun = undefined;
    });
    const udp = `127.0.0.1:${server.address().port}`;
    const words = ['bridge', path, '--udp', udp, '--speed', '50', '--out', out];
    const ended = await fleetwave(words, (process) => {
      begun = process;
    });
    server.close();
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain('Stopped before the end: the result is partial.');
    const { complete, events } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
    expect(complete).toBe(false);
    expect(events).toBeGreaterThan(0);
    expect(existsSync(join(out, 'report.html'))).toBe(true);
    expect((await fleetwave(['bridge', 'replay', out])).code).toBe(0);
  }, 30_000);
});
