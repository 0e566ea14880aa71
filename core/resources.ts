/**
 * The list of resources, and nothing else. A new resource is a file that declares it
 * (`declareResource` in kit/resource.ts), a test, and a row here. They are folded and hear of
 * news in this order, and of what is removed in the opposite one: campaigns stand after groups, so
 * a device fails in its campaign before its group loses it.
 */

import { alertResource } from './delivery/alerts/alerts.ts';
import { credentialsResource } from './delivery/credentials/credentials.ts';
import { deliveryResource } from './delivery/deliveries/deliveries.ts';
import { destinationResource } from './delivery/destinations/destinations.ts';
import { configurationResource } from './delivery/device-configuration/device-configurations.ts';
import { outputProfileResource } from './delivery/output-profiles/output-profiles.ts';
import { receiverResource } from './delivery/receivers/receivers.ts';
import { accountResource } from './management/accounts/account.ts';
import { applicationResource } from './management/accounts/applications.ts';
import { roleResource } from './management/accounts/roles.ts';
import { subscriberResource } from './management/accounts/subscribers.ts';
import { decoderTypeResource } from './management/decoders/decoder-types.ts';
import { decoderResource } from './management/decoders/decoders.ts';
import { deviceListResource } from './management/device-list/device-list.ts';
import { deviceProfileResource } from './management/device-profiles.ts';
import { endDeviceGroupResource } from './management/end-device-groups.ts';
import { endDeviceResource } from './management/end-devices/end-devices.ts';
import { gatewayGroupResource } from './management/gateway-groups.ts';
import { gatewayEventResource } from './management/gateway-states/gateway-events.ts';
import { gatewayStatisticsResource } from './management/gateway-states/gateway-statistics.ts';
import { baseStationResource } from './management/gateways/base-stations.ts';
import { gatewayProfileResource } from './management/gateways/gateway-profiles.ts';
import { rfRegionResource } from './management/gateways/rf-regions.ts';
import { logResource } from './management/logs/logs.ts';
import { messageResource } from './management/messages.ts';
import { multicastGroupResource } from './management/multicast-groups/multicast-groups.ts';
import { payloadResource } from './management/payloads/payloads.ts';
import { serviceProfileResource } from './management/service-profiles.ts';
import { statisticsResource } from './management/statistics/statistics.ts';
import { behaviourResource } from './simulator/behaviours.ts';
import { deviceResource } from './simulator/devices.ts';
import { downlinkResource } from './simulator/downlinks.ts';
import { faultResource } from './simulator/faults.ts';
import { gatewayResource } from './simulator/gateways.ts';
import { groundTruthResource } from './simulator/ground-truth.ts';
import { campaignResource } from './update-service/campaigns/campaigns.ts';
import { delegationResource } from './update-service/delegations.ts';
import { deviceGroupResource } from './update-service/device-groups.ts';
import { followUpResource } from './update-service/follow-ups.ts';
import { imageResource } from './update-service/images.ts';
import { keyResource } from './update-service/keys.ts';
import { managedCampaignResource } from './update-service/managed-campaigns/managed-campaigns.ts';
import { reliableDownlinkResource } from './update-service/reliable-downlinks/jobs.ts';
import { deviceVersionResource } from './update-service/reported-versions.ts';
import { historyResource } from './update-service/update-history.ts';

export const RESOURCES = [
  subscriberResource,
  roleResource,
  applicationResource,
  accountResource,
  deviceResource,
  behaviourResource,
  groundTruthResource,
  gatewayResource,
  faultResource,
  downlinkResource,
  imageResource,
  deviceGroupResource,
  keyResource,
  deviceVersionResource,
  historyResource,
  delegationResource,
  reliableDownlinkResource,
  campaignResource,
  managedCampaignResource,
  followUpResource,
  endDeviceGroupResource,
  multicastGroupResource,
  messageResource,
  statisticsResource,
  serviceProfileResource,
  decoderTypeResource,
  decoderResource,
  outputProfileResource,
  deviceProfileResource,
  endDeviceResource,
  logResource,
  payloadResource,
  deviceListResource,
  gatewayProfileResource,
  rfRegionResource,
  baseStationResource,
  gatewayStatisticsResource,
  gatewayEventResource,
  gatewayGroupResource,
  destinationResource,
  credentialsResource,
  alertResource,
  receiverResource,
  deliveryResource,
  configurationResource,
] as const;
