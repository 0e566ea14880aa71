/** What the reader has selected: shared by all parts of the page, and stored in its address. */
import { useEffect, useState } from 'preact/hooks';
import { addressOf, NOTHING_SELECTED, type Selection, selectionIn } from './address.ts';

type Listener = (selection: Selection) => void;

let selection: Selection = NOTHING_SELECTED;
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
