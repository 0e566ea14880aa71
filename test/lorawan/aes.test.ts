/** FIPS 197 (AES-128) and RFC 4493 (AES-CMAC). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import {
  cmac,
  cmac4,
  cmac4OfBlockAnd,
  decryptBlock,
  encryptBlock,
  expandKey,
} from '../../sim/lorawan/aes.ts';

const bytes16 = fc.uint8Array({ minLength: 16, maxLength: 16 });

function encrypted(key: string, plain: string): string {
  const out = new Uint8Array(16);
  encryptBlock(expandKey(fromHex(key)), fromHex(plain), 0, out, 0);
  return toHex(out);
}

describe('AES-128', () => {
  it('encrypts the examples of FIPS 197', () => {
    expect(encrypted('2b7e151628aed2a6abf7158809cf4f3c', '3243f6a8885a308d313198a2e0370734')).toBe(
      '3925841d02dc09fbdc118597196a0b32',
    );
    expect(encrypted('000102030405060708090a0b0c0d0e0f', '00112233445566778899aabbccddeeff')).toBe(
      '69c4e0d86a7b0430d8cdb78070b4c55a',
    );
  });

  it('expands the key of FIPS 197 appendix A.1', () => {
    const schedule = expandKey(fromHex('2b7e151628aed2a6abf7158809cf4f3c'));
    expect(schedule[4]! >>> 0).toBe(0xa0fafe17);
    expect(schedule[43]! >>> 0).toBe(0xb6630ca6);
  });

  it('decrypts what it encrypts, in place and at any offset', () => {
    fc.assert(
      fc.property(bytes16, bytes16, fc.nat(8), (key, plain, offset) => {
        const schedule = expandKey(key);
        const bytes = new Uint8Array(32);
        bytes.set(plain, offset);
        encryptBlock(schedule, bytes, offset, bytes, offset);
        expect(bytes.subarray(offset, offset + 16)).not.toEqual(plain);
        decryptBlock(schedule, bytes, offset, bytes, offset);
        expect(bytes.subarray(offset, offset + 16)).toEqual(plain);
      }),
    );
  });
});

describe('AES-CMAC', () => {
  const schedule = expandKey(fromHex('2b7e151628aed2a6abf7158809cf4f3c'));
  const message = fromHex(
    '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51' +
      '30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710',
  );

  it.each([
    [0, 'bb1d6929e95937287fa37d129b756746'],
    [16, '070a16b46b4d4144f79bdd9dd04a287c'],
    [40, 'dfa66747de9ae63030ca32611497c827'],
    [64, '51f0bebf7e3b9d92fc49741779363cfe'],
  ])('has the value of RFC 4493 for %i bytes', (length, expected) => {
    const mac = new Uint8Array(16);
    cmac(schedule, message, mac, 0, length);
    expect(toHex(mac)).toBe(expected);
  });

  it('is the same whether its first block stands before the message or in it', () => {
    fc.assert(
      fc.property(bytes16, fc.uint8Array({ minLength: 17, maxLength: 80 }), (key, text) => {
        const keys = expandKey(key);
        const mac = new Uint8Array(16);
        cmac(keys, text, mac);
        const first = new DataView(text.buffer, text.byteOffset);
        const block = Int32Array.from({ length: 4 }, (_, i) => first.getInt32(4 * i));
        const mic = new DataView(mac.buffer).getInt32(0, true);
        expect(cmac4OfBlockAnd(keys, block, text, 16, text.length - 16)).toBe(mic);
        expect(cmac4(keys, text, 0, text.length)).toBe(mic);
      }),
    );
  });
});
