/**
 * A campaign's settings: the creation input of the firmware update service with its defaults, in
 * the units of the world.
 */
import { fromHex } from '../../../sim/base/bytes.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import { FREQUENCY_STEP_HZ } from '../../../sim/lorawan/region.ts';
import { parseInstant } from '../../kit/instant.ts';
import { firmwareOf, inferVersion, parseVersion } from '../versions.ts';
import type { CampaignInput, CampaignRestart } from './commands.ts';

export interface Settings {
  /** Pattern of 16 characters (versions.ts). */
  readonly expectedVersion: string;
  /** 4 bytes in the order of the air: FWversion, most significant byte first, unless given. */
  readonly descriptor: Uint8Array;
  /** UTC, ms since 1970; `AUTOMATIC`: at once. */
  readonly startsAtUnixMs: number;
  /** What was given of the multicast group; the rest is drawn. */
  readonly multicastGroup: GivenGroup;
  /** `AUTOMATIC` in these four: chosen by the campaign. */
  readonly multicastSetupUs: number;
  readonly dataRate: number;
  readonly frequencyHz: number;
  /** Exponent of two, s. */
  readonly timeOut: number;
  /** 0…1. */
  readonly redundancy: number;
  /** May be `AUTOMATIC`, as may the fragment size. */
  readonly fragSendDelayUs: number;
  readonly fragSize: number;
  readonly acceptableDriftS: number;
  readonly sleepAfterFragSentUs: number;
  readonly minDownlinkDelayUs: number;
  readonly minTimeoutDelayUs: number;
  readonly checksInitialVersion: boolean;
  readonly finalVersionRetries: number;
  readonly automaticRetries: number;
  readonly automaticRetryIntervalUs: number;
  readonly downlinkJitterUs: number;
  /** Unicast fragments per member at most. */
  readonly repairs: number;
  readonly simultaneous: boolean;
  readonly inPingSlots: boolean;
  /** `AUTOMATIC`: as the pace allows. */
  readonly periodicity: number;
  readonly isDebug: boolean;
  readonly isTroubleshooting: boolean;
}

/** Hexadecimal digits in upper case; empty: not given. */
export interface GivenGroup {
  readonly eui: string;
  readonly mcAddr: string;
  readonly mcKey: string;
}

export type SettingsFailure =
  /** A number out of its range, or at odds with another. */
  | 'campaign.invalid'
  | 'campaign.version'
  | 'campaign.descriptor'
  /** Not an instant, or not in the future. */
  | 'campaign.start'
  | 'campaign.multicast-group';

/** A number that the campaign chooses. */
export const AUTOMATIC = -1;

/** Longest class C session of TS005: 2^15 s. */
export const LONGEST_TIME_OUT = 15;

/** Defaults of `CampaignInput`, in its own units. */
const DEFAULTS = {
  redundancy: 0.3,
  acceptable_time_drift: 5,
  sleep_after_frag_sent: 30,
  min_downlink_delay: 5,
  min_timeout_delay: 60,
  max_final_version_check_retry: 3,
  automatic_retry_count: 0,
  automatic_retry_interval: 3600,
  downlink_delay_rand_s: 0,
  individual_fragment_retransmit: 0,
} as const;

type NumberKey = {
  [K in keyof CampaignInput]-?: CampaignInput[K] extends number | null | undefined ? K : never;
}[keyof CampaignInput];

interface Range {
  readonly least: number;
  readonly most: number;
  readonly whole?: boolean;
}

const DAY_S = 86_400;

/** Ranges of numbers that are given. */
const RANGES: Readonly<Record<NumberKey, Range>> = {
  multicast_setup_time: { least: 0, most: 30 * DAY_S, whole: true },
  mcast_dr: { least: 1, most: 14, whole: true },
  mcast_freq: { least: 0.0001, most: 999.9999 },
  mcast_session_timeout: { least: 1, most: 32_768, whole: true },
  redundancy: { least: 0, most: 1 },
  frag_send_delay: { least: 0.001, most: DAY_S },
  frag_size: { least: 1, most: 255, whole: true },
  acceptable_time_drift: { least: 0, most: DAY_S, whole: true },
  sleep_after_frag_sent: { least: 0, most: DAY_S, whole: true },
  min_downlink_delay: { least: 0, most: DAY_S },
  min_timeout_delay: { least: 0, most: DAY_S },
  max_final_version_check_retry: { least: 0, most: 1000, whole: true },
  automatic_retry_count: { least: 0, most: 1000, whole: true },
  automatic_retry_interval: { least: 0, most: 30 * DAY_S, whole: true },
  downlink_delay_rand_s: { least: 0, most: DAY_S, whole: true },
  individual_fragment_retransmit: { least: 0, most: 16_383, whole: true },
  pingSlotPeriodicity: { least: 0, most: 7, whole: true },
};

/** The settings that an input stands for at a UTC time, or the first thing wrong with it. */
export function settingsOf(
  input: CampaignInput,
  nowUnixMs: number,
): Result<Settings, SettingsFailure> {
  const wrong = checkRanges(input) ?? checkRules(input) ?? checkGroup(input);
  if (wrong !== undefined) return wrong;
  const start = startOf(input.scheduled_start_at, nowUnixMs);
  if (!start.ok) return start;
  const { image_name, expected_version } = input;
  const expected =
    expected_version == null ? inferVersion(image_name) : parseVersion(expected_version);
  if (!expected.ok) return fail('campaign.version', expected.failure.message, '/expected_version');
  const descriptor = input.descriptor ?? firmwareOf(expected.value);
  if (descriptor === undefined) {
    const message = 'The expected version leaves digits open, so a descriptor has to be given.';
    return fail('campaign.descriptor', message, '/descriptor');
  }
  return ok(effective(input, expected.value, fromHex(descriptor), start.value));
}

/** Settings as a restart changes them. */
export function restartedSettings(
  before: Settings,
  changes: CampaignRestart,
  nowUnixMs: number,
): Result<Settings, SettingsFailure> {
  const { multicast_setup_time, automatic_retry_count, redundancy } = changes;
  const numbers = { multicast_setup_time, automatic_retry_count, redundancy };
  const wrong = checkRanges(numbers);
  if (wrong !== undefined) return wrong;
  const start = startOf(changes.scheduled_start_at, nowUnixMs);
  if (!start.ok) return start;
  return ok({
    ...before,
    startsAtUnixMs: start.value,
    multicastSetupUs:
      multicast_setup_time === undefined ? before.multicastSetupUs : setupUs(multicast_setup_time),
    automaticRetries: automatic_retry_count ?? before.automaticRetries,
    redundancy: redundancy ?? before.redundancy,
  });
}

function startOf(
  text: string | null | undefined,
  nowUnixMs: number,
): Result<number, SettingsFailure> {
  if (text == null) return ok(AUTOMATIC);
  const instant = parseInstant(text);
  if (!instant.ok) return fail('campaign.start', instant.failure.message, '/scheduled_start_at');
  if (instant.value > nowUnixMs) return instant;
  return fail('campaign.start', `${text} is not in the future.`, '/scheduled_start_at');
}

type Numbers = { readonly [K in NumberKey]?: number | null | undefined };

function checkRanges(input: Numbers): Result<never, SettingsFailure> | undefined {
  for (const key of Object.keys(RANGES) as NumberKey[]) {
    const value = input[key];
    const { least, most, whole = false } = RANGES[key];
    if (value == null) continue;
    if (value >= least && value <= most && (!whole || Number.isInteger(value))) continue;
    const kind = whole ? 'a whole number' : 'a number';
    const message = `${key} is ${value}; it has to be ${kind} from ${least} to ${most}.`;
    return fail('campaign.invalid', message, `/${key}`);
  }
  return undefined;
}

/** Rules between fields hold on effective values. */
function checkRules(input: CampaignInput): Result<never, SettingsFailure> | undefined {
  const { min_downlink_delay, min_timeout_delay } = { ...DEFAULTS, ...input };
  if (min_timeout_delay <= min_downlink_delay) {
    const message = `min_timeout_delay ${min_timeout_delay} s is not above min_downlink_delay.`;
    return fail('campaign.invalid', message, '/min_timeout_delay');
  }
  const timeout = input.mcast_session_timeout ?? 1;
  if ((timeout & (timeout - 1)) !== 0) {
    const message = `mcast_session_timeout ${timeout} is no power of 2.`;
    return fail('campaign.invalid', message, '/mcast_session_timeout');
  }
  if (input.descriptor !== undefined && !/^[0-9A-Fa-f]{8}$/.test(input.descriptor)) {
    const message = `${input.descriptor} is no descriptor of 8 hexadecimal digits.`;
    return fail('campaign.descriptor', message, '/descriptor');
  }
  return undefined;
}

/** Digits that each part of the multicast group has. */
const GROUP_DIGITS = { mcast_deveui: 16, mcast_devaddr: 8, mcast_mc_key: 32 } as const;

/** A given EUI demands address and key. */
function checkGroup(input: CampaignInput): Result<never, SettingsFailure> | undefined {
  for (const key of Object.keys(GROUP_DIGITS) as (keyof typeof GROUP_DIGITS)[]) {
    const digits = GROUP_DIGITS[key];
    const text = input[key];
    if (text == null) {
      if (input.mcast_deveui == null) continue;
      return fail('campaign.multicast-group', `mcast_deveui is given without ${key}.`, `/${key}`);
    }
    if (text.length === digits && /^[0-9A-Fa-f]*$/.test(text)) continue;
    const message = `${key} is ${text}; it has to have ${digits} hexadecimal digits.`;
    return fail('campaign.multicast-group', message, `/${key}`);
  }
  return undefined;
}

function effective(
  input: CampaignInput,
  expectedVersion: string,
  descriptor: Uint8Array,
  startsAtUnixMs: number,
): Settings {
  const given = { ...DEFAULTS, ...input };
  const { multicast_setup_time, mcast_session_timeout, frag_send_delay, mcast_freq } = input;
  return {
    expectedVersion,
    descriptor,
    startsAtUnixMs,
    multicastGroup: {
      eui: (input.mcast_deveui ?? '').toUpperCase(),
      mcAddr: (input.mcast_devaddr ?? '').toUpperCase(),
      mcKey: (input.mcast_mc_key ?? '').toUpperCase(),
    },
    multicastSetupUs: setupUs(multicast_setup_time),
    dataRate: input.mcast_dr ?? AUTOMATIC,
    frequencyHz:
      mcast_freq === undefined ? AUTOMATIC : Math.round(mcast_freq * 10_000) * FREQUENCY_STEP_HZ,
    timeOut: mcast_session_timeout == null ? AUTOMATIC : 31 - Math.clz32(mcast_session_timeout),
    redundancy: given.redundancy,
    fragSendDelayUs: microseconds(frag_send_delay),
    fragSize: input.frag_size ?? AUTOMATIC,
    acceptableDriftS: given.acceptable_time_drift,
    sleepAfterFragSentUs: microseconds(given.sleep_after_frag_sent),
    minDownlinkDelayUs: microseconds(given.min_downlink_delay),
    minTimeoutDelayUs: microseconds(given.min_timeout_delay),
    checksInitialVersion: input.force_initial_version_check ?? false,
    finalVersionRetries: given.max_final_version_check_retry,
    automaticRetries: given.automatic_retry_count,
    automaticRetryIntervalUs: microseconds(given.automatic_retry_interval),
    downlinkJitterUs: microseconds(given.downlink_delay_rand_s),
    repairs: given.individual_fragment_retransmit,
    simultaneous: input.gateway_timing === 'simultaneous',
    inPingSlots: input.multicastSession === 'classB',
    periodicity: input.pingSlotPeriodicity ?? AUTOMATIC,
    isDebug: input.is_debug ?? false,
    isTroubleshooting: input.is_troubleshooting ?? false,
  };
}

/** 0 asks for the automatic time, too. */
function setupUs(seconds: number | null | undefined): number {
  return seconds === 0 ? AUTOMATIC : microseconds(seconds);
}

function microseconds(seconds: number | null | undefined): number {
  return seconds == null ? AUTOMATIC : Math.round(seconds * SECOND_US);
}
