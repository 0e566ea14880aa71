/** What a codec in JavaScript declares, and whether that is right. */

import type { Json, JsonObject } from '../../sim/base/json.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { CONFIRMATIONS, type ConfigurationCodec } from './codec.ts';
import type { CodecEngine, CodecSandbox } from './engine.ts';
import { isApplicationPort } from './limits.ts';

export interface Declared {
  readonly configuration?: {
    readonly confirmation: ConfigurationCodec['confirmation'];
    readonly echoes: boolean;
    /** FPorts of uplinks that may tell a configuration. */
    readonly fPorts: readonly number[];
  };
}

export interface OpenCodec {
  readonly sandbox: CodecSandbox;
  readonly declared: Declared;
}

/** A source that is a codec, ready to be called; or what is wrong with it, and where. */
export function openCodec(
  source: string,
  engine: CodecEngine,
): Result<OpenCodec, 'decoder.invalid'> {
  const opened = engine.open(source);
  if ('wrong' in opened) {
    const { wrong, line } = opened;
    return invalid(line === null ? wrong : `line ${line}: ${wrong}`);
  }
  const { sandbox } = opened;
  if (!sandbox.functions.includes('decodeUplink')) {
    return invalid(`it has no function ${FORMS}`);
  }
  if (sandbox.configuration === undefined) return ok({ sandbox, declared: {} });
  const configuration = configurationOf(JSON.parse(sandbox.configuration) as Json, sandbox);
  return typeof configuration === 'string'
    ? invalid(`configuration: ${configuration}`)
    : ok({ sandbox, declared: { configuration } });
}

/** The forms that decode; a bundle has one in the global `driver`, or exports it. */
const FORMS =
  'decodeUplink(input), Decoder(bytes, port) or Decode(fPort, bytes, variables), by itself, ' +
  'exported, or in a global driver';

const invalid = (why: string) =>
  fail('decoder.invalid', `The codec is not right: ${why}.`, '/script');

/** What it says of configuring devices, or what is wrong with that. */
function configurationOf(given: Json, { functions }: CodecSandbox) {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return 'it has to be a map with confirmation, echoes and fPorts';
  }
  const { confirmation: word, echoes = false, fPorts = [] } = given as JsonObject;
  const confirmation = CONFIRMATIONS.find((each) => each === word);
  if (confirmation === undefined) {
    return `confirmation has to be one of ${CONFIRMATIONS.join(', ')}`;
  }
  if (typeof echoes !== 'boolean') return 'echoes has to be true or false';
  if (echoes && confirmation !== 'uplink-ack') return 'echoes is for uplink-ack alone';
  const ports = Array.isArray(fPorts) ? (fPorts as readonly Json[]) : [0];
  if (!ports.every(isApplicationPort)) return 'fPorts has to be a list of 1 to 223, or 225';
  if (!functions.includes('encodeConfiguration')) {
    return 'it needs a function encodeConfiguration(input)';
  }
  const reports = functions.includes('decodeConfiguration') && ports.length > 0;
  if (confirmation === 'reported-config' && !reports) {
    return 'reported-config needs fPorts and a function decodeConfiguration(input)';
  }
  return { confirmation, echoes, fPorts: [...new Set(ports)] };
}
