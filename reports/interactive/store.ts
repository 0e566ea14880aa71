/** What the reader has selected: shared by all parts of the page, and stored in its address. */
import { useEffect, useState } from 'preact/hooks';

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
  /** Name of a campaign; empty: the first. */
  readonly campaign: string;
  readonly sort: string;
  readonly descending: boolean;
}

const EMPTY: Selection = {
  span: null,
  zoomed: false,
  cursor: null,
  device: '',
  colour: '',
  query: '',
  population: '',
  outcome: '',
  cause: '',
  campaign: '',
  sort: '',
  descending: false,
};

type Listener = (selection: Selection) => void;

let selection: Selection = EMPTY;
const listeners = new Set<Listener>();

export const current = (): Selection => selection;

export function select(change: Partial<Selection>): void {
  selection = { ...selection, ...change };
  for (const listener of [...listeners]) listener(selection);
  scheduleAddress();
}

/** The selection, and a new drawing of the caller whenever it changes. */
export function useSelection(): Selection {
  const [value, setValue] = useState(selection);
  useEffect(() => {
    listeners.add(setValue);
    setValue(selection);
    return () => {
      listeners.delete(setValue);
    };
  }, []);
  return value;
}

// ── address ──────────────────────────────────────────────────────────────────────────────────────

const TEXTS = [
  'device',
  'colour',
  'query',
  'population',
  'outcome',
  'cause',
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
    ...EMPTY,
    ...(texts as Pick<Selection, (typeof TEXTS)[number]>),
    span: isSpan ? [Number(span[1]), Number(span[2])] : null,
    zoomed: isSpan && words.get('zoom') === '1',
    cursor: at === null ? null : Number(at[0]),
    descending: words.get('order') === 'down',
  };
}

let isScheduled = false;

/** Once a frame: a browser refuses an address that changes too often. */
function scheduleAddress(): void {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    const address = addressOf(selection);
    if (location.hash.slice(1) !== address) history.replaceState(null, '', `#${address}`);
  });
}

/** Takes the selection of the address, now and whenever a reader changes it. */
export function followAddress(): void {
  const take = () => {
    selection = selectionIn(location.hash);
    for (const listener of [...listeners]) listener(selection);
  };
  take();
  addEventListener('hashchange', take);
}
