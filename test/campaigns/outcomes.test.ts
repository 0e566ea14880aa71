/** Named devices in campaigns: what is true of each, and what their service calls it. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_SUBSCRIBER } from '../../core/base/subscribers.ts';
import type { Command, TimedCommand } from '../../core/command.ts';
import type { CampaignDevice } from '../../core/result/outcome.ts';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { type PackagesPlan, USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { campaignId } from '../support/ids.ts';
import { eui, SECOND_US } from '../support/small-network.ts';
import { runCampaign, SET_UP_S, STARTS_AT_US } from './notation.ts';

const by = DEFAULT_SUBSCRIBER;
const devEui = eui('02', 1);
const after = (seconds: number, command: Command): TimedCommand => ({
  atUs: STARTS_AT_US + seconds * SECOND_US,
  command,
});
/** 30 fragments, one every two seconds: the block is complete, and the image does not run yet. */
const COMPLETE_S = SET_UP_S + 55;
const MUTE = after(COMPLETE_S, { kind: 'device.fault', by, devEui, fault: 'radio', on: true });
const REMOVED = after(SET_UP_S, { kind: 'device.remove', by, devEui });
/** DevRebootCountdownReq, an hour later: in one second. */
const REBOOT = after(3_600, {
  kind: 'downlink.enqueue',
  by,
  devEui,
  fPort: 203,
  payloadHex: '03010000',
  confirmed: false,
});

function outcomeOf(commands: readonly TimedCommand[], packages: Partial<PackagesPlan> = {}) {
  const { world } = runCampaign({
    devices: 1,
    minutes: 120,
    type: { packages: { ...USUAL_PACKAGES, ...packages } },
    commands,
    campaign: { redundancy: 0.5, min_timeout_delay: 47, max_final_version_check_retry: 1 },
  });
  const [device] = [...world.facts.outcomes.all()] as [CampaignDevice];
  const [campaign] = world.result().campaigns;
  const asked = { kind: 'campaign.get', by, campaign_id: campaignId('campaign') } as const;
  const answer = world.ask(asked);
  const isReported = answer.ok && 'devices' in answer.value;
  const response = isReported ? answer.value.devices[device.devEui] : undefined;
  return { device, campaign: campaign!, reported: response, map: world.result().devices.map };
}

const VERSIONS = { old: '01000000', new: '01020000' };

describe('a device of a campaign', () => {
  it('that runs the image and has said so is confirmed', () => {
    const { campaign, device } = outcomeOf([]);
    expect(campaign).toMatchObject({ devices: 1, running: 1, success: 1, failed: 0, rounds: 1 });
    expect(campaign.failedDevices).toEqual([]);
    expect(device).toMatchObject({
      campaign: 'campaign',
      devEui,
      name: 'meter-1',
      population: 'meter',
      fate: 'confirmed',
      cause: null,
      step: 'final version',
      runs: true,
      gateways: 1,
      fragmentsNeeded: 20,
      fragmentsMissing: 0,
    });
    expect(device.fragmentsHeld).toBeGreaterThanOrEqual(20);
    expect(device.versionBefore).toMatch(new RegExp(`^${VERSIONS.old}`));
    expect(device.version).toMatch(new RegExp(`^${VERSIONS.new}`));
  });

  it('that runs the image and was not heard any more has not failed to run it', () => {
    const { campaign, device, reported: response, map } = outcomeOf([MUTE]);
    expect(response).toMatchObject({ failure_reason: 'no uplink', final_version: null });
    expect(device).toMatchObject({ fate: 'failed', cause: 'answer lost', runs: true });
    expect(campaign).toMatchObject({ running: 1, success: 0, failed: 1 });
    expect(campaign.failures).toEqual({ 'answer lost': 1 });
    const { campaign: _, ...row } = device;
    expect(campaign.failedDevices).toEqual([row]);
    expect(map.updated).toEqual([4]);
  });

  it('that was asked before it ran the image runs it all the same', () => {
    const {
      campaign,
      device,
      reported: response,
    } = outcomeOf([REBOOT], { imageActivation: 'onCommand' });
    expect(response).toMatchObject({ failure_reason: 'version mismatch' });
    expect(response?.final_version).toMatch(new RegExp(`^${VERSIONS.old}`));
    expect(device).toMatchObject({ cause: 'asked too early', runs: true });
    expect(device.version).toMatch(new RegExp(`^${VERSIONS.new}`));
    expect(campaign.failures).toEqual({ 'asked too early': 1 });
  });

  it('that never runs the image keeps the reason of its service', () => {
    const { campaign, device, map } = outcomeOf([], { imageActivation: 'onCommand' });
    expect(device).toMatchObject({ cause: 'version mismatch', runs: false, fragmentsMissing: 0 });
    expect(device.version).toBe(device.versionBefore);
    expect(campaign).toMatchObject({ running: 0, failures: { 'version mismatch': 1 } });
    expect(map.updated).toEqual([3]);
  });

  it('that has left the network is among its devices, and nothing is true of it', () => {
    const { campaign, device } = outcomeOf([REMOVED]);
    const { step, ...rest } = device;
    expect(step).toBe('session');
    expect(rest).toEqual({
      campaign: 'campaign',
      devEui,
      name: null,
      population: null,
      fate: 'failed',
      cause: 'device removed',
      runs: null,
      dataRate: null,
      gateways: null,
      fragmentsHeld: null,
      fragmentsNeeded: null,
      fragmentsMissing: null,
      versionBefore: null,
      version: null,
      joules: null,
    });
    expect(campaign.populations).toEqual([
      {
        name: null,
        devices: 1,
        running: 0,
        success: 0,
        inProgress: 0,
        failed: 1,
        failures: { 'device removed': 1 },
      },
    ]);
  });
});

/** A meter is removed, and comes again with its DevEUI, at these times; the others are done. */
function cameAgain(removedAt: string, againAt: string) {
  const plan = populate(
    scenarioOf(`
scenario: again
duration: 4 h
radio: { shadowing: 0 dB }
devices: [{ name: meter, count: 3, traffic: { every: 5 min } }]
images: [{ name: fw-1.2.0.bin, bytes: 1 kB }]
groups: [{ name: meters, devices: [meter] }]
campaigns: [{ name: spring, image: fw-1.2.0.bin, group: meters, multicast_setup_time: 1 h }]
timeline:
  - { at: ${removedAt}, removeDevice: meter-2 }
  - { at: ${againAt}, addDevices: { population: meter, count: 1 } }
`),
  );
  const theirs = plan.network.devices[1]!.devEui;
  const timeline = plan.timeline.map(({ command, ...entry }) =>
    command.kind === 'device.create'
      ? { ...entry, command: { ...command, device: { ...command.device, devEui: theirs } } }
      : { ...entry, command },
  );
  const world = World.create({ ...plan, timeline }, 'a');
  world.runUntil(world.endUs);
  return [...world.facts.outcomes.all()].filter((one) => one.devEui === theirs);
}

describe('a device that was removed and came again with its DevEUI', () => {
  it.each([
    ['in the campaign', '30 min', { fate: 'failed', cause: 'device removed', runs: null }],
    ['after it', '3 h', { fate: 'confirmed', cause: null, runs: true }],
  ])('%s has a row as it was in it, and one as it lives now', (_, at, was) => {
    expect(cameAgain(at, '200 min')).toMatchObject([
      { campaign: 'spring', name: null, ...was },
      { campaign: null, name: expect.stringMatching(/^meter/), fate: 'none' },
    ]);
  });
});

describe('a device of two campaigns', () => {
  const TOWN = `
scenario: twice
duration: 6 h
radio: { shadowing: 0 dB }
devices: [{ name: meter, count: 3, traffic: { every: 5 min }, energy: {} }, { name: other }]
images: [{ name: fw-1.2.0.bin, bytes: 1 kB }]
groups: [{ name: meters, devices: [meter] }]
campaigns:
  - { name: spring, image: fw-1.2.0.bin, group: meters, multicast_setup_time: 1 h }
  - { name: summer, image: fw-1.2.0.bin, group: meters, at: 2 h, multicast_setup_time: 1 h }
timeline: [{ at: 30 min, haltCampaign: spring }]
`;
  const plan = populate(scenarioOf(TOWN));
  const world = World.create(plan, 'a');
  world.runUntil(world.endUs);
  const devices = [...world.facts.outcomes.all()];

  it('runs what the later one sent, and nothing that the former has done', () => {
    const [spring, summer] = world.result().campaigns;
    expect(spring).toMatchObject({ running: 0, failures: { halted: 3 } });
    expect(summer).toMatchObject({ running: 3, success: 3 });
    const runs = devices.map(({ campaign, runs: one }) => [campaign, one]);
    expect(runs).toEqual([
      ...['a', 'b', 'c'].map(() => ['spring', false]),
      ...['a', 'b', 'c'].map(() => ['summer', true]),
      [null, null],
    ]);
  });

  it('is reported of once for each, with what it drew, and a stranger once', () => {
    const [first] = devices;
    expect(first!.joules).toBeGreaterThan(0);
    expect(devices[3]!.joules).toBe(first!.joules);
    expect(devices.at(-1)).toMatchObject({ name: 'other', fate: 'none', joules: null });
  });

  it('has fragments of the group that it still has', () => {
    expect(devices[0]).toMatchObject({ fragmentsHeld: null, fragmentsNeeded: null });
    expect(devices[3]!.fragmentsNeeded).toBeGreaterThan(0);
  });
});
