/** Campaigns on devices that speak version 2 of the packages (TS003, TS004 and TS005-2.0.0). */

import { describe, expect, it } from 'vitest';
import type { FullStatus } from '../../core/update-service/campaigns/status-fields.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { World } from '../../core/world/world.ts';
import { toHex } from '../../sim/base/bytes.ts';
import { encodeFragments } from '../../sim/lorawan/fragmentation-code.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { type PackagesPlan, USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { campaignId } from '../support/ids.ts';
import { MINUTE_US, SECOND_US } from '../support/small-network.ts';
import { imageHex, runCampaign, STARTS_AT_US, type WantedCampaign } from './notation.ts';

const VERSION_2: PackagesPlan = {
  ...USUAL_PACKAGES,
  clockSync: { version: 2, fPort: 212 },
  multicastSetup: { version: 2, fPort: 210 },
  fragmentation: { version: 2, fPort: 211 },
};

type Run = ReturnType<typeof runCampaign>;

const speaking =
  (packages: PackagesPlan) =>
  (network: NetworkPlan): NetworkPlan => ({
    ...network,
    deviceTypes: network.deviceTypes.map((type) => ({ ...type, packages })),
  });

/** Every other device speaks version 2. */
const mixed = (network: NetworkPlan): NetworkPlan => ({
  ...network,
  deviceTypes: [
    ...network.deviceTypes,
    { ...network.deviceTypes[0]!, name: 'new', packages: VERSION_2 },
  ],
  devices: network.devices.map((device, i) => ({ ...device, type: i < 2 ? 0 : 1 })),
});

function run(wanted: WantedCampaign): Run {
  const type = { frameLossPpm: 150_000, ...wanted.type };
  const campaign = { redundancy: 0.6, is_debug: true, ...wanted.campaign };
  return runCampaign({ devices: 3, minutes: 60, ...wanted, type, campaign });
}

function stateOf({ world }: Run): FullStatus {
  const full = world.ask({
    kind: 'campaign.get',
    by: 'default',
    campaign_id: campaignId('campaign'),
  });
  if (!full.ok || !('devices' in full.value)) throw new Error('the campaign is not reported');
  return full.value;
}

const rightOf = ({ world }: Run) => world.result().campaigns[0]!.verified;

describe('a campaign on devices of version 2', () => {
  const whole = run({ change: speaking(VERSION_2) });

  it.each(['counted', 'real'] as const)('updates them, block MIC and all, frames %s', (frames) => {
    const one = run({ change: speaking(VERSION_2), frames });
    expect(stateOf(one)).toMatchObject({ stage_str: 'FINISHED', num_devices_success: 3 });
    expect(rightOf(one)).toEqual({ rebuilt: 3, right: 3 });
  });

  it('learns from a device that its block is complete, and finishes it before the others', () => {
    const one = run({ change: speaking(VERSION_2), campaign: { frag_send_delay: 12 } });
    const lines = Object.values(stateOf(one).devices).map(({ debug }) =>
      debug!.map(({ command }) => command),
    );
    const early = lines.filter((commands) => !commands.includes('FragSessionStatusReq'));
    expect(early.length).toBeGreaterThan(0);
    for (const commands of early) expect(commands).toContain('FragDataBlockReceivedReq');
    const { stages, completionSeconds } = one.world.result().campaigns[0]!;
    const [created, verifying] = ['INITIALIZING', 'VERIFYING'].map(
      (name) => stages.find(({ stage }) => stage === name)?.atSeconds ?? Number.POSITIVE_INFINITY,
    );
    expect(created! + completionSeconds[0]!).toBeLessThan(verifying!);
  });

  it('sends the coded fragments of the parity matrix of version 2', () => {
    const image = Uint8Array.from(imageHex(1000).match(/../g)!, (byte) =>
      Number.parseInt(byte, 16),
    );
    const [ofOne, ofTwo] = ([1, 2] as const).map((version) =>
      toHex(encodeFragments(version, image, 50, 1)[20]!),
    );
    expect(ofOne).not.toBe(ofTwo);
    const { plan } = whole.world.snapshot().platform.resources.campaign.campaigns[0]!;
    expect(plan).toMatchObject({ version: 2, fPort: 211 });
  });

  it('updates nobody whose key is another', () => {
    const keys = { '0200000000000001': '00'.repeat(16) };
    const one = run({
      change: speaking(VERSION_2),
      devices: 1,
      commands: [{ atUs: 1, command: { kind: 'key.upload', by: 'default', keys } }],
    });
    expect(stateOf(one)).toMatchObject({ num_devices_success: 0, num_devices_fail: 1 });
  });
});

describe('a campaign on devices of both versions', () => {
  it('updates one version after the other', () => {
    const one = run({ devices: 5, minutes: 90, change: mixed });
    expect(stateOf(one)).toMatchObject({ stage_str: 'FINISHED', num_devices_success: 5 });
    expect(rightOf(one)).toEqual({ rebuilt: 5, right: 5 });
    const attempts = Object.values(stateOf(one).devices).map((device) => device.attempts);
    expect(attempts).toEqual([1, 1, 1, 1, 1]);
    const sessions = one.world
      .result()
      .campaigns[0]!.stages.filter(({ stage }) => stage === 'SENDING_FRAGMENTS');
    expect(sessions).toHaveLength(2);
  });

  it('that is halted in the first round has no attempt of those who wait for the second', () => {
    const campaign_id = campaignId('campaign');
    const command = { kind: 'campaign.halt', by: 'default', campaign_id } as const;
    const commands = [{ atUs: STARTS_AT_US + 120_000_000, command }];
    const one = run({ devices: 5, minutes: 6, change: mixed, commands });
    const { devices } = stateOf(one);
    const attempts = Object.values(devices).map((device) => device.attempts);
    expect(attempts).toEqual([0, 0, 1, 1, 1]);
    const answer = one.world.ask({ kind: 'history.all', by: 'default' });
    const [first, second, ...others] = Object.keys(devices);
    expect(answer.ok && Object.keys(answer.value).sort()).toEqual(others.sort());
    expect(devices[first!]).toMatchObject({ stage: 8, failure_reason: 'halted' });
    expect(devices[second!]).toMatchObject({ stage: 8, failure_reason: 'halted' });
  });

  it('tries all who failed again after a halt between the two', () => {
    const one = run({ devices: 5, minutes: 90, change: mixed, type: { frameLossPpm: 0 } });
    const between = one.world
      .result()
      .campaigns[0]!.stages.find(({ stage }) => stage === 'WAITING_FOR_RETRY');
    const world = World.create(one.world.plan as RunPlan, one.world.seed);
    const named = { by: 'default', campaign_id: campaignId('campaign') };
    world.runUntil(Math.ceil(between!.atSeconds * SECOND_US));
    expect(world.submit({ kind: 'campaign.halt', ...named }).ok).toBe(true);
    expect(world.result().campaigns[0]).toMatchObject({ success: 3, failures: { halted: 2 } });
    world.runUntil(world.nowUs + MINUTE_US);
    world.submit({ kind: 'campaign.restart', ...named, changes: {} });
    world.runUntil(90 * MINUTE_US);
    expect(world.result().campaigns[0]).toMatchObject({ stage: 'FINISHED', success: 5 });
  });
});
