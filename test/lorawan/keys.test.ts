/** TS005-2.0.0 §4.3 and TS004-2.0.0 §4: multicast keys and data block MICs. */
import { describe, expect, it } from 'vitest';
import { fromHex, toHex, writeLe } from '../../sim/base/bytes.ts';
import {
  dataBlockMic,
  deriveDataBlockIntKey,
  deriveMcKEKey,
  deriveMulticastKeys,
  keyBytes,
} from '../../sim/lorawan/keys.ts';
import { vectors } from '../support/vectors.ts';

interface BlockRow {
  genAppKey: string;
  dataBlockIntKey: string;
  sessionCnt: number;
  fragIndex: number;
  descriptor: string;
  dataLen: number;
  mic: string;
}

const { multicastKeys, dataBlockMicTs004v2 } = vectors<{
  multicastKeys: Record<string, string>[];
  dataBlockMicTs004v2: BlockRow[];
}>('keys');

describe.each(multicastKeys)('the multicast group $mcAddr', (row) => {
  const rootKey = row.genAppKeyOrAppKey!;
  const mcAddr = Number.parseInt(row.mcAddr!, 16);
  const expected = {
    mcRootKey: row['mcRootKey_1_0_x(from GenAppKey)'],
    mcKEKey: row['mcKEKey(of the 1.0.x root)'],
    mcKey: row.mcKey,
    mcKeyEncrypted: row['mcKeyEncrypted(with that McKEKey)'],
    mcAppSKey: row.mcAppSKey,
    mcNwkSKey: row.mcNwkSKey,
  };
  const hex = (keys: object): object =>
    Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, toHex(key)]));

  it('has the same keys from McKey and from McKey_encrypted', () => {
    const { mcKey, mcKeyEncrypted } = expected;
    const from = { version: '1.0', rootKey, mcAddr } as const;
    expect(hex(deriveMulticastKeys({ ...from, mcKey: mcKey! }))).toEqual(expected);
    expect(hex(deriveMulticastKeys({ ...from, mcKeyEncrypted: mcKeyEncrypted! }))).toEqual(
      expected,
    );
    expect(toHex(deriveMcKEKey('1.0', rootKey))).toBe(expected.mcKEKey);
  });

  it('has another root for a 1.1 device', () => {
    const keys = deriveMulticastKeys({ version: '1.1', rootKey, mcAddr, mcKey: row.mcKey! });
    expect(toHex(keys.mcRootKey)).toBe(row['mcRootKey_1_1(from AppKey)']);
    expect(toHex(keys.mcAppSKey)).toBe(row.mcAppSKey);
  });

  it('signs data blocks with a key of its own', () => {
    expect(toHex(deriveDataBlockIntKey(rootKey))).toBe(row.dataBlockIntKey);
  });
});

describe('the MIC of a data block', () => {
  it.each(dataBlockMicTs004v2)('of $dataLen bytes, session $sessionCnt, is $mic', (row) => {
    const data = Uint8Array.from({ length: row.dataLen }, (_, i) => i * 31 + row.sessionCnt);
    const mic = new Uint8Array(4);
    const { sessionCnt, fragIndex } = row;
    const descriptor = fromHex(row.descriptor);
    const dataBlockIntKey = deriveDataBlockIntKey(row.genAppKey);
    const value = dataBlockMic({ dataBlockIntKey, sessionCnt, fragIndex, descriptor, data });
    writeLe(mic, 0, 4, value >>> 0);
    expect(toHex(mic)).toBe(row.mic);
  });
});

describe('a key', () => {
  it('is 32 hexadecimal digits or 16 bytes', () => {
    expect(keyBytes('00112233445566778899AABBCCDDEEFF')).toEqual(
      keyBytes(fromHex('00112233445566778899aabbccddeeff')),
    );
    expect(() => keyBytes('0011')).toThrow('16 bytes');
    expect(() => keyBytes(new Uint8Array(15))).toThrow('16 bytes');
  });

  it('of a group is given once', () => {
    const group = { version: '1.0', rootKey: '0'.repeat(32), mcAddr: 1 } as const;
    expect(() => deriveMulticastKeys(group)).toThrow('given once');
  });
});
