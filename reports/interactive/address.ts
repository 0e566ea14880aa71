/** What a reader has selected, and the fragment of an address that leads back to it. */

export interface Selection {
  /** Virtual seconds; null: the whole run. */
  readonly span: readonly [from: number, until: number] | null;
  /** Whether charts show the span alone. */
  readonly zoomed: boolean;
  /** Instant of the cursor, virtual seconds; null: there is none. */
  readonly cursor: number | null;
  /** DevEUI of the device whose story is shown; empty: none. */
  readonly device: string;
  readonly colour: string;
  readonly query: string;
  readonly population: string;
  readonly outcome: string;
  readonly cause: string;
  /** A bound on a column, `margin<3` or `loss>10`; empty: none. */
  readonly where: string;
  /** Name of a campaign; empty: the first. */
  readonly campaign: string;
  readonly sort: string;
  readonly descending: boolean;
}

export const NOTHING_SELECTED: Selection = {
  span: null,
  zoomed: false,
  cursor: null,
  device: '',
  colour: '',
  query: '',
  population: '',
  outcome: '',
  cause: '',
  where: '',
  campaign: '',
  sort: '',
  descending: false,
};

const TEXTS = [
  'device',
  'colour',
  'query',
  'population',
  'outcome',
  'cause',
  'where',
  'campaign',
  'sort',
] as const;

/** The fragment of an address that leads back to a selection; empty: nothing is selected. */
export function addressOf(chosen: Selection): string {
  const words = new URLSearchParams();
  if (chosen.span !== null) words.set('span', chosen.span.map(Math.round).join('-'));
  if (chosen.zoomed) words.set('zoom', '1');
  if (chosen.cursor !== null) words.set('at', String(Math.round(chosen.cursor)));
  for (const name of TEXTS) if (chosen[name] !== '') words.set(name, chosen[name]);
  if (chosen.descending) words.set('order', 'down');
  return words.toString();
}

/** Whatever is not right in an address is left out. */
export function selectionIn(address: string): Selection {
  const words = new URLSearchParams(address.replace(/^#/, ''));
  const texts = Object.fromEntries(TEXTS.map((name) => [name, words.get(name) ?? '']));
  const span = /^(\d+)-(\d+)$/.exec(words.get('span') ?? '');
  const isSpan = span !== null && Number(span[1]) < Number(span[2]);
  const at = /^\d+$/.exec(words.get('at') ?? '');
  return {
    ...NOTHING_SELECTED,
    ...(texts as Pick<Selection, (typeof TEXTS)[number]>),
    span: isSpan ? [Number(span[1]), Number(span[2])] : null,
    zoomed: isSpan && words.get('zoom') === '1',
    cursor: at === null ? null : Number(at[0]),
    descending: words.get('order') === 'down',
  };
}
