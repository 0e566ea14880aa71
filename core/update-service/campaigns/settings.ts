/**
 * A campaign's settings: the creation input of the firmware update service with its defaults, in
 * the units of the world.
 */
import { fromHex } from '../../../sim/base/bytes.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import { FREQUENCY_STEP_HZ } from '../../../sim/lorawan/region.ts';
import { effective } from '../../kit/fields.ts';
import { instantOf } from '../../kit/instant.ts';
import { firmwareOf, inferVersion, parseVersion } from '../versions.ts';
import { CAMPAIGN, type GivenCampaign, type GivenRestart, type OwnFailure } from './commands.ts';

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

/** Rules between fields; they hold on effective values. */
export const RULES = {
  longer: [['min_timeout_delay', 'min_downlink_delay']],
  /** Who gives the one gives the other, too. */
  needs: [
    ['mcast_deveui', 'mcast_devaddr'],
    ['mcast_deveui', 'mcast_mc_key'],
  ],
} as const;

/** A number that the campaign chooses. */
export const AUTOMATIC = -1;

/** Longest class C session of TS005: 2^15 s. */
export const LONGEST_TIME_OUT = 15;

/** The settings that an input stands for at a UTC time, or the first thing wrong with it. */
export function settingsOf(input: GivenCampaign, nowUnixMs: number): Result<Settings, OwnFailure> {
  const wrong = checkRules(input);
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
  return ok(inWorldUnits(input, expected.value, fromHex(descriptor), start.value));
}

/** Settings as a restart changes them. */
export function restartedSettings(
  before: Settings,
  changes: GivenRestart,
  nowUnixMs: number,
): Result<Settings, OwnFailure> {
  const { multicast_setup_time, automatic_retry_count, redundancy } = changes;
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

function startOf(text: string | undefined, nowUnixMs: number): Result<number, OwnFailure> {
  if (text === undefined) return ok(AUTOMATIC);
  const unixMs = instantOf(text);
  if (unixMs > nowUnixMs) return ok(unixMs);
  return fail('campaign.start', `${text} is not in the future.`, '/scheduled_start_at');
}

function checkRules(input: GivenCampaign): Result<never, OwnFailure> | undefined {
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

function inWorldUnits(
  input: GivenCampaign,
  expectedVersion: string,
  descriptor: Uint8Array,
  startsAtUnixMs: number,
): Settings {
  const given = effective(CAMPAIGN, input);
  const { multicast_setup_time, mcast_session_timeout, frag_send_delay, mcast_freq } = input;
  return {
    expectedVersion,
    descriptor,
    startsAtUnixMs,
    multicastGroup: {
      eui: input.mcast_deveui ?? '',
      mcAddr: input.mcast_devaddr ?? '',
      mcKey: input.mcast_mc_key ?? '',
    },
    multicastSetupUs: setupUs(multicast_setup_time),
    dataRate: input.mcast_dr ?? AUTOMATIC,
    frequencyHz:
      mcast_freq === undefined ? AUTOMATIC : Math.round(mcast_freq * 10_000) * FREQUENCY_STEP_HZ,
    timeOut:
      mcast_session_timeout === undefined ? AUTOMATIC : 31 - Math.clz32(mcast_session_timeout),
    redundancy: given.redundancy,
    fragSendDelayUs: microseconds(frag_send_delay),
    fragSize: input.frag_size ?? AUTOMATIC,
    acceptableDriftS: given.acceptable_time_drift,
    sleepAfterFragSentUs: microseconds(given.sleep_after_frag_sent),
    minDownlinkDelayUs: microseconds(given.min_downlink_delay),
    minTimeoutDelayUs: microseconds(given.min_timeout_delay),
    checksInitialVersion: given.force_initial_version_check,
    finalVersionRetries: given.max_final_version_check_retry,
    automaticRetries: given.automatic_retry_count,
    automaticRetryIntervalUs: microseconds(given.automatic_retry_interval),
    downlinkJitterUs: microseconds(given.downlink_delay_rand_s),
    repairs: given.individual_fragment_retransmit,
    simultaneous: given.gateway_timing === 'simultaneous',
    inPingSlots: given.multicastSession === 'classB',
    periodicity: input.pingSlotPeriodicity ?? AUTOMATIC,
    isDebug: given.is_debug,
    isTroubleshooting: given.is_troubleshooting,
  };
}

/** 0 asks for the automatic time, too. */
function setupUs(seconds: number | null | undefined): number {
  return seconds === 0 ? AUTOMATIC : microseconds(seconds);
}

function microseconds(seconds: number | null | undefined): number {
  return seconds == null ? AUTOMATIC : Math.round(seconds * SECOND_US);
}
