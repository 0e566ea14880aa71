/** Two subscribers with the same names of everything: neither sees what is the other's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upload } from '../../api/client/client.ts';
import { gatewayEui } from '../../scenarios/filling/identity.ts';
import {
  type ListedOperation,
  type OpenApi,
  operationsOf,
  SERVICE,
  ServedEntry,
  TOWN,
} from '../support/served-http.ts';

type Name = 'ann' | 'bob';

/** Words that only one of them ever says, in what she or he gives as text. */
const CANARY: Readonly<Record<Name, string>> = { ann: 'CANARYANN', bob: 'CANARYBOB' };
const POPULATION: Readonly<Record<Name, string>> = { ann: 'meter', bob: 'valve' };
const GATEWAY: Readonly<Record<Name, string>> = {
  ann: gatewayEui('mast', 1),
  bob: gatewayEui('tower', 1),
};
const OTHER: Readonly<Record<Name, Name>> = { ann: 'bob', bob: 'ann' };
const NAMES = ['ann', 'bob'] as const;

interface Things {
  readonly devices: readonly string[];
  /** By the names of the paths. */
  readonly ids: Readonly<Record<string, string>>;
  /** A managed campaign in which every device fails, over and over. */
  readonly failing: string;
}

let entry: ServedEntry;
let operations: readonly ListedOperation[];
let things: Readonly<Record<Name, Things>>;

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  const document = (await entry.ask('GET', '/openapi.json')).body as OpenApi;
  operations = operationsOf(document).filter(({ path }) => path.startsWith(SERVICE));
  await entry.advance(600);
  things = { ann: await create('ann'), bob: await create('bob') };
  await entry.advance('idle');
});
afterAll(async () => await entry.close());

/** The same names for both, and a canary in every text that is free. */
async function create(who: Name): Promise<Things> {
  const client = entry.clientOf(who);
  const devices = await entry.devEuisOf(POPULATION[who], who);
  const image = 'same-2.0.0.bin';
  const bytes = new Uint8Array(60).fill(who === 'ann' ? 1 : 2);
  await client.POST('/api/v3.2/images', upload(image, bytes, ['same', CANARY[who]]));
  await client.POST('/api/v3.2/images', upload(`${CANARY[who]}-1.0.0.bin`, bytes));
  for (const name of ['same', CANARY[who]]) {
    await client.POST('/api/v3.2/device_groups', { body: { name, devices } });
  }
  const { data: groups } = await client.GET('/api/v3.2/device_groups');
  const device_group_id = groups!.find(({ name }) => name === 'same')!.device_group_id;
  await client.POST('/api/v3.2/key_management', {
    body: Object.fromEntries(devices.map((each) => [each, '00'.repeat(16)])),
  });
  const delegation = await client.POST('/api/v3.2/upgrade_delegation', {
    body: {
      delegate_to: 'carol',
      expires_at: '2026-04-01T00:00:00Z',
      include_devices: [devices[0]!],
      include_gateways: [CANARY[who]],
    },
  });
  await client.DELETE('/api/v3.2/key_management', { body: [...devices] });
  const campaign = await client.POST('/api/v3.2/campaigns', {
    body: {
      name: CANARY[who],
      image_name: image,
      device_group_id,
      completed_email_alert: [`${CANARY[who]}@example.org`],
    },
  });
  const { campaign_id } = campaign.data!;
  const job = await client.POST('/api/v3.2/reliable_downlinks', {
    body: {
      name: CANARY[who],
      downlink_hex: '01',
      downlink_fport: 5,
      expected_uplink_hex: '01',
      expected_uplink_fport: 5,
      device_group_id,
    },
  });
  const manage = async (body: object) => {
    const managed = await client.POST('/api/v3.2/managed_campaigns', {
      body: {
        name: CANARY[who],
        include_versions: ['02..............'],
        image_name: `${CANARY[who]}-1.0.0.bin`,
        run_until: '2026-03-03T12:00:00Z',
        gateways: [GATEWAY[who]],
        ...body,
      },
    });
    return managed.data!.managed_campaign_id;
  };
  const managed_campaign_id = await manage({});
  const failing = await manage({
    include_versions: ['................'],
    image_name: image,
    expected_version: '99999999........',
    preferred_start_time_utc: '12:00',
  });
  return {
    devices,
    failing,
    ids: {
      campaign_id,
      device_group_id,
      deveui: devices[0]!,
      image_name: `${CANARY[who]}-1.0.0.bin`,
      image_id: `${CANARY[who]}-1.0.0.bin`,
      delegation_id: delegation.data!.delegation_id,
      job_id: job.data!.job_id,
      managed_campaign_id,
    },
  };
}

/** All that names what is one's: canaries, ids and DevEUIs. */
const marksOf = (who: Name): readonly string[] => [
  CANARY[who],
  ...things[who].devices,
  GATEWAY[who],
  things[who].failing,
  ...['campaign_id', 'device_group_id', 'delegation_id', 'job_id', 'managed_campaign_id'].map(
    (name) => things[who].ids[name]!,
  ),
];

const asking = async (who: Name, method: string, path: string, body?: unknown) =>
  await entry.ask(method, path, {
    token: await entry.tokenOf(who),
    ...(body === undefined ? {} : { body }),
  });

/** With the ids of someone, or with those of nobody. */
const pathOf = ({ path }: ListedOperation, ids: Readonly<Record<string, string>>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name]!));

/** Ids of the same forms that nothing ever had. */
const NEVER: Readonly<Record<string, string>> = {
  campaign_id: '00000000-0000-4000-8000-000000000000',
  device_group_id: 'never1',
  deveui: 'FFFFFFFFFFFFFFFF',
  image_name: 'never-1.0.0.bin',
  image_id: 'never-1.0.0.bin',
  delegation_id: '00000000-0000-4000-8000-000000000000',
  job_id: '00000000-0000-4000-8000-000000000000',
  managed_campaign_id: '00000000-0000-4000-8000-000000000000',
};

const queries = (): Readonly<Record<string, string>> => ({
  'campaign.bulkStatus': `?campaign_ids=${NAMES.map((who) => things[who].ids.campaign_id)}`,
  'deviceVersion.several': `?deveuis=${[...things.ann.devices, ...things.bob.devices]}`,
});

describe.each(NAMES)('%s', (who) => {
  const lists = () =>
    operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));

  it('sees what is hers or his in every list, and nothing of the other', async () => {
    let own = 0;
    for (const operation of lists()) {
      const query = queries()[operation.operationId] ?? '';
      const { status, text } = await asking(who, 'GET', operation.path + query);
      expect([operation.path, status]).toEqual([operation.path, 200]);
      for (const mark of marksOf(OTHER[who])) expect(text).not.toContain(mark);
      if (marksOf(who).some((mark) => text.includes(mark))) own++;
    }
    expect(own).toBe(lists().length);
  });

  it('reads, under ids that are hers or his, nothing of the other', async () => {
    const gets = operations.filter(({ method, path }) => method === 'GET' && path.includes('{'));
    const { devices, failing, ids } = things[who];
    const telling = new Set<string>();
    for (const managed_campaign_id of [ids.managed_campaign_id!, failing]) {
      for (const operation of gets) {
        const path = pathOf(operation, { ...ids, managed_campaign_id });
        const { status, text } = await asking(who, 'GET', path);
        expect([operation.path, status]).toEqual([operation.path, 200]);
        for (const mark of marksOf(OTHER[who])) expect(text).not.toContain(mark);
        if (devices.some((each) => text.includes(each))) telling.add(operation.operationId);
      }
    }
    // The one reports of devices that it updated, the other of those that failed.
    expect(telling).toContain('managedCampaign.get');
    expect(telling).toContain('managedCampaign.problematicDevices');
  });

  it('has 404 for what is the other’s, word for word as for what never was', async () => {
    const { devices } = things[who];
    const bodies: Readonly<Record<string, unknown>> = {
      'deviceGroup.replace': { name: 'x', devices },
      'deviceGroup.addDevices': { devices },
      'deviceGroup.keygenAddDevices': { devices, keygen_type: 'vendor' },
      'image.replaceTags': ['x'],
      'image.addTags': ['x'],
      'image.removeTags': [CANARY[OTHER[who]]],
    };
    const foreign = things[OTHER[who]].ids;
    const before = await picture(OTHER[who]);
    for (const operation of operations.filter(({ path }) => path.includes('{'))) {
      const body =
        operation.requestBody === undefined ? undefined : (bodies[operation.operationId] ?? {});
      const one = await asking(who, operation.method, pathOf(operation, foreign), body);
      const none = await asking(who, operation.method, pathOf(operation, NEVER), body);
      const name = `${operation.method} ${operation.path}`;
      expect([name, one.status, none.status]).toEqual([name, 404, 404]);
      const id = (ids: Readonly<Record<string, string>>) =>
        ids[/\{(\w+)\}/.exec(operation.path)![1]!]!;
      expect(one.text.replaceAll(id(foreign), 'ID')).toBe(none.text.replaceAll(id(NEVER), 'ID'));
      const store = ({ headers }: typeof one) => ({ ...headers, 'content-length': '' });
      expect(store(one)).toEqual(store(none));
    }
    expect(await picture(OTHER[who])).toEqual(before);
  });

  it('has 400 in a body for what is the other’s, word for word as for what never was', async () => {
    const other = things[OTHER[who]];
    const own = things[who];
    const same = async (path: string, of: (devEui: string, group: string) => unknown) => {
      const foreign = await asking(
        who,
        'POST',
        SERVICE + path,
        of(other.devices[0]!, other.ids.device_group_id!),
      );
      const none = await asking(who, 'POST', SERVICE + path, of(NEVER.deveui!, 'never1'));
      expect([foreign.status, none.status]).toEqual([400, 400]);
      const blank = (text: string, ...ids: string[]) =>
        ids.reduce((rest, id) => rest.replaceAll(id, 'ID'), text);
      expect(blank(foreign.text, other.devices[0]!, other.ids.device_group_id!)).toBe(
        blank(none.text, NEVER.deveui!, 'never1'),
      );
    };
    await same('/device_groups', (devEui) => ({ name: 'x', devices: [own.devices[0], devEui] }));
    await same('/campaigns', (_, device_group_id) => ({
      name: 'x',
      image_name: 'same-2.0.0.bin',
      device_group_id,
    }));
  });

  it('keeps keys of the other’s devices apart from those of the other', async () => {
    const [devEui] = things[OTHER[who]].devices;
    const before = await picture(OTHER[who]);
    const upload = await asking(who, 'POST', `${SERVICE}/key_management`, {
      [devEui!]: '11'.repeat(16),
    });
    expect(upload.status).toBe(201);
    expect((await asking(who, 'DELETE', `${SERVICE}/key_management`, [devEui])).status).toBe(204);
    expect(await picture(OTHER[who])).toEqual(before);
  });
});

/** What all GETs answer to somebody. */
async function picture(who: Name): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const query = queries()[operation.operationId] ?? '';
    const { status, text } = await asking(who, 'GET', pathOf(operation, things[who].ids) + query);
    answers.push([operation.path, status, text]);
  }
  return answers;
}

describe('a third subscriber', () => {
  it('sees of both what they delegated, and only while asking for it', async () => {
    const token = await entry.tokenOf('carol');
    const all = await entry.service('GET', '/device_version/all', { token });
    expect(all.body).toEqual({});
    for (const who of NAMES) {
      const path = `/device_version/all?delegated_subscriber_id=${who}`;
      const { status, body } = await entry.service('GET', path, { token });
      expect([status, Object.keys(body as object)]).toEqual([200, [things[who].devices[0]]]);
    }
  });
});
