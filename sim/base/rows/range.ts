/** Ranges of numbers, compared in this one place; both ends are allowed. */
import type { Kind, Limits } from './fields.ts';

/** How many characters a text may have. */
export const charactersIn = ({
  least = 1,
  most = 250,
}: Kind & { readonly type: 'text' }): Limits => {
  return { least, most };
};

/** Whether a value is a number of the range. */
export const isWithin = (value: unknown, { least, most }: Limits): value is number =>
  typeof value === 'number' && value >= least && value <= most;

/** Whether it is a whole number of the range. */
export const isWholeWithin = (value: unknown, limits: Limits): value is number =>
  isWithin(value, limits) && Number.isInteger(value);

/** Why a number is not of the range; undefined: it is. */
export function rangeFault(value: number, { least, most }: Limits): 'small' | 'large' | undefined {
  if (value < least) return 'small';
  return value > most ? 'large' : undefined;
}
