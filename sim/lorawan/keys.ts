/**
 * Keys derived from keys: sessions (LoRaWAN 1.0.4 §6.2.6, 1.1 §6.2.5), multicast (TS005-2.0.0
 * §4.3), data blocks (TS004-2.0.0 §4).
 */
import { assert } from '../base/assert.ts';
import { fromHex, writeLe } from '../base/bytes.ts';
import { cmac4, decryptBlock, encryptBlock, expandKey, type KeySchedule } from './aes.ts';

/** 32 hexadecimal digits, or 16 bytes. */
export type Key = string | Uint8Array;

/** The 16 bytes of a key; anything else is an assertion. */
export function keyBytes(key: Key): Uint8Array {
  const bytes = typeof key === 'string' ? fromHex(key) : key;
  assert(bytes.length === 16, 'a key has 16 bytes');
  return bytes;
}

/** The expanded key. */
export function keySchedule(key: Key): KeySchedule {
  return expandKey(keyBytes(key));
}

/**
 * Bytes of an EUI in the order of the air; `eui` is 16 hexadecimal digits, most significant first.
 */
export function euiBytes(eui: string): Uint8Array {
  const bytes = fromHex(eui).reverse();
  assert(bytes.length === 8, 'an EUI has 16 hexadecimal digits');
  return bytes;
}

// ── sessions ─────────────────────────────────────────────────────────────────────────────────────

export interface SessionKeys10 {
  readonly nwkSKey: Uint8Array;
  readonly appSKey: Uint8Array;
}

export interface SessionKeys11 {
  readonly fNwkSIntKey: Uint8Array;
  readonly sNwkSIntKey: Uint8Array;
  readonly nwkSEncKey: Uint8Array;
  readonly appSKey: Uint8Array;
}

export interface Join10 {
  readonly version: '1.0';
  readonly appKey: Key;
  /** 24 bits. */
  readonly joinNonce: number;
  /** 24 bits. */
  readonly netId: number;
  /** 16 bits. */
  readonly devNonce: number;
}

export interface Join11 {
  readonly version: '1.1';
  readonly appKey: Key;
  readonly nwkKey: Key;
  readonly joinNonce: number;
  /** 16 hexadecimal digits. */
  readonly joinEui: string;
  readonly devNonce: number;
}

/**
 * Session keys of an accepted join. A 1.1 device without OptNeg uses the 1.0 form with its NwkKey
 * as `appKey`.
 */
export function deriveSessionKeys(join: Join10): SessionKeys10;
export function deriveSessionKeys(join: Join11): SessionKeys11;
export function deriveSessionKeys(join: Join10 | Join11): SessionKeys10 | SessionKeys11 {
  const text = new Uint8Array(16);
  writeLe(text, 1, 3, join.joinNonce);
  const app = keySchedule(join.appKey);
  if (join.version === '1.0') {
    writeLe(text, 4, 3, join.netId);
    writeLe(text, 7, 2, join.devNonce);
    return { nwkSKey: derived(app, 0x01, text), appSKey: derived(app, 0x02, text) };
  }
  text.set(euiBytes(join.joinEui), 4);
  writeLe(text, 12, 2, join.devNonce);
  const nwk = keySchedule(join.nwkKey);
  return {
    fNwkSIntKey: derived(nwk, 0x01, text),
    sNwkSIntKey: derived(nwk, 0x03, text),
    nwkSEncKey: derived(nwk, 0x04, text),
    appSKey: derived(app, 0x02, text),
  };
}

/** The block with its first byte set to `label`, encrypted. */
function derived(schedule: KeySchedule, label: number, text: Uint8Array): Uint8Array {
  const key = new Uint8Array(16);
  key.set(text);
  key[0] = label;
  encryptBlock(schedule, key, 0, key, 0);
  return key;
}

const NOTHING = new Uint8Array(16);

/**
 * Keys of a 1.1 device's life with its join server: JSIntKey signs join accepts, JSEncKey encrypts
 * rejoins'.
 */
export function deriveJoinServerKeys(
  nwkKey: Key,
  devEui: string,
): { readonly jsIntKey: Uint8Array; readonly jsEncKey: Uint8Array } {
  const text = new Uint8Array(16);
  text.set(euiBytes(devEui), 1);
  const nwk = keySchedule(nwkKey);
  return { jsEncKey: derived(nwk, 0x05, text), jsIntKey: derived(nwk, 0x06, text) };
}

// ── multicast ────────────────────────────────────────────────────────────────────────────────────

export interface MulticastKeys {
  readonly mcRootKey: Uint8Array;
  readonly mcKEKey: Uint8Array;
  readonly mcKey: Uint8Array;
  readonly mcKeyEncrypted: Uint8Array;
  readonly mcAppSKey: Uint8Array;
  readonly mcNwkSKey: Uint8Array;
}

/**
 * The multicast key chain of one device and group. `rootKey` is the GenAppKey of a 1.0 device or
 * the AppKey of a 1.1 device; give the McKey in clear or as it was sent. Source: TS005-2.0.0 §4.3.
 */
export function deriveMulticastKeys(group: {
  readonly version: '1.0' | '1.1';
  readonly rootKey: Key;
  readonly mcKey?: Key;
  readonly mcKeyEncrypted?: Key;
  /** Unsigned 32 bits. */
  readonly mcAddr: number;
}): MulticastKeys {
  const mcRootKey = deriveMcRootKey(group.version, group.rootKey);
  const mcKEKey = derived(keySchedule(mcRootKey), 0x00, NOTHING);
  const { mcKey: clear, mcKeyEncrypted: sent } = group;
  assert((clear === undefined) !== (sent === undefined), 'the McKey is given once');
  const mcKey = clear === undefined ? decryptMcKey(mcKEKey, sent!) : keyBytes(clear);
  const mcKeyEncrypted = sent === undefined ? encryptMcKey(mcKEKey, mcKey) : keyBytes(sent);
  return { mcRootKey, mcKEKey, mcKey, mcKeyEncrypted, ...deriveMcSessionKeys(mcKey, group.mcAddr) };
}

function deriveMcRootKey(version: '1.0' | '1.1', rootKey: Key): Uint8Array {
  return derived(keySchedule(rootKey), version === '1.0' ? 0x00 : 0x20, NOTHING);
}

/** The McKEKey of a device, under which McKeys travel. */
export function deriveMcKEKey(version: '1.0' | '1.1', rootKey: Key): Uint8Array {
  return derived(keySchedule(deriveMcRootKey(version, rootKey)), 0x00, NOTHING);
}

/** Session keys of a multicast group; `mcAddr` is unsigned 32 bits. */
export function deriveMcSessionKeys(
  mcKey: Key,
  mcAddr: number,
): { readonly mcAppSKey: Uint8Array; readonly mcNwkSKey: Uint8Array } {
  const text = new Uint8Array(16);
  writeLe(text, 1, 4, mcAddr);
  const mc = keySchedule(mcKey);
  return { mcAppSKey: derived(mc, 0x01, text), mcNwkSKey: derived(mc, 0x02, text) };
}

/** What the server sends: AES *decrypt*, so that a device needs encryption only. */
export function encryptMcKey(mcKEKey: Key, mcKey: Key): Uint8Array {
  const out = new Uint8Array(16);
  decryptBlock(keySchedule(mcKEKey), keyBytes(mcKey), 0, out, 0);
  return out;
}

/** What the device recovers from McKey_encrypted. */
export function decryptMcKey(mcKEKey: Key, mcKeyEncrypted: Key): Uint8Array {
  const out = new Uint8Array(16);
  encryptBlock(keySchedule(mcKEKey), keyBytes(mcKeyEncrypted), 0, out, 0);
  return out;
}

// ── data blocks ──────────────────────────────────────────────────────────────────────────────────

/** Integrity key of fragmented data blocks, from the GenAppKey (1.0) or AppKey (1.1). */
export function deriveDataBlockIntKey(genAppKeyOrAppKey: Key): Uint8Array {
  return derived(keySchedule(genAppKeyOrAppKey), 0x30, NOTHING);
}

/**
 * MIC of a data block without its padding, a signed 32-bit number whose little-endian bytes are
 * sent. `descriptor` is four bytes in the order of the air. Source: TS004-2.0.0 §4.
 */
export function dataBlockMic(block: {
  readonly dataBlockIntKey: Key;
  /** 16 bits. */
  readonly sessionCnt: number;
  /** 0…3. */
  readonly fragIndex: number;
  readonly descriptor: Uint8Array;
  readonly data: Uint8Array;
}): number {
  const { data } = block;
  const text = new Uint8Array(16 + data.length);
  text[0] = 0x49;
  writeLe(text, 1, 2, block.sessionCnt);
  text[3] = block.fragIndex;
  text.set(block.descriptor, 4);
  writeLe(text, 12, 4, data.length);
  text.set(data, 16);
  return cmac4(keySchedule(block.dataBlockIntKey), text, 0, text.length);
}
