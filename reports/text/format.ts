/** How a report writes numbers for people: the same everywhere, without a locale. */

/** Between groups of digits and before a unit: U+202F, narrow and unbreakable. */
const THIN = '\u202F';
/** What stands where there is no figure. */
export const NOTHING = '–';

/** Whole number in groups of three digits: `12 345`. */
export function count(value: number): string {
  if (!Number.isFinite(value)) return NOTHING;
  const digits = Math.abs(Math.round(value)).toFixed(0);
  return (value < 0 ? '−' : '') + digits.replace(/\B(?=(\d{3})+$)/g, THIN);
}

/** A round count in few letters, for axes: `400`, `1.5k`, `2M`. */
export function brief(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(6))}M`;
  return value >= 1e3 ? `${Number((value / 1e3).toPrecision(6))}k` : String(value);
}

/**
 * Share 0…1 as a percentage: `97.3 %`. Only all is `100 %` and only nothing is `0 %`: what rounding
 * would make so is written `>99.9 %` or `<0.1 %`.
 */
export function percent(share: number, decimals = 1): string {
  if (!Number.isFinite(share)) return NOTHING;
  if (share === 0 || share === 1) return `${share * 100}${THIN}%`;
  const step = Number(`1e-${decimals}`);
  const rounded = (share * 100).toFixed(decimals);
  if (share < 1 && Number(rounded) >= 100) return `>${(100 - step).toFixed(decimals)}${THIN}%`;
  if (share > 0 && Number(rounded) === 0) return `<${step.toFixed(decimals)}${THIN}%`;
  return `${rounded}${THIN}%`;
}

/** Duration by its two largest units: `7 d`, `1 h 30 min`, `4.2 s`. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return NOTHING;
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 2 : 1))}${THIN}s`;
  let rest = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, unitSeconds] of UNITS) {
    const whole = Math.floor(rest / unitSeconds);
    rest -= whole * unitSeconds;
    if (whole > 0) parts.push(`${unit === 'd' ? count(whole) : whole}${THIN}${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(' ');
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Length: `850 m`, `2.4 km`. */
export function meters(value: number): string {
  if (value < 1_000) return `${count(value)}${THIN}m`;
  return `${Number((value / 1_000).toFixed(1))}${THIN}km`;
}

/** Energy in three figures: `850 µJ`, `1.25 J`, `12.3 kJ`. */
export function joules(value: number): string {
  if (!Number.isFinite(value)) return NOTHING;
  if (value === 0) return `0${THIN}J`;
  const [unit, size] = ENERGIES.find(([, size]) => Math.abs(value) >= size) ?? ENERGIES.at(-1)!;
  return `${Number((value / size).toPrecision(3))}${THIN}${unit}`;
}

const ENERGIES = [
  ['MJ', 1e6],
  ['kJ', 1e3],
  ['J', 1],
  ['mJ', 1e-3],
  ['µJ', 1e-6],
] as const;

/** A long time in years and days: `9.4 years`, `120 d`. */
export function lifetime(seconds: number): string {
  if (!Number.isFinite(seconds)) return NOTHING;
  const years = seconds / YEAR_SECONDS;
  if (years >= 100) return `${count(years)}${THIN}years`;
  return years >= 1 ? `${Number(years.toPrecision(2))}${THIN}years` : duration(seconds);
}

const YEAR_SECONDS = 31_557_600;

/** Of a figure: shares are 0…1, counts whole numbers ≥ 0. */
export type Unit = 'share' | 'count' | 'seconds' | 'joules';

/** A figure in its unit, as people read it. */
export function figureText(value: number, unit: Unit): string {
  if (unit === 'share') return percent(value);
  if (unit === 'joules') return joules(value);
  return unit === 'seconds' ? duration(value) : count(value);
}

/** `921 of 944`: what a share was taken of. */
export function partOf(part: number, whole: number): string {
  return whole === 0 ? 'there were none' : `${count(part)} of ${count(whole)}`;
}

/** `1 device`, `2 devices`: the count with its noun. */
export function counted(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`;
}

/**
 * The figure that an expectation was judged on: shares with two decimals, so that a value near its
 * bound does not look like it; without a known unit the number as it is.
 */
export function actual(value: number, unit: Unit | undefined): string {
  if (!Number.isFinite(value)) return NOTHING;
  if (unit === undefined) return String(Number(value.toPrecision(6)));
  return unit === 'share' ? percent(value, 2) : figureText(value, unit);
}
