/** Colours that differ with every common colour blindness (after Okabe and Ito). */

/** For series and classes, in the order in which they are given out. */
const COLOURS = [
  'var(--c0)',
  'var(--c1)',
  'var(--c2)',
  'var(--c3)',
  'var(--c4)',
  'var(--c5)',
  'var(--c6)',
  'var(--c7)',
] as const;

export const colourAt = (place: number): string => COLOURS[place % COLOURS.length]!;

/** From bad to good, on a scale of five. */
export const SCALE = ['var(--d0)', 'var(--d1)', 'var(--d2)', 'var(--d3)', 'var(--d4)'] as const;
export const UNKNOWN = 'var(--never)';

/** A colour of the style sheet as a canvas takes it. */
export function resolved(colour: string): string {
  const name = /^var\((.*)\)$/.exec(colour)?.[1];
  if (name === undefined) return colour;
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
