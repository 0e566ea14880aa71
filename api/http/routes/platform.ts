/** The routes of device and gateway management, below the version that they have. */
import type { OperationKind } from '../../../core/operations.ts';
import type { Rows } from '../route.ts';
import type { HostKind } from './simulator.ts';

/** Multicast groups; keys are in PascalCase, and taken in any case. */
export const PLATFORM_V0: Rows<OperationKind> = {
  'GET /multicastgroups': 'multicastGroup.list',
  'POST /multicastgroups': 'multicastGroup.create',
  'GET /multicastgroups/{MulticastDevEUI}': 'multicastGroup.get',
  'PUT /multicastgroups/{MulticastDevEUI}': 'multicastGroup.update',
  'DELETE /multicastgroups/{MulticastDevEUI}': 'multicastGroup.delete',
  'POST /multicastgroups/{MulticastDevEUI}/devices/associate': 'multicastGroup.addDevices',
  'POST /multicastgroups/{MulticastDevEUI}/devices/deassociate': 'multicastGroup.removeDevices',
  'GET /multicastgroups/{MulticastDevEUI}/gateways': 'multicastGroup.gateways',
  'POST /multicastgroups/{MulticastDevEUI}/gateways/associate': 'multicastGroup.addGateways',
  'POST /multicastgroups/{MulticastDevEUI}/gateways/deassociate': 'multicastGroup.removeGateways',
};

/** Keys are in PascalCase, and taken in any case. */
export const PLATFORM_V1: Rows<OperationKind | HostKind> = {
  'GET /serviceprofiles': ['serviceProfile.list', { beyond: true }],
  'GET /deviceprofiles': 'deviceProfile.list',
  'PATCH /deviceprofiles/{Id}/devices': ['deviceProfile.assign', { bulk: 'members' }],
  'GET /decodertypes': 'decoderType.list',
  'GET /decodertypes/{Id}': 'decoderType.get',

  'GET /devices': 'endDevice.list',
  'POST /devices': 'endDevice.create',
  'GET /devices/health': 'endDevice.health',
  'GET /devices/{DevEUI}': 'endDevice.get',
  'PUT /devices/{DevEUI}': 'endDevice.replace',
  'PATCH /devices/{DevEUI}': 'endDevice.update',
  'DELETE /devices/{DevEUI}': 'endDevice.delete',
  'GET /devices/healthcount': 'statistics.healthCount',
  'POST /devices/{DevEUI}/message': 'message.send',
  'GET /devices/{DevEUI}/payloads': 'payload.list',

  'GET /groups/devices': 'endDeviceGroup.list',
  'POST /groups/devices': ['endDeviceGroup.create', { bulk: 'members' }],
  'GET /groups/devices/{Id}': 'endDeviceGroup.get',
  'PUT /groups/devices/{Id}': ['endDeviceGroup.replace', { bulk: 'members' }],
  'PATCH /groups/devices/{Id}': ['endDeviceGroup.update', { bulk: 'members' }],
  'DELETE /groups/devices/{Id}': 'endDeviceGroup.delete',
  'GET /groups/devices/{Id}/recent': 'endDeviceGroup.recent',

  'GET /gateways': 'baseStation.list',
  'POST /gateways': 'baseStation.create',
  'GET /gateways/{Id}': 'baseStation.get',
  'PUT /gateways/{Id}': 'baseStation.replace',
  'PATCH /gateways/{Id}': 'baseStation.update',
  'DELETE /gateways/{Id}': 'baseStation.delete',
  'GET /gatewayprofiles': 'gatewayProfile.list',
  'GET /rfregions': ['rfRegion.list', { beyond: true }],
  'GET /gateways/connection': 'gatewayStatistics.connection',
  'GET /gateways/health': 'gatewayStatistics.health',
  'GET /gateways/{Id}/devices': 'gatewayStatistics.devices',
  'GET /gateways/{Id}/statistics': 'gatewayStatistics.get',
  'GET /logs': 'log.list',
  'GET /gateways/{NodeID}/events': 'gatewayEvent.list',

  'GET /groups/gateways': 'gatewayGroup.list',
  'POST /groups/gateways': ['gatewayGroup.create', { bulk: 'members' }],
  'GET /groups/gateways/{Id}': 'gatewayGroup.get',
  'PUT /groups/gateways/{Id}': ['gatewayGroup.replace', { bulk: 'members' }],
  'PATCH /groups/gateways/{Id}': ['gatewayGroup.update', { bulk: 'members' }],
  'DELETE /groups/gateways/{Id}': 'gatewayGroup.delete',

  'GET /version': ['version.get', { beyond: true }],

  'GET /account': 'account.get',
  'PUT /account/passwordReset': 'account.resetPassword',
  'PATCH /account/patchUserInfo': 'account.patchUserInfo',
  'PUT /account/updateUserInfo': 'account.updateUserInfo',
  'GET /account/permissions': 'account.permissions',

  'GET /applications': 'application.list',
  'POST /applications': 'application.create',
  'GET /applications/{Id}': 'application.get',
  'PUT /applications/{Id}': 'application.replace',
  'PATCH /applications/{Id}': 'application.update',
  'DELETE /applications/{Id}': 'application.delete',
  'POST /applications/{Id}/refreshToken': 'application.refreshToken',

  'GET /roles': ['role.list', { beyond: true }],
  'GET /roles/{Id}': ['role.get', { beyond: true }],
};

/** Keys are in snake_case, and taken as they are. */
export const PLATFORM_V2: Rows<OperationKind> = {
  'GET /devices': ['endDeviceV2.list', { lines: 'data' }],
  'GET /devices/{dev_eui}': 'endDeviceV2.get',
};
