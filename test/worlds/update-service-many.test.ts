/**
 * Ten thousand of every record of the update service in one world: what a command, a query and an
 * event take grows with what they are about, and no event stands out.
 */
import { describe, expect, it } from 'vitest';
import type { Answers } from '../../core/operations.ts';
import { type Costs, costMs, overgrown } from '../support/cost.ts';
import { HOUR_US, MINUTE_US } from '../support/small-network.ts';
import {
  costOfAll,
  deviceOf,
  devicesOf,
  FEW,
  got,
  IMAGE,
  NORTH,
  Served,
} from '../support/very-many.ts';

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

/** A day of many jobs of one device. */
function jobsOfOne(count: number): Costs {
  const served = new Served(1, { traffic: { meanUs: MINUTE_US, jitterPpm: 0 } });
  const ids: string[] = [];
  const make = () => ids.push(served.do('ann', job([deviceOf(0)])).job_id);
  const get = (i: number) => served.ask('ann', { kind: 'reliableDownlink.get', job_id: ids[i]! });
  const stop = (i: number) =>
    served.do('ann', { kind: 'reliableDownlink.stop', job_id: ids[count - 1 - i]! });
  const remove = (i: number) =>
    served.do('ann', { kind: 'reliableDownlink.delete', job_id: ids[i]! });
  const costs = {
    created: costOfAll(count, make),
    listed: costMs(() => served.ask('ann', { kind: 'reliableDownlink.list' })),
    count: costOfAll(count, get),
    ...served.going('sent', 2 * MINUTE_US),
    // Each goes once through the line of its device, which has the downlinks of all.
    stopped: costOfAll(100, stop),
    ...served.going('what was stopped', 10_000_000),
    'their device removed': costMs(() =>
      served.do('ann', { kind: 'device.remove', devEui: deviceOf(0) }),
    ),
    deleted: costOfAll(count, remove),
    ...served.going('after them', MINUTE_US),
  };
  expect(served.world.facts.isIdle).toBe(true);
  return costs;
}

/** A job of many devices. */
function jobOfAll(count: number): Costs {
  const served = new Served(count);
  const { job_id } = served.do('ann', job(devicesOf(count)));
  const costs = {
    ...served.going('sent', MINUTE_US),
    stopped: costMs(() => served.do('ann', { kind: 'reliableDownlink.stop', job_id })),
    ...served.going('what was stopped', 10_000_000),
    restarted: costMs(() => served.do('ann', { kind: 'reliableDownlink.restart', job_id })),
    deleted: costMs(() => served.do('ann', { kind: 'reliableDownlink.delete', job_id })),
    ...served.going('after it', MINUTE_US),
  };
  expect(served.world.facts.isIdle).toBe(true);
  return costs;
}

/** Many managed campaigns that watch a gateway, which goes. */
function watchers(count: number): Costs {
  const served = new Served(0);
  const managedCampaign = {
    include_versions: ['................'],
    image_name: IMAGE,
    gateways: [NORTH],
    preferred_start_time_utc: '02:00',
  };
  const ids: string[] = [];
  const create = () => {
    const created = served.do('ann', { kind: 'managedCampaign.create', managedCampaign });
    ids.push(created.managed_campaign_id);
  };
  const forget = (i: number) =>
    served.do('ann', { kind: 'managedCampaign.delete', managed_campaign_id: ids[i]! });
  const costs = {
    created: costOfAll(count, create),
    listed: costMs(() => served.ask('ann', { kind: 'managedCampaign.list' })),
    ...served.going('a day', 25 * HOUR_US),
    'their gateway removed': costMs(() => served.do('ann', { kind: 'gateway.remove', eui: NORTH })),
    ...served.going('a week without it', 8 * 24 * HOUR_US),
  };
  expect(served.world.facts.isIdle).toBe(true);
  return { ...costs, deleted: costOfAll(count, forget) };
}

/** Devices of Ann's, each delegated to Bob by a record of its own. */
function delegated(count: number): Costs {
  const served = new Served(count);
  const ids: string[] = [];
  const delegate = (i: number) => {
    const delegation = {
      delegate_to: 'bob',
      expires_at: '2026-06-01T00:00:00Z',
      include_devices: [deviceOf(i)],
    };
    ids.push(served.do('ann', { kind: 'delegation.create', delegation }).delegation_id);
  };
  const end = (i: number) =>
    served.do('ann', { kind: 'delegation.delete', delegation_id: ids[i]! });
  const versions = { kind: 'deviceVersion.all', delegated_subscriber_id: 'ann' } as const;
  const group = { name: 'g', devices: devicesOf(count) };
  const grouping = { kind: 'deviceGroup.create', by: 'bob', group } as const;
  const costs: Record<string, number> = { created: costOfAll(count, delegate) };
  served.go(MINUTE_US);
  costs.versions = costMs(() => served.ask('bob', versions));
  let createdOne: Answers['deviceGroup.create'] | undefined;
  costs.grouped = costMs(() => (createdOne = got(served.world.submit(grouping))));
  const { device_group_id } = createdOne!;
  const campaign = { name: 'c', image_name: IMAGE, device_group_id };
  served.go(HOUR_US);
  const { campaign_id } = served.do('bob', { kind: 'campaign.create', campaign });
  Object.assign(costs, served.going('the start', 2_000_000));
  served.do('bob', { kind: 'campaign.halt', campaign_id });
  served.go(MINUTE_US);
  costs.ended = costOfAll(count, end);
  expect(served.world.submit(grouping)).toMatchObject({ failure: { code: 'delegation.ended' } });
  costs.refused = costMs(() => served.world.submit(grouping));
  return costs;
}

describe('ten thousand', () => {
  it('jobs of one device are made, reported, sent, stopped and deleted one by one', async () => {
    expect(await overgrown(jobsOfOne, FEW)).toEqual({});
  });

  it('devices of one job are tried, stopped, tried again and deleted together', async () => {
    expect(await overgrown(jobOfAll, FEW)).toEqual({});
  });

  it('managed campaigns watch one gateway, which comes and goes', async () => {
    expect(await overgrown(watchers, FEW)).toEqual({});
  });

  it('devices, each delegated by a record of its own, are updated together', async () => {
    // What each covered once is looked up by its hash: one pass over them, not one a comparison.
    expect(await overgrown(delegated, FEW)).toEqual({});
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
