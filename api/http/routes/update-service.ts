/** The routes of the firmware update service, below `/api/v3.2` and `/api/latest`. */
import type { OperationKind } from '../../../core/operations.ts';
import type { Rows } from '../route.ts';

const image = { path: { image_name: 'name' } } as const;
const UPLOAD = { part: 'image', name: 'name', bytes: 'bytes' } as const;
/** To the operations of multicast keys, 2026-01-01. */
const KEYS_HAVE_MOVED = { since: 1_767_225_600, successor: '/key_management' } as const;

export const UPDATE_SERVICE: Rows<OperationKind> = {
  'GET /campaigns': 'campaign.list',
  'POST /campaigns': ['campaign.create', { status: 202 }],
  'GET /campaigns/bulk-status': 'campaign.bulkStatus',
  'GET /campaigns/{campaign_id}': 'campaign.get',
  'DELETE /campaigns/{campaign_id}': ['campaign.delete', { status: 202 }],
  'POST /campaigns/{campaign_id}/halt': 'campaign.halt',
  'POST /campaigns/{campaign_id}/restart': ['campaign.restart', { status: 202 }],
  'GET /campaigns/{campaign_id}/short-status': 'campaign.shortStatus',

  'GET /device_groups': 'deviceGroup.list',
  'POST /device_groups': ['deviceGroup.create', { bulk: 'members' }],
  'GET /device_groups/{device_group_id}': 'deviceGroup.get',
  'PUT /device_groups/{device_group_id}': ['deviceGroup.replace', { bulk: 'members' }],
  'PATCH /device_groups/{device_group_id}': ['deviceGroup.update', { bulk: 'members' }],
  'DELETE /device_groups/{device_group_id}': 'deviceGroup.delete',
  'PATCH /device_groups/{device_group_id}/add_devices': [
    'deviceGroup.addDevices',
    { bulk: 'members' },
  ],
  'PATCH /device_groups/keygen/{device_group_id}/add_devices': [
    'deviceGroup.keygenAddDevices',
    { bulk: 'members' },
  ],

  'GET /device_version': 'deviceVersion.several',
  'GET /device_version/all': 'deviceVersion.all',
  'GET /device_version/{deveui}': 'deviceVersion.get',
  'GET /history': 'history.all',
  'GET /history/{deveui}': 'history.get',

  'GET /images': 'image.list',
  'POST /images': ['image.create', { status: 201, upload: UPLOAD }],
  'GET /images/tags': 'image.allTags',
  'GET /images/tags/{image_name}': ['image.tags', image],
  'PUT /images/tags/{image_name}': ['image.replaceTags', image],
  'DELETE /images/tags/{image_name}': ['image.deleteTags', image],
  'PATCH /images/tags/{image_name}/add': ['image.addTags', image],
  'PATCH /images/tags/{image_name}/remove': ['image.removeTags', image],
  'DELETE /images/{image_id}': ['image.delete', { path: { image_id: 'name' } }],

  'POST /key_management': ['key.upload', { status: 201, bulk: 'keys' }],
  'DELETE /key_management': ['key.delete', { bulk: 'members' }],

  'GET /managed_campaigns': 'managedCampaign.list',
  'POST /managed_campaigns': 'managedCampaign.create',
  'POST /managed_campaigns/upload_multicast_keys': [
    'key.upload',
    { status: 201, bulk: 'keys', deprecated: KEYS_HAVE_MOVED },
  ],
  'GET /managed_campaigns/{managed_campaign_id}': 'managedCampaign.get',
  'DELETE /managed_campaigns/{managed_campaign_id}': 'managedCampaign.delete',
  'POST /managed_campaigns/{managed_campaign_id}/halt': 'managedCampaign.halt',
  'GET /managed_campaigns/{managed_campaign_id}/problematic_devices':
    'managedCampaign.problematicDevices',
  'DELETE /managed_campaigns/{managed_campaign_id}/problematic_devices':
    'managedCampaign.clearProblematicDevices',
  'GET /reliable_downlinks': 'reliableDownlink.list',
  'POST /reliable_downlinks': ['reliableDownlink.create', { bulk: 'members' }],
  'GET /reliable_downlinks/{job_id}': 'reliableDownlink.get',
  'DELETE /reliable_downlinks/{job_id}': 'reliableDownlink.delete',
  'PUT /reliable_downlinks/{job_id}/restart': 'reliableDownlink.restart',
  'PUT /reliable_downlinks/{job_id}/stop': 'reliableDownlink.stop',

  'GET /upgrade_delegation': 'delegation.list',
  'POST /upgrade_delegation': 'delegation.create',
  'GET /upgrade_delegation/{delegation_id}': 'delegation.get',
  'PATCH /upgrade_delegation/{delegation_id}': 'delegation.update',
  'DELETE /upgrade_delegation/{delegation_id}': 'delegation.delete',
};
