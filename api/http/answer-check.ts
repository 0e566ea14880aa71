/** Answers held to their own schemas: for tests, so it is loaded where they ask for it. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { CheckOf } from './compilers.ts';

/** Throws where an answer is not of its own schema. */
export const checkOf: CheckOf = (schema) => {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= validators().compile(schema);
    if (validate(JSON.parse(JSON.stringify(value)))) return;
    const [first] = validate.errors ?? [];
    throw new Error(`an answer is not of its schema: ${first?.instancePath} ${first?.message}`);
  };
};

let ajv: Ajv2020.default | undefined;

function validators(): Ajv2020.default {
  if (ajv !== undefined) return ajv;
  ajv = new Ajv2020.default({ strict: false });
  addFormats.default(ajv);
  return ajv;
}
