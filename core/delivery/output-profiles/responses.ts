/** Profiles in responses: without their secrets. */

import type { ArrayName } from '../deliveries/target.ts';
import type { Entries, Entry } from './entries.ts';
import { type ProfileResponse, REDACTED, SECRETS } from './rows.ts';

export function responseOf(profile: Entries & { readonly Id: string; readonly Name: string }) {
  const { Id, Name } = profile;
  const of = <Array extends ArrayName>(array: Array): ProfileResponse[Array] =>
    (profile[array] as readonly Entry[]).map((entry) =>
      publicEntry(array, entry),
    ) as unknown as ProfileResponse[Array];
  return {
    Id,
    Name,
    RestParams: of('RestParams'),
    MqttParams: of('MqttParams'),
    CloudAParams: of('CloudAParams'),
    CloudBParams: of('CloudBParams'),
  };
}

function publicEntry(array: ArrayName, { Environment, ...entry }: Entry): object {
  const response: Record<string, unknown> = Environment === '' ? entry : { ...entry, Environment };
  for (const field of SECRETS[array]) response[field] = response[field] === '' ? '' : REDACTED;
  return response;
}
