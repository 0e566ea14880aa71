/** What an emulator may be started with, and what other machines may do with it. */
import { once } from 'node:events';
import { hostname, networkInterfaces } from 'node:os';
import { checkServerIdentity, connect } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../api/emulator.ts';
import {
  checkOptions,
  isLoopback,
  type WrongOptions,
} from '../../../api/host/settings/emulator-options.ts';
import { scenarioOf } from '../../../api/host/world/served-scenario.ts';
import { ServedEntry } from '../../support/served-http.ts';

const wrongWith = (options: EmulatorOptions): readonly string[] => {
  try {
    checkOptions(options);
    return [];
  } catch (error) {
    return (error as WrongOptions).lines;
  }
};

describe('options of an emulator', () => {
  it.each<EmulatorOptions>([
    {},
    { seed: 'x', startAt: '1981-01-01T00:00:00Z', speed: 0.001, port: 0 },
    { seed: 'x'.repeat(200), startAt: '2099-12-31T23:59:59+01:00', speed: 1_000_000, port: 65_535 },
    { speed: 'max', http: true, host: '127.255.255.254' },
    { http: false, host: '192.0.2.1' },
  ])('may be %j', (options) => {
    expect(wrongWith(options)).toEqual([]);
  });

  it.each<[EmulatorOptions, RegExp]>([
    [{ seed: '' }, /^--seed .* 1 to 200 characters/],
    [{ seed: ' ' }, /^--seed /],
    [{ seed: 'x'.repeat(201) }, /^--seed /],
    [{ seed: 'two\nlines' }, /^--seed /],
    [{ startAt: 'now' }, /^--start-at "now" .* 1981 to 2099/],
    [{ startAt: '1980-12-31T23:59:59Z' }, /^--start-at /],
    [{ startAt: '2100-01-01T00:00:00Z' }, /^--start-at /],
    [{ speed: 0.0009 }, /^--speed .* 0\.001 to 1000000, or max/],
    [{ speed: 1_000_001 }, /^--speed /],
    [{ speed: Number.NaN }, /^--speed /],
    [{ tokenClock: 'moon' as 'wall' }, /^--token-clock .* wall, virtual/],
    [{ logLevel: 'loud' as 'info' }, /^--log-level .* silent, error, warn, info, debug/],
    [{ port: -1 }, /^--port .* 0 to 65535/],
    [{ port: 65_536 }, /^--port /],
    [{ port: 80.5 }, /^--port /],
    [{ http: true, host: '0.0.0.0' }, /^--http is for loopback addresses only/],
    [{ http: true, host: '127.0.0.1.example.org' }, /^--http /],
  ])('may not be %j', (options, line) => {
    expect(wrongWith(options)).toEqual([expect.stringMatching(line)]);
  });

  it('refuse a world of before GPS time, whose clock was never set, and name the years', () => {
    const begun = (beganMs: number, startAt?: string) => () => scenarioOf({ startAt }, beganMs);
    const lines = (beganMs: number) => {
      try {
        begun(beganMs)();
        return [];
      } catch (error) {
        return (error as WrongOptions).lines;
      }
    };
    expect(lines(12_000)).toEqual([
      'the clock of this machine says 1970-01-01T00:00:12.000Z, and a world begins in the years ' +
        '1981 to 2099: set the clock, or give the beginning with --start-at',
    ]);
    expect(lines(Date.UTC(2100, 0))).toHaveLength(1);
    expect(lines(Date.UTC(1981, 0))).toEqual([]);
    expect(begun(12_000, '2026-01-01T00:00:00Z')().startUnixMs).toBe(Date.UTC(2026, 0));
  });

  it('are reported all that is wrong with them at once, a line each', () => {
    expect(wrongWith({ seed: '', speed: 0, port: -1 })).toHaveLength(3);
  });

  it('are of this machine alone with a loopback address, whatever begins like one', () => {
    const hosts = ['localhost', '127.0.0.1', '127.1.2.3', '::1'];
    const others = ['0.0.0.0', '::', '127.0.0.1.nip.io', 'localhost.example.org', '128.0.0.1'];
    expect([...hosts, ...others].filter(isLoopback)).toEqual(hosts);
  });
});

describe('an emulator', () => {
  const started: { readonly stop: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of started.splice(0)) await each.stop();
  });
  const start = async (options: EmulatorOptions): Promise<Emulator> => {
    const emulator = await startEmulator({ paused: true, ...options });
    started.push(emulator);
    return emulator;
  };
  const openTo = async (host: string, enableSimControl?: boolean): Promise<ServedEntry> => {
    const entry = await ServedEntry.open(undefined, { host, enableSimControl });
    started.push({ stop: () => entry.close() });
    return entry;
  };

  it('on a port that is taken says so, and the one that has it goes on', async () => {
    const first = await start({ http: true });
    const port = Number(new URL(first.url).port);
    await expect(startEmulator({ http: true, port })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port}: `,
    );
    expect((await fetch(`${first.url}/sim/v1/health`)).status).toBe(200);
  });

  it('gives its port back when it is stopped', async () => {
    const first = await start({ http: true });
    const port = Number(new URL(first.url).port);
    await first.stop();
    expect((await start({ http: true, port })).url).toBe(first.url);
  });

  it('on all addresses is controlled by nobody, and serves all else', async () => {
    const entry = await openTo('0.0.0.0');
    expect(new URL(entry.emulator.url).hostname).toBe('localhost');
    const { status, body } = await entry.ask('GET', '/sim/v1/clock');
    expect([status, body]).toEqual([403, expect.objectContaining({ code: 'simulator.closed' })]);
    expect((await entry.ask('GET', '/sim/v1/health', { token: null })).status).toBe(200);
    expect((await entry.ask('GET', '/api/v3.2/images')).status).toBe(200);
  });

  it('on all addresses is controlled by others where the operator allows it', async () => {
    const entry = await openTo('0.0.0.0', true);
    expect((await entry.ask('GET', '/sim/v1/clock')).status).toBe(200);
  });

  it('on all addresses has a certificate for each, and for the machine’s name', async () => {
    const { url, ca } = await start({ host: '0.0.0.0' });
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const reached = addresses.filter(({ family }) => family === 'IPv4');
    for (const { address: host } of reached) {
      const socket = connect({ host, port: Number(new URL(url).port), ca });
      await once(socket, 'secureConnect');
      expect(socket.authorized).toBe(true);
      expect(checkServerIdentity(hostname(), socket.getPeerCertificate())).toBeUndefined();
      socket.destroy();
    }
    expect(reached.length).toBeGreaterThan(0);
  });
});
