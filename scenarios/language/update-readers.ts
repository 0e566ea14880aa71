/** Readers of what firmware updates are written in: versions, data rates, time-outs, members. */

import { parseVersion } from '../../core/base/firmware-versions.ts';
import { CAMPAIGN } from '../../core/update-service/campaigns/commands.ts';
import { MILLION, SECOND_US } from '../../sim/base/units.ts';
import { quote, type Reading, read, refuse } from './complaint.ts';
import { GIVEN_NAME } from './naming.ts';
import { quantity, readQuantity } from './quantity.ts';

const VERSION = 'three or four numbers from 0 to 255 with dots between, such as 1.2.0';

/** Unsigned 32 bits, most significant byte first; a part that is not written is 0. */
export function readVersion(input: unknown): Reading<number> {
  if (input === undefined) return refuse('is missing', VERSION);
  const text = typeof input === 'string' ? input : '';
  const parts = /^\d{1,3}(\.\d{1,3}){2,3}$/.test(text) ? text.split('.').map(Number) : [];
  if (parts.length === 0 || parts.some((part) => part > 255)) {
    return refuse(`${quote(input)} is not a version`, VERSION);
  }
  const [major = 0, minor = 0, patch = 0, build = 0] = parts;
  return read(((major * 256 + minor) * 256 + patch) * 256 + build);
}

/** The version that a campaign brings, as it was written. */
export function readExpectedVersion(input: unknown): Reading<string> {
  const allowed = `${VERSION}, or 16 hexadecimal digits, . for any digit`;
  const right = typeof input === 'string' && parseVersion(input).ok;
  return right ? read(input) : refuse(`${quote(input)} is not a version`, allowed);
}

/** A pattern of versions: 16 characters, whichever way it was written. */
export function readVersionPattern(input: unknown): Reading<string> {
  const allowed = `${VERSION}, or 16 hexadecimal digits, . for any digit`;
  const pattern = typeof input === 'string' ? parseVersion(input) : undefined;
  if (pattern?.ok) return read(pattern.value);
  return input === undefined
    ? refuse('is missing', allowed)
    : refuse(`${quote(input)} is not a version`, allowed);
}

const { most: LONGEST_TIME_OUT_S } = CAMPAIGN.mcast_session_timeout;
const timeOut = quantity('duration', '1 s', `${LONGEST_TIME_OUT_S} s`);

/** Seconds; a session lasts 2^n of them, n from 0 to 15 (TS005, McClassCSessionReq). */
export function readTimeOut(input: unknown): Reading<number> {
  const reading = timeOut(input);
  if (!reading.ok) return reading;
  let seconds = 1;
  while (seconds * SECOND_US < reading.value) seconds *= 2;
  if (seconds * SECOND_US === reading.value) return read(seconds);
  const what = `${quote(input)} is not a power of two in seconds`;
  return refuse(what, `1 s, 2 s, 4 s … ${LONGEST_TIME_OUT_S} s`, `${seconds} s`);
}

/** How many devices of an earlier campaign have to be updated, or which share of them. */
export type Condition =
  | { readonly least_updated: number }
  /** Of 1. */
  | { readonly least_updated_share: number };

/** What a condition may look like. */
export const CONDITIONS = ['updated >= 95 %', 'updated >= 20'];

/** `updated >= 95 %`, or `updated >= 20`. */
export function readCondition(input: unknown): Reading<Condition> {
  const allowed =
    'updated >= and a number of devices or a share from 0 % to 100 %, such as updated >= 95 %';
  const what = `${quote(input)} is no condition on the campaign before`;
  const match = typeof input === 'string' ? CONDITION.exec(input) : null;
  if (match === null) return refuse(what, allowed);
  const bound = match[1]!;
  if (/^\d{1,7}$/.test(bound)) {
    const devices = Number(bound);
    if (devices <= MOST_UPDATED) return read({ least_updated: devices });
    return refuse(`${bound} devices are too many`, `0 to ${MOST_UPDATED}`);
  }
  const share = readQuantity(bound, 'share', { least: 0, most: MILLION });
  if (share.ok) return read({ least_updated_share: share.value / MILLION });
  // What is a share, but too large, is reported as that.
  const isShare = bound.endsWith('%') && readQuantity(bound, 'share', ANY_SHARE).ok;
  return isShare ? share : refuse(what, allowed);
}

const ANY_SHARE = { least: -Number.MAX_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };

const CONDITION = /^\s*updated\s*(?:>=|≥)\s*(\S.{0,20}?)\s*$/;
const MOST_UPDATED = 1_000_000;

/** Names of populations and devices, or DevEUIs. */
export type GroupMembers = 'all' | readonly string[];

export const readGroupMembers = (input: unknown): Reading<GroupMembers> =>
  readMembers(input, 'populations and devices, such as [meter, alarm-3]', 'DevEUI');

/** The same of gateways. */
export const readGroupGateways = (input: unknown): Reading<GroupMembers> =>
  readMembers(input, 'gateways, such as [mast, roof-3]', 'EUI');

/** What JSON Schema says of either. */
export const GROUP_MEMBERS = {
  anyOf: [{ enum: ['all'] }, { type: 'array', items: { type: 'string' } }],
};

function readMembers(input: unknown, things: string, eui: string): Reading<GroupMembers> {
  const allowed = `all, or a list of names of ${things}`;
  if (input === undefined) return refuse('is missing', allowed);
  if (input === 'all') return read('all');
  if (!Array.isArray(input)) {
    const meant = typeof input === 'string' ? `[${input}]` : undefined;
    return refuse(`${quote(input)} is not a list`, allowed, meant);
  }
  const wrong: unknown = input.find((word) => typeof word !== 'string' || !GIVEN_NAME.test(word));
  if (wrong !== undefined) return refuse(`${quote(wrong)} is not a name or ${eui}`, allowed);
  return input.length === 0 ? refuse('is empty', allowed) : read(input as string[]);
}
