/**
 * Codecs of simulated devices that are set over the air (docs/model.md, Settings). There is one for
 * each of the three ways in which a device can tell what it is set to. They speak on the usual
 * FPort of settings; what comes on others is raw.
 */

import {
  type DeviceSettings,
  decodeSettings,
  encodeSettings,
  SETTINGS_FPORT,
  SETTINGS_NAMES,
  SETTINGS_PARAMETERS,
  type SettingsParameter,
} from '../../sim/base/device-settings.ts';
import type { Json, JsonObject } from '../../sim/base/json.ts';
import { isWholeWithin } from '../../sim/base/rows/range.ts';
import type { Codec, CodecDownlink, CodecUplink, ConfigurationCodec, Encoded } from './codec.ts';
import { rawHex } from './raw-hex.ts';

type Given = Partial<DeviceSettings>;

// ── what a configuration may be ──────────────────────────────────────────────────────────────────

/** Names between quotation marks, and no longer than anybody reads. */
const MOST_SHOWN = 40;
const quoted = (name: string): string =>
  `“${name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}…` : name}”`;

const isParameter = (name: string): name is SettingsParameter =>
  SETTINGS_NAMES.some((known) => known === name);

/** A path of RFC 6901 to a member of the configuration. */
const pathTo = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** What is wrong with a value; undefined: nothing. */
function complaintOf(name: SettingsParameter, value: Json): string | undefined {
  if (name === 'confirmedUplinks') {
    return typeof value === 'boolean' ? undefined : `/${name}: has to be true or false`;
  }
  const { least, most } = SETTINGS_PARAMETERS[name];
  const isOwn = name !== 'uplinkPort' || value !== SETTINGS_FPORT;
  if (isWholeWithin(value, SETTINGS_PARAMETERS[name]) && isOwn) return undefined;
  const but = name === 'uplinkPort' ? `, but for ${SETTINGS_FPORT}, that of the settings` : '';
  return `/${name}: has to be a whole number from ${least} to ${most}${but}`;
}

/** All that is wrong with a configuration; its parameters where nothing is. */
function read(config: JsonObject): Encoded<Given> {
  const names = Object.keys(config);
  if (names.length === 0) {
    return { errors: [`: has to have one of ${SETTINGS_NAMES.join(', ')}`] };
  }
  const errors = names.flatMap((name) => {
    if (isParameter(name)) return complaintOf(name, config[name]!) ?? [];
    const known = SETTINGS_NAMES.join(', ');
    return `${pathTo(name)}: ${quoted(name)} is no parameter; there are ${known}`;
  });
  return errors.length > 0 ? { errors } : { value: config as Given, warnings: [] };
}

// ── downlinks ────────────────────────────────────────────────────────────────────────────────────

const downlink = (settings: Given): CodecDownlink => ({
  fPort: SETTINGS_FPORT,
  bytes: encodeSettings(settings),
});

function encoded<T>(config: JsonObject, as: (settings: Given) => T): Encoded<T> {
  const settings = read(config);
  return 'errors' in settings ? settings : { value: as(settings.value), warnings: [] };
}

/** A downlink for each parameter, in the order of their tags. */
const oneByOne = (settings: Given): readonly CodecDownlink[] =>
  SETTINGS_NAMES.flatMap((name) =>
    settings[name] === undefined ? [] : downlink({ [name]: settings[name] }),
  );

/** Data of a downlink: `{settings: {…}}`. */
function encode(data: JsonObject, fPort: number | undefined): Encoded<CodecDownlink> {
  const { settings, ...others } = data;
  const isAlone = Object.keys(others).length === 0;
  const isObject = typeof settings === 'object' && settings !== null && !Array.isArray(settings);
  if (!isAlone || !isObject) return rawHex.encode!(data, fPort);
  if (fPort !== undefined && fPort !== SETTINGS_FPORT) {
    return { errors: [`fPort: settings go on ${SETTINGS_FPORT}`] };
  }
  return encoded(settings as JsonObject, downlink);
}

// ── uplinks ──────────────────────────────────────────────────────────────────────────────────────

/** Settings in an uplink; undefined: none. */
const report = ({ fPort, bytes }: CodecUplink): JsonObject | undefined =>
  fPort === SETTINGS_FPORT ? (decodeSettings(bytes) as JsonObject | undefined) : undefined;

function decode(uplink: CodecUplink): JsonObject {
  const settings = report(uplink);
  return settings === undefined ? rawHex.decode(uplink) : { settings };
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

// ── the codecs ───────────────────────────────────────────────────────────────────────────────────

const codec = (configuration: ConfigurationCodec): Codec => ({ decode, encode, configuration });

export const SETTINGS_CODECS = {
  /** Of devices that are silent: a frame that went out is all that can be known. */
  SETTINGS_SENT: codec({
    confirmation: 'downlink-sent',
    echoes: false,
    reportFPorts: [],
    encode: (config) => encoded(config, oneByOne),
    report: () => undefined,
  }),
  /** Of devices that echo: what comes back is what was taken. */
  SETTINGS_ACK: codec({
    confirmation: 'uplink-ack',
    echoes: true,
    reportFPorts: [SETTINGS_FPORT],
    encode: (config) => encoded(config, oneByOne),
    report,
    isEcho: ({ fPort, bytes }, fragment) =>
      fPort === fragment.fPort && isSame(bytes, fragment.bytes),
  }),
  /** Of devices that report all that they are set to. */
  SETTINGS_REPORTED: codec({
    confirmation: 'reported-config',
    echoes: false,
    reportFPorts: [SETTINGS_FPORT],
    encode: (config) => encoded(config, (settings) => [downlink(settings)]),
    report,
  }),
} as const satisfies Readonly<Record<string, Codec>>;
