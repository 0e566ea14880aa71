/**
 * Words for people for every cause that a result counts. A table has exactly the causes of its
 * type, so a cause without words, or words without a cause, do not compile.
 */
import type {
  ConfigurationCancellation,
  ConfigurationFailure,
  RolloutStatus,
} from '../../core/result/configuration.ts';
import type { ChangeFate, DeliveryFate } from '../../core/result/delivery.ts';
import type { FailureCause } from '../../core/result/outcome.ts';
import type { JobFailure } from '../../core/result/result.ts';
import {
  type BeaconLoss,
  type Counts,
  type DownlinkLoss,
  type DownlinkRefusal,
  type EnergyCause,
  entriesOf,
  type FragmentLoss,
  type ReceptionFate,
  type UplinkLoss,
} from '../../sim/base/counts.ts';
import { count } from './format.ts';

export interface Words {
  readonly label: string;
  /** One sentence. */
  readonly meaning: string;
}

type WordsOf<Cause extends string> = Readonly<Record<Cause, Words>>;

const INTERFERED: Words = {
  label: 'Interfered',
  meaning: 'Other transmissions on the air were too strong.',
};
const NOISE: Words = {
  label: 'Noise',
  meaning: 'Strong enough to be noticed, not to be read without error.',
};
const FRAME_LOSS: Words = {
  label: 'Stated loss',
  meaning: "The scenario's frame loss, on top of physics.",
};
const TOO_WEAK_FOR_DEVICE: Words = {
  label: 'Too weak',
  meaning: "Below the device's sensitivity.",
};
const DEVICE_BUSY: Words = {
  label: 'Device busy',
  meaning: 'The device sent an uplink, or listened for the answer to it.',
};

/** Fates of uplinks (`RadioResult.lost`, `RadioResult.receptions`, `GatewayResult.fates`). */
export const UPLINK_WORDS: WordsOf<ReceptionFate | UplinkLoss> = {
  received: { label: 'Received', meaning: 'Demodulated with its checksum right.' },
  interfered: INTERFERED,
  tooWeak: { label: 'Too weak', meaning: 'Below the sensitivity of every gateway in reach.' },
  noise: NOISE,
  noPath: { label: 'No free path', meaning: 'Every reception path of the gateway was taken.' },
  offChannel: { label: 'Other channel', meaning: 'No gateway listens on the channel.' },
  offChannelAfterBackOff: {
    label: 'Other channel, backed off',
    meaning: 'Unanswered for long, the device turned on channels that no gateway listens on.',
  },
  radioFault: { label: 'Radio fault', meaning: 'The radio of the gateway had failed.' },
  jammed: { label: 'Jammed', meaning: 'Noise beside the gateway had risen above it.' },
  deviceFault: { label: 'Device fault', meaning: 'The radio of the device had failed.' },
  backhaulLoss: {
    label: 'Not forwarded',
    meaning: 'A gateway received it, and its backhaul was down or lost it.',
  },
  halfDuplex: { label: 'Gateway sending', meaning: 'The gateway transmits and hears nothing.' },
  frameLoss: FRAME_LOSS,
};

/** Why a downlink was not sent, planned again, or lost (`DownlinkResult`). */
export const DOWNLINK_WORDS: WordsOf<DownlinkRefusal | DownlinkLoss> = {
  noBudget: { label: 'No airtime left', meaning: "No gateway's duty cycle had room for it." },
  dutyCycle: { label: 'Duty cycle', meaning: 'The sub-band has no airtime left.' },
  gatewayGone: { label: 'Gateway gone', meaning: 'The gateway was removed before it could send.' },
  tooLateForWindows: { label: 'Windows past', meaning: 'The receive windows could not be met.' },
  tooLong: { label: 'Too long', meaning: 'The data rate of the windows has no room for it.' },
  tooLate: { label: 'Too late', meaning: 'It reached the gateway after its time to be sent.' },
  tooEarly: { label: 'Too early', meaning: 'It reached the gateway too long before its time.' },
  queueFull: { label: 'Queue full', meaning: "The gateway's transmit queue had no place left." },
  collision: { label: 'Time taken', meaning: 'The gateway already sends at that time.' },
  radioFault: { label: 'Radio fault', meaning: 'The radio of the gateway had failed.' },
  channelBusy: { label: 'Channel busy', meaning: 'The gateway heard another on the channel.' },
  frequency: { label: 'Frequency not allowed', meaning: 'The region does not send on it.' },
  gpsUnlocked: { label: 'No GPS time', meaning: 'The gateway has no GPS to send by.' },
  collisionBeacon: { label: 'Beacon time', meaning: 'It would have disturbed a beacon.' },
  backhaulLoss: { label: 'Backhaul loss', meaning: 'Lost between server and gateway.' },
  notHeard: { label: 'Not heard', meaning: 'The device did not lock on its preamble.' },
  notForMe: {
    label: 'Not accepted',
    meaning: 'The device had another session by then, or had heard a later frame.',
  },
  noise: NOISE,
  interfered: INTERFERED,
  frameLoss: FRAME_LOSS,
};

/** Why a device missed a beacon that it looked for (`BeaconResult.missed`). */
export const BEACON_WORDS: WordsOf<BeaconLoss> = {
  outOfReach: {
    label: 'Out of reach',
    meaning: 'No gateway with GPS time in reach sent it where the device looks.',
  },
  ownUplink: DEVICE_BUSY,
  tooWeak: TOO_WEAK_FOR_DEVICE,
  noise: NOISE,
  interfered: INTERFERED,
  frameLoss: FRAME_LOSS,
};

/** Why a device missed a fragment (`CampaignResult.fragmentLosses`). */
export const FRAGMENT_WORDS: WordsOf<FragmentLoss> = {
  notListening: {
    label: 'Not listening',
    meaning: 'The session was not open on the device: not set up, too late, or closed already.',
  },
  noBeacon: {
    label: 'No beacon',
    meaning: 'In class B: no beacon was heard in the last 120 minutes, so no ping slot was open.',
  },
  ownUplink: DEVICE_BUSY,
  lockedOnOther: {
    label: 'Other frame',
    meaning: 'The device was receiving another frame already.',
  },
  tooWeak: TOO_WEAK_FOR_DEVICE,
  noise: NOISE,
  interfered: INTERFERED,
  frameLoss: FRAME_LOSS,
};

/** Why a device failed in a campaign (`CampaignResult.failures`). */
export const FAILURE_WORDS: WordsOf<FailureCause> = {
  'no uplink': {
    label: 'No uplink',
    meaning: 'The device was never heard while the campaign waited for it.',
  },
  'no plan': { label: 'No plan', meaning: 'No data rate and gateway reach the device.' },
  'no key': {
    label: 'No key',
    meaning: 'Nobody uploaded the key that the multicast group is set up with.',
  },
  halted: { label: 'Halted', meaning: 'The campaign was halted before the device was done.' },
  'device removed': {
    label: 'Device removed',
    meaning: 'The device was taken out of the network.',
  },
  'not delegated': {
    label: 'Not delegated',
    meaning: 'The delegation of the device was over when the campaign started.',
  },
  'set-up unanswered': {
    label: 'Set-up unanswered',
    meaning: 'The device spoke, but did not answer the set-up, however often it was sent.',
  },
  'clock drift': {
    label: 'Clock drift',
    meaning: "The device's clock stayed wrong, although it was corrected.",
  },
  'McGroupID unsupported': {
    label: 'McGroupID unsupported',
    meaning: 'The device has no room for the multicast group.',
  },
  'multicast group undefined': {
    label: 'Multicast group undefined',
    meaning: 'The device no longer knew the multicast group.',
  },
  'encoding unsupported': {
    label: 'Encoding unsupported',
    meaning: 'The device does not know this way to fragment an image.',
  },
  'not enough memory': {
    label: 'Not enough memory',
    meaning: 'The image, or the search for its missing parts, needs more memory.',
  },
  'FragIndex unsupported': {
    label: 'FragIndex unsupported',
    meaning: 'The device has no free place for an image.',
  },
  'wrong descriptor': {
    label: 'Wrong descriptor',
    meaning: 'The device does not accept images of this kind.',
  },
  'DR unsupported': {
    label: 'DR unsupported',
    meaning: 'The device cannot receive at the data rate of the session.',
  },
  'frequency unsupported': {
    label: 'Frequency unsupported',
    meaning: 'The device cannot receive on the frequency of the session.',
  },
  'session missed': {
    label: 'Session missed',
    meaning:
      'The device took none of the fragments: its session was not open when they were sent, or ' +
      'it could not hear or open them.',
  },
  'no beacon': {
    label: 'No beacon',
    meaning: 'The device heard no beacon, so it opened no ping slot for the fragments.',
  },
  'missing fragments': {
    label: 'Missing fragments',
    meaning: 'Too few fragments arrived to rebuild the image, those of repairs included.',
  },
  'MIC error': {
    label: 'MIC error',
    meaning: 'The rebuilt image is not the one that was announced.',
  },
  'session counter replayed': {
    label: 'Session counter replayed',
    meaning: 'The device has seen this number of a fragmentation session before.',
  },
  'version mismatch': {
    label: 'Version mismatch',
    meaning: 'After the update the device reported another version than expected.',
  },
  'verification unanswered': {
    label: 'Verification unanswered',
    meaning: 'After the session the device spoke, but did not answer what it runs.',
  },
  'answer lost': {
    label: 'Runs it, answer lost',
    meaning: 'The device runs the new image, and no answer that says so came through.',
  },
  'asked too early': {
    label: 'Runs it, asked too early',
    meaning: 'The device runs the new image, and still ran another one when it was heard last.',
  },
  'flash write error': {
    label: 'Flash write error',
    meaning: 'The device could not write a fragment, so it never had the whole image.',
  },
  rebooted: {
    label: 'Rebooted',
    meaning: 'The device rebooted while fragments were sent, and lost those that it had.',
  },
  'wrong signature': {
    label: 'Wrong signature',
    meaning: 'The device had the whole image, and found its signature wrong.',
  },
  'wrong hardware': {
    label: 'Wrong hardware',
    meaning: 'The device had the whole image, and found that it is for other hardware.',
  },
};

/** Why devices fail in reliable downlink jobs (`JobResult.failures`). */
export const JOB_WORDS: WordsOf<JobFailure> = {
  'no answer': {
    label: 'No answer',
    meaning: 'It was sent as often as it may be, and the expected uplink did not come.',
  },
  'not sent': { label: 'Not sent', meaning: 'None of its tries went on the air.' },
  stopped: { label: 'Stopped', meaning: 'The job was stopped while the device was pending.' },
  'device removed': {
    label: 'Device removed',
    meaning: 'The device was taken out of the network while it was pending.',
  },
  'no uplink': {
    label: 'No uplink',
    meaning: 'Nothing was heard of the device for too long, while a try waited for it.',
  },
};

/** What becomes of deliveries (`DeliveryCounts.fates`). */
export const DELIVERY_WORDS: WordsOf<DeliveryFate> = {
  delivered: { label: 'Accepted', meaning: 'The receiver has answered with success.' },
  waiting: { label: 'Waiting', meaning: 'On its way, in line, or to be tried again later.' },
  paused: { label: 'Paused', meaning: 'Its target is paused, or was disabled.' },
  refused: { label: 'Refused', meaning: 'The receiver has refused it for good.' },
  failed: { label: 'Failed', meaning: 'All eight attempts failed.' },
  givenUp: {
    label: 'Given up',
    meaning: 'It waited for more than seven days, or behind 10 000 others.',
  },
  left: { label: 'Left the world', meaning: 'No receiver of the scenario has its address.' },
  removed: { label: 'Removed', meaning: 'Its target was removed while it waited.' },
};

/** What becomes of a change of a gateway's connectivity (`AlertsResult.fates`). */
export const CHANGE_WORDS: WordsOf<ChangeFate> = {
  told: { label: 'Notified', meaning: 'It lasted for 15 minutes: each destination was notified.' },
  notTold: {
    label: 'Not notified',
    meaning: 'It was over within 15 minutes, or ended one that was.',
  },
  waiting: { label: 'Waiting', meaning: 'It has not lasted for 15 minutes yet.' },
};

/** What the service believes of rollouts (`ConfigurationPopulation.status`). */
export const ROLLOUT_WORDS: WordsOf<RolloutStatus> = {
  pending: { label: 'Pending', meaning: 'It has been made, and its first fragment is not ready.' },
  in_progress: { label: 'In progress', meaning: 'A fragment is on its way, or suspended.' },
  applied: { label: 'Applied', meaning: 'All fragments are confirmed, as the codec wants it.' },
  failed: {
    label: 'Failed',
    meaning: 'A fragment was sent without an answer, or could not be sent.',
  },
  cancelled: { label: 'Cancelled', meaning: 'Somebody or something has ended it before.' },
};

/** Why rollouts fail (`ConfigurationPopulation.failures`). */
export const CONFIGURATION_WORDS: WordsOf<ConfigurationFailure> = {
  'not sent': { label: 'Not sent', meaning: 'None of the tries of a fragment went on the air.' },
  'not acknowledged': {
    label: 'Not acknowledged',
    meaning: 'The device took in none of the tries, or its acknowledgement did not come.',
  },
  'not echoed': {
    label: 'Not echoed',
    meaning: 'It was acknowledged, and the device did not repeat the configuration.',
  },
  'not reported': {
    label: 'Not reported',
    meaning: 'It was sent as often as it may be, and the device has not reported it.',
  },
  'codec changed': {
    label: 'Codec changed',
    meaning: 'The device has another decoder type by now, or one that configures nothing.',
  },
  'not encodable': {
    label: 'Not encodable',
    meaning: 'The codec does not encode what a policy asks for.',
  },
};

/** What ends rollouts that neither apply nor fail (`ConfigurationResult.rollouts`). */
export const CANCELLATION_WORDS: WordsOf<ConfigurationCancellation> = {
  cancelled: { label: 'Cancelled', meaning: 'Somebody cancelled it.' },
  replaced: { label: 'Replaced', meaning: 'Another rollout took its place.' },
  reflected: {
    label: 'Reflected',
    meaning: 'The device had reported already what was desired in its place.',
  },
  'manual control': {
    label: 'Manual control',
    meaning: 'A person took control from the policy.',
  },
  'device removed': {
    label: 'Device removed',
    meaning: 'The device was taken out of the network.',
  },
};

/** What a device draws energy for (`EnergyResult.byCause`). */
export const ENERGY_WORDS: WordsOf<EnergyCause> = {
  uplink: { label: 'Uplinks', meaning: 'Sending data frames, repetitions included.' },
  join: { label: 'Joins', meaning: 'Sending join requests.' },
  rx1InVain: {
    label: 'Empty RX1 windows',
    meaning: 'First windows in which nothing for it came.',
  },
  rx1Frame: { label: 'RX1 with frame', meaning: 'First windows with a frame for it.' },
  rx2InVain: {
    label: 'Empty RX2 windows',
    meaning: 'Second windows in which nothing for it came.',
  },
  rx2Frame: { label: 'RX2 with frame', meaning: 'Second windows with a frame for it.' },
  classC: { label: 'Class C', meaning: 'Listening between its windows.' },
  multicast: {
    label: 'Multicast',
    meaning: 'Listening to fragments of an update, in class B in ping slots of its group.',
  },
  beacon: { label: 'Beacons', meaning: 'Class B: listening for beacons.' },
  ping: { label: 'Ping slots', meaning: 'Class B: listening in ping slots.' },
  mcu: {
    label: 'Microcontroller',
    meaning: 'Awake for transmissions and windows, waking the radio.',
  },
  flash: { label: 'Flash memory', meaning: 'Fragments and images written.' },
  sleep: { label: 'Sleep', meaning: 'All the rest of its life.' },
};

/** `clockSync`, `CLOCK_SYNC` and `clock sync` as `Clock sync`; other texts as they are. */
export function spelled(name: string): string {
  if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name)) {
    return name.charAt(0) + name.slice(1).replaceAll('_', ' ').toLowerCase();
  }
  if (!/^[a-z][A-Za-z0-9 -]*$/.test(name)) return name;
  const words = name.replace(/(?<=[a-z0-9])[A-Z]/g, (start) => ` ${start.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Entries of counts or amounts, the greatest first, equal ones by name. */
export function byAmount<Name extends string>(amounts: Counts<Name>): [Name, number][] {
  return entriesOf(amounts).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

/** `Waiting: 7` for each cause that was counted, the most frequent first. */
export function causesOf<Cause extends string>(
  counts: Counts<Cause>,
  words: Readonly<Record<Cause, Words>>,
): readonly string[] {
  return byAmount(counts)
    .filter(([, times]) => times > 0)
    .map(([cause, times]) => `${words[cause].label}: ${count(times)}`);
}
