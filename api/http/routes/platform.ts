/** The routes of device and gateway management, below the version that they have. */
import type { OperationKind } from '../../../core/operations.ts';
import type { Rows } from '../route.ts';
import type { HostKind } from './simulator.ts';

/** Keys are in PascalCase, and taken in any case. */
export const PLATFORM_V1: Rows<OperationKind | HostKind> = {
  'POST /devices/{DevEUI}/message': 'message.send',
  'GET /devices/{DevEUI}/payloads': 'payload.list',

  'GET /groups/devices': 'endDeviceGroup.list',
  'POST /groups/devices': ['endDeviceGroup.create', { bulk: true }],
  'GET /groups/devices/{Id}': 'endDeviceGroup.get',
  'PUT /groups/devices/{Id}': ['endDeviceGroup.replace', { bulk: true }],
  'PATCH /groups/devices/{Id}': ['endDeviceGroup.update', { bulk: true }],
  'DELETE /groups/devices/{Id}': 'endDeviceGroup.delete',

  'GET /version': 'version.get',
};
