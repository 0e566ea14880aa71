/** What a served world has, by the names under which its answers tell of it. */
import { assert } from '../../../sim/base/assert.ts';
import { type Fleet, NAMES } from './fleet.ts';
import type { Known } from './values.ts';

/** Names of fields that take what answers call otherwise. */
const OTHERWISE: Readonly<Record<string, string>> = {
  image_id: 'image',
  image_name: 'image',
  devices: 'deveui',
  deveuis: 'deveui',
  include_devices: 'deveui',
  include_gateways: 'gateway',
  gateways: 'gateway',
  campaign_ids: 'campaign_id',
  delegate_to: 'subscriber',
  delegated_subscriber_id: 'subscriber',
};

const NOBODY = ['00000000-0000-4000-8000-000000000000', '00000000000000AA', 'nobody', '0'];

export class Pools {
  readonly #values = new Map<string, string[]>();

  /** One in eight is not known to anybody. */
  pick({ name, nth }: Known, of: number): string {
    if ((nth + of) % 8 === 0) return NOBODY[nth % NOBODY.length]!;
    const pool = this.#values.get(OTHERWISE[name] ?? name) ?? this.#values.get('deveui')!;
    return pool[nth % pool.length] ?? NOBODY[0]!;
  }

  /** Under what answers tell of it. */
  nameOf(name: string): string {
    return OTHERWISE[name] ?? name;
  }

  get(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  add(name: string, value: string): void {
    const pool = this.#values.get(name) ?? [];
    if (!pool.includes(value)) pool.push(value);
    this.#values.set(name, pool);
  }
}

/** Of all GETs without a path: what their answers name. */
export async function poolsOf(fleet: Fleet): Promise<Pools> {
  const pools = new Pools();
  const { network } = fleet.parts.scenario.plan;
  for (const { eui } of network.gateways) pools.add('gateway', eui);
  for (const { devEui } of network.devices) pools.add('deveui', devEui);
  for (const { subscriber } of fleet.parts.accounts.list()) pools.add('subscriber', subscriber);
  for (const name of NAMES) {
    for (const { method, path, id } of fleet.operations) {
      if (method !== 'GET' || path.includes('{') || !path.includes('/v')) continue;
      if (id === 'session.get') continue;
      const { statusCode, body } = await fleet.get(name, path);
      if (statusCode === 200) gather(JSON.parse(body), pools);
    }
  }
  return pools;
}

function gather(value: unknown, pools: Pools): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (key.endsWith('.bin')) pools.add('image', key);
    if (typeof each === 'string' && /(_id|name|_id_)$/.test(key)) pools.add(key, each);
    if (typeof each === 'string' && each.endsWith('.bin')) pools.add('image', each);
    if (/^[0-9a-f-]{36}$/.test(key)) pools.add('campaign_id', key);
    gather(each, pools);
  }
}

/** Gives both subscribers again what deletions took. */
export async function restock(fleet: Fleet, round: number): Promise<Pools> {
  for (const name of NAMES) {
    const population = { ann: 'meter', bob: 'valve' }[name];
    const own = fleet.parts.scenario.plan.network.devices
      .filter((device) => device.name.startsWith(population))
      .map(({ devEui }) => devEui);
    const image = `${name}-${round % 20}.bin`;
    await fleet.upload(name, image, Buffer.alloc(300, round));
    const url = '/api/v3.2';
    const group = { name: 'again', devices: own.slice(0, 3) };
    const made = await fleet.send(name, 'POST', `${url}/device_groups`, group);
    assert(made.statusCode === 200, `a group can be made: ${made.body}`);
    const { device_group_id } = made.json<{ device_group_id: string }>();
    const campaign = { name: 'again', image_name: image, device_group_id };
    await fleet.send(name, 'POST', `${url}/campaigns`, campaign);
    const other = NAMES.find((each) => each !== name)!;
    const delegation = {
      delegate_to: other,
      expires_at: '2027-01-01T00:00:00Z',
      include_devices: own.slice(0, 2),
    };
    await fleet.send(name, 'POST', `${url}/upgrade_delegation`, delegation);
  }
  return await poolsOf(fleet);
}
