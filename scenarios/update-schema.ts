/**
 * The knobs of firmware updates: images, device groups and campaigns. A campaign's keys are those
 * of the firmware update service's creation input, its values quantities.
 */
import type * as z from 'zod';
import type { Context } from './knob.ts';
import {
  choice,
  complain,
  count,
  flag,
  hexadecimal,
  knob,
  leaf,
  list,
  maybe,
  measure,
  needed,
  record,
  text,
} from './knob.ts';
import { name } from './readers.ts';
import {
  readExpectedVersion,
  readGroupMembers,
  readMulticastDataRate,
  readTimeOut,
  wholeSeconds,
} from './update-readers.ts';

/** Largest image; 16 383 fragments of 239 B would be a little less. */
export const IMAGE_BYTES_MAX = 4 * 1024 * 1024;

/** What an image is made of. */
export type ImageContent =
  /** Pseudo-random bytes, drawn from the seed by the image's name. */
  | { readonly by: 'drawing'; readonly bytes: number }
  | { readonly by: 'file'; readonly path: string }
  /** A file that was read. */
  | { readonly by: 'content'; readonly bytesHex: string };

const IMAGE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\.(bin|hex|sfb)$/;
const IMAGE_FILE = /^(?!\/)(?!.*\.\.)[\w./ -]{1,196}\.(bin|hex|sfb)$/;

export const Image = record({
  name: needed(text(IMAGE_NAME, 'a file name that ends in .bin, .hex or .sfb'), {
    is: 'File name in the service; the version is inferred from it, as in meter-1.2.0.bin.',
  }),
  bytes: maybe(measure('size', '1 B', '4 MiB'), {
    is: 'An image of so many pseudo-random bytes, drawn from the seed by its name.',
  }),
  file: maybe(
    text(IMAGE_FILE, 'a path below the scenario file’s folder that ends in .bin, .hex or .sfb'),
    { is: 'A file of at most 4 MiB, taken as it is.' },
  ),
  tags: knob(
    list(text(/^[A-Za-z0-9_./-]{1,15}$/, '1 to 15 letters, digits, _ . / and -'), 0, 100, 'tags'),
    [],
    { is: 'Labels.' },
  ),
}).transform(toImage);

interface ImageInput {
  readonly name: string;
  readonly bytes?: number | undefined;
  readonly file?: string | undefined;
  readonly tags: readonly string[];
}

function toImage({ name, bytes, file, tags }: ImageInput, context: Context) {
  const contents: ImageContent[] = [];
  if (bytes !== undefined) contents.push({ by: 'drawing', bytes });
  if (file !== undefined) contents.push({ by: 'file', path: file });
  const [content, more] = contents;
  if (content !== undefined && more === undefined) return { name, tags, content };
  const what = more === undefined ? 'says nothing of its content' : 'has bytes and file';
  return complain(context, { name, bytes, file, tags }, what, 'exactly one of bytes, file');
}

const known = () => text(/^[\w-]{1,80}$/, 'a name or an EUI');

export const Group = record({
  name: needed(name(), { is: 'Campaigns name it.' }),
  devices: needed(
    leaf(readGroupMembers, {
      anyOf: [{ enum: ['all'] }, { type: 'array', items: { type: 'string' } }],
    }),
    {
      is:
        'Names of populations and devices, or DevEUIs; all: every device. Who is added by the ' +
        'timeline is no member.',
    },
  ),
  class: maybe(choice('A', 'C'), {
    is:
      'A queues the commands of the set-up on the network server, C sends them one by one; that ' +
      'of the devices when absent.',
    source: 'firmware update service, lora_class',
  }),
  gateways: knob(list(known(), 0, 10, 'gateways'), [], {
    is: 'Gateways that send, at most 10, by name or EUI; chosen automatically when empty.',
    source: 'firmware update service, device group',
  }),
});

const SERVICE = 'firmware update service, campaign';

export const Campaign = record({
  name: needed(name(), { is: 'Its label; figures are named after it.' }),
  image: needed(text(/^\S{1,80}$/, 'the name of an image'), { is: 'Image, by name.' }),
  group: needed(name(), { is: 'Device group, by name.' }),
  at: knob(measure('duration', '0 s', '3650 d'), '0 s', {
    is: 'Virtual time at which it is created and starts.',
  }),
  scheduled_start_at: maybe(measure('duration', '1 s', '3650 d'), {
    is: 'Virtual time at which it starts; at once when absent.',
    source: SERVICE,
  }),
  expected_version: maybe(leaf(readExpectedVersion, { type: 'string', examples: ['1.2.0'] }), {
    is:
      'What updated devices report: three or four numbers, or 16 hexadecimal digits of firmware ' +
      'and hardware with . for any; inferred from the image’s name when absent.',
    source: SERVICE,
  }),
  mcast_deveui: maybe(hexadecimal(16), {
    is: 'EUI of the multicast group, beside mcast_devaddr and mcast_mc_key; drawn when absent.',
    source: SERVICE,
  }),
  mcast_devaddr: maybe(hexadecimal(8), {
    is: 'Address of the multicast group; drawn when absent.',
    source: SERVICE,
  }),
  mcast_mc_key: maybe(hexadecimal(32), {
    is: 'Key of the multicast group, McKey; drawn when absent.',
    source: SERVICE,
  }),
  multicast_setup_time: maybe(wholeSeconds('1 s', '30 d'), {
    is: 'From the start to the multicast session; determined automatically when absent.',
    source: SERVICE,
  }),
  mcast_dr: maybe(
    leaf(readMulticastDataRate, { type: ['string', 'integer'], range: 'DR1 to DR14' }),
    {
      is: 'Data rate of the fragments; the fastest that reaches every member when absent.',
      source: SERVICE,
    },
  ),
  mcast_freq: maybe(measure('frequency', '1 MHz', '999.9999 MHz'), {
    is: 'Frequency of the fragments; that of RX2 when absent.',
    source: SERVICE,
  }),
  mcast_session_timeout: maybe(
    leaf(readTimeOut, { type: 'string', unit: 's min h', range: '1 s to 32768 s' }),
    {
      is: 'Length of the multicast session, a power of two in seconds; automatic when absent.',
      source: 'TS005-1.0.0, McClassCSessionReq: TimeOut',
    },
  ),
  redundancy: knob(measure('share', '0 %', '100 %'), '30 %', {
    is: 'Coded fragments as a share of the uncoded ones.',
    source: 'what operators choose: 10 % to 30 %',
  }),
  frag_send_delay: maybe(measure('duration', '1 ms', '1 d'), {
    is: 'Between two fragments of a gateway; as fast as the duty cycle lets when absent.',
    source: SERVICE,
  }),
  frag_size: maybe(measure('size', '1 B', '239 B'), {
    is: 'Bytes of a fragment; the most that the data rate carries when absent.',
    source: 'RP002-1.0.4 §2.4.6: N − 3 B, which is 48 B at DR1 and DR2, 112 B, then 239 B',
  }),
  acceptable_time_drift: knob(wholeSeconds('0 s', '1 d'), '5 s', {
    is: 'A device’s clock may be wrong by this; the first fragment waits for it.',
    source: SERVICE,
  }),
  sleep_after_frag_sent: knob(wholeSeconds('0 s', '1 d'), '30 s', {
    is: 'Pause after the last fragment.',
    source: SERVICE,
  }),
  descriptor: maybe(hexadecimal(8), {
    is: 'Describes the image to devices; the firmware’s expected version when absent.',
    source: 'TS004-1.0.0, FragSessionSetupReq: Descriptor',
  }),
  min_downlink_delay: knob(measure('duration', '0 s', '1 d'), '5 s', {
    is: 'Between two downlinks to a device.',
    source: SERVICE,
  }),
  min_timeout_delay: knob(measure('duration', '0 s', '1 d'), '60 s', {
    is: 'Until an unanswered command is sent again; more than min_downlink_delay.',
    source: SERVICE,
  }),
  force_initial_version_check: knob(flag(), false, {
    is: 'Whether devices tell their version before the set-up.',
    source: SERVICE,
  }),
  max_final_version_check_retry: knob(count(0, 1000), 3, {
    is: 'How often a device is asked again which version it runs after the update.',
    source: SERVICE,
  }),
  automatic_retry_count: knob(count(0, 1000), 0, {
    is: 'Further rounds for devices that failed.',
    source: SERVICE,
  }),
  automatic_retry_interval: knob(wholeSeconds('0 s', '30 d'), '1 h', {
    is: 'From the end of a round to the next.',
    source: SERVICE,
  }),
  downlink_delay_rand_s: knob(wholeSeconds('0 s', '1 d'), '0 s', {
    is: 'Most random delay that is added to a downlink.',
    source: SERVICE,
  }),
  individual_fragment_retransmit: knob(count(0, 16_383), 0, {
    is: 'Coded fragments that a device gets by unicast at most, as repairs; 0: none.',
    source: SERVICE,
  }),
  is_debug: knob(flag(), false, {
    is: 'Whether it keeps what was said to each device and what it answered.',
    source: SERVICE,
  }),
  is_troubleshooting: knob(flag(), false, {
    is: 'Whether it finds out why devices failed, and asks their clocks after the session for it.',
    source: SERVICE,
  }),
  completed_email_alert: maybe(
    list(text(/^\S{1,254}$/, 'an e-mail address'), 0, 100, 'addresses'),
    {
      is: 'Kept and shown, without effect.',
      source: SERVICE,
    },
  ),
  gateway_timing: knob(choice('staggered', 'simultaneous'), 'staggered', {
    is: 'Whether gateways send a fragment one after the other or at the same instant.',
  }),
});

export const Restart = record({
  campaign: needed(name(), { is: 'Campaign that is over and has failed devices.' }),
  gateways: knob(list(known(), 0, 10, 'gateways'), [], {
    is: 'Gateways that send, by name or EUI; chosen automatically when empty.',
    source: 'firmware update service, campaign restart',
  }),
  multicast_setup_time: maybe(wholeSeconds('0 s', '30 d'), {
    is: 'As before when absent, automatic at 0 s.',
    source: 'firmware update service, campaign restart',
  }),
  scheduled_start_at: maybe(measure('duration', '1 s', '3650 d'), {
    is: 'Virtual time at which it starts again; at once when absent.',
    source: 'firmware update service, campaign restart',
  }),
  automatic_retry_count: maybe(count(0, 1000), {
    is: 'As before when absent.',
    source: 'firmware update service, campaign restart',
  }),
  redundancy: maybe(measure('share', '0 %', '100 %'), {
    is: 'As before when absent.',
    source: 'firmware update service, campaign restart',
  }),
});

export type RestartEntry = z.output<typeof Restart>;
export type ImageEntry = z.output<typeof Image>;
export type GroupEntry = z.output<typeof Group>;
export type CampaignEntry = z.output<typeof Campaign>;
