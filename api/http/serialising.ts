/**
 * Answers as JSON: what the schema of their status names, and nothing else. Serialisers are made
 * when they are first needed, since most of them are not.
 */
import fastJson from 'fast-json-stringify';

export type Schema = Readonly<Record<string, unknown>>;
/** Throws where it is not content. */
export type Check = (value: unknown) => void;
type Serialise = (value: unknown) => string;

/** For fastify's `setSerializerCompiler`. */
export function serialiserOf(schema: Schema, check?: Check): Serialise {
  let serialise: Serialise | undefined;
  return (value) => {
    check?.(value);
    serialise ??= fastJson(schema);
    return serialise(value);
  };
}
