/** `fleetwave exec` as a team's CI meets it: the bundled program around a command. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, PROGRAM } from '../support/bundled.ts';
import { HANG_MS } from '../support/cost.ts';
import { itLong, sampled } from '../support/long.ts';

let folder = '';
beforeAll(() => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-exec-test-'));
  writeFileSync(join(folder, 'town.yaml'), 'scenario: town\ndevices: [{ name: a, count: 3 }]\n');
  writeFileSync(join(folder, 'suite.mjs'), SUITE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Asks as a client that trusts what its environment says, and passes or fails by its argument. */
const SUITE = `
const { FLEETWAVE_URL: url, FLEETWAVE_CLIENT_ID: id } = process.env;
const { FLEETWAVE_CLIENT_SECRET: secret } = process.env;
const token = await (await fetch(url + '/oauth/token', {
  method: 'POST',
  headers: { authorization: 'Basic ' + Buffer.from(id + ':' + secret).toString('base64') },
  body: new URLSearchParams({ grant_type: 'client_credentials' }),
})).json();
const headers = { authorization: 'Bearer ' + token.access_token };
const devices = await (await fetch(url + '/v1/devices', { headers })).json();
console.log(devices.Devices.length);
process.exit(Number(process.argv[2]));
`;

function executed(words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, 'exec', ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: HANG_MS,
    killSignal: 'SIGKILL',
  });
  return { status, stdout, stderr };
}

const NODE = process.execPath;

describe('fleetwave exec', () => {
  it.each(sampled([0, 3], (code) => code === 3))(
    'ends as its command does, with %i, and says nothing itself',
    (code) => {
      const words = ['--scenario', 'town.yaml', '--paused', '--', NODE, 'suite.mjs', String(code)];
      expect(executed(words)).toEqual({ status: code, stdout: '3\n', stderr: '' });
    },
  );

  it('keeps nothing, neither here nor in the folder of temporary files', () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('fleetwave-exec-'));
    executed(['--', NODE, 'suite.mjs', '0']);
    expect(readdirSync(folder).sort()).toEqual(['suite.mjs', 'town.yaml']);
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith('fleetwave-exec-'));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
  });

  itLong('keeps its world where a folder is named', () => {
    executed(['--data', 'kept', '--', NODE, 'suite.mjs', '0']);
    expect(readdirSync(join(folder, 'kept'))).toEqual(['tls', 'world']);
    rmSync(join(folder, 'kept'), { recursive: true });
  });

  it('gives the words behind -- as they are, and options there are the command’s', () => {
    const show = 'console.log(JSON.stringify(process.argv.slice(1)))';
    const { stdout } = executed([
      '--',
      NODE,
      '-e',
      show,
      '--',
      '--seed',
      '-x',
      'a b',
      '--',
      '$HOME',
    ]);
    expect(JSON.parse(stdout)).toEqual(['--seed', '-x', 'a b', '--', '$HOME']);
  });

  itLong('keeps authorities that were trusted before', () => {
    const others = join(folder, 'others.pem');
    writeFileSync(others, '# others\n');
    const read = 'console.log(require("fs").readFileSync(process.env.NODE_EXTRA_CA_CERTS, "utf8"))';
    const { stdout } = executed(['--', NODE, '-e', read], { NODE_EXTRA_CA_CERTS: others });
    expect(stdout).toMatch(/^# others\n/);
    expect(stdout).toContain('-----BEGIN CERTIFICATE-----');
    rmSync(others);
  });

  const REFUSED = [
    ['there is no such program', ['nothere'], 127],
    ['permission is denied', ['./town.yaml'], 126],
  ] as const;

  it.each(sampled(REFUSED, ([, , status]) => status === 127))(
    'says that %s, and ends as a shell does',
    (why, command, status) => {
      const stderr = `fleetwave exec: ${command[0]}: ${why}\n`;
      expect(executed(['--', ...command])).toEqual({ status, stdout: '', stderr });
    },
  );

  itLong('ends with 128 and the signal that its command was ended by', () => {
    expect(executed(['--', 'sh', '-c', 'kill -9 $$']).status).toBe(137);
  });

  it.each([
    [[], /^fleetwave exec: name a command behind --/],
    [['--scenario', 'none.yaml', '--', 'true'], /^none\.yaml {2}cannot be read/],
    [['--scenario', 'suite.mjs', '--', 'true'], /^suite\.mjs:/],
    [['--sed', 'x', '--', 'true'], /--sed is not an option; did you mean "--set"/],
    [['--port', 'x', '--', 'true'], /^--port "x" is not right; allowed: 0 to 65535/],
  ])('is refused with 2 where its words are wrong: %j', (words, complaint) => {
    const { status, stdout, stderr } = executed(words);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(complaint);
  });

  itLong('passes SIGTERM on, and stops once its command has', async () => {
    const script =
      'process.on("SIGTERM", () => process.exit(5)); console.log("on"); setInterval(() => 0, 1e3)';
    const child = spawn(NODE, [PROGRAM, 'exec', '--', NODE, '-e', script], { cwd: folder });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([5, null]);
  });
});
