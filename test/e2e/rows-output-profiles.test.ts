/**
 * Rows 116 to 119 over HTTPS, and what is served beside them: every status that they document;
 * what is delivered, and the receivers of the world.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedEntry, statusErrorOf, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';
import { BROKER, CLOUD_A, CLOUD_B, WEBHOOK } from '../support/targets.ts';

const PROFILES = '/v1/outputprofiles';
const NEVER = 'FFFFFFFFFFFFFFFF';
const DONE = { Response: true };
const ALL = {
  Name: 'out',
  RestParams: [{ ...WEBHOOK, TokenType: 'Bearer', TokenValue: 's3cret', Environment: 'staging' }],
  MqttParams: [BROKER],
  CloudAParams: [CLOUD_A],
  CloudBParams: [CLOUD_B],
};

let entry: ServedEntry;
let meters: string[];
let valves: string[];

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  [meters, valves] = [await entry.devEuisOf('meter'), await entry.devEuisOf('valve', 'bob')];
});
afterAll(async () => await entry.close());

const ask = async (method: string, path: string, body?: unknown, who?: string) =>
  await entry.ask(method, path, {
    token: await entry.tokenOf(who),
    ...(body === undefined ? {} : { body }),
  });

async function created(body: object = ALL, who?: string): Promise<string> {
  const answer = await ask('POST', PROFILES, body, who);
  expect(answer.status).toBe(201);
  const { Id, ...rest } = answer.body as { Id: string };
  expect(rest).toEqual({});
  return `${PROFILES}/${Id}`;
}

type ListResponse = Record<string, { readonly DestinationId: string }[]>;
const read = async (path: string) => (await ask('GET', path)).body as ListResponse;

describe('an output profile', () => {
  it('outputProfile.create: is answered with 201 and its id', async () => {
    await created();
    await created({ Name: 'one', restparams: [{ url: 'http://a.b', outputformat: 'extended' }] });
  });

  it('outputProfile.list: is listed with every field, and no secret', async () => {
    const path = await created();
    const { status, body, text } = await ask('GET', PROFILES);
    expect([status, Object.keys(body as object)]).toEqual([200, ['OutputProfiles']]);
    const { OutputProfiles } = body as { OutputProfiles: ListResponse[] };
    expect(OutputProfiles).toContainEqual(await read(path));
    for (const secret of ['s3cret', 'pa55word', 'c2VjcmV0', 'PRIVATE KEY']) {
      expect(text).not.toContain(secret);
    }
    expect((await ask('GET', PROFILES, undefined, 'bob')).body).toEqual({ OutputProfiles: [] });
  });

  it('outputProfile.replace: takes what it reported, and keeps DestinationIds and secrets', async () => {
    const path = await created();
    const response = await read(path);
    const { status, body } = await ask('PUT', path, response);
    expect([status, body]).toEqual([200, DONE]);
    expect(await read(path)).toEqual(response);
    await ask('PUT', path, { Name: 'less', RestParams: [WEBHOOK] });
    expect(await read(path)).toMatchObject({ Name: 'less', MqttParams: [] });
  });

  it.each([
    ['no name', { Name: undefined }, 'command.malformed', 'Name'],
    [
      'no target',
      { RestParams: [], MqttParams: [], CloudAParams: [], CloudBParams: [] },
      'outputProfile.no-target',
      'RestParams',
    ],
    [
      'a URL without a scheme',
      { RestParams: [{ ...WEBHOOK, URL: 'a.b' }] },
      'command.malformed',
      'RestParams[0].URL',
    ],
    [
      'a hub with a scheme',
      { CloudBParams: [{ ...CLOUD_B, Host: 'https://h.b' }] },
      'command.malformed',
      'CloudBParams[0].Host',
    ],
    [
      'asterisks without a secret',
      { MqttParams: [{ ...BROKER, Host: 'other.example:1', Password: '********' }] },
      'outputProfile.secret',
      'MqttParams[0].Password',
    ],
  ])('outputProfile.create and replace, badTarget: %s is 400', async (_, wrong, code, field) => {
    const path = await created();
    const before = await read(path);
    for (const [method, at] of [
      ['POST', PROFILES],
      ['PUT', path],
    ] as const) {
      const { status, body } = await ask(method, at, { ...ALL, ...wrong });
      expect([status, body]).toEqual([400, statusErrorOf(3, code, field)]);
    }
    expect(await read(path)).toEqual(before);
  });

  it('outputProfile.replace, unknownId: is 404 where it never was, and where it is another’s', async () => {
    const his = await created(ALL, 'bob');
    for (const path of [`${PROFILES}/nothing0`, his]) {
      for (const [method, at, given] of [
        ['GET', path, undefined],
        ['PUT', path, ALL],
        ['PATCH', path, {}],
        ['DELETE', path, undefined],
        ['PATCH', `${path}/devices`, { Devices: [] }],
        ['PUT', `${path}/devices`, { Devices: [] }],
      ] as const) {
        const { status, body } = await ask(method, at, given);
        expect([method, status, body]).toEqual([
          method,
          404,
          statusErrorOf(5, 'outputProfile.unknown'),
        ]);
      }
    }
  });

  it('outputProfile.assign, ownDevicesOnly: has a result for each device, and 200 with failures', async () => {
    const path = await created();
    const Id = path.slice(-8);
    const Devices = [meters[0], NEVER, valves[0], meters[0]?.toLowerCase()];
    const { status, body } = await ask('PATCH', `${path}/devices`, { Id, Devices });
    expect(status).toBe(200);
    const { Responses } = body as { Responses: { DevEUI: string; Response: boolean }[] };
    expect(Responses.map(({ DevEUI, Response }) => [DevEUI, Response])).toEqual([
      [meters[0], true],
      [NEVER, false],
      [valves[0], false],
      [meters[0], true],
    ]);
    const device = await read(`/v1/devices/${meters[0]}`);
    expect(device).toMatchObject({ OutputProfile: Id });
    for (const given of ['never1', 7, '']) {
      const other = await ask('PATCH', `${path}/devices`, { Id: given, Devices });
      expect([other.status, JSON.stringify(other.body)]).toEqual([
        400,
        expect.stringContaining('body.other-id'),
      ]);
    }
    const wrong = await ask('PATCH', `${path}/devices`, { Id, Devices: 'all' });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      statusErrorOf(3, 'command.malformed', 'Devices'),
    ]);
  });

  it('is changed by PATCH, and deleted once no device has it', async () => {
    const path = await created();
    await ask('PUT', `${path}/devices`, { Devices: [meters[1]] });
    expect((await ask('PATCH', path, { Name: 'other' })).body).toEqual(DONE);
    expect(await read(path)).toMatchObject({ Name: 'other', MqttParams: [{ Host: BROKER.Host }] });
    const { status, body } = await ask('DELETE', path);
    expect([status, body]).toEqual([409, statusErrorOf(6, 'outputProfile.in-use')]);
    await ask('PATCH', `/v1/devices/${meters[1]}`, { RemoveOutputProfile: true });
    expect((await ask('DELETE', path)).body).toEqual(DONE);
    expect((await ask('GET', path)).status).toBe(404);
  });
});

describe('targets of a subscriber', () => {
  it('outputProfile.create and replace: are 10 000 at most: 409', async () => {
    const RestParams = Array.from({ length: 100 }, () => WEBHOOK);
    const paths: string[] = [];
    for (let i = 0; i < 100; i++) paths.push(await created({ Name: 'many', RestParams }, 'carol'));
    const more = { Name: 'more', RestParams: [WEBHOOK], MqttParams: [BROKER] };
    const full = [409, statusErrorOf(6, 'outputProfile.full')];
    const post = await ask('POST', PROFILES, more, 'carol');
    expect([post.status, post.body]).toEqual(full);
    const put = await ask('PUT', paths[0]!, { ...more, RestParams }, 'carol');
    expect([put.status, put.body]).toEqual(full);
    expect((await ask('PUT', paths[0]!, more, 'carol')).status).toBe(200);
    // Another has place.
    await created();
  });
});

describe('what is delivered', () => {
  it('is counted by target, at receivers of the world and at those that left it', async () => {
    const path = await created({
      Name: 'two',
      RestParams: [
        { URL: 'https://in.example/up', OutputFormat: 'simple' },
        { URL: 'https://out.example/up', OutputFormat: 'extended' },
      ],
    });
    const receiver = { at: 'https://in.example/*', latency: 0.2 };
    const put = async (name: string, body: object) =>
      (await ask('PUT', `/sim/v1/receivers/${name}`, body)).status;
    expect(await put('inside', receiver)).toBe(204);
    expect(await put('inside', { ...receiver, answer: 99 })).toBe(400);
    await ask('PUT', `${path}/devices`, { Devices: [meters[2]] });
    await entry.advance(3_600);
    const { targets } = (await ask('GET', '/sim/v1/deliveries')).body as {
      targets: Record<string, unknown>[];
    };
    const [inside, outside] = targets.filter(({ address }) => `${address}`.endsWith('/up'));
    const count = inside?.emitted as number;
    expect(count).toBeGreaterThanOrEqual(11);
    expect(inside).toMatchObject({ delivered: count, left: 0 });
    expect(outside).toMatchObject({ emitted: count, delivered: 0, left: count });
    const { receivers } = (await ask('GET', '/sim/v1/receivers')).body as { receivers: object[] };
    expect(receivers).toMatchObject([
      { name: 'inside', requests: count, received: count, distinct: count, duplicates: 0 },
    ]);
    expect((await ask('DELETE', '/sim/v1/receivers/inside')).status).toBe(204);
    expect((await ask('DELETE', '/sim/v1/receivers/inside')).status).toBe(404);
    expect((await ask('GET', '/sim/v1/receivers')).body).toEqual({ receivers: [] });
  });
});

describe('outputProfile.create to list', () => testStatuses(() => entry, [116, 117, 118, 119]));
