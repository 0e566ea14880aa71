/** What is sent to a device by command: application downlinks and MAC commands. */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../core/command.ts';
import { FAILURES } from '../../../core/operations.ts';
import { World } from '../../../core/world/world.ts';
import { areWholeDownlinkCommands } from '../../../sim/lorawan/mac-commands.ts';
import { blocksOf } from '../../../sim/network-server/mac-commands/blocks.ts';
import { eui, HOUR_US, MINUTE_US } from '../../support/small-network.ts';
import { testIsolation } from './isolation.ts';
import { failureOf, got } from './service.ts';
import { GARBAGE, logged, planOf } from './things.ts';

testIsolation('downlink', (_, devEui) => devEui, {
  'downlink.enqueue': (devEui) => ({ devEui, fPort: 1, payloadHex: 'a5' }),
  'downlink.clear': (devEui) => ({ devEui }),
  'downlink.waiting': (devEui) => ({ devEui }),
  'mac.request': (devEui) => ({ devEui, commandsHex: '06' }),
});

const DEVICE = eui('02', 10);
const plan = planOf({ devices: 12, gatewaysAt: [100] });
/** Every device sends once a minute. */
const HEARD_US = 2 * MINUTE_US;

const heard = (): World => {
  const world = World.create(plan, 'seed');
  world.runUntil(HEARD_US);
  return world;
};
const DOWNLINK = {
  kind: 'downlink.enqueue',
  by: 'default',
  devEui: DEVICE,
  fPort: 1,
  payloadHex: 'a5',
} as const;
const MAC = { kind: 'mac.request', by: 'default', devEui: DEVICE, commandsHex: '06' } as const;

describe('a downlink', () => {
  it('waits for its device in either case of its EUI and payload, as in forks and replays', () => {
    const { world, log } = logged(plan);
    world.runUntil(HEARD_US);
    got(world.submit({ ...DOWNLINK, devEui: DEVICE.toLowerCase() }));
    got(world.submit({ ...DOWNLINK, payloadHex: 'A5' }));
    const others = [
      world.fork(),
      World.replay(plan, 'seed', log),
      World.restore(plan, 'seed', world.snapshot()),
    ];
    for (const each of [world, ...others]) each.runUntil(HOUR_US);
    for (const each of others) expect(each.digest()).toEqual(world.digest());
    expect(world.result().downlinks.sent).toBe(2);
  });

  it.each([
    { fPort: 0 },
    { fPort: 224 },
    { fPort: 226 },
    { fPort: 255 },
    { fPort: 1.5 },
    { payloadHex: '0' },
    { payloadHex: 'xy' },
    { payloadHex: '00'.repeat(243) },
    { confirmed: 'yes' },
    { flushQueue: 1 },
  ])('is refused for %j', (given) => {
    const world = World.create(plan, 'seed');
    const [path] = Object.keys(given);
    const failure = failureOf(world.submit({ ...DOWNLINK, ...given } as Command));
    expect(failure).toMatchObject({ code: 'downlink.invalid', path: `/${path}` });
  });

  it('has at most 242 bytes, on ports 1 to 223, and 225', () => {
    const world = heard();
    for (const fPort of [1, 223, 225]) {
      for (const bytes of [0, 242]) {
        got(world.submit({ ...DOWNLINK, fPort, payloadHex: '00'.repeat(bytes) }));
      }
    }
  });

  it('reaches its device on port 225 as on any other', () => {
    const world = heard();
    for (const fPort of [224, 225, 226]) world.submit({ ...DOWNLINK, fPort });
    world.runUntil(HOUR_US);
    expect(world.result().downlinks).toMatchObject({ sent: 1, received: 1 });
  });

  it('is refused while no gateway of the subscriber has heard it, and changes nothing', () => {
    const world = World.create(plan, 'seed');
    const before = world.snapshot();
    const failure = { code: 'downlink.no-gateway', message: 'No Base Station Available' };
    const command = { ...DOWNLINK, flushQueue: true };
    expect(world.submit(command)).toEqual({ ok: false, failure });
    expect(FAILURES['downlink.no-gateway']).toBe('failed');
    // The command itself is part of the digest, and of nothing else.
    const { commands: _, ...after } = world.snapshot();
    expect({ ...after, commands: before.commands }).toEqual(before);
    world.runUntil(HEARD_US);
    got(world.submit(command));
  });

  it('has an id of its own, unique in the world and never used again', () => {
    const world = heard();
    const send = (of: World, number: number) =>
      got(of.submit({ ...DOWNLINK, devEui: eui('02', number) })).downlink_id;
    const ids = [1, 2, 1, 2].map((number) => send(world, number));
    got(world.submit({ kind: 'downlink.clear', by: 'default', devEui: eui('02', 1) }));
    got(world.submit({ kind: 'device.remove', by: 'default', devEui: eui('02', 2) }));
    world.runUntil(HOUR_US / 2);
    const others = [world.fork(), World.restore(plan, 'seed', world.snapshot()), world];
    const later = others.map((each) => send(each, 3));
    expect([...ids, ...later]).toEqual([1, 2, 3, 4, 5, 5, 5]);
  });

  it('to a device that the world does not have is unknown, whatever is given for it', () => {
    const world = World.create(plan, 'seed');
    for (const devEui of ['', 'zz', 'F0', eui('02', 99)]) {
      expect(failureOf(world.submit({ ...DOWNLINK, devEui })).code).toBe('device.unknown');
      expect(failureOf(world.submit({ ...MAC, devEui })).code).toBe('device.unknown');
    }
  });
});

describe('downlinks that wait', () => {
  const ask = (world: World, by = 'default') =>
    world.ask({ kind: 'downlink.waiting', by, devEui: DEVICE });
  const waiting = (world: World) => got(ask(world)).map(({ payloadHex }) => payloadHex);
  const send = (world: World, payloadHex: string, more: object = {}) =>
    got(world.submit({ ...DOWNLINK, payloadHex, ...more })).downlink_id;

  it('are listed in the order in which they go, until they go', () => {
    const world = heard();
    expect(waiting(world)).toEqual([]);
    const id = send(world, 'b0', { fPort: 225, confirmed: true });
    send(world, '');
    expect(got(ask(world))).toEqual([
      { downlink_id: id, sender: 'application', fPort: 225, payloadHex: 'B0', confirmed: true },
      { downlink_id: id + 1, sender: 'application', fPort: 1, payloadHex: '', confirmed: false },
    ]);
    const seen = new Map<string, number>();
    for (; !seen.has('[]'); world.runUntil(world.nowUs + 100_000)) {
      const { sent } = world.result().downlinks;
      seen.set(JSON.stringify(waiting(world)), sent);
    }
    // The first is sent and stays until it is acknowledged; the second goes in answer to that.
    expect([...seen]).toEqual([
      ['["B0",""]', 1],
      ['[]', 1],
    ]);
  });

  it('make room for another one that flushes the queue', () => {
    const world = heard();
    for (const payloadHex of ['01', '02']) send(world, payloadHex);
    send(world, '03', { flushQueue: true });
    expect(waiting(world)).toEqual(['03']);
    world.runUntil(HOUR_US);
    expect(world.result().downlinks.sent).toBe(1);
  });

  it('are dropped by a clear, which is nothing new where nothing waits', () => {
    const world = heard();
    const clear = () =>
      got(world.submit({ kind: 'downlink.clear', by: 'default', devEui: DEVICE }));
    for (const payloadHex of ['01', '02']) send(world, payloadHex);
    clear();
    clear();
    expect(waiting(world)).toEqual([]);
    world.runUntil(HOUR_US);
    expect(world.result().downlinks.sent).toBe(0);
  });

  it('are another subscriber’s secret', () => {
    const world = heard();
    send(world, '01');
    expect(failureOf(ask(world, 'bob')).code).toBe('device.unknown');
    const clear = { kind: 'downlink.clear', by: 'bob', devEui: DEVICE } as const;
    expect(failureOf(world.submit(clear)).code).toBe('device.unknown');
    expect(waiting(world)).toEqual(['01']);
  });

  it('are as they were, however often somebody asks', () => {
    const [asked, never] = [heard(), heard()];
    for (const world of [asked, never]) for (const hex of ['01', '02', '03']) send(world, hex);
    for (let i = 0; i < 100; i++) {
      asked.runUntil(asked.nowUs + MINUTE_US / 3);
      never.runUntil(asked.nowUs);
      ask(asked);
    }
    expect(asked.digest()).toEqual(never.digest());
    expect(asked.snapshot()).toEqual(never.snapshot());
  });
});

describe('a MAC request', () => {
  it('is whole commands to a device and nothing else', () => {
    const world = World.create(plan, 'seed');
    for (const commandsHex of ['', '03', '0600FF', 'ff', '0', 'zz', '06'.repeat(243)]) {
      const failure = failureOf(world.submit({ ...MAC, commandsHex }));
      expect(failure).toMatchObject({ code: 'mac.invalid', path: '/commandsHex' });
    }
    for (const commandsHex of ['06', '0605', '0805', '0350ff0001'.repeat(3), '06'.repeat(242)]) {
      if (!areWholeDownlinkCommands(new Uint8Array(Buffer.from(commandsHex, 'hex')))) continue;
      got(world.submit({ ...MAC, commandsHex }));
    }
    world.runUntil(HOUR_US);
  });

  it('is refused in few words, however long it is', () => {
    const commandsHex = 'FF'.repeat(242);
    const failure = failureOf(World.create(plan, 'seed').submit({ ...MAC, commandsHex }));
    expect(failure.message.length).toBeLessThan(100);
  });

  it('is taken exactly where the server can cut it into blocks', () => {
    let state = 1;
    const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 24;
    for (let i = 0; i < 20_000; i++) {
      const bytes = Uint8Array.from({ length: next() % 7 }, () => next() % 20);
      expect(areWholeDownlinkCommands(bytes)).toBe(blocksOf(bytes).length > 0);
    }
  });
});

const isAllowed = (name: string, value: unknown): boolean =>
  (name === 'payloadHex' && value === '') ||
  ((name === 'confirmed' || name === 'flushQueue') && typeof value === 'boolean') ||
  !(name in DOWNLINK);

describe('garbage in any field of what is sent', () => {
  it.each([DOWNLINK, MAC])('is an answer for $kind', (command) => {
    const world = heard();
    for (const name of [...Object.keys(command).slice(1), 'flushQueue', 'confirmed']) {
      for (const value of GARBAGE) {
        const answer = world.submit({ ...command, [name]: value } as Command);
        if (answer.ok) expect(isAllowed(name, value)).toBe(true);
        else
          expect(answer.failure.code).toMatch(
            /^(device\.unknown|(command|asker)\.malformed|\w+\.invalid)$/,
          );
      }
    }
    world.runUntil(HOUR_US);
  });
});
