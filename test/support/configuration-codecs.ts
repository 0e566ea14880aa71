/**
 * Codecs of devices that are configured over the air, one of each strategy: a parameter is a tag
 * and its bytes, on FPort 40; devices tell what they are set to on FPort 41, in the same form.
 */
import type { Codec, CodecDownlink, ConfigurationCodec, Encoded } from '../../core/codecs/codec.ts';
import type { Platform } from '../../core/platform.ts';
import type { JsonObject } from '../../sim/base/json.ts';

export const SET_FPORT = 40;
export const REPORT_FPORT = 41;

const PARAMETERS = { period: { tag: 1, bytes: 2 }, level: { tag: 2, bytes: 1 } } as const;
type Parameter = keyof typeof PARAMETERS;

const isParameter = (name: string): name is Parameter => Object.hasOwn(PARAMETERS, name);

/** A parameter and its value, as devices take and tell it. */
export function parameter(name: Parameter, value: number): Uint8Array {
  const { tag, bytes } = PARAMETERS[name];
  return Uint8Array.from([tag, ...(bytes === 2 ? [value >> 8, value & 0xff] : [value])]);
}

export const deviceReport = (config: Readonly<Record<string, number>>): Uint8Array =>
  Uint8Array.from(
    Object.entries(config).flatMap(([name, value]) => [...parameter(name as Parameter, value)]),
  );

function wrongIn(config: JsonObject): string[] {
  return Object.entries(config).flatMap(([name, value]) => {
    if (!isParameter(name)) return [`/${name} is no parameter; there are period and level.`];
    const most = 2 ** (8 * PARAMETERS[name].bytes) - 1;
    const isRight = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
    return isRight ? [] : [`/${name} has to be a whole number from 0 to ${most}.`];
  });
}

function encodeEach(config: JsonObject): Encoded<readonly CodecDownlink[]> {
  const errors = wrongIn(config);
  if (errors.length > 0) return { errors };
  const value = Object.entries(config as Record<Parameter, number>).map(([name, of]) => ({
    fPort: SET_FPORT,
    bytes: parameter(name as Parameter, of),
  }));
  return { value, warnings: [] };
}

function encodeAll(config: JsonObject): Encoded<readonly CodecDownlink[]> {
  const errors = wrongIn(config);
  if (errors.length > 0) return { errors };
  return {
    value: [{ fPort: SET_FPORT, bytes: deviceReport(config as Record<string, number>) }],
    warnings: [],
  };
}

function report({ bytes }: { readonly bytes: Uint8Array }): JsonObject | undefined {
  const config: Record<string, number> = {};
  for (let at = 0; at < bytes.length; ) {
    const found = Object.entries(PARAMETERS).find(([, { tag }]) => tag === bytes[at]);
    if (found === undefined) return undefined;
    const [name, { bytes: length }] = found;
    config[name] = bytes.subarray(at + 1, at + 1 + length).reduce((sum, one) => 256 * sum + one, 0);
    at += 1 + length;
  }
  return config;
}

const codec = (configuration: ConfigurationCodec): Codec => ({
  decode: () => ({}),
  configuration,
});

const common = { echoes: false, reportFPorts: [REPORT_FPORT], encode: encodeEach, report };

/** By the name of their decoder type. */
export const CONFIGURING: Readonly<Record<string, Codec>> = {
  silent: codec({ ...common, confirmation: 'downlink-sent' }),
  polite: codec({ ...common, confirmation: 'uplink-ack' }),
  echoing: codec({ ...common, confirmation: 'uplink-ack', echoes: true }),
  reporting: codec({ ...common, confirmation: 'reported-config', encode: encodeAll }),
  /** Makes a downlink of each parameter, which this strategy does not allow. */
  piecemeal: codec({ ...common, confirmation: 'reported-config' }),
};

/** The platform's decoder types of these names have these codecs. */
export function giveCodecs({ resources: { decoderType } }: Platform): void {
  const { codecOf } = decoderType;
  Object.assign(decoderType, {
    codecOf: (id: string, by: string) =>
      CONFIGURING[decoderType.get(id, by)?.Name ?? ''] ?? codecOf(id, by),
    reportsOn: (fPort: number) => fPort === REPORT_FPORT,
  });
}
