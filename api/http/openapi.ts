/** The OpenAPI documents: one for each family, and one of all. */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../reports/version.ts';
import { SECURITY, SECURITY_SCHEMES } from './auth/security-schemes.ts';
import { ERROR_SCHEMAS } from './errors.ts';
import { FAMILIES, type Family, familyOf } from './families.ts';

/** Name of the decorator that makes a document; of all: the usual name. */
const decoratorOf = (family: Family | undefined): string =>
  family === undefined ? 'swagger' : `openapi ${family.name}`;

/** Where a document is. */
export const urlOf = (family: Family | undefined): string =>
  family === undefined ? '/openapi.json' : `/openapi/${family.name}.json`;

/** Makes documents of all routes that come after it, and serves them. */
export async function addDocuments(app: FastifyInstance): Promise<void> {
  for (const schema of Object.values(ERROR_SCHEMAS)) app.addSchema(schema);
  for (const family of [undefined, ...FAMILIES]) {
    await addDocument(app, family);
    const hidden = { schema: { hide: true } };
    app.get(urlOf(family), hidden, (_request, reply) =>
      reply.serializer(JSON.stringify).send(documentOf(app, family)),
    );
  }
}

/** The document of a family, or of all, as the routes have it that stand. */
export const documentOf = (app: FastifyInstance, family?: Family): object =>
  app.getDecorator<() => object>(decoratorOf(family))();

async function addDocument(app: FastifyInstance, family: Family | undefined): Promise<void> {
  await app.register(swagger, {
    decorator: decoratorOf(family) as 'swagger',
    openapi: {
      openapi: '3.1.0',
      info: {
        title: family?.title ?? 'Fleetwave',
        version: VERSION,
        description: family?.description ?? 'The emulator: all operations that it serves.',
      },
      // Paths of a fork stand behind its own; those of the main world begin at the root.
      ...(app.worldPath === '' ? {} : { servers: [{ url: app.worldPath }] }),
      components: { securitySchemes: SECURITY_SCHEMES },
      security: SECURITY,
    },
    transformObject: (made) =>
      'openapiObject' in made ? sharing(made.openapiObject as Document) : made.swaggerObject,
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
    stripBasePath: false,
    transform: ({ schema, url }) => {
      const isOther = family !== undefined && familyOf(url) !== family;
      return { schema: isOther || schema === undefined ? { ...schema, hide: true } : schema, url };
    },
  });
}

interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: object;
}

interface Answers {
  readonly responses: Readonly<Record<string, object>>;
}

/** The errors that most operations have word for word stand once, among the components. */
function sharing(whole: Document): Document {
  const shared = sharedErrors(whole);
  const names = new Map(Object.entries(shared).map(([name, one]) => [JSON.stringify(one), name]));
  const ofOperation = (operation: unknown) => {
    const { responses } = operation as Answers;
    const told = mapValues(responses, (one) => {
      const name = names.get(JSON.stringify(one));
      return name === undefined ? one : { $ref: `#/components/responses/${name}` };
    });
    return { ...(operation as Answers), responses: told };
  };
  const paths = mapValues(whole.paths ?? {}, (methods) => mapValues(methods, ofOperation));
  return { ...whole, paths, components: { ...whole.components, responses: shared } };
}

/** Of each error's schema and status the wording that is used most, if it is used twice. */
function sharedErrors({ paths = {} }: Document): Record<string, object> {
  const uses = new Map<string, { readonly name: string; readonly one: object; count: number }>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, one] of Object.entries((operation as Answers).responses)) {
      const text = JSON.stringify(one);
      const schema = /#\/components\/schemas\/(\w+)/.exec(text)?.[1];
      const use = uses.get(text) ?? { name: `${schema}${status}`, one, count: 0 };
      if (schema !== undefined) uses.set(text, use);
      use.count++;
    }
  }
  const often = [...uses.values()].filter(({ count }) => count > 1);
  const rising = often.sort((a, b) => a.count - b.count);
  return Object.fromEntries(rising.map(({ name, one }) => [name, one]));
}

const mapValues = <From, To>(map: Readonly<Record<string, From>>, to: (value: From) => To) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, to(value)]));
