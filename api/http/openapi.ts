/** The OpenAPI documents: one of all operations, and one for each family with a part of that. */
import { setImmediate } from 'node:timers/promises';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../reports/version.ts';
import { SECURITY, SECURITY_SCHEMES } from './auth/security-schemes.ts';
import { ERROR_SCHEMAS } from './errors.ts';
import { FAMILIES, type Family, familyOf } from './families.ts';
import { type OpenApiDocument, partOf } from './openapi-components.ts';
import { tagsOf } from './tags.ts';

/** Where a document is. */
export const urlOf = (family: Family | undefined): string =>
  family === undefined ? '/openapi.json' : `/openapi/${family.name}.json`;

/** Describes all routes that are added after it, and serves the documents. */
export async function addDocuments(app: FastifyInstance): Promise<void> {
  for (const schema of Object.values(ERROR_SCHEMAS)) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Fleetwave',
        version: VERSION,
        description: 'The emulator: all operations that it serves.',
      },
      // Paths of a fork stand behind its own; those of the main world begin at the root.
      servers: [{ url: app.worldPath || '/', description: 'Where this document is served.' }],
      tags: tagsOf(FAMILIES.flatMap(({ routes }) => routes)),
      components: { securitySchemes: SECURITY_SCHEMES },
      security: SECURITY,
    },
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
    stripBasePath: false,
  });
  for (const family of [undefined, ...FAMILIES]) {
    app.get(urlOf(family), { schema: { hide: true } }, async (_request, reply) => {
      const document = await apiDocument(app, family);
      return await reply.serializer(JSON.stringify).send(document);
    });
  }
}

const wholeDocuments = new WeakMap<FastifyInstance, Promise<OpenApiDocument>>();

/**
 * The document of a family, or of all. Made at the first request, as most emulators are never
 * asked for it, and cached by server.
 */
export async function apiDocument(app: FastifyInstance, family?: Family): Promise<OpenApiDocument> {
  const created = wholeDocuments.get(app) ?? wholeDocument(app);
  wholeDocuments.set(app, created);
  const whole = await created;
  if (family === undefined) return whole;
  const { title, description } = family;
  const part = partOf(whole, (path) => familyOf(path) === family);
  return { ...part, info: { ...(whole.info as object), title, description } };
}

async function wholeDocument(app: FastifyInstance): Promise<OpenApiDocument> {
  const { withComponents } = await import('./openapi-components.ts');
  const { withExamples } = await import('./openapi-examples.ts');
  // Each part of it takes up to a tenth of a second; other requests are answered in between.
  await otherRequests();
  const described = app.swagger() as unknown as OpenApiDocument;
  await otherRequests();
  const parts = withComponents(described);
  await otherRequests();
  return withExamples(parts);
}

/** The first ends the turn of the event loop that runs now; the second lets it look for input. */
async function otherRequests(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
