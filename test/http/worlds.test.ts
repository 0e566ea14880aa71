/**
 * Worlds as clients meet them: the summary, snapshots that are restored, forks with all documented
 * paths, and a reset; stored in a folder, all of it outlives the process (decision 0066).
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { diff } from '../../api/cli/diff.ts';
import { replay } from '../../api/cli/replay.ts';
import { startEmulator } from '../../api/emulator.ts';
import type { WorldResult } from '../../core/result/result.ts';
import { VERSION } from '../../reports/version.ts';
import { itLong, sampled } from '../support/long.ts';
import {
  type Answer,
  type Client,
  inFolder,
  serve,
  serveWorlds,
  store,
} from '../support/world-client.ts';

serveWorlds();

describe('the world', () => {
  it('reports what it is made of, where it is, and what has happened in truth', async () => {
    const client = await serve();
    await client.advance(3_600);
    await client.addGroup('roofs');
    const world = await client.got('/sim/v1/world');
    const { body: fork } = await client.ask('POST', '/sim/v1/worlds', {});
    expect(world).toMatchObject({
      fork: false,
      kept: false,
      now: '2026-03-01T01:00:00.000000Z',
      started_at: '2026-03-01T00:00:00.000000Z',
      commands: 1,
    });
    expect(world.devices).toBe((await client.got('/sim/v1/devices')).length);
    expect(world.uplinks_received).toBeLessThanOrEqual(world.uplinks);
    expect((await client.got(`${fork.path}/sim/v1/world`)).digest).toBe(world.digest);
  });
});

const LIVES = [
  ['ends with the process', false],
  ['is stored', true],
] as const;

describe.each(sampled(LIVES, ([, isStored]) => isStored))('a world that %s', (_, isStored) => {
  const options = () => (isStored ? store() : {});

  it('says so, and of its fork that it is not stored', async () => {
    const client = await serve(options());
    const { body: fork } = await client.ask('POST', '/sim/v1/worlds', {});
    expect(await client.got('/sim/v1/world')).toMatchObject({ kept: isStored, fork: false });
    const forked = await client.got(`${fork.path}/sim/v1/world`);
    expect(forked).toMatchObject({ kept: false, fork: true });
  });

  it('is again what it was when it was named', async () => {
    const client = await serve(options());
    await client.addGroup('before');
    await client.advance(600);
    expect((await client.ask('POST', '/sim/v1/snapshots', { name: 'ten past' })).status).toBe(201);
    const then = await client.got('/sim/v1/world');
    await client.addGroup('after');
    await client.advance(600);
    const { status, headers } = await client.ask('POST', '/sim/v1/snapshots/ten past/restore');
    expect(status).toBe(200);
    expect(headers.get('x-sim-time')).toBe(then.now);
    expect(headers.get('date')).toBe('Sun, 01 Mar 2026 00:10:00 GMT');
    expect(await client.groups()).toEqual(['before']);
    const now = await client.got('/sim/v1/world');
    expect(now.world_id).not.toBe(then.world_id);
    expect({ ...now, world_id: '', path: '' }).toEqual({ ...then, world_id: '', path: '' });
    await client.addGroup('another');
    expect(await client.groups()).toEqual(['another', 'before']);
  });

  it('is named twice, restored from one to the other and back, and forgets a name', async () => {
    const client = await serve(options());
    for (const name of ['one', 'two']) {
      await client.addGroup(name);
      await client.advance(60);
      await client.ask('POST', '/sim/v1/snapshots', { name });
    }
    expect((await client.ask('POST', '/sim/v1/snapshots', { name: 'two' })).status).toBe(409);
    await client.ask('POST', '/sim/v1/snapshots/one/restore');
    await client.addGroup('three');
    await client.ask('POST', '/sim/v1/snapshots', { name: 'three' });
    expect(await client.groups()).toEqual(['one', 'three']);
    await client.ask('POST', '/sim/v1/snapshots/two/restore');
    expect(await client.groups()).toEqual(['one', 'two']);
    await client.ask('POST', '/sim/v1/snapshots/three/restore');
    expect(await client.groups()).toEqual(['one', 'three']);
    expect((await client.ask('DELETE', '/sim/v1/snapshots/two')).status).toBe(204);
    expect((await client.ask('POST', '/sim/v1/snapshots/two/restore')).status).toBe(404);
    const { snapshots } = await client.got('/sim/v1/snapshots');
    expect(snapshots.map(({ name }) => name)).toEqual(['one', 'three']);
  });

  it('begins anew with a reset, and its snapshots stay', async () => {
    const client = await serve(options());
    const { world_id, digest } = await client.got('/sim/v1/world');
    await client.addGroup('one');
    await client.ask('POST', '/sim/v1/snapshots', { name: 'one' });
    await client.advance(60);
    const { status, body } = await client.ask('POST', '/sim/v1/world:reset');
    expect([status, body.now, body.commands]).toEqual([200, '2026-03-01T00:00:00.000000Z', 0]);
    expect(body.world_id).not.toBe(world_id);
    expect((await client.got('/sim/v1/world')).digest).toBe(digest);
    expect(await client.groups()).toEqual([]);
    await client.ask('POST', '/sim/v1/snapshots/one/restore');
    expect(await client.groups()).toEqual(['one']);
  });

  it('keeps what is known of its clients when it is reset, and a fork has its own', async () => {
    const client = await serve(options());
    await client.ask('POST', '/sim/v1/faults/api', { path: '/v1/groups/*', status: 500, count: 2 });
    expect((await client.ask('GET', '/v1/groups/devices')).status).toBe(500);
    await client.ask('POST', '/sim/v1/world:reset');
    expect((await client.ask('GET', '/v1/groups/devices')).status).toBe(500);
    expect(await client.groups()).toEqual([]);
    expect((await client.got('/sim/v1/faults/api')).faults).toMatchObject([{ struck: 2 }]);
    expect((await client.got('/sim/v1/coverage')).operations_asked).toBe(1);
    // The first request was for a token, the others set the fault and the reset.
    const { requests } = await client.got('/sim/v1/requests?path=/v1/groups');
    expect(requests.map(({ id }) => id)).toEqual([6, 5, 3]);
    const { path } = (await client.ask('POST', '/sim/v1/worlds', {})).body;
    expect((await client.got(`${path}/sim/v1/faults/api`)).faults).toEqual([]);
    expect((await client.got(`${path}/sim/v1/coverage`)).operations_asked).toBe(0);
  });

  it('leaves nothing of the last world behind, such as page tokens', async () => {
    const client = await serve(options());
    for (const name of ['a', 'b', 'c']) {
      const created = await client.ask('POST', '/v2/output/credentials', { ...CREDENTIALS, name });
      expect(created.status, JSON.stringify(created.body)).toBe(201);
    }
    const { meta } = await client.got('/v2/output/credentials?limit=1');
    const next = `/v2/output/credentials?limit=1&page_token=${meta.next_page_token}`;
    expect((await client.ask('GET', next)).status).toBe(200);
    await client.ask('POST', '/sim/v1/snapshots', { name: 'here' });
    await client.ask('POST', '/sim/v1/snapshots/here/restore');
    expect((await client.ask('GET', next)).status).toBe(400);
  });
});

const CREDENTIALS = {
  name: 'a',
  type: 'basic_auth',
  data: { username: 'u', password: 'p' },
} as const;

describe('a fork', () => {
  it('has all documented paths, and what happens to it did not happen to its world', async () => {
    const client = await serve();
    await client.addGroup('shared');
    await client.advance(3_600);
    const created = await client.ask('POST', '/sim/v1/worlds', {});
    expect(created.status).toBe(201);
    const { path, fork, commands } = created.body;
    expect([fork, commands]).toEqual([true, 1]);
    const main = await client.got('/sim/v1/world');
    expect((await client.got(`${path}/sim/v1/world`)).digest).toBe(main.digest);
    for (const each of ['/v1/devices', '/v2/devices', '/api/v3.2/images', '/sim/v1/devices']) {
      expect(await client.got(path + each)).toEqual(await client.got(each));
    }
    await client.addGroup('of the fork', path);
    await client.advance(7_200, path);
    expect(await client.groups(path)).toEqual(['of the fork', 'shared']);
    expect(await client.groups()).toEqual(['shared']);
    expect((await client.got('/sim/v1/world')).digest).toBe(main.digest);
    const refused = await client.ask('GET', `${path}/v1/groups/devices/none`);
    expect(refused.status).toBe(404);
    expect((await client.ask('DELETE', path)).status).toBe(204);
    const gone = await client.ask('GET', `${path}/v1/devices`);
    expect([gone.status, gone.body.code]).toEqual([404, 'world.unknown']);
  });

  it('has documents and a page of operations that ask it, and not its world', async () => {
    const client = await serve();
    const { path } = (await client.ask('POST', '/sim/v1/worlds', {})).body;
    const serversOf = async (prefix: string) =>
      JSON.parse(String(await client.got(`${prefix}/openapi.json`))).servers;
    for (const [prefix, url] of [
      [path, path],
      ['', '/'],
    ]) {
      expect(await serversOf(prefix)).toEqual([
        { url, description: 'Where this document is served.' },
      ]);
    }
    const page = String(await client.got(`${path}/docs`));
    const [script] = /[^"]*swagger-initializer\.js/.exec(page)!;
    expect(script.startsWith(`${path}/docs/static/`)).toBe(true);
    expect(String(await client.got(script))).toContain(`"${path}/openapi.json"`);
  });

  it('goes on as its world would have', async () => {
    const client = await serve();
    await client.advance(1_800);
    const { body } = await client.ask('POST', '/sim/v1/worlds', {});
    await client.advance(5_400, body.path);
    await client.advance(5_400);
    const [one, other] = [
      await client.got('/sim/v1/world'),
      await client.got(`${body.path}/sim/v1/world`),
    ];
    expect(other.digest).toBe(one.digest);
    expect(other.events).toBe(one.events);
  });

  it('begins at a snapshot; there are four at the most, and two go on by themselves', async () => {
    const client = await serve();
    await client.addGroup('then');
    await client.ask('POST', '/sim/v1/snapshots', { name: 'then' });
    await client.addGroup('now');
    const asked = [{ snapshot: 'then' }, { paused: false, speed: 'max' }, {}, {}];
    const forks = [];
    for (const each of asked) forks.push(await client.ask('POST', '/sim/v1/worlds', each));
    expect(forks.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await client.ask('POST', '/sim/v1/worlds', {})).status).toBe(409);
    expect(await client.groups(forks[0]!.body.path)).toEqual(['then']);
    expect(await client.groups(forks[2]!.body.path)).toEqual(['now', 'then']);
    expect(forks[1]!.body.paused).toBe(false);
    const { worlds } = await client.got('/sim/v1/worlds');
    expect(worlds).toHaveLength(5);
    await client.ask('DELETE', `/sim/v1/worlds/${forks[2]!.body.world_id}`);
    expect((await client.ask('POST', '/sim/v1/worlds', {})).status).toBe(201);
    const unknown = await client.ask('POST', '/sim/v1/worlds', { snapshot: 'never' });
    expect(unknown.status).toBe(400);
  });

  itLong('has no snapshots, and is not reset', async () => {
    const client = await serve();
    const { path } = (await client.ask('POST', '/sim/v1/worlds', {})).body;
    const named = await client.ask('POST', `${path}/sim/v1/snapshots`, { name: 'one' });
    expect([named.status, named.body.instance]).toEqual([409, `${path}/sim/v1/snapshots`]);
    expect((await client.ask('POST', `${path}/sim/v1/world:reset`)).status).toBe(409);
    const { world_id } = await client.got('/sim/v1/world');
    expect((await client.ask('DELETE', `/sim/v1/worlds/${world_id}`)).status).toBe(409);
  });
});

describe('a world that is stored', () => {
  it('goes on where it stood, and to the wall clock where that is asked for', async () => {
    const startAt = new Date(Date.now() - 3_600_000).toISOString();
    const first = await serve({ ...store(), startAt });
    const { now } = await first.got('/sim/v1/clock');
    await first.stop();
    const second = await serve({ ...store(), startAt });
    expect((await second.got('/sim/v1/clock')).now).toBe(now);
    await second.stop();
    const third = await serve({ ...store(), startAt, catchUp: true });
    const { now: then } = await third.got('/sim/v1/clock');
    expect(Math.abs(Date.parse(then) - Date.now())).toBeLessThan(60_000);
    await third.stop();
    const fourth = await serve({ ...store(), startAt, catchUp: true });
    expect(Date.parse((await fourth.got('/sim/v1/clock')).now)).toBeGreaterThanOrEqual(
      Date.parse(then),
    );
  });

  it('is refused where the wall clock is too far for it', async () => {
    const startAt = '1990-01-01T00:00:00Z';
    const past = vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2098, 0, 1));
    try {
      const starts = startEmulator({ http: true, startAt, catchUp: true });
      await expect(starts).rejects.toThrow(/--catch-up: This world goes to 2089/);
    } finally {
      past.mockRestore();
    }
  });

  it('has its names at the next start, and is the one that it was restored to', async () => {
    const first = await serve(store());
    await first.addGroup('one');
    await first.advance(600);
    await first.ask('POST', '/sim/v1/snapshots', { name: 'one' });
    await first.addGroup('two');
    await first.advance(600);
    await first.ask('POST', '/sim/v1/snapshots', { name: 'two' });
    await first.ask('POST', '/sim/v1/snapshots/one/restore');
    await first.addGroup('three');
    await first.advance(60);
    const before = await first.got('/sim/v1/world');
    await first.stop();
    for (const isCached of [true, false]) {
      if (!isCached) rmSync(inFolder('world/snapshots'), { recursive: true });
      const again = await serve(store());
      expect(await again.got('/sim/v1/world')).toEqual(before);
      expect(await again.groups()).toEqual(['one', 'three']);
      await again.stop();
    }
    const last = await serve(store());
    rmSync(inFolder('world/snapshots'), { recursive: true });
    await last.ask('POST', '/sim/v1/snapshots/two/restore');
    expect(await last.groups()).toEqual(['one', 'two']);
    expect((await last.got('/sim/v1/clock')).now).toBe('2026-03-01T00:20:00.000000Z');
  });

  it('keeps bytes of images once, and has them at the next start', async () => {
    const client = await serve(store());
    const bytes = Buffer.alloc(5_000, 7);
    const upload = async (name: string) => {
      const form = new FormData();
      form.append('image', new Blob([bytes]), name);
      const { url, clientId, clientSecret } = client.emulator;
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
      const token = await fetch(`${url}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      const { access_token } = (await token.json()) as { access_token: string };
      const headers = { authorization: `Bearer ${access_token}` };
      return fetch(`${url}/api/v3.2/images`, { method: 'POST', headers, body: form });
    };
    const statuses = [await upload('one.bin'), await upload('two.bin')].map(({ status }) => status);
    expect(statuses).toEqual([statuses[0], statuses[0]]);
    expect(statuses[0]).toBeLessThan(300);
    const images = await client.got('/api/v3.2/images');
    await client.stop();
    expect(readdirSync(inFolder('world/contents'))).toHaveLength(1);
    for (const isCached of [true, false]) {
      if (!isCached) rmSync(inFolder('world/snapshots'), { recursive: true });
      const again = await serve(store());
      expect(await again.got('/api/v3.2/images')).toEqual(images);
      await again.stop();
    }
    const [name] = readdirSync(inFolder('world/contents'));
    rmSync(inFolder('world/contents', name!));
    await expect(serve(store())).rejects.toThrow(/contents that are missing or damaged/);
  });
});

describe('what a world has come to so far', () => {
  it('is a result and a report, as a run of its session has them', async () => {
    const client = await serve();
    await client.advance(86_400);
    await client.addGroup('roofs');
    const answer = await client.ask('GET', '/sim/v1/result.json');
    const result = answer.body as unknown as WorldResult;
    const { digest } = await client.got('/sim/v1/world');
    expect([answer.status, result.digest, result.virtualSeconds]).toEqual([200, digest, 86_400]);
    expect(result.series.uplinks.reduce((sum, each) => sum + each)).toBe(result.radio.uplinks);
    const report = await client.ask('GET', '/sim/v1/report.html');
    expect(report.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(String(report.body)).toContain(digest);
    expect(String(report.body)).toMatch(/^<!doctype html>/);
    expect(String(report.body)).toContain('A world that goes on.');
    // It can be asked, as the page of a run.
    expect(String(report.body)).toMatch(/<script type="application\/gzip" class="run">[\w+/]{99}/);
    expect(String(report.body)).not.toMatch(/interrupted|expectations/);
  });
});

describe('the result of a world that is served', () => {
  /** What a command prints, and how it ends. */
  async function printed(command: () => Promise<number>) {
    const lines: string[] = [];
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      lines.push(String(text));
      return true;
    });
    try {
      return { code: await command(), document: JSON.parse(lines.join('')) as object };
    } finally {
      spy.mockRestore();
    }
  }

  it('is compared with that of a fork, and both are replayed', async () => {
    const client = await serve();
    await client.advance(600);
    await client.addGroup('shared');
    const { body: fork } = await client.ask('POST', '/sim/v1/worlds', { paused: true });
    const [device] = (await client.got('/sim/v1/devices')) as unknown as { devEui: string }[];
    const off = [{ deviceFault: { device: device!.devEui, fault: 'radio' } }];
    await client.ask('POST', `${fork.path}/sim/v1/timeline`, { entries: off });
    const advance = `${fork.path}/sim/v1/clock:advance`;
    await client.ask('POST', advance, { by: 1_200, wait: true });
    await client.advance(1_200);
    // After the last event: anyone who repeats the world by its number of events misses it.
    await client.addGroup('late');
    const files = await Promise.all(
      ['', fork.path].map(async (path, i) => {
        const file = inFolder(`result-${i}.json`);
        writeFileSync(file, JSON.stringify(await client.got(`${path}/sim/v1/result.json`)));
        return file;
      }),
    );
    await client.stop();
    const [main, forked] = files as [string, string];
    const same = await printed(() => diff({ a: main, b: main, json: true }));
    expect([same.code, same.document]).toMatchObject([0, { isSame: true, madeOtherwise: [] }]);
    const comparison = await printed(() => diff({ a: main, b: forked, json: true }));
    expect(comparison.code).toBe(1);
    expect(comparison.document).toMatchObject({
      isSame: false,
      madeOtherwise: ['the scenario file'],
      a: { version: VERSION },
    });
    for (const file of files) {
      const again = await printed(() => replay({ file, json: true }));
      expect([file, again.code, again.document]).toMatchObject([file, 0, { equal: true }]);
    }
  });

  it('of a fork with settings of its own is another one, and is replayed as such', async () => {
    const client = await serve();
    await client.advance(600);
    const set = ['devices.sensor.traffic.every=1min', 'gateways=[{ name: mast }]'];
    const { status, body: fork } = await client.ask('POST', '/sim/v1/worlds', {
      paused: true,
      set,
    });
    expect([status, fork.now]).toEqual([201, '2026-03-01T00:10:00.000001Z']);
    const { body: plain } = await client.ask('POST', '/sim/v1/worlds', { paused: true });
    for (const { path } of [fork, plain]) {
      await client.ask('POST', `${path}/v1/groups/devices`, { Name: 'later' });
      await client.ask('POST', `${path}/sim/v1/clock:advance`, { by: 3_600, wait: true });
    }
    const { body: child } = await client.ask('POST', `${fork.path}/sim/v1/worlds`, {});
    const [changed, same] = await Promise.all(
      [fork, plain].map(({ path }) => client.got(`${path}/sim/v1/world`)),
    );
    expect(changed!.uplinks).toBeGreaterThan(same!.uplinks + 500);
    const session = String(await client.got(`${fork.path}/sim/v1/session.yaml`));
    expect(session).toMatch(/^# From 600.000001 s this fork has settings .*\n# {3}"devices.sensor/);
    const file = inFolder('changed.json');
    const result = await client.got(`${child.path}/sim/v1/result.json`);
    expect(result).toMatchObject({ manifest: { branch: { atSeconds: 600.000001, set } } });
    writeFileSync(file, JSON.stringify(result));
    const again = await client.ask('POST', `${fork.path}/sim/v1/worlds`, { set });
    expect([again.status, again.body]).toMatchObject([
      400,
      { code: 'fork.malformed', errors: [{ pointer: '/set' }] },
    ]);
    await client.stop();
    const replayed = await printed(() => replay({ file, json: true }));
    expect([replayed.code, replayed.document]).toMatchObject([0, { equal: true }]);
  });

  it.each([
    ['region=US915', 'the regional plan is fixed from the start'],
    ['devices.meter.count=7', 'devices and their places are fixed from the start'],
    ['devices.meter.cuont=7', 'cuont'],
  ])('is not there for a fork with %s, which says why', async (setting, why) => {
    const client = await serve();
    await client.advance(60);
    const { status, body } = await client.ask('POST', '/sim/v1/worlds', { set: [setting] });
    expect([status, body]).toMatchObject([
      400,
      { code: 'fork.malformed', detail: expect.stringContaining(why) },
    ]);
    expect((await client.got('/sim/v1/worlds')).worlds).toHaveLength(1);
  });
});

describe('entries of a timeline', () => {
  const apply = (client: Client, ...entries: readonly object[]) =>
    client.ask('POST', '/sim/v1/timeline', { entries });
  const entriesOf = ({ body }: Answer) =>
    (body as unknown as { entries: readonly { done: number; refused: readonly object[] }[] })
      .entries;

  it('are done now, by the names that the world has', async () => {
    const client = await serve();
    await client.advance(600);
    const before = (await client.got('/sim/v1/devices')) as unknown as { name: string }[];
    const [{ name: device }] = before as [{ name: string }];
    const [gateway] = (await client.got('/v1/gateways')).Gateways;
    const done = await apply(
      client,
      { removeDevice: device },
      { removeDevice: device },
      { gatewayFault: { gateway: gateway!.Name, fault: 'backhaul' } },
    );
    expect(done.status).toBe(200);
    const [first, second] = entriesOf(done);
    expect([first!.done, first!.refused]).toEqual([1, []]);
    expect([second!.done, second!.refused]).toMatchObject([0, [{ code: 'device.unknown' }]]);
    expect((await client.got('/sim/v1/devices')).length).toBe(before.length - 1);
  });

  it('make a population grow twice, and number its members on', async () => {
    const client = await serve();
    const names = async () =>
      ((await client.got('/sim/v1/devices')) as unknown as { name: string }[]).map((x) => x.name);
    const before = await names();
    const population = before.find((name) => name.endsWith('-1'))!.replace(/-1$/, '');
    const count = before.filter((name) => name.startsWith(`${population}-`)).length;
    for (const more of [2, 3]) {
      const done = await apply(client, { addDevices: { population, count: more } });
      expect(entriesOf(done)).toEqual([{ verb: 'addDevices', done: more, refused: [] }]);
    }
    const after = await names();
    expect(after).toHaveLength(before.length + 5);
    expect(after).toContain(`${population}-${count + 5}`);
  });

  it('know what those before them add, by name, number and population', async () => {
    const client = await serve();
    const done = await apply(
      client,
      { addDevices: { population: 'meter', count: 2 } },
      { addDevices: { population: 'sensor', count: 1 } },
      { addDevices: { population: 'meter', count: 3 } },
      { removeDevice: 'meter-105' },
    );
    const [meters, sensor, more, removed] = entriesOf(done);
    expect([meters, sensor, more, removed].map((each) => each?.done)).toEqual([2, 1, 3, 1]);
    expect(entriesOf(done).flatMap(({ refused }) => refused)).toEqual([]);
  });

  it('do nothing where one of them cannot be read, which is reported with its place', async () => {
    const client = await serve();
    const { digest } = await client.got('/sim/v1/world');
    const wrong = [
      [{ removeDevice: 'meter-1' }, { removeDevise: 'meter-2' }],
      [{ gatewayFault: { gateway: 'mast-1', fault: 'antenne' } }],
      [{ addDevices: { population: 'metre', count: 1 } }],
      [{}],
      [{ addDevices: { population: 'meter' }, removeDevice: 'meter-1' }],
    ];
    for (const entries of wrong) {
      const answer = await apply(client, ...entries);
      expect([answer.status, answer.body.code]).toEqual([400, 'timeline.malformed']);
    }
    expect((await client.got('/sim/v1/world')).digest).toBe(digest);
  });
});
