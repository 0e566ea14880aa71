/**
 * Named components of an OpenAPI document: request and response bodies, records that recur in
 * them, and errors of the same wording, each once. Operations refer to them.
 *
 * Names follow from the operations and fields that use a schema, in the order of the document, so
 * the same routes have the same names.
 */

type Json = { readonly [key: string]: unknown };

interface Content {
  readonly [media: string]: { readonly schema?: Json };
}

/** In full, or a reference. */
export type Parameter = Json & { readonly name?: string; readonly $ref?: string };

export interface OperationObject extends Json {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Json & { readonly content: Content };
  readonly responses: Readonly<Record<string, Json & { readonly content?: Content }>>;
}

export interface OpenApiDocument extends Json {
  readonly tags?: readonly { readonly name: string }[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components?: Json & { readonly schemas?: Json };
}

/** The same document, with components in the place of copies. */
export function withComponents(document: OpenApiDocument): OpenApiDocument {
  const reserved = Object.keys(document.components?.schemas ?? {});
  const schemas = new SharedSchemas(operationsOf(document), reserved);
  const paths = mapValues(document.paths ?? {}, (methods) =>
    mapValues(methods, (operation) => schemas.operation(operation)),
  );
  const components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...schemas.components() },
  };
  return withSharedParameters(withSharedErrors({ ...document, paths, components }));
}

/** Where a record is used: as a whole body, or in a field of another one. */
interface Use {
  readonly body?: { readonly operation: string; readonly isRequest: boolean };
  /** Name of the field; of the field with the list where the record is an entry. */
  readonly field: string;
  /** Key of the record that has the field. */
  readonly within: string | undefined;
}

class SharedSchemas {
  readonly #uses = new Map<string, Use[]>();
  readonly #schemas = new Map<string, Json>();
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;

  constructor(operations: readonly OperationObject[], reserved: readonly string[]) {
    this.#taken = new Set(reserved);
    for (const operation of operations) {
      for (const { schema, isRequest } of bodiesOf(operation)) {
        const body = { operation: operation.operationId, isRequest };
        this.#note(coreOf(schema).core, { body, field: '', within: undefined });
      }
    }
    // Bodies come first: a record in a list has the name of the operation that reads one.
    const all = [...this.#uses];
    const ofBodies = all.filter(([, uses]) => uses.some(({ body }) => body !== undefined));
    for (const [key, uses] of ofBodies) {
      this.#name(key, bodyNames(uses, Object.keys(this.#schemas.get(key)?.properties ?? {})));
    }
    for (const [key, uses] of all) {
      if (uses.length > 1 && !this.#names.has(key))
        this.#name(key, this.#fieldNames(mostFrequent(uses)));
    }
  }

  operation(operation: OperationObject): OperationObject {
    const content = (given: Content) =>
      mapValues(given, (media) =>
        media.schema === undefined
          ? media
          : { ...media, schema: this.#bodyReference(media.schema) },
      );
    const { requestBody, responses } = operation;
    return {
      ...operation,
      ...(requestBody && {
        requestBody: { ...requestBody, content: content(requestBody.content) },
      }),
      responses: mapValues(responses, (response) =>
        response.content === undefined
          ? response
          : { ...response, content: content(response.content) },
      ),
    };
  }

  components(): Json {
    const named = [...this.#names].sort(([, a], [, b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
      named.map(([key, name]) => [name, this.#inner(this.#schemas.get(key)!)]),
    );
  }

  /** Counts the uses of a record, and of those in it where it is met for the first time. */
  #note(core: Json, use: Use): void {
    const key = JSON.stringify(core);
    const uses = this.#uses.get(key);
    if (uses !== undefined) {
      uses.push(use);
      return;
    }
    this.#uses.set(key, [use]);
    this.#schemas.set(key, core);
    this.#noteWithin(core, { field: use.field, within: key });
  }

  #noteWithin(schema: Json, use: Use): void {
    for (const { inner, field } of partsOf(schema)) {
      const at = { ...use, field: field ?? use.field };
      const { core } = coreOf(inner);
      if (isNameable(core)) this.#note(core, at);
      else this.#noteWithin(core, at);
    }
  }

  #name(key: string, candidates: readonly string[]): void {
    const all = [...candidates, ...numbered(candidates[0]!)];
    const name = all.find((each) => !this.#taken.has(each))!;
    this.#taken.add(name);
    this.#names.set(key, name);
  }

  #fieldNames({ field, within }: Use): readonly string[] {
    const outer = within === undefined ? undefined : this.#outerName(within);
    const name = field === '' ? `${outer}Entry` : pascal(singular(field));
    return outer === undefined ? [name] : [name, `${outer}${name}`];
  }

  /** Name of the nearest component around a record. */
  #outerName(key: string): string | undefined {
    const named = this.#names.get(key);
    if (named !== undefined) return named;
    const within = this.#uses.get(key)?.[0]?.within;
    return within === undefined ? undefined : this.#outerName(within);
  }

  #bodyReference(schema: Json): Json {
    const { core, isNullable } = coreOf(schema);
    const name = this.#names.get(JSON.stringify(core));
    return name === undefined ? schema : reference(name, isNullable, {});
  }

  /** A schema with references in the place of named records in it. */
  #shared(schema: Json): Json {
    const { core, isNullable, about } = coreOf(schema);
    const name = isNameable(core) ? this.#names.get(JSON.stringify(core)) : undefined;
    return name === undefined ? this.#inner(schema) : reference(name, isNullable, about);
  }

  #inner(schema: Json): Json {
    const shared = (inner: unknown) =>
      typeof inner === 'object' && inner !== null ? this.#shared(inner as Json) : inner;
    return Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => {
        if (keyword === 'properties') return [keyword, mapValues(value as Json, shared)];
        if (keyword === 'anyOf') return [keyword, (value as readonly Json[]).map(shared)];
        return [keyword, IN_SCHEMAS.includes(keyword) ? shared(value) : value];
      }),
    );
  }
}

const IN_SCHEMAS = ['items', 'additionalProperties'];

/** Request and response bodies that are objects or lists; errors have components already. */
function bodiesOf({ requestBody, responses }: OperationObject) {
  const of = (content: Content | undefined, isRequest: boolean) =>
    Object.values(content ?? {}).flatMap(({ schema }) =>
      schema !== undefined && isStructured(schema) ? [{ schema, isRequest }] : [],
    );
  return [
    ...of(requestBody?.content, true),
    ...Object.values(responses).flatMap(({ content }) => of(content, false)),
  ];
}

const isStructured = ({ type, anyOf }: Json): boolean =>
  anyOf !== undefined || [type].flat().some((each) => each === 'object' || each === 'array');

const isRecord = ({ type, properties }: Json): boolean =>
  type === 'object' && properties !== undefined;

/** Enumerations and patterns with longer text are components, too. */
const LONG_VALUE = 56;

const isNameable = (core: Json): boolean =>
  isRecord(core) ||
  ((core.enum ?? core.pattern) !== undefined && JSON.stringify(core).length > LONG_VALUE);

/** Keywords that are about the use of a schema, not about what it holds. */
const ABOUT = ['description', 'default'];

/** What a schema holds, without what is said of its use. */
function coreOf(schema: Json) {
  const entries = Object.entries(schema);
  const about = Object.fromEntries(entries.filter(([keyword]) => ABOUT.includes(keyword)));
  const { type } = schema;
  const isNullable = Array.isArray(type) && type[0] === 'object' && type[1] === 'null';
  const stored = entries.filter(([keyword]) => !ABOUT.includes(keyword));
  const rest = Object.fromEntries(stored);
  const core: Json = isNullable ? { ...rest, type: (type as readonly unknown[])[0] } : rest;
  return { core, isNullable, about };
}

/** The schemas in a schema, and the names of the fields that they are of. */
function partsOf(schema: Json): readonly { readonly inner: Json; readonly field?: string }[] {
  const { properties = {}, anyOf = [] } = schema as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly anyOf?: readonly Json[];
  };
  const single = IN_SCHEMAS.map((keyword) => schema[keyword]).filter(
    (each) => typeof each === 'object' && each !== null,
  ) as Json[];
  return [
    ...Object.entries(properties).map(([field, inner]) => ({ inner, field })),
    ...[...anyOf, ...single].map((inner) => ({ inner })),
  ];
}

function reference(name: string, isNullable: boolean, about: Json): Json {
  const $ref = `#/components/schemas/${name}`;
  return { ...(isNullable ? { anyOf: [{ $ref }, { type: 'null' }] } : { $ref }), ...about };
}

/** The first use of those in the field that most uses are in. */
function mostFrequent(uses: readonly Use[]): Use {
  const count = ({ field }: Use) => uses.filter((each) => each.field === field).length;
  return uses.reduce((best, each) => (count(each) > count(best) ? each : best));
}

/** `Gateway` for what several operations on gateways answer, `GatewayListResponse` for one. */
function bodyNames(uses: readonly Use[], fields: readonly string[]): readonly string[] {
  const bodies = uses.flatMap(({ body }) => body ?? []);
  const { operation, isRequest } = bodies[0]!;
  const nouns = new Set(bodies.map((each) => each.operation.split('.')[0]!));
  const [noun] = nouns;
  const kind = isRequest ? 'Request' : 'Response';
  const own = `${pascal(operation)}${kind}`;
  // Several resources answer the same: `IdResponse`.
  if (nouns.size > 1 && fields.length === 1) return [`${pascal(fields[0]!)}${kind}`, own];
  const isOne = bodies.some((each) => each.operation.endsWith('.get'));
  const isOfNoun = nouns.size === 1 && (bodies.length > 1 || isOne);
  return isOfNoun ? [`${pascal(noun!)}${isRequest ? kind : ''}`, own] : [own];
}

const numbered = (name: string) => Array.from({ length: 99 }, (_, i) => `${name}${i + 2}`);

const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const singular = (name: string): string =>
  name
    .replace(/(?<=.)List$/, '')
    .replace(/ies$/, 'y')
    .replace(/(?<=[^su])s$/, '');

// ── errors ───────────────────────────────────────────────────────────────────────────────────────

/** The errors that most operations have word for word stand once, among the components. */
function withSharedErrors(whole: OpenApiDocument): OpenApiDocument {
  const shared = sharedErrors(whole);
  const names = new Map(Object.entries(shared).map(([name, one]) => [JSON.stringify(one), name]));
  const ofOperation = (operation: OperationObject): OperationObject => ({
    ...operation,
    responses: mapValues(operation.responses, (one) => {
      const name = names.get(JSON.stringify(one));
      return name === undefined ? one : { $ref: `#/components/responses/${name}` };
    }),
  });
  const paths = mapValues(whole.paths ?? {}, (methods) => mapValues(methods, ofOperation));
  return { ...whole, paths, components: { ...whole.components, responses: shared } };
}

/**
 * Errors that several operations have in the same words, by name: `Problem404` for the wording that
 * most have, and with the first code of the others: `Problem404SnapshotUnknown`.
 */
function sharedErrors(whole: OpenApiDocument): Json {
  const uses = new Map<string, { readonly name: string; readonly one: Json; count: number }>();
  for (const { responses } of operationsOf(whole)) {
    for (const [status, one] of Object.entries(responses).filter(([each]) => each >= '4')) {
      const text = JSON.stringify(one);
      const [, schema = ''] = /#\/components\/schemas\/(\w+)/.exec(text) ?? [];
      const name = `${schema.replace(/(Service)?Error$/, '')}${status}`;
      const use = uses.get(text) ?? { name, one, count: 0 };
      uses.set(text, use);
      use.count++;
    }
  }
  const often = [...uses.values()].filter(({ count }) => count > 1);
  const shared: Record<string, Json> = {};
  for (const { name, one } of often.sort((a, b) => b.count - a.count)) {
    const [, code = ''] = /`([^`]+)`/.exec(String(one.description)) ?? [];
    const candidates = [name, `${name}${pascal(code)}`, ...numbered(`${name}${pascal(code)}`)];
    shared[candidates.find((each) => !Object.hasOwn(shared, each))!] = one;
  }
  return shared;
}

// ── parameters ───────────────────────────────────────────────────────────────────────────────────

/** Parameters that several operations have stand once, among the components. */
function withSharedParameters(whole: OpenApiDocument): OpenApiDocument {
  const uses = new Map<string, { readonly resource: string; readonly one: Parameter; n: number }>();
  for (const { tags: [resource = ''] = [], parameters = [] } of operationsOf(whole)) {
    for (const one of parameters) {
      const text = JSON.stringify(one);
      const use = uses.get(text) ?? { resource, one, n: 0 };
      uses.set(text, use);
      use.n++;
    }
  }
  const shared: Record<string, Parameter> = {};
  const names = new Map<string, string>();
  for (const [text, { resource, one }] of [...uses].filter(([, { n }]) => n > 1)) {
    const name = pascal(one.name!);
    const candidates = [name, `${pascal(resource)}${name}`, ...numbered(name)];
    const free = candidates.find((each) => !Object.hasOwn(shared, each))!;
    shared[free] = one;
    names.set(text, free);
  }
  const ofOperation = ({ parameters, ...operation }: OperationObject): OperationObject => ({
    ...operation,
    ...(parameters && {
      parameters: parameters.map((one) => {
        const name = names.get(JSON.stringify(one));
        return name === undefined ? one : { $ref: `#/components/parameters/${name}` };
      }),
    }),
  });
  const paths = mapValues(whole.paths ?? {}, (methods) => mapValues(methods, ofOperation));
  return { ...whole, paths, components: { ...whole.components, parameters: shared } };
}

// ── parts of a document ──────────────────────────────────────────────────────────────────────────

type AllComponents = Readonly<Record<string, Json>>;

/** The document of some paths: those, and the components that they refer to. */
export function partOf(whole: OpenApiDocument, has: (path: string) => boolean): OpenApiDocument {
  const paths = Object.fromEntries(Object.entries(whole.paths ?? {}).filter(([path]) => has(path)));
  const { schemas = {}, responses = {}, parameters = {} } = whole.components as AllComponents;
  const all: AllComponents = { schemas, responses, parameters };
  const used = new Set<string>();
  const follow = (from: unknown): void => {
    for (const [, kind, name] of JSON.stringify(from).matchAll(REFERENCE)) {
      if (used.has(`${kind}/${name}`)) continue;
      used.add(`${kind}/${name}`);
      follow(all[kind!]![name!]);
    }
  };
  follow(paths);
  const stored = mapValues(all, (components, kind) =>
    Object.fromEntries(Object.entries(components).filter(([name]) => used.has(`${kind}/${name}`))),
  );
  const tags = new Set(operationsOf({ paths }).flatMap((each) => each.tags ?? []));
  return {
    ...whole,
    tags: (whole.tags ?? []).filter(({ name }) => tags.has(name)),
    paths,
    components: { ...whole.components, ...stored },
  };
}

const REFERENCE = /"\$ref":"#\/components\/(schemas|responses|parameters)\/(\w+)"/g;

const operationsOf = ({ paths = {} }: OpenApiDocument): readonly OperationObject[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

export const mapValues = <From, To>(
  map: Readonly<Record<string, From>>,
  to: (value: From, key: string) => To,
) => Object.fromEntries(Object.entries(map).map(([key, value]) => [key, to(value, key)]));
