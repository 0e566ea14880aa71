/** The time that all charts share: its ticks, its places, and how an instant is written. */

export interface TimeAxis {
  readonly from: number;
  readonly until: number;
  /** CSS pixels of the plot. */
  readonly width: number;
}

export const placeOf = ({ from, until, width }: TimeAxis, seconds: number): number =>
  ((seconds - from) / (until - from)) * width;

export const instantAt = ({ from, until, width }: TimeAxis, place: number): number =>
  Math.min(until, Math.max(from, from + (place / width) * (until - from)));

const STEPS = [
  1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800,
  604_800, 1_209_600, 2_592_000, 7_776_000, 15_552_000, 31_536_000,
];

/** Round instants, at least 80 pixels apart. */
export function timeTicks({ from, until, width }: TimeAxis): readonly number[] {
  const least = ((until - from) * 80) / Math.max(80, width);
  const step = STEPS.find((each) => each >= least) ?? STEPS.at(-1)!;
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= until; at += step) ticks.push(at);
  return ticks;
}

/** `2 d 06:30`; seconds where they are not zero. */
export function clockText(seconds: number): string {
  const whole = Math.round(seconds);
  const days = Math.floor(whole / 86_400);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [(whole % 86_400) / 3_600, (whole % 3_600) / 60].map(Math.floor);
  const time = `${two(hours!)}:${two(minutes!)}`;
  const rest = whole % 60 === 0 ? '' : `:${two(whole % 60)}`;
  return `${days > 0 ? `${days} d ` : ''}${time}${rest}`;
}
