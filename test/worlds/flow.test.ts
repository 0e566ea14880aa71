/** Sentences of ARCHITECTURE.md, How a thing flows, that no other file of tests is about. */

import { describe, expect, it } from 'vitest';
import type { Command } from '../../core/command.ts';
import type { LogEntry } from '../../core/world/log.ts';
import { World } from '../../core/world/world.ts';
import { PACKAGES } from '../../sim/lorawan/packages/package-version.ts';
import { BENCH_START_UNIX_MS, Bench } from '../support/bench.ts';
import { groupId } from '../support/ids.ts';
import { eui, MINUTE_US, networkOf, watch } from '../support/small-network.ts';

describe('a transmission', () => {
  it('is two events, never one per receiver, however many gateways hear it', () => {
    const eventsWith = (gateways: number): number => {
      const gatewaysAt = Array.from({ length: gateways }, () => 100);
      const trace = watch(networkOf({ gatewaysAt }), 10 * MINUTE_US);
      const [first] = trace.of('uplinkEnds');
      expect(first!.gateways.map(({ fate }) => fate)).toEqual(gatewaysAt.map(() => 'received'));
      return trace.world.events;
    };
    expect(eventsWith(7)).toBe(eventsWith(1));
  });
});

describe('a command that is refused', () => {
  it('is logged before it is decided; the refusal is an answer, and changes nothing', () => {
    const durationUs = 10 * MINUTE_US;
    const plan = {
      name: 'small',
      description: '',
      durationUs,
      network: networkOf({}),
      timeline: [],
    };
    const log: LogEntry[] = [];
    const logged = World.create(plan, 'small', { log: (entry) => log.push(entry) });
    const worlds = [logged, World.create(plan, 'small')] as const;
    const command = { kind: 'device.remove', by: 'default', devEui: eui('FF', 1) } as const;
    expect(worlds[0].submit(command)).toMatchObject({
      ok: false,
      failure: { code: 'device.unknown' },
    });
    expect(log).toEqual([{ kind: 'command', atUs: 0, command }]);
    expect(worlds[0].digest()).toEqual(worlds[1].digest());
  });
});

describe('news and requests', () => {
  it('pass between network and platform in the instant of the event, before the next one', () => {
    const wanted = { type: { deviceClass: 'C' as const }, traffic: { meanUs: 10 * MINUTE_US } };
    const network = { ...networkOf(wanted), startUnixMs: BENCH_START_UNIX_MS };
    const devices = network.devices.map(({ devEui }) => devEui);
    const image = { image_name: 'a-1.2.0.bin', device_group_id: groupId('all') };
    const commands: Command[] = [
      {
        kind: 'image.create',
        by: 'default',
        name: image.image_name,
        bytes: new Uint8Array(200),
        tags: [],
      },
      {
        kind: 'deviceGroup.create',
        by: 'default',
        id: groupId('all'),
        group: { name: 'all', devices },
      },
      { kind: 'campaign.create', by: 'default', campaign: { name: 'spring', ...image } },
    ];
    const timeline = commands.map((command) => ({ atUs: 30 * MINUTE_US, command }));
    const trace = watch(network, 40 * MINUTE_US, timeline);
    const collectedAtUs = new Set(trace.of('uplinkCollected').map(({ atUs }) => atUs));
    const answers = trace.of('downlinkPlanned').filter(({ window }) => window > 0);
    // The device asks for the time (AppTimeReq, unconfirmed); only the platform has an answer.
    expect(answers.map(({ atUs }) => collectedAtUs.has(atUs))).toEqual([true]);
    // Without FOpts FPort is the ninth byte.
    const fPort = Number.parseInt(answers[0]!.phyPayload.slice(16, 18), 16);
    expect(fPort).toBe(PACKAGES.clockSync.fPort);
  });
});

describe('what an uplink calls for', () => {
  it('is sent in the same instant, after what the platform said to it', () => {
    const plan = networkOf({ traffic: { confirmedPpm: 1_000_000 } });
    const bench = new Bench(plan);
    const { agenda, heard, trace } = bench;
    while (heard.length === 0) {
      if (agenda.next(MINUTE_US)) bench.dispatch();
      else throw new Error('the device is heard within a minute');
    }
    const saidAtUs = bench.nowUs;
    expect(trace.of('downlinkPlanned')).toEqual([]);
    bench.sendCommands(plan.devices[0]!.devEui, 9, Uint8Array.of(0xa5));
    bench.runUntil(saidAtUs);
    const [answer, ...others] = trace.of('downlinkPlanned');
    expect([answer?.atUs, others.length]).toEqual([saidAtUs, 0]);
    // MHDR, DevAddr, FCtrl, FCnt, FPort, a byte of payload, MIC: one frame for both.
    expect(answer!.phyBytes).toBe(14);
  });
});
