/** What a campaign with `is_troubleshooting` finds out about devices that failed. */
import { describe, expect, it } from 'vitest';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import { Member } from '../../core/update-service/campaigns/member.ts';
import type { Diagnosis } from '../../core/update-service/campaigns/member-columns.ts';
import {
  type Bench,
  type BenchOptions,
  GATEWAY,
  type GatewayRule,
  ready,
  S,
} from '../core/bench.ts';
import type { Script } from '../core/scripted-device.ts';

interface Case {
  readonly code: string;
  readonly when: string;
  readonly reason: string;
  readonly says: RegExp;
  readonly script?: Partial<Script>;
  readonly input?: Partial<CampaignInput>;
  readonly options?: BenchOptions & { readonly imageBytes?: number };
  /** What happens in the middle of the set-up. */
  readonly midway?: (bench: Bench) => void;
}

const FIRST = 'D000000000000001';
const never = (): boolean => true;

/** A gateway refuses what begins while it sends: a fragment of 48 bytes at DR5, 118 ms. */
function oneAtATime(): GatewayRule {
  let freeAtUs = 0;
  return ({ startsAtUs }) => {
    if (startsAtUs < freeAtUs) return { kind: 'refused', reason: 'collision' };
    freeAtUs = startsAtUs + 118_016;
    return { kind: 'sent' };
  };
}

/** A gateway sends that many copies, and refuses all others. */
function refusesAfter(count: number, reason: string): GatewayRule {
  let sent = 0;
  return () => (sent++ < count ? { kind: 'sent' } : { kind: 'refused', reason });
}

/** The same, for these reasons in turns. */
function refusesInTurns(count: number, ...reasons: readonly string[]): GatewayRule {
  let copies = 0;
  return () => {
    const reason = reasons[copies % reasons.length]!;
    return copies++ < count ? { kind: 'sent' } : { kind: 'refused', reason };
  };
}

const CASES: readonly Case[] = [
  {
    code: 'slot-conflict',
    when: 'another fragmentation session holds its slot',
    reason: 'FragIndex unsupported',
    says: /no slot 0/,
    script: { setupStatus: { indexNotSupported: true } },
  },
  {
    code: 'no-uplink',
    when: 'it was never heard',
    reason: 'no uplink',
    says: /No uplink since the round began; it was never heard/,
    script: { uplinkEveryS: 0, losesDownlink: never },
  },
  {
    code: 'clock-drift',
    when: 'its clock cannot be corrected',
    reason: 'clock drift',
    says: /off by 90 s after a correction; 5 s are acceptable/,
    script: { clockErrorS: -90, clockIsStuck: true },
  },
  {
    code: 'window-missed',
    when: 'its clock drifts away after the set-up',
    reason: 'session missed',
    says: /clock was 60 s late after the session: about \d+ fragments/,
    midway: (bench) => {
      bench.device(FIRST).script.clockErrorS = -60;
    },
  },
  {
    code: 'duty-cycle',
    when: 'gateways have no air time for commands',
    reason: 'set-up unanswered',
    says: /used 95 % of its hour’s air time/,
    script: { mute: ['McGroupSetupReq'] },
    midway: (bench) => {
      bench.budgetUsed = 0.95;
    },
  },
  {
    code: 'duty-cycle',
    when: 'gateways have no air time for fragments',
    reason: 'session missed',
    says: /7 of 7 fragments were not sent: a gateway had no air time left \d+ times/,
    options: {
      gatewayRule: ({ startsAtUs }) => ({
        kind: 'noBudget',
        notBeforeUs: startsAtUs + 60 * S,
      }),
    },
  },
  {
    code: 'pace-too-fast',
    when: 'a fragment is to follow before the one before it is over',
    reason: 'missing fragments',
    says: /\d+ of 28 fragments were left out: each takes 0\.118016 s on the air/,
    options: { gatewayRule: oneAtATime() },
    input: { frag_size: 48, frag_send_delay: 0.05 },
  },
  ...(
    [
      ['radioFault', 'the radio of a gateway had failed'],
      ['backhaulLoss', 'the backhaul to a gateway had failed'],
      ['gatewayGone', 'a gateway was gone'],
    ] as const
  ).map(
    ([reason, says]): Case => ({
      code: 'gateway-fault',
      when: `a gateway refuses what comes after a third of the fragments: ${reason}`,
      reason: 'missing fragments',
      says: new RegExp(`^\\d+ of 28 fragments were not sent: ${says} \\d+ times\\.$`),
      options: { gatewayRule: refusesAfter(9, reason) },
      input: { frag_size: 48 },
    }),
  ),
  {
    code: 'gateway-fault',
    when: 'most copies are refused for a fault, and some for a busy channel',
    reason: 'missing fragments',
    says: /^\d+ of 28 fragments were not sent: the radio of a gateway had failed \d+ times\.$/,
    options: { gatewayRule: refusesInTurns(9, 'radioFault', 'channelBusy', 'radioFault') },
    input: { frag_size: 48 },
  },
  {
    code: 'session-too-short',
    when: 'some copies are refused for a fault, and most for a busy channel',
    reason: 'missing fragments',
    says: /not sent in the session of \d+ s, where gateways refused .*channelBusy \d+/,
    options: { gatewayRule: refusesInTurns(9, 'channelBusy', 'radioFault', 'channelBusy') },
    input: { frag_size: 48 },
  },
  {
    code: 'gateway-fault',
    when: 'the radio of its gateway fails while it is set up',
    reason: 'no uplink',
    says: /^No gateway of the campaign can hear the device: the radio of AA0+1 has failed\.$/,
    script: { uplinkEveryS: 0 },
    midway: (bench) => {
      bench.radioUp = false;
    },
  },
  {
    code: 'gateway-fault',
    when: 'the backhaul of its gateway fails while it is set up',
    reason: 'no uplink',
    says: /^No gateway of the campaign can hear the device: the backhaul of AA0+1 has failed\.$/,
    script: { uplinkEveryS: 0 },
    midway: (bench) => {
      bench.backhaul.up = false;
    },
  },
  {
    code: 'duty-cycle',
    when: 'no fragment fits the budget of its sub-band',
    reason: 'session missed',
    says: /7 of 7 fragments were not sent: all air time of an hour is too little for one/,
    options: { gatewayRule: () => ({ kind: 'refused', reason: 'neverBudget' }) },
  },
  {
    code: 'session-too-short',
    when: 'the channel is busy at every try',
    reason: 'session missed',
    says: /not sent in the session of \d+ s, where gateways refused frames \(channelBusy \d+\)\.$/,
    options: { gatewayRule: () => ({ kind: 'refused', reason: 'channelBusy' }) },
  },
  {
    code: 'session-too-short',
    when: 'the session ends before the fragments do',
    reason: 'missing fragments',
    says: /\d+ of 7 fragments were not sent in the session of 32 s/,
    input: { mcast_session_timeout: 32, frag_send_delay: 10 },
  },
  {
    code: 'link-margin',
    when: 'its best gateway is too weak for the data rate',
    reason: 'session missed',
    says: /comes in at -126\.0 dBm, -1\.5 dB above what DR5 needs; 5\.0 dB are wanted/,
    script: { levels: { [GATEWAY]: -126 }, losesFragment: never },
    input: { mcast_dr: 5 },
  },
  {
    code: 'defective-nb-frag',
    when: 'the code does not distinguish what it lost',
    reason: 'missing fragments',
    says: /NbFrag 192 is served badly by the code; take a FragSize of 47 bytes/,
    script: { losesFragment: (fragmentNumber) => fragmentNumber > 100 },
    input: { frag_size: 48, frag_send_delay: 1 },
    options: { imageBytes: 192 * 48 },
  },
  {
    code: 'too-little-redundancy',
    when: 'more is lost than redundancy replaces',
    reason: 'missing fragments',
    says: /10 of 28 fragments arrived and \d+ are missing/,
    script: { losesFragment: (fragmentNumber) => fragmentNumber > 10 },
    input: { frag_size: 48 },
  },
  {
    code: 'too-little-redundancy',
    when: 'what is sent again is not enough',
    reason: 'missing fragments',
    says: /^10 of 21 fragments arrived, 4 were sent again where .+ allows 4, and 11 are missing:/,
    script: { losesFragment: (fragmentNumber) => fragmentNumber > 6 },
    input: { frag_size: 48, redundancy: 0, individual_fragment_retransmit: 4 },
  },
  {
    code: 'fragment-too-long',
    when: 'RX2, where alone a class C device can be repaired, does not carry a fragment',
    reason: 'missing fragments',
    says: /Fragments of 60 bytes do not fit RX2, where DR0 carries 48: .+ has no effect on class C/,
    script: {
      deviceClass: 'C',
      losesFragment: (fragmentNumber: number) => fragmentNumber > 10,
    },
    input: { frag_size: 60, individual_fragment_retransmit: 100 },
  },
  {
    code: 'fragment-too-long',
    when: 'its uplinks are so slow that no window after them carries a fragment',
    reason: 'missing fragments',
    says: /0 were sent again: the windows after its uplink do not carry fragments of 60 bytes/,
    script: { dataRate: 0, losesFragment: (fragmentNumber) => fragmentNumber > 10 },
    input: { frag_size: 60, individual_fragment_retransmit: 100 },
  },
  {
    code: 'no-fragment-heard',
    when: 'all is well but it takes no fragment',
    reason: 'session missed',
    says: /its key or address of the group may be wrong/,
    script: { losesFragment: never },
  },
  {
    code: 'unanswered',
    when: 'it speaks, but does not take the group',
    reason: 'set-up unanswered',
    says: /McGroupSetupReq was not answered in \d+ tries/,
    script: { mute: ['McGroupSetupReq'] },
  },
  {
    code: 'version',
    when: 'it keeps its old firmware',
    reason: 'version mismatch',
    says: /runs 0100000000000007 where 01020300\.{8} is expected/,
    script: { newFwVersion: 0x01000000 },
  },
  {
    code: 'unanswered',
    when: 'it does not report its version',
    reason: 'verification unanswered',
    says: /DevVersionReq was not answered in \d+ tries/,
    script: { mute: ['DevVersionReq'] },
  },
  {
    code: 'refused',
    when: 'it says no',
    reason: 'not enough memory',
    says: /answered: not enough memory/,
    script: { setupStatus: { notEnoughMemory: true } },
  },
];

function run({ script = {}, input = {}, options = {}, midway }: Case): Bench {
  const bench = ready(1, () => script, options);
  bench.campaign({ is_troubleshooting: true, multicast_setup_time: 3600, ...input });
  bench.runUntil(3500 * S);
  midway?.(bench);
  bench.finish(4);
  return bench;
}

function found(bench: Bench): { reason: string | null; diagnosis: Diagnosis | null } {
  const [state] = bench.platform.save().resources.campaign.campaigns;
  const { reason, diagnosis } = new Member(state!, 0);
  return { reason, diagnosis };
}

describe('a device that failed', () => {
  it.each(CASES)('is diagnosed with $code when $when', (each) => {
    const { reason, diagnosis } = found(run(each));
    expect({ reason, code: diagnosis?.code }).toEqual({ reason: each.reason, code: each.code });
    expect(diagnosis?.text).toMatch(each.says);
  });

  it('reports no acceptable value where only the session showed its clock wrong', () => {
    const bench = ready(1, () => ({ deviceClass: 'C', uplinkEveryS: 120 }));
    const { script } = bench.device(FIRST);
    let breaks = 0;
    script.losesDownlink = () => {
      // Wrong as it takes the session, and right whenever it is asked for its time.
      const takesSession = bench.commandsTo(FIRST).at(-1) === 'McClassCSessionReq';
      script.clockErrorS = takesSession ? 300 : 0;
      if (takesSession) breaks++;
      return false;
    };
    bench.campaign({ is_troubleshooting: true });
    bench.finish(4);
    expect(breaks).toBe(2);
    const { reason, diagnosis } = found(bench);
    expect([reason, diagnosis?.code]).toEqual(['clock drift', 'clock-drift']);
    expect(diagnosis?.text).toBe(
      'The clock was off by more after a correction; 5 s are acceptable.',
    );
  });

  it('is not diagnosed when the reason says all, nor when nobody asks for it', () => {
    const halted = ready(1);
    halted.campaign({ is_troubleshooting: true });
    halted.runUntil(10 * S);
    halted.execute({ kind: 'campaign.halt', by: 'default', campaign_id: halted.campaignId });
    expect(found(halted)).toEqual({ reason: 'halted', diagnosis: null });
    const plain = ready(1, () => ({ losesFragment: never }));
    plain.campaign();
    plain.finish();
    expect(found(plain)).toEqual({ reason: 'session missed', diagnosis: null });
  });
});
