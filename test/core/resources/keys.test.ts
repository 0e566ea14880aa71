/** Multicast keys of devices (firmware update service). */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vendorKey } from '../../../core/base/vendor-key.ts';
import { OPERATIONS, type PlatformQuery } from '../../../core/operations.ts';
import { toHex } from '../../../sim/base/bytes.ts';
import { someRuns } from '../../support/long.ts';
import { testIsolation } from './isolation.ts';
import { failureOf, Subscriber, service, viewOfAll } from './service.ts';

const A = 'D000000000000001';
const B = 'D000000000000002';
const KEY = '00112233445566778899AABBCCDDEEFF';

function bench() {
  const us = service();
  us.devices(2, (i) => ({ rootKeyKnown: i === 1 }));
  const view = viewOfAll(us.bench);
  const keys = us.bench.platform.resources.key;
  const by = (subscriber: string) => new Subscriber(us.bench, subscriber);
  const rootOf = (owner: string, devEui: string) => keys.rootOf(owner, devEui, view);
  return { by, rootOf };
}

describe('the root of a device’s multicast keys', () => {
  it('key.upload and uploadDeprecated: is what was uploaded for it, by DevEUI in any case', () => {
    const { by, rootOf } = bench();
    by('x').do({ kind: 'key.upload', keys: { [A.toLowerCase()]: KEY } });
    const root = rootOf('x', A);
    expect(root.kind === 'given' && toHex(root.key)).toBe(KEY.toLowerCase());
    expect(rootOf('y', A)).toEqual({ kind: 'none' });
  });

  it('key.upload: is the one of its DevEUI in the case that was given last', () => {
    const { by, rootOf } = bench();
    const other = 'ff'.repeat(16);
    by('x').do({ kind: 'key.upload', keys: { [A]: KEY, [A.toLowerCase()]: other } });
    const root = rootOf('x', A);
    expect(root.kind === 'given' && toHex(root.key)).toBe(other);
  });

  it('is none for a device without a given one, and the server’s for an own product', () => {
    const { rootOf } = bench();
    expect(rootOf('default', A)).toEqual({ kind: 'none' });
    expect(rootOf('default', B)).toEqual({ kind: 'own' });
    expect(rootOf('default', 'F000000000000000')).toEqual({ kind: 'none' });
  });

  it('is what was given even for an own product: the last that was', () => {
    const { by, rootOf } = bench();
    const upload = (hex: string) => by('default').do({ kind: 'key.upload', keys: { [B]: hex } });
    upload('ff'.repeat(16));
    upload(KEY);
    const root = rootOf('default', B);
    expect(root.kind === 'given' && toHex(root.key)).toBe(KEY.toLowerCase());
  });

  it('key.delete: is deleted; for a device that has none that is no error', () => {
    const { by, rootOf } = bench();
    by('x').do({ kind: 'key.upload', keys: { [A]: KEY } });
    by('x').do({ kind: 'key.delete', devices: [A.toLowerCase(), B] });
    expect(rootOf('x', A)).toEqual({ kind: 'none' });
  });

  it('deviceGroup.keygenAddDevices: of type vendor follows from subscriber and DevEUI alone', () => {
    const text = `vendor/default/${A}`;
    const utf16 = Buffer.from(text, 'utf16le').swap16();
    const hash = createHash('sha256').update(utf16).digest('hex');
    expect(toHex(vendorKey('default', A.toLowerCase()))).toBe(hash.slice(0, 32));
    expect(vendorKey('other', A)).not.toEqual(vendorKey('default', A));
    expect(vendorKey('default', B)).not.toEqual(vendorKey('default', A));
  });

  it('deviceGroup.keygenAddDevices: is derived for the devices that a group takes with key generation', () => {
    const us = service();
    us.devices(2, () => ({ rootKeyKnown: false }));
    const group = { name: 'g', devices: [A] };
    const { device_group_id } = us.do({ kind: 'deviceGroup.create', group });
    const add = { kind: 'deviceGroup.keygenAddDevices', device_group_id } as const;
    const answer = us.do({ ...add, keygen_type: 'vendor', devices: [B] });
    expect(answer).toMatchObject({ device_group_id, devices: [A, B] });
    expect(us.bench.platform.save().resources.key).toEqual([
      { owner: 'default', devEui: B, key: toHex(vendorKey('default', B)).toUpperCase() },
    ]);
  });

  it.each(['', 'Vendor', 'upload'])(
    'deviceGroup.keygenAddDevices, badKeygenType: of type "%s" is refused',
    (type) => {
      const keygen_type = type as 'vendor';
      const us = service();
      us.devices(2);
      const { device_group_id } = us.do({
        kind: 'deviceGroup.create',
        group: { name: 'g', devices: [A] },
      });
      const add = { kind: 'deviceGroup.keygenAddDevices', device_group_id, devices: [B] } as const;
      expect(us.refused({ ...add, keygen_type })).toBe('key.keygen-type');
      expect(us.refused({ kind: 'key.generate', keygen_type, devices: [B] })).toBe(
        'key.keygen-type',
      );
      expect(us.ask({ kind: 'deviceGroup.get', device_group_id }).devices).toEqual([A]);
    },
  );

  it('deviceGroup.keygenAddDevices, unknownInBody: is not derived for a device that is unknown', () => {
    const us = service();
    us.devices(1);
    const { device_group_id } = us.do({
      kind: 'deviceGroup.create',
      group: { name: 'g', devices: [A] },
    });
    const add = { kind: 'deviceGroup.keygenAddDevices', device_group_id } as const;
    const wrong = { ...add, keygen_type: 'vendor', devices: ['F000000000000000'] } as const;
    expect(us.refused(wrong)).toBe('deviceGroup.unknown-device');
    expect(us.bench.platform.save().resources.key).toEqual([]);
  });

  it.each([
    ['eui.malformed', { [A]: KEY, D0: KEY }],
    ['eui.malformed', { [`${A}0`]: KEY }],
    ['key.malformed', { [A]: KEY, [B]: KEY.slice(1) }],
    ['key.malformed', { [A]: `${KEY.slice(1)}g` }],
    ['key.malformed', { [A]: `${KEY}00` }],
  ])('key.upload, badEuiOrKey: is refused with %s, and all with it', (code, keys) => {
    const us = service();
    expect(us.refused({ kind: 'key.upload', keys })).toBe(code);
    expect(us.bench.platform.save().resources.key).toEqual([]);
  });

  it.each([['D0'], [`${A}0`], ['x'.repeat(16)]])(
    'key.delete, badEuiOrKey: is not deleted by the DevEUI %s',
    (devEui) => {
      expect(service().refused({ kind: 'key.delete', devices: [A, devEui] })).toBe('eui.malformed');
    },
  );

  it('stays through saving and loading, as any uploads and deletions left it', () => {
    const key = fc.constantFrom(KEY, '00'.repeat(16), 'ab'.repeat(16));
    const step = fc.oneof(
      fc.dictionary(fc.constantFrom(A, B, A.toLowerCase()), key).map((keys) => ({ keys })),
      fc.subarray([A, B.toLowerCase()]).map((devices) => ({ devices })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const us = service();
        const model = new Map<string, string>();
        for (const given of steps) {
          if ('keys' in given) {
            us.do({ kind: 'key.upload', keys: given.keys });
            for (const [devEui, hex] of Object.entries(given.keys)) {
              model.set(devEui.toUpperCase(), hex.toUpperCase());
            }
          } else {
            us.do({ kind: 'key.delete', devices: given.devices });
            for (const devEui of given.devices) model.delete(devEui.toUpperCase());
          }
          us.bench.reload();
          const stored = us.bench.platform
            .save()
            .resources.key.map(({ devEui, key: hex }) => [devEui, hex]);
          expect(stored).toEqual([...model].sort());
        }
      }),
      { numRuns: someRuns(250) },
    );
  });
});

describe('no answer', () => {
  it('key.upload and delete: reports a key, nor does a refusal', () => {
    const us = service();
    us.devices(2);
    us.upload('app-1.2.3.bin', '00'.repeat(500), ['x']);
    us.do({ kind: 'key.upload', keys: { [A]: KEY } });
    const group = { name: 'all', devices: [A] };
    const created = us.do({ kind: 'deviceGroup.create', group });
    const { device_group_id } = created;
    const add = { kind: 'deviceGroup.keygenAddDevices', device_group_id } as const;
    const grown = us.do({ ...add, keygen_type: 'vendor', devices: [B] });
    const campaign = { name: 'spring', image_name: 'app-1.2.3.bin', device_group_id };
    const { campaign_id } = us.do({ kind: 'campaign.create', campaign });
    us.bench.runUntil(3_600_000_000);
    us.report(A, '0102030000000001');
    const keys = us.bench.platform.save().resources.key.map(({ key }) => key);
    expect(keys).toHaveLength(2);
    const wrong = failureOf(us.try({ kind: 'key.upload', keys: { [A]: `${KEY}0` } }));
    const reports = [
      created,
      grown,
      wrong,
      ...everythingReported(us, { device_group_id, campaign_id }),
    ];
    const text = JSON.stringify(reports).toLowerCase();
    expect(text).toContain('app-1.2.3.bin');
    for (const key of [...keys, KEY]) expect(text).not.toContain(key.toLowerCase());
  });

  /** The resources that tell of devices, images and campaigns; isolation.ts asks the others. */
  const TELLING = /^(image|deviceGroup|deviceVersion|history|delegation|campaign)$/;

  /** The answers to their queries. */
  function everythingReported(
    us: ReturnType<typeof service>,
    ids: { readonly device_group_id: string; readonly campaign_id: string },
  ): unknown[] {
    const devices = { deveui: A, deveuis: [A, B] };
    const campaign_ids = [ids.campaign_id];
    const names = { name: 'app-1.2.3.bin', ...devices, ...ids, campaign_ids, delegation_id: '' };
    const kinds = Object.entries(OPERATIONS).filter(
      ([, { resource, verb }]) => TELLING.test(resource) && /list|get/.test(verb),
    );
    expect(kinds.length).toBeGreaterThan(8);
    return kinds.map(([kind]) => us.tryAsk({ kind, ...names } as PlatformQuery));
  }
});

testIsolation('key', (_, devEui) => devEui, {
  'key.upload': (devEui) => ({ keys: { [devEui]: 'ff'.repeat(16) } }),
  'key.generate': (devEui) => ({ keygen_type: 'vendor', devices: [devEui] }),
  'key.delete': (devEui) => ({ devices: [devEui] }),
});
