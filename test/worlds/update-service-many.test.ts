/**
 * Ten thousand of every record of the update service in one world: what a command, a query and an
 * event take grows with what they are about, and no event stands out. CPU times are bounds with
 * room for a busy machine: several times what is measured on an idle one.
 */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../core/command.ts';
import type { Answers, PlatformCommand, PlatformQuery } from '../../core/operations.ts';
import type { Query } from '../../core/query.ts';
import { World } from '../../core/world/world.ts';
import type { Result } from '../../sim/base/result.ts';
import { USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { eui, HOUR_US, MINUTE_US, networkOf, type Wanted } from '../support/small-network.ts';

const MANY = 10_000;
const NORTH = eui('06', 1);
const deviceOf = (i: number) => eui('02', i + 1);
const ALL = Array.from({ length: MANY }, (_, i) => deviceOf(i));
const IMAGE = 'app-1.2.3.bin';

/** A world whose devices are Ann's, with a gateway of hers and one of Bob's. */
class Served {
  readonly world: World;

  constructor(devices: number, wanted: Wanted = {}) {
    const traffic = { meanUs: HOUR_US, jitterPpm: 100_000 };
    const type = {
      deviceClass: 'C' as const,
      packages: { ...USUAL_PACKAGES, versionReportsUs: 6 * HOUR_US },
    };
    const network = networkOf({ traffic, type, ...wanted, devices, gatewaysAt: [100, 110] });
    const owners = {
      devices: network.devices.map(({ devEui }) => [devEui, 'ann'] as const),
      gateways: [[NORTH, 'ann'] as const, [eui('06', 2), 'bob'] as const],
    };
    const startUnixMs = 1_767_225_600_000;
    const plan = { name: 'many', description: '', network: { ...network, startUnixMs }, owners };
    this.world = World.create({ ...plan, timeline: [] }, 'many');
    for (const by of ['ann', 'bob']) {
      this.do(by, { kind: 'image.create', name: IMAGE, bytes: new Uint8Array(100) });
    }
  }

  do<Given extends PlatformCommand>(by: string, command: Given): Answers[Given['kind']] {
    return got(this.world.submit({ ...command, by } as unknown as Command));
  }

  ask<Asked extends PlatformQuery>(by: string, query: Asked): Answers[Asked['kind']] {
    return got(this.world.ask({ ...query, by } as unknown as Query));
  }

  go(forUs: number): void {
    this.world.runUntil(this.world.nowUs + forUs);
  }

  /** Goes on for a while, event by event: CPU time of the longest, ms. */
  longest(forUs: number): number {
    const untilUs = this.world.nowUs + forUs;
    let most = 0;
    for (let isDone = false; !isDone; ) {
      most = Math.max(
        most,
        cpuMs(() => {
          isDone = this.world.runUntil(untilUs, 1);
        }),
      );
    }
    return most;
  }
}

function got<Value>(answer: unknown): Value {
  const result = answer as Result<Value>;
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** CPU time of each of several, ms. */
const eachMs = (count: number, work: (i: number) => void): number =>
  cpuMs(() => {
    for (let i = 0; i < count; i++) work(i);
  }) / count;

const job = (devices: readonly string[]) =>
  ({
    kind: 'reliableDownlink.create',
    job: {
      name: 'j',
      downlink_hex: '01',
      downlink_fport: 9,
      expected_uplink_hex: '01',
      expected_uplink_fport: 9,
      devices,
    },
  }) as const;

describe('ten thousand', () => {
  it('jobs of one device are made, told, sent, stopped and deleted one by one', () => {
    const served = new Served(1, { traffic: { meanUs: MINUTE_US, jitterPpm: 0 } });
    const ids: string[] = [];
    expect(eachMs(MANY, () => ids.push(served.do('ann', job([deviceOf(0)])).job_id))).toBeLessThan(
      5,
    );
    expect(cpuMs(() => served.ask('ann', { kind: 'reliableDownlink.list' }))).toBeLessThan(1_000);
    const get = (i: number) => served.ask('ann', { kind: 'reliableDownlink.get', job_id: ids[i]! });
    expect(eachMs(1_000, get)).toBeLessThan(2);
    expect(served.longest(2 * MINUTE_US)).toBeLessThan(500);
    const stop = (i: number) =>
      served.do('ann', { kind: 'reliableDownlink.stop', job_id: ids[MANY - 1 - i]! });
    expect(eachMs(1_000, stop)).toBeLessThan(5);
    expect(served.longest(10_000_000)).toBeLessThan(500);
    expect(
      cpuMs(() => served.do('ann', { kind: 'device.remove', devEui: deviceOf(0) })),
    ).toBeLessThan(2_000);
    const remove = (i: number) =>
      served.do('ann', { kind: 'reliableDownlink.delete', job_id: ids[i]! });
    expect(eachMs(MANY, remove)).toBeLessThan(2);
    expect(served.longest(MINUTE_US)).toBeLessThan(500);
    expect(served.world.facts.isIdle).toBe(true);
  });

  it('devices of one job are each tried, and no event is about more than a slice of them', () => {
    const served = new Served(MANY);
    const { job_id } = served.do('ann', job(ALL));
    expect(served.longest(MINUTE_US)).toBeLessThan(100);
    const stop = { kind: 'reliableDownlink.stop', job_id } as const;
    expect(cpuMs(() => served.do('ann', stop))).toBeLessThan(500);
    expect(served.longest(10_000_000)).toBeLessThan(100);
    const restart = { kind: 'reliableDownlink.restart', job_id } as const;
    expect(cpuMs(() => served.do('ann', restart))).toBeLessThan(500);
    const remove = { kind: 'reliableDownlink.delete', job_id } as const;
    expect(cpuMs(() => served.do('ann', remove))).toBeLessThan(100);
    expect(served.longest(MINUTE_US)).toBeLessThan(100);
    expect(served.world.facts.isIdle).toBe(true);
  });

  it('managed campaigns watch one gateway, which comes and goes', () => {
    const served = new Served(0);
    const managedCampaign = {
      include_versions: ['................'],
      image_name: IMAGE,
      gateways: [NORTH],
      preferred_start_time_utc: '02:00',
    };
    const ids: string[] = [];
    const create = () => {
      const made = served.do('ann', { kind: 'managedCampaign.create', managedCampaign });
      ids.push(made.managed_campaign_id);
    };
    expect(eachMs(MANY, create)).toBeLessThan(2);
    expect(cpuMs(() => served.ask('ann', { kind: 'managedCampaign.list' }))).toBeLessThan(2_000);
    expect(served.longest(25 * HOUR_US)).toBeLessThan(100);
    const remove = { kind: 'gateway.remove', eui: NORTH } as const;
    expect(cpuMs(() => served.do('ann', remove))).toBeLessThan(100);
    expect(served.longest(8 * 24 * HOUR_US)).toBeLessThan(100);
    expect(served.world.facts.isIdle).toBe(true);
    const forget = (i: number) =>
      served.do('ann', { kind: 'managedCampaign.delete', managed_campaign_id: ids[i]! });
    expect(eachMs(MANY, forget)).toBeLessThan(1);
  });

  it('devices, each delegated by a record of its own, are grouped and updated together', () => {
    const served = new Served(MANY);
    const delegate = (i: number) => {
      const include_devices = [deviceOf(i)];
      const delegation = {
        delegate_to: 'bob',
        expires_at: '2026-06-01T00:00:00Z',
        include_devices,
      };
      return served.do('ann', { kind: 'delegation.create', delegation }).delegation_id;
    };
    const ids: string[] = [];
    expect(eachMs(MANY, (i) => ids.push(delegate(i)))).toBeLessThan(1);
    served.go(MINUTE_US);
    const versions = { kind: 'deviceVersion.all', delegated_subscriber_id: 'ann' } as const;
    expect(cpuMs(() => served.ask('bob', versions))).toBeLessThan(1_000);
    const group = { name: 'g', devices: ALL };
    let device_group_id = '';
    const make = () => {
      device_group_id = served.do('bob', { kind: 'deviceGroup.create', group }).device_group_id;
    };
    expect(cpuMs(make)).toBeLessThan(1_500);
    const campaign = { name: 'c', image_name: IMAGE, device_group_id };
    served.go(HOUR_US);
    const { campaign_id } = served.do('bob', { kind: 'campaign.create', campaign });
    expect(served.longest(2_000_000)).toBeLessThan(1_500);
    served.do('bob', { kind: 'campaign.halt', campaign_id });
    served.go(MINUTE_US);
    const end = (i: number) =>
      served.do('ann', { kind: 'delegation.delete', delegation_id: ids[i]! });
    expect(eachMs(MANY, end)).toBeLessThan(1);
    // What each covered once is looked up by its hash: one pass over them, not one a comparison.
    const again = { kind: 'deviceGroup.create', by: 'bob', group } as const;
    expect(served.world.submit(again)).toMatchObject({ failure: { code: 'delegation.ended' } });
    const refused = cpuMs(() => served.world.submit(again));
    expect(refused).toBeLessThan(1_200);
  });
});

describe('five hundred campaigns that wait for one device', () => {
  it('are over at once when it is removed: none waits for another', () => {
    const served = new Served(1);
    served.go(2 * HOUR_US);
    const group = { name: 'g', devices: [deviceOf(0)] };
    const { device_group_id } = served.do('ann', { kind: 'deviceGroup.create', group });
    const campaign = { name: 'c', image_name: IMAGE, device_group_id };
    for (let i = 0; i < 500; i++) served.do('ann', { kind: 'campaign.create', campaign });
    served.go(MINUTE_US);
    const before = served.world.events;
    served.do('ann', { kind: 'device.remove', devEui: deviceOf(0) });
    served.go(MINUTE_US);
    const stages = served.ask('ann', { kind: 'campaign.list' }).map(({ stage_str }) => stage_str);
    expect(new Set(stages)).toEqual(new Set(['FINISHED']));
    expect(served.world.events - before).toBeLessThan(3 * 500);
  });
});
