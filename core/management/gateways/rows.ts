/** Fields of gateways, as device and gateway management has them. */

import type { Fields, Of } from '../../../sim/base/rows/fields.ts';
import { isWithin } from '../../../sim/base/rows/range.ts';
import { MEDIUM_ID } from '../../base/ids.ts';
import {
  HEX_EUI,
  INSTANT,
  record,
  responseField,
  responseFieldOrNull,
} from '../../rows/answers.ts';
import { EUI } from '../../rows/fields.ts';
import { GATEWAY_STATISTICS } from '../gateway-states/rows.ts';

const source = 'device and gateway management: Gateway (v1)';

/** A decimal number in text, with a generous limit of digits. */
const DECIMAL = /^[+-]?\d{1,9}(\.\d{1,20})?$/;

const decimal = (least: number, most: number, what: string) =>
  ({
    type: 'text',
    pattern: DECIMAL,
    rule: (text: string) => isWithin(Number(text), { least, most }),
    allowed: `text with a decimal number from ${least} to ${most}, ${what}`,
    source,
  }) as const;

/** Farthest from sea level, m. */
export const HIGHEST_METERS = 100_000;

const COORDINATES = {
  X: { ...decimal(-90, 90, 'degrees'), required: true, is: 'Latitude, degrees north.' },
  Y: { ...decimal(-180, 180, 'degrees'), required: true, is: 'Longitude, degrees east.' },
  Z: {
    ...decimal(-HIGHEST_METERS, HIGHEST_METERS, 'metres'),
    default: '0',
    null: 'absent',
    is: 'Height, m. Shown only: the radio model ignores it.',
  },
} as const satisfies Fields;

/** With or without its unit, to 1/100 dB. */
const GAIN = /^[+-]?\d{1,2}(\.\d{1,2})?( ?dBi?)?$/;

/** dB of a gain, in text. */
export const gainOf = (text: string): number => Number.parseFloat(text);

/** What a gateway's owner says of it: the body of a replacement. */
export const REPLACEMENT = {
  GatewayProfile: {
    type: 'text',
    most: 64,
    required: true,
    is: 'Its gateway profile, by id: its model, and so its hardware.',
    source,
  },
  Name: { type: 'text', required: true, is: 'Its name.', source },
  AntennaGain: {
    type: 'text',
    pattern: GAIN,
    rule: (text: string) => gainOf(text) >= -20 && gainOf(text) <= 30,
    allowed: 'text with a gain from -20 to 30 dB such as "2.15" or "2.15 dBi", to 1/100 dB',
    required: true,
    is: 'Gain of its antenna for reception. Responses have it as a number.',
    source,
  },
  LocationType: {
    type: 'choice',
    words: ['INDOOR', 'OUTDOOR'],
    required: true,
    is: 'Whether it stands in a building. Shown only: the radio model ignores it.',
    source,
  },
  GPSEnabled: {
    type: 'flag',
    default: false,
    null: 'absent',
    is: 'Whether it has GPS: its position, and the time for beacons and class B.',
    source,
  },
  Coordinates: {
    type: 'record',
    fields: COORDINATES,
    null: 'absent',
    is:
      'Where it stands; X and Y of 0 say that this is unknown. Required unless GPSEnabled is ' +
      'true; with GPS it stands there, too.',
    source,
  },
  CellularEnabled: {
    type: 'flag',
    default: false,
    null: 'absent',
    is: 'Whether it has a mobile network.',
    source,
  },
  IMEI: {
    type: 'text',
    least: 0,
    pattern: /^(\d{15}(, ?\d{15})*)?$/,
    allowed: '15 digits, several of them separated by commas, with CellularEnabled; or nothing',
    default: '',
    null: 'absent',
    is: 'Of its modem, or of each of them.',
    source,
  },
  ICCID: {
    type: 'text',
    least: 0,
    pattern: /^(\d{20})?$/,
    allowed: '20 digits, with CellularEnabled; or nothing',
    default: '',
    null: 'absent',
    is: 'Of its SIM card.',
    source,
  },
} as const satisfies Fields;

/** What a gateway is created with. */
export const CREATION = {
  ...REPLACEMENT,
  MacAddress: {
    type: 'text',
    pattern: /^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/,
    storedIn: 'upper',
    allowed: 'six pairs of hexadecimal digits, separated by colons',
    required: true,
    is: 'Its MAC address; others may have the same.',
    source,
  },
  NodeId: { ...EUI, required: true, is: 'Its EUI, unique in the world.', source },
} as const satisfies Fields;

/** What may be changed of it. */
export const CHANGE = {
  ...REPLACEMENT,
  RfRegion: {
    type: 'text',
    most: 64,
    is: 'The RF region that its radio is set to, by id.',
    source,
  },
} as const satisfies Fields;

/** What a scenario's file says of a gateway: nothing of it changes what the network has. */
export const DESCRIPTION = {
  GatewayProfile: REPLACEMENT.GatewayProfile,
  MacAddress: CREATION.MacAddress,
  LocationType: REPLACEMENT.LocationType,
  HeightMeters: {
    type: 'number',
    least: -HIGHEST_METERS,
    most: HIGHEST_METERS,
    unit: 'm',
    is: 'Height, m.',
    source,
  },
  CellularEnabled: REPLACEMENT.CellularEnabled,
  IMEI: REPLACEMENT.IMEI,
  ICCID: REPLACEMENT.ICCID,
} as const satisfies Fields;

type FieldsOf<F extends Fields> = Of<{ readonly type: 'record'; readonly fields: F }>;

export type Replacement = FieldsOf<typeof REPLACEMENT>;
export type Creation = FieldsOf<typeof CREATION>;
export type Description = Partial<FieldsOf<typeof DESCRIPTION>>;
export type Change = Partial<FieldsOf<typeof CHANGE>>;

// ── responses ─────────────────────────────────────────────────────────────────────────────

/** A gateway with all its fields. */
export const FULL = record({
  Id: responseField({ ...MEDIUM_ID, is: 'Its id.', source }),
  GatewayProfile: responseField(REPLACEMENT.GatewayProfile),
  MacAddress: responseField(CREATION.MacAddress),
  NodeId: responseField({ ...HEX_EUI, is: 'Its EUI.', source }),
  Name: responseField(REPLACEMENT.Name),
  AntennaGain: responseField(REPLACEMENT.AntennaGain),
  LocationType: responseField(REPLACEMENT.LocationType),
  GPSEnabled: responseField(REPLACEMENT.GPSEnabled),
  Coordinates: responseField({
    type: 'record',
    fields: {
      X: responseField(COORDINATES.X),
      Y: responseField(COORDINATES.Y),
      Z: responseField(COORDINATES.Z),
    },
    is: 'Where it stands, with seven decimals of a degree and two of a metre at most.',
    source,
  }),
  CellularEnabled: responseField(REPLACEMENT.CellularEnabled),
  IMEI: responseField(REPLACEMENT.IMEI),
  ICCID: responseField(REPLACEMENT.ICCID),
  CreatedAt: responseField({ ...INSTANT, is: 'When it came.', source }),
  UpdatedAt: responseField({ ...INSTANT, is: 'When it was last changed.', source }),
  UpdatedBy: responseField({
    type: 'text',
    least: 0,
    is: 'Id of the user or application that last changed it.',
    source,
  }),
  Manufacturer: responseField({ type: 'text', least: 0, is: 'Reserved: empty.', source }),
  Model: responseField({ type: 'text', least: 0, is: 'What it reports, by its profile.', source }),
  RfRegion: responseField({
    ...MEDIUM_ID,
    is: 'The RF region that its radio is set to, by id.',
    source,
  }),
  Statistics: responseFieldOrNull({
    ...record(GATEWAY_STATISTICS),
    is: 'How it is; null: it never connected.',
    source,
  }),
});

export type FullGateway = Of<typeof FULL>;
