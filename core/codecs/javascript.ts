/**
 * Codecs that somebody wrote in JavaScript, in the form of the LoRa Alliance's payload codec API
 * (TS013): `decodeUplink` and `encodeDownlink`. Those that configure devices declare how, in a form
 * of our own (docs/codecs.md). What a script answers is read here; it is no more than text.
 */

import { toHex } from '../../sim/base/bytes.ts';
import type { Json, JsonObject } from '../../sim/base/json.ts';
import { isJsonObject, MOST_JSON, parseJson } from '../../sim/base/json.ts';
import type { Codec, CodecDownlink, CodecUplink, ConfigurationCodec, Encoded } from './codec.ts';
import type { Declared } from './declared.ts';
import type { CodecFunction, CodecSandbox } from './engine.ts';
import { isApplicationPort, MOST_PAYLOAD } from './limits.ts';
import type { StepBudget } from './step-budget.ts';

/** Of a name: 32 random bits for a counter, a pure function of both and of the world's seed. */
export type CodecRandom = (name: string) => (counter: number) => number;

export function javaScriptCodec(
  sandbox: CodecSandbox,
  { configuration }: Declared,
  random: CodecRandom,
): Codec {
  const calls = new Calls(sandbox, random);
  return {
    decode: (uplink, budget) => decode(calls, uplink, budget),
    ...(sandbox.functions.includes('encodeDownlink') && {
      encode: (data, fPort) => encodeDownlink(calls, data, fPort),
    }),
    ...(configuration !== undefined && {
      configuration: configurationCodec(calls, configuration, sandbox.functions),
    }),
  };
}

function decode(calls: Calls, uplink: CodecUplink, budget: StepBudget | undefined): JsonObject {
  const answer = calls.ofUplink('decodeUplink', uplink, inputOf(uplink), budget);
  if (answer.errors.length > 0) return { errors: answer.errors };
  const data = dataOf(answer.fields);
  if (!isJsonObject(data))
    return { errors: ['codec: decodeUplink answers neither data nor errors'] };
  return { data, ...(answer.warnings.length > 0 && { warnings: answer.warnings }) };
}

/** A map with no field of TS013 is the data itself, as drivers of ThingPark answer it. */
function dataOf(fields: JsonObject): Json | undefined {
  const isBare = !['data', 'warnings', 'errors'].some((each) => each in fields);
  return isBare && Object.keys(fields).length > 0 ? fields : fields.data;
}

function encodeDownlink(
  calls: Calls,
  data: JsonObject,
  fPort: number | undefined,
): Encoded<CodecDownlink> {
  const input = { data, ...(fPort !== undefined && { fPort }) };
  const { fields, warnings, errors } = calls.ofData('encodeDownlink', input);
  if (errors.length > 0) return { errors };
  const downlink = downlinkOf(fields, fPort);
  return typeof downlink === 'string' ? { errors: [downlink] } : { value: downlink, warnings };
}

// ── configuration ────────────────────────────────────────────────────────────────────────────────

/** Most fragments of a configuration. */
const MOST_FRAGMENTS = 64;

function configurationCodec(
  calls: Calls,
  { confirmation, echoes, fPorts }: NonNullable<Declared['configuration']>,
  functions: readonly CodecFunction[],
): ConfigurationCodec {
  return {
    confirmation,
    echoes,
    reportFPorts: fPorts,
    encode(config) {
      const { fields, warnings, errors } = calls.ofData('encodeConfiguration', { config });
      if (errors.length > 0) return { errors };
      const fragments = fragmentsOf(fields.fragments);
      if (typeof fragments === 'string') return { errors: [fragments] };
      return { value: fragments, warnings };
    },
    report(uplink) {
      if (!functions.includes('decodeConfiguration')) return undefined;
      const { fields, errors } = calls.ofUplink('decodeConfiguration', uplink, inputOf(uplink));
      return errors.length === 0 && isJsonObject(fields.config) ? fields.config : undefined;
    },
    ...(echoes && {
      isEcho: functions.includes('isEcho')
        ? (uplink, { fPort, bytes }) => {
            const fragment = { fPort, bytes: [...bytes] };
            const input = { uplink: inputOf(uplink), fragment };
            return calls.ofUplink('isEcho', uplink, input).value === true;
          }
        : repeats,
    }),
  };
}

/** It has the same payload on the same port. */
const repeats = (uplink: CodecUplink, { fPort, bytes }: CodecDownlink): boolean =>
  uplink.fPort === fPort && toHex(uplink.bytes) === toHex(bytes);

function fragmentsOf(list: Json | undefined): readonly CodecDownlink[] | string {
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_FRAGMENTS) {
    return `codec: encodeConfiguration has to answer 1 to ${MOST_FRAGMENTS} fragments`;
  }
  const fragments: CodecDownlink[] = [];
  for (const each of list as readonly Json[]) {
    const fragment = isJsonObject(each)
      ? downlinkOf(each, undefined)
      : 'codec: a fragment is no map';
    if (typeof fragment === 'string') return fragment;
    fragments.push(fragment);
  }
  return fragments;
}

// ── what is given and answered ───────────────────────────────────────────────────────────────────

const inputOf = ({ bytes, fPort, recvTimeMs }: CodecUplink) => ({
  bytes: Array.from(bytes),
  fPort,
  recvTime: recvTimeMs,
});

/** A downlink that a script answers, or what is wrong with it. */
function downlinkOf(fields: JsonObject, asked: number | undefined): CodecDownlink | string {
  const { fPort = asked, bytes } = fields;
  if (!isApplicationPort(fPort)) return 'codec: its fPort has to be 1 to 223, or 225';
  const isRight =
    Array.isArray(bytes) &&
    bytes.length <= MOST_PAYLOAD &&
    (bytes as readonly Json[]).every(isByte);
  if (!isRight)
    return `codec: its bytes have to be a list of 0 to ${MOST_PAYLOAD} numbers, 0 to 255`;
  return { fPort, bytes: Uint8Array.from(bytes as readonly number[]) };
}

const isByte = (value: Json): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

/** What a call answered; what went wrong is among its errors. */
interface Answer {
  readonly value: Json | undefined;
  /** Of a map. */
  readonly fields: JsonObject;
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

class Calls {
  readonly #sandbox: CodecSandbox;
  readonly #random: CodecRandom;

  constructor(sandbox: CodecSandbox, random: CodecRandom) {
    this.#sandbox = sandbox;
    this.#random = random;
  }

  /** About an uplink, at the instant when it was received. */
  ofUplink(called: CodecFunction, uplink: CodecUplink, input: object, budget?: StepBudget): Answer {
    if (budget?.isSpent === true) return failed(BUDGET_SPENT);
    const name = `${uplink.devEui} ${uplink.fCntUp}`;
    return this.#call(called, input, uplink.recvTimeMs, name, true, budget);
  }

  /** About what somebody gives: no time has a say in it. */
  ofData(called: CodecFunction, input: object): Answer {
    return this.#call(called, input, 0, '', false);
  }

  #call(
    called: CodecFunction,
    input: object,
    nowMs: number,
    name: string,
    dates: boolean,
    budget?: StepBudget,
  ): Answer {
    const word = this.#random(name);
    const randomSource = [word(0), word(1), word(2), word(3)] as const;
    const outcome = this.#sandbox.call(called, {
      input: JSON.stringify(input),
      nowMs,
      random: randomSource,
      dates,
    });
    budget?.count(this, outcome.steps, this.#sandbox.loadSteps);
    if ('fault' in outcome) return failed(`codec: ${wellFormed(outcome.fault)}`);
    return outcome.text === undefined ? NOTHING : read(outcome.text);
  }
}

const BUDGET_SPENT = 'codec: this answer has used up its steps; ask for fewer payloads at once';

const NOTHING: Answer = { value: undefined, fields: {}, warnings: [], errors: [] };
const failed = (error: string): Answer => ({ ...NOTHING, errors: [error] });

function read(text: string): Answer {
  const value = parseJson(text);
  if (value === undefined) {
    const { values, depth } = MOST_JSON;
    return failed(
      `codec: its answer has to be well-formed, of ${values} values at most, ${depth} deep`,
    );
  }
  if (!isJsonObject(value)) return { ...NOTHING, value };
  const { warnings, errors } = value;
  return { value, fields: value, warnings: textsOf(warnings), errors: textsOf(errors) };
}

/** A list of texts, which sloppy codecs give as one. */
function textsOf(value: Json | undefined): readonly string[] {
  if (value === undefined || value === null || value === '' || value === false) return [];
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return list.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
}

/** Halves of pairs have no bytes in UTF-8. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');
