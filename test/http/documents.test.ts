/** The OpenAPI documents: what is served is what is checked in, whole and by family. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../api/emulator.ts';
import { DOCS_REDIRECT } from '../../api/http/docs-page.ts';
import { FAMILIES } from '../../api/http/families.ts';
import { EXAMPLES } from '../../api/http/generated/examples.ts';
import { documentText, OPENAPI_FILE } from '../support/openapi.ts';
import { Judge, type OpenApi, operationsOf } from './fuzz/document.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: object;
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, object>>;
    readonly parameters: Readonly<Record<string, object>>;
  };
  readonly security: readonly object[];
}

const REFERENCE = /#\/components\/(\w+)\/(\w+)/g;

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
    const text = documentText(await served('/openapi.json'));
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
    const whole = await served('/openapi.json');
    const parts = await Promise.all(
      FAMILIES.map(async ({ name }) => await served(`/openapi/${name}.json`)),
    );
    expect(Object.assign({}, ...parts.map(({ paths }) => paths))).toEqual(whole.paths);
    for (const kind of ['schemas', 'responses', 'parameters'] as const) {
      const named = Object.assign({}, ...parts.map(({ components }) => components[kind]));
      expect(named).toEqual(whole.components[kind]);
    }
    for (const { paths, components } of parts) {
      const text = JSON.stringify([paths, components]);
      for (const [, kind, name] of text.matchAll(REFERENCE)) {
        expect(components[kind as 'schemas']).toHaveProperty([name!]);
      }
    }
  });

  it('name their server, describe every tag and operation, and list 414', async () => {
    const whole = await served('/openapi.json');
    expect(whole.servers.map(({ url }) => url)).toEqual(['/']);
    const used = new Set(operations(whole).flatMap(({ tags }) => tags));
    expect(whole.tags.map(({ name }) => name)).toEqual([...used]);
    for (const { description } of [...whole.tags, ...operations(whole)]) {
      expect(description).toMatch(/^[A-Z].*\.$/s);
    }
    for (const { responses } of operations(whole)) expect(responses).toHaveProperty(['414']);
  });

  it('say of each creation that a key may have been used before', async () => {
    const whole = await served('/openapi.json');
    const creations = operations(whole).filter(({ description }) =>
      description.includes('`Idempotency-Key`'),
    );
    expect(creations).toHaveLength(23);
    for (const { operationId, responses } of creations) {
      const own = responses[409] as { readonly $ref?: string } | undefined;
      const shared = whole.components.responses[own?.$ref?.split('/').at(-1) ?? ''];
      const said = `${operationId}: ${JSON.stringify(shared ?? own)}`;
      expect(said).toContain('`idempotency.reused`');
    }
  });

  it('have at most 2.4 kB for each operation, and a client of at most 8 000 lines', () => {
    const count = FAMILIES.reduce((sum, { routes }) => sum + routes.length, 0);
    expect(readFileSync(OPENAPI_FILE).length).toBeLessThanOrEqual(2_400 * count);
    const client = readFileSync('api/client/generated/operations.ts', 'utf8');
    expect(client.split('\n').length).toBeLessThanOrEqual(8_000);
  });

  it('have each body with fields once, as a component', async () => {
    const whole = await served('/openapi.json');
    const inPlace = operations(whole).filter(({ requestBody, responses }) =>
      /"type":"(object|array)"/.test(JSON.stringify([requestBody, responses])),
    );
    expect(inPlace.map(({ operationId }) => operationId)).toEqual([]);
    const schemas = Object.values(whole.components.schemas).map((each) => JSON.stringify(each));
    expect(new Set(schemas).size).toBe(schemas.length);
  });

  it('ask no program to draw more than a hundred entries of a list or a map', async () => {
    const text = JSON.stringify(await served('/openapi.json'));
    const limits = [...text.matchAll(/"(?:maxItems|maxProperties|minItems)":(\d+)/g)];
    expect(Math.max(...limits.map(([, most]) => Number(most)))).toBeLessThanOrEqual(100);
  });

  it('have an example of every operation, which its schemas take', () => {
    const whole = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as OpenApi;
    const judge = new Judge(whole);
    const listed = operationsOf(whole);
    expect(Object.keys(EXAMPLES)).toEqual(listed.map(({ id }) => id));
    for (const { id, params, body, answers } of listed) {
      const example = EXAMPLES[id]!;
      for (const { name, required, schema } of params) {
        const value = example.params?.[name];
        if (required) expect([id, name, value]).not.toContain(undefined);
        if (value !== undefined) expect([id, judge.fault(schema, value)]).toEqual([id, undefined]);
      }
      if (body?.media === 'application/json') {
        expect([id, judge.fault(body.schema, example.body)]).toEqual([id, undefined]);
      }
      const [first] = answers.get([...answers.keys()].find((each) => each < 300)!)!.values();
      if (first !== undefined) {
        expect([id, judge.fault(first, example.answer)]).toEqual([id, undefined]);
      }
    }
  });

  it('take no knob of scenario files', () => {
    const document = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as OpenApi;
    const text = JSON.stringify(operationsOf(document).map(({ body }) => body));
    expect(text).toContain('redundancy');
    const knobs =
      'frag_size ignore_clock_rates gateway_timing multicastSession ' +
      'multicastDataRate pingSlotPeriodicity';
    for (const knob of knobs.split(' ')) {
      expect(text).not.toContain(knob);
    }
  });

  it('are shown on a page', async () => {
    // The tests before compute for seconds: the server has closed the connections that they left.
    const dispatcher = new Agent();
    const page = await request(`${emulator.url}/docs`, { dispatcher });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    await page.body.dump();
    const script = await request(`${emulator.url}/docs/static/swagger-ui-bundle.js`, {
      dispatcher,
    });
    expect(script.statusCode).toBe(200);
    await script.body.dump();
    await dispatcher.close();
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
