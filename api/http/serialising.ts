/**
 * Answers as JSON: what the schema of their status names, and nothing else. Serialisers are made
 * when they are first needed, since most of them are not.
 */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fastJson from 'fast-json-stringify';

type Schema = Readonly<Record<string, unknown>>;
type Serialise = (value: unknown) => string;

/** For fastify's `setSerializerCompiler`. */
export function serialiserOf(schema: Schema, checks: boolean): Serialise {
  const check = checks ? checkOf(schema) : () => undefined;
  let serialise: Serialise | undefined;
  return (value) => {
    check(value);
    serialise ??= fastJson(schema);
    return serialise(value);
  };
}

/** Throws where an answer is not of its own schema. */
function checkOf(schema: Schema): (value: unknown) => void {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= validators().compile(schema);
    if (validate(JSON.parse(JSON.stringify(value)))) return;
    const [first] = validate.errors ?? [];
    throw new Error(`an answer is not of its schema: ${first?.instancePath} ${first?.message}`);
  };
}

let ajv: Ajv2020.default | undefined;

function validators(): Ajv2020.default {
  if (ajv !== undefined) return ajv;
  ajv = new Ajv2020.default({ strict: false });
  addFormats.default(ajv);
  return ajv;
}
