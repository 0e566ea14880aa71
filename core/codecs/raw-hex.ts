/** The payload as it is: `{hex: "A50B"}`. */
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import type { Codec } from './codec.ts';
import { MOST_PAYLOAD } from './limits.ts';

const HEX = /^([0-9A-Fa-f]{2})*$/;

export const rawHex: Codec = {
  decode: ({ bytes }) => ({ hex: toHex(bytes).toUpperCase() }),
  encode({ hex }, fPort) {
    if (typeof hex !== 'string' || !HEX.test(hex) || hex.length > 2 * MOST_PAYLOAD) {
      return { errors: [`hex: has to be 0 to ${MOST_PAYLOAD} bytes in hexadecimal`] };
    }
    if (fPort === undefined) return { errors: ['the FPort has to be given'] };
    return { value: { fPort, bytes: fromHex(hex) }, warnings: [] };
  },
};
