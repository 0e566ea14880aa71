/**
 * Rows 66, 68, 76 and 77 over HTTPS: devices of the second version, and lists that are written in
 * slices, with every status that they document.
 */
import { Agent, request } from 'node:https';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FleetwaveClient, linesOf } from '../../api/client/client.ts';
import { ServedEntry, statusErrorOf } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

const DEVICES = 3_000;

/** The number of devices of ann that a list of them takes several slices, and a few of bob. */
const CITY = `
scenario: city
duration: 2 d
subscribers: [ann, bob]
radio: { pathLoss: { model: constant, loss: 110 dB } }
server: { adr: false }
gateways:
  - { name: mast, subscriber: ann }
  - { name: tower, subscriber: bob }
devices:
  - name: meter
    count: ${DEVICES}
    subscriber: ann
    activation: abp
    dataRate: DR5
    adr: false
    joinWithin: 12 h
    traffic: { every: 12 h }
  - name: valve
    count: 2
    subscriber: bob
    activation: abp
    dataRate: DR5
    adr: false
    joinWithin: 1 min
    traffic: { every: 5 min }
`;

let entry: ServedEntry;
let ann: FleetwaveClient;
let bob: FleetwaveClient;
let all: readonly Device[];

type Device = Awaited<ReturnType<typeof listed>>['data'][number];

beforeAll(async () => {
  entry = await ServedEntry.open(CITY);
  [ann, bob] = [entry.client, entry.clientOf('bob')];
  await entry.advance(6 * 3_600);
  all = (await listed()).data;
});
afterAll(async () => await entry.close());

const LIST = '/v2/devices';
const ONE = '/v2/devices/{dev_eui}';
const NEVER = 'FFFFFFFFFFFFFFFF';

const ask = async (query: object, who = ann) =>
  await who.GET(LIST, { params: { query: query as never } });
const listed = async (query: object = {}, who = ann) => (await ask(query, who)).data!;
const filtered = async (filter: object, query: object = {}) =>
  (await listed({ filter: JSON.stringify(filter), field_mask: ['name'], ...query })).data;
const namesOf = (devices: readonly { readonly name?: string }[]) =>
  devices.map(({ name }) => name!);

describe('one device', () => {
  it('endDeviceV2.get: is answered with 200 and 22 fields, by a DevEUI in any case', async () => {
    const dev_eui = all[0]!.dev_eui;
    const { response, data } = await ann.GET(ONE, {
      params: { path: { dev_eui: dev_eui.toLowerCase() } },
    });
    expect(response.status).toBe(200);
    expect(data).toEqual(all[0]);
    expect(data).toMatchObject({
      dev_eui,
      owner_id: 'ann',
      activation_type: 'ABP',
      private_data: false,
      groups: [],
    });
    expect(Object.keys(data!)).toHaveLength(22);
  });

  it('endDeviceV2.get, unknownId, foreignThing: is 404 where there is none, or it is another’s', async () => {
    const his = (await listed({}, bob)).data[0]!.dev_eui;
    for (const dev_eui of [NEVER, his, 'x']) {
      const { response, error } = await ann.GET(ONE, { params: { path: { dev_eui } } });
      expect([response.status, error]).toEqual([404, statusErrorOf(5, 'endDeviceV2.unknown')]);
    }
  });
});

describe('the list', () => {
  it('endDeviceV2.list: is one document with meta and every device, in the order of names', async () => {
    const { response, data } = await ask({});
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(data!.meta).toEqual({ total: DEVICES, page: 1, page_size: null });
    expect(namesOf(data!.data)).toEqual(namesOf(data!.data).toSorted());
    expect(new Set(data!.data.map(({ dev_eui }) => dev_eui)).size).toBe(DEVICES);
    expect(namesOf((await listed({}, bob)).data)).toEqual(['valve-1', 'valve-2']);
  });

  it('endDeviceV2.list: is the same in lines; the first one has the meta', async () => {
    const { data, response } = await ann.GET(LIST, {
      headers: { accept: 'application/x-ndjson' },
      parseAs: 'stream',
    });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines: unknown[] = [];
    for await (const line of linesOf(data!)) lines.push(line);
    const { meta, data: devices } = await listed();
    expect(lines).toEqual([{ meta }, ...devices]);
  });

  it.each([
    ['Application/X-NDJSON', true],
    ['application/json;q=0.5, application/x-ndjson', true],
    ['application/json, application/x-ndjson;q=0', false],
    ['application/x-ndjson-other', false],
    ['*/*', false],
  ])('endDeviceV2.list: where %s is accepted, is in lines: %s', async (accept, isInLines) => {
    const { headers } = await entry.ask('GET', '/v2/devices?page_size=1', { headers: { accept } });
    expect(headers['content-type']!.startsWith('application/x-ndjson;')).toBe(isInLines);
  });

  it('endDeviceV2.list: reports the fields of a mask, repeated or with commas, and dev_eui', async () => {
    const token = await entry.tokenOf();
    for (const query of [
      'field_mask=name&field_mask=health_state',
      'field_mask=health_state,name',
    ]) {
      const { body } = await entry.ask('GET', `${LIST}?${query}&page_size=2`, { token });
      const { data } = body as { data: readonly object[] };
      expect(data.map((each) => Object.keys(each))).toEqual(
        new Array(2).fill(['name', 'dev_eui', 'health_state']),
      );
    }
  });

  it('endDeviceV2.list: has pages that together are the whole, and 1 000 a page at most', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => listed({ page, page_size: 5_000 })));
    expect(pages.map(({ meta }) => meta)).toEqual(
      [1, 2, 3, 4].map((page) => ({ total: DEVICES, page, page_size: 1_000 })),
    );
    expect(pages.flatMap(({ data }) => data)).toEqual(all);
  });

  it('endDeviceV2.list: is sorted by its keys, with those last that have never spoken', async () => {
    const { data } = await listed({ sort: ['-last_uplink', 'name'] });
    const times = data.map(({ last_uplink }) => last_uplink!);
    const spoken = times.filter((time) => time !== null);
    expect(spoken.length).toBeGreaterThan(100);
    expect(times).toEqual([...spoken.toSorted().toReversed(), ...times.slice(spoken.length)]);
    expect(new Set(times.slice(spoken.length))).toEqual(new Set([null]));
    expect((await listed({ sort: 'last_uplink', page_size: 1 })).data[0]!.last_uplink).toBe(
      spoken.toSorted()[0],
    );
  });

  it('endDeviceV2.list: has those that fit a filter', async () => {
    const some = namesOf(all).filter((name) => name.includes('12'));
    expect(namesOf(await filtered({ name: { $like: '~12~' } }))).toEqual(some);
    expect(namesOf(await filtered({ name: { $ilike: 'METER-12' } }))).toEqual(['meter-12']);
    const silent = all.filter(({ last_uplink }) => last_uplink === null).map(({ name }) => name);
    expect(namesOf(await filtered({ last_uplink: { '=': null } }))).toEqual(silent);
    const two = [all[5]!.dev_eui, all[7]!.dev_eui.toLowerCase()];
    expect(await filtered({ dev_eui: { $in: [...two, NEVER] } })).toHaveLength(2);
    expect(
      await filtered({ $or: [{ dev_eui: { $in: two } }, { name: { '=': 'meter-1' } }] }),
    ).toHaveLength(3);
    expect(await filtered({ groups: { $intersects: ['none'] } })).toEqual([]);
  });

  it.each([
    [{ filter: '{' }, 'endDeviceV2.filter', 'filter'],
    [{ filter: '{"nam":{"=":"a"}}' }, 'endDeviceV2.filter', 'filter.nam'],
    [{ filter: '{"name":{"$lik":"a"}}' }, 'endDeviceV2.filter', 'filter.name.$lik'],
    [
      { filter: '{"$or":[{"battery_level":{"=":"1"}}]}' },
      'endDeviceV2.filter',
      'filter.$or[0].battery_level.=',
    ],
    [{ sort: 'size' }, 'endDeviceV2.sort', 'sort[0]'],
    [{ field_mask: 'name,size' }, 'endDeviceV2.field-mask', 'field_mask[1]'],
    [{ page_size: 0 }, 'endDeviceV2.page', 'page_size'],
    [{ page_size: 'all' }, 'endDeviceV2.page', 'page_size'],
    [{ page: 0 }, 'endDeviceV2.page', 'page'],
  ])('badFilter: is 400 for %j, with the place', async (query, code, place) => {
    const { response, error } = await ask(query);
    expect([response.status, error]).toEqual([400, statusErrorOf(3, code, place)]);
  });

  it('badFilter: is 200 or 400 for any filter whatever, and never another', async () => {
    const token = await entry.tokenOf();
    const field = fc.constantFrom(
      'name',
      'last_uplink',
      'groups',
      'battery_level',
      '$or',
      '$and',
      'x',
    );
    const operator = fc.constantFrom(
      '=',
      '!=',
      '$like',
      '$ilike',
      '$in',
      '$nin',
      '$intersects',
      '$or',
    );
    const filter = fc.oneof(
      fc.dictionary(field, fc.dictionary(operator, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }), {
        maxKeys: 3,
      }),
      fc.jsonValue(),
    );
    const text = fc.oneof(
      filter.map((value) => JSON.stringify(value)),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        const path = `${LIST}?page_size=1&filter=${encodeURIComponent(given)}`;
        const { status, body } = await entry.ask('GET', path, { token });
        expect([200, 400]).toContain(status);
        if (status === 400) expect(body).toMatchObject({ code: 3 });
      }),
      { numRuns: 150 },
    );
  });

  it('reports an empty list to who has no device', async () => {
    const { status, text } = await entry.ask(
      'GET',
      `${LIST}?filter=${encodeURIComponent('{"name":{"=":""}}')}`,
    );
    expect([status, text]).toEqual([
      200,
      '{"meta":{"total":0,"page":1,"page_size":null},"data":[]}',
    ]);
  });

  it('has the head alone for HEAD', async () => {
    const { status, text, headers } = await entry.ask('HEAD', LIST);
    expect([status, text]).toEqual([200, '']);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

describe('lists of the first version', () => {
  it('endDevice.list: has every device with all its fields, in the order of DevEUIs', async () => {
    const { response, data } = await ann.GET('/v1/devices');
    expect(response.status).toBe(200);
    const devEuis = data!.Devices.map(({ DevEUI }) => DevEUI);
    expect(devEuis).toEqual(all.map(({ dev_eui }) => dev_eui).toSorted());
    const one = await ann.GET('/v1/devices/{DevEUI}', {
      params: { path: { DevEUI: devEuis[9]! } },
    });
    expect(data!.Devices[9]).toEqual(one.data);
  });

  it('endDevice.health: has the same by their health, as many as statistics.healthCount counts', async () => {
    const { response, data } = await ann.GET('/v1/devices/health');
    expect(response.status).toBe(200);
    const counts = await ann.GET('/v1/devices/healthcount');
    const reports = Object.entries(data!).map(([name, devices]) => [name, devices.length] as const);
    expect(Object.fromEntries(reports)).toEqual(counts.data);
    expect(reports.reduce((sum, [, count]) => sum + count, 0)).toBe(DEVICES);
    for (const [name, devices] of Object.entries(data!)) {
      const states = new Set(devices.map(({ Statistics }) => Statistics.HealthState as string));
      expect([...states]).toEqual(devices.length === 0 ? [] : [name.toLowerCase()]);
    }
  });
});

describe('a list that is being read', () => {
  /** A reader that takes the head, and nothing else until it is notified. */
  async function slowReader(path: string, token: string) {
    const { url, ca } = entry.emulator;
    const agent = new Agent({ ca, maxCachedSessions: 0 });
    const headers = { authorization: `Bearer ${token}` };
    return await new Promise<{
      readonly status: number;
      readonly rest: () => Promise<string>;
    }>((resolve, reject) => {
      const asking = request(url + path, { headers, agent }, (response) => {
        response.pause();
        resolve({
          status: response.statusCode!,
          rest: async () => {
            const chunks: Buffer[] = [];
            for await (const chunk of response) chunks.push(chunk as Buffer);
            return Buffer.concat(chunks).toString();
          },
        });
      });
      asking.on('error', reject).end();
    });
  }

  it('reports what was true when it was asked for, while devices change and go', async () => {
    const token = await entry.tokenOf();
    const reader = await slowReader(`${LIST}?sort=-name`, token);
    const gone = all.slice(-20).map(({ dev_eui }) => dev_eui);
    for (const DevEUI of gone) {
      const { response } = await ann.DELETE('/v1/devices/{DevEUI}', {
        params: { path: { DevEUI } },
      });
      expect(response.status).toBe(200);
    }
    await entry.advance(3_600);
    const { meta, data } = JSON.parse(await reader.rest()) as {
      meta: { total: number };
      data: object[];
    };
    expect(meta.total).toBe(DEVICES);
    expect(data).toEqual(all.toReversed());
    expect((await listed({ page_size: 1 })).meta.total).toBe(DEVICES - gone.length);
  });
});

describe('endDeviceV2.list and get', () => testStatuses(() => entry, [76, 77]));
