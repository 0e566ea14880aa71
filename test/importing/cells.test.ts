/** Cells of lists: spellings of EUIs and keys, places, versions, durations, regions. */
import { describe, expect, it } from 'vitest';
import { readDegrees, readPosition } from '../../api/importing/degrees.ts';
import { identifier } from '../../api/importing/fleet.ts';
import { isEui, readEui, readGatewayEui, readKey } from '../../api/importing/identifiers.ts';
import { regionNamed } from '../../api/importing/regions.ts';
import {
  readActivation,
  readBytes,
  readClass,
  readDuration,
  readFlag,
  readLorawan,
  readRx1Delay,
  readVersion,
} from '../../api/importing/values.ts';
import { REGION_NAMES } from '../../sim/lorawan/region.ts';

/** The value, or that there is none. */
const meaningOf = (read: { value: unknown } | { fault: string }): unknown =>
  'value' in read ? read.value : 'fault';

describe('an EUI', () => {
  it.each([
    '70B3D57ED0000001',
    '70b3d57ed0000001',
    '70-B3-D5-7E-D0-00-00-01',
    '70:b3:d5:7e:d0:00:00:01',
    '70 B3 D5 7E D0 00 00 01',
    '70b3.d57e.d000.0001',
    '0x70B3D57ED0000001',
    '{ 0x70, 0xB3, 0xD5, 0x7E, 0xD0, 0x00, 0x00, 0x01 }',
    'eui-70b3d57ed0000001',
    'DevEUI: 70B3D57ED0000001',
    '70b3:d57e:d000:1',
    '"70B3D57ED0000001"',
    'urn:70b3'.replace('urn:70b3', '70B3-D57E-D000-0001'),
  ])('%s is read', (cell) => {
    expect(readEui(cell)).toEqual({ value: '70B3D57ED0000001' });
    expect(readGatewayEui(cell)).toEqual({ value: '70B3D57ED0000001' });
  });

  it.each(['', 'meter 1', '70B3D57ED000000', '70B3D57ED00000011', '70B3D57ED000000G', '7,1E+15'])(
    '%s is refused',
    (cell) => expect(meaningOf(readEui(cell))).toBe('fault'),
  );

  it('of a gateway may be its MAC address', () => {
    expect(readGatewayEui('b8:27:eb:01:02:03')).toEqual({ value: 'B827EBFFFE010203' });
    expect(meaningOf(readEui('b8:27:eb:01:02:03'))).toBe('fault');
  });

  it('is recognised among other cells', () => {
    const cells = ['70-B3-D5-7E-D0-00-00-01', 'Hauptstraße 1, 50667', '1234567890', 'F'.repeat(32)];
    expect(cells.map(isEui)).toEqual([true, false, false, false]);
  });
});

describe('a cell', () => {
  it.each<readonly [string, (cell: string) => { value: unknown } | { fault: string }, unknown]>([
    ['00112233445566778899aabbccddeeff', readKey, '00112233445566778899AABBCCDDEEFF'],
    ['0011', readKey, 'fault'],
    ['48,137', (cell) => readDegrees(cell, 90), 48.137],
    ['-33.8568', (cell) => readDegrees(cell, 90), -33.8568],
    ['33.8568 S', (cell) => readDegrees(cell, 90), -33.8568],
    ['48°08\'14.5"N', (cell) => readDegrees(cell, 90), 48.1373611],
    ['W 0° 7.656′', (cell) => readDegrees(cell, 180), -0.1276],
    ['48.137°', (cell) => readDegrees(cell, 90), 48.137],
    ['91', (cell) => readDegrees(cell, 90), 'fault'],
    ['1,200,5', (cell) => readDegrees(cell, 180), 'fault'],
    ['48.137, 11.575', readPosition, { latitude: 48.137, longitude: 11.575 }],
    ['48,137 11,575', readPosition, { latitude: 48.137, longitude: 11.575 }],
    ['48,137/11,575', readPosition, { latitude: 48.137, longitude: 11.575 }],
    ['(48.137;11.575)', readPosition, { latitude: 48.137, longitude: 11.575 }],
    ['POINT(11.575 48.137)', readPosition, { latitude: 48.137, longitude: 11.575 }],
    [
      '{"type":"Point","coordinates":[11.5,48.1]}',
      readPosition,
      { latitude: 48.1, longitude: 11.5 },
    ],
    ['Hauptstraße 1', readPosition, 'fault'],
    ['Class C', readClass, 'C'],
    ['CLASS_A', readClass, 'A'],
    ['D', readClass, 'fault'],
    ['MAC_V1_0_4', readLorawan, '1.0.4'],
    ['LoRaWAN 1.0.2 rev B', readLorawan, '1.0.2'],
    ['1.0', readLorawan, '1.0.2'],
    ['PHY_V1_1_REV_B', readLorawan, '1.1'],
    ['2.0', readLorawan, 'fault'],
    ['ja', readFlag, true],
    ['FALSE', readFlag, false],
    ['maybe', readFlag, 'fault'],
    ['OTAA (join)', readActivation, 'otaa'],
    ['none', readActivation, 'fault'],
    ['v1.4', readVersion, '1.4.0'],
    ['1.2.3.4', readVersion, '1.2.3.4'],
    ['1.300', readVersion, 'fault'],
    ['900', readDuration, '900 s'],
    ['15min', readDuration, '15 min'],
    ['1,5 Stunden', readDuration, '1.5 h'],
    ['2 Tage', readDuration, '2 d'],
    ['often', readDuration, 'fault'],
    ['51 bytes', readBytes, '51 B'],
    ['243', readBytes, 'fault'],
    ['RX_DELAY_5', readRx1Delay, '5 s'],
    ['0', readRx1Delay, 'fault'],
  ])('%s is read as it is meant', (cell, reader, value) => {
    expect(meaningOf(reader(cell))).toEqual(value);
  });
});

describe('a region', () => {
  it.each([
    ['EU_863_870_TTN', 'EU868'],
    ['EU863-870', 'EU868'],
    ['eu868', 'EU868'],
    ['US_902_928_FSB_2', 'US915'],
    ['us915_0', 'US915'],
    ['AU915-928', 'AU915'],
    ['AS_923_3', 'AS923-3'],
    ['AS923', 'AS923-1'],
    ['IN865-867', 'IN865'],
    ['KR_920_923_TTN', 'KR920'],
  ])('%s is known', (name, region) => expect(regionNamed(name)?.region).toBe(region));

  it('is known by its own name, and no other word is one', () => {
    expect(REGION_NAMES.map((name) => regionNamed(name)?.region)).toEqual(REGION_NAMES);
    expect(regionNamed('MARS')).toBeUndefined();
  });

  it('of a frequency plan has its sub-band', () => {
    expect(regionNamed('AU_915_928_FSB_2')?.settings).toEqual({ channels: [{ subBand: 2 }] });
  });
});

describe('an identifier', () => {
  it.each([
    ['Wasserzähler Größe 2', 'wasserzaehler-groesse-2'],
    ['ERS CO₂', 'ers-co2'],
    ['Číslo №1', 'cislo-1'],
    ['42', 'device-42'],
    ['水表', 'device'],
  ])('of %s has letters, digits and dashes', (title, name) => {
    expect(identifier(title, 'device')).toBe(name);
  });
});
