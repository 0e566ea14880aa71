/** The OpenAPI documents: one for each family, and one of all. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../host/version.ts';
import { SECURITY, SECURITY_SCHEMES } from './auth/security-schemes.ts';
import { ERROR_SCHEMAS } from './errors.ts';
import { FAMILIES, type Family, familyOf } from './families.ts';

/** Name of the decorator that makes a document; the page of documents wants `swagger`. */
const decoratorOf = (family: Family | undefined): string =>
  family === undefined ? 'swagger' : `openapi ${family.name}`;

/** Where a document is. */
const urlOf = (family: Family | undefined): string =>
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
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: {
      urls: [...FAMILIES, undefined].map((family) => ({
        name: family?.title ?? 'All operations',
        url: urlOf(family),
      })),
      docExpansion: 'none',
      persistAuthorization: true,
    } as object,
  });
}

/** The document of a family, or of all, as the routes have it that stand. */
export const documentOf = (app: FastifyInstance, family?: Family): object => {
  const make = (app as unknown as Record<string, () => object>)[decoratorOf(family)];
  return make!();
};

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
      components: { securitySchemes: SECURITY_SCHEMES as never },
      security: SECURITY as never,
    },
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
    stripBasePath: false,
    transform: ({ schema, url }) => {
      const isOther = family !== undefined && familyOf(url) !== family;
      return { schema: isOther || schema === undefined ? { ...schema, hide: true } : schema, url };
    },
  });
}
