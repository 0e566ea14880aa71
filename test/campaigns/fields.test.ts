/**
 * Each field of a campaign's creation input has its effect: worlds that differ in one field alone,
 * and a figure of both. `completed_email_alert` is reserved: it is stored and has none.
 */

import { afterAll, describe, expect, it } from 'vitest';
import { formatInstant } from '../../core/base/instant.ts';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import type { FullStatus } from '../../core/update-service/campaigns/status-fields.ts';
import { groupId } from '../support/ids.ts';
import { eui } from '../support/small-network.ts';
import {
  type RowOf,
  runCampaign,
  START_UNIX_MS,
  STARTS_AT_US,
  type WantedCampaign,
} from './notation.ts';

type Run = ReturnType<typeof runCampaign>;
type Figure = string | number | null;

interface Effect {
  readonly field: keyof CampaignInput;
  readonly figure: string;
  readonly of: (run: Run) => Figure;
  readonly before?: Partial<CampaignInput>;
  readonly after: Partial<CampaignInput>;
  readonly world?: Omit<WantedCampaign, 'campaign'>;
  /** How the figure changes. */
  readonly holds: (before: Figure, after: Figure) => boolean;
}

const S = 1_000_000;
const FIRST = eui('02', 1);
const KEY = '00112233445566778899AABBCCDDEEFF';

// ── figures ──────────────────────────────────────────────────────────────────────────────────────

function stateOf({ world }: Run): FullStatus {
  const list = world.ask({ kind: 'campaign.list', by: 'default' });
  const { campaign_id } = list.ok ? list.value[0]! : { campaign_id: '' };
  const full = world.ask({ kind: 'campaign.get', by: 'default', campaign_id });
  if (!full.ok || !('devices' in full.value)) throw new Error('the campaign is not reported');
  return full.value;
}

const first = (run: Run) => stateOf(run).devices[FIRST]!;

const multicast = (run: Run): RowOf<'downlinkPlanned'>[] =>
  run.of('downlinkPlanned').filter(({ purpose }) => purpose === 'multicast');

const stageAt = ({ world }: Run, stage: string): number =>
  world.result().campaigns[0]!.stages.find((one) => one.stage === stage)?.atSeconds ?? -1;

const startsAtS = (run: Run): number =>
  (Date.parse(stateOf(run).multicast_sessions[0]!.starts_at) - START_UNIX_MS) / 1000;

const firstFragmentS = (run: Run): number => multicast(run)[0]!.startsAtUs / S;

const linesOf = (run: Run) => first(run).debug ?? [];

/** Shortest time between two sendings of the group to one device, s. */
function shortestRepeat(run: Run): number {
  const gaps = Object.values(stateOf(run).devices).flatMap(({ debug = [] }) => {
    const sent = debug.filter(({ what }) => what === 'sent');
    return sent.flatMap(({ command, at }, i) => {
      if (command !== 'McGroupSetupReq') return [];
      const next = sent.slice(i + 1).find((line) => line.command === command);
      return next === undefined ? [] : [(Date.parse(next.at) - Date.parse(at)) / 1000];
    });
  });
  return Math.min(...gaps);
}

function shortestPause(run: Run): number {
  const times = linesOf(run)
    .filter(({ what }) => what === 'sent')
    .map(({ at }) => Date.parse(at) / 1000);
  return Math.min(...times.slice(1).map((time, i) => time - times[i]!));
}

const setUpEndsS = (run: Run): number =>
  Date.parse(first(run).steps.session!.passed_at!) / 1000 - START_UNIX_MS / 1000;

const smallAfter = (before: Figure, after: Figure): boolean => Number(after) < Number(before);
const largeAfter = (before: Figure, after: Figure): boolean => Number(after) > Number(before);
const is = (wantedBefore: Figure, wantedAfter: Figure) => (before: Figure, after: Figure) =>
  before === wantedBefore && after === wantedAfter;

// ── the table ────────────────────────────────────────────────────────────────────────────────────

const classC = { type: { deviceClass: 'C' as const } };
const lossy = { type: { frameLossPpm: 200_000 } };
/** Devices report 1.2.0, which nobody expects. */
const wrong = { expected_version: '9.9.9', descriptor: '01020000' };
const group = { mcast_devaddr: '01FE1234', mcast_mc_key: KEY };

const EFFECTS: readonly Effect[] = [
  {
    field: 'name',
    figure: 'label in the list',
    of: (run) => stateOf(run).name,
    after: { name: 'autumn' },
    holds: is('campaign', 'autumn'),
  },
  {
    field: 'image_name',
    figure: 'version after',
    of: (run) => first(run).final_version,
    after: { image_name: 'meter-1.3.0.bin' },
    holds: is('0102000001000000', '0103000001000000'),
  },
  {
    field: 'device_group_id',
    figure: 'devices updated',
    of: (run) => stateOf(run).num_devices_success,
    world: {
      commands: [
        {
          atUs: STARTS_AT_US - 1,
          command: {
            kind: 'deviceGroup.create',
            by: 'default',
            id: groupId('one'),
            group: { name: 'one', devices: [FIRST] },
          },
        },
      ],
    },
    after: { device_group_id: groupId('one') },
    holds: is(3, 1),
  },
  {
    field: 'expected_version',
    figure: 'devices updated',
    of: (run) => stateOf(run).num_devices_success,
    before: { descriptor: '01020000' },
    after: { expected_version: '9.9.9' },
    holds: is(3, 0),
  },
  {
    field: 'multicast_setup_time',
    figure: 'session starts, s',
    of: startsAtS,
    after: { multicast_setup_time: 900 },
    holds: (before, after) => Number(after) - Number(before) === 300,
  },
  {
    field: 'scheduled_start_at',
    figure: 'set-up begins, s',
    of: (run) => stageAt(run, 'SETTING_UP_DEVICES'),
    after: { scheduled_start_at: formatInstant(START_UNIX_MS + 400_000) },
    holds: is(181, 400),
  },
  {
    field: 'mcast_deveui',
    figure: 'EUI of the group',
    of: (run) => stateOf(run).multicast_sessions[0]!.mcast_deveui,
    before: group,
    after: { mcast_deveui: 'CAFE000000000001' },
    holds: (before, after) => before !== after && after === 'CAFE000000000001',
  },
  {
    field: 'mcast_devaddr',
    figure: 'address on the air',
    of: (run) => multicast(run)[0]!.phyPayload.slice(2, 10),
    after: { mcast_devaddr: '01FE1234' },
    holds: (before, after) => before !== after && after === '3412fe01',
  },
  {
    field: 'mcast_mc_key',
    figure: 'session key on the air',
    of: (run) => multicast(run)[0]!.keys!.appSKey.slice(0, 8),
    before: { mcast_devaddr: '01FE1234' },
    after: { mcast_mc_key: KEY },
    holds: (before, after) => before !== after,
  },
  {
    field: 'mcast_dr',
    figure: 'spreading factor',
    of: (run) => multicast(run)[0]!.spreadingFactor,
    after: { mcast_dr: 4 },
    holds: is(7, 8),
  },
  {
    field: 'mcast_freq',
    figure: 'frequency, Hz',
    of: (run) => multicast(run)[0]!.frequencyHz,
    after: { mcast_freq: 869.5 },
    holds: is(869_525_000, 869_500_000),
  },
  {
    field: 'mcast_session_timeout',
    figure: 'fragments sent',
    of: (run) => stateOf(run).fragments!.sent,
    after: { mcast_session_timeout: 32 },
    holds: smallAfter,
  },
  {
    field: 'redundancy',
    figure: 'fragments sent',
    of: (run) => stateOf(run).fragments!.sent,
    before: { redundancy: 0 },
    after: { redundancy: 0.5 },
    holds: is(20, 30),
  },
  {
    field: 'frag_send_delay',
    figure: 'between fragments, s',
    of: (run) => (multicast(run)[1]!.startsAtUs - multicast(run)[0]!.startsAtUs) / S,
    after: { frag_send_delay: 4.5 },
    holds: is(2, 4.5),
  },
  {
    field: 'acceptable_time_drift',
    figure: 'first fragment after the start, s',
    of: (run) => Math.round(firstFragmentS(run) - startsAtS(run)),
    after: { acceptable_time_drift: 30 },
    holds: is(6, 31),
  },
  {
    field: 'sleep_after_frag_sent',
    figure: 'VERIFYING after the first fragment, s',
    of: (run) => Math.round(stageAt(run, 'VERIFYING') - firstFragmentS(run)),
    after: { sleep_after_frag_sent: 90 },
    holds: (before, after) => Number(after) - Number(before) === 60,
  },
  {
    field: 'descriptor',
    figure: 'version after',
    of: (run) => first(run).final_version,
    before: { expected_version: '................', descriptor: '01020000' },
    after: { descriptor: 'CAFE0001' },
    holds: is('0102000001000000', 'CAFE000101000000'),
  },
  {
    field: 'min_downlink_delay',
    figure: 'shortest pause between commands, s',
    of: shortestPause,
    before: { is_debug: true },
    world: classC,
    after: { min_downlink_delay: 20 },
    holds: (before, after) => Number(before) < 20 && Number(after) >= 20,
  },
  {
    field: 'min_timeout_delay',
    figure: 'shortest time to a repetition, s',
    of: shortestRepeat,
    before: { is_debug: true },
    world: { type: { frameLossPpm: 500_000 }, minutes: 60 },
    after: { min_timeout_delay: 120 },
    holds: (before, after) => Number(before) < 120 && Number(after) >= 120,
  },
  {
    field: 'force_initial_version_check',
    figure: 'version before',
    of: (run) => first(run).initial_version,
    after: { force_initial_version_check: true },
    holds: is(null, '0100000001000000'),
  },
  {
    field: 'completed_email_alert',
    figure: 'multicast frames',
    of: (run) => multicast(run).length,
    after: { completed_email_alert: ['ops@example.org'] },
    holds: (before, after) => before === after,
  },
  {
    field: 'max_final_version_check_retry',
    figure: 'final version requests',
    of: (run) => first(run).steps.final_version!.commands,
    before: { ...wrong, max_final_version_check_retry: 0 },
    after: { max_final_version_check_retry: 2 },
    holds: is(1, 3),
  },
  {
    field: 'automatic_retry_count',
    figure: 'attempts',
    of: (run) => first(run).attempts,
    before: { ...wrong, automatic_retry_interval: 60 },
    world: { minutes: 80 },
    after: { automatic_retry_count: 1 },
    holds: is(1, 2),
  },
  {
    field: 'automatic_retry_interval',
    figure: 'wait for the retry, s',
    of: (run) => {
      const { stages } = run.world.result().campaigns[0]!;
      const at = stages.findIndex(({ stage }) => stage === 'WAITING_FOR_RETRY');
      return Math.round(stages[at + 1]!.atSeconds - stages[at]!.atSeconds);
    },
    before: { ...wrong, automatic_retry_count: 1, automatic_retry_interval: 60 },
    world: { minutes: 80 },
    after: { automatic_retry_interval: 300 },
    holds: is(60, 300),
  },
  {
    field: 'downlink_delay_rand_s',
    figure: 'set-up done, s',
    of: setUpEndsS,
    before: { min_timeout_delay: 47 }, // not in step with the devices' own uplinks
    world: classC,
    after: { downlink_delay_rand_s: 60 },
    holds: largeAfter,
  },
  {
    field: 'individual_fragment_retransmit',
    figure: 'devices updated',
    of: (run) => stateOf(run).num_devices_success,
    before: { redundancy: 0 },
    world: { ...lossy, minutes: 60 },
    after: { individual_fragment_retransmit: 40 },
    holds: largeAfter,
  },
  {
    field: 'is_debug',
    figure: 'lines about a device',
    of: (run) => linesOf(run).length,
    after: { is_debug: true },
    holds: (before, after) => before === 0 && Number(after) > 10,
  },
  {
    field: 'is_troubleshooting',
    figure: 'diagnosis',
    of: (run) => first(run).troubleshooting?.diagnosis ?? null,
    before: wrong,
    after: { is_troubleshooting: true },
    holds: is(null, 'version'),
  },
];

const table: Record<string, { figure: string; before: Figure; after: Figure }> = {};

function figuresOf({ of, world, before, after }: Effect): readonly [Figure, Figure] {
  const wanted = { devices: 3, ...world };
  const base = { redundancy: 0.6, ...before };
  return [
    of(runCampaign({ ...wanted, campaign: base })),
    of(runCampaign({ ...wanted, campaign: { ...base, ...after } })),
  ];
}

describe('a field of the creation input, changed alone,', () => {
  it.each(EFFECTS)('has an effect: $field → $figure', (effect) => {
    const { field, figure, holds } = effect;
    const [before, after] = figuresOf(effect);
    table[field] = { figure, before, after };
    expect({ before, after, holds: holds(before, after) }).toEqual({ before, after, holds: true });
  });

  it('is one of 28; only completed_email_alert has none', () => {
    expect(new Set(EFFECTS.map(({ field }) => field)).size).toBe(28);
  });

  afterAll(() => console.table(table));
});
