/** Rows 120 to 138 over HTTPS: destinations, credentials and alerts, every documented status. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayEui } from '../../scenarios/filling/identity.ts';
import { ServedEntry, statusErrorOf, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

const DESTINATIONS = '/v2/output/destinations';
const CREDENTIALS = '/v2/output/credentials';
const ALERTS = '/v2/output/alerts';
const ROOMS = [DESTINATIONS, CREDENTIALS, ALERTS] as const;
const NEVER = '00000000-0000-4000-8000-000000000000';
const NEVER_NODE = 'FFFFFFFFFFFFFFFF';
const STORED = '********';

let entry: ServedEntry;
let masts: readonly [string, string];
let tower: string;

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  masts = [gatewayEui('mast', 1), gatewayEui('mast', 2)];
  tower = gatewayEui('tower', 1);
});
afterAll(async () => await entry.close());

const ask = async (method: string, path: string, body?: unknown, who?: string) =>
  await entry.ask(method, path, { token: await entry.tokenOf(who), body });

interface Created {
  readonly id: string;
}

/** The id of what is made. */
async function create(capacity: string, body: object, who?: string): Promise<string> {
  const answer = await ask('POST', capacity, body, who);
  expect(answer.status).toBe(201);
  return (answer.body as Created).id;
}

const WEBHOOK = { name: 'desk', type: 'webhook', data: { url: 'https://desk.example/in' } };
const BASIC = { username: 'ann', password: 'opensesame' };
const GATEWAY_KEY = { name: 'door', type: 'basic_auth', data: BASIC };

const alertOf = async (node_ids: readonly string[], more: object = {}) => ({
  name: 'roof',
  type: 'gateway_connectivity',
  data: { node_ids },
  destination_ids: [await create(DESTINATIONS, WEBHOOK)],
  ...more,
});
const newAlert = async (...node_ids: string[]) =>
  `${ALERTS}/${await create(ALERTS, await alertOf(node_ids))}`;
const read = async (path: string) => (await ask('GET', path)).body as Record<string, unknown>;
const nodesOf = async (path: string) =>
  ((await read(path)).data as { node_ids: string[] }).node_ids;

describe('a destination', () => {
  it('destination.create and get: is created with 201, other fields ignored', async () => {
    const more = { id: NEVER, owner_id: 'bob', Name: 'other', color: 'red' };
    const { status, body } = await ask('POST', DESTINATIONS, { ...WEBHOOK, ...more });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.not.stringContaining(NEVER),
        owner_id: 'ann',
        name: 'desk',
        type: 'webhook',
        enabled: true,
        credentials_id: null,
        data: { url: WEBHOOK.data.url, headers: [] },
      },
    ]);
    expect(await read(`${DESTINATIONS}/${(body as Created).id.toUpperCase()}`)).toEqual(body);
  });

  it('destination.replace: is replaced with 200, and answered', async () => {
    const path = `${DESTINATIONS}/${await create(DESTINATIONS, { ...WEBHOOK, enabled: false })}`;
    const data = { host: 'broker:8883', topic: 'up', ssl: true };
    const { status, body } = await ask('PUT', path, { name: 'broker', type: 'mqtt', data });
    expect([status, body]).toEqual([200, await read(path)]);
    expect(body).toMatchObject({ name: 'broker', type: 'mqtt', enabled: true, data });
  });

  it('destination.delete: is deleted with 204, and off all alerts; its credentials stay', async () => {
    const credentials_id = await create(CREDENTIALS, GATEWAY_KEY);
    const id = await create(DESTINATIONS, { ...WEBHOOK, credentials_id });
    const alert = await create(ALERTS, await alertOf([masts[0]], { destination_ids: [id] }));
    const { status, text } = await ask('DELETE', `${DESTINATIONS}/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect(await read(`${ALERTS}/${alert}`)).toMatchObject({ destination_ids: [] });
    expect((await ask('GET', `${CREDENTIALS}/${credentials_id}`)).status).toBe(200);
    expect((await ask('GET', `${DESTINATIONS}/${id}`)).status).toBe(404);
  });

  it.each([
    [{ name: '' }, 'destination.name', 'name'],
    [{ type: 'smtp' }, 'destination.type', 'type'],
    [{ data: { url: 'ftp://x.example' } }, 'destination.data', 'data.url'],
    [{ data: {} }, 'destination.data', 'data.url'],
    [
      { data: { ...WEBHOOK.data, headers: [{ header: 'Host', value: 'x' }] } },
      'destination.data',
      'data.headers[0].header',
    ],
    [{ credentials_id: NEVER }, 'destination.credentials', 'credentials_id'],
  ])(
    'destination.create and replace, malformedField, badCredentials: 400 for %j',
    async (wrong, code, field) => {
      const path = `${DESTINATIONS}/${await create(DESTINATIONS, WEBHOOK)}`;
      for (const [method, at] of [
        ['POST', DESTINATIONS],
        ['PUT', path],
      ] as const) {
        const { status, body } = await ask(method, at, { ...WEBHOOK, ...wrong });
        expect([method, status, body]).toEqual([method, 400, statusErrorOf(3, code, field)]);
      }
    },
  );

  it('destination.create and replace, badCredentials: 400 for credentials that do not fit, or are another’s', async () => {
    const data = { policy_name: 'device', key: 'opensesame' };
    const unfit = { name: 'hub', type: 'cloud_b_shared_access_policy', data };
    const ids = [await create(CREDENTIALS, unfit), await create(CREDENTIALS, GATEWAY_KEY, 'bob')];
    for (const credentials_id of ids) {
      const { status, body } = await ask('POST', DESTINATIONS, { ...WEBHOOK, credentials_id });
      const error = statusErrorOf(3, 'destination.credentials', 'credentials_id');
      expect([status, body]).toEqual([400, error]);
    }
  });
});

describe('credentials', () => {
  it('credentials.create: are answered with 201 as id, name and type', async () => {
    const { status, body } = await ask('POST', CREDENTIALS, GATEWAY_KEY);
    const id = expect.any(String);
    expect([status, body]).toEqual([201, { id, name: 'door', type: 'basic_auth' }]);
  });

  it('credentials.list and get: are reported without secrets', async () => {
    const id = await create(CREDENTIALS, GATEWAY_KEY);
    const response = {
      ...GATEWAY_KEY,
      id,
      owner_id: 'ann',
      data: { username: 'ann', password: STORED },
    };
    expect(await read(`${CREDENTIALS}/${id}`)).toEqual(response);
    const { text, body } = await ask('GET', CREDENTIALS);
    expect(text).not.toContain('opensesame');
    expect((body as { data: unknown[] }).data).toContainEqual(response);
  });

  it('credentials.replace: are replaced with 200, and asterisks keep the secret', async () => {
    const path = `${CREDENTIALS}/${await create(CREDENTIALS, GATEWAY_KEY)}`;
    const { id, owner_id, ...response } = await read(path);
    const { status, body } = await ask('PUT', path, { ...response, name: 'gate' });
    expect([status, body]).toEqual([200, { id, owner_id, ...response, name: 'gate' }]);
    const other = { name: 'x', type: 'cloud_b_shared_access_policy' };
    const wrong = await ask('PUT', path, { ...other, data: { policy_name: 'x', key: STORED } });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      statusErrorOf(3, 'credentials.data', 'data.key'),
    ]);
  });

  it('credentials.replace: 409 for a type that does not fit a destination that has them', async () => {
    const credentials_id = await create(CREDENTIALS, GATEWAY_KEY);
    await create(DESTINATIONS, { ...WEBHOOK, name: 'lobby', credentials_id });
    const data = { policy_name: 'device', key: 'opensesame' };
    const other = { name: 'hub', type: 'cloud_b_shared_access_policy', data };
    const { status, body } = await ask('PUT', `${CREDENTIALS}/${credentials_id}`, other);
    expect([status, body]).toEqual([409, statusErrorOf(6, 'credentials.in-use', 'type')]);
    expect((body as { message: string }).message).toContain('lobby');
  });

  it('credentials.delete: are deleted with 204, and no destination has them', async () => {
    const credentials_id = await create(CREDENTIALS, GATEWAY_KEY);
    const id = await create(DESTINATIONS, { ...WEBHOOK, credentials_id });
    const { status, text } = await ask('DELETE', `${CREDENTIALS}/${credentials_id}`);
    expect([status, text]).toEqual([204, '']);
    expect(await read(`${DESTINATIONS}/${id}`)).toMatchObject({ credentials_id: null });
  });

  it.each([
    [{ name: undefined }, 'credentials.name', 'name'],
    [{ type: 'ssh' }, 'credentials.type', 'type'],
    [{ data: { username: 'ann' } }, 'credentials.data', 'data.password'],
  ])('credentials.create, malformedField: 400 for %j', async (wrong, code, field) => {
    const { status, body, text } = await ask('POST', CREDENTIALS, { ...GATEWAY_KEY, ...wrong });
    expect([status, body]).toEqual([400, statusErrorOf(3, code, field)]);
    expect(text).not.toContain('opensesame');
  });
});

describe('an alert', () => {
  it('alert.create and get: is created with 201, NodeIds in upper case', async () => {
    const alert = await alertOf([masts[1].toLowerCase(), masts[0]]);
    const { status, body } = await ask('POST', ALERTS, alert);
    const response = { ...alert, id: expect.any(String), owner_id: 'ann' };
    expect([status, body]).toEqual([
      201,
      { ...response, data: { node_ids: [masts[1], masts[0]] } },
    ]);
    expect(await read(`${ALERTS}/${(body as Created).id}`)).toEqual(body);
  });

  it('alert.replace: is replaced with 200, and alert.delete: deleted with 204', async () => {
    const path = await newAlert(masts[0]);
    const { status, body } = await ask('PUT', path, await alertOf([masts[1]], { name: 'x' }));
    expect([status, body]).toEqual([200, await read(path)]);
    expect(body).toMatchObject({ name: 'x', data: { node_ids: [masts[1]] } });
    expect((await ask('DELETE', path)).status).toBe(204);
    expect((await ask('GET', path)).status).toBe(404);
  });

  it.each([
    [{ destination_ids: [] }, 'alert.destinations', 'destination_ids'],
    [{ destination_ids: undefined }, 'alert.destinations', 'destination_ids'],
    [{ destination_ids: [NEVER] }, 'alert.unknown-destination', 'destination_ids[0]'],
    [{ data: {} }, 'alert.gateways', 'data.node_ids'],
    [{ data: { node_ids: [NEVER_NODE] } }, 'alert.unknown-gateway', 'data.node_ids[0]'],
    [{ type: 'x' }, 'alert.type', 'type'],
  ])('alert.create and replace, badAlert: 400 for %j', async (wrong, code, field) => {
    const path = await newAlert(masts[0]);
    for (const [method, at] of [
      ['POST', ALERTS],
      ['PUT', path],
    ] as const) {
      const { status, body } = await ask(method, at, await alertOf([masts[0]], wrong));
      expect([method, status, body]).toEqual([method, 400, statusErrorOf(3, code, field)]);
    }
  });

  it('alert.addGateway, gatewayTwice: takes a gateway with 200; 409 for one that is on it', async () => {
    const path = await newAlert(masts[0]);
    const add = async (node_id: string) => await ask('POST', `${path}/gateways:add`, { node_id });
    const { status, body } = await add(masts[1].toLowerCase());
    expect([status, body]).toEqual([200, await read(path)]);
    expect(await nodesOf(path)).toEqual(masts);
    const again = await add(masts[0]);
    expect([again.status, again.body]).toEqual([
      409,
      statusErrorOf(6, 'alert.has-gateway', 'node_id'),
    ]);
  });

  it('alert.removeGateway, gatewayAbsent: gives a gateway up with 200; 412 for one that is not on it', async () => {
    const path = await newAlert(masts[0]);
    const remove = async (node_id: string) =>
      await ask('POST', `${path}/gateways:remove`, { node_id });
    const { status, body } = await remove(masts[0]);
    expect([status, body]).toEqual([200, await read(path)]);
    for (const node of [masts[0], tower, NEVER_NODE]) {
      const wrong = await remove(node);
      const error = statusErrorOf(9, 'alert.no-gateway', 'node_id');
      expect([wrong.status, wrong.body]).toEqual([412, error]);
    }
  });

  /** Of several gateways one is wrong; then one is right. */
  async function allOrNone(verb: 'add' | 'remove', status: number, error: object): Promise<void> {
    const path = await newAlert(masts[0]);
    const batch = async (node_ids: readonly string[]) =>
      await ask('POST', `${path}/gateways:batch_${verb}`, { node_ids });
    const both = await batch([masts[1], masts[0]]);
    expect([both.status, both.body]).toEqual([status, error]);
    expect(await nodesOf(path)).toEqual([masts[0]]);
    const one = await batch([verb === 'add' ? masts[1] : masts[0]]);
    expect([one.status, one.body]).toEqual([200, await read(path)]);
    expect(await nodesOf(path)).toEqual(verb === 'add' ? masts : []);
  }

  it('alert.addGateways, allOrNoneAdded: adds all or none', async () => {
    await allOrNone('add', 409, statusErrorOf(6, 'alert.has-gateway', 'node_ids[1]'));
  });

  it('alert.removeGateways, allOrNoneRemoved: removes all or none', async () => {
    await allOrNone('remove', 412, statusErrorOf(9, 'alert.no-gateway', 'node_ids[0]'));
  });

  it('alert.addGateways and removeGateways, noGateways: 400 for a list of none, or what is no list', async () => {
    const path = await newAlert(masts[0]);
    const refused = statusErrorOf(3, 'alert.gateways', 'node_ids');
    for (const verb of ['add', 'remove']) {
      for (const node_ids of [[], undefined, masts[0]]) {
        const answer = await ask('POST', `${path}/gateways:batch_${verb}`, { node_ids });
        expect([answer.status, answer.body]).toEqual([400, refused]);
      }
    }
    expect(await nodesOf(path)).toEqual([masts[0]]);
  });

  it('foreignThing: 400 for another’s gateway, as for one that never was', async () => {
    const path = await newAlert();
    const wordsFor = async (node_id: string) => {
      const { status, text } = await ask('POST', `${path}/gateways:add`, { node_id });
      return [status, text.replaceAll(node_id, 'X')];
    };
    expect(await wordsFor(tower)).toEqual(await wordsFor(NEVER_NODE));
    expect((await wordsFor(tower))[0]).toBe(400);
  });
});

describe('lists of destinations, credentials and alerts', () => {
  it.each([0, 1, 2])(
    'destination.list, credentials.list and alert.list: are reported page by page, %#',
    async (at) => {
      const capacity = ROOMS[at]!;
      const bodies = [WEBHOOK, GATEWAY_KEY, await alertOf([])];
      for (let i = 0; i < 3; i++) await create(capacity, bodies[at]!);
      const whole = (await read(capacity)) as { data: Created[]; meta: { more: boolean } };
      expect(Object.keys(whole)).toEqual(['data', 'meta']);
      const reports: unknown[] = [];
      for (let page_token = '', more = true; more; ) {
        const { body } = await ask('GET', `${capacity}?limit=2&page_token=${page_token}`);
        const { data, meta } = body as {
          data: Created[];
          meta: { more: boolean; next_page_token: string };
        };
        reports.push(...data);
        ({ more, next_page_token: page_token } = meta);
      }
      expect(reports).toEqual(whole.data);
      const ids = whole.data.map(({ id }) => id);
      expect(ids).toEqual([...ids].sort());
      expect(whole.meta).toEqual({ more: false, next_page_token: null });
    },
  );

  it('destination.list, credentials.list and alert.list, badPage: 400 for a token that is not ours, a limit below 1', async () => {
    await create(DESTINATIONS, WEBHOOK);
    await create(DESTINATIONS, WEBHOOK);
    const first = await read(`${DESTINATIONS}?limit=1`);
    const token = (first.meta as { next_page_token: string }).next_page_token;
    expect((await ask('GET', `${DESTINATIONS}?page_token=${token}`)).status).toBe(200);
    for (const [capacity, noun, query, field] of [
      [DESTINATIONS, 'destination', 'page_token=x', 'page_token'],
      [CREDENTIALS, 'credentials', `page_token=${token}`, 'page_token'],
      [ALERTS, 'alert', `page_token=${token}`, 'page_token'],
      [DESTINATIONS, 'destination', 'limit=0', 'limit'],
      [CREDENTIALS, 'credentials', 'limit=-1', 'limit'],
      [ALERTS, 'alert', 'limit=x', 'limit'],
    ] as const) {
      const { status, body } = await ask('GET', `${capacity}?${query}`);
      expect([status, body]).toEqual([400, statusErrorOf(3, `${noun}.page`, field)]);
    }
    const foreign = await ask('GET', `${DESTINATIONS}?page_token=${token}`, undefined, 'bob');
    expect(foreign.status).toBe(400);
    expect((await ask('GET', `${ALERTS}?limit=99999999`)).status).toBe(200);
  });

  it.each(ROOMS)(
    'destination.list, credentials.list and alert.list, foreignThing: %s has nothing of another subscriber',
    async (capacity) => {
      const { body } = await ask('GET', capacity, undefined, 'carol');
      expect(body).toEqual({ data: [], meta: { more: false, next_page_token: null } });
    },
  );
});

describe('unknownId, foreignThing: 404', () => {
  it.each([0, 1, 2])('for what never was, and for what is another’s, %#', async (at) => {
    const capacity = ROOMS[at]!;
    const bodies = [WEBHOOK, GATEWAY_KEY, await alertOf([])];
    const id = await create(capacity, bodies[at]!);
    const noun = ['destination', 'credentials', 'alert'][at]!;
    const error = statusErrorOf(5, `${noun}.unknown`);
    for (const [who, path] of [
      ['ann', `${capacity}/${NEVER}`],
      ['bob', `${capacity}/${id}`],
    ] as const) {
      const asked: (readonly [string, string, unknown?])[] = [
        ['GET', path],
        ['PUT', path, bodies[at]],
        ['DELETE', path],
        ...(capacity === ALERTS
          ? [
              ['POST', `${path}/gateways:add`, { node_id: masts[0] }] as const,
              ['POST', `${path}/gateways:remove`, { node_id: masts[0] }] as const,
              ['POST', `${path}/gateways:batch_add`, { node_ids: masts }] as const,
              ['POST', `${path}/gateways:batch_remove`, { node_ids: masts }] as const,
            ]
          : []),
      ];
      for (const [method, below, sent] of asked) {
        const { status, body } = await ask(method, below, sent, who);
        expect([method, below, status, body]).toEqual([method, below, 404, error]);
      }
    }
  });
});

describe('what is made with an Idempotency-Key', () => {
  it.each([0, 1, 2])(
    'destination.create, credentials.create and alert.create: is made once; 409 for something else, %#',
    async (at) => {
      const capacity = ROOMS[at]!;
      const bodies = [WEBHOOK, GATEWAY_KEY, await alertOf([])];
      const headers = { 'idempotency-key': `key-${at}` };
      const post = async (more: object) =>
        await entry.ask('POST', capacity, { headers, body: { ...bodies[at], ...more } });
      const first = await post({});
      expect(first.status).toBe(201);
      expect((await post({})).body).toEqual(first.body);
      expect((await post({ name: 'other' })).status).toBe(409);
    },
  );
});

describe('destination.list to delete', () => testStatuses(() => entry, [120, 121, 122, 123, 124]));
describe('credentials.list to delete', () => testStatuses(() => entry, [125, 126, 127, 128, 129]));
describe('alert.list to removeGateways', () =>
  testStatuses(() => entry, [130, 131, 132, 133, 134, 135, 136, 137, 138]));
