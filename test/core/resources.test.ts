/** Images, versions and device groups. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseGateways, DeviceGroups } from '../../core/device-groups.ts';
import { Images } from '../../core/images.ts';
import type { DeviceView } from '../../core/network-face.ts';
import {
  firmwareOf,
  inferVersion,
  matchesVersion,
  parseVersion,
  versionHex,
} from '../../core/versions.ts';
import { toHex } from '../../sim/base/bytes.ts';
import { Bench, someImage } from './bench.ts';

describe('an image', () => {
  it('has the SHA-256 of its bytes', () => {
    const images = new Images();
    const bytes = someImage(70_000);
    expect(images.create('a.bin', toHex(bytes), ['beta', 'v1/x'])).toMatchObject({ ok: true });
    expect(images.get('a.bin')).toEqual({
      name: 'a.bin',
      bytes,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      tags: ['beta', 'v1/x'],
    });
  });

  it.each(['a.bin', 'app-1.2.3.hex', 'A b.sfb'])('may be called %s', (name) => {
    expect(new Images().create(name, '00', [])).toMatchObject({ ok: true });
  });

  it.each([
    ['image.name', 'a.elf', '00', []],
    ['image.name', '.bin', '00', []],
    ['image.name', '../a.bin', '00', []],
    ['image.empty', 'a.bin', '', []],
    ['image.bytes', 'a.bin', '0', []],
    ['image.bytes', 'a.bin', '0g', []],
    ['image.too-large', 'a.bin', '00'.repeat(4 * 1024 * 1024 + 1), []],
    ['image.tag', 'a.bin', '00', ['']],
    ['image.tag', 'a.bin', '00', ['good', 'not good']],
    ['image.tag', 'a.bin', '00', ['sixteen-letters-']],
  ])('is refused with %s', (code, name, bytesHex, tags) => {
    const images = new Images();
    expect(images.create(name, bytesHex, tags)).toMatchObject({ ok: false, failure: { code } });
    expect(images.get(name)).toBeUndefined();
  });

  it('may have 4 MiB', () => {
    const images = new Images();
    const size = 4 * 1024 * 1024;
    expect(images.create('a.bin', 'ab'.repeat(size), [])).toMatchObject({ ok: true });
    expect(images.get('a.bin')!.bytes.length).toBe(size);
    expect(images.get('a.bin')!.bytes.every((byte) => byte === 0xab)).toBe(true);
  });

  it('has its name for itself', () => {
    const images = new Images();
    images.create('a.bin', '00', []);
    expect(images.create('a.bin', '01', [])).toMatchObject({
      ok: false,
      failure: { code: 'image.exists' },
    });
    expect(images.get('a.bin')!.bytes).toEqual(Uint8Array.of(0));
  });

  it('survives saving and loading', () => {
    const images = new Images();
    images.create('a.bin', '0102', ['x']);
    const other = new Images();
    other.load(images.save());
    expect(other.save()).toEqual(images.save());
    expect(other.get('a.bin')!.bytes).not.toBe(images.get('a.bin')!.bytes);
  });
});

describe('a version', () => {
  it.each([
    ['1.2.3', '01020300........'],
    ['1.2.3.4', '01020304........'],
    ['255.0.16', 'FF001000........'],
    ['01a2......0000ff', '01A2......0000FF'],
  ])('%s is the pattern %s', (text, pattern) => {
    expect(parseVersion(text)).toEqual({ ok: true, value: pattern });
  });

  it.each(['1', '1.2', '1.2.3.4.5', '1.2.256', '1.2.x', '', '0102030', '0102030400000000ff'])(
    '%s is none',
    (text) => {
      expect(parseVersion(text)).toMatchObject({
        ok: false,
        failure: { code: 'version.malformed' },
      });
    },
  );

  it.each([
    ['app-1.2.3.bin', '01020300........'],
    ['app_v10.20.30.40-rc1.hex', '0A141E28........'],
    ['2-1.2.bin', undefined],
    ['meter.bin', undefined],
    ['meter-300.1.1.bin', undefined],
  ])('is inferred from the first dotted numbers in %s', (name, pattern) => {
    const found = inferVersion(name);
    expect(found.ok ? found.value : undefined).toBe(pattern);
  });

  it('that is reported matches a pattern digit by digit', () => {
    const hex = versionHex(0x010203ff, 7);
    expect(hex).toBe('010203FF00000007');
    expect(matchesVersion('010203FF........', hex)).toBe(true);
    expect(matchesVersion('................', hex)).toBe(true);
    expect(matchesVersion('010203FF00000008', hex)).toBe(false);
    expect(matchesVersion('110203FF........', hex)).toBe(false);
  });

  it('matches the pattern of its own digits, with any of them left open', () => {
    const words = fc.integer({ min: 0, max: 0xffff_ffff });
    fc.assert(
      fc.property(words, words, fc.nat({ max: 0xffff }), (fw, hw, open) => {
        const hex = versionHex(fw, hw);
        const pattern = [...hex].map((digit, i) => ((open >> i) & 1 ? '.' : digit)).join('');
        expect(matchesVersion(pattern, hex)).toBe(true);
        const isOpen = (open & 0xff) !== 0;
        expect(firmwareOf(pattern)).toBe(isOpen ? undefined : hex.slice(0, 8));
      }),
    );
  });
});

describe('a device group', () => {
  const A = 'D000000000000001';
  const C = 'D000000000000002';

  function world(): Bench {
    const bench = new Bench({ gateways: ['AA00000000000001'] });
    bench.add(2, (i) => ({ deviceClass: i === 0 ? 'A' : 'C' }));
    return bench;
  }

  it.each([
    [A, 'A'],
    [C, 'C'],
  ])('of %s alone has class %s', (devEui, deviceClass) => {
    const groups = new DeviceGroups();
    expect(groups.create({ name: 'g', devices: [devEui] }, world().view)).toMatchObject({
      ok: true,
    });
    expect(groups.get('g')).toMatchObject({ deviceClass, devices: [devEui], gateways: [] });
  });

  it('has the class that it is given, EUIs in upper case, each once', () => {
    const groups = new DeviceGroups();
    const devices = [A.toLowerCase(), C, A];
    const gateways = ['aa00000000000001'];
    groups.create({ name: 'g', lora_class: 'A', devices, gateways }, world().view);
    expect(groups.get('g')).toEqual({
      name: 'g',
      deviceClass: 'A',
      devices: [A, C],
      gateways: ['AA00000000000001'],
    });
  });

  it.each([
    ['deviceGroup.name', { name: '', devices: [A] }],
    ['deviceGroup.exists', { name: 'old', devices: [A] }],
    ['deviceGroup.empty', { name: 'g', devices: [] }],
    ['deviceGroup.unknown-device', { name: 'g', devices: [A, 'D0000000000000FF'] }],
    ['deviceGroup.mixed-classes', { name: 'g', devices: [A, C] }],
    ['deviceGroup.unknown-gateway', { name: 'g', devices: [A], gateways: ['BB'] }],
    [
      'deviceGroup.too-many-gateways',
      { name: 'g', devices: [A], gateways: Array.from({ length: 11 }, (_, i) => `${i}`) },
    ],
  ])('is refused with %s', (code, input) => {
    const groups = new DeviceGroups();
    groups.create({ name: 'old', devices: [A] }, world().view);
    expect(groups.create(input, world().view)).toMatchObject({ ok: false, failure: { code } });
  });
});

describe('the choice of gateways', () => {
  const view = new Bench({ gateways: ['N', 'S', 'E'] }).view;
  const member = (levels: Record<string, number>): DeviceView => ({
    name: 'x',
    deviceClass: 'A',
    active: true,
    lastUplinkAtUs: -1,
    dataRate: 0,
    heardBy: Object.entries(levels).map(([gatewayEui, dbm]) => ({
      gatewayEui,
      downlinkCentiDbm: 100 * dbm,
    })),
  });
  const chosen = (members: readonly DeviceView[], listed: string[] = []): string[] =>
    chooseGateways(listed, members, -12_000, view).map(({ eui }) => eui);

  it('takes those listed as they are', () => {
    expect(chosen([member({ N: -50 })], ['S', 'E'])).toEqual(['S', 'E']);
  });

  it('takes one where one serves all', () => {
    expect(chosen([member({ N: -100, S: -60 }), member({ N: -119, E: -80 })])).toEqual(['N']);
  });

  it('takes the lower EUI when two serve as many', () => {
    expect(chosen([member({ S: -60, N: -100 })])).toEqual(['N']);
  });

  it('takes the best gateway of a member that none serves well', () => {
    expect(chosen([member({ N: -100 }), member({ S: -130, E: -128 })])).toEqual(['E', 'N']);
  });

  it('takes all when nobody was heard, and none for members that were not', () => {
    expect(chosen([member({})])).toEqual(['E', 'N', 'S']);
    expect(chosen([member({}), member({ S: -90 })])).toEqual(['S']);
  });

  it('tells why', () => {
    const reasons = chooseGateways([], [member({ N: -90 }), member({ N: -91 })], -12_000, view);
    expect(reasons).toEqual([{ eui: 'N', reason: 'members served: 2' }]);
  });

  it('serves every member that was heard, and has no gateway without need', () => {
    const levels = fc.dictionary(
      fc.constantFrom('N', 'S', 'E', 'W', 'X'),
      fc.integer({ min: -140, max: -60 }),
    );
    fc.assert(
      fc.property(fc.array(levels, { maxLength: 20 }), (all) => {
        const members = all.map(member);
        const heard = members.filter(({ heardBy }) => heardBy.length > 0);
        fc.pre(heard.length > 0);
        const set = chosen(members);
        for (const { heardBy } of heard) {
          const best = Math.max(...heardBy.map((each) => each.downlinkCentiDbm));
          const needed = Math.min(best, -12_000);
          const reached = heardBy.filter((each) => set.includes(each.gatewayEui));
          expect(reached.some((each) => each.downlinkCentiDbm >= needed)).toBe(true);
        }
        expect(set.length).toBeLessThanOrEqual(heard.length);
        expect(chosen([...members].reverse())).toEqual(set);
      }),
    );
  });
});
