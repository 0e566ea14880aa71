/** Profiles in responses: without their secrets. */

import { REDACTED } from '../secrets.ts';
import { type ArrayName, byArray } from '../targets/kinds.ts';
import type { Entries, Entry } from './entries.ts';
import { type ProfileResponse, SECRETS } from './rows.ts';

export function responseOf(profile: Entries & { readonly Id: string; readonly Name: string }) {
  const { Id, Name } = profile;
  const entries = byArray(({ array }) =>
    (profile[array] as readonly Entry[]).map((entry) => publicEntry(array, entry)),
  );
  return { Id, Name, ...entries } as unknown as ProfileResponse;
}

function publicEntry(array: ArrayName, { Environment, ...entry }: Entry): object {
  const response: Record<string, unknown> = Environment === '' ? entry : { ...entry, Environment };
  for (const field of SECRETS[array]) response[field] = response[field] === '' ? '' : REDACTED;
  return response;
}
