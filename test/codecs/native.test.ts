/** Codecs that every world has: published example payloads, and what is no payload of theirs. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NATIVE_CODECS } from '../../core/codecs/native.ts';
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import type { JsonObject } from '../../sim/base/json.ts';

const { CAYENNE_LPP, ELSYS, RAW_HEX } = NATIVE_CODECS;

const uplink = (hex: string, fPort = 1) => ({
  devEui: 'D000000000000001',
  fPort,
  fCntUp: 1,
  bytes: fromHex(hex),
  recvTimeMs: 0,
});

const anyPayload = fc.uint8Array({ maxLength: 242 }).map((bytes) => toHex(bytes));

describe('Cayenne LPP', () => {
  // The examples of the format's own documentation, and those of its twelve types.
  it.each([
    ['03670110056700FF', { temperature_3: 27.2, temperature_5: 25.5 }],
    ['0167FFD7', { temperature_1: -4.1 }],
    ['067104D2FB2E0000', { accelerometer_6: { x: 1.234, y: -1.234, z: 0 } }],
    ['018806765FF2960A0003E8', { gps_1: { latitude: 42.3519, longitude: -87.9094, altitude: 10 } }],
    ['0000010101FF', { digital_in_0: 1, digital_out_1: 255 }],
    ['0202FF9C03037FFF', { analog_in_2: -1, analog_out_3: 327.67 }],
    ['04650FA0056601', { luminosity_4: 4000, presence_5: 1 }],
    ['0668630773279C', { relative_humidity_6: 49.5, barometric_pressure_7: 1014 }],
    ['0886000AFFF603E8', { gyrometer_8: { x: 0.1, y: -0.1, z: 10 } }],
    ['09740CE40A750064', { voltage_9: 33, current_10: 0.1 }],
    ['0B6400000001', { generic_11: 1 }],
    ['0C87FF8000', { colour_12: { red: 255, green: 128, blue: 0 } }],
    ['0D85601D3F800E8E01', { time_13: 1612529536, switch_14: 1 }],
    ['', {}],
  ])('reads %s', (hex, data) => {
    expect(CAYENNE_LPP.decode(uplink(hex))).toEqual(data);
  });

  it('is read on every port', () => {
    const reports = [1, 2, 99, 223].map((fPort) => CAYENNE_LPP.decode(uplink('03670110', fPort)));
    for (const each of reports) expect(each).toEqual({ temperature_3: 27.2 });
  });

  it.each([
    ['03', 'byte 0: a channel without a type'],
    ['036701', 'byte 0: temperature needs 2 bytes, there are 1'],
    ['036701100567', 'byte 4: temperature needs 2 bytes, there are 0'],
    ['03FE00', 'byte 0: type 254 is unknown'],
  ])('reports where %s is wrong', (hex, error) => {
    expect(CAYENNE_LPP.decode(uplink(hex))).toEqual({ errors: [error] });
  });

  it('encodes what it decodes, on port 1 unless another is asked for', () => {
    const data = {
      temperature_3: -27.2,
      gps_1: { latitude: 42.3519, longitude: -87.9094, altitude: 10 },
    };
    const encoded = CAYENNE_LPP.encode!(data, undefined);
    expect(encoded).toMatchObject({ value: { fPort: 1 }, warnings: [] });
    expect(CAYENNE_LPP.encode!(data, 7)).toMatchObject({ value: { fPort: 7 } });
    const { bytes } = (encoded as { value: { bytes: Uint8Array } }).value;
    expect(CAYENNE_LPP.decode(uplink(toHex(bytes)))).toEqual(data);
    expect(CAYENNE_LPP.encode!({ digital_out_1: true }, 1)).toEqual({
      value: { fPort: 1, bytes: Uint8Array.of(1, 1, 1) },
      warnings: [],
    });
  });

  it.each<[JsonObject, string]>([
    [{ temperature_1: 4000 }, 'temperature_1: has to be a number from -3276.8 to 3276.7'],
    [{ presence_1: -1 }, 'presence_1: has to be a number from 0 to 255'],
    [{ temperature_1: 'warm' }, 'temperature_1: has to be'],
    [{ gps_1: { latitude: 1, longitude: 2 } }, 'gps_1.altitude: has to be'],
    [{ mood_1: 1 }, 'mood_1: is no value'],
    [{ temperature_256: 1 }, 'temperature_256: is no value'],
  ])('does not encode %j', (data, error) => {
    expect(CAYENNE_LPP.encode!(data, 1)).toEqual({ errors: [expect.stringContaining(error)] });
  });

  it('does not encode more than a frame carries', () => {
    const data = Object.fromEntries(Array.from({ length: 61 }, (_, i) => [`temperature_${i}`, 1]));
    const why = 'the values need 244 bytes; there may be 242';
    expect(CAYENNE_LPP.encode!(data, 1)).toEqual({ errors: [why] });
  });

  it('gives back every payload that it reads, but for values that stand in it twice', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(255), { maxLength: 40 }),
        fc.infiniteStream(fc.nat(255)),
        (channels, drawn) => {
          const types = [
            [0, 1],
            [2, 2],
            [103, 2],
            [104, 1],
            [113, 6],
            [115, 2],
            [134, 6],
            [136, 9],
          ] as const;
          const next = () => drawn.next().value as number;
          const payload = channels.flatMap((channel) => {
            const [type, size] = types[next() % types.length]!;
            return [channel, type, ...Array.from({ length: size }, next)];
          });
          const hex = toHex(Uint8Array.from(payload));
          const data = CAYENNE_LPP.decode(uplink(hex));
          const encoded = CAYENNE_LPP.encode!(data, 1) as { value?: { bytes: Uint8Array } };
          if (payload.length <= 242) expect(toHex(encoded.value!.bytes)).toBe(hex);
        },
      ),
    );
  });
});

describe('ELSYS', () => {
  it.each([
    // The maker's own examples.
    [
      '0100E202290400270506060308070D62',
      { temperature: 22.6, humidity: 41, light: 39, motion: 6, co2: 776, vdd: 3426 },
    ],
    ['0100E21900E21900A3', { temperature: 22.6, externalTemperature2: [22.6, 16.3] }],
    ['01FF9C', { temperature: -10 }],
    ['030140C1', { x: 1, y: 64, z: -63 }],
    ['0A00010B0000000A', { pulse1: 1, pulseAbs: 10 }],
    ['0CFFF60D010E03E80F02', { externalTemperature: -1, digital: 1, distance: 1000, accMotion: 2 }],
    ['1000FA0112', { irInternalTemperature: 25, irExternalTemperature: 27.4 }],
    ['11011201', { occupancy: 1, waterleak: 1 }],
    ['14000F6E16', { pressure: 1011.222 }],
    ['15503C', { soundPeak: 80, soundAvg: 60 }],
    ['1BFFFFFFFF1C0064', { analogUv: -1, tvoc: 100 }],
    // Settings follow, which are no measurements.
    ['01001E3E01020304', { temperature: 3 }],
    // Places have their least significant byte first.
    ['09A0C408D8E7FF', { lat: 57.4624, long: -0.6184 }],
    ['', {}],
  ])('reads %s', (hex, data) => {
    expect(ELSYS.decode(uplink(hex))).toEqual(data);
  });

  it('reads a grid of 64 temperatures above its own', () => {
    const grid = ELSYS.decode(uplink(`1314${'0A'.repeat(64)}`));
    expect(grid).toMatchObject({ irInternalTemperature: 20 });
    expect(grid.grideye).toEqual(Array.from({ length: 64 }, () => 21));
  });

  it.each([
    ['0100', 'byte 0: type 1 needs 2 bytes, there are 1'],
    ['022905', 'byte 2: type 5 needs 1 bytes, there are 0'],
    ['FF', 'byte 0: type 255 is unknown'],
  ])('reports where %s is wrong', (hex, error) => {
    expect(ELSYS.decode(uplink(hex))).toEqual({ errors: [error] });
  });
});

describe('raw hex', () => {
  it('reports the payload as it is, and sends what is given', () => {
    expect(RAW_HEX.decode(uplink('a50b'))).toEqual({ hex: 'A50B' });
    const sent = { value: { fPort: 9, bytes: Uint8Array.of(0xa5, 0x0b) }, warnings: [] };
    expect(RAW_HEX.encode!({ hex: 'A50b' }, 9)).toEqual(sent);
  });

  it.each<[JsonObject, number | undefined]>([
    [{ hex: 'A5' }, undefined],
    [{ hex: 'A' }, 1],
    [{ hex: 'zz' }, 1],
    [{ hex: '00'.repeat(243) }, 1],
    [{}, 1],
  ])('does not encode %j on port %s', (data, fPort) => {
    expect(RAW_HEX.encode!(data, fPort)).toMatchObject({ errors: [expect.any(String)] });
  });
});

describe.each(Object.entries(NATIVE_CODECS))('%s', (_, codec) => {
  it('makes plain data of any payload, the same each time, and never throws', () => {
    fc.assert(
      fc.property(anyPayload, fc.nat(255), (hex, fPort) => {
        const data = codec.decode(uplink(hex, fPort));
        expect(JSON.parse(JSON.stringify(data))).toEqual(data);
        expect(codec.decode(uplink(hex, fPort))).toEqual(data);
      }),
    );
  });
});
