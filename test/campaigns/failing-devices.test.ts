/** Devices that fail in updates by models of their type: what they do, and what it is called. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_SUBSCRIBER } from '../../core/base/subscribers.ts';
import {
  type CampaignDevice,
  DEVICE_CAUSES,
  type FailureCause,
} from '../../core/result/outcome.ts';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { sumOf } from '../../sim/base/counts.ts';
import type { FailurePlan } from '../../sim/plan/failure-plan.ts';
import { type PackagesPlan, USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { campaignId } from '../support/ids.ts';
import { eui, SECOND_US } from '../support/small-network.ts';
import { throughBytes } from '../support/worlds.ts';
import { runCampaign, SET_UP_S, STARTS_AT_US, takenBy, type WantedCampaign } from './notation.ts';

const by = DEFAULT_SUBSCRIBER;
const EVERYBODY = 1_000_000;
const V2: Partial<PackagesPlan> = {
  multicastSetup: { version: 2, fPort: 200 },
  fragmentation: { version: 2, fPort: 201 },
};
const SESSION_US = STARTS_AT_US + SET_UP_S * SECOND_US;

const flashWrite: FailurePlan = { model: 'flashWrite', sharePpm: EVERYBODY, atPpm: 500_000 };
const noMemory: FailurePlan = { model: 'noMemory', sharePpm: EVERYBODY };
const reboot: FailurePlan = { model: 'reboot', sharePpm: EVERYBODY, afterUs: 20 * SECOND_US };
const badSignature: FailurePlan = { model: 'badSignature', sharePpm: EVERYBODY };
const wrongHardware: FailurePlan = { model: 'wrongHardware', sharePpm: EVERYBODY };
const once = (failure: FailurePlan): FailurePlan => ({ ...failure, times: 1 });

interface Wanted {
  readonly packages?: Partial<PackagesPlan>;
  readonly activation?: 'abp' | 'otaa';
  readonly campaign?: WantedCampaign['campaign'];
  readonly minutes?: number;
  readonly commands?: WantedCampaign['commands'];
}

/** One device, in a campaign by itself, that fails so. */
function failing(failures: readonly FailurePlan[], wanted: Wanted = {}) {
  const trace = runCampaign({
    devices: 1,
    minutes: wanted.minutes ?? 120,
    commands: wanted.commands ?? [],
    type: {
      failures,
      activation: wanted.activation ?? 'abp',
      packages: { ...USUAL_PACKAGES, ...wanted.packages },
    },
    campaign: {
      redundancy: 0.5,
      individual_fragment_retransmit: 0,
      max_final_version_check_retry: 1,
      ...wanted.campaign,
    },
  });
  const { world } = trace;
  const [device] = [...world.facts.outcomes.all()] as [CampaignDevice];
  const [campaign] = world.result().campaigns;
  const asked = { kind: 'campaign.get', by, campaign_id: campaignId('campaign') } as const;
  const answer = world.ask(asked);
  const response = answer.ok && 'devices' in answer.value ? answer.value.devices : {};
  return {
    trace,
    device,
    campaign: campaign!,
    reason: response[device.devEui]?.failure_reason,
    failed: trace.of('updateFailure').map(({ failure }) => failure),
  };
}

const RETRY = { automatic_retry_count: 1, automatic_retry_interval: 600 };

describe('a device that fails', () => {
  // What it fails by, by which versions, what its service calls it, and what it was.
  const CASES: readonly (readonly [string, 1 | 2, string, FailureCause, FailurePlan])[] = [
    ['flashWrite', 1, 'not enough memory', 'flash write error', flashWrite],
    ['flashWrite', 2, 'not enough memory', 'flash write error', flashWrite],
    ['noMemory', 1, 'not enough memory', 'not enough memory', noMemory],
    ['noMemory', 2, 'not enough memory', 'not enough memory', noMemory],
    ['reboot', 1, 'version mismatch', 'rebooted', reboot],
    ['reboot', 2, 'version mismatch', 'rebooted', reboot],
    ['badSignature', 1, 'version mismatch', 'wrong signature', badSignature],
    ['badSignature', 2, 'version mismatch', 'wrong signature', badSignature],
    ['wrongHardware', 1, 'version mismatch', 'wrong hardware', wrongHardware],
    ['wrongHardware', 2, 'version mismatch', 'wrong hardware', wrongHardware],
  ];

  it.each(CASES)('by %s in version %s: its service says %s, and it was %s', (...one) => {
    const [, version, believed, cause, failure] = one;
    const packages = version === 2 ? V2 : {};
    const { device, campaign, reason, failed } = failing([failure], { packages });
    expect(reason).toBe(believed);
    expect(device).toMatchObject({ fate: 'failed', cause, runs: false });
    expect(campaign).toMatchObject({ running: 0, success: 0, failed: 1 });
    expect(campaign.failures).toEqual({ [cause]: 1 });
    expect(failed).toEqual([failure.model]);
  });

  it.each(CASES)('by %s once, in version %s, is updated in the round after', (...one) => {
    const [, version, , , failure] = one;
    const packages = version === 2 ? V2 : {};
    const { device, campaign, failed } = failing([once(failure)], { packages, campaign: RETRY });
    expect(failed).toEqual([failure.model]);
    expect(device).toMatchObject({ fate: 'confirmed', cause: null, runs: true });
    expect(campaign).toMatchObject({ rounds: 2, running: 1, success: 1, failures: {} });
  });

  it.each(CASES)('by %s each time, in version %s, fails in both rounds', (...one) => {
    const [, version, , cause, failure] = one;
    const packages = version === 2 ? V2 : {};
    const { campaign, failed } = failing([failure], { packages, campaign: RETRY });
    expect(failed).toEqual([failure.model, failure.model]);
    expect(campaign).toMatchObject({ rounds: 2, failures: { [cause]: 1 } });
  });
});

describe('a device whose flash fails', () => {
  it('keeps what it had written before, and nothing after', () => {
    const { trace, device } = failing([flashWrite]);
    // 20 fragments, and the eleventh cannot be written.
    expect(takenBy(trace, 'meter-1')).toHaveLength(10);
    expect(device).toMatchObject({ fragmentsHeld: 10, fragmentsNeeded: 20 });
    const [failed] = trace.of('updateFailure');
    expect(failed!.failedAtUs).toBeGreaterThan(SESSION_US + 20 * SECOND_US);
    expect(failed!.failedAtUs).toBeLessThan(SESSION_US + 33 * SECOND_US);
  });

  it('has failed by that, too, where nobody heard of it any more', () => {
    const atUs = SESSION_US + 40 * SECOND_US;
    const devEui = eui('02', 1);
    const mute = { kind: 'device.fault', by, devEui, fault: 'radio', on: true } as const;
    const { device, reason } = failing([flashWrite], { commands: [{ atUs, command: mute }] });
    expect(reason).toBe('no uplink');
    expect(device.cause).toBe('flash write error');
  });

  it('may fail with the first fragment, or with the last', () => {
    const at = (atPpm: number) => takenBy(failing([{ ...flashWrite, atPpm }]).trace, 'meter-1');
    expect(at(0)).toEqual([]);
    expect(at(999_000)).toHaveLength(19);
  });
});

describe('a device that reboots in a session', () => {
  it('joins anew, and hears no fragment after', () => {
    const { trace, device } = failing([reboot], { activation: 'otaa' });
    expect(device.cause).toBe('rebooted');
    const [rebooted] = trace.of('updateFailure');
    expect(rebooted!.atUs).toBeGreaterThanOrEqual(SESSION_US + 20 * SECOND_US);
    const joins = trace.of('uplinkBegins').filter(({ purpose }) => purpose === 'join');
    const after = joins.filter(({ atUs }) => atUs >= rebooted!.atUs);
    expect(after).toHaveLength(1);
    expect(trace.of('multicastSessionCloses')[0]!.atUs).toBe(rebooted!.atUs);
    expect(trace.of('fragmentationSessionEnds')[0]!.atUs).toBe(rebooted!.atUs);
    expect(trace.of('fragmentTaken').every(({ atUs }) => atUs <= rebooted!.atUs)).toBe(true);
    // It is in the network again, and goes on to send.
    const later = trace.of('uplinkBegins').filter(({ atUs }) => atUs > after[0]!.atUs);
    expect(later.length).toBeGreaterThan(100);
  });

  it('keeps its session where it is personalised', () => {
    const { trace } = failing([reboot]);
    const [rebooted] = trace.of('updateFailure');
    const sent = trace.of('uplinkBegins');
    expect(sent.every(({ purpose }) => purpose !== 'join')).toBe(true);
    const before = sent.filter(({ atUs }) => atUs < rebooted!.atUs).at(-1)!;
    const next = sent.find(({ atUs }) => atUs > rebooted!.atUs)!;
    expect(next.counter).toBe(before.counter! + 1);
  });

  it('has nothing to lose once its block is complete', () => {
    const late = { ...reboot, afterUs: 300 * SECOND_US };
    const { device, failed } = failing([late]);
    expect(failed).toEqual([]);
    expect(device).toMatchObject({ fate: 'confirmed', runs: true });
  });
});

describe('a device that refuses an image', () => {
  it.each([
    ['corrupt', badSignature],
    ['wrongHardware', wrongHardware],
  ] as const)('has it whole, knows it as %s, and never runs it', (image, failure) => {
    const { trace, device } = failing([failure]);
    expect(trace.of('imageActivated')).toEqual([]);
    expect(device).toMatchObject({ fragmentsMissing: 0, runs: false });
    const { devEui } = device;
    const groundTruth = trace.world.ask({ kind: 'device.truth', by, devEui });
    expect(groundTruth).toMatchObject({ ok: true, value: { firmware: { image, next: null } } });
  });
});

describe('failures that meet', () => {
  it('happen one after the other, and the last one is the cause', () => {
    const two = [once(noMemory), once(badSignature)];
    const { campaign, failed } = failing(two, { campaign: RETRY });
    expect(failed).toEqual(['noMemory', 'badSignature']);
    expect(campaign.failures).toEqual({ 'wrong signature': 1 });
    const third = failing(two, { minutes: 180, campaign: { ...RETRY, automatic_retry_count: 2 } });
    expect(third.campaign).toMatchObject({ rounds: 3, success: 1, failures: {} });
  });

  it('of earlier rounds are no cause: what failed later was the radio', () => {
    const { campaign, failed } = failing([once(flashWrite)], {
      campaign: { ...RETRY, redundancy: 0 },
    });
    expect(failed).toEqual(['flashWrite']);
    expect(campaign.success + campaign.failed).toBe(1);
    expect(campaign.failures['flash write error']).toBeUndefined();
  });
});

const isOwn = (cause: FailureCause): boolean =>
  (DEVICE_CAUSES as readonly FailureCause[]).includes(cause);

// ── two campaigns ────────────────────────────────────────────────────────────────────────────────

const TOWN = `
scenario: failing-town
duration: 16 h
radio: { shadowing: 0 dB }
devices:
  - name: meter
    count: 40
    traffic: { every: 5 min }
    failures:
      - { model: flashWrite, share: 30 %, times: 1 }
      - { model: reboot, share: 30 %, times: 1, after: 5 s }
  - name: lamp
    count: 20
    traffic: { every: 5 min }
    failures: [{ model: wrongHardware, share: 50 % }]
  - { name: clock, count: 10, traffic: { every: 5 min } }
images: [{ name: fw-1.2.0.bin, bytes: 1 kB }, { name: fw-1.3.0.bin, bytes: 1 kB }]
groups: [{ name: town, devices: all }]
campaigns:
  - { name: spring, image: fw-1.2.0.bin, group: town, multicast_setup_time: 1 h }
  - { name: summer, image: fw-1.3.0.bin, group: town, at: 8 h, multicast_setup_time: 1 h }
`;

describe('two campaigns of a town with two models of failures', () => {
  const plan = populate(scenarioOf(TOWN));
  const world = World.create(plan, 'town');
  world.runUntil(world.endUs);
  const { campaigns } = world.result();
  const [spring, summer] = campaigns;
  const devices = [...world.facts.outcomes.all()];

  it('fail about as many as the shares say, and nobody of the others', () => {
    const [meters, lamps, clocks] = spring!.populations;
    const own = DEVICE_CAUSES.filter((cause) => cause in clocks!.failures);
    expect([clocks!.name, own]).toEqual(['clock', []]);
    // Half of twenty, within three standard deviations.
    expect(Math.abs(lamps!.failures['wrong hardware']! - 10)).toBeLessThan(7);
    const { 'flash write error': flash = 0, rebooted = 0 } = meters!.failures;
    // Three tenths of forty; who does both fails by the one that comes last.
    expect(flash + rebooted).toBeGreaterThan(10);
    expect(flash + rebooted).toBeLessThan(32);
    expect(flash).toBeGreaterThan(0);
    expect(rebooted).toBeGreaterThan(0);
  });

  it('are the same lamps in both, and the meters that failed once are right in the other', () => {
    const causes = (campaign: string, cause: string) =>
      devices.filter((one) => one.campaign === campaign && one.cause === cause).length;
    expect(summer!.failures['wrong hardware']).toBe(spring!.failures['wrong hardware']);
    const ways = (name: string) =>
      devices.flatMap((one) => (one.name === name && one.cause !== null ? [one.cause] : []));
    for (const { name, population } of devices) {
      const once = ways(name!).filter((cause) => cause !== 'wrong hardware' && isOwn(cause));
      if (population === 'meter') expect(new Set(once).size).toBe(once.length);
    }
    for (const { name, failures } of campaigns) {
      for (const [cause, times] of Object.entries(failures)) {
        expect(causes(name, cause)).toBe(times);
      }
    }
  });

  it('have complete sums', () => {
    for (const campaign of campaigns) {
      for (const each of [campaign, ...campaign.populations]) {
        expect(each.success + each.inProgress + each.failed).toBe(each.devices);
        expect(sumOf(each.failures)).toBe(each.failed);
      }
    }
  });

  it('are the same after a snapshot in the middle of the session, and in a fork', () => {
    const early = World.create(plan, 'town');
    early.runUntil(61 * 60 * SECOND_US);
    const later = World.restore(plan, 'town', throughBytes(early.snapshot())).fork();
    later.runUntil(later.endUs);
    expect(later.result()).toEqual(world.result());
    expect(later.digest()).toEqual(world.digest());
  });
});
