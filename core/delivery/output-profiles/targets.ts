/** Targets of deliveries, as entries of a profile say them. */
import type { Target } from '../deliveries/target.ts';
import { filledTopic } from '../targets/forms.ts';
import { ARRAY_NAMES, type ArrayName, KINDS, kindOf, type Route } from '../targets/kinds.ts';
import { addressOf, type Entries, type Entry } from './entries.ts';

/** An entry, and the target that it is. */
export interface EntryTarget {
  readonly target: Target;
  readonly array: ArrayName;
  readonly entry: Entry;
}

/** In the order of the arrays, and of the entries in each. */
export const targetsOf = (owner: string, entries: Entries): readonly EntryTarget[] =>
  ARRAY_NAMES.flatMap((array) =>
    entries[array].map((entry) => {
      const { DestinationId: id, Active: enabled } = entry;
      const address = addressOf(array, entry);
      return { target: { owner, id, kind: kindOf(array), address, enabled }, array, entry };
    }),
  );

/** Where an uplink goes: a topic has the device and the port in the place of its variables. */
export function addressFor({ target }: EntryTarget, devEui: string, fPort: number): string {
  if (!('hasVariables' in KINDS[target.kind].entry)) return target.address;
  const port = fPort < 0 ? '' : String(fPort);
  return filledTopic(target.address, { DEVEUI: devEui, FPORT: port });
}

/** How a target is reached, as its entry says. */
export const routeOf = ({ target, entry }: EntryTarget): Route =>
  KINDS[target.kind].entry.route(entry as never);
