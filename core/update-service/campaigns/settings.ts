/**
 * A campaign's settings: the creation input of the firmware update service with its defaults, in
 * the units of the world.
 */
import { fromHex } from '../../../sim/base/bytes.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import {
  effective,
  type Field,
  type Fields,
  type Kind,
  type Of,
} from '../../../sim/base/rows/fields.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import { FREQUENCY_STEP_HZ } from '../../../sim/lorawan/region.ts';
import { firmwareOf, inferVersion, parseVersion } from '../../base/firmware-versions.ts';
import { instantOf } from '../../base/instant.ts';
import { CAMPAIGN, type GivenCampaign, type GivenRestart, RESTART } from './commands.ts';

/**
 * Numbers, words and flags by the document's names, in the units of the world: seconds are µs, MHz
 * are Hz. Null: the campaign chooses the number; one with a default is never null.
 */
type InWorldUnits<F> = {
  readonly [K in keyof F as F[K] extends { type: 'number' | 'whole' | 'choice' | 'flag' }
    ? K
    : never]: F[K] extends { type: 'number' | 'whole' }
    ? F[K] extends { default: number }
      ? number
      : number | null
    : Of<F[K]>;
};

type Rows = Omit<typeof CAMPAIGN, 'multicastDataRate'>;

/** What a file says as `multicastDataRate` is the `mcast_dr` of the settings. */
export interface Settings extends InWorldUnits<Rows> {
  /** Pattern of 16 characters (versions.ts). */
  readonly expectedVersion: string;
  /** 4 bytes in the order of the air: the first is most significant in a FWversion. */
  readonly descriptor: Uint8Array;
  /** Bytes of a fragment by data rate; empty: the campaign chooses. */
  readonly fragSizes: readonly number[];
  /** UTC, ms since 1970; null: at once. */
  readonly startsAtUnixMs: number | null;
  /** What was given of the multicast group; the rest is drawn. */
  readonly multicastGroup: GivenGroup;
}

/** Hexadecimal digits in upper case; empty: not given. */
export interface GivenGroup {
  readonly eui: string;
  readonly mcAddr: string;
  readonly mcKey: string;
}

/** Rules between fields; they hold on effective values. */
export const RULES = {
  longer: [['min_timeout_delay', 'min_downlink_delay']],
  /** Who gives the one gives the other, too. */
  needs: [
    ['mcast_deveui', 'mcast_devaddr'],
    ['mcast_deveui', 'mcast_mc_key'],
  ],
} as const;

/** Longest class C session of TS005: 2^15 s. */
export const LONGEST_TIME_OUT = 15;

/** Whether fragments go out in ping slots. */
export const isInPingSlots = ({ multicastSession }: Settings): boolean =>
  multicastSession === 'classB';

/**
 * Passes of a session at most: one where there are coded fragments, or where devices are asked
 * which version they run.
 */
export function passesOf(
  { frag_send_passes: asked, verify_by_status }: Settings,
  redundancy: number,
): number {
  return redundancy === 0 && verify_by_status ? (asked ?? 1) : 1;
}

/** Whether a device's clock may be wrong by a number of seconds. */
export const isAcceptable = (seconds: number, { acceptable_time_drift }: Settings): boolean =>
  Math.abs(seconds) * SECOND_US <= acceptable_time_drift;

type RuleFailure = 'campaign.invalid' | 'campaign.multicast-group';
type StartFailure = 'campaign.start';

/**
 * The settings that an input stands for at a UTC time, or the first thing wrong with it. `sha256`
 * is that of the image, in hexadecimal.
 */
export function settingsOf(
  input: GivenCampaign,
  sha256: string,
  nowUnixMs: number,
): Result<Settings, RuleFailure | StartFailure | 'campaign.version'> {
  const wrong = checkRules(input);
  if (wrong !== undefined) return wrong;
  const start = startOf(input.scheduled_start_at, nowUnixMs);
  if (!start.ok) return start;
  const { image_name, expected_version } = input;
  const expected =
    expected_version == null ? inferVersion(image_name) : parseVersion(expected_version);
  if (!expected.ok) return fail('campaign.version', expected.failure.message, '/expected_version');
  const { mcast_deveui = '', mcast_devaddr = '', mcast_mc_key = '' } = input;
  const { multicastDataRate, ...given } = inWorldUnits(CAMPAIGN, effective(CAMPAIGN, input));
  return ok({
    ...given,
    mcast_dr: multicastDataRate ?? given.mcast_dr,
    expectedVersion: expected.value,
    descriptor: fromHex(descriptorOf(input, expected.value, sha256)),
    fragSizes: input.frag_sizes ?? [],
    startsAtUnixMs: start.value,
    multicastGroup: { eui: mcast_deveui, mcAddr: mcast_devaddr, mcKey: mcast_mc_key },
  });
}

/**
 * 8 digits: what was given, else the firmware of the image's name. Else the one that is expected
 * where no digit is open, else the beginning of the image's hash.
 */
function descriptorOf(input: GivenCampaign, expected: string, sha256: string): string {
  const named = inferVersion(input.image_name);
  const ofName = named.ok ? firmwareOf(named.value) : undefined;
  return input.descriptor ?? ofName ?? firmwareOf(expected) ?? sha256.slice(0, 8);
}

/**
 * Settings as a restart changes them. What it omits stays as it was before; `multicast_setup_time`
 * alone returns to what the campaign was created with.
 */
export function restartedSettings(
  { settings: before, input }: { readonly settings: Settings; readonly input: GivenCampaign },
  changes: GivenRestart,
  nowUnixMs: number,
): Result<Settings, StartFailure> {
  const start = startOf(changes.scheduled_start_at, nowUnixMs);
  if (!start.ok) return start;
  const rows = Object.entries(RESTART).filter(([name]) => Object.hasOwn(changes, name));
  const changed = inWorldUnits(Object.fromEntries(rows), changes);
  const { multicast_setup_time } = inWorldUnits(CAMPAIGN, effective(CAMPAIGN, input));
  return ok({ ...before, multicast_setup_time, ...changed, startsAtUnixMs: start.value });
}

function startOf(text: string | undefined, nowUnixMs: number): Result<number | null, StartFailure> {
  if (text === undefined) return ok(null);
  const unixMs = instantOf(text);
  if (unixMs > nowUnixMs) return ok(unixMs);
  return fail('campaign.start', `${text} is not in the future.`, '/scheduled_start_at');
}

function checkRules(input: GivenCampaign): Result<never, RuleFailure> | undefined {
  const given = effective(CAMPAIGN, input);
  for (const [longer, than] of RULES.longer) {
    if (given[longer] > given[than]) continue;
    const message = `${longer} ${given[longer]} s is not above ${than}.`;
    return fail('campaign.invalid', message, `/${longer}`);
  }
  for (const [field, needed] of RULES.needs) {
    if (input[field] === undefined || input[needed] !== undefined) continue;
    return fail('campaign.multicast-group', `${field} is given without ${needed}.`, `/${needed}`);
  }
  return undefined;
}

function inWorldUnits<F extends Fields>(rows: F, given: object): InWorldUnits<F> {
  const values = Object.entries(rows).flatMap(([name, row]) => {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (row.type === 'choice' || row.type === 'flag') return [[name, value]];
    return row.type === 'number' || row.type === 'whole' ? [[name, inUnit(row, value)]] : [];
  });
  return Object.fromEntries(values) as InWorldUnits<F>;
}

/** 0 asks for the automatic number, too, where null does. */
function inUnit(row: Field & { readonly type: 'number' | 'whole' }, value: unknown): number | null {
  if (typeof value !== 'number' || (value === 0 && row.null === 'automatic')) return null;
  if (row.unit === 's') return Math.round(value * SECOND_US);
  return row.unit === 'MHz' ? Math.round(value * STEPS_PER_MHZ) * FREQUENCY_STEP_HZ : value;
}

const STEPS_PER_MHZ = 1_000_000 / FREQUENCY_STEP_HZ;

/** The number in the unit of its row. */
export function inServiceUnits(row: Kind, value: number): number {
  const unit = 'unit' in row ? row.unit : undefined;
  return unit === 's' ? value / SECOND_US : unit === 'MHz' ? value / 1e6 : value;
}
