/** Every query of a world, asked by each of its subscribers about what they have. */
import { DEFAULT_SUBSCRIBER } from '../../core/base/subscribers.ts';
import type { Answers, PlatformQuery } from '../../core/operations.ts';
import type { World } from '../../core/world/world.ts';
import type { Result } from '../../sim/base/result.ts';
import { wrongWith } from './answers.ts';

/** Things of a kind that are looked at one by one. */
const MOST = 5;

/**
 * What is wrong with the answers, by the rows; `kinds` gets each kind that was answered, and
 * `answered` each query with its answer.
 */
export function wrongAnswers(
  world: World,
  kinds = new Set<string>(),
  answered: (query: PlatformQuery, answer: unknown) => void = () => {},
): readonly string[] {
  const { devices = [], gateways = [] } = world.plan.owners ?? {};
  const owners = [...devices, ...gateways].map(([, owner]) => owner);
  const wrong: string[] = [];
  for (const by of new Set([DEFAULT_SUBSCRIBER, ...owners])) {
    const ask = <Asked extends PlatformQuery>(query: Asked): Answers[Asked['kind']] => {
      const came = world.ask({ ...query, by }) as Result<Answers[Asked['kind']]>;
      wrong.push(...wrongWith(query.kind, came));
      if (!came.ok) throw new Error(`${query.kind} was refused: ${came.failure.message}`);
      kinds.add('meanwhile' in came ? `${query.kind} meanwhile` : query.kind);
      answered(query, came.value);
      return came.value;
    };
    askAll(ask);
  }
  return wrong;
}

type Ask = <Asked extends PlatformQuery>(query: Asked) => Answers[Asked['kind']];

function askAll(ask: Ask): void {
  askManagement(ask);
  askDelivery(ask);
  ask({ kind: 'device.truths', limit: MOST });
  ask({ kind: 'fault.list' });
  ask({ kind: 'history.all' });
  ask({ kind: 'account.get' });
  ask({ kind: 'account.permissions' });
  for (const { Id } of ask({ kind: 'application.list' }).Applications.slice(0, MOST)) {
    ask({ kind: 'application.get', Id });
  }
  for (const { Id } of ask({ kind: 'role.list' }).Roles) ask({ kind: 'role.get', Id });
  const { delegated_to, delegated_from } = ask({ kind: 'delegation.list' });
  for (const { delegation_id } of [...delegated_to, ...delegated_from]) {
    ask({ kind: 'delegation.get', delegation_id });
  }
  for (const { job_id } of ask({ kind: 'reliableDownlink.list' })) {
    ask({ kind: 'reliableDownlink.get', job_id });
  }
  ask({ kind: 'image.allTags' });
  const reported = Object.keys(ask({ kind: 'deviceVersion.all' })).slice(0, MOST);
  ask({ kind: 'deviceVersion.several', deveuis: reported });
  for (const deveui of reported) ask({ kind: 'deviceVersion.get', deveui });
  for (const { devEui } of ask({ kind: 'device.list' }).slice(0, MOST)) {
    ask({ kind: 'device.get', devEui });
    ask({ kind: 'endDevice.get', DevEUI: devEui });
    ask({ kind: 'endDeviceV2.get', dev_eui: devEui });
    ask({ kind: 'payload.list', DevEUI: devEui });
    ask({ kind: 'device.answers', devEui });
    ask({ kind: 'device.settings', devEui });
    ask({ kind: 'device.truth', devEui });
    ask({ kind: 'downlink.waiting', devEui });
    ask({ kind: 'history.get', deveui: devEui });
    ask({ kind: 'deviceConfiguration.get', dev_eui: devEui });
    ask({ kind: 'deviceConfiguration.history', dev_eui: devEui });
  }
  for (const { eui } of ask({ kind: 'gateway.list' }).slice(0, MOST)) {
    ask({ kind: 'gateway.get', eui });
  }
  for (const { name } of ask({ kind: 'image.list' })) {
    ask({ kind: 'image.tags', name });
    if (name.endsWith('.hex')) ask({ kind: 'image.memory', name });
  }
  for (const { device_group_id } of ask({ kind: 'deviceGroup.list' })) {
    ask({ kind: 'deviceGroup.get', device_group_id });
  }
  const campaigns = ask({ kind: 'campaign.list' }).map(({ campaign_id }) => campaign_id);
  ask({ kind: 'campaign.bulkStatus', campaign_ids: campaigns });
  for (const campaign_id of campaigns) {
    ask({ kind: 'campaign.get', campaign_id });
    ask({ kind: 'campaign.shortStatus', campaign_id });
  }
  for (const { managed_campaign_id } of ask({ kind: 'managedCampaign.list' })) {
    ask({ kind: 'managedCampaign.get', managed_campaign_id });
    ask({ kind: 'managedCampaign.problematicDevices', managed_campaign_id });
  }
}

/** Profiles, decoder types and codecs, devices and groups of device and gateway management. */
function askManagement(ask: Ask): void {
  ask({ kind: 'serviceProfile.list' });
  ask({ kind: 'deviceProfile.list' });
  for (const { Id } of ask({ kind: 'decoderType.list' }).DecoderTypes) {
    ask({ kind: 'decoderType.get', Id });
  }
  for (const { Id } of ask({ kind: 'decoder.list' }).decoders.slice(0, MOST)) {
    ask({ kind: 'decoder.get', Id });
  }
  ask({ kind: 'endDevice.list' });
  ask({ kind: 'endDevice.health' });
  ask({ kind: 'endDeviceV2.list' });
  ask({ kind: 'statistics.healthCount' });
  for (const { Id } of ask({ kind: 'endDeviceGroup.list' }).DeviceGroups) {
    ask({ kind: 'endDeviceGroup.get', Id });
    ask({ kind: 'endDeviceGroup.recent', Id });
  }
  ask({ kind: 'log.list' });
  askGateways(ask);
}

/** Gateways, their groups and multicast groups. */
function askGateways(ask: Ask): void {
  ask({ kind: 'gatewayProfile.list' });
  ask({ kind: 'rfRegion.list' });
  ask({ kind: 'gatewayStatistics.connection' });
  ask({ kind: 'gatewayStatistics.health' });
  for (const { Id } of ask({ kind: 'baseStation.list' }).Gateways.slice(0, MOST)) {
    ask({ kind: 'baseStation.get', Id });
    ask({ kind: 'gatewayStatistics.get', Id });
    ask({ kind: 'gatewayStatistics.devices', Id });
    ask({ kind: 'gatewayEvent.list', NodeID: Id });
  }
  for (const { Id } of ask({ kind: 'gatewayGroup.list' }).GatewayGroups) {
    ask({ kind: 'gatewayGroup.get', Id });
  }
  for (const { MulticastDevEUI } of ask({ kind: 'multicastGroup.list' }).MulticastGroups) {
    ask({ kind: 'multicastGroup.get', MulticastDevEUI });
    ask({ kind: 'multicastGroup.gateways', MulticastDevEUI });
  }
}

/** Where things are delivered to, and what comes of that. */
function askDelivery(ask: Ask): void {
  ask({ kind: 'delivery.list' });
  ask({ kind: 'receiver.list' });
  for (const { Id } of ask({ kind: 'outputProfile.list' }).OutputProfiles.slice(0, MOST)) {
    ask({ kind: 'outputProfile.get', Id });
  }
  for (const { id } of ask({ kind: 'credentials.list' }).data.slice(0, MOST)) {
    ask({ kind: 'credentials.get', credentials_id: id });
  }
  for (const { id } of ask({ kind: 'destination.list' }).data.slice(0, MOST)) {
    ask({ kind: 'destination.get', destination_id: id });
  }
  for (const { id } of ask({ kind: 'alert.list' }).data.slice(0, MOST)) {
    ask({ kind: 'alert.get', alert_id: id });
  }
}
