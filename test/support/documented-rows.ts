/** The operations of the services by the numbers of docs/operations.md. */

export interface DocumentedRow {
  readonly row: number;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its version. */
  readonly path: string;
}

const [GET, POST, PUT, PATCH, DELETE] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const UPDATE_SERVICE = (
  [
    [1, GET, '/campaigns'],
    [2, POST, '/campaigns'],
    [3, GET, '/campaigns/bulk-status'],
    [4, GET, '/campaigns/{campaign_id}'],
    [5, DELETE, '/campaigns/{campaign_id}'],
    [6, POST, '/campaigns/{campaign_id}/halt'],
    [7, POST, '/campaigns/{campaign_id}/restart'],
    [8, GET, '/campaigns/{campaign_id}/short-status'],
    [9, GET, '/device_groups'],
    [10, POST, '/device_groups'],
    [11, GET, '/device_groups/{device_group_id}'],
    [12, PUT, '/device_groups/{device_group_id}'],
    [13, PATCH, '/device_groups/{device_group_id}'],
    [14, DELETE, '/device_groups/{device_group_id}'],
    [15, PATCH, '/device_groups/{device_group_id}/add_devices'],
    [16, PATCH, '/device_groups/keygen/{device_group_id}/add_devices'],
    [17, GET, '/device_version'],
    [18, GET, '/device_version/all'],
    [19, GET, '/device_version/{deveui}'],
    [20, GET, '/history'],
    [21, GET, '/history/{deveui}'],
    [22, GET, '/images'],
    [23, POST, '/images'],
    [24, GET, '/images/tags'],
    [25, GET, '/images/tags/{image_name}'],
    [26, PUT, '/images/tags/{image_name}'],
    [27, DELETE, '/images/tags/{image_name}'],
    [28, PATCH, '/images/tags/{image_name}/add'],
    [29, PATCH, '/images/tags/{image_name}/remove'],
    [30, DELETE, '/images/{image_id}'],
    [31, POST, '/key_management'],
    [32, DELETE, '/key_management'],
    [33, GET, '/managed_campaigns'],
    [34, POST, '/managed_campaigns'],
    [35, POST, '/managed_campaigns/upload_multicast_keys'],
    [36, GET, '/managed_campaigns/{managed_campaign_id}'],
    [37, DELETE, '/managed_campaigns/{managed_campaign_id}'],
    [38, POST, '/managed_campaigns/{managed_campaign_id}/halt'],
    [39, GET, '/managed_campaigns/{managed_campaign_id}/problematic_devices'],
    [40, DELETE, '/managed_campaigns/{managed_campaign_id}/problematic_devices'],
    [41, GET, '/reliable_downlinks'],
    [42, POST, '/reliable_downlinks'],
    [43, GET, '/reliable_downlinks/{job_id}'],
    [44, DELETE, '/reliable_downlinks/{job_id}'],
    [45, PUT, '/reliable_downlinks/{job_id}/restart'],
    [46, PUT, '/reliable_downlinks/{job_id}/stop'],
    [47, GET, '/upgrade_delegation'],
    [48, POST, '/upgrade_delegation'],
    [49, GET, '/upgrade_delegation/{delegation_id}'],
    [50, PATCH, '/upgrade_delegation/{delegation_id}'],
    [51, DELETE, '/upgrade_delegation/{delegation_id}'],
  ] as const
).map(([row, method, path]) => ({ row, method, path: `/api/v3.2${path}` }));

const MANAGEMENT = (
  [
    [52, GET, '/v1/account'],
    [53, PUT, '/v1/account/passwordReset'],
    [54, PATCH, '/v1/account/patchUserInfo'],
    [55, PUT, '/v1/account/updateUserInfo'],
    [56, GET, '/v1/account/permissions'],
    [57, GET, '/v1/applications'],
    [58, POST, '/v1/applications'],
    [59, GET, '/v1/applications/{Id}'],
    [60, PUT, '/v1/applications/{Id}'],
    [61, PATCH, '/v1/applications/{Id}'],
    [62, DELETE, '/v1/applications/{Id}'],
    [63, POST, '/v1/applications/{Id}/refreshToken'],
    [64, GET, '/v1/decodertypes'],
    [65, GET, '/v1/decodertypes/{Id}'],
    [66, GET, '/v1/devices'],
    [67, POST, '/v1/devices'],
    [68, GET, '/v1/devices/health'],
    [69, GET, '/v1/devices/healthcount'],
    [70, GET, '/v1/devices/{DevEUI}'],
    [71, PUT, '/v1/devices/{DevEUI}'],
    [72, PATCH, '/v1/devices/{DevEUI}'],
    [73, DELETE, '/v1/devices/{DevEUI}'],
    [74, POST, '/v1/devices/{DevEUI}/message'],
    [75, GET, '/v1/devices/{DevEUI}/payloads'],
    [76, GET, '/v2/devices'],
    [77, GET, '/v2/devices/{dev_eui}'],
    [78, GET, '/v1/groups/devices'],
    [79, POST, '/v1/groups/devices'],
    [80, GET, '/v1/groups/devices/{Id}'],
    [81, PUT, '/v1/groups/devices/{Id}'],
    [82, PATCH, '/v1/groups/devices/{Id}'],
    [83, DELETE, '/v1/groups/devices/{Id}'],
    [84, GET, '/v1/groups/devices/{Id}/recent'],
    [85, GET, '/v1/deviceprofiles'],
    [86, PATCH, '/v1/deviceprofiles/{Id}/devices'],
  ] as const
).map(([row, method, path]) => ({ row, method, path }));

export const DOCUMENTED_ROWS: readonly DocumentedRow[] = [...UPDATE_SERVICE, ...MANAGEMENT];
