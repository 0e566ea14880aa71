/** Managed campaigns (firmware update service). */
import { describe, expect, it } from 'vitest';
import { Bench } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { DAY_S, IMAGE, Manager, OLD } from './managed-notation.ts';
import { NORTH, SOUTH } from './service.ts';

function manager(): Manager {
  return new Manager(new Bench({ gateways: [NORTH, SOUTH] }), 'default', NORTH);
}

describe('a managed campaign', () => {
  it('row 34: is answered with all its fields, and takes the defaults of the document', () => {
    const us = manager();
    const [devEui] = us.fleet(1) as [string];
    const made = us.create();
    const midnight = `${us.in(DAY_S).slice(0, 10)}T00:00:00Z`;
    expect(made).toEqual({
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
    expect(us.managed(made.managed_campaign_id)).toEqual(made);
  });

  it('updates devices by a child for each class, at the time of day', () => {
    const us = manager();
    const devices = us.fleet(4, (i) => ({ deviceClass: i === 3 ? 'C' : 'A' }));
    const id = us.made({ preferred_start_time_utc: '03:30:59', name: 'spring' });
    us.goTo(3.5 * 3600 - 1);
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
