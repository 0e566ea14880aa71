/**
 * Constant frame loss drawn 32 frames at once: bit i of word w is set when frame 32·w + i is
 * lost.
 *
 * Random word j supplies binary digit j of 32 uniform numbers, which are compared digit by digit
 * with the probability; on average 6.4 words decide all 32. So a bit never depends on which others
 * are asked.
 */
import { type DrawPurpose, draw } from '../base/random.ts';
import { MILLION } from '../base/units.ts';

/** Binary digits of a probability that are looked at: exact to 2^-40. */
const DIGITS = 40;
/** Digits per word have counters of their own. */
const DIGITS_PER_WORD = 64;
/** Bits of a word that are all set. */
const ALL = -1;

/** Word `word` of the losses of an entity at a probability in parts per million. */
export function lossWord(
  key0: number,
  key1: number,
  purpose: DrawPurpose,
  word: number,
  ppm: number,
): number {
  if (ppm <= 0) return 0;
  if (ppm >= MILLION) return ALL;
  let lost = 0;
  let undecided = ALL;
  let rest = ppm;
  for (let digit = 0; digit < DIGITS && undecided !== 0; digit++) {
    rest *= 2;
    const random = draw(key0, key1, purpose, word * DIGITS_PER_WORD + digit);
    if (rest >= MILLION) {
      rest -= MILLION;
      lost |= undecided & ~random;
      undecided &= random;
    } else {
      undecided &= ~random;
    }
  }
  return lost;
}
