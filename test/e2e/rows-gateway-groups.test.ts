/** Rows 108 to 113 over HTTPS: gateway groups, with every status that they document. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedEntry, statusErrorOf, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

const GROUPS = '/v1/groups/gateways';
const NEVER = 'FFFFFFFFFFFFFFFF';
const RESPONSE = { Response: true };

interface Gateway {
  readonly Id: string;
  readonly NodeId: string;
  readonly Name: string;
}

interface Group {
  readonly Id: string;
  readonly Name: string;
  readonly GatewayList: readonly string[];
  readonly Gateways: readonly Gateway[];
}

let entry: ServedEntry;
/** Ann’s two gateways, and Bob’s. */
let masts: readonly Gateway[];
let tower: Gateway;

const ask = async (method: string, path: string, body?: object, who = 'ann') =>
  await entry.ask(method, path, {
    token: await entry.tokenOf(who),
    ...(body === undefined ? {} : { body }),
  });
const gatewaysOf = async (who: string) => {
  const { body } = await ask('GET', '/v1/gateways', undefined, who);
  return (body as { readonly Gateways: readonly Gateway[] }).Gateways;
};

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  masts = await gatewaysOf('ann');
  [tower] = (await gatewaysOf('bob')) as [Gateway];
  expect(masts.map(({ Name }) => Name)).toEqual(['mast-1', 'mast-2']);
});
afterAll(async () => await entry.close());

const ids = () => masts.map(({ Id }) => Id);
const create = (body: object = {}) =>
  ask('POST', GROUPS, { Name: 'roof', GatewayList: ids(), ...body });
const created = async (body: object = {}) => ((await create(body)).body as Group).Id;
const at = (Id: string) => `${GROUPS}/${Id}`;
const read = async (Id: string) => (await ask('GET', at(Id))).body as Group;

describe('a gateway group', () => {
  it('gatewayGroup.create: is answered with 200 and its id alone', async () => {
    const { status, body } = await create();
    expect(status).toBe(200);
    expect(body).toEqual({ Id: expect.stringMatching(/^[0-9A-Za-z]{8}$/) });
  });

  it('gatewayGroup.create: takes keys in any case, Ids and NodeIds, and ignores keys it has not', async () => {
    const [first, second] = masts as [Gateway, Gateway];
    const gatewayList = [second.NodeId.toLowerCase(), first.Id, first.NodeId];
    const body = { NAME: 'any', gatewayList, Id: 'mine', Owner: 'bob' };
    const { status, body: createdOne } = await entry.ask('POST', GROUPS, { body });
    expect(status).toBe(200);
    const { Id } = createdOne as { Id: string };
    expect(Id).not.toBe('mine');
    expect(await read(Id)).toMatchObject({ Id, Name: 'any', GatewayList: [second.Id, first.Id] });
  });

  it('gatewayGroup.create: is made once by an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'gateways' };
    const ask = (body: object) => entry.ask('POST', GROUPS, { headers, body });
    const first = await ask({ Name: 'once' });
    expect((await ask({ Name: 'once' })).text).toBe(first.text);
    expect((await ask({ Name: 'twice' })).status).toBe(409);
  });

  it('gatewayGroup.list and get: is listed and read alike, with its gateways as they are', async () => {
    const GatewayList = ids().toReversed();
    const Id = await created({ GatewayList });
    const { status, body } = await ask('GET', at(Id));
    expect(status).toBe(200);
    expect(body).toMatchObject({ Id, Name: 'roof', GatewayList });
    expect((body as Group).Gateways).toEqual((await gatewaysOf('ann')).toReversed());
    const list = await ask('GET', GROUPS);
    expect([list.status, Object.keys(list.body as object)]).toEqual([200, ['GatewayGroups']]);
    const { GatewayGroups } = list.body as { readonly GatewayGroups: readonly Group[] };
    expect(GatewayGroups).toContainEqual(body);
    const listed = GatewayGroups.map((each) => each.Id);
    expect(listed).toEqual([...listed].sort());
  });

  it('gatewayGroup.replace: has another name and list in the place of its own', async () => {
    const Id = await created();
    const body = { Name: 'cellar', GatewayList: [masts[1]!.NodeId] };
    const answer = await ask('PUT', at(Id), body);
    expect([answer.status, answer.body]).toEqual([200, RESPONSE]);
    expect(await read(Id)).toMatchObject({ Name: 'cellar', GatewayList: [masts[1]!.Id] });
    await ask('PUT', at(Id), { Name: 'empty' });
    expect(await read(Id)).toEqual({ Id, Name: 'empty', GatewayList: [], Gateways: [] });
  });

  it.each([{ Name: 'other' }, { GatewayList: [] }, {}])(
    'gatewayGroup.update: changes only what is given, as %j',
    async (body) => {
      const Id = await created();
      const { Gateways: _, ...before } = await read(Id);
      const answer = await ask('PATCH', at(Id), body);
      expect([answer.status, answer.body]).toEqual([200, RESPONSE]);
      const { Gateways: __, ...after } = await read(Id);
      expect(after).toEqual({ ...before, ...body });
    },
  );

  it('gatewayGroup.delete: is deleted with 200, and its gateways stay', async () => {
    const Id = await created();
    const { status, body } = await ask('DELETE', at(Id));
    expect([status, body]).toEqual([200, RESPONSE]);
    expect((await ask('GET', at(Id))).status).toBe(404);
    expect(await gatewaysOf('ann')).toEqual(masts);
  });
});

describe('what a gateway group is refused for', () => {
  const WRONG = [
    ['namelessGroup', { Name: '' }, 'gatewayGroup.name', 'Name'],
    ['namelessGroup', { Name: null }, 'gatewayGroup.name', 'Name'],
    ['malformedField', { GatewayList: NEVER }, 'gatewayGroup.gateways', 'GatewayList'],
    ['malformedField', { GatewayList: [7] }, 'gatewayGroup.gateways', 'GatewayList[0]'],
    ['unknownInBody', { GatewayList: [NEVER] }, 'gatewayGroup.unknown-gateway', 'GatewayList[0]'],
    [
      'unknownInBody',
      { GatewayList: ['never000'] },
      'gatewayGroup.unknown-gateway',
      'GatewayList[0]',
    ],
  ] as const;

  it.each(WRONG)(
    'gatewayGroup.create, replace and update, %s: 400 for %j',
    async (_, given, code, field) => {
      const Id = await created();
      const before = await read(Id);
      const body = { Name: 'x', ...given };
      for (const [method, path] of [
        ['POST', GROUPS],
        ['PUT', at(Id)],
        ['PATCH', at(Id)],
      ] as const) {
        const answer = await ask(method, path, body);
        expect([answer.status, answer.body]).toEqual([400, statusErrorOf(3, code, field)]);
      }
      expect(await read(Id)).toEqual(before);
    },
  );

  it('namelessGroup: gatewayGroup.create and replace are 400 without a name', async () => {
    const error = statusErrorOf(3, 'gatewayGroup.name', 'Name');
    for (const [method, path] of [
      ['POST', GROUPS],
      ['PUT', at(await created())],
    ] as const) {
      for (const asked of [undefined, {}, { GatewayList: [] }]) {
        const { status, body } = await ask(method, path, asked);
        expect([status, body]).toEqual([400, error]);
      }
    }
  });

  it('foreignThing: a gateway of another is 400 in the words for one that never was', async () => {
    const wordsFor = async (gateway: string) => {
      const body = { Name: 'x', GatewayList: [masts[0]!.Id, gateway] };
      const { status, text } = await ask('POST', GROUPS, body);
      return [status, text.replaceAll(gateway, 'X')];
    };
    expect(await wordsFor(tower.NodeId)).toEqual(await wordsFor(NEVER));
    expect(await wordsFor(tower.Id)).toEqual(await wordsFor(NEVER));
  });

  it('unknownId, foreignThing: gatewayGroup.get to delete are 404 for what never was, and what is another’s', async () => {
    const Id = await created();
    const error = statusErrorOf(5, 'gatewayGroup.unknown');
    const before = await read(Id);
    for (const [who, id] of [
      ['ann', 'never000'],
      ['bob', Id],
    ] as const) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const sent = method === 'GET' || method === 'DELETE' ? undefined : { Name: 'x' };
        const { status, body } = await ask(method, at(id), sent, who);
        expect([method, status, body]).toEqual([method, 404, error]);
      }
    }
    expect(await read(Id)).toEqual(before);
    const his = await ask('GET', GROUPS, undefined, 'bob');
    expect(his.body).toEqual({ GatewayGroups: [] });
  });
});

describe('gatewayGroup.list to delete', () =>
  testStatuses(() => entry, [108, 109, 110, 111, 112, 113]));
