/** Anyone who sends to a device has a line with the others, and clears what is its own. */
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { World } from '../../core/world/world.ts';
import { runCampaign, STARTS_AT_US } from '../campaigns/notation.ts';
import { follow } from '../support/downlink-histories.ts';
import { campaignId } from '../support/ids.ts';
import { eui, MINUTE_US, SECOND_US } from '../support/small-network.ts';

const DEVICE = eui('02', 1);
/** Of no package. */
const PORT = 225;

const enqueue = (atUs: number, number: number): TimedCommand => ({
  atUs,
  command: {
    kind: 'downlink.enqueue',
    by: 'default',
    devEui: DEVICE,
    fPort: PORT,
    payloadHex: number.toString(16).padStart(4, '0'),
    confirmed: false,
  },
});

const halt = (atUs: number): TimedCommand => ({
  atUs,
  command: { kind: 'campaign.halt', by: 'default', campaign_id: campaignId('campaign') },
});

describe.each(['A', 'C'] as const)('a class %s device', (deviceClass) => {
  /** The campaign has asked for its first commands, and none has gone out. */
  const haltUs = STARTS_AT_US + 25 * SECOND_US;
  const numbers = Array.from({ length: 40 }, (_, i) => i);
  const world = () => {
    const wanted = {
      type: { deviceClass },
      group: { lora_class: deviceClass },
      minutes: 60,
      commands: [
        ...numbers.map((number) => enqueue(STARTS_AT_US - SECOND_US, number)),
        halt(haltUs),
      ],
    };
    return runCampaign(wanted).world;
  };
  const { plan, seed } = world();
  const { lives } = follow(plan as never, seed);
  const of = (kind: 'application' | 'campaign') =>
    [...lives.lives.values()].filter(({ sender }) => sender.kind === kind);

  it('gets 40 application downlinks although a campaign is halted among them', () => {
    expect(lives.complaints).toEqual([]);
    expect(of('application')).toHaveLength(40);
    for (const { reported: reports } of of('application')) expect(reports).toContain('sent');
  });

  it('gets nothing of the campaign that waited when it was halted', () => {
    const commands = of('campaign');
    expect(commands.length).toBeGreaterThan(0);
    for (const { reported: reports } of commands) expect(reports).toEqual(['dropped']);
  });
});

describe('a world in which a campaign and an application share a line', () => {
  const wanted = {
    devices: 3,
    minutes: 30,
    commands: [0, 1, 2, 3, 4, 5, 6, 7].map((i) => enqueue(STARTS_AT_US + i * 40 * SECOND_US, i)),
  };
  const { world } = runCampaign(wanted);

  it('is the same when it is saved in the middle, and so is a fork', () => {
    const plan = world.plan as never;
    const straight = World.create(plan, world.seed);
    for (let atUs = STARTS_AT_US; atUs < 15 * MINUTE_US; atUs += 97 * SECOND_US) {
      straight.runUntil(atUs);
      const restored = World.restore(plan, world.seed, straight.snapshot());
      const fork = straight.fork();
      for (const each of [restored, fork]) {
        each.runUntil(30 * MINUTE_US);
        expect(each.digest()).toEqual(world.digest());
      }
    }
  });

  it('brings all downlinks', () => {
    const { lives } = follow(world.plan as never, world.seed);
    expect(lives.complaints).toEqual([]);
    const own = [...lives.lives.values()].filter(({ sender }) => sender.kind === 'application');
    expect(own.filter(({ reported: reports }) => reports.includes('sent'))).toHaveLength(8);
  });
});

describe('a campaign whose commands wait, keys among them,', () => {
  it('has the same outcome whether frames are real or counted, and another `full` digest', () => {
    const { plan, seed } = runCampaign({ devices: 3, minutes: 30 }).world;
    const digestOf = (frames: 'real' | 'counted') => {
      const world = World.create({ ...plan, network: { ...plan.network, frames } }, seed);
      world.runUntil(STARTS_AT_US);
      let waiting = false;
      while (!waiting && world.runUntil(world.nowUs + SECOND_US)) {
        waiting = plan.network.devices.some(({ devEui }) => {
          const answer = world.ask({ kind: 'downlink.waiting', by: 'default', devEui });
          return answer.ok && answer.value.length > 0;
        });
      }
      return world.digest();
    };
    const [real, counted] = [digestOf('real'), digestOf('counted')];
    expect(counted.outcome).toBe(real.outcome);
    expect(counted.full).not.toBe(real.full);
  });
});

describe('two campaigns on one device, one after the other,', () => {
  it('hear of their own downlinks alone, and a halt leaves the other’s alone', () => {
    const again = { name: 'later', image_name: 'meter-1.2.0.bin', device_group_id: '' };
    const atUs = STARTS_AT_US + 30 * SECOND_US;
    const { world } = runCampaign({ minutes: 30, commands: [halt(atUs)] });
    const group = world.ask({ kind: 'deviceGroup.list', by: 'default' });
    const [{ device_group_id }] = group.ok ? group.value : ([] as never);
    const plan = {
      ...world.plan,
      durationUs: 30 * MINUTE_US,
      timeline: [
        ...world.plan.timeline,
        {
          atUs: atUs + 1,
          command: {
            kind: 'campaign.create',
            by: 'default',
            id: campaignId('later'),
            campaign: { ...again, device_group_id, multicast_setup_time: 600 },
          },
        },
      ],
    };
    const { lives, world: both } = follow(plan as never, world.seed);
    expect(lives.complaints).toEqual([]);
    const ids = new Set([...lives.lives.values()].map(({ sender }) => sender.id));
    expect(ids).toEqual(new Set([campaignId('campaign'), campaignId('later')]));
    const [first, second] = both.result().campaigns;
    expect([first!.stage, second!.stage]).toEqual(['HALTED', 'FINISHED']);
    expect(second!.success).toBe(1);
  });
});
