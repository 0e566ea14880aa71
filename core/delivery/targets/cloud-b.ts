/** Hubs of a cloud that gives access by a policy with a key. */
import type { Fields } from '../../../sim/base/rows/fields.ts';
import { HUB_ADDRESS } from '../addresses.ts';
import { DESTINATION_SOURCE, ENTRY, SECRET, ENTRY_SOURCE as source, TEXT } from './common-rows.ts';
import { CLOUD_B as FORM } from './forms.ts';
import { declareKind, heldAs } from './kind.ts';

export interface CloudBRoute {
  readonly kind: 'cloudB';
  readonly host: string;
  readonly apiVersion: string;
  /** '': none was given. */
  readonly policyName: string;
  readonly policyKey: string;
}

const PARAMS = {
  Host: {
    type: 'text',
    most: 300,
    pattern: FORM,
    allowed: '{hubname}.{domain}, without scheme and port',
    required: true,
    is: 'The hub.',
    source,
  },
  SharedAccessPolicyName: {
    type: 'text',
    required: true,
    is: 'A policy of it with device access.',
    source,
  },
  SharedAccessKey: { ...SECRET, required: true, is: 'The key of that policy.', source },
  ApiVersion: {
    type: 'text',
    pattern: /^\d{4}-\d\d-\d\d$/,
    allowed: 'a date such as 2016-11-14',
    required: true,
    is: 'Version of the hub’s interface; now 2016-11-14.',
    source,
  },
  OutputFormat: {
    type: 'choice',
    words: ['raw', 'cloud_b'],
    default: 'raw',
    null: 'absent',
    is: 'Whether the bare entry is forwarded, or a message of the hub that holds it.',
    source,
  },
  ...ENTRY,
} as const satisfies Fields;

const DATA = {
  host: { ...HUB_ADDRESS, required: true, is: 'The hub.', source: DESTINATION_SOURCE },
  api_version: { ...TEXT, default: '2016-11-14', is: 'Version of the hub’s interface.' },
  output_format: {
    type: 'choice',
    words: ['raw', 'cloud_b'],
    default: 'raw',
    is: 'raw: the event; cloud_b: the hub’s device-to-cloud format.',
    source: DESTINATION_SOURCE,
  },
} as const satisfies Fields;

export const CLOUD_B = declareKind({
  entry: {
    array: 'CloudBParams',
    knob: 'cloudB',
    rows: PARAMS,
    is: 'Hubs of the second kind of cloud.',
    address: ({ Host }) => Host,
    host: ({ Host }) => Host,
    route: ({ Host: host, ApiVersion: apiVersion, ...entry }): CloudBRoute => {
      const { SharedAccessPolicyName: policyName, SharedAccessKey: policyKey } = entry;
      return { kind: 'cloudB', host, apiVersion, policyName, policyKey };
    },
  },
  destination: {
    type: 'cloud_b_iot_hub',
    credentials: ['cloud_b_shared_access_policy'],
    rows: DATA,
    place: 'host',
    route: ({ host, api_version: apiVersion }, credentials): CloudBRoute => {
      const held = heldAs(credentials, 'cloud_b_shared_access_policy');
      const { policy_name: policyName = '', key: policyKey = '' } = held ?? {};
      return { kind: 'cloudB', host, apiVersion, policyName, policyKey };
    },
  },
});
