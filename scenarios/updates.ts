/** A scenario's images, device groups and campaigns to the platform's commands with their stamps. */
import type { CampaignInput, Command, DeviceGroupInput } from '../core/command.ts';
import { AssertionFailed } from '../sim/base/assert.ts';
import { toHex } from '../sim/base/bytes.ts';
import { draw, entityKey, Purpose, type Seed } from '../sim/base/random.ts';
import { SECOND_US } from '../sim/base/units.ts';
import type { NetworkPlan } from '../sim/network-plan.ts';
import type { Scenario } from './schema.ts';
import type { CampaignEntry, GroupEntry, ImageEntry } from './update-schema.ts';

/** Images and groups at the start, campaigns at their times; in the order of time. */
export function updateCommands(
  { images, groups, campaigns }: Scenario,
  network: NetworkPlan,
  luck: Seed,
): { readonly atUs: number; readonly command: Command }[] {
  const before: Command[] = [
    ...images.map((image) => imageCommand(image, luck)),
    ...groupInputs(groups, network).map(
      (group) => ({ kind: 'deviceGroup.create', group }) as const,
    ),
  ];
  const begun = campaigns.map((entry) => ({
    atUs: entry.at,
    command: { kind: 'campaign.create', campaign: campaignInput(entry) } as const,
  }));
  return [
    ...before.map((command) => ({ atUs: 0, command })),
    ...begun.sort((a, b) => a.atUs - b.atUs),
  ];
}

// ── images ───────────────────────────────────────────────────────────────────────────────────────

function imageCommand({ name, tags, content }: ImageEntry, luck: Seed): Command {
  return { kind: 'image.create', name, bytesHex: hexOf(name, content, luck), tags };
}

function hexOf(name: string, content: ImageEntry['content'], luck: Seed): string {
  switch (content.by) {
    case 'drawing':
      return toHex(drawnBytes(name, content.bytes, luck));
    case 'content':
      return content.bytesHex;
    case 'file':
      throw new AssertionFailed(`broken invariant: ${content.path} is read before it is used`);
  }
}

/** Four bytes a draw. No device is called like an image, so no device's luck is used up. */
function drawnBytes(name: string, count: number, luck: Seed): Uint8Array {
  const { key0, key1 } = entityKey(luck, name);
  const bytes = new Uint8Array(count);
  let word = 0;
  for (let i = 0; i < count; i++) {
    if ((i & 3) === 0) word = draw(key0, key1, Purpose.payload, i >> 2);
    bytes[i] = word >> ((i & 3) * 8);
  }
  return bytes;
}

// ── device groups ────────────────────────────────────────────────────────────────────────────────

/** The loader has seen that every name is known. */
function groupInputs(groups: readonly GroupEntry[], network: NetworkPlan): DeviceGroupInput[] {
  if (groups.length === 0) return [];
  const devices = network.devices.map(({ name, devEui }) => [name, devEui] as const);
  const devEuisOf = new Map(devices.map(([name, devEui]) => [name, [devEui]]));
  for (const [type, { name }] of network.deviceTypes.entries()) {
    const population = network.devices.filter((device) => device.type === type);
    devEuisOf.set(
      name,
      population.map(({ devEui }) => devEui),
    );
  }
  const euisOf = new Map(network.gateways.map(({ name, eui }) => [name, [eui]]));
  return groups.map(({ name, class: loraClass, devices: members, gateways }) => ({
    name,
    ...(loraClass === undefined ? {} : { lora_class: loraClass }),
    gateways: [...new Set(gateways.flatMap((word) => euisOf.get(word) ?? [word.toUpperCase()]))],
    devices:
      members === 'all'
        ? devices.map(([, devEui]) => devEui)
        : [...new Set(members.flatMap((word) => devEuisOf.get(word) ?? [word.toUpperCase()]))],
  }));
}

// ── campaigns ────────────────────────────────────────────────────────────────────────────────────

/** Base units of the scenario in one unit of the service's; 1 where none is told. */
const UNITS: Readonly<Partial<Record<keyof CampaignEntry, number>>> = {
  multicast_setup_time: SECOND_US,
  mcast_freq: 1e6,
  mcast_session_timeout: SECOND_US,
  redundancy: 1e6,
  frag_send_delay: SECOND_US,
  acceptable_time_drift: SECOND_US,
  sleep_after_frag_sent: SECOND_US,
  min_downlink_delay: SECOND_US,
  min_timeout_delay: SECOND_US,
  automatic_retry_interval: SECOND_US,
  downlink_delay_rand_s: SECOND_US,
};

function campaignInput({ name, image, group, at: _, ...fields }: CampaignEntry): CampaignInput {
  const told = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [
      key,
      typeof value === 'number' ? value / (UNITS[key as keyof CampaignEntry] ?? 1) : value,
    ]);
  const input: Omit<CampaignInput, 'name' | 'image_name' | 'device_group'> =
    Object.fromEntries(told);
  return { name, image_name: image, device_group: group, ...input };
}
