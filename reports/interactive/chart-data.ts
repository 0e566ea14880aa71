/** What a chart shows: series over slices of virtual time. */

export interface Series {
  readonly label: string;
  /** By slice; a missing tail is zero. */
  readonly values: readonly number[];
  /** A colour of the style sheet, `var(--…)`. */
  readonly colour: string;
  readonly dashed?: boolean;
  readonly area?: boolean;
}

export interface Limit {
  readonly label: string;
  readonly value: number;
}

export interface ChartData {
  readonly title: string;
  readonly unit: string;
  /** How it is read, in one line. */
  readonly reading: string;
  readonly series: readonly Series[];
  readonly sliceSeconds: number;
  readonly endSeconds: number;
  /** How values of the same instant are drawn: beside each other, or on top of each other. */
  readonly stacked?: boolean;
  /** Whether a span has the sum of its slices, or the highest of them. */
  readonly over: 'sum' | 'highest' | 'last';
  readonly limits?: readonly Limit[];
  readonly write: (value: number) => string;
  /** The top of the axis that runs share; absent: its own. */
  readonly top?: number;
}

export interface Mark {
  readonly atSeconds: number;
  readonly untilSeconds?: number | null;
  readonly text: string;
  readonly kind: 'stage' | 'fault' | 'command';
}

export const sliceAt = ({ sliceSeconds, series }: ChartData, seconds: number): number => {
  const length = Math.max(1, ...series.map(({ values }) => values.length));
  return Math.max(0, Math.min(length - 1, Math.floor(seconds / sliceSeconds)));
};

/** Sum, highest or last value of a series over a span, or over all. */
export function over(
  { sliceSeconds, over: kind }: ChartData,
  { values }: Series,
  span: readonly [number, number] | null,
): number {
  const [from, until] = span ?? [0, values.length * sliceSeconds];
  const chosen = values.slice(Math.floor(from / sliceSeconds), Math.ceil(until / sliceSeconds));
  if (kind === 'last') return chosen.at(-1) ?? 0;
  if (kind === 'highest') return chosen.reduce((most, value) => Math.max(most, value), 0);
  return chosen.reduce((sum, value) => sum + value, 0);
}

/** The highest value that is drawn. */
export function highest({ series, stacked = false, limits = [] }: ChartData): number {
  const length = Math.max(1, ...series.map(({ values }) => values.length));
  let most = 0;
  for (let slice = 0; slice < length; slice++) {
    let sum = 0;
    for (const { values } of series) {
      const value = values[slice] ?? 0;
      sum = stacked ? sum + value : Math.max(sum, value);
    }
    most = Math.max(most, sum);
  }
  // A limit that is far above all values would make them a flat line: it is named instead.
  const near = limits.filter(({ value }) => value <= 4 * most).map(({ value }) => value);
  return Math.max(most, ...near);
}

/** Rows of its table: a head, then a row for each slice. */
export function tableOf({ series, sliceSeconds, unit }: ChartData): (string | number)[][] {
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  const head = ['from, s', 'until, s', ...series.map(({ label }) => `${label}, ${unit}`)];
  const rows = Array.from({ length }, (_, slice) => [
    Math.round(slice * sliceSeconds),
    Math.round((slice + 1) * sliceSeconds),
    ...series.map(({ values }) => values[slice] ?? 0),
  ]);
  return [head, ...rows];
}
