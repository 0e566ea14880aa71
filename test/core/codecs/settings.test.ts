/** Codecs of devices that are set over the air (docs/model.md, Settings). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CodecUplink } from '../../../core/codecs/codec.ts';
import { SETTINGS_CODECS } from '../../../core/codecs/settings.ts';
import { fromHex, toHex } from '../../../sim/base/bytes.ts';
import { decodeSettings, encodeSettings } from '../../../sim/base/device-settings.ts';
import type { JsonObject } from '../../../sim/base/json.ts';

type Word = keyof typeof SETTINGS_CODECS;
const WORDS = Object.keys(SETTINGS_CODECS) as readonly Word[];
const [SENT, ACK, REPORTED] = ['SETTINGS_SENT', 'SETTINGS_ACK', 'SETTINGS_REPORTED'] as const;

const ALL = { uplinkPeriod: 600, payloadBytes: 24, confirmedUplinks: true, uplinkPort: 99 };

/** Fragments as FPort and payload; or what is wrong. */
function encoded(word: Word, config: JsonObject): readonly string[] {
  const given = SETTINGS_CODECS[word].configuration!.encode(config);
  return 'errors' in given
    ? given.errors
    : given.value.map(({ fPort, bytes }) => `${fPort}:${toHex(bytes)}`);
}

const uplink = (fPort: number, hex: string): CodecUplink => ({
  devEui: '0200000000000001',
  fPort,
  fCntUp: 7,
  bytes: fromHex(hex),
  recvTimeMs: 0,
});

describe('the format', () => {
  it('is a tag and a value, most significant byte first', () => {
    expect(toHex(encodeSettings(ALL))).toBe('010002580218030104' + '63');
    expect(toHex(encodeSettings({ uplinkPeriod: 0xabcdef }))).toBe('01abcdef');
    expect(toHex(encodeSettings({ confirmedUplinks: false }))).toBe('0300');
    expect(decodeSettings(fromHex('0463030002de01000' + '00a'))).toEqual({
      uplinkPeriod: 10,
      payloadBytes: 222,
      confirmedUplinks: false,
      uplinkPort: 99,
    });
  });

  it('reads what it writes', () => {
    const some = fc.record(
      {
        uplinkPeriod: fc.integer({ min: 10, max: 0xff_ffff }),
        payloadBytes: fc.integer({ min: 0, max: 222 }),
        confirmedUplinks: fc.boolean(),
        uplinkPort: fc.integer({ min: 1, max: 223 }),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(some, (settings) => {
        const expected = Object.keys(settings).length === 0 ? undefined : settings;
        expect(decodeSettings(encodeSettings(settings))).toEqual(expected);
      }),
    );
  });

  it('reads any bytes or none of them, and writes again what it read', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const settings = decodeSettings(bytes);
        if (settings !== undefined) expect(encodeSettings(settings)).toHaveLength(bytes.length);
      }),
    );
  });
});

describe('a configuration', () => {
  it('is a fragment a parameter, in the order of tags, or one where it is reported', () => {
    const one = ['85:01000258', '85:0218', '85:0301', '85:0463'];
    const backwards = Object.fromEntries(Object.entries(ALL).reverse());
    for (const word of [SENT, ACK]) {
      expect(encoded(word, ALL)).toEqual(one);
      expect(encoded(word, backwards)).toEqual(one);
    }
    expect(encoded(REPORTED, backwards)).toEqual(['85:0100025802180301' + '0463']);
    for (const word of WORDS) {
      expect(encoded(word, { payloadBytes: 0 })).toEqual(['85:0200']);
      expect(encoded(word, { confirmedUplinks: false })).toEqual(['85:0300']);
    }
  });

  it.each([
    [{ uplinkPeriod: 9 }, '/uplinkPeriod: has to be a whole number from 10 to 16777215'],
    [{ uplinkPeriod: 16_777_216 }, '/uplinkPeriod: has to be a whole number from 10 to 16777215'],
    [{ uplinkPeriod: 10.5 }, '/uplinkPeriod: has to be a whole number from 10 to 16777215'],
    [{ uplinkPeriod: '600' }, '/uplinkPeriod: has to be a whole number from 10 to 16777215'],
    [{ payloadBytes: -1 }, '/payloadBytes: has to be a whole number from 0 to 222'],
    [{ payloadBytes: 223 }, '/payloadBytes: has to be a whole number from 0 to 222'],
    [{ payloadBytes: null }, '/payloadBytes: has to be a whole number from 0 to 222'],
    [{ payloadBytes: [24] }, '/payloadBytes: has to be a whole number from 0 to 222'],
    [{ confirmedUplinks: 1 }, '/confirmedUplinks: has to be true or false'],
    [
      { uplinkPort: 224 },
      '/uplinkPort: has to be a whole number from 1 to 223, but for 85, that of the settings',
    ],
    [
      { uplinkPort: 85 },
      '/uplinkPort: has to be a whole number from 1 to 223, but for 85, that of the settings',
    ],
    [
      { 'a/b~c': 1 },
      '/a~1b~0c: “a/b~c” is no parameter; there are uplinkPeriod, payloadBytes, ' +
        'confirmedUplinks, uplinkPort',
    ],
    [{}, ': has to have one of uplinkPeriod, payloadBytes, confirmedUplinks, uplinkPort'],
  ] as const)('%j is refused: %s', (config, message) => {
    for (const word of WORDS) expect(encoded(word, config)).toEqual([message]);
  });

  it('is refused whole, with all that is wrong with it', () => {
    for (const word of WORDS) {
      expect(
        encoded(word, { ...ALL, payloadBytes: 300, uplinkPeriod: 1, more: true }),
      ).toHaveLength(3);
    }
  });

  it('with a name of an object’s own, or a very long one, is refused, too', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(encoded(SENT, JSON.parse(`{"${name}": 1}`))).toHaveLength(1);
    }
    expect(encoded(SENT, { ['x'.repeat(5_000)]: 1 })[0]).toContain('x…”');
  });

  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (config) => {
        for (const word of WORDS) encoded(word, config as JsonObject);
      }),
    );
  });
});

describe('an uplink', () => {
  it('on the port of settings is decoded to what it reports, on others it is raw', () => {
    for (const word of WORDS) {
      const { decode } = SETTINGS_CODECS[word];
      expect(decode(uplink(85, '01000258' + '0218'))).toEqual({
        settings: { uplinkPeriod: 600, payloadBytes: 24 },
      });
      expect(decode(uplink(7, '0218'))).toEqual({ hex: '0218' });
      // Not of the format.
      expect(decode(uplink(85, 'ff'))).toEqual({ hex: 'FF' });
      expect(decode(uplink(85, ''))).toEqual({ hex: '' });
    }
  });

  it('reports parameters where the device reports them, on that port alone', () => {
    const report = (word: Word, fPort: number, hex: string) =>
      SETTINGS_CODECS[word].configuration!.report(uplink(fPort, hex));
    for (const word of [ACK, REPORTED]) {
      expect(SETTINGS_CODECS[word].configuration!.reportFPorts).toEqual([85]);
      expect(report(word, 85, '0301')).toEqual({ confirmedUplinks: true });
      expect(report(word, 7, '0301')).toBeUndefined();
      expect(report(word, 85, '0302')).toBeUndefined();
    }
    expect(SETTINGS_CODECS[SENT].configuration!.reportFPorts).toEqual([]);
    expect(report(SENT, 85, '0301')).toBeUndefined();
  });

  it('echoes a fragment when it has its FPort and all its bytes', () => {
    const { isEcho } = SETTINGS_CODECS[ACK].configuration!;
    const fragment = { fPort: 85, bytes: fromHex('0218') };
    expect(isEcho!(uplink(85, '0218'), fragment)).toBe(true);
    for (const other of [uplink(85, '0219'), uplink(85, '021803'), uplink(7, '0218')]) {
      expect(isEcho!(other, fragment)).toBe(false);
    }
  });
});

describe('each codec', () => {
  it('uses one way to know that a fragment has arrived', () => {
    const ways = WORDS.map((word) => {
      const { confirmation, echoes } = SETTINGS_CODECS[word].configuration!;
      return [word, confirmation, echoes];
    });
    expect(ways).toEqual([
      [SENT, 'downlink-sent', false],
      [ACK, 'uplink-ack', true],
      [REPORTED, 'reported-config', false],
    ]);
  });

  it('encodes a downlink of settings, or a raw one', () => {
    for (const word of WORDS) {
      const encode = SETTINGS_CODECS[word].encode!;
      const bytes = fromHex('0218');
      expect(encode({ settings: { payloadBytes: 24 } }, undefined)).toEqual({
        value: { fPort: 85, bytes },
        warnings: [],
      });
      expect(encode({ settings: { payloadBytes: 24 } }, 86)).toHaveProperty('errors');
      expect(encode({ settings: { payloadBytes: 240 } }, 85)).toHaveProperty('errors');
      expect(encode({ hex: '0218' }, 7)).toEqual({ value: { fPort: 7, bytes }, warnings: [] });
      expect(encode({ settings: [] }, 85)).toHaveProperty('errors');
    }
  });
});
