/**
 * Frames as they are stored (docs/decisions/0059). Of an uplink those are stored that are surely
 * the device's: joins and rejoins that were granted, data frames that were accepted, and
 * repetitions of them. A downlink is stored once, at its fate.
 */
import { fromHex } from '../../../sim/base/bytes.ts';
import type { DownlinkRefusal } from '../../../sim/base/counts.ts';
import type { FrameDown, FrameUp } from '../../../sim/contract/frames.ts';
import { MType } from '../../../sim/lorawan/frame.ts';
import { type Content, classOf, Flag, outcomeNumber, windowNumber } from './entries.ts';
import type { LogStore } from './log-store.ts';
import type { OpenEntries } from './open-entries.ts';

/** Whether it is surely of the device that it says to be of. */
export const isGenuine = ({ verdict }: Pick<FrameUp, 'verdict'>): boolean =>
  verdict === 'accepted' || verdict === 'joined' || verdict === 'repeated';

type Data = NonNullable<FrameUp['data']> | NonNullable<FrameDown['data']>;

/** A port that an application may send on (LoRaWAN 1.0.4 §4.3.2; 224 is the test protocol's). */
const isApplicationPort = (fPort: number | null): fPort is number =>
  fPort !== null && fPort > 0 && (fPort < 224 || fPort === 225);

/** Stores an uplink; `isPrivate`: without its application payload. */
export function keepUplink(log: LogStore, frame: FrameUp, isPrivate: boolean): void {
  const { endedAtUs, data, join, verdict, receptions } = frame;
  const { open } = log;
  const place = open.begin(endedAtUs, frame.devEui);
  const { entries } = open;
  entries.mType[place] = MType[frame.type];
  entries.mic[place] = frame.mic;
  entries.frequencyHz[place] = frame.frequencyHz;
  entries.airtimeUs[place] = frame.airtimeUs;
  entries.spreadingFactor[place] = frame.spreadingFactor;
  let flags = Flag.onAir;
  if (data !== null) {
    flags |= keepData(open, place, data, isPrivate);
    if (data.adrAckReq) flags |= Flag.adrAckReq;
  } else if (join !== null) {
    entries.counter[place] = join.devNonce;
    if (join.joinEui !== null) keepBytes(open, place, fromHex(join.joinEui));
  }
  entries.flags[place] = flags;
  entries.class[place] = classOf({
    down: false,
    content: contentOf(data),
    late: frame.tooLate,
    activation: data === null ? 'JOINREQUEST' : '',
    ack: data?.ack === true,
    isPayload: verdict === 'accepted' && data !== null && isApplicationPort(data.fPort),
  });
  for (let i = 0; i < receptions.length; i++) {
    const { gatewayEui, rssiCentiDbm, snrCentiDb, arrivesAtUs, late } = receptions[i]!;
    const delayUs = arrivesAtUs - endedAtUs;
    open.addReception(place, gatewayEui, rssiCentiDbm, snrCentiDb, delayUs, late);
  }
}

/** Keeps a downlink of a device, or of a group by its EUI; '' where nobody knows that. */
export function keepDownlink(
  log: LogStore,
  frame: FrameDown,
  devEui: string,
  nowUs: number,
  isPrivate: boolean,
): void {
  const { data, sending, outcome, tries } = frame;
  const { open } = log;
  const place = open.begin(nowUs, devEui);
  const { entries } = open;
  entries.mType[place] = MType[frame.type];
  entries.mic[place] = frame.mic;
  entries.counter[place] = frame.counter;
  let flags = frame.devEui === null ? Flag.multicast : 0;
  if (sending !== null) {
    flags |= Flag.onAir;
    entries.frequencyHz[place] = sending.frequencyHz;
    entries.airtimeUs[place] = sending.airtimeUs;
    entries.spreadingFactor[place] = sending.spreadingFactor;
    entries.window[place] = windowNumber(sending.window);
    open.addReception(place, sending.gatewayEui, 0, 0, sending.startsAtUs - nowUs, false);
  }
  const reason = outcome.kind === 'sent' ? 'sent' : outcome.reason;
  entries.outcome[place] = outcomeNumber(reason);
  if (tries.length > 0) entries.tried[place] = outcomeNumber(tries[0]!.reason);
  if (data !== null) {
    flags |= keepData(open, place, data, isPrivate);
    if (data.fPending) flags |= Flag.fPending;
  }
  entries.flags[place] = flags;
  entries.class[place] = classOf({
    down: true,
    content: contentOf(data),
    late: isTooLate(reason),
    activation: data === null ? 'JOINACCEPT' : '',
    ack: data?.ack === true,
    isPayload: false,
  });
}

const isTooLate = (reason: 'sent' | DownlinkRefusal): boolean =>
  reason === 'tooLate' || reason === 'tooLateForWindows';

/** Stores the fields of both directions; returns the flags. Unreadable bytes are not stored. */
function keepData(open: OpenEntries, place: number, data: Data, isPrivate: boolean): number {
  const { entries } = open;
  entries.devAddr[place] = data.devAddr;
  entries.counter[place] = data.fCnt;
  entries.fPort[place] = data.fPort ?? 0;
  const hides = isPrivate && data.fPort !== 0;
  if (data.inClear) {
    entries.fOptsLength[place] = data.fOpts.length;
    open.addBytes(data.fOpts);
    if (!hides) keepBytes(open, place, data.payload);
  }
  return (
    (data.fPort === null ? 0 : Flag.hasPort) |
    (data.adr ? Flag.adr : 0) |
    (data.ack ? Flag.ack : 0) |
    (hides ? Flag.isPrivate : 0)
  );
}

function keepBytes(open: OpenEntries, place: number, bytes: Uint8Array): void {
  open.entries.payloadLength[place] = bytes.length;
  open.addBytes(bytes);
}

/** MAC commands on FPort 0 or in FOpts, a payload of an application, both or neither. */
function contentOf(data: Data | null): Content {
  if (data === null) return 'NONE';
  if (data.fPort === 0) return 'MAC';
  const hasCommands = data.fOpts.length > 0;
  if (data.payload.length === 0) return hasCommands ? 'MAC' : 'NONE';
  return hasCommands ? 'MACDATA' : 'DATA';
}
