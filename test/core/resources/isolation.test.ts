/** E58: every resource belongs to a subscriber and is visible only to it. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../core/resources.ts';
import { S } from '../bench.ts';
import { annsCampaign, IMAGE } from './isolation.ts';
import { annAndBob, NORTH, SOUTH, Subscriber } from './service.ts';

describe('every resource', () => {
  const tests = readdirSync(new URL('.', import.meta.url))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'));

  it.each(RESOURCES.map(({ name }) => name))(
    'foreignThing: has a test of its isolation: %s',
    (name) => {
      const held = tests.filter((text) => text.includes(`testIsolation(\n  '${name}',\n`));
      const short = tests.filter((text) => text.includes(`testIsolation('${name}', `));
      expect([...held, ...short]).toHaveLength(1);
    },
  );
});

describe('another subscriber', () => {
  it('foreignThing: cannot group or update devices that are not his', () => {
    const [ann, bob] = annAndBob();
    const [devEui] = ann.devices(1) as [string];
    const { device_group_id } = annsCampaign(ann, devEui);
    const group = { name: 'mine', devices: [devEui] };
    expect(bob.refused({ kind: 'deviceGroup.create', group })).toBe('deviceGroup.unknown-device');
    const campaign = { name: 'mine', image_name: IMAGE, device_group_id };
    expect(bob.refused({ kind: 'campaign.create', campaign })).toBe('image.unknown');
    bob.upload(IMAGE);
    expect(bob.refused({ kind: 'campaign.create', campaign })).toBe('deviceGroup.unknown');
  });

  it('foreignThing: cannot list a gateway that is not his', () => {
    const [ann, bob] = annAndBob();
    const [devEui] = bob.devices(1) as [string];
    const [gateway] = ann.bench.view.gateways();
    const group = { name: 'g', devices: [devEui], gateways: [gateway!.eui] };
    expect(bob.refused({ kind: 'deviceGroup.create', group })).toBe('deviceGroup.unknown-gateway');
    expect(ann.refused({ kind: 'deviceGroup.create', group })).toBe('deviceGroup.unknown-device');
  });

  it('sends through gateways of his own, however well another’s hears his devices', () => {
    const [ann, bob] = annAndBob();
    for (const who of [ann, bob]) {
      const [devEui] = who.devices(1, () => ({ levels: { [NORTH]: -60, [SOUTH]: -125 } }));
      annsCampaign(who, devEui!);
    }
    ann.bench.runUntil(60 * S);
    const planned = ann.bench.platform.resources.campaign
      .results()
      .map(({ gateways, dataRate }) => [gateways, dataRate]);
    // With 5 dB to spare, -60 dBm is enough for DR5 (-124.5 dBm), -125 dBm for DR2 (-132 dBm).
    expect(planned).toEqual([
      [[NORTH], 5],
      [[SOUTH], 2],
    ]);
  });

  it.each([1, 60, 600])('is not spoken to by Ann’s campaign with what was hers until %i s', (s) => {
    const [ann, bob] = annAndBob();
    const [stored, gone] = ann.devices(2) as [string, string];
    ann.upload(IMAGE, '01'.repeat(500));
    const group = { name: 'all', devices: [stored, gone] };
    const { device_group_id } = ann.do({ kind: 'deviceGroup.create', group });
    const campaign = { name: 'spring', image_name: IMAGE, device_group_id };
    ann.do({ kind: 'campaign.create', campaign });
    const { bench } = ann;
    bench.runUntil(s * S);
    bench.remove(gone);
    const count = bench.commandsTo(gone).length;
    expect(bob.devices(1)).toEqual([gone]);
    bench.finish();
    expect(bench.commandsTo(gone).length).toBe(count);
    expect(bench.commandsTo(stored).length).toBeGreaterThan(0);
    expect(ann.refusedQuery({ kind: 'deviceVersion.get', deveui: gone })).toMatch(/unknown/);
  });

  it('does not own a device of Ann; after its removal Ann does not either', () => {
    const [ann, bob] = annAndBob();
    const [devEui] = ann.devices(1) as [string];
    const { platform } = ann.bench;
    const nobody = new Subscriber(ann.bench, 'default');
    const ownersOf = () =>
      [ann, bob, nobody].filter((one) => one.tryAsk({ kind: 'device.get', devEui }).ok);
    expect(ownersOf()).toEqual([ann]);
    const device = ann.bench.device(devEui);
    ann.do({ kind: 'device.remove', devEui });
    expect(platform.save().owners.changed.devices).toEqual([[devEui, 'default']]);
    // What nobody owns is the default subscriber's.
    ann.bench.devices.set(devEui, device);
    expect(ownersOf()).toEqual([nobody]);
  });

  it('may use the names that Ann uses', () => {
    const [ann, bob] = annAndBob();
    annsCampaign(ann, ann.devices(1)[0]!);
    const [devEui] = bob.devices(1) as [string];
    bob.upload(IMAGE, '01'.repeat(500));
    const group = { name: 'all', devices: [devEui] };
    const { device_group_id } = bob.do({ kind: 'deviceGroup.create', group });
    const campaign = { name: 'spring', image_name: IMAGE, device_group_id };
    const { campaign_id } = bob.do({ kind: 'campaign.create', campaign });
    bob.do({ kind: 'campaign.halt', campaign_id });
    expect(bob.bench.platform.resources.campaign.results().map(({ stage }) => stage)).toEqual([
      'INITIALIZING',
      'HALTED',
    ]);
  });
});
