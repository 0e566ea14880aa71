/**
 * All that the platform's resources offer, a row each: which resource, and whether it makes one,
 * lists them, tells one, changes one or deletes one. The compiler holds this table complete; the
 * test of isolation walks it.
 */
import type { PlatformCommand } from './command.ts';
import type { PlatformQuery } from './query.ts';

export interface Operation {
  readonly resource:
    | 'image'
    | 'deviceGroup'
    | 'key'
    | 'deviceVersion'
    | 'history'
    | 'delegation'
    | 'campaign';
  /**
   * `list` tells of what the asker has; `get`, `change` and `delete` name one thing, which is
   * unknown when it is another's; `own` keeps to itself what it finds, and is never refused for it.
   */
  readonly verb: 'create' | 'list' | 'get' | 'change' | 'delete' | 'own';
}

export type OperationKind = PlatformCommand['kind'] | PlatformQuery['kind'];

export const OPERATIONS: Readonly<Record<OperationKind, Operation>> = {
  'image.create': { resource: 'image', verb: 'create' },
  'image.list': { resource: 'image', verb: 'list' },
  'image.allTags': { resource: 'image', verb: 'list' },
  'image.tags': { resource: 'image', verb: 'get' },
  'image.memory': { resource: 'image', verb: 'get' },
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
  'deviceGroup.keygenAddDevices': { resource: 'deviceGroup', verb: 'change' },
  'deviceGroup.delete': { resource: 'deviceGroup', verb: 'delete' },

  'key.upload': { resource: 'key', verb: 'own' },
  'key.generate': { resource: 'key', verb: 'own' },
  'key.delete': { resource: 'key', verb: 'own' },

  'deviceVersion.all': { resource: 'deviceVersion', verb: 'list' },
  'deviceVersion.several': { resource: 'deviceVersion', verb: 'list' },
  'deviceVersion.get': { resource: 'deviceVersion', verb: 'get' },

  'history.all': { resource: 'history', verb: 'list' },
  'history.get': { resource: 'history', verb: 'get' },

  'delegation.create': { resource: 'delegation', verb: 'create' },
  'delegation.list': { resource: 'delegation', verb: 'list' },
  'delegation.get': { resource: 'delegation', verb: 'get' },
  'delegation.update': { resource: 'delegation', verb: 'change' },
  'delegation.delete': { resource: 'delegation', verb: 'delete' },

  'campaign.create': { resource: 'campaign', verb: 'create' },
  'campaign.list': { resource: 'campaign', verb: 'list' },
  'campaign.get': { resource: 'campaign', verb: 'get' },
  'campaign.shortStatus': { resource: 'campaign', verb: 'get' },
  'campaign.bulkStatus': { resource: 'campaign', verb: 'list' },
  'campaign.halt': { resource: 'campaign', verb: 'change' },
  'campaign.restart': { resource: 'campaign', verb: 'change' },
  'campaign.delete': { resource: 'campaign', verb: 'delete' },
};
