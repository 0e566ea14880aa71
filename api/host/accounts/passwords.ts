/**
 * Passwords that people choose: what is to be known of them, and scrypt (RFC 7914) in the place of
 * a digest, since they can be guessed. A password is compared in NFC (RFC 8265 §4.2).
 */
import { type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { CHARACTER_CLASSES } from '../../../core/management/accounts/passwords.ts';

/** 32 MiB and some 60 ms, in a thread of its own. */
const COST: ScryptOptions = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 ** 2 };

export const SALT_BYTES = 16;
export const VERIFIER_BYTES = 32;

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);

const normal = (password: string): string => password.normalize('NFC');

/** Of a chosen password by its salt, both in upper-case hexadecimal. */
export async function chosenVerifier(password: string, saltHex: string): Promise<string> {
  const salt = Buffer.from(saltHex, 'hex');
  return toHex(await derive(normal(password), salt, VERIFIER_BYTES, COST));
}

type CharacterClass = (typeof CHARACTER_CLASSES)[number];

/** By the general category of Unicode; what is in no other class is special, as other letters. */
const CLASSES: Readonly<Record<Exclude<CharacterClass, 'special'>, RegExp>> = {
  lower: /\p{Ll}/u,
  upper: /\p{Lu}/u,
  digit: /\p{Nd}/u,
};
const SPECIAL = /[^\p{Ll}\p{Lu}\p{Nd}]/u;

/** What a command holds of a new password: number of code points, and their classes. */
export function shapeOf(password: string) {
  const text = normal(password);
  const has = { ...CLASSES, special: SPECIAL };
  return {
    length: [...text].length,
    classes: CHARACTER_CLASSES.filter((each) => has[each].test(text)),
  };
}

export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('hex').toUpperCase();
