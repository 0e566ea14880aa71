/** Keys at the public face: sessions, multicast groups, data blocks. */
import { equalBytes } from '../base/bytes.ts';
import {
  bytesOf,
  MAX_U16,
  MAX_U24,
  MAX_U32,
  oneOf,
  refuse,
  shown,
  whole,
} from '../lorawan/argument.ts';
import * as keys from '../lorawan/keys.ts';

const VERSIONS = ['1.0', '1.1'] as const;

/** The 16 bytes of a key, in a copy; anything else is a RangeError that does not show the key. */
export function checkedKey(name: string, key: keys.Key | undefined): Uint8Array {
  const digits = typeof key === 'string';
  const fits = digits
    ? /^[0-9a-fA-F]{32}$/.test(key)
    : key instanceof Uint8Array && key.length === 16;
  const found = digits ? `a text of ${key.length} characters` : shown(key);
  refuse(fits ? undefined : `${name} is 32 hexadecimal digits or 16 bytes, not ${found}`);
  return new Uint8Array(keys.keyBytes(key!));
}

/**
 * Session keys of an accepted join (LoRaWAN 1.0.4 §6.2.6, 1.1 §6.2.5). A 1.1 device on a 1.0
 * network uses the 1.0 form with its NwkKey as `appKey`. What is out of range is a RangeError.
 */
export function deriveSessionKeys(join: keys.Join10): keys.SessionKeys10;
export function deriveSessionKeys(join: keys.Join11): keys.SessionKeys11;
export function deriveSessionKeys(
  join: keys.Join10 | keys.Join11,
): keys.SessionKeys10 | keys.SessionKeys11 {
  oneOf('version', join.version, VERSIONS);
  whole('joinNonce', join.joinNonce, 0, MAX_U24);
  whole('devNonce', join.devNonce, 0, MAX_U16);
  const appKey = checkedKey('appKey', join.appKey);
  if (join.version === '1.0') {
    whole('netId', join.netId, 0, MAX_U24);
    return keys.deriveSessionKeys({ ...join, appKey });
  }
  const { joinEui } = join;
  const isEui = typeof joinEui === 'string' && /^[0-9a-fA-F]{16}$/.test(joinEui);
  refuse(isEui ? undefined : `joinEui is 16 hexadecimal digits, not ${shown(joinEui)}`);
  return keys.deriveSessionKeys({ ...join, appKey, nwkKey: checkedKey('nwkKey', join.nwkKey) });
}

/** What the keys of a multicast group come from. */
export interface MulticastGroupKeys {
  readonly version: '1.0' | '1.1';
  /** GenAppKey of a 1.0 device, AppKey of a 1.1 device. */
  readonly rootKey: keys.Key;
  /** McKey in clear; or … */
  readonly mcKey?: keys.Key;
  /** … as McGroupSetupReq brings it. When both are given, they must agree. */
  readonly mcKeyEncrypted?: keys.Key;
  /** Unsigned 32 bits. */
  readonly mcAddr: number;
}

/** The multicast key chain of one device and group. Source: TS005-2.0.0 §4.3. */
export function deriveMulticastKeys(group: MulticastGroupKeys): keys.MulticastKeys {
  const { version, mcAddr, mcKey, mcKeyEncrypted } = group;
  oneOf('version', version, VERSIONS);
  whole('mcAddr', mcAddr, 0, MAX_U32);
  const from = { version, mcAddr, rootKey: checkedKey('rootKey', group.rootKey) };
  if (mcKey === undefined) {
    if (mcKeyEncrypted === undefined) refuse('mcKey or mcKeyEncrypted is given, not neither');
    const sent = checkedKey('mcKeyEncrypted', mcKeyEncrypted);
    return keys.deriveMulticastKeys({ ...from, mcKeyEncrypted: sent });
  }
  const chain = keys.deriveMulticastKeys({ ...from, mcKey: checkedKey('mcKey', mcKey) });
  if (mcKeyEncrypted !== undefined) {
    const agree = equalBytes(chain.mcKeyEncrypted, checkedKey('mcKeyEncrypted', mcKeyEncrypted));
    refuse(agree ? undefined : 'mcKey and mcKeyEncrypted do not belong together');
  }
  return chain;
}

/** Integrity key of data blocks, from the GenAppKey (1.0) or AppKey (1.1); TS004-2.0.0 §4. */
export function deriveDataBlockIntKey(rootKey: keys.Key): Uint8Array {
  return keys.deriveDataBlockIntKey(checkedKey('rootKey', rootKey));
}

/** A data block to sign. */
export interface SignedBlock {
  readonly dataBlockIntKey: keys.Key;
  /** 16 bits. */
  readonly sessionCnt: number;
  /** 0 … 3. */
  readonly fragIndex: number;
  /** Four bytes, in the order of the air. */
  readonly descriptor: Uint8Array;
  /** The block without its padding. */
  readonly data: Uint8Array;
}

/** The `mic` of FragSessionSetupReq in version 2, unsigned 32 bits. Source: TS004-2.0.0 §4. */
export function dataBlockMic(block: SignedBlock): number {
  const checked = {
    dataBlockIntKey: checkedKey('dataBlockIntKey', block.dataBlockIntKey),
    sessionCnt: whole('sessionCnt', block.sessionCnt, 0, MAX_U16),
    fragIndex: whole('fragIndex', block.fragIndex, 0, 3),
    descriptor: bytesOf('descriptor', block.descriptor, 4, 4),
    data: bytesOf('data', block.data, 0, MAX_U32),
  };
  return keys.dataBlockMic(checked) >>> 0;
}
