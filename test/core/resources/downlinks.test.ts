/** What is sent to a device by command: application downlinks and MAC commands. */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../core/command.ts';
import { World } from '../../../core/world/world.ts';
import { areWholeDownlinkCommands } from '../../../sim/lorawan/mac-commands.ts';
import { blocksOf } from '../../../sim/network-server/mac-commands/blocks.ts';
import { eui, HOUR_US } from '../../support/small-network.ts';
import { testIsolation } from './isolation.ts';
import { failureOf, got } from './service.ts';
import { GARBAGE, logged, planOf } from './things.ts';

testIsolation('downlink', (_, devEui) => devEui, {
  'downlink.enqueue': (devEui) => ({ devEui, fPort: 1, payloadHex: 'a5' }),
  'mac.request': (devEui) => ({ devEui, commandsHex: '06' }),
});

const DEVICE = eui('02', 10);
const plan = planOf({ devices: 12, gatewaysAt: [100] });
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
    { fPort: 1.5 },
    { payloadHex: '0' },
    { payloadHex: 'xy' },
    { payloadHex: '00'.repeat(243) },
    { confirmed: 'yes' },
  ])('is refused for %j', (given) => {
    const world = World.create(plan, 'seed');
    const [path] = Object.keys(given);
    const failure = failureOf(world.submit({ ...DOWNLINK, ...given } as Command));
    expect(failure).toMatchObject({ code: 'downlink.invalid', path: `/${path}` });
  });

  it('has at most 242 bytes, on ports 1 to 223', () => {
    const world = World.create(plan, 'seed');
    for (const fPort of [1, 223]) {
      for (const bytes of [0, 242]) {
        got(world.submit({ ...DOWNLINK, fPort, payloadHex: '00'.repeat(bytes) }));
      }
    }
  });

  it('to a device that the world does not have is unknown, whatever is given for it', () => {
    const world = World.create(plan, 'seed');
    for (const devEui of ['', 'zz', 'F0', eui('02', 99)]) {
      expect(failureOf(world.submit({ ...DOWNLINK, devEui })).code).toBe('device.unknown');
      expect(failureOf(world.submit({ ...MAC, devEui })).code).toBe('device.unknown');
    }
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

describe('garbage in any field of what is sent', () => {
  it.each([DOWNLINK, MAC])('is an answer for $kind', (command) => {
    const world = World.create(plan, 'seed');
    for (const name of Object.keys(command).slice(1)) {
      for (const value of GARBAGE) {
        const answer = world.submit({ ...command, [name]: value } as Command);
        if (answer.ok) expect([name, value]).toEqual(['payloadHex', '']);
        else
          expect(answer.failure.code).toMatch(
            /^(device\.unknown|(command|asker)\.malformed|\w+\.invalid)$/,
          );
      }
    }
    world.runUntil(HOUR_US);
  });
});
