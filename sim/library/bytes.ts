/** Hexadecimal text at the public face. */
import { fromHex as parsed } from '../base/bytes.ts';
import { refuse, shown } from '../lorawan/argument.ts';

/** Bytes of an even number of hexadecimal digits of either case; anything else is a RangeError. */
export function fromHex(text: string): Uint8Array {
  const isHex = typeof text === 'string' && /^([0-9a-fA-F]{2})*$/.test(text);
  refuse(
    isHex ? undefined : `bytes are written as pairs of hexadecimal digits, not ${shown(text)}`,
  );
  return parsed(text);
}
