/**
 * What a frame carries as the laws read it: MAC commands with their lengths, data of applications,
 * and how frames encrypt them (LoRaWAN 1.0.4 §4.3 and §5, 1.1 §4.3.1.6).
 */
import { encryptBlock, expandKey } from '../../../sim/lorawan/aes.ts';
import {
  DOWNLINK_COMMAND_BYTES,
  FIRST_PROPRIETARY_CID,
  UPLINK_COMMAND_BYTES,
} from '../../../sim/lorawan/mac-commands.ts';
import type { SessionKeysRow } from '../../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../../sim/plan/network-plan.ts';

export type Direction = 'up' | 'down';

/** Bytes behind the identifier, by identifier: all commands of LoRaWAN 1.0.4 and 1.1. */
export const COMMAND_BYTES: Readonly<Record<Direction, Readonly<Record<number, number>>>> = {
  up: {
    1: 1,
    2: 0,
    3: 1,
    4: 0,
    5: 1,
    6: 2,
    7: 1,
    8: 0,
    9: 0,
    10: 1,
    11: 1,
    12: 0,
    13: 0,
    15: 1,
    16: 1,
    17: 1,
    18: 0,
    19: 1,
    32: 1,
  },
  down: {
    1: 1,
    2: 2,
    3: 4,
    4: 1,
    5: 4,
    6: 0,
    7: 5,
    8: 1,
    9: 1,
    10: 4,
    11: 1,
    12: 1,
    13: 5,
    14: 2,
    15: 1,
    16: 0,
    17: 4,
    18: 3,
    19: 3,
    32: 1,
  },
};

/**
 * Bytes behind the identifier; undefined: no such command. A proprietary one stands in no standard,
 * so its length is the one that the network has for it.
 */
function payloadBytes(direction: Direction, cid: number): number | undefined {
  if (cid < FIRST_PROPRIETARY_CID) return COMMAND_BYTES[direction][cid];
  const length = (direction === 'up' ? UPLINK_COMMAND_BYTES : DOWNLINK_COMMAND_BYTES)[cid]!;
  return length === 0 ? undefined : length - 1;
}

export interface MacCommand {
  readonly cid: number;
  /** Without the identifier. */
  readonly payload: readonly number[];
}

/** The commands of one frame. */
export interface CommandRun {
  readonly commands: readonly MacCommand[];
  /** Why the walk ended early: receivers drop what follows, and no law knows what it says. */
  readonly stop: string | undefined;
}

const NOTHING: CommandRun = { commands: [], stop: undefined };

/** A data frame as the trace shows it. */
interface Frame {
  readonly phyPayload: string;
  /** FCntUp or FCntDown, all 32 bits. */
  readonly counter: number;
  readonly keys?: SessionKeysRow;
}

/** Hexadecimal digits of MHDR and FHDR without FOpts, and of the MIC. */
const HEAD_DIGITS = 16;
const MIC_DIGITS = 8;
/** A data frame at least, as the trace has it. */
const DIGITS = /^[0-9a-f]{24,}$/;

/** Where FOpts and FRMPayload end in a frame's digits, and its FPort; −1: it has none. */
function partsOf(phyPayload: string) {
  const fOptsEnd = HEAD_DIGITS + 2 * (Number.parseInt(phyPayload.slice(10, 12), 16) & 15);
  const textEnd = phyPayload.length - MIC_DIGITS;
  const fPort =
    fOptsEnd < textEnd ? Number.parseInt(phyPayload.slice(fOptsEnd, fOptsEnd + 2), 16) : -1;
  return { fOptsEnd, textEnd, fPort };
}

/** FPort and payload of a data frame, in clear; undefined: it carries none of an application. */
export function applicationDataIn(
  frame: Frame,
  plan: NetworkPlan,
  direction: Direction,
): { readonly fPort: number; readonly hex: string } | undefined {
  const { phyPayload, keys } = frame;
  if (!DIGITS.test(phyPayload)) return undefined;
  const { fOptsEnd, textEnd, fPort } = partsOf(phyPayload);
  if (fPort <= 0) return undefined;
  const hex = phyPayload.slice(fOptsEnd + 2, textEnd);
  if (plan.frames === 'counted') return { fPort, hex };
  const clear = decrypted(bytesOf(hex), frame, direction, 0, keys?.appSKey);
  return { fPort, hex: [...clear].map((byte) => byte.toString(16).padStart(2, '0')).join('') };
}

/** The commands of a data frame, from FOpts or from the payload of FPort 0. */
export function commandsIn(frame: Frame, plan: NetworkPlan, direction: Direction): CommandRun {
  const { phyPayload, keys } = frame;
  if (!DIGITS.test(phyPayload)) return NOTHING;
  const { fOptsEnd, textEnd, fPort } = partsOf(phyPayload);
  if (fOptsEnd === HEAD_DIGITS && fPort !== 0) return NOTHING;
  const hex =
    fPort === 0 ? phyPayload.slice(fOptsEnd + 2, textEnd) : phyPayload.slice(HEAD_DIGITS, fOptsEnd);
  const isHidden = plan.frames === 'real' && (fPort === 0 || keys?.nwkSEncKey !== undefined);
  const bytes = bytesOf(hex);
  // A frame of FPort 0 hides its payload, one of LoRaWAN 1.1 its FOpts too.
  const kind = fPort === 0 ? 0 : direction === 'down' && fPort > 0 ? 2 : 1;
  return walk(isHidden ? decrypted(bytes, frame, direction, kind) : bytes, direction);
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) =>
    Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16),
  );
}

function walk(bytes: Uint8Array, direction: Direction): CommandRun {
  const commands: MacCommand[] = [];
  for (let at = 0; at < bytes.length; ) {
    const cid = bytes[at]!;
    const length = payloadBytes(direction, cid);
    const name = `MAC command 0x${cid.toString(16).padStart(2, '0')}`;
    if (length === undefined) return { commands, stop: `${name}, which LoRaWAN does not have` };
    const end = at + 1 + length;
    if (end > bytes.length) return { commands, stop: `${name} cut short` };
    commands.push({ cid, payload: [...bytes.subarray(at + 1, end)] });
    at = end;
  }
  return { commands, stop: undefined };
}

/**
 * `A_i = 01 | 0^3 | kind | Dir | DevAddr | FCnt32 | 00 | i`, by default with the network's key;
 * the kind is 0 for payloads, 1 or 2 for FOpts (LoRaWAN 1.1 §4.3.1.6, §4.3.3).
 */
function decrypted(
  bytes: Uint8Array,
  { phyPayload, counter, keys }: Frame,
  direction: Direction,
  kind: number,
  ownKey = keys?.nwkSEncKey ?? keys?.nwkSKey,
): Uint8Array {
  const key = expandKey(bytesOf(ownKey ?? ''));
  const block = new Uint8Array(16);
  block.set([1, 0, 0, 0, kind, direction === 'up' ? 0 : 1]);
  block.set(bytesOf(phyPayload.slice(2, 10)), 6);
  for (let i = 0; i < 4; i++) block[10 + i] = counter >>> (8 * i);
  const stream = new Uint8Array(16);
  return bytes.map((byte, i) => {
    if (i % 16 === 0) {
      block[15] = i / 16 + 1;
      encryptBlock(key, block, 0, stream, 0);
    }
    return byte ^ stream[i % 16]!;
  });
}
