/** Why a device fails in a campaign: every reason, for both classes. */
import { describe, expect, it } from 'vitest';
import type { CampaignResult } from '../../core/result/result.ts';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import { GATEWAY, ready, S } from './bench.ts';
import type { Script } from './scripted-device.ts';

interface Case {
  readonly reason: string;
  readonly when: string;
  readonly script: Partial<Script>;
  readonly input?: Partial<CampaignInput>;
}

const never = (): boolean => true;

const CASES: readonly Case[] = [
  {
    reason: 'no uplink',
    when: 'it never speaks',
    script: { uplinkEveryS: 0, losesDownlink: never },
  },
  {
    reason: 'set-up unanswered',
    when: 'it does not tell its version',
    script: { mute: ['DevVersionReq'] },
    input: { force_initial_version_check: true },
  },
  {
    reason: 'set-up unanswered',
    when: 'it does not tell its time',
    script: { mute: ['ForceDeviceResyncReq'] },
  },
  {
    reason: 'set-up unanswered',
    when: 'it does not take the group',
    script: { mute: ['McGroupSetupReq'] },
  },
  {
    reason: 'set-up unanswered',
    when: 'it does not take the fragmentation session',
    script: { mute: ['FragSessionSetupReq'] },
  },
  {
    reason: 'session missed',
    when: 'it does not take the multicast session',
    script: { mute: ['McClassCSessionReq'] },
  },
  {
    reason: 'clock drift',
    when: 'a correction does not help',
    script: { clockErrorS: -90, clockIsStuck: true },
  },
  {
    reason: 'clock drift',
    when: 'it ignores corrections',
    script: { clockErrorS: -90, ignoresCorrections: true },
  },
  {
    reason: 'set-up unanswered',
    when: 'it falls silent once it should correct its clock',
    script: { clockErrorS: -90, losesDownlink: (ordinal) => ordinal > 0 },
  },
  { reason: 'McGroupID unsupported', when: 'it says so', script: { idError: true } },
  {
    reason: 'encoding unsupported',
    when: 'it says so',
    script: { setupStatus: { encodingUnsupported: true } },
  },
  {
    reason: 'not enough memory',
    when: 'it says so at set-up',
    script: { setupStatus: { notEnoughMemory: true } },
  },
  {
    reason: 'FragIndex unsupported',
    when: 'it says so',
    script: { setupStatus: { indexNotSupported: true } },
  },
  {
    reason: 'wrong descriptor',
    when: 'it says so',
    script: { setupStatus: { wrongDescriptor: true } },
  },
  { reason: 'DR unsupported', when: 'it says so', script: { sessionStatus: { drError: true } } },
  {
    reason: 'frequency unsupported',
    when: 'it says so',
    script: { sessionStatus: { freqError: true } },
  },
  {
    reason: 'multicast group undefined',
    when: 'it says so',
    script: { sessionStatus: { mcGroupUndefined: true } },
  },
  {
    reason: 'session missed',
    when: 'no fragment reaches it',
    script: { losesFragment: never },
  },
  {
    reason: 'missing fragments',
    when: 'more are lost than redundancy replaces',
    script: { losesFragment: (fragmentNumber) => fragmentNumber > 10 },
  },
  {
    reason: 'missing fragments',
    when: 'repairs do not suffice either',
    script: { losesFragment: (fragmentNumber) => fragmentNumber > 10 },
    input: { individual_fragment_retransmit: 3 },
  },
  {
    reason: 'not enough memory',
    when: 'its status says so',
    script: { notEnoughMatrixMemory: true },
  },
  {
    reason: 'version mismatch',
    when: 'it keeps its old firmware',
    script: { newFwVersion: 0x01000000 },
  },
  {
    reason: 'verification unanswered',
    when: 'it does not tell its version in the end',
    script: { mute: ['DevVersionReq'] },
  },
];

function run(deviceClass: 'A' | 'C', { script, input }: Case): CampaignResult {
  // The second device is well, so that the campaign goes through all stages.
  const bench = ready(2, (i) => ({ deviceClass, ...(i === 0 ? script : {}) }));
  bench.campaign({ frag_size: 48, ...input });
  const result = bench.finish();
  expect(bench.platform.resources.campaign.fate('D000000000000001')).toBe(3);
  expect(bench.platform.resources.campaign.fate('D000000000000002')).toBe(1);
  return result;
}

describe.each(['A', 'C'] as const)('a device of class %s', (deviceClass) => {
  it.each(CASES)('fails with “$reason” when $when', (each) => {
    expect(run(deviceClass, each)).toMatchObject({
      stage: 'FINISHED',
      success: 1,
      failed: 1,
      failures: { [each.reason]: 1 },
    });
  });

  it('fails with “device removed” in any stage', () => {
    for (const afterS of [0, 0.5, 100, 3700, 4139]) {
      const bench = ready(2, () => ({ deviceClass }));
      bench.campaign({ frag_size: 50, multicast_setup_time: 3600, frag_send_delay: 20 });
      bench.runUntil(afterS * S);
      const before = bench.log.length;
      bench.remove('D000000000000001');
      const result = bench.finish();
      expect(result.failures).toEqual({ 'device removed': 1 });
      expect(result.success).toBe(1);
      const requests = bench.log.slice(before).map(({ request }) => request);
      expect(
        requests.filter((request) => 'devEui' in request && request.devEui.endsWith('1')),
      ).toEqual([]);
    }
  });

  it('fails with “halted” when the campaign is halted', () => {
    const bench = ready(2, () => ({ deviceClass }));
    bench.campaign();
    bench.runUntil(100 * S);
    bench.execute({ kind: 'campaign.halt', by: 'default', campaign_id: bench.campaignId });
    expect(bench.result).toMatchObject({ stage: 'HALTED', failures: { halted: 2 } });
  });
});

describe('a campaign', () => {
  it('ends in ERROR_SETTING_UP when no plan is possible at its start any more', () => {
    const bench = ready(2, () => ({}), { gateways: [] });
    bench.campaign();
    for (const device of bench.devices.values()) delete device.script.levels[GATEWAY];
    const result = bench.finish();
    expect(result).toMatchObject({ stage: 'ERROR_SETTING_UP', failures: { 'no plan': 2 } });
    expect(bench.platform.save().resources.campaign.campaigns[0]!.status).toBe(
      'There is no gateway.',
    );
    expect(bench.log.map(({ request }) => request.kind)).toEqual(['wakeAt']);
  });
});
