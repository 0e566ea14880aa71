/** A name that returns is a new incarnation, with luck and a row of its own (contract 3 and 9). */
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { watchWorld } from '../../scenarios/trace.ts';
import type { NetworkRequest } from '../../sim/contract/requests.ts';
import { Bench } from '../support/bench.ts';
import { SCENE_PLAN } from '../support/scene.ts';

const HOUR_US = 3_600_000_000;

describe('a name that returns', () => {
  it('is a new incarnation, which has other draws than the first', () => {
    const [device] = SCENE_PLAN.devices;
    const commands: TimedCommand[] = [
      { atUs: HOUR_US, command: { kind: 'device.remove', by: 'default', devEui: device!.devEui } },
      { atUs: HOUR_US, command: { kind: 'device.create', by: 'default', device: device! } },
    ];
    const network = { ...SCENE_PLAN, devices: [device!] };
    const plan = { name: '', description: '', durationUs: 2 * HOUR_US, network, timeline: [] };
    const { rows } = watchWorld(plan, 'twice', commands).trace;
    const starts = rows.filter((row) => row.kind === 'deviceStarts');
    expect(starts).toHaveLength(2);
    const uplinks = rows.filter((row) => row.kind === 'uplinkBegins');
    const lives = [0, HOUR_US].map((fromUs) =>
      uplinks
        .filter(({ atUs }) => atUs >= fromUs && atUs < fromUs + HOUR_US)
        .slice(0, 5)
        .map(({ atUs }) => atUs - fromUs),
    );
    expect(lives[0]!.length).toBe(5);
    expect(lives[1]).not.toEqual(lives[0]);
  });

  it('has draws of its own, though another is called as its incarnation would be', () => {
    const { devices: planned } = SCENE_PLAN;
    const named = (name: string, devEui: string) => ({ ...planned[0]!, name, devEui });
    const bench = new Bench({ ...SCENE_PLAN, devices: [] });
    const names = ['a', 'a#1', 'a', 'a#1', 'a', 'a#1#1', 'a#2'];
    names.forEach((name, i) => {
      const device = named(name, `02000000000000${i}0`.padStart(16, '0').slice(-16));
      bench.request({ kind: 'device.create', device });
    });
    const { devices } = bench.network.sides.device;
    const keys = Array.from({ length: devices.rows }, (_, row) => {
      const { key0, key1 } = devices.station(row);
      return `${key0} ${key1}`;
    });
    expect(new Set(keys).size).toBe(names.length);
  });

  it('gets a row of its own: a row of a device or gateway is never used again', () => {
    const bench = new Bench(SCENE_PLAN);
    const { network } = bench;
    const { devices } = network.sides.device;
    const { gateways } = network.sides.server;
    const [device] = SCENE_PLAN.devices;
    const [gateway] = SCENE_PLAN.gateways;
    const rows = { device: devices.identities.length, gateway: gateways.stations.length };
    for (let life = 0; life < 3; life++) {
      const requests: NetworkRequest[] = [
        { kind: 'device.remove', devEui: device!.devEui },
        { kind: 'device.create', device: device! },
        { kind: 'gateway.remove', eui: gateway!.eui },
        { kind: 'gateway.create', gateway: gateway! },
      ];
      for (const request of requests) bench.request(request);
      expect(devices.byEui(device!.devEui)).toBe(rows.device + life);
      expect(gateways.rowByEui(gateway!.eui)).toBe(rows.gateway + life);
    }
  });
});
