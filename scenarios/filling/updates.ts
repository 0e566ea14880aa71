/**
 * A scenario's images, device groups of both services,
 * campaigns, managed campaigns and reliable downlink jobs to
 * the platform's commands, with stamps.
 */
import type { Command, TimedCommand } from '../../core/command.ts';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import type { DeviceGroupInput } from '../../core/update-service/device-groups.ts';
import type { ManagedInput } from '../../core/update-service/managed-campaigns/fields.ts';
import type { JobInput } from '../../core/update-service/reliable-downlinks/rows.ts';
import { AssertionFailed, assert } from '../../sim/base/assert.ts';
import { DrawPurpose, draw, entityKey, type Seed } from '../../sim/base/random.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { givenOf, instantAt, scheduledStart } from '../language/service-input.ts';
import { type Owned, ownerOf } from '../language/subscriber-knob.ts';
import type { Scenario } from '../schema/schema.ts';
import type { CampaignEntry, ImageEntry } from '../schema/update-schema.ts';
import { alertCommands } from './alerts.ts';
import { idIn, type UpdateIds } from './ids.ts';
import { multicastGroupCommands } from './multicast-groups.ts';
import { keyCommands } from './multicast-keys.ts';
import { devicesIn, gatewaysIn } from './named-things.ts';
import { typeEntries } from './types.ts';

/**
 * Keys and images, delegations of the start, groups, which may have what is delegated; then later
 * delegations, campaigns and jobs at their times, in that order.
 */
export function updateCommands(
  scenario: Scenario,
  network: NetworkPlan,
  random: Seed,
  ids: UpdateIds,
  delegations: readonly TimedCommand[],
): { readonly atUs: number; readonly command: Command }[] {
  const { images, campaigns } = scenario;
  const types = typeEntries(scenario);
  const owner = (entry: Owned) => ownerOf(scenario, entry);
  const before: Command[] = [
    ...scenario.devices.flatMap((entry) => {
      const devices = network.devices.filter(({ type }) => types[type] === entry);
      const by = owner(entry);
      return keyCommands(entry.multicastKeys, devices).map((command) => ({ ...command, by }));
    }),
    ...images.map((entry) => {
      const { name, tags, content } = entry;
      const bytes = bytesOf(name, content, random);
      return { kind: 'image.create', by: owner(entry), name, bytes, tags } as const;
    }),
    ...delegations.filter(({ atUs }) => atUs === 0).map(({ command }) => command),
    ...groupCommands(scenario, network, ids),
    ...endDeviceGroupCommands(scenario, network, ids),
    ...gatewayGroupCommands(scenario, network, ids),
    ...multicastGroupCommands(scenario, network, random),
    ...alertCommands(scenario, network, ids),
  ];
  const later = delegations.filter(({ atUs }) => atUs > 0);
  const begun = campaignCommands(campaigns, scenario.start, ids, owner);
  return [
    ...before.map((command) => ({ atUs: 0, command })),
    ...[
      ...later,
      ...begun,
      ...jobCommands(scenario, network, ids),
      ...managedCommands(scenario, network, ids),
    ].sort((a, b) => a.atUs - b.atUs),
  ];
}

// ── images ───────────────────────────────────────────────────────────────────────────────────────

function bytesOf(name: string, content: ImageEntry['content'], random: Seed): Uint8Array {
  switch (content.by) {
    case 'drawing':
      return drawnBytes(name, content.bytes, random);
    case 'content':
      return content.bytes;
    case 'file':
      throw new AssertionFailed(`broken invariant: ${content.path} is read before it is used`);
  }
}

/** Four bytes a draw. No device is called like an image, so no device's luck is used up. */
function drawnBytes(name: string, count: number, random: Seed): Uint8Array {
  const { key0, key1 } = entityKey(random, name);
  const bytes = new Uint8Array(count);
  let word = 0;
  for (let i = 0; i < count; i++) {
    if ((i & 3) === 0) word = draw(key0, key1, DrawPurpose.payload, i >> 2);
    bytes[i] = word >> ((i & 3) * 8);
  }
  return bytes;
}

// ── device groups ────────────────────────────────────────────────────────────────────────────────

/** The loader has seen that every name is known. */
function groupCommands(scenario: Scenario, network: NetworkPlan, ids: UpdateIds): Command[] {
  if (scenario.groups.length === 0) return [];
  const devicesOf = devicesIn(scenario, network);
  const gatewaysOf = gatewaysIn(scenario, network);
  return scenario.groups.map((entry) => {
    const { name, class: loraClass, devices, gateways } = entry;
    const by = ownerOf(scenario, entry);
    const group: DeviceGroupInput = {
      name,
      ...(loraClass === undefined ? {} : { lora_class: loraClass }),
      gateways: gatewaysOf(gateways, by),
      devices: devicesOf(devices, by),
    };
    return { kind: 'deviceGroup.create', by, id: idIn(ids.groups, name), group };
  });
}

/** Those of management. */
function endDeviceGroupCommands(
  scenario: Scenario,
  network: NetworkPlan,
  ids: UpdateIds,
): Command[] {
  const { endDeviceGroups } = scenario;
  if (endDeviceGroups.length === 0) return [];
  const devicesOf = devicesIn(scenario, network);
  return endDeviceGroups.map((entry) => {
    const { name, devices = [] } = entry;
    const by = ownerOf(scenario, entry);
    const group = { Name: name, DeviceList: devicesOf(devices, by) };
    return { kind: 'endDeviceGroup.create', by, id: idIn(ids.endDeviceGroups, name), group };
  });
}

/** Of gateways. */
function gatewayGroupCommands(scenario: Scenario, network: NetworkPlan, ids: UpdateIds): Command[] {
  const gatewaysOf = gatewaysIn(scenario, network);
  return scenario.gatewayGroups.map((entry) => {
    const { name, gateways = [] } = entry;
    const by = ownerOf(scenario, entry);
    const group = { Name: name, GatewayList: gatewaysOf(gateways, by) };
    return { kind: 'gatewayGroup.create', by, id: idIn(ids.gatewayGroups, name), group };
  });
}

// ── reliable downlink jobs ───────────────────────────────────────────────────────────────────────

function jobCommands(scenario: Scenario, network: NetworkPlan, ids: UpdateIds): TimedCommand[] {
  if (scenario.reliableDownlinks.length === 0) return [];
  const devicesOf = devicesIn(scenario, network);
  return scenario.reliableDownlinks.map((entry) => {
    const { name, devices = [], group, at: atUs, subscriber: _, ...fields } = entry;
    const by = ownerOf(scenario, entry);
    const job: JobInput = {
      name,
      ...fields,
      devices: devicesOf(devices, by),
      ...(group === undefined ? {} : { device_group_id: idIn(ids.groups, group) }),
    };
    const id = idIn(ids.reliableDownlinks, name);
    return { atUs, command: { kind: 'reliableDownlink.create', by, id, job } };
  });
}

// ── managed campaigns ────────────────────────────────────────────────────────────────────────────

function managedCommands(scenario: Scenario, network: NetworkPlan, ids: UpdateIds): TimedCommand[] {
  if (scenario.managedCampaigns.length === 0) return [];
  const gatewaysOf = gatewaysIn(scenario, network);
  return scenario.managedCampaigns.map((entry) => {
    const { name, image, gateway, at: atUs, run_until, subscriber: _, ...fields } = entry;
    const by = ownerOf(scenario, entry);
    const managedCampaign: ManagedInput = {
      name,
      image_name: image,
      gateways: gatewaysOf([gateway], by),
      ...givenOf(fields),
      include_versions: entry.include_versions,
      ...(run_until === undefined ? {} : { run_until: instantAt(run_until, scenario.start) }),
    };
    const id = idIn(ids.managedCampaigns, name);
    return { atUs, command: { kind: 'managedCampaign.create', by, id, managedCampaign } };
  });
}

// ── campaigns ────────────────────────────────────────────────────────────────────────────────────

/** Those that begin at their times, then those that follow others, the earlier ones first. */
function campaignCommands(
  campaigns: readonly CampaignEntry[],
  startUnixMs: number,
  ids: UpdateIds,
  owner: (entry: Owned) => string,
): TimedCommand[] {
  const named = new Map(campaigns.map((entry) => [entry.name, entry]));
  /** The campaigns before one, the nearest first. */
  const chainOf = (entry: CampaignEntry): readonly CampaignEntry[] => {
    const chain: CampaignEntry[] = [];
    for (let { after } = entry; after !== undefined; after = chain.at(-1)!.after) {
      const earlier = named.get(after);
      assert(earlier !== undefined, 'the loader has seen that every campaign is known');
      chain.push(earlier);
    }
    return chain;
  };
  const chained = campaigns.map((entry) => ({ entry, chain: chainOf(entry) }));
  return chained
    .sort((a, b) => a.chain.length - b.chain.length)
    .map(({ entry, chain }): TimedCommand => {
      const by = owner(entry);
      const id = idIn(ids.campaigns, entry.name);
      const earliest = chain.length > 0 && entry.at > 0 ? entry.at : undefined;
      const starts = { ...entry, scheduled_start_at: earliest ?? entry.scheduled_start_at };
      const campaign = campaignInput(starts, idIn(ids.groups, entry.group), startUnixMs);
      if (entry.after === undefined) {
        return { atUs: entry.at, command: { kind: 'campaign.create', by, id, campaign } };
      }
      const after = idIn(ids.campaigns, entry.after);
      const follows = { by, id, campaign, after, ...entry.when };
      // What it follows is there from then on.
      return { atUs: chain.at(-1)!.at, command: { kind: 'followUp.create', ...follows } };
    });
}

function campaignInput(
  entry: CampaignEntry,
  device_group_id: string,
  startUnixMs: number,
): CampaignInput {
  const { name, image, group: _, at: __, subscriber: ___, scheduled_start_at, ...given } = entry;
  const { after: ____, when: _____, ...fields } = given;
  return {
    name,
    image_name: image,
    device_group_id,
    ...givenOf(fields),
    ...scheduledStart(scheduled_start_at, startUnixMs),
  };
}
