/** The OpenAPI documents: what is served is what is checked in, whole and by family. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../api/emulator.ts';
import { DOCS_REDIRECT } from '../../api/http/docs-page.ts';
import { FAMILIES } from '../../api/http/families.ts';
import { OPENAPI_FILE } from '../support/openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: object;
    readonly responses: Readonly<Record<string, object>>;
  };
  readonly security: readonly object[];
}

describe('the OpenAPI documents', () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ http: true, paused: true });
  });
  afterAll(async () => await emulator.stop());

  const served = async (path: string): Promise<Document> =>
    (await (await fetch(emulator.url + path)).json()) as Document;
  const operations = ({ paths }: Document) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => ({ path, method, ...each })),
    );

  it('serve what docs/openapi.json has; `npm run openapi` writes it', async () => {
    const text = `${JSON.stringify(await served('/openapi.json'), null, 2)}\n`;
    expect(text).toBe(readFileSync(OPENAPI_FILE, 'utf8'));
  });

  it('are of OpenAPI 3.1, and name both security schemes for every operation', async () => {
    const whole = await served('/openapi.json');
    expect(whole.openapi).toBe('3.1.0');
    expect(Object.keys(whole.components.securitySchemes)).toEqual([
      'OAuth2AuthorizationCodeBearer',
      'HTTPBearer',
    ]);
    expect(whole.security).toHaveLength(2);
    const open = operations(whole).filter(({ security }) => security !== undefined);
    expect(open.map(({ operationId }) => operationId)).toEqual(['version.get', 'health.get']);
  });

  it('have each route of the tables once, and no other', async () => {
    const whole = operations(await served('/openapi.json'));
    const routes = FAMILIES.flatMap(({ prefix, routes }) =>
      routes.map(({ method, url }) => `${method} ${prefix}${url}`),
    );
    expect(whole.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
      [...routes].sort(),
    );
    expect(new Set(whole.map(({ operationId }) => operationId)).size).toBe(routes.length);
  });

  it('have by family what the whole one has', async () => {
    // Errors that are often worded alike stand apart, in each document those that it has.
    const pathsAt = async (url: string) => {
      const { paths, components } = await served(url);
      return JSON.parse(JSON.stringify(paths), (_, value) => {
        const name = /^#\/components\/responses\/(\w+)$/.exec(value?.$ref ?? '')?.[1];
        return name === undefined ? value : components.responses[name];
      });
    };
    const parts = await Promise.all(
      FAMILIES.map(async ({ name }) => await pathsAt(`/openapi/${name}.json`)),
    );
    expect(Object.assign({}, ...parts)).toEqual(await pathsAt('/openapi.json'));
  });

  it('take no knob of scenario files', async () => {
    const taken = operations(await served('/openapi.json')).map(({ requestBody }) => requestBody);
    const text = JSON.stringify(taken);
    expect(text).toContain('redundancy');
    const knobs = 'frag_size gateway_timing multicastSession multicastDataRate pingSlotPeriodicity';
    for (const knob of knobs.split(' ')) {
      expect(text).not.toContain(knob);
    }
  });

  it('are shown on a page', async () => {
    const page = await fetch(`${emulator.url}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    const script = await fetch(`${emulator.url}/docs/static/swagger-ui-bundle.js`);
    expect(script.status).toBe(200);
  });
});

describe('the page of operations', () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ http: true, paused: true });
  });
  afterAll(async () => await emulator.stop());

  const page = (path: string, options?: RequestInit) => fetch(emulator.url + path, options);

  it('is there for all who open it at the same time, with a document of each family', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => page('/docs')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await answers[0]!.text()).toContain('Fleetwave: operations');
    const script = await (await page('/docs/static/swagger-initializer.js')).text();
    for (const { name } of FAMILIES) expect(script).toContain(`/openapi/${name}.json`);
    expect(script).toContain('/openapi.json');
  });

  it('has the place where a code is taken', async () => {
    expect((await page(DOCS_REDIRECT)).status).toBe(200);
  });

  it('loads nothing from elsewhere, and no other page may show it', async () => {
    for (const path of ['/docs', '/docs/static/oauth2-redirect.html']) {
      const { headers } = await page(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; connect-src 'self'; img-src 'self' data:; script-src 'self'; " +
          "style-src 'self' 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; " +
          "base-uri 'none'",
      );
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
  });

  it('answers and refuses as all else does', async () => {
    const missing = await page('/docs/none');
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ code: 'path.unknown', instance: '/docs/none' });
    expect((await page('/docs', { method: 'POST' })).status).toBe(404);
    const { status, headers } = await page('/docs', { method: 'HEAD' });
    expect(status).toBe(200);
    for (const name of ['x-sim-time', 'date', 'x-content-type-options']) {
      expect(headers.get(name)).toBe(missing.headers.get(name));
      expect(headers.get(name)).not.toBeNull();
    }
  });
});
