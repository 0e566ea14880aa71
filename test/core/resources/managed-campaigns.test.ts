/** Managed campaigns (firmware update service). */
import { describe, expect, it } from 'vitest';
import { STAGES } from '../../../core/update-service/managed-campaigns/stages.ts';
import { Bench, S } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { DAY_S, IMAGE, Manager, NEW, OLD } from './managed-notation.ts';
import { NORTH, SOUTH } from './service.ts';

const HALF_PAST_THREE = 3.5 * 3600;

function manager(): Manager {
  return new Manager(new Bench({ gateways: [NORTH, SOUTH] }), 'default', NORTH);
}

/** With devices, at the moment of the first session. */
function atSession(count: number, input = {}) {
  const us = manager();
  const devices = us.fleet(count);
  const id = us.createNew({ preferred_start_time_utc: '03:30', name: 'spring', ...input });
  us.goTo(HALF_PAST_THREE);
  return { us, devices, id };
}

describe('a managed campaign', () => {
  it('managedCampaign.create: is answered with all its fields, and takes the defaults of the document', () => {
    const us = manager();
    const [devEui] = us.fleet(1) as [string];
    const created = us.create();
    const midnight = `${us.in(DAY_S).slice(0, 10)}T00:00:00Z`;
    expect(created).toEqual({
      managed_campaign_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      name: `managed ${IMAGE}`,
      include_versions: ['010.............'],
      exclude_versions: [],
      image_name: IMAGE,
      expected_version: '01020300........',
      preferred_start_time_utc: '00:00',
      stop_when_no_match: false,
      run_until: us.in(7 * DAY_S),
      gateways: [NORTH],
      whole_subscriber: false,
      next_update_session_time: midnight,
      scheduled_devices: { [devEui]: { version_hex: OLD, reported_at: us.nowText } },
      updated_devices: {},
      stage: 0,
      stage_str: 'INITIALIZING',
      started_at: us.nowText,
    });
    expect(us.managed(created.managed_campaign_id)).toEqual(created);
  });

  it('managedCampaign.list: is listed in the order of creation, without its devices', () => {
    const us = manager();
    const all = [us.create(), us.create({ name: 'other' }), us.create()];
    const reports = all.map(({ scheduled_devices: _, updated_devices: __, ...summary }) => summary);
    expect(us.ask({ kind: 'managedCampaign.list' })).toEqual(reports);
  });

  it.each([
    ['malformedField', 'managedCampaign.version', { include_versions: [] }],
    ['wholeSubscriber', 'managedCampaign.whole-subscriber', { whole_subscriber: true }],
    ['oneGateway', 'managedCampaign.gateways', { gateways: [] }],
    ['oneGateway', 'managedCampaign.gateways', { gateways: [NORTH, SOUTH] }],
    ['unknownInBody', 'deviceGroup.unknown-gateway', { gateways: ['AA000000000000FF'] }],
    ['unknownInBody', 'image.unknown', { image_name: 'other-1.0.0.bin' }],
    ['badStartTime', 'managedCampaign.start-time', { preferred_start_time_utc: '24:00' }],
    ['badStartTime', 'managedCampaign.start-time', { preferred_start_time_utc: '3:30' }],
    ['badPattern', 'managedCampaign.version', { include_versions: ['01'] }],
    ['badPattern', 'managedCampaign.version', { exclude_versions: ['g'.repeat(16)] }],
    ['badPattern', 'managedCampaign.version', { expected_version: '1.2.3' }],
    ['malformedField', 'managedCampaign.run-until', { run_until: '2015-01-01T00:00:00Z' }],
    ['malformedField', 'managedCampaign.name', { name: 'x'.repeat(231) }],
  ])(
    'managedCampaign.create, malformedField, wholeSubscriber, oneGateway, unknownInBody, badStartTime, badPattern: is refused by %s with %s',
    (_, code, wrong) => {
      const us = manager();
      const managedCampaign = us.input(wrong);
      expect(us.refused({ kind: 'managedCampaign.create', managedCampaign })).toBe(code);
      expect(us.ask({ kind: 'managedCampaign.list' })).toEqual([]);
    },
  );

  it('managedCampaign.create: needs a version in the image’s name, or one that is given', () => {
    const us = manager();
    us.upload('app.bin');
    const managedCampaign = us.input({ image_name: 'app.bin' });
    const create = { kind: 'managedCampaign.create', managedCampaign } as const;
    expect(us.refused(create)).toBe('managedCampaign.version');
    const given = us.create({ image_name: 'app.bin', expected_version: 'ab..............' });
    expect(given.expected_version).toBe('AB..............');
  });

  it('managedCampaign.create: null is as absence, and seconds of the time of day are cut off', () => {
    const us = manager();
    const nulls = {
      name: null,
      exclude_versions: null,
      expected_version: null,
      preferred_start_time_utc: null,
      run_until: null,
    };
    const { managed_campaign_id: _, ...plain } = us.create();
    const { managed_campaign_id: __, ...same } = us.create(nulls);
    expect(same).toEqual(plain);
    const created = us.create({ preferred_start_time_utc: '23:59:59.9' });
    expect(created.preferred_start_time_utc).toBe('23:59');
  });

  it('gathers after a second, and cannot be set up where its gateway is gone by then', () => {
    const us = manager();
    const [one, other] = [us.createNew(), us.createNew({ gateways: [SOUTH] })];
    us.do({ kind: 'gateway.remove', eui: SOUTH });
    us.bench.runUntil(1 * S - 1);
    expect([us.stage(one), us.stage(other)]).toEqual(['INITIALIZING', 'INITIALIZING']);
    us.bench.runUntil(1 * S);
    expect([us.stage(one), us.stage(other)]).toEqual(['GATHERING_DEVICES', 'ERROR_SETTING_UP']);
    expect(us.managed(other)).toMatchObject({ stage: 9, next_update_session_time: null });
  });

  it('managedCampaign.get: lists the updated devices, by a child for each class, at the time of day', () => {
    const us = manager();
    const devices = us.fleet(4, (i) => ({ deviceClass: i === 3 ? 'C' : 'A' }));
    const id = us.createNew({ preferred_start_time_utc: '03:30:59', name: 'spring' });
    us.goTo(HALF_PAST_THREE - 1);
    expect([us.stage(id), us.campaigns]).toEqual(['GATHERING_DEVICES', []]);
    us.go(1);
    const day = us.nowText.slice(0, 10);
    expect(us.campaigns).toEqual([`spring ${day} A`, `spring ${day} C`]);
    expect(us.managed(id).scheduled_devices).toEqual({});
    us.go(DAY_S - 60);
    const { updated_devices, stage_str } = us.managed(id);
    expect(stage_str).toBe('GATHERING_DEVICES');
    expect(Object.keys(updated_devices)).toEqual(devices);
    for (const each of Object.values(updated_devices)) expect(each.version_hex).toMatch(/^010203/);
  });

  it('has the numbers of the document for its stages', () => {
    expect(STAGES).toEqual({
      INITIALIZING: 0,
      GATHERING_DEVICES: 1,
      RUNNING_LAST_CAMPAIGN: 3,
      FINISHED: 7,
      CLEANED: 8,
      ERROR_SETTING_UP: 9,
    });
  });
});

describe('a device is scheduled', () => {
  const scheduled = (us: Manager, id: string) => Object.keys(us.managed(id).scheduled_devices);

  it('badPattern: by the patterns of its version; excluded ones come first', () => {
    const us = manager();
    const [a, b, c] = us.fleet(3) as [string, string, string];
    us.report(b, '01FF000000000002');
    us.report(c, '0200000000000001');
    const exclude_versions = ['01.............2'];
    const some = us.createNew({ include_versions: ['01..............'], exclude_versions });
    expect(scheduled(us, some)).toEqual([a]);
    expect(scheduled(us, us.createNew({ include_versions: ['................'] }))).toEqual([
      a,
      b,
      c,
    ]);
  });

  it('unless it runs the expected version already', () => {
    const us = manager();
    const [a, b] = us.fleet(2) as [string, string];
    const id = us.createNew();
    us.report(b, NEW);
    expect(scheduled(us, id)).toEqual([a]);
    us.report(b, OLD);
    expect(scheduled(us, id)).toEqual([a, b]);
  });

  it('if the gateway hears it, is in service and is its owner’s', () => {
    const us = manager();
    const [a] = us.fleet(1) as [string];
    us.fleet(1, () => ({ levels: { [SOUTH]: -90 } }));
    const id = us.createNew();
    us.go(10);
    expect(scheduled(us, id)).toEqual([a]);
    us.do({ kind: 'gateway.remove', eui: NORTH });
    expect([us.stage(id), scheduled(us, id)]).toEqual(['GATHERING_DEVICES', []]);
    // It is watched again once it is back.
    us.do({ kind: 'gateway.create', gateway: { eui: NORTH, name: 'again' } });
    expect(scheduled(us, id)).toEqual([a]);
  });

  it('noKeyNoSchedule: if its multicast key is known', () => {
    const us = manager();
    const [, b] = us.fleet(2, (i) => ({ rootKeyKnown: i === 1 })) as [string, string];
    const [c] = us.fleet(1, () => ({ rootKeyKnown: false })) as [string];
    const id = us.createNew();
    expect(scheduled(us, id)).toEqual([b]);
    us.do({ kind: 'key.generate', keygen_type: 'vendor', devices: [c] });
    expect(scheduled(us, id)).toEqual([b, c]);
  });

  it('while sessions are to come', () => {
    const us = manager();
    us.fleet(1);
    const id = us.createNew({ run_until: us.in(5) });
    expect(us.managed(id).next_update_session_time).toBeNull();
    expect(scheduled(us, id)).toEqual([]);
  });

  it('of one subscriber alone', () => {
    const us = manager();
    const bob = new Manager(us.bench, 'bob', SOUTH);
    us.bench.platform.onPlanned({ devices: [], gateways: [[SOUTH, 'bob']] });
    const levels = { [NORTH]: -90, [SOUTH]: -90 };
    const [mine] = us.fleet(1, () => ({ levels })) as [string];
    const [his] = bob.fleet(1, () => ({ levels })) as [string];
    expect(scheduled(us, us.createNew())).toEqual([mine]);
    expect(scheduled(bob, bob.createNew())).toEqual([his]);
  });
});

describe('a managed campaign ends', () => {
  it('when nothing is new and it is to stop then, at once if no child runs', () => {
    const us = manager();
    const id = us.createNew({ stop_when_no_match: true, preferred_start_time_utc: '03:30' });
    us.goTo(HALF_PAST_THREE);
    // No child ever ran: there is nothing to wait for.
    expect(us.stage(id)).toBe('CLEANED');
    expect(us.managed(id).next_update_session_time).toBeNull();
  });

  it('with its last child, if one runs then', () => {
    const us = manager();
    // Their uplinks come so seldom that the set-up takes days.
    us.fleet(2, () => ({ uplinkEveryS: 20 * 3600 }));
    const id = us.createNew({ stop_when_no_match: true, preferred_start_time_utc: '03:30' });
    us.goTo(HALF_PAST_THREE);
    expect(us.campaigns).toHaveLength(1);
    us.go(DAY_S);
    expect(us.stage(id)).toBe('RUNNING_LAST_CAMPAIGN');
    us.go(6 * DAY_S);
    expect(us.campaigns).toHaveLength(1);
    expect(us.stage(id)).toBe('FINISHED');
  });

  it('when run_until is past, at which a last session may be', () => {
    const us = manager();
    us.fleet(1);
    us.goTo(HALF_PAST_THREE);
    const id = us.createNew({ preferred_start_time_utc: '03:30', run_until: us.in(DAY_S) });
    us.go(DAY_S - 1);
    expect([us.stage(id), us.campaigns.length]).toEqual(['GATHERING_DEVICES', 0]);
    us.go(1);
    expect([us.stage(id), us.campaigns.length]).toEqual(['RUNNING_LAST_CAMPAIGN', 1]);
  });

  it('managedCampaign.halt: when it is halted, with its children; later halts do nothing', () => {
    const { us, id } = atSession(2);
    const [name] = us.campaigns as [string];
    us.go(600);
    us.halt(id);
    expect(us.campaign(name).stage_str).toBe('HALTED');
    expect(us.stage(id)).toBe('FINISHED');
    const before = us.managed(id);
    us.halt(id);
    expect(us.managed(id)).toEqual(before);
    us.go(DAY_S);
    expect(us.campaigns).toEqual([name]);
  });

  it('managedCampaign.delete, notFinished: and is deleted from then on, without its children', () => {
    const { us, id } = atSession(1);
    const one = { managed_campaign_id: id } as const;
    const remove = { kind: 'managedCampaign.delete', ...one } as const;
    expect(us.refused(remove)).toBe('managedCampaign.not-finished');
    us.halt(id);
    us.do(remove);
    expect(us.ask({ kind: 'managedCampaign.list' })).toEqual([]);
    expect(us.refusedQuery({ kind: 'managedCampaign.get', ...one })).toBe(
      'managedCampaign.unknown',
    );
    us.go(30 * DAY_S);
    expect(us.campaigns).toHaveLength(1);
  });

  it('seven days after its last child: children, groups and history go', () => {
    const { us, devices, id } = atSession(1, { run_until: undefined });
    us.go(60);
    us.halt(id);
    us.go(7 * DAY_S - 1);
    expect([us.stage(id), us.campaigns.length]).toEqual(['FINISHED', 1]);
    us.go(10);
    expect([us.stage(id), us.campaigns]).toEqual(['CLEANED', []]);
    expect(us.ask({ kind: 'deviceGroup.list' })).toEqual([]);
    expect(us.ask({ kind: 'history.get', deveui: devices[0]! })).toEqual([]);
  });

  it('later if somebody has restarted a child, or deleted one before', () => {
    const { us, id } = atSession(2);
    us.go(60);
    us.halt(id);
    us.go(7 * DAY_S - 60);
    const { campaign_id } = us.ask({ kind: 'campaign.list' })[0]!;
    us.do({ kind: 'campaign.restart', campaign_id, changes: {} });
    us.go(120);
    // It runs at the instant at which it was to be deleted.
    expect(us.campaign(us.campaigns[0]!).stage_str).toBe('SETTING_UP_DEVICES');
    us.go(2 * DAY_S);
    expect(us.campaign(us.campaigns[0]!).stage_str).toBe('FINISHED');
    expect([us.stage(id), Object.keys(us.managed(id).updated_devices).length]).toEqual([
      'FINISHED',
      2,
    ]);
    us.do({ kind: 'campaign.delete', campaign_id });
    us.go(7 * DAY_S);
    expect([us.stage(id), us.ask({ kind: 'deviceGroup.list' })]).toEqual(['CLEANED', []]);
  });

  it('seven days after a child that somebody has restarted, and not before', () => {
    const { us, id } = atSession(2);
    us.go(60);
    us.halt(id);
    us.go(3 * DAY_S);
    const { campaign_id } = us.ask({ kind: 'campaign.list' })[0]!;
    us.do({ kind: 'campaign.restart', campaign_id, changes: {} });
    us.go(DAY_S);
    expect(us.campaign(us.campaigns[0]!).stage_str).toBe('FINISHED');
    us.go(4 * DAY_S);
    expect([us.stage(id), us.campaigns.length]).toEqual(['FINISHED', 1]);
    us.go(3 * DAY_S);
    expect([us.stage(id), us.campaigns]).toEqual(['CLEANED', []]);
  });

  it('campaignInUse: and uses its image until it is complete', () => {
    const us = manager();
    const id = us.createNew();
    const remove = { kind: 'image.delete', name: IMAGE } as const;
    expect(us.refused(remove)).toBe('image.in-use');
    us.halt(id);
    expect(us.stage(id)).toBe('CLEANED');
    us.do(remove);
  });
});

describe('problematic devices', () => {
  /** Devices that hear no fragment until they are mended. */
  function deafFleet(count: number) {
    const us = manager();
    const deaf = { now: true };
    const devices = us.fleet(count, () => ({ losesFragment: () => deaf.now }));
    const id = us.createNew({ preferred_start_time_utc: '03:30', run_until: us.in(60 * DAY_S) });
    us.goTo(HALF_PAST_THREE);
    us.go(DAY_S - 1);
    return { us, deaf, devices, id };
  }

  it('managedCampaign.problematicDevices: failed in two children, and are left out', () => {
    const { us, devices, id } = deafFleet(2);
    expect(us.problematic(id)).toEqual({});
    us.go(DAY_S);
    const [first] = devices as [string];
    const history = us.ask({ kind: 'history.get', deveui: first });
    expect(us.problematic(id)).toEqual(
      Object.fromEntries(
        devices.map((devEui) => [
          devEui,
          {
            failed_campaigns: 2,
            last_reason: history[1]!.reason,
            last_failed_at: expect.any(String),
          },
        ]),
      ),
    );
    expect(us.problematic(id)[first]!.last_failed_at).toBe(history[1]!.entry_date);
    us.go(3 * DAY_S);
    expect(us.campaigns).toHaveLength(2);
  });

  it('managedCampaign.clearProblematicDevices: are tried again once they are cleared, in any stage', () => {
    const { us, deaf, devices, id } = deafFleet(1);
    us.go(DAY_S);
    us.clear(id);
    expect(us.problematic(id)).toEqual({});
    deaf.now = false;
    us.go(DAY_S);
    expect(us.campaigns).toHaveLength(3);
    expect(Object.keys(us.managed(id).updated_devices)).toEqual(devices);
    us.halt(id);
    us.clear(id);
  });

  it('have failed once in a child that is restarted and fails again', () => {
    const { us, id } = deafFleet(1);
    const { campaign_id } = us.ask({ kind: 'campaign.list' })[0]!;
    us.do({ kind: 'campaign.restart', campaign_id, changes: {} });
    us.go(DAY_S / 2);
    expect([us.campaigns.length, us.problematic(id)]).toEqual([1, {}]);
    us.go(DAY_S);
    expect(us.campaigns).toHaveLength(2);
    expect(Object.values(us.problematic(id)).map((each) => each.failed_campaigns)).toEqual([2]);
  });

  it('have not failed in a child that is restarted and then updates them', () => {
    const { us, deaf, devices, id } = deafFleet(1);
    us.go(DAY_S);
    expect(Object.keys(us.problematic(id))).toEqual(devices);
    deaf.now = false;
    const { campaign_id } = us.ask({ kind: 'campaign.list' })[0]!;
    us.do({ kind: 'campaign.restart', campaign_id, changes: {} });
    us.go(DAY_S / 2);
    expect(us.problematic(id)).toEqual({});
    expect(Object.keys(us.managed(id).updated_devices)).toEqual(devices);
  });

  it('are no more known of when they are removed', () => {
    const { us, devices, id } = deafFleet(2);
    us.go(DAY_S);
    us.bench.remove(devices[0]!);
    expect(Object.keys(us.problematic(id))).toEqual([devices[1]]);
  });
});

describe('two managed campaigns', () => {
  it('want the same devices: the second one’s child waits for the first one’s', () => {
    const us = manager();
    us.fleet(2);
    const both = ['a', 'b'].map((name) =>
      us.createNew({ name, preferred_start_time_utc: '03:30' }),
    );
    us.goTo(HALF_PAST_THREE);
    us.go(10);
    const stages = us.campaigns.map((name) => us.campaign(name).stage_str);
    expect(stages).toEqual(['SETTING_UP_DEVICES', 'WAITING_FOR_START']);
    us.go(2 * DAY_S);
    for (const id of both) expect(Object.keys(us.managed(id).updated_devices)).toHaveLength(2);
  });

  it('keep a device that is set back to an old version: it is new again', () => {
    const { us, devices, id } = atSession(1);
    us.go(DAY_S / 2);
    const [devEui] = devices as [string];
    const { updated_devices } = us.managed(id);
    expect(Object.keys(updated_devices)).toEqual([devEui]);
    us.report(devEui, OLD);
    us.goTo(HALF_PAST_THREE);
    expect(us.campaigns).toHaveLength(2);
    expect(us.managed(id).updated_devices).toEqual(updated_devices);
  });
});

describe('a child that is refused', () => {
  it('leaves no group, and is tried again the next day', () => {
    const us = manager();
    us.upload('huge-1.2.3.bin', '00'.repeat(4_000_000));
    us.fleet(1);
    const id = us.createNew({ image_name: 'huge-1.2.3.bin', preferred_start_time_utc: '03:30' });
    us.goTo(HALF_PAST_THREE);
    us.go(DAY_S);
    expect([us.campaigns, us.ask({ kind: 'deviceGroup.list' })]).toEqual([[], []]);
    const [result] = us.bench.platform.resources.managedCampaign.results(() => undefined);
    expect(result!.sessions.map(({ refused }) => refused.length)).toEqual([1, 1]);
    expect(us.stage(id)).toBe('GATHERING_DEVICES');
  });
});

testIsolation(
  'managedCampaign',
  (ann) => {
    const us = new Manager(ann.bench, 'ann', NORTH);
    return us.create({ run_until: '2030-01-01T00:00:00Z' });
  },
  {
    'managedCampaign.create': () => ({
      managedCampaign: {
        include_versions: ['................'],
        image_name: IMAGE,
        gateways: [NORTH],
      },
    }),
    'managedCampaign.list': () => ({}),
    'managedCampaign.get': ({ managed_campaign_id }) => ({ managed_campaign_id }),
    'managedCampaign.delete': ({ managed_campaign_id }) => ({ managed_campaign_id }),
    'managedCampaign.halt': ({ managed_campaign_id }) => ({ managed_campaign_id }),
    'managedCampaign.problematicDevices': ({ managed_campaign_id }) => ({ managed_campaign_id }),
    'managedCampaign.clearProblematicDevices': ({ managed_campaign_id }) => ({
      managed_campaign_id,
    }),
  },
);
