/** `fleetwave serve` keeps its world: kill −9, another start, a damaged journal (decision 0065). */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundle, PROGRAM } from '../support/bundled.ts';
import { itLong } from '../support/long.ts';

let folder = '';
const running: ChildProcess[] = [];

beforeAll(bundle);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-durable-'));
});
afterEach(() => {
  for (const each of running.splice(0)) each.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ready {
  readonly url: string;
  readonly client_id: string;
  /** null: it was reported at an earlier start. */
  readonly client_secret: string | null;
}

interface Started {
  readonly process: ChildProcess;
  readonly ready: Ready;
  ask(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }>;
}

function program(words: readonly string[]) {
  const all = [PROGRAM, 'serve', '--port', '0', '--http', '--paused', '--quiet', ...words];
  const child = spawn(process.execPath, all, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  running.push(child);
  let stderr = '';
  child.stderr!.on('data', (text) => {
    stderr += text;
  });
  return { child, stderr: () => stderr };
}

/** As it was reported last. */
let secret = '';

async function started(...words: readonly string[]): Promise<Started> {
  const file = join(folder, 'ready.json');
  rmSync(file, { force: true });
  const { child, stderr } = program(['--ready-file', file, ...words]);
  while (!existsSync(file)) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${stderr()}`);
    await setTimeout(20);
  }
  const ready = JSON.parse(readFileSync(file, 'utf8')) as Ready;
  secret = ready.client_secret ?? secret;
  const basic = Buffer.from(`${ready.client_id}:${secret}`).toString('base64');
  const asked = await fetch(`${ready.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await asked.json()) as { access_token: string };
  return {
    process: child,
    ready,
    async ask(method, path, body) {
      const answer = await fetch(ready.url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    },
  };
}

async function refused(...words: readonly string[]) {
  const { child, stderr } = program(words);
  const [status] = await once(child, 'exit');
  return { status, stderr: stderr().trimEnd() };
}

async function killed({ process: child }: Started): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const group = (Name: string) => ['POST', '/v1/groups/devices', { Name }] as const;
async function groupsOf({ ask }: Started): Promise<readonly string[]> {
  const { body } = await ask('GET', '/v1/groups/devices');
  return (body as { DeviceGroups: { Name: string }[] }).DeviceGroups.map(({ Name }) => Name).sort();
}
const world = () => join(folder, 'fleetwave-data', 'world');
const segments = () => readdirSync(world()).filter((name) => name.startsWith('segment-'));

describe('a world that is served', () => {
  it('goes on after kill −9 with all that was answered, its time and its secrets', async () => {
    const first = await started();
    await first.ask('POST', '/sim/v1/clock:advance', { by: 600 });
    for (const name of ['a', 'b', 'c']) expect((await first.ask(...group(name))).status).toBe(200);
    const app = await first.ask('POST', '/v1/applications', { Name: 'dashboard' });
    const before = (await first.ask('GET', '/sim/v1/clock')).body;
    await killed(first);

    const second = await started();
    expect([second.ready.client_secret, secret]).toEqual([null, first.ready.client_secret]);
    expect(await groupsOf(second)).toEqual(['a', 'b', 'c']);
    expect((await second.ask('GET', '/sim/v1/clock')).body).toEqual(before);
    const { UUID, ClientSecret } = app.body as Record<string, string>;
    const basic = Buffer.from(`${UUID}:${ClientSecret}`).toString('base64');
    const token = await fetch(`${second.ready.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(token.status).toBe(200);
  });

  itLong('loses nothing that was answered killed again and again under load', async () => {
    const answered: string[] = [];
    for (let life = 0; life < 4; life++) {
      const one = await started();
      expect(await groupsOf(one)).toEqual(expect.arrayContaining(answered));
      let isAlive = true;
      const client = async (number: number) => {
        for (let i = 0; isAlive; i++) {
          const name = `${life}.${number}.${i}`;
          const answer = await one.ask(...group(name)).catch(() => undefined);
          if (answer?.status === 200) answered.push(name);
        }
      };
      const enough = answered.length + 30;
      const clients = Array.from({ length: 8 }, (_, number) => client(number));
      // However slow the machine is.
      while (answered.length < enough) await setTimeout(20 + 10 * life);
      await killed(one);
      isAlive = false;
      await Promise.all(clients);
    }
    const last = await started();
    expect(answered.length).toBeGreaterThan(100);
    expect(await groupsOf(last)).toEqual(expect.arrayContaining(answered));
  });

  it('is used by one process at a time; a lock that was left is no lock', async () => {
    const first = await started();
    const { status, stderr } = await refused();
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/world is used by the process \d+ on /),
    ]);
    expect(stderr).toContain(`${first.process.pid}`);
    await killed(first);
    await killed(await started());
  });

  itLong('is not taken for another one: another seed is refused, and nothing is lost', async () => {
    const first = await started('--seed', 'one');
    await first.ask(...group('a'));
    await killed(first);
    const { status, stderr } = await refused('--seed', 'two');
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('another scenario, seed or start'),
    ]);
    expect(await groupsOf(await started('--seed', 'one'))).toEqual(['a']);
  });

  itLong('of a variant goes on as that variant, and is not taken for another one', async () => {
    const file = join(folder, 'town.yaml');
    writeFileSync(
      file,
      'scenario: town\ndevices: [{ name: meter, count: 2 }]\n' +
        'variants: { few: { devices.meter.count: 1 }, many: { devices.meter.count: 7 } }\n',
    );
    const served = (variant: string) => [file, '--variant', variant];
    const devices = async ({ ask }: Started) => {
      const { body } = await ask('GET', '/sim/v1/devices');
      return (body as readonly unknown[]).length;
    };
    const first = await started(...served('many'));
    expect(await devices(first)).toBe(7);
    await first.ask(...group('a'));
    await killed(first);
    const { stderr } = await refused(...served('few'));
    expect(stderr).toContain('another scenario, seed or start');
    const again = await started(...served('many'));
    expect([await devices(again), await groupsOf(again)]).toEqual([7, ['a']]);
    await killed(again);
    expect((await refused(...served('mani'))).stderr).toContain('did you mean "many"?');
  });

  itLong('begins without the tail that a crash has torn', async () => {
    const first = await started();
    await first.ask(...group('a'));
    await killed(first);
    appendFileSync(join(world(), segments().at(-1)!), Buffer.alloc(700, 0x46));
    expect(await groupsOf(await started())).toEqual(['a']);
  });

  it('is not begun from a journal that is damaged, which is reported with its place', async () => {
    const first = await started();
    for (const name of ['a', 'b', 'c']) await first.ask(...group(name));
    await killed(first);
    const path = join(world(), segments().at(-1)!);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 0xff;
    writeFileSync(path, bytes);
    const { status, stderr } = await refused();
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /segment-00000001 is damaged at byte \d+: the entry with sequence number/,
    );
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  itLong('is nobody else’s to read, and with --ephemeral there is none', async () => {
    await killed(await started());
    for (const name of ['key', ...segments()]) {
      expect(statSync(join(world(), name)).mode & 0o777).toBe(0o600);
    }
    rmSync(join(folder, 'fleetwave-data'), { recursive: true });
    await killed(await started('--ephemeral'));
    expect(existsSync(world())).toBe(false);
  });
});
