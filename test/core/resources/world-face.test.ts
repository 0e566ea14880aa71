/** What subscribers may do to, and ask of, a whole world. */
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../core/world/log.ts';
import type { WorldOptions } from '../../../core/world/options.ts';
import { World } from '../../../core/world/world.ts';
import { eui, HOUR_US, networkOf } from '../../support/small-network.ts';
import { got } from './service.ts';

const world = (options: WorldOptions = {}): World =>
  World.create(
    {
      name: 'x',
      description: '',
      durationUs: HOUR_US,
      network: networkOf({ devices: 2, gatewaysAt: [100, 200] }),
      timeline: [],
    },
    'seed',
    options,
  );

const GROUP = { name: 'g', devices: [eui('02', 1)] };

describe('a world', () => {
  it('takes timeline entries before submitted commands of the same instant', () => {
    const { plan } = world();
    const [device] = plan.network.devices;
    const removed = { kind: 'device.remove', by: 'default', devEui: device!.devEui } as const;
    const one = World.create({ ...plan, timeline: [{ atUs: 0, command: removed }] }, 'seed');
    const created = one.submit({ kind: 'device.create', by: 'default', device: device! });
    expect(created).toMatchObject({ ok: true });
    expect(one.result().warnings).toEqual([]);
  });

  it('answers queries without changing anything', () => {
    const one = world();
    one.submit({
      kind: 'image.create',
      by: 'default',
      name: 'a.bin',
      bytes: Uint8Array.of(0),
      tags: ['x'],
    });
    const group = got(one.submit({ kind: 'deviceGroup.create', by: 'default', group: GROUP }));
    one.runUntil(HOUR_US / 2);
    const before = [one.digest(), one.snapshot()];
    expect(got(one.ask({ kind: 'image.list', by: 'default' }))).toMatchObject([
      { name: 'a.bin', tags: ['x'] },
    ]);
    expect(got(one.ask({ kind: 'deviceGroup.list', by: 'default' }))).toEqual([group]);
    expect(one.ask({ kind: 'image.list', by: 'nobody' })).toEqual({ ok: true, value: [] });
    expect([one.digest(), one.snapshot()]).toEqual(before);
  });

  it('answers as its forks and replays do', () => {
    const log: LogEntry[] = [];
    const one = world({ log: (entry) => log.push(entry) });
    one.submit({ kind: 'deviceGroup.create', by: 'default', group: GROUP });
    one.runUntil(HOUR_US / 4);
    one.submit({
      kind: 'image.create',
      name: 'a.bin',
      bytes: Uint8Array.of(0),
      tags: ['x'],
      by: 'ann',
    });
    const report = (it: World) => [
      it.ask({ kind: 'deviceGroup.list', by: 'default' }),
      it.ask({ kind: 'image.list', by: 'ann' }),
      it.digest(),
    ];
    expect(report(one.fork())).toEqual(report(one));
    expect(report(World.replay(one.plan, one.seed, log))).toEqual(report(one));
  });

  it('draws other ids for another seed, and the same for the same', () => {
    const idOf = (seed: string): string =>
      got(
        World.create(world().plan, seed).submit({
          kind: 'deviceGroup.create',
          by: 'default',
          group: GROUP,
        }),
      ).device_group_id;
    expect(idOf('a')).toBe(idOf('a'));
    expect(idOf('a')).not.toBe(idOf('b'));
  });

  it('gives a device or gateway to the subscriber that creates it', () => {
    const one = world();
    const { network } = one.plan;
    const device = { ...network.devices[0]!, name: 'ann-1', devEui: eui('03', 1) };
    const gateway = { ...network.gateways[0]!, name: 'ann-gw', eui: eui('07', 1) };
    got(one.submit({ kind: 'device.create', device, by: 'ann' }));
    got(one.submit({ kind: 'gateway.create', gateway, by: 'ann' }));
    const group = { name: 'g', devices: [device.devEui], gateways: [gateway.eui] };
    expect(one.submit({ kind: 'deviceGroup.create', by: 'default', group })).toMatchObject({
      failure: { code: 'deviceGroup.unknown-device' },
    });
    got(one.submit({ kind: 'deviceGroup.create', group, by: 'ann' }));
    const fork = one.fork();
    expect(fork.ask({ kind: 'deviceGroup.list', by: 'ann' })).toEqual(
      one.ask({ kind: 'deviceGroup.list', by: 'ann' }),
    );
    expect(
      fork.submit({ kind: 'device.remove', by: 'default', devEui: device.devEui }),
    ).toMatchObject({
      failure: { code: 'device.unknown' },
    });
  });

  it.each([
    { kind: 'device.remove', by: 'default', devEui: eui('02', 1) },
    { kind: 'gateway.remove', by: 'default', eui: eui('06', 1) },
    { kind: 'mac.request', by: 'default', devEui: eui('02', 1), commandsHex: '06' },
    {
      kind: 'downlink.enqueue',
      by: 'default',
      devEui: eui('02', 1),
      fPort: 1,
      payloadHex: '00',
      confirmed: false,
    },
  ] as const)(
    'foreignThing: refuses another subscriber’s $kind as if there were nothing',
    (command) => {
      const others = world().submit({ ...command, by: 'bob' });
      const nowhere =
        'devEui' in command ? { ...command, devEui: 'F0' } : { ...command, eui: 'F0' };
      const never = world().submit(nowhere);
      expect(others).toMatchObject({ ok: false });
      const code = (answer: typeof others) => (answer.ok ? '' : answer.failure.code);
      expect(code(others)).toBe(code(never));
      expect(code(others)).toMatch(/^(device|gateway)\.unknown$/);
      const heard = world();
      heard.runUntil(HOUR_US);
      expect(heard.submit(command)).toMatchObject({ ok: true });
    },
  );
});
