/**
 * Creation, halt, restart and deletion of campaigns, and what is reported of them
 * (docs/operations.md, rows 1 to 8 and the rules named there).
 */

import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../core/base/instant.ts';
import type {
  CampaignInput,
  CampaignRestart,
} from '../../core/update-service/campaigns/commands.ts';
import type { FullStatus } from '../../core/update-service/campaigns/status-fields.ts';
import { type Bench, GATEWAY, ready, S, someImage } from '../core/bench.ts';
import { got } from '../core/resources/service.ts';
import type { Script } from '../core/scripted-device.ts';

const FIRST = 'D000000000000001';
const KEY = '00112233445566778899AABBCCDDEEFF';
const SUMMARY_FIELDS = [
  'campaign_id',
  'created_at',
  'device_group_id',
  'image_name',
  'name',
  'num_devices_fail',
  'num_devices_in_progress',
  'num_devices_success',
  'scheduled_start_at',
  'stage',
  'stage_str',
  'status',
];

const instantIn = (bench: Bench, seconds: number): string =>
  formatInstant(bench.view.unixMs(bench.nowUs) + seconds * 1000);

function create(bench: Bench, input: Partial<CampaignInput> = {}) {
  return bench.try({
    kind: 'campaign.create',
    by: 'default',
    campaign: bench.campaignInput(input),
  });
}

function restart(bench: Bench, changes: CampaignRestart = {}) {
  return bench.try({ kind: 'campaign.restart', by: 'default', campaign_id: idOf(bench), changes });
}

function list(bench: Bench) {
  const answer = bench.platform.ask({ kind: 'campaign.list', by: 'default' }, bench.nowUs);
  return answer.ok ? answer.value : [];
}

/** Id of the first campaign in the list. */
const idOf = (bench: Bench): string => list(bench)[0]!.campaign_id;

function reported(bench: Bench, campaign_id = idOf(bench)) {
  return bench.platform.ask({ kind: 'campaign.get', by: 'default', campaign_id }, bench.nowUs);
}

function full(bench: Bench): FullStatus {
  const answer = reported(bench);
  if (!answer.ok || !('devices' in answer.value)) throw new Error('no full state');
  return answer.value;
}

function go(bench: Bench, seconds: number): void {
  bench.runUntil(bench.nowUs + seconds * S);
}

/** Every fragment is lost until `mended`. */
const deaf = (mended: { now: boolean }): Partial<Script> => ({ losesFragment: () => !mended.now });

const E_CASES = [
  ['malformedField', 'an empty name', { name: '' }, 'campaign.name', '/name'],
  [
    'startNotAhead',
    'a start in the past',
    { scheduled_start_at: '2020-01-01T00:00:00Z' },
    'campaign.start',
    '/scheduled_start_at',
  ],
  [
    'startNotAhead',
    'a start that is no instant',
    { scheduled_start_at: 'soon' },
    'campaign.start',
    '/scheduled_start_at',
  ],
  [
    'halfMulticastGroup',
    'a group EUI alone',
    { mcast_deveui: 'CAFE000000000001' },
    'campaign.multicast-group',
    '/mcast_devaddr',
  ],
  [
    'halfMulticastGroup',
    'a group EUI without key',
    { mcast_deveui: 'CAFE000000000001', mcast_devaddr: '01FE0000' },
    'campaign.multicast-group',
    '/mcast_mc_key',
  ],
  ['badMcastDr', 'data rate 0', { mcast_dr: 0 }, 'campaign.invalid', '/mcast_dr'],
  ['badMcastDr', 'data rate 15', { mcast_dr: 15 }, 'campaign.invalid', '/mcast_dr'],
  ['badMcastFreq', 'frequency 0', { mcast_freq: 0 }, 'campaign.invalid', '/mcast_freq'],
  ['badMcastFreq', 'frequency 1000 MHz', { mcast_freq: 1000 }, 'campaign.invalid', '/mcast_freq'],
  ['badRedundancy', 'redundancy above 1', { redundancy: 1.01 }, 'campaign.invalid', '/redundancy'],
  ['badRedundancy', 'redundancy below 0', { redundancy: -0.01 }, 'campaign.invalid', '/redundancy'],
  [
    'badSessionTimeout',
    'a time-out that is no power of 2',
    { mcast_session_timeout: 100 },
    'campaign.invalid',
    '/mcast_session_timeout',
  ],
  [
    'badSessionTimeout',
    'a time-out above 32 768 s',
    { mcast_session_timeout: 65_536 },
    'campaign.invalid',
    '/mcast_session_timeout',
  ],
  [
    'timeoutTooShort',
    'a repetition before the next downlink',
    { min_downlink_delay: 60 },
    'campaign.invalid',
    '/min_timeout_delay',
  ],
  [
    'badDescriptor',
    'a descriptor of 7 digits',
    { descriptor: '0123456' },
    'campaign.descriptor',
    '/descriptor',
  ],
  [
    'badMulticastKey',
    'a key of 31 digits',
    { mcast_mc_key: KEY.slice(1) },
    'campaign.multicast-group',
    '/mcast_mc_key',
  ],
  [
    'badMulticastKey',
    'an address of letters',
    { mcast_devaddr: 'GHIJKLMN' },
    'campaign.multicast-group',
    '/mcast_devaddr',
  ],
  [
    'badVersion',
    'a version of two numbers',
    { expected_version: '1.2' },
    'campaign.version',
    '/expected_version',
  ],
  [
    'badVersion',
    'a name without a version',
    { image_name: 'plain.bin' },
    'campaign.version',
    '/expected_version',
  ],
  [
    'unknownInBody',
    'an unknown image',
    { image_name: 'none-1.0.0.bin' },
    'image.unknown',
    '/image_name',
  ],
  [
    'unknownInBody',
    'an unknown group',
    { device_group_id: 'none' },
    'deviceGroup.unknown',
    '/device_group_id',
  ],
] as const;

describe('campaign.create: a campaign', () => {
  it.each(E_CASES)('%s: is not created with %s', (_, __, input, code, path) => {
    const bench = ready(2);
    bench.upload('plain.bin', someImage(10));
    expect(create(bench, input)).toMatchObject({ ok: false, failure: { code, path } });
    expect(list(bench)).toEqual([]);
  });

  it('is answered with its id and the stage INITIALIZING, which lasts one second', () => {
    const bench = ready(2);
    const answer = create(bench);
    const status = { stage: 0, stage_str: 'INITIALIZING' };
    expect(answer).toMatchObject({ ok: true, value: status });
    expect(answer.ok && answer.value.campaign_id).toMatch(/^[0-9a-f-]{36}$/);
    bench.runUntil(0.999 * S);
    expect(list(bench)).toMatchObject([status]);
    bench.runUntil(1.01 * S);
    expect(list(bench)).toMatchObject([{ stage_str: 'SETTING_UP_DEVICES' }]);
  });

  it('waits for its scheduled start, and takes the group as it is then', () => {
    const bench = ready(2);
    expect(create(bench, { scheduled_start_at: instantIn(bench, 3600) }).ok).toBe(true);
    bench.runUntil(5 * S);
    expect(list(bench)).toMatchObject([{ stage: 1, stage_str: 'WAITING_FOR_START' }]);
    const [late] = bench.add(1);
    const { device_group_id } = full(bench);
    const add = { device_group_id, devices: [late!] };
    bench.execute({ kind: 'deviceGroup.addDevices', by: 'default', ...add });
    bench.runUntil(3599 * S);
    expect(list(bench)).toMatchObject([{ stage: 1, num_devices_in_progress: 2 }]);
    bench.runUntil(3601 * S);
    expect(list(bench)).toMatchObject([{ stage: 3, num_devices_in_progress: 3 }]);
    expect(bench.finish()).toMatchObject({ success: 3 });
  });

  it('begins when another that has its devices is over, and says so until then', () => {
    const bench = ready(2);
    create(bench);
    create(bench, { name: 'autumn', expected_version: '1.2.3' });
    bench.runUntil(60 * S);
    expect(list(bench)).toMatchObject([
      { stage_str: 'SETTING_UP_DEVICES', status: '' },
      {
        stage_str: 'WAITING_FOR_START',
        status: 'waits for campaign spring, which has 2 of its devices',
      },
    ]);
    bench.execute({ kind: 'campaign.halt', by: 'default', campaign_id: idOf(bench) });
    go(bench, 1);
    expect(list(bench)).toMatchObject([
      { stage_str: 'HALTED' },
      { stage_str: 'SETTING_UP_DEVICES', status: '' },
    ]);
    for (let i = 0; i < 1000 && list(bench)[1]!.stage !== 7; i++) go(bench, 60);
    expect(list(bench)[1]).toMatchObject({ stage: 7, num_devices_success: 2 });
  });

  it.each([0.5, 3600])(
    'has the group of its scheduled start, %d s ahead, also when it is held up then',
    (aheadS) => {
      const bench = ready(2);
      create(bench, { multicast_setup_time: 86_400 });
      const scheduled_start_at = instantIn(bench, aheadS);
      create(bench, { name: 'autumn', expected_version: '1.2.3', scheduled_start_at });
      const device_group_id = bench.groupId;
      const add = () => {
        const added = { device_group_id, devices: bench.add(1) };
        bench.execute({ kind: 'deviceGroup.addDevices', by: 'default', ...added });
      };
      add();
      bench.runUntil((aheadS + 5) * S);
      expect(list(bench)[1]).toMatchObject({ stage: 1, num_devices_in_progress: 3 });
      add();
      bench.execute({ kind: 'campaign.halt', by: 'default', campaign_id: idOf(bench) });
      go(bench, 5);
      expect(list(bench)[1]).toMatchObject({ stage: 3, num_devices_in_progress: 3 });
    },
  );

  it('runs beside others on other devices and the same gateways', () => {
    const bench = ready(2);
    const others = bench.add(2);
    create(bench);
    bench.group({ name: 'others', devices: others });
    create(bench, { name: 'autumn' });
    bench.runUntil(60 * S);
    expect(list(bench).map(({ stage }) => stage)).toEqual([3, 3]);
    for (let i = 0; i < 1000 && list(bench).some(({ stage }) => stage !== 7); i++) go(bench, 60);
    expect(list(bench)).toMatchObject([{ num_devices_success: 2 }, { num_devices_success: 2 }]);
    const opened = bench.log.flatMap(({ request }) =>
      request.kind === 'multicast.open' ? [request.group.mcAddr] : [],
    );
    expect(new Set(opened).size).toBe(2);
  });

  it('does not take the group address of another that is not over', () => {
    const bench = ready(2);
    create(bench, { mcast_devaddr: '01FE0001' });
    const answer = create(bench, { name: 'autumn', mcast_devaddr: '01fe0001' });
    expect(answer).toMatchObject({ failure: { code: 'campaign.address-in-use' } });
    bench.finish();
    expect(create(bench, { name: 'autumn', mcast_devaddr: '01fe0001' }).ok).toBe(true);
  });
});

describe('campaign.list, bulkStatus, get and shortStatus: campaigns', () => {
  it('are listed with twelve fields', () => {
    const bench = ready(2);
    create(bench);
    expect(Object.keys(list(bench)[0]!).sort()).toEqual(SUMMARY_FIELDS);
    expect(list(bench)).toMatchObject([
      { name: 'spring', created_at: '2025-12-17T09:46:22Z', scheduled_start_at: null },
    ]);
  });

  it('are reported in part while they initialize, in short and in full after that', () => {
    const bench = ready(2);
    create(bench);
    const partial = {
      campaign_id: list(bench)[0]!.campaign_id,
      stage: 0,
      stage_str: 'INITIALIZING',
    };
    const short = () =>
      bench.platform.ask(
        { kind: 'campaign.shortStatus', by: 'default', campaign_id: idOf(bench) },
        bench.nowUs,
      );
    const inPart = { ok: true, value: partial, meanwhile: true };
    expect(reported(bench)).toEqual(inPart);
    expect(short()).toEqual(inPart);
    bench.finish();
    expect(short()).toMatchObject({
      value: {
        stage: 7,
        devices: {
          [FIRST]: { stage: 7, stage_str: 'FINISHED', attempts: 1, failure_reason: null },
        },
      },
    });
    const { devices, multicast_sessions, gateways, fragments, ...rest } = full(bench);
    expect(rest).toMatchObject({
      expected_version: '01020300........',
      redundancy: 0.3,
      mcast_dr: 5,
      mcast_freq: 869.525,
      min_timeout_delay: 60,
      warnings: [],
    });
    expect(multicast_sessions).toMatchObject([{ lora_class: 'C', mcast_dr: 5, timeout: 64 }]);
    expect(gateways).toEqual([
      { gateway_id: GATEWAY, name: 'gateway 1', reason: 'members served: 2' },
    ]);
    expect(fragments).toMatchObject({ nb_frag: 5, frag_size: 239, redundancy: 2, unsent: 0 });
    expect(devices[FIRST]).toMatchObject({
      fragments_received: 5,
      fragments_missing: 0,
      final_version: '0102030000000007',
      steps: { clock_sync: { passed_at: expect.stringMatching(/Z$/), commands: 1 } },
    });
    expect(devices[FIRST]).not.toHaveProperty('debug');
    expect(devices[FIRST]).not.toHaveProperty('troubleshooting');
  });

  it('report debug lines and diagnoses only when asked for', () => {
    const bench = ready(1);
    create(bench, { is_debug: true, is_troubleshooting: true });
    bench.finish();
    const { debug, troubleshooting } = full(bench).devices[FIRST]!;
    expect(debug!.slice(0, 2)).toMatchObject([
      { what: 'sent', command: 'ForceDeviceResyncReq' },
      { what: 'answered', command: 'AppTimeReq' },
    ]);
    expect(debug!.map(({ command }) => command)).toContain('FragSessionStatusAns');
    expect(troubleshooting).toBeNull();
  });

  it('are reported in bulk by id, unknown ones left out', () => {
    const bench = ready(2);
    create(bench);
    bench.finish();
    const { campaign_id } = list(bench)[0]!;
    const campaign_ids = [campaign_id.toUpperCase(), 'nobody'];
    const answer = bench.platform.ask(
      { kind: 'campaign.bulkStatus', by: 'default', campaign_ids },
      bench.nowUs,
    );
    expect(answer).toEqual({ ok: true, value: { [campaign_id]: [7, 2, 2] } });
  });

  it('unknownId: are unknown by another id', () => {
    const bench = ready(1);
    expect(reported(bench, 'nobody')).toMatchObject({ failure: { code: 'campaign.unknown' } });
  });

  it('warn of a number of fragments that the code serves badly, and name a good size', () => {
    const bench = ready(1, () => ({}), { imageBytes: 48 * 192 });
    create(bench, { frag_size: 48, frag_send_delay: 1 });
    bench.runUntil(5 * S);
    expect(full(bench).warnings).toEqual([
      'NbFrag 192 is served badly by the code: pairs of fragments are too similar. ' +
        'The nearest good FragSize is 47 bytes.',
    ]);
  });

  it.each([
    { deviceClass: 'C', frag_size: 60, retransmit: 100, isWarned: true },
    { deviceClass: 'C', frag_size: 48, retransmit: 100, isWarned: false },
    { deviceClass: 'C', frag_size: 60, retransmit: 0, isWarned: false },
    { deviceClass: 'A', frag_size: 60, retransmit: 100, isWarned: false },
  ] as const)('warn of fragments too long to be sent again: %o', (one) => {
    const { deviceClass, frag_size, retransmit, isWarned } = one;
    const bench = ready(1, () => ({ deviceClass }));
    const created = create(bench, {
      frag_size,
      individual_fragment_retransmit: retransmit,
      scheduled_start_at: formatInstant(bench.view.unixMs(bench.nowUs + 15 * S)),
    });
    const warning =
      'Fragments of 60 bytes do not fit RX2, where DR0 carries 48: ' +
      'individual_fragment_retransmit ' +
      'has no effect on class C devices. Use a frag_size of 48 bytes or less, or more redundancy.';
    const warnings = isWarned ? [warning] : [];
    // When it is created, while it waits, and with its plan.
    expect({ warnings: [], ...got(created) }).toMatchObject({ warnings });
    bench.runUntil(bench.nowUs + 5 * S);
    expect(full(bench)).toMatchObject({ stage_str: 'WAITING_FOR_START', warnings });
    bench.runUntil(bench.nowUs + 20 * S);
    expect(full(bench)).toMatchObject({ fragments: { frag_size }, warnings });
  });
});

describe('campaign.halt: a halt', () => {
  it('is refused when nothing runs', () => {
    const bench = ready(1);
    create(bench);
    bench.finish();
    const answer = bench.try({ kind: 'campaign.halt', by: 'default', campaign_id: idOf(bench) });
    expect(answer).toMatchObject({ failure: { code: 'campaign.not-running' } });
  });

  it('keeps what was reached, also before the scheduled start', () => {
    const bench = ready(2);
    create(bench, { scheduled_start_at: instantIn(bench, 600) });
    bench.runUntil(100 * S);
    bench.execute({ kind: 'campaign.halt', by: 'default', campaign_id: idOf(bench) });
    bench.runUntil(1000 * S);
    expect(list(bench)).toMatchObject([{ stage: 8, num_devices_fail: 2 }]);
    expect(full(bench).devices[FIRST]).toMatchObject({ stage: 8, failure_reason: 'halted' });
  });
});

describe('campaign.restart: a restart', () => {
  function failed(changes: Partial<CampaignInput> = {}) {
    const mended = { now: false };
    const bench = ready(3, (i) => (i === 0 ? deaf(mended) : {}));
    create(bench, { redundancy: 0.4, ...changes });
    bench.finish();
    return { bench, mended };
  }

  it('tries failed devices alone; those updated keep their state', () => {
    const { bench, mended } = failed();
    expect(list(bench)).toMatchObject([{ num_devices_success: 2, num_devices_fail: 1 }]);
    mended.now = true;
    const before = bench.log.length;
    expect(restart(bench)).toMatchObject({ ok: true, value: { stage: 0 } });
    bench.finish();
    expect(list(bench)).toMatchObject([{ num_devices_success: 3, num_devices_fail: 0 }]);
    const spokenTo = bench.log
      .slice(before)
      .flatMap(({ request }) => (request.kind === 'downlink' ? [request.devEui] : []));
    expect([...new Set(spokenTo)]).toEqual([FIRST]);
    expect(full(bench).devices[FIRST]).toMatchObject({ attempts: 2, failure_reason: null });
  });

  it('is refused while the campaign runs and when nobody failed', () => {
    const bench = ready(1);
    create(bench);
    bench.runUntil(10 * S);
    expect(restart(bench)).toMatchObject({ failure: { code: 'campaign.nothing-to-restart' } });
    bench.finish();
    expect(restart(bench)).toMatchObject({ failure: { code: 'campaign.nothing-to-restart' } });
  });

  it.each([
    ['startNotAhead', { scheduled_start_at: '2020-01-01T00:00:00Z' }, 'campaign.start'],
    ['badRedundancy', { redundancy: 2 }, 'campaign.invalid'],
    [
      'tooManyGateways',
      { gateways: Array.from({ length: 11 }, () => GATEWAY) },
      'deviceGroup.too-many-gateways',
    ],
    ['unknownId', { gateways: ['0000000000000000'] }, 'deviceGroup.unknown-gateway'],
  ] as const)('%s: is refused with %o', (_, changes, code) => {
    const { bench } = failed();
    expect(restart(bench, changes)).toMatchObject({ failure: { code } });
    expect(list(bench)).toMatchObject([{ stage: 7 }]);
  });

  it('keeps redundancy and retries when omitted or null, and changes them when given', () => {
    const { bench } = failed({ automatic_retry_interval: 60 });
    const settings = () => {
      go(bench, 5);
      const { redundancy, automatic_retry_count } = full(bench);
      bench.finish(6);
      return [redundancy, automatic_retry_count];
    };
    restart(bench, { redundancy: null, automatic_retry_count: null });
    expect(settings()).toEqual([0.4, 0]);
    restart(bench, { redundancy: 0.8, automatic_retry_count: 1 });
    expect(settings()).toEqual([0.8, 1]);
    expect(full(bench).devices[FIRST]!.attempts).toBe(4);
    restart(bench, { redundancy: 0 });
    expect(settings()).toEqual([0, 1]);
  });

  it('keeps the set-up time when it is omitted; null and 0 are automatic', () => {
    const { bench } = failed({ multicast_setup_time: 5000 });
    const setUpTimes = (
      [
        {},
        { multicast_setup_time: 7000 },
        { multicast_setup_time: null },
        { multicast_setup_time: 6000 },
        { multicast_setup_time: 0 },
      ] as const
    ).map((changes) => {
      restart(bench, changes);
      go(bench, 5);
      const { multicast_setup_time } = full(bench);
      bench.finish();
      return multicast_setup_time;
    });
    expect(setUpTimes).toEqual([5000, 7000, 3720, 6000, 3720]);
  });

  it('starts at the time that is given, and asks its gateways or chooses them', () => {
    const { bench } = failed();
    restart(bench, {
      scheduled_start_at: instantIn(bench, 7200),
      gateways: [GATEWAY.toLowerCase()],
    });
    go(bench, 7000);
    expect(list(bench)).toMatchObject([{ stage: 1 }]);
    go(bench, 300);
    expect(full(bench)).toMatchObject({ stage: 3, gateways: [{ reason: 'listed' }] });
    bench.finish();
    restart(bench, { gateways: [] });
    go(bench, 5);
    expect(full(bench).gateways).toMatchObject([{ reason: 'members served: 1' }]);
  });
});

describe('campaign.restart: a restart after a start that found no plan', () => {
  it('retries all who took part, whatever became of the group since', () => {
    const bench = ready(2);
    create(bench, { scheduled_start_at: instantIn(bench, 60) });
    const levels = [...bench.devices.values()].map(({ script }) => script.levels);
    const heard = levels.map((level) => ({ ...level }));
    bench.execute({ kind: 'gateway.remove', by: 'default', eui: GATEWAY });
    for (const level of levels) delete level[GATEWAY];
    go(bench, 100);
    expect(full(bench)).toMatchObject({ status: 'There is no gateway.', num_devices_fail: 2 });

    bench.execute({ kind: 'gateway.create', by: 'default', gateway: { eui: GATEWAY } });
    levels.forEach((level, i) => void Object.assign(level, heard[i]));
    const { device_group_id } = full(bench);
    const group = { devices: [FIRST] };
    bench.execute({ kind: 'deviceGroup.update', by: 'default', device_group_id, group });
    restart(bench, { scheduled_start_at: instantIn(bench, 600) });
    go(bench, 700);
    expect(full(bench)).toMatchObject({ num_devices_in_progress: 2 });
    const fates = [...bench.devices.keys()].map((devEui) =>
      bench.platform.resources.campaign.fate(devEui),
    );
    expect(fates).toEqual([2, 2]);
    expect(bench.finish()).toMatchObject({ success: 2 });
  });
});

describe('campaign.delete: a deletion', () => {
  const STAGES_AT = [0.5, 100, 3800, 4200, 100_000];

  it.each(STAGES_AT)('after %d s stops the campaign and removes it a second later', (seconds) => {
    const bench = ready(2);
    create(bench, { frag_size: 50, multicast_setup_time: 3700, frag_send_delay: 10 });
    bench.runUntil(seconds * S);
    const { campaign_id } = list(bench)[0]!;
    bench.execute({ kind: 'campaign.delete', by: 'default', campaign_id });
    expect(list(bench)).toMatchObject([{ status: 'is being deleted' }]);
    bench.execute({ kind: 'campaign.delete', by: 'default', campaign_id });
    const before = bench.log.length;
    go(bench, 1.1);
    expect(list(bench)).toEqual([]);
    expect(reported(bench, campaign_id)).toMatchObject({ failure: { code: 'campaign.unknown' } });
    expect(bench.platform.ask({ kind: 'history.all', by: 'default' }, bench.nowUs)).toEqual({
      ok: true,
      value: {},
    });
    expect(bench.platform.resources.campaign.fate(FIRST)).toBe(0);
    go(bench, 86_400);
    expect(bench.log.length).toBe(before);
    expect(create(bench).ok).toBe(true);
  });

  it('leaves what other campaigns wrote into the history', () => {
    const bench = ready(1);
    create(bench);
    bench.finish();
    create(bench, { name: 'autumn' });
    for (let i = 0; i < 1000 && list(bench)[1]!.stage !== 7; i++) go(bench, 60);
    bench.execute({ kind: 'campaign.delete', by: 'default', campaign_id: idOf(bench) });
    go(bench, 2);
    const history = bench.platform.ask(
      { kind: 'history.get', by: 'default', deveui: FIRST },
      bench.nowUs,
    );
    const { campaign_id } = list(bench)[0]!;
    expect(history).toMatchObject({ value: [{ campaign_id, status: 'success' }] });
  });
});
