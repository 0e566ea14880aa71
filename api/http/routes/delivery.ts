/** The routes of what is delivered: output profiles, destinations, credentials and alerts. */
import type { OperationKind } from '../../../core/operations.ts';
import type { Rows } from '../route.ts';

const profile = { path: { output_profile_id: 'Id' } } as const;

/** Keys are in PascalCase, and taken in any case. */
export const DELIVERY_V1: Rows<OperationKind> = {
  'GET /outputprofiles': 'outputProfile.list',
  'POST /outputprofiles': ['outputProfile.create', { status: 201 }],
  'GET /outputprofiles/{output_profile_id}': ['outputProfile.get', { ...profile, beyond: true }],
  'PUT /outputprofiles/{output_profile_id}': ['outputProfile.replace', profile],
  'PATCH /outputprofiles/{output_profile_id}': [
    'outputProfile.update',
    { ...profile, beyond: true },
  ],
  'DELETE /outputprofiles/{output_profile_id}': [
    'outputProfile.delete',
    { ...profile, beyond: true },
  ],
  'PATCH /outputprofiles/{output_profile_id}/devices': [
    'outputProfile.assign',
    { ...profile, bulk: 'members' },
  ],
  'PUT /outputprofiles/{output_profile_id}/devices': [
    'outputProfile.assignAll',
    { ...profile, bulk: 'members', beyond: true },
  ],
};

/** Keys are in snake_case. */
export const DELIVERY_V2: Rows<OperationKind> = {
  'GET /output/destinations': 'destination.list',
  'POST /output/destinations': ['destination.create', { status: 201 }],
  'GET /output/destinations/{destination_id}': 'destination.get',
  'PUT /output/destinations/{destination_id}': 'destination.replace',
  'DELETE /output/destinations/{destination_id}': 'destination.delete',

  'GET /output/credentials': 'credentials.list',
  'POST /output/credentials': ['credentials.create', { status: 201 }],
  'GET /output/credentials/{credentials_id}': 'credentials.get',
  'PUT /output/credentials/{credentials_id}': 'credentials.replace',
  'DELETE /output/credentials/{credentials_id}': 'credentials.delete',

  'GET /output/alerts': 'alert.list',
  'POST /output/alerts': ['alert.create', { status: 201 }],
  'GET /output/alerts/{alert_id}': 'alert.get',
  'PUT /output/alerts/{alert_id}': 'alert.replace',
  'DELETE /output/alerts/{alert_id}': 'alert.delete',
  'POST /output/alerts/{alert_id}/gateways:add': 'alert.addGateway',
  'POST /output/alerts/{alert_id}/gateways:remove': 'alert.removeGateway',
  'POST /output/alerts/{alert_id}/gateways:batch_add': 'alert.addGateways',
  'POST /output/alerts/{alert_id}/gateways:batch_remove': 'alert.removeGateways',
};
