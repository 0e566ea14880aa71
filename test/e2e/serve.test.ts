/** `fleetwave serve` as its users meet it: the bundled program in a process of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, PROGRAM } from '../support/bundled.ts';
import { HANG_MS } from '../support/cost.ts';

let folder = '';

beforeAll(() => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One that ends by itself; a process that stays is killed, without a status. */
function served(...words: readonly string[]) {
  const options = {
    cwd: folder,
    encoding: 'utf8',
    timeout: HANG_MS,
    killSignal: 'SIGKILL',
  } as const;
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'serve', ...words], options);
  return { status, stderr: stderr.trimEnd().split('\n') };
}

describe('fleetwave serve that cannot start ends with 2, and says why', () => {
  it('where its ready file cannot be written', () => {
    expect(served('--port', '0', '--http', '--ready-file', 'nowhere/ready.json')).toEqual({
      status: 2,
      stderr: ['nowhere/ready.json: cannot be written: there is no such file or folder'],
    });
  });

  it('where its port is in use, or its address is none', async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const { port } = other.address() as AddressInfo;
    expect(served('--port', `${port}`)).toEqual({
      status: 2,
      stderr: [
        `cannot listen on 127.0.0.1:${port}: the port is in use (--port 0: any that is free)`,
      ],
    });
    other.close();
    expect(served('--port', '0', '--host', '192.0.2.77')).toEqual({
      status: 2,
      stderr: ['cannot listen on 192.0.2.77:0: this machine has no such address'],
    });
  });

  it.each([
    ['data', 'folder of the world and its certificates'],
    ['port', 'port to listen on'],
    ['set', 'override a value: devices.meter.count=50, "radio.shadowing=0 dB"'],
    ['ready-file', 'write address and secrets here once it answers, mode 0600'],
  ])('where --%s has no value', (name, about) => {
    expect(served(`--${name}`, '--http')).toEqual({
      status: 2,
      stderr: [
        `fleetwave serve: --${name} needs a value (${about})`,
        'Help: fleetwave serve --help',
      ],
    });
  });
});

describe('fleetwave serve --print-config', () => {
  const words = [PROGRAM, 'serve', '--print-config', '--seed', 'mine', '--data', 'none'];
  const settings = (port: string) => {
    writeFileSync(join(folder, 'fleetwave.yaml'), `host: 127.0.0.2\nport: ${port}\n`);
    const env = { ...process.env, FLEETWAVE_LOG_LEVEL: 'info' };
    return spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8', env });
  };
  afterAll(() => rmSync(join(folder, 'fleetwave.yaml')));

  it('reports the settings in force, those of fleetwave.yaml in this folder too, and ends', () => {
    const { status, stdout, stderr } = settings('9000');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('seed: mine  # flag --seed\n');
    expect(stdout).toContain('host: 127.0.0.2  # fleetwave.yaml:1\nport: 9000  # fleetwave.yaml:2');
    expect(stdout).toContain('log_level: info  # environment FLEETWAVE_LOG_LEVEL\n');
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  it('ends with 2 where a setting is wrong', () => {
    const { status, stdout, stderr } = settings('http');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^fleetwave\.yaml:2:7 {2}\/port {2}"http" is not right; allowed: .*\n$/);
  });
});

describe('the ready file of fleetwave serve', () => {
  it('is read by nobody else, whatever stood in its place before', async () => {
    const path = join(folder, 'ready.json');
    for (const before of [path, `${path}.new`]) {
      writeFileSync(before, 'old', { mode: 0o644 });
    }
    const words = ['serve', '--port', '0', '--http', '--paused', '--quiet', '--ready-file', path];
    const emulator = spawn(process.execPath, [PROGRAM, ...words], { cwd: folder });
    try {
      await expect.poll(() => readFileSync(path, 'utf8'), { timeout: HANG_MS }).toContain('secret');
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(existsSync(`${path}.new`)).toBe(false);
    } finally {
      emulator.kill();
      await once(emulator, 'exit');
    }
  });
});

describe('fleetwave serve that is stopped by SIGTERM', () => {
  it('answers what was asked, ends streams and idle connections, and ends with 0', async () => {
    const path = join(folder, 'stopped.json');
    const words = ['--port', '0', '--http', '--ephemeral', '--quiet', '--ready-file', path];
    const emulator = spawn(process.execPath, [PROGRAM, 'serve', ...words], { cwd: folder });
    await expect.poll(() => existsSync(path), { timeout: HANG_MS }).toBe(true);
    const ready = JSON.parse(readFileSync(path, 'utf8'));
    const basic = Buffer.from(`${ready.client_id}:${ready.client_secret}`).toString('base64');
    const token = await fetch(`${ready.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token } = (await token.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}` };
    const stream = await fetch(`${ready.url}/sim/v1/events`, { headers });
    const body = JSON.stringify({ by: 86_400 });
    const asked = fetch(`${ready.url}/sim/v1/clock:advance`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const began = performance.now();
    emulator.kill('SIGTERM');
    const over = await once(emulator, 'exit');
    expect(over).toEqual([0, null]);
    expect(performance.now() - began).toBeLessThan(HANG_MS);
    expect([200, 202, 409, 503]).toContain((await asked).status);
    await stream.text();
  });
});

describe('a world that is stored', () => {
  const started = async (...more: readonly string[]) => {
    const path = join(folder, 'kept.json');
    rmSync(path, { force: true });
    const words = ['--port', '0', '--http', '--paused', '--quiet', '--data', 'kept', ...more];
    const emulator = spawn(process.execPath, [PROGRAM, 'serve', ...words, '--ready-file', path], {
      cwd: folder,
    });
    await expect.poll(() => existsSync(path), { timeout: HANG_MS }).toBe(true);
    const ready = JSON.parse(readFileSync(path, 'utf8'));
    const statusWith = async (secret: string): Promise<number> => {
      const basic = Buffer.from(`${ready.client_id}:${secret}`).toString('base64');
      const answer = await fetch(`${ready.url}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      return answer.status;
    };
    const stop = async () => {
      emulator.kill();
      await once(emulator, 'exit');
    };
    return { ready, statusWith, stop };
  };

  it('reports its secrets once; they hold until --rotate-secret draws others', async () => {
    const first = await started();
    const old = first.ready.client_secret;
    expect(await first.statusWith(old)).toBe(200);
    await first.stop();
    const second = await started();
    expect(second.ready).toMatchObject({ client_secret: null, password: null });
    expect(JSON.stringify(second.ready)).not.toContain('fw_');
    expect(await second.statusWith(old)).toBe(200);
    await second.stop();
    const third = await started('--rotate-secret');
    const renewed = third.ready.client_secret;
    expect(renewed).toMatch(/^fw_/);
    expect(third.ready.password).toBeNull();
    expect([await third.statusWith(old), await third.statusWith(renewed)]).toEqual([401, 200]);
    await third.stop();
    const fourth = await started();
    expect(fourth.ready.client_secret).toBeNull();
    expect([await fourth.statusWith(old), await fourth.statusWith(renewed)]).toEqual([401, 200]);
    await fourth.stop();
  });
});
