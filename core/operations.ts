/**
 * All that the platform's resources offer, a row each: which resource, and whether it makes one,
 * lists them, tells one, changes one or deletes one. The compiler holds this table complete; the
 * test of isolation walks it.
 */
import type { PlatformCommand } from './command.ts';
import type { PlatformQuery } from './query.ts';

export interface Operation {
  readonly resource: 'image' | 'deviceGroup' | 'campaign';
  /** `list` tells of all that the asker has; all verbs but `create` and `list` name one. */
  readonly verb: 'create' | 'list' | 'get' | 'change' | 'delete';
}

export type OperationKind = PlatformCommand['kind'] | PlatformQuery['kind'];

export const OPERATIONS: Readonly<Record<OperationKind, Operation>> = {
  'image.create': { resource: 'image', verb: 'create' },
  'image.list': { resource: 'image', verb: 'list' },
  'image.allTags': { resource: 'image', verb: 'list' },
  'image.tags': { resource: 'image', verb: 'get' },
  'image.replaceTags': { resource: 'image', verb: 'change' },
  'image.addTags': { resource: 'image', verb: 'change' },
  'image.removeTags': { resource: 'image', verb: 'change' },
  'image.deleteTags': { resource: 'image', verb: 'change' },
  'image.delete': { resource: 'image', verb: 'delete' },

  'deviceGroup.create': { resource: 'deviceGroup', verb: 'create' },
  'deviceGroup.list': { resource: 'deviceGroup', verb: 'list' },
  'deviceGroup.get': { resource: 'deviceGroup', verb: 'get' },
  'deviceGroup.replace': { resource: 'deviceGroup', verb: 'change' },
  'deviceGroup.update': { resource: 'deviceGroup', verb: 'change' },
  'deviceGroup.addDevices': { resource: 'deviceGroup', verb: 'change' },
  'deviceGroup.delete': { resource: 'deviceGroup', verb: 'delete' },

  'campaign.create': { resource: 'campaign', verb: 'create' },
  'campaign.halt': { resource: 'campaign', verb: 'change' },
  'campaign.restart': { resource: 'campaign', verb: 'change' },
  'campaign.delete': { resource: 'campaign', verb: 'delete' },
};
