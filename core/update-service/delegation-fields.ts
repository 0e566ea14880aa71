/** What delegations are given: rows of the firmware update service's upgrade delegation. */

import type { Effective, Fields, Input } from '../../sim/base/rows/fields.ts';
import { PATTERN } from '../base/firmware-versions.ts';

export const source = 'firmware update service, upgrade delegation';
const list = { type: 'list', most: 10_000, source } as const;
const patterns = { ...list, of: PATTERN, failure: 'delegation.pattern' } as const;
const unused = {
  ...list,
  of: { type: 'text' },
  default: [],
  is: 'Stored, without effect.',
} as const;
const instant = { type: 'instant', failure: 'delegation.expires-at', source } as const;

export const CHANGEABLE = {
  expires_at: {
    ...instant,
    required: true,
    null: 'absent',
    is: 'The last instant at which it holds.',
  },
  include_devices: {
    ...patterns,
    least: 1,
    required: true,
    is: 'Patterns of the DevEUIs that it covers.',
  },
  exclude_devices: {
    ...patterns,
    default: [],
    is: 'Patterns of those among them that it does not cover.',
  },
  include_gateways: unused,
  exclude_gateways: unused,
} as const satisfies Fields;

export const DELEGATION = {
  delegate_to: {
    type: 'text',
    required: true,
    failure: 'delegation.delegate-to',
    is: 'The subscriber that is permitted: one that there is, not oneself.',
    source,
  },
  ...CHANGEABLE,
} as const satisfies Fields;

export type DelegationInput = Input<typeof DELEGATION>;
/** What a change gives; the rest stays. */
export type DelegationChange = Partial<Input<typeof CHANGEABLE>>;

/** What a delegation says. */
export type DelegationFields = Effective<typeof DELEGATION>;
