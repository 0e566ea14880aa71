/**
 * What a device can be set to over the air, and the bytes that say so: a small format of our own
 * (docs/model.md, Settings). A payload is parameters, each a tag and a value of the tag's length,
 * most significant byte first.
 */
import { isWithin } from './rows/range.ts';

/** Parameters by name: tag, bytes of the value, and what the value may be. */
export const SETTINGS_PARAMETERS = {
  /** Period, or mean pause, of the device's own messages, s. */
  uplinkPeriod: { tag: 1, bytes: 3, least: 10, most: 0xff_ffff },
  /** Their FRMPayload. */
  payloadBytes: { tag: 2, bytes: 1, least: 0, most: 222 },
  /** Whether they ask for an acknowledgement: 0 or 1. */
  confirmedUplinks: { tag: 3, bytes: 1, least: 0, most: 1 },
  /** Their FPort. */
  uplinkPort: { tag: 4, bytes: 1, least: 1, most: 223 },
} as const;

export type SettingsParameter = keyof typeof SETTINGS_PARAMETERS;

/** In the order of their tags. */
export const SETTINGS_NAMES = Object.keys(SETTINGS_PARAMETERS) as readonly SettingsParameter[];

/** All that a device is set to. */
export interface DeviceSettings {
  readonly uplinkPeriod: number;
  readonly payloadBytes: number;
  readonly confirmedUplinks: boolean;
  readonly uplinkPort: number;
}

/**
 * What a device says of settings that it takes: nothing, the payload once more, or all that it is
 * set to. The first two take one parameter a downlink.
 */
export const SETTINGS_PROTOCOLS = ['silent', 'echo', 'report'] as const;
export type SettingsProtocol = (typeof SETTINGS_PROTOCOLS)[number];

/** How a device type is set over the air. */
export interface SettingsPlan {
  /** 1…223; that of no package, and not that of its own messages. */
  readonly fPort: number;
  readonly protocol: SettingsProtocol;
}

/** What a device has made of downlinks on the port of its settings. */
export interface SettingsDownlinks {
  readonly taken: number;
  /** Malformed, out of range, or more than its protocol takes: without effect. */
  readonly ignored: number;
}

/** FPort of settings where nobody says another. */
export const SETTINGS_FPORT = 85;

/** The parameters that are given, in the order of their tags. */
export function encodeSettings(settings: Partial<DeviceSettings>): Uint8Array {
  const said: number[] = [];
  for (const name of SETTINGS_NAMES) {
    const value = settings[name];
    if (value === undefined) continue;
    const { tag, bytes } = SETTINGS_PARAMETERS[name];
    said.push(tag);
    for (let at = bytes - 1; at >= 0; at--) said.push((Number(value) >>> (8 * at)) & 0xff);
  }
  return Uint8Array.from(said);
}

/**
 * The parameters of a payload; undefined where it holds none, one twice, one that nobody knows, one
 * out of its range, or one that is cut short.
 */
export function decodeSettings(payload: Uint8Array): Partial<DeviceSettings> | undefined {
  const values = new Map<SettingsParameter, number>();
  let at = 0;
  while (at < payload.length) {
    const name = SETTINGS_NAMES.find((one) => SETTINGS_PARAMETERS[one].tag === payload[at]);
    if (name === undefined || values.has(name)) return undefined;
    const { bytes } = SETTINGS_PARAMETERS[name];
    if (at + 1 + bytes > payload.length) return undefined;
    const value = payload
      .subarray(at + 1, at + 1 + bytes)
      .reduce((sum, byte) => 256 * sum + byte, 0);
    if (!isWithin(value, SETTINGS_PARAMETERS[name])) return undefined;
    values.set(name, value);
    at += 1 + bytes;
  }
  return values.size === 0 ? undefined : asSettings(values);
}

function asSettings(values: ReadonlyMap<SettingsParameter, number>): Partial<DeviceSettings> {
  const settings: Partial<Record<SettingsParameter, number | boolean>> = {};
  for (const [name, value] of values) {
    settings[name] = name === 'confirmedUplinks' ? value === 1 : value;
  }
  return settings as Partial<DeviceSettings>;
}
