/** The operations of an OpenAPI document, as cases and laws need them. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { inlined } from '../../support/inlined-schemas.ts';

export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly needsToken: boolean;
  readonly params: readonly Parameter[];
  readonly body: { readonly media: string; readonly schema: Schema } | undefined;
  /** Schema by media type by status; null where there is no body. */
  readonly answers: ReadonlyMap<number, ReadonlyMap<string, Schema>>;
}

/**
 * What reports of the requests themselves, so that each of them changes it: no refusal leaves it as
 * it was.
 */
export const OF_REQUESTS: readonly string[] = ['session.get', 'request.list', 'coverage.get'];

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Response;
  readonly responses: Readonly<Record<string, Response & { readonly $ref?: string }>>;
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** With schemas inline: references are resolved. */
export function operationsOf(given: OpenApi): readonly Operation[] {
  const document = inlined(given);
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => operationOf(document, path, method, each)),
  );
}

function operationOf(
  document: OpenApi,
  path: string,
  method: string,
  documented: DocumentedOperation,
): Operation {
  const { operationId, security, parameters = [], requestBody, responses } = documented;
  const [body] = Object.entries(requestBody?.content ?? {});
  const answers = Object.entries(responses).map(([status, response]) => {
    const shared = response.$ref?.split('/').at(-1);
    const { content = {} } = shared ? document.components.responses[shared]! : response;
    const schemas = Object.entries(content).map(([media, { schema }]) => [media, schema] as const);
    return [Number(status), new Map(schemas)] as const;
  });
  return {
    id: operationId,
    method: method.toUpperCase() as Operation['method'],
    path,
    needsToken: security?.length !== 0,
    params: parameters,
    body: body && { media: body[0], schema: body[1].schema },
    answers: new Map(answers),
  };
}

/** Judges values by schemas of one document, each compiled once. */
export class Judge {
  readonly #ajv = new Ajv2020.default({ strict: false, allErrors: false });
  readonly #known = new Map<Schema, ValidateFunction>();

  constructor({ components }: OpenApi) {
    addFormats.default(this.#ajv);
    for (const [name, schema] of Object.entries(components.schemas)) {
      this.#ajv.addSchema(schema, `#/components/schemas/${name}`);
    }
  }

  /** What is wrong with a value; undefined: it is of the schema. */
  fault(schema: Schema, value: unknown): string | undefined {
    let validate = this.#known.get(schema);
    if (validate === undefined) this.#known.set(schema, (validate = this.#ajv.compile(schema)));
    if (validate(value)) return undefined;
    const [first] = validate.errors ?? [];
    return `${first?.instancePath} ${first?.message}`;
  }
}
