/** Downlinks as stories of devices have them: those of applications, and frames of groups. */
import { readLe } from '../base/bytes.ts';
import type { DownlinkRefusal } from '../base/counts.ts';
import { GATEWAY_REFUSALS, PLAN_REFUSALS } from '../base/counts.ts';
import type { DownlinkWindow, FrameDown } from '../contract/frames.ts';
import { DownlinkPurpose } from '../gateway/downlinks.ts';
import { NONE } from '../kernel/columns.ts';
import { FOPTS_OFFSET, LONGEST_PHY_PAYLOAD, MIC_BYTES } from '../lorawan/frame.ts';
import type { StoryLog } from '../observation/stories/story-log.ts';
import type { ServerSide } from './server-side.ts';

/** By their numbers in stories, from 1; 0: it was sent, and there was no window. */
export const STORY_REFUSALS: readonly DownlinkRefusal[] = [...GATEWAY_REFUSALS, ...PLAN_REFUSALS];
export const STORY_WINDOWS: readonly DownlinkWindow[] = [1, 2, 'classC', 'ping', 'multicast'];

const bytes = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);
/** Of a data frame (LoRaWAN 1.0.4 §4.3). */
const DEV_ADDR = 1;
const DEV_ADDR_BYTES = 4;
const FCTRL = 5;
const FOPTS_LENGTH = 0x0f;

/** A downlink goes on the air now, or its gateway does not send it. */
export function storeFrameDown(
  side: ServerSide,
  stories: StoryLog,
  downlink: number,
  outcome: FrameDown['outcome'],
): void {
  if (side.settings.outside === true) return;
  const d = side.downlinks.column;
  const purpose = d.purpose[downlink];
  if (purpose === DownlinkPurpose.beacon || purpose === DownlinkPurpose.join) return;
  const atUs = d.startsAtUs[downlink];
  const airtimeUs = d.airtimeUs[downlink];
  const row = d.registration[downlink];
  if (row === NONE) {
    if (outcome.kind !== 'sent') return;
    return stories.groupFrame(d.mcAddr[downlink], d.counter[downlink], atUs + airtimeUs);
  }
  if (side.registrations.column.alive[row] === 0) return;
  const length = side.slots.copyOut(d.frameSlot[downlink], bytes);
  if (!isOfApplication(length)) return;
  const refusal = outcome.kind === 'sent' ? 0 : 1 + STORY_REFUSALS.indexOf(outcome.reason);
  const window = 1 + STORY_WINDOWS.indexOf(windowOf(purpose, d.window[downlink]));
  // Written out: one that is made by spreading is ten times as slow.
  const how = { refusal, window, gateway: d.gateway[downlink], airtimeUs, atUs };
  storeMessage(side, stories, row, length, how);
}

/** For a frame to a device there is no gateway or window. */
export function storeUnplanned(
  side: ServerSide,
  stories: StoryLog,
  row: number,
  frame: Uint8Array,
  length: number,
  reason: DownlinkRefusal,
): void {
  bytes.set(frame.subarray(0, length));
  if (!isOfApplication(length)) return;
  const refusal = 1 + STORY_REFUSALS.indexOf(reason);
  const how = { refusal, window: 0, gateway: NONE, airtimeUs: 0, atUs: side.agenda.nowUs };
  storeMessage(side, stories, row, length, how);
}

const fPortAt = (): number => FOPTS_OFFSET + (bytes[FCTRL]! & FOPTS_LENGTH);

/** Whether the frame carries something of an application: bytes of another port than 0. */
function isOfApplication(length: number): boolean {
  const at = fPortAt();
  return at + 1 < length - MIC_BYTES && bytes[at] !== 0;
}

/**
 * Counted frames are read as they are: one of an earlier session, whose address was another, counts
 * as one that nobody can open.
 */
function storeMessage(
  side: ServerSide,
  stories: StoryLog,
  row: number,
  length: number,
  how: Readonly<Record<'refusal' | 'window' | 'gateway' | 'airtimeUs' | 'atUs', number>>,
): void {
  const at = fPortAt();
  const inClear = readLe(bytes, DEV_ADDR, DEV_ADDR_BYTES) >>> 0 === devAddrOf(side, row);
  const payload = inClear ? bytes.subarray(at + 1, length - MIC_BYTES) : undefined;
  stories.downlink(side.registrations.identities.of(row).devEui, how, bytes[at]!, payload);
}

const devAddrOf = ({ registrations }: ServerSide, row: number): number =>
  registrations.column.devAddr[row]! >>> 0;

/** By `DownlinkPurpose` and the row's window: 1, 2, or 0 of what goes in neither. */
export function windowOf(purpose: number, window: number): DownlinkWindow {
  if (purpose === DownlinkPurpose.multicast) return 'multicast';
  if (purpose === DownlinkPurpose.ping) return 'ping';
  return window === 1 || window === 2 ? window : 'classC';
}
