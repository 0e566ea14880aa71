/**
 * The page of operations. It is made when somebody opens it: most emulators are started and never
 * show it, and what it is made of takes a tenth of a start.
 */
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FAMILIES } from './families.ts';
import { apiDocument, urlOf } from './openapi.ts';

const PREFIX = '/docs';

/** Where the page takes a code, below the emulator's own address. */
export const DOCS_REDIRECT = `${PREFIX}/static/oauth2-redirect.html`;

/** Nothing is loaded from elsewhere, and no other page may frame this one. */
const POLICY = [
  "default-src 'none'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "script-src 'self'",
  // Swagger UI sets styles of single elements.
  "style-src 'self' 'unsafe-inline'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="170" height="40"><text x="0" y="28" ' +
  'font-family="sans-serif" font-size="26" fill="#fff">Fleetwave</text></svg>';

/** `makeEmpty` creates a server without routes, for the page alone. */
export function addDocsPage(app: FastifyInstance, makeEmpty: () => FastifyInstance): void {
  let page: Promise<FastifyInstance> | undefined;
  const show = async ({ raw }: FastifyRequest, reply: FastifyReply) => {
    page ??= apiDocument(app).then((document) => makePage(makeEmpty(), document));
    const { routing } = await page;
    reply.hijack();
    routing(raw, reply.raw);
  };
  for (const url of [PREFIX, `${PREFIX}/*`]) app.get(url, { schema: { hide: true } }, show);
  app.addHook('onClose', async () => (await page)?.close());
}

async function makePage(page: FastifyInstance, document: object): Promise<FastifyInstance> {
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  page.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('content-security-policy', POLICY);
    reply.header('x-frame-options', 'DENY');
    done();
  });
  await page.register(swagger, { mode: 'static', specification: { document: document as never } });
  await page.register(swaggerUi, {
    routePrefix: PREFIX,
    indexPrefix: page.worldPath,
    logo: { type: 'image/svg+xml', content: LOGO, href: page.worldPath + PREFIX, target: '_self' },
    theme: { title: 'Fleetwave: operations' },
    initOAuth: { usePkceWithAuthorizationCodeGrant: true },
    uiConfig: {
      urls: [...FAMILIES, undefined].map((family) => ({
        name: family?.title ?? 'All operations',
        url: page.worldPath + urlOf(family),
      })),
      docExpansion: 'list',
      persistAuthorization: true,
    } as object,
  });
  await page.ready();
  return page;
}
