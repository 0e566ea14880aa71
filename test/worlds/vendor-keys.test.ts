/** Devices whose multicast keys the vendor derives, made and updated by commands alone. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { HOUR_US, MINUTE_US, networkOf } from '../support/small-network.ts';

const VENDOR = 'C0FFEE0000000001';
const OTHER = 'C0FFEE0000000002';
const IMAGE = 'app-1.2.3.bin';

/** What becomes of devices made at run time, when keys are generated for both. */
function updated(frames: 'real' | 'counted') {
  const type = { rootKeyKnown: false };
  const network = networkOf({
    frames,
    type,
    gatewaysAt: [100],
    traffic: { meanUs: 5 * MINUTE_US },
  });
  const dated = { ...network, startUnixMs: Date.UTC(2026, 2, 1) };
  const plan = {
    name: 'x',
    description: '',
    durationUs: 48 * HOUR_US,
    network: dated,
    timeline: [],
  };
  const world = World.create(plan, 'seed');
  const by = 'default';
  const submit = (command: object) => {
    const answer = world.submit({ by, ...command } as never) as unknown;
    expect(answer).toMatchObject({ ok: true });
    return (answer as { value: Record<string, string> }).value;
  };
  const place = { xMeters: 50, yMeters: 50 };
  submit({ kind: 'device.create', device: { devEui: VENDOR, ...place, keygenType: 'vendor' } });
  submit({ kind: 'device.create', device: { devEui: OTHER, ...place } });
  world.runUntil(HOUR_US);
  submit({ kind: 'image.create', name: IMAGE, bytes: new Uint8Array(500).fill(7), tags: [] });
  const group = submit({ kind: 'deviceGroup.create', group: { name: 'g', devices: [VENDOR] } });
  const { device_group_id } = group;
  submit({
    kind: 'deviceGroup.keygenAddDevices',
    device_group_id,
    keygen_type: 'vendor',
    devices: [VENDOR, OTHER],
  });
  const campaign = { name: 'c', image_name: IMAGE, device_group_id };
  const { campaign_id } = submit({ kind: 'campaign.create', campaign });
  world.runUntil(48 * HOUR_US);
  const answer = world.ask({ kind: 'campaign.get', by, campaign_id: campaign_id! });
  const { devices } = (answer as unknown as { value: { devices: object } }).value;
  return devices;
}

describe('a device that is made with keygenType vendor', () => {
  it.each(['real', 'counted'] as const)('is updated by its generated key: %s frames', (frames) => {
    expect(updated(frames)).toMatchObject({
      [VENDOR]: { stage_str: 'FINISHED', failure_reason: null },
      [OTHER]: { stage_str: 'FINISHED', failure_reason: 'session missed' },
    });
  });
});
