/** Numbers that lie between those that were counted, as people read them. */
import type { FigureUnit } from '../../core/result/study.ts';
import { count, duration, joules, NOTHING, percent } from '../text/format.ts';

/** From here on a count is reported in whole numbers. */
const MANY = 1000;

/** A mean, a deviation or a bound; of a count with its fraction, while it is small. */
export function spreadText(value: number | null, unit: FigureUnit | null): string {
  if (value === null) return NOTHING;
  if (value < 0) return `−${spreadText(-value, unit)}`;
  switch (unit) {
    case 'share':
      return percent(value, 2);
    case 'seconds':
      return duration(value);
    case 'joules':
      return joules(value);
    case 'count':
      return value >= MANY ? count(value) : String(Number(value.toPrecision(4)));
    case null:
      return String(Number(value.toPrecision(5)));
  }
}
