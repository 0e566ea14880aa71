/** The commands that it takes for a campaign: its image, its group, and the campaign itself. */
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import type { DeviceGroupInput } from '../../core/update-service/device-groups.ts';
import { fromHex } from '../../sim/base/bytes.ts';
import { groupId } from './ids.ts';

/** The group is called `all`, and so its id; a campaign without an id draws one. */
export const campaignStart = (
  campaign: CampaignInput,
  bytesHex: string,
  group: Omit<DeviceGroupInput, 'name'>,
  id?: string,
) =>
  [
    {
      kind: 'image.create',
      by: 'default',
      name: campaign.image_name,
      bytes: fromHex(bytesHex),
      tags: [],
    },
    {
      kind: 'deviceGroup.create',
      by: 'default',
      id: groupId('all'),
      group: { name: 'all', ...group },
    },
    { kind: 'campaign.create', by: 'default', campaign, ...(id === undefined ? {} : { id }) },
  ] as const;
