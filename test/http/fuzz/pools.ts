/** What a served world has, by the names under which its answers tell of it. */
import { assert } from '../../../sim/base/assert.ts';
import { type Fleet, NAMES, type Name } from './fleet.ts';
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

/** Values by name, for each subscriber his own. */
export class Pools {
  readonly #own: Readonly<Record<Name, Map<string, string[]>>> = { ann: new Map(), bob: new Map() };

  /** What `as` has, as a rule; now and then what somebody else has, or nobody. */
  pick(as: Name, { name, nth }: Known, of: number): string {
    const kind = (nth + of) % 10;
    const other = NAMES.find((each) => each !== as)!;
    const pool = this.get(kind === 1 ? other : as, this.nameOf(name));
    const named = pool.length > 0 ? pool : this.get(as, 'deveui');
    return (kind === 0 ? undefined : named[nth % named.length]) ?? NOBODY[nth % NOBODY.length]!;
  }

  /** Under what answers tell of it. */
  nameOf(name: string): string {
    return OTHERWISE[name] ?? name;
  }

  get(of: Name, name: string): readonly string[] {
    return this.#own[of].get(name) ?? [];
  }

  add(of: Name, name: string, value: string): void {
    const pool = this.get(of, name);
    if (!pool.includes(value)) this.#own[of].set(name, [...pool, value]);
  }
}

/** Of all GETs without a path: what their answers name. */
export async function poolsOf(fleet: Fleet): Promise<Pools> {
  const pools = new Pools();
  const { network } = fleet.parts.scenario.plan;
  for (const name of NAMES) {
    for (const { eui, name: of } of network.gateways) {
      if (of.startsWith(GATEWAYS[name])) pools.add(name, 'gateway', eui);
    }
    for (const devEui of devicesOf(fleet, name)) pools.add(name, 'deveui', devEui);
    for (const { id } of fleet.served.facts.accounts.subscriber.all) {
      pools.add(name, 'subscriber', id);
    }
    for (const { method, path, id } of fleet.operations) {
      if (method !== 'GET' || path.includes('{') || id === 'session.get') continue;
      const { statusCode, body } = await fleet.get(name, path);
      if (statusCode === 200) gather(JSON.parse(body), name, pools);
    }
  }
  return pools;
}

function gather(value: unknown, of: Name, pools: Pools): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (key.endsWith('.bin')) pools.add(of, 'image', key);
    if (typeof each === 'string' && /(_id|name)$/.test(key)) pools.add(of, key, each);
    if (typeof each === 'string' && each.endsWith('.bin')) pools.add(of, 'image', each);
    gather(each, of, pools);
  }
}

const POPULATIONS = { ann: 'meter', bob: 'valve' } as const;
const GATEWAYS = { ann: 'mast', bob: 'tower' } as const;

/** DevEUIs. */
export const devicesOf = (fleet: Fleet, name: Name): readonly string[] =>
  fleet.parts.scenario.plan.network.devices
    .filter((device) => device.name.startsWith(POPULATIONS[name]))
    .map(({ devEui }) => devEui);

const API = '/api/v3.2';

/** Gives both subscribers again what deletions took, and names that are known. */
export async function restock(fleet: Fleet, round: number): Promise<Pools> {
  for (const name of NAMES) {
    const own = devicesOf(fleet, name);
    const image = `${name}-2.0.${round % 20}.bin`;
    await fleet.upload(name, image, Buffer.alloc(300, round));
    const group = { name: 'again', devices: own.slice(0, 3) };
    const made = await fleet.send(name, 'POST', `${API}/device_groups`, group);
    assert(made.statusCode === 200, `a group can be made: ${made.body}`);
    const { device_group_id } = made.json<{ device_group_id: string }>();
    const campaign = { name: 'again', image_name: image, device_group_id };
    const begun = await fleet.send(name, 'POST', `${API}/campaigns`, campaign);
    assert(begun.statusCode === 202, `a campaign can be made: ${begun.body}`);
    const delegation = {
      delegate_to: NAMES.find((each) => each !== name)!,
      expires_at: '2035-01-01T00:00:00Z',
      include_devices: own.slice(0, 2),
    };
    await fleet.send(name, 'POST', `${API}/upgrade_delegation`, delegation);
    const downlink = { downlink_hex: '01', downlink_fport: 5 };
    const expected = { expected_uplink_hex: '01', expected_uplink_fport: 5 };
    const job = { name: 'again', ...downlink, ...expected, device_group_id };
    await fleet.send(name, 'POST', `${API}/reliable_downlinks`, job);
  }
  return await poolsOf(fleet);
}
