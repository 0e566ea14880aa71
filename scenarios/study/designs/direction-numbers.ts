/**
 * Primitive polynomials and initial direction numbers of Sobol's sequence: dimensions 2 to 40 of
 * Joe and Kuo's set new-joe-kuo-6 (SIAM Journal on Scientific Computing 30, 2008). The first
 * dimension needs none.
 */

/**
 * `a`: the coefficients between the first and the last of a polynomial over {0, 1}, of degree s, as
 * bits, that of the highest power first; `m`: m_1…m_s, each odd and m_k < 2^k.
 */
export interface DirectionNumbers {
  readonly a: number;
  readonly m: readonly number[];
}

export const DIRECTION_NUMBERS: readonly DirectionNumbers[] = [
  { a: 0, m: [1] },
  { a: 1, m: [1, 3] },
  { a: 1, m: [1, 3, 1] },
  { a: 2, m: [1, 1, 1] },
  { a: 1, m: [1, 1, 3, 3] },
  { a: 4, m: [1, 3, 5, 13] },
  { a: 2, m: [1, 1, 5, 5, 17] },
  { a: 4, m: [1, 1, 5, 5, 5] },
  { a: 7, m: [1, 1, 7, 11, 19] },
  { a: 11, m: [1, 1, 5, 1, 1] },
  { a: 13, m: [1, 1, 1, 3, 11] },
  { a: 14, m: [1, 3, 5, 5, 31] },
  { a: 1, m: [1, 3, 3, 9, 7, 49] },
  { a: 13, m: [1, 1, 1, 15, 21, 21] },
  { a: 16, m: [1, 3, 1, 13, 27, 49] },
  { a: 19, m: [1, 1, 1, 15, 7, 5] },
  { a: 22, m: [1, 3, 1, 15, 13, 25] },
  { a: 25, m: [1, 1, 5, 5, 19, 61] },
  { a: 1, m: [1, 3, 7, 11, 23, 15, 103] },
  { a: 4, m: [1, 3, 7, 13, 13, 15, 69] },
  { a: 7, m: [1, 1, 3, 13, 7, 35, 63] },
  { a: 8, m: [1, 3, 5, 9, 1, 25, 53] },
  { a: 14, m: [1, 3, 1, 13, 9, 35, 107] },
  { a: 19, m: [1, 3, 1, 5, 27, 61, 31] },
  { a: 21, m: [1, 1, 5, 11, 19, 41, 61] },
  { a: 28, m: [1, 3, 5, 3, 3, 13, 69] },
  { a: 31, m: [1, 1, 7, 13, 1, 19, 1] },
  { a: 32, m: [1, 3, 7, 5, 13, 19, 59] },
  { a: 37, m: [1, 1, 3, 9, 25, 29, 41] },
  { a: 41, m: [1, 3, 5, 13, 23, 1, 55] },
  { a: 42, m: [1, 3, 7, 3, 13, 59, 17] },
  { a: 50, m: [1, 3, 1, 3, 5, 53, 69] },
  { a: 55, m: [1, 1, 5, 5, 23, 33, 13] },
  { a: 56, m: [1, 1, 7, 7, 1, 61, 123] },
  { a: 59, m: [1, 1, 7, 9, 13, 61, 49] },
  { a: 62, m: [1, 3, 3, 5, 3, 55, 33] },
  { a: 14, m: [1, 3, 1, 15, 31, 13, 49, 245] },
  { a: 21, m: [1, 3, 5, 15, 31, 59, 63, 97] },
  { a: 22, m: [1, 3, 1, 11, 11, 11, 77, 249] },
];
