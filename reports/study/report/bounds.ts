/** Bounds of constraints on single figures, as charts draw them: `campaign.updated >= 99 %`. */

export interface Bound {
  readonly figure: string;
  /** In the figure's own unit: shares 0…1, seconds, joules. */
  readonly value: number;
  /** Whether figures are to be over it. */
  readonly isFloor: boolean;
  /** `≥ 99 %`. */
  readonly text: string;
}

const CONSTRAINT = new RegExp(
  [
    String.raw`^\s*(?<figure>[A-Za-z][\w.-]*)`,
    '(?<sign>>=|<=|≥|≤|>|<|within)',
    String.raw`(?<number>\d+(?:\.\d+)?)\s*(?<unit>%|[a-zµ]+)?(?:\s+in\s.*)?\s*$`,
  ].join(String.raw`\s*`),
  'iu',
);

const SIGNS: Readonly<Record<string, string>> = { '>=': '≥', '<=': '≤', within: '≤' };

/** What one of a unit is of a figure's own; a number without a unit is one already. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['%', 0.01],
  ['ms', 1e-3],
  ['s', 1],
  ['min', 60],
  ['h', 3_600],
  ['d', 86_400],
  ['years', 31_557_600],
  ['µJ', 1e-6],
  ['uJ', 1e-6],
  ['mJ', 1e-3],
  ['J', 1],
  ['kJ', 1e3],
]);

/** Those of constraints that compare a figure with a number; others bound nothing that is drawn. */
export function boundsOf(constraints: readonly string[]): Bound[] {
  return constraints.flatMap((constraint): Bound[] => {
    const { figure, sign, number, unit = '' } = CONSTRAINT.exec(constraint)?.groups ?? {};
    const one = unit === '' ? 1 : UNITS.get(unit);
    if (figure === undefined || sign === undefined || one === undefined) return [];
    const text = `${SIGNS[sign] ?? sign} ${number}${unit === '' ? '' : `\u202F${unit}`}`;
    const isFloor = sign.startsWith('>') || sign === '≥';
    return [{ figure, value: Number(number) * one, isFloor, text }];
  });
}
