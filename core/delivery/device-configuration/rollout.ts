/**
 * A rollout at work: it sends the fragments of a configuration to a device, one after the other.
 * Each goes up to four times, until it is confirmed as the device's codec says. It receives the
 * time, uplinks and what became of its downlinks, and requests downlinks.
 *
 * A try is counted when the network reports that it is on the air, or lost on the way there; what
 * waits for the device is never doubled. Where no connected gateway reaches the device the fragment
 * is suspended, which costs no try, and continues with the device's next uplink. It fails after its
 * last try, or when no try could leave for a day in which it was not suspended.
 */
import { assert } from '../../../sim/base/assert.ts';
import { HOUR_US, SECOND_US } from '../../../sim/base/units.ts';
import type { DownlinkFateNews, Sender } from '../../../sim/contract/downlinks.ts';
import type { DeviceView } from '../../../sim/contract/view.ts';
import { isTry } from '../../base/downlinks.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { CodecUplink, ConfigurationCodec } from '../../codecs/codec.ts';
import type { Surroundings } from '../../kit/resource.ts';
import type {
  ConfigurationCancellation,
  ConfigurationFailure,
} from '../../result/configuration.ts';
import {
  FRAGMENT_MOVES,
  type FragmentEvent,
  next,
  ROLLOUT_MOVES,
  type RolloutEvent,
} from './machine.ts';
import { isReflected } from './parameters.ts';
import type { DeviceRecord, Fragment, Rollout } from './state.ts';

/** From a rollout's beginning until its first fragment is scheduled. */
const BEGINS_AFTER_US = SECOND_US;
/** How often a fragment is tried, and how long after one try the next. */
const TRIES = 4;
const TRY_EVERY_US = 300 * SECOND_US;
/**
 * How long a try may wait for the device. A device of class A or B answers with its next uplink: it
 * may be silent for as long after the last try.
 */
const SILENCE_US = 24 * HOUR_US;

/** What a rollout uses of its surroundings. */
export interface Site extends Pick<Surroundings, 'downlinks' | 'watching'> {
  /** Whether a connected gateway of its owner's reaches the device. */
  isReached(record: DeviceRecord, nowUs: number): boolean;
  /** The device as it is; undefined: it is gone. */
  deviceOf(record: DeviceRecord): DeviceView | undefined;
  /** The device's codec and the id of its decoder type, as they are now. */
  codecOf(record: DeviceRecord): DeviceCodec | undefined;
  /** Something is to be done at `dueAtUs`. */
  appoint(rollout: Rollout): void;
  /** A fragment is suspended. */
  suspended(): void;
  /** The record is not what it was. */
  changed(record: DeviceRecord): void;
  /** The rollout is over. */
  ended(record: DeviceRecord, rollout: Rollout, why?: ConfigurationCancellation): void;
}

export interface DeviceCodec {
  /** By its id. */
  readonly decoderType: string;
  readonly configuration: ConfigurationCodec;
}

/** A device with a rollout that is not over. */
interface Work {
  readonly site: Site;
  readonly record: DeviceRecord;
  readonly rollout: Rollout;
}

const senderOf = ({ number }: Rollout): Sender => ({ kind: 'rollout', id: `${number}` });

// ── what is asked of it ──────────────────────────────────────────────────────────────────────────

/** It has just been made, and is the record's. */
export function begin(work: Work, nowUs: number): void {
  const { site, record, rollout } = work;
  site.watching.begins(record.devEui, nowUs);
  appoint(work, nowUs + BEGINS_AFTER_US);
  note(work, rollout.createdAtUs);
}

/** What is not delivered is not any more; what was, is not taken back. */
export function cancel(
  work: Work,
  by: string,
  why: ConfigurationCancellation,
  nowUs: number,
): void {
  work.rollout.updatedBy = by;
  end(work, { what: 'cancel', why }, nowUs);
}

/** The device is gone, and with it what waited for it. */
export function forget({ site, record, rollout }: Work): void {
  rollout.dueAtUs = NEVER_US;
  site.ended(record, rollout, 'device removed');
}

// ── what happens ─────────────────────────────────────────────────────────────────────────────────

/** The instant that it has appointed has come. */
export function onDue(work: Work, nowUs: number): void {
  const { rollout } = work;
  rollout.dueAtUs = NEVER_US;
  if (!keepsCodec(work)) return fail(work, 'codec changed', nowUs);
  if (rollout.status === 'pending') return start(work, nowUs);
  const fragment = turnOf(rollout);
  if (fragment.attempts >= TRIES) return giveUp(work, nowUs);
  if (fragment.status === 'queued' || fragment.status === 'gateway_unavailable') {
    return fail(work, whyNotConfirmed(rollout), nowUs);
  }
  if (fragment.status === 'sent') retry(work, fragment, nowUs);
  if (fragment.status === 'ready') submit(work, nowUs);
}

/** An uplink of the device, after what the codec reads of it is in the record. */
export function onUplink(work: Work, endedAtUs: number, uplink: CodecUplink, nowUs: number): void {
  const { rollout } = work;
  if (rollout.status === 'pending') return;
  const known = knownCodec(work);
  if (known === undefined) return fail(work, 'codec changed', nowUs);
  rollout.spokeAtUs = endedAtUs;
  note(work, rollout.updatedAtUs);
  const fragment = turnOf(rollout);
  if (isEchoOf(known.configuration, work, endedAtUs, uplink)) fragment.isEchoed = true;
  if (isConfirmed(work)) return confirm(work, nowUs);
  if (fragment.status === 'gateway_unavailable') {
    move(work, fragment, 'resume', nowUs);
    return submit(work, nowUs);
  }
  if (isSpent(rollout) && nowUs >= fragment.sentAtUs + TRY_EVERY_US) giveUp(work, nowUs);
}

/** What became of a downlink of the rollout. */
export function onDownlink(work: Work, id: number, what: DownlinkFateNews, nowUs: number): void {
  const { rollout } = work;
  if (rollout.status !== 'in_progress' || rollout.firstId === 0 || id < rollout.firstId) return;
  const waits = rollout.waitingId === id;
  switch (what.kind) {
    case 'sent':
      return onSent(work, waits, nowUs);
    case 'acknowledged':
      if (rollout.confirmation !== 'uplink-ack') return;
      turnOf(rollout).isAcknowledged = true;
      note(work, nowUs);
      return isConfirmed(work) ? confirm(work, nowUs) : undefined;
    case 'unheard':
      return waits ? suspend(work, nowUs) : undefined;
    case 'dropped':
      if (!waits || !isTry(what)) return;
      if (NO_GATEWAY.has(what.reason)) return suspend(work, nowUs);
      return onLost(work, nowUs);
  }
}

/** Downlinks are lost for want of a gateway that takes them. */
const NO_GATEWAY: ReadonlySet<string> = new Set(['backhaulLoss', 'gatewayGone', 'radioFault']);

/** Gateways may be disconnected by now: waiting fragments may be undeliverable. */
export function lookAtGateways(work: Work, nowUs: number): void {
  const { site, record, rollout } = work;
  if (rollout.waitingId === 0 || site.isReached(record, nowUs)) return;
  suspend(work, nowUs);
}

function onSent(work: Work, waits: boolean, nowUs: number): void {
  const { rollout } = work;
  const fragment = turnOf(rollout);
  if (waits) rollout.waitingId = 0;
  fragment.attempts++;
  fragment.waitedUs = 0;
  fragment.sentAtUs = nowUs;
  if (fragment.firstSentAtUs === NEVER_US) fragment.firstSentAtUs = nowUs;
  // One that was on its way when it was suspended, while another one waits by now, counts only.
  if (rollout.waitingId === 0) {
    move(work, fragment, 'send', nowUs);
    appoint(work, nowUs + TRY_EVERY_US);
  }
  if (rollout.confirmation === 'downlink-sent') confirm(work, nowUs);
  else note(work, nowUs);
}

function onLost(work: Work, nowUs: number): void {
  const { rollout } = work;
  const fragment = turnOf(rollout);
  rollout.waitingId = 0;
  fragment.attempts++;
  fragment.waitedUs = 0;
  move(work, fragment, 'lose', nowUs);
  appoint(work, nowUs + TRY_EVERY_US);
}

// ── fragments ────────────────────────────────────────────────────────────────────────────────────

const turnOf = ({ fragments, turn }: Rollout): Fragment => fragments[turn]!;

function start(work: Work, nowUs: number): void {
  const { rollout } = work;
  rollout.startedAtUs = nowUs;
  moveRollout(work, 'begin', nowUs);
  schedule(work, nowUs);
}

/** Sends the next fragment, unless the device has already reported the desired configuration. */
function schedule(work: Work, nowUs: number): void {
  const { rollout } = work;
  rollout.firstId = 0;
  move(work, turnOf(rollout), 'schedule', nowUs);
  if (isConfirmed(work)) confirm(work, nowUs);
  else submit(work, nowUs);
}

/** What the device answers until the next try is on the air, it answers to this one. */
function retry(work: Work, fragment: Fragment, nowUs: number): void {
  const { readyAtUs, queuedAtUs } = fragment;
  fragment.tryBefore = { readyAtUs, queuedAtUs };
  move(work, fragment, 'retry', nowUs);
}

function submit(work: Work, nowUs: number): void {
  const { site, record, rollout } = work;
  const fragment = turnOf(rollout);
  if (!site.isReached(record, nowUs)) return suspendFragment(work, nowUs);
  assert(rollout.waitingId === 0, 'what waits is never doubled');
  const { devEui } = record;
  const { fPort, bytes: payload } = fragment;
  const isAcked = rollout.confirmation === 'uplink-ack';
  const how = isAcked ? { confirmed: true, tries: 1 } : {};
  const downlink = { devEui, fPort, payload, ...how };
  rollout.waitingId = site.downlinks.send(senderOf(rollout), downlink, nowUs);
  if (rollout.firstId === 0) rollout.firstId = rollout.waitingId;
  move(work, fragment, 'submit', nowUs);
  appoint(work, nowUs + SILENCE_US - fragment.waitedUs);
}

/** What waits for the device waits no more, until the device is heard. */
function suspend(work: Work, nowUs: number): void {
  const { site, record, rollout } = work;
  rollout.waitingId = 0;
  site.downlinks.clear(senderOf(rollout), record.devEui, nowUs);
  const fragment = turnOf(rollout);
  fragment.waitedUs += nowUs - fragment.queuedAtUs;
  suspendFragment(work, nowUs);
}

/** Its clock stands still, but not for a device that nobody has ever heard. */
function suspendFragment(work: Work, nowUs: number): void {
  const { site, record, rollout } = work;
  const fragment = turnOf(rollout);
  site.suspended();
  move(work, fragment, 'suspend', nowUs);
  rollout.dueAtUs = NEVER_US;
  const isUnheard = site.deviceOf(record)?.heardBy.length === 0;
  if (isUnheard) appoint(work, nowUs + SILENCE_US - fragment.waitedUs);
}

/** Whether the fragment whose turn it is has arrived, as the codec's strategy has it. */
function isConfirmed({ record, rollout }: Work): boolean {
  const { isAcknowledged, isEchoed } = turnOf(rollout);
  switch (rollout.confirmation) {
    case 'downlink-sent':
      return false; // the network's news say so
    case 'uplink-ack':
      return isAcknowledged && (isEchoed || !rollout.echoes);
    case 'reported-config':
      return record.reported !== null && isReflected(rollout.config, record.reported.config);
  }
}

/** Whether an uplink repeats the fragment; it ends after the first try has begun. */
function isEchoOf(
  codec: ConfigurationCodec,
  { rollout }: Work,
  endedAtUs: number,
  uplink: CodecUplink,
): boolean {
  const fragment = turnOf(rollout);
  const { firstSentAtUs, fPort, bytes } = fragment;
  if (!rollout.echoes || firstSentAtUs === NEVER_US || endedAtUs <= firstSentAtUs) return false;
  if (codec.isEcho !== undefined) return codec.isEcho(uplink, { fPort, bytes });
  const { bytes: said } = uplink;
  const isSame = said.length === bytes.length && said.every((byte, i) => byte === bytes[i]);
  return uplink.fPort === fPort && isSame;
}

function confirm(work: Work, nowUs: number): void {
  const { site, record, rollout } = work;
  const fragment = turnOf(rollout);
  // The next try was not sent: the instants are those of the try that was.
  const { tryBefore, readyAtUs, sentAtUs } = fragment;
  if (tryBefore !== undefined && readyAtUs > sentAtUs) Object.assign(fragment, tryBefore);
  move(work, fragment, 'confirm', nowUs);
  // Another try of it may wait.
  if (rollout.waitingId !== 0) site.downlinks.clear(senderOf(rollout), record.devEui, nowUs);
  rollout.waitingId = 0;
  rollout.dueAtUs = NEVER_US;
  if (rollout.turn + 1 === rollout.fragments.length) return end(work, { what: 'apply' }, nowUs);
  rollout.turn++;
  schedule(work, nowUs);
}

/** All tries are made, and the pause after the last is over. */
function giveUp(work: Work, nowUs: number): void {
  const { site, record, rollout } = work;
  const { sentAtUs, status } = turnOf(rollout);
  if (status === 'sent' && !isSpent(rollout)) {
    // The answer cannot come through.
    if (!site.isReached(record, nowUs)) return appoint(work, nowUs + TRY_EVERY_US);
    // A device of class A that speaks hourly answers the last try an hour later.
    const silentUntilUs = sentAtUs + SILENCE_US;
    const answersAtOnce = site.deviceOf(record)?.deviceClass === 'C';
    if (!answersAtOnce && nowUs < silentUntilUs) return appoint(work, silentUntilUs);
  }
  fail(work, whyNotConfirmed(rollout), nowUs);
}

/** Whether all tries are made and the device has spoken since. */
function isSpent(rollout: Rollout): boolean {
  const { attempts, status, sentAtUs } = turnOf(rollout);
  return attempts >= TRIES && status === 'sent' && rollout.spokeAtUs > sentAtUs;
}

function whyNotConfirmed(rollout: Rollout): ConfigurationFailure {
  const { firstSentAtUs, isAcknowledged } = turnOf(rollout);
  if (firstSentAtUs === NEVER_US) return 'not sent';
  if (rollout.confirmation === 'reported-config') return 'not reported';
  return isAcknowledged ? 'not echoed' : 'not acknowledged';
}

// ── its codec ────────────────────────────────────────────────────────────────────────────────────

/** The codec by which it was made; undefined: the device has another one by now, or none. */
function knownCodec({ site, record, rollout }: Work): DeviceCodec | undefined {
  const known = site.codecOf(record);
  return known?.decoderType === rollout.decoderType ? known : undefined;
}

const keepsCodec = (work: Work): boolean => knownCodec(work) !== undefined;

// ── states ───────────────────────────────────────────────────────────────────────────────────────

const INSTANTS = {
  ready: 'readyAtUs',
  queued: 'queuedAtUs',
  confirmed: 'confirmedAtUs',
  gateway_unavailable: 'gatewayUnavailableAtUs',
} as const;

function move(work: Work, fragment: Fragment, what: FragmentEvent, nowUs: number): void {
  fragment.status = next(FRAGMENT_MOVES, fragment.status, what);
  const { status } = fragment;
  if (status in INSTANTS) fragment[INSTANTS[status as keyof typeof INSTANTS]] = nowUs;
  note(work, nowUs);
}

function moveRollout(work: Work, what: RolloutEvent, nowUs: number): void {
  work.rollout.status = next(ROLLOUT_MOVES, work.rollout.status, what);
  note(work, nowUs);
}

const fail = (work: Work, failure: ConfigurationFailure, nowUs: number): void =>
  end(work, { what: 'fail', failure }, nowUs);

interface Ending {
  readonly what: 'apply' | 'fail' | 'cancel';
  readonly failure?: ConfigurationFailure;
  readonly why?: ConfigurationCancellation;
}

/** It is over: nothing of it is left in the network, and fragments that are not over end, too. */
function end(work: Work, ending: Ending, nowUs: number): void {
  const { site, record, rollout } = work;
  const { fragments, turn } = rollout;
  const { what, failure = '', why } = ending;
  moveRollout(work, what, nowUs);
  rollout.failure = failure;
  rollout.completedAtUs = nowUs;
  rollout.dueAtUs = NEVER_US;
  rollout.waitingId = 0;
  if (rollout.firstId !== 0) site.downlinks.clear(senderOf(rollout), record.devEui, nowUs);
  if (what !== 'apply') {
    move(work, turnOf(rollout), what, nowUs);
    for (const later of fragments.slice(turn + 1)) move(work, later, 'cancel', nowUs);
  }
  site.ended(record, rollout, why);
  site.watching.ends(record.devEui, nowUs);
}

function appoint({ site, rollout }: Work, atUs: number): void {
  rollout.dueAtUs = atUs;
  site.appoint(rollout);
}

function note({ site, record, rollout }: Work, nowUs: number): void {
  rollout.updatedAtUs = nowUs;
  site.changed(record);
}
