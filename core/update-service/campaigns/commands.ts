/**
 * What firmware campaigns are given: the fields of the firmware update service's creation and
 * restart inputs, a row each, and what may be wrong with them.
 */

import type { Fields, Given, Input } from '../../../sim/base/rows/fields.ts';
import { parseVersion } from '../../base/firmware-versions.ts';
import type { FailureClasses } from '../../kit/failures.ts';
import { EUI } from '../../rows/fields.ts';
import { GATEWAYS } from '../gateway-choice.ts';

const DAY_S = 86_400;

const SERVICE = 'firmware update service, campaign';

/** The longest FragSize that leaves a frame within 255 bytes. */
export const LONGEST_FRAG_SIZE = 239;

/** Numbers of seconds with a fraction, or without. */
const seconds = (least: number, most: number) =>
  ({ type: 'number', unit: 's', least, most, source: SERVICE }) as const;
const wholeSeconds = (least: number, most: number) =>
  ({ type: 'whole', unit: 's', least, most, source: SERVICE }) as const;
const count = (least: number, most: number) =>
  ({ type: 'whole', least, most, source: SERVICE }) as const;
const flag = { type: 'flag', default: false, source: SERVICE } as const;

const START = {
  type: 'instant',
  null: 'absent',
  failure: 'campaign.start',
  source: SERVICE,
} as const;

/** Of the multicast group; what is absent is drawn. */
const digits = (count: number) =>
  ({
    type: 'hex',
    digits: count,
    null: 'absent',
    failure: 'campaign.multicast-group',
    source: SERVICE,
  }) as const;

const SHARE = { type: 'number', unit: 'share', least: 0, most: 1, source: SERVICE } as const;

/** Habits of servers, which scenarios ask for by name. */
const SERVERS = 'docs/presets.md';

const isPowerOfTwo = (value: number): boolean => (value & (value - 1)) === 0;

/** The creation input. */
export const CAMPAIGN = {
  name: {
    type: 'text',
    required: true,
    failure: 'campaign.name',
    is: 'A label; several campaigns may have it.',
  },
  image_name: { type: 'text', required: true, is: 'The image, by its file name.' },
  device_group_id: { type: 'text', required: true, is: 'The device group, by its id.' },
  expected_version: {
    type: 'text',
    null: 'absent',
    rule: (version) => parseVersion(version).ok,
    allowed: 'three or four numbers from 0 to 255, or 16 hexadecimal digits, . for any digit',
    failure: 'campaign.version',
    is:
      'What updated devices report: three or four numbers, or 16 hexadecimal digits of firmware ' +
      'and hardware with . for any; inferred from the image’s name when absent.',
    source: SERVICE,
  },
  multicast_setup_time: {
    ...wholeSeconds(0, 30 * DAY_S),
    null: 'automatic',
    is: 'From the start to the multicast session; determined automatically when absent or 0.',
  },
  scheduled_start_at: { ...START, is: 'When it starts; at once when absent.' },
  mcast_deveui: {
    ...digits(16),
    failure: EUI.failure,
    is: 'EUI of the multicast group, beside mcast_devaddr and mcast_mc_key; drawn when absent.',
  },
  mcast_devaddr: { ...digits(8), is: 'Address of the multicast group; drawn when absent.' },
  mcast_mc_key: {
    ...digits(32),
    secret: true,
    is: 'Key of the multicast group, McKey; drawn when absent.',
  },
  mcast_dr: {
    ...count(1, 14),
    unit: 'dr',
    is: 'Data rate of the fragments; the fastest that reaches every member when absent.',
  },
  multicastDataRate: {
    ...count(0, 14),
    unit: 'dr',
    only: 'scenario',
    is: 'The same from DR0 on, in the place of mcast_dr, which the service takes from DR1 on.',
  },
  mcast_freq: {
    type: 'number',
    unit: 'MHz',
    // To the hertz: what no channel carries is valid, and fails.
    least: 0.000001,
    most: 999.999999,
    is: 'Frequency of the fragments; that of RX2 when absent.',
    source: SERVICE,
  },
  mcast_session_timeout: {
    ...wholeSeconds(1, 32_768),
    null: 'absent',
    rule: isPowerOfTwo,
    allowed: 'a power of 2 from 1 to 32768',
    is: 'Length of the multicast session, a power of two in seconds; automatic when absent.',
    source: 'TS005-1.0.0, McClassCSessionReq: TimeOut',
  },
  redundancy: {
    ...SHARE,
    default: 0.3,
    is: 'Coded fragments as a share of the uncoded ones.',
    source: 'what operators choose: 10 % to 30 %',
  },
  redundancy_most: {
    ...count(0, 16_383),
    only: 'scenario',
    is: 'Most coded fragments of a session, whatever redundancy asks for.',
    source: SERVERS,
  },
  frag_send_delay: {
    ...seconds(0.001, DAY_S),
    is: 'Between two fragments of a gateway; as fast as the duty cycle lets when absent.',
  },
  frag_size: {
    ...count(1, LONGEST_FRAG_SIZE),
    unit: 'B',
    only: 'scenario',
    is: 'Bytes of a fragment; the most that the data rate carries when absent.',
    source: 'RP002-1.0.4 §2.4.6: N − 3 B, which is 48 B at DR1 and DR2, 112 B, then 239 B',
  },
  acceptable_time_drift: {
    ...wholeSeconds(0, DAY_S),
    default: 5,
    is: 'A device’s clock may be wrong by this; the first fragment waits for it.',
  },
  sleep_after_frag_sent: {
    ...wholeSeconds(0, DAY_S),
    default: 30,
    is: 'Pause after the last fragment.',
  },
  descriptor: {
    type: 'hex',
    digits: 8,
    failure: 'campaign.descriptor',
    is:
      'Describes the image to devices; when absent the firmware version of its name, else of ' +
      'expected_version, else the first four bytes of its SHA-256.',
    source: 'TS004-1.0.0, FragSessionSetupReq: Descriptor',
  },
  min_downlink_delay: {
    ...seconds(0, DAY_S),
    default: 5,
    is: 'Between two downlinks to a device.',
  },
  min_timeout_delay: {
    ...seconds(0, DAY_S),
    default: 60,
    is: 'Until an unanswered command is sent again; more than min_downlink_delay.',
  },
  force_initial_version_check: {
    ...flag,
    is: 'Whether devices report their version before the set-up.',
  },
  max_final_version_check_retry: {
    ...count(0, 1000),
    default: 3,
    is: 'How often a device is asked again which version it runs after the update.',
  },
  automatic_retry_count: {
    ...count(0, 1000),
    default: 0,
    is: 'Further rounds for devices that failed.',
  },
  automatic_retry_interval: {
    ...wholeSeconds(0, 30 * DAY_S),
    default: 3600,
    is: 'From the end of a round to the next.',
  },
  downlink_delay_rand_s: {
    ...wholeSeconds(0, DAY_S),
    default: 0,
    is: 'Most random delay that is added to a downlink.',
  },
  individual_fragment_retransmit: {
    ...count(0, 16_383),
    default: 0,
    is: 'Coded fragments that a device gets by unicast at most, as repairs; 0: none.',
  },
  is_debug: {
    ...flag,
    is: 'Whether it keeps what was said to each device and what it answered.',
  },
  is_troubleshooting: {
    ...flag,
    is: 'Whether it finds out why devices failed, and asks their clocks after the session for it.',
  },
  completed_email_alert: {
    type: 'list',
    of: { type: 'text', most: 254 },
    most: 100,
    is: 'Stored and shown, without effect.',
    source: SERVICE,
  },
  ignore_clock_rates: {
    type: 'flag',
    default: false,
    only: 'scenario',
    is: 'The service expects each clock to be right, and does not measure how fast it runs.',
  },
  skip_clock_sync: {
    ...flag,
    only: 'scenario',
    is: 'The set-up begins with the multicast group, and clocks stay as they are.',
    source: SERVERS,
  },
  set_up_in_turn: {
    ...flag,
    only: 'scenario',
    is: 'Each step of the set-up begins for all once every device has passed the one before.',
    source: SERVERS,
  },
  set_up_interval: {
    ...seconds(1, DAY_S),
    only: 'scenario',
    is: 'set_up_in_turn: time of a try, after which devices may be left out; 60 s when absent.',
    source: SERVERS,
  },
  set_up_waits: {
    ...flag,
    only: 'scenario',
    is: 'set_up_in_turn: a step ends only with the time of a try, whatever was answered before.',
    source: SERVERS,
  },
  set_up_tries: {
    ...count(1, 100),
    only: 'scenario',
    is: 'Times that a command of the set-up is sent at most; 21 to class A, 6 to C when absent.',
    source: SERVERS,
  },
  set_up_threshold: {
    ...SHARE,
    least: 0.01,
    only: 'scenario',
    is: 'set_up_in_turn: share of the devices whose answers end a step; all when absent.',
    source: SERVERS,
  },
  session_delay: {
    ...wholeSeconds(1, 30 * DAY_S),
    only: 'scenario',
    is: 'set_up_in_turn: from the first session request to the session; all tries when absent.',
    source: SERVERS,
  },
  session_closes_after: {
    ...wholeSeconds(1, 30 * DAY_S),
    only: 'scenario',
    is: 'The server gives the group up this long after the start of the session.',
    source: SERVERS,
  },
  session_fragment_time: {
    ...seconds(0.001, DAY_S),
    only: 'scenario',
    is: 'The session is the shortest with this time for each fragment and one more.',
    source: SERVERS,
  },
  frag_sizes: {
    type: 'list',
    of: count(1, LONGEST_FRAG_SIZE),
    most: 16,
    only: 'scenario',
    is: 'Bytes of a fragment by data rate, from DR0 on; frag_size goes first.',
    source: SERVERS,
  },
  frag_size_multiple: {
    ...count(1, LONGEST_FRAG_SIZE),
    only: 'scenario',
    is: 'The chosen bytes of a fragment are a multiple of this.',
    source: SERVERS,
  },
  frag_send_airtimes: {
    type: 'number',
    least: 1,
    most: 10_000,
    only: 'scenario',
    is: 'Between two fragments of a gateway, in air times; frag_send_delay goes first.',
    source: SERVERS,
  },
  frag_airtime_rough: {
    ...flag,
    only: 'scenario',
    is:
      'frag_send_airtimes are those of FragSize + 10 B with CRC and low data rate optimization ' +
      'at every data rate.',
    source: SERVERS,
  },
  frag_send_per_gateway: {
    ...flag,
    only: 'scenario',
    is: 'frag_send_delay is that of one gateway: staggered ones take turns at it.',
    source: SERVERS,
  },
  frag_send_least: {
    ...seconds(0.001, DAY_S),
    only: 'scenario',
    is: 'Between two fragments of a gateway at least, whatever the pace.',
    source: SERVERS,
  },
  frag_send_after_report: {
    ...flag,
    only: 'scenario',
    is: 'A fragment is requested when its gateways have reported the one before as sent.',
    source: SERVERS,
  },
  frag_send_passes: {
    ...count(1, 10),
    only: 'scenario',
    is:
      'verify_by_status, without coded fragments: passes of a session at most, until ' +
      'set_up_threshold of the devices have all; one when absent.',
    source: SERVERS,
  },
  frag_send_grid: {
    ...seconds(0.001, 3600),
    only: 'scenario',
    is: 'Fragments leave at the next whole multiple of this; at their time when absent.',
    source: SERVERS,
  },
  frag_index: {
    ...count(0, 3),
    default: 0,
    only: 'scenario',
    is: 'FragIndex of the fragmentation session; devices with fewer sessions refuse it.',
    source: SERVERS,
  },
  status_tries: {
    ...count(1, 100),
    only: 'scenario',
    is: 'Times that a device is asked for its status; 11 of class A, 4 of C when absent.',
    source: SERVERS,
  },
  status_by_group_above: {
    ...count(0, 1_000_000),
    only: 'scenario',
    is:
      'More devices than this are asked for their status once, by a frame to their group; their ' +
      'answers are spread over N/16 + 1 s, 128 s at most.',
    source: SERVERS,
  },
  status_time: {
    ...seconds(1, DAY_S),
    only: 'scenario',
    is:
      'Devices without a status this long after the fragments, and after the spread of answers ' +
      'to a group’s request, fail; no limit when absent, 10 s after the spread.',
    source: SERVERS,
  },
  verify_by_status: {
    ...flag,
    only: 'scenario',
    is: 'Devices are updated that report all fragments; none is asked which version it runs.',
    source: SERVERS,
  },
  gateway_timing: {
    type: 'choice',
    words: ['staggered', 'simultaneous'],
    default: 'staggered',
    only: 'scenario',
    is: 'Whether gateways send a fragment one after the other or at the same instant.',
  },
  multicastSession: {
    type: 'choice',
    words: ['classC', 'classB'],
    default: 'classC',
    only: 'scenario',
    is: 'classB: fragments go out in ping slots, at once through its gateways with GPS time.',
    source: 'TS005-1.0.0 §4.6, McClassBSessionReq',
  },
  pingSlotPeriodicity: {
    type: 'whole',
    least: 0,
    most: 7,
    only: 'scenario',
    is: 'classB: a slot about every 2^this seconds; as rare as the pace allows when absent.',
    source: 'TS005-1.0.0 §4.6',
  },
} as const satisfies Fields;

const RESTARTS = 'firmware update service, campaign restart';

/**
 * The restart input. What it does not give stays as it was before the restart; the set-up time
 * alone returns to what the campaign was created with.
 */
export const RESTART = {
  gateways: {
    ...GATEWAYS,
    failure: 'deviceGroup.too-many-gateways',
    null: 'absent',
    is: 'EUIs or ids of the gateways that send; chosen automatically when empty or absent.',
    source: RESTARTS,
  },
  multicast_setup_time: {
    ...CAMPAIGN.multicast_setup_time,
    is: 'As the campaign was created with when absent, automatic at 0.',
    source: RESTARTS,
  },
  scheduled_start_at: {
    ...START,
    is: 'When it starts again; at once when absent.',
    source: RESTARTS,
  },
  automatic_retry_count: {
    ...count(0, 1000),
    null: 'absent',
    is: 'As before when absent.',
    source: RESTARTS,
  },
  redundancy: { ...SHARE, null: 'absent', is: 'As before when absent.', source: RESTARTS },
} as const satisfies Fields;

/** As a caller gives it, and as it is read. */
export type CampaignInput = Input<typeof CAMPAIGN>;
export type GivenCampaign = Given<typeof CAMPAIGN>;
export type CampaignRestart = Input<typeof RESTART>;
export type GivenRestart = Given<typeof RESTART>;

/** Every failure of campaigns, with its class. */
export const CAMPAIGN_FAILURES = {
  'campaign.name': 'malformed',
  /** A number out of its range, or at odds with another. */
  'campaign.invalid': 'malformed',
  'campaign.version': 'malformed',
  'campaign.descriptor': 'malformed',
  /** No instant, or not in the future. */
  'campaign.start': 'malformed',
  'campaign.multicast-group': 'malformed',
  /** More than a fragment's frame carries at the data rate. */
  'campaign.frag-size': 'malformed',
  /** More fragments than a session has. */
  'campaign.image-too-large': 'malformed',
  'campaign.session-too-long': 'malformed',
  /** The data rate or the frequency does not carry fragments here. */
  'campaign.data-rate': 'failed',
  'campaign.frequency': 'failed',
  'campaign.no-gateway': 'failed',
  'campaign.empty-group': 'failed',
  'campaign.unknown': 'unknown',
  'campaign.exists': 'conflict',
  'campaign.not-running': 'conflict',
  'campaign.nothing-to-restart': 'conflict',
  'campaign.address-in-use': 'conflict',
} as const satisfies FailureClasses;
