/**
 * The outbox as clients meet it: what leaves a served world goes to a real receiver, is listed,
 * looked at, held and given anew, and outlives restarts; worlds that end take it along (0067).
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmulator } from '../../api/emulator.ts';
import { HttpReceiver } from '../support/http-receivers.ts';
import { itLong } from '../support/long.ts';
import { type Client, inFolder, serve, serveWorlds, store } from '../support/world-client.ts';

serveWorlds();

let receiver: HttpReceiver;
beforeEach(async () => {
  receiver = await HttpReceiver.open({ behaviour: 'accepts' });
});
afterEach(() => receiver.close());

const OUTBOX = '/sim/v1/deliveries/outbox';

interface Target extends Record<string, unknown> {
  readonly target: string;
  readonly left: number;
  readonly waiting: number;
  readonly redelivered: number;
}
interface Message {
  readonly id: string;
  readonly body: string;
  readonly end: unknown;
  readonly tries: readonly { readonly answer: string }[];
}

const targetsOf = async (client: Client, prefix = ''): Promise<readonly Target[]> =>
  ((await client.got(prefix + OUTBOX)) as unknown as { targets: readonly Target[] }).targets;

const messagesTo = async (client: Client, target: string, state: string) => {
  const response = await client.got(`${OUTBOX}/${target}/messages?state=${state}&limit=1000`);
  return (response as unknown as { messages: readonly Message[] }).messages;
};

/** One device, whose uplinks go to the receiver: six in an hour. */
async function profiled(client: Client, prefix = ''): Promise<string> {
  const devices = await client.got(`${prefix}/v1/devices`);
  const { Devices } = devices as unknown as { Devices: { DevEUI: string; Name: string }[] };
  const { DevEUI } = Devices.find(({ Name }) => Name.startsWith('sensor'))!;
  const RestParams = [{ URL: receiver.url(), OutputFormat: 'simple' }];
  const created = await client.ask('POST', `${prefix}/v1/outputprofiles`, {
    Name: 'app',
    RestParams,
  });
  const { Id } = created.body as unknown as { Id: string };
  const path = `${prefix}/v1/outputprofiles/${Id}/devices`;
  await client.ask('PATCH', path, { Id, Devices: [DevEUI] });
  return DevEUI;
}

/** Once all that has left the world is here, and nothing is on its way any more. */
async function rested(client: Client): Promise<Target> {
  for (;;) {
    const [target] = await targetsOf(client);
    if (target?.waiting === 0 && target.left >= (await leftOf(client))) return target;
    await sleep(10);
  }
}

async function leftOf(client: Client): Promise<number> {
  const result = (await client.got('/sim/v1/result.json')) as unknown as {
    deliveries?: { fates: { left: number } };
  };
  return result.deliveries?.fates.left ?? 0;
}

const isKnownByTwo = (one: Message, others: readonly Message[]) =>
  others.some(({ id, body }) => id === one.id && body === one.body);

describe('what leaves a served world', () => {
  it('goes to its receiver, and is reported as delivered', async () => {
    const client = await serve({ deliver: 'real' });
    await profiled(client);
    await client.advance(3_600);
    const target = await rested(client);
    expect(target).toMatchObject({ left: 6, delivered: 6, attempts: 6, kind: 'webhook' });
    expect(receiver.seen.map(({ body }) => JSON.parse(body).FCntUp)).toHaveLength(6);
    const ended = await messagesTo(client, target.target, 'ended');
    expect(ended.map(({ id, body }) => ({ id, body })).reverse()).toEqual(
      receiver.seen.map(({ id, body }) => ({ id, body })),
    );
    expect(new Set(ended.map(({ id }) => id)).size).toBe(6);
  });

  it('goes nowhere when the emulator is reported so', async () => {
    const client = await serve({ deliver: 'none' });
    await profiled(client);
    await client.advance(3_600);
    expect(await targetsOf(client)).toEqual([]);
    expect(receiver.seen).toEqual([]);
  });

  it('waits while its target is paused, and goes out in its order once it is resumed', async () => {
    const client = await serve({ deliver: 'real' });
    await profiled(client);
    await client.advance(600);
    const { target } = await rested(client);
    const paused = await client.ask('POST', `${OUTBOX}/${target}/pause`);
    expect(paused.body).toMatchObject({ paused: true });
    await client.advance(3_600);
    while ((await targetsOf(client))[0]!.waiting < 6) await sleep(10);
    const waiting = await messagesTo(client, target, 'waiting');
    expect(receiver.seen).toHaveLength(1);
    await client.ask('POST', `${OUTBOX}/${target}/resume`);
    await rested(client);
    expect(receiver.seen.slice(1).map(({ id }) => id)).toEqual(waiting.map(({ id }) => id));
  });

  it('that was refused is given anew, with the same id and the same bytes', async () => {
    receiver.behaviour = 'knows nobody';
    const client = await serve({ deliver: 'real' });
    await profiled(client);
    await client.advance(600);
    const { target } = await rested(client);
    const [refused] = await messagesTo(client, target, 'ended');
    expect(refused).toMatchObject({ end: { how: 'refused' } });
    expect(refused!.tries).toMatchObject([{ answer: '401', says: 'Who are you?' }]);
    receiver.behaviour = 'accepts';
    const path = `/sim/v1/deliveries/messages/${refused!.id}`;
    expect((await client.ask('POST', `${path}/redeliver`)).status).toBe(200);
    const at = await rested(client);
    expect(at).toMatchObject({ left: 1, redelivered: 1, refused: 1, delivered: 1 });
    expect(await client.got(path)).toMatchObject({ end: { how: 'delivered' } });
    expect(receiver.seen[1]).toMatchObject({ id: refused!.id, body: refused!.body });
  });

  it('is not given anew while it waits, and what nobody knows is unknown', async () => {
    receiver.behaviour = 'fails';
    const client = await serve({ deliver: 'real' });
    await profiled(client);
    await client.advance(600);
    await receiver.hasSeen(1);
    const [{ target }] = (await targetsOf(client)) as [Target];
    const [waiting] = await messagesTo(client, target, 'waiting');
    const again = await client.ask('POST', `/sim/v1/deliveries/messages/${waiting!.id}/redeliver`);
    expect([again.status, again.body.code]).toEqual([409, 'message.waiting']);
    for (const path of ['messages/msg_0_1_1', 'outbox/nobody', 'outbox/nobody/messages']) {
      expect((await client.ask('GET', `/sim/v1/deliveries/${path}`)).status).toBe(404);
    }
  });

  it('disables its target by a 410: a command of the world, which stands in its log', async () => {
    receiver.behaviour = 'is gone';
    const client = await serve({ deliver: 'real' });
    await profiled(client);
    await client.advance(600);
    await rested(client);
    while (!(await isDisabled(client))) await sleep(10);
    const session = (await client.ask('GET', '/sim/v1/session.yaml')).body as unknown as string;
    expect(session).toContain('delivery.disable');
    await client.advance(3_600);
    const response = await client.got('/sim/v1/deliveries');
    expect(response).toMatchObject({ targets: [{ enabled: false, paused: 6, left: 1 }] });
    expect(receiver.seen).toHaveLength(1);
  });

  it('is reported to the operator, whosever it is', async () => {
    const client = await serve({ deliver: 'real', scenario: bobsTown() });
    await client.advance(3_600);
    const { target, left } = await rested(client);
    expect(await targetsOf(client)).toMatchObject([{ subscriber: 'bob', delivered: left }]);
    expect((await client.ask('GET', `${OUTBOX}/${target}`)).status).toBe(404);
    const response = await client.got(`${OUTBOX}/${target}?subscriber=bob`);
    expect(response).toMatchObject({ left });
    expect(left).toBeGreaterThan(3);
    const of = { subscriber: 'bob' };
    const paused = await client.ask('POST', `${OUTBOX}/${target}/pause`, of);
    expect(paused.body).toMatchObject({ paused: true });
  });

  it('changes nothing of the world', async () => {
    const digests = await Promise.all(
      (['real', 'none'] as const).map(async (deliver) => {
        const client = await serve({ deliver, seed: 'same' });
        await profiled(client);
        await client.advance(7_200);
        return (await client.got('/sim/v1/world')).digest;
      }),
    );
    expect(digests[0]).toBe(digests[1]);
  });
});

function bobsTown(): string {
  const file = inFolder('bob.yaml');
  writeFileSync(
    file,
    `
scenario: bobs-town
duration: 1 d
subscribers: [ann, bob]
gateways: [{ name: mast, subscriber: bob }]
devices:
  - name: sensor
    count: 1
    subscriber: bob
    activation: abp
    traffic: { every: 10 min }
    outputProfile: app
outputProfiles:
  - { name: app, subscriber: bob, rest: [{ url: "${receiver.url()}", outputFormat: simple }] }
`,
  );
  return file;
}

const isDisabled = async (client: Client): Promise<boolean> => {
  const response = (await client.got('/sim/v1/deliveries')) as unknown as {
    targets: { enabled: boolean }[];
  };
  return response.targets[0]?.enabled === false;
};

describe('the outbox of a world that is stored', () => {
  it('goes on after a restart, and delivers nothing twice', async () => {
    receiver.behaviour = 'fails';
    const options = { ...store(), deliver: 'real' } as const;
    const first = await serve(options);
    await profiled(first);
    await first.advance(3_600);
    await receiver.hasSeen(5);
    while ((await targetsOf(first))[0]!.left < 6) await sleep(10);
    const [{ target }] = (await targetsOf(first)) as [Target];
    const before = await messagesTo(first, target, 'waiting');
    await first.stop();

    receiver.behaviour = 'accepts';
    const seenBefore = receiver.seen.length;
    const second = await serve(options);
    const after = await messagesTo(second, target, 'waiting');
    for (const message of after) expect(isKnownByTwo(message, before)).toBe(true);
    await second.ask('POST', `${OUTBOX}/${target}/resume`);
    await second.advance(3_600);
    for (;;) {
      if (new Set(receiver.seen.slice(seenBefore).map(({ id }) => id)).size >= 7) break;
      await sleep(10);
    }
    expect((await targetsOf(second))[0]!.left).toBe(12);
  });

  it('is another process’s to open when a start has failed', async () => {
    const options = { ...store(), deliver: 'real' } as const;
    const first = await serve(options);
    await profiled(first);
    await first.advance(600);
    await rested(first);
    await first.stop();
    const port = receiver.port;
    await expect(startEmulator({ ...options, http: true, port })).rejects.toThrow('in use');
    const second = await serve(options);
    expect((await targetsOf(second))[0]).toMatchObject({ left: 1, delivered: 1 });
  });

  itLong(
    'ends with its world: what a restored one reports of its past goes to nobody',
    async () => {
      const client = await serve({ ...store(), deliver: 'real' });
      await profiled(client);
      await client.advance(3_600);
      await rested(client);
      await client.ask('POST', '/sim/v1/snapshots', { name: 'an hour' });
      receiver.behaviour = 'fails';
      await client.advance(3_600);
      await receiver.hasSeen(8);
      await client.ask('POST', '/sim/v1/snapshots/an hour/restore');
      expect((await rested(client)).ended).toBe(6);
      receiver.behaviour = 'accepts';
      receiver.seen.length = 0;
      await client.advance(3_600);
      const at = await rested(client);
      expect(at).toMatchObject({ left: 18, ended: 6, delivered: 12 });
      expect(receiver.seen).toHaveLength(6);
    },
  );

  it('is none of a fork, which delivers nothing', async () => {
    const client = await serve({ deliver: 'real' });
    await profiled(client);
    await client.advance(600);
    await rested(client);
    const { body: fork } = await client.ask('POST', '/sim/v1/worlds', { paused: true });
    await client.advance(3_600, fork.path);
    await sleep(50);
    expect(receiver.seen).toHaveLength(1);
    expect(await targetsOf(client, fork.path)).toEqual([]);
    const [{ target }] = (await targetsOf(client)) as [Target];
    expect((await client.ask('POST', `${fork.path}${OUTBOX}/${target}/pause`)).status).toBe(404);
  });
});
