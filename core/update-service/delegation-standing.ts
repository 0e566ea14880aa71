/** How devices stand to a subscriber who wants to update them (docs/decisions/0050). */
import { fail } from '../../sim/base/result.ts';
import type { DeviceView } from '../../sim/contract/view.ts';
import type { Surroundings } from '../kit/resource.ts';
import type { DelegationRecords } from './delegation-records.ts';

export type Standing =
  | { readonly kind: 'own'; readonly device: DeviceView }
  /** A delegation covers it now. */
  | { readonly kind: 'delegated'; readonly owner: string; readonly device: DeviceView }
  /** A delegation covered it, which is over now, or covers it no longer. */
  | { readonly kind: 'ended' }
  /** There is none, or it is none of the subscriber’s business: nobody can tell which. */
  | { readonly kind: 'unknown' };

interface Sources extends Pick<Surroundings, 'viewOf' | 'world'> {
  readonly records: Pick<DelegationRecords, 'between' | 'everBetween'>;
}

/**
 * At an instant. What is looked up of a delegator is stored for the next of its devices, so this is
 * made once for a whole request.
 */
export function standingsOf(
  by: string,
  nowUs: number,
  { records, viewOf, world }: Sources,
): (devEui: string) => Standing {
  const own = viewOf(by);
  const coversNow = storedByText((owner) => records.between(owner, by, own.unixMs(nowUs)));
  const everCovered = storedByText((owner) => records.everBetween(owner, by));
  return (devEui) => {
    const device = own.device(devEui);
    if (device !== undefined) return { kind: 'own', device };
    // The same work for what is another's and for what never was.
    const owner = world.ownerOf('device', devEui);
    const isCovered = coversNow(owner)(devEui);
    const theirs = viewOf(owner).device(devEui);
    if (theirs !== undefined && isCovered) return { kind: 'delegated', owner, device: theirs };
    const isEnded = everCovered(owner)(devEui);
    return { kind: theirs !== undefined && isEnded ? 'ended' : 'unknown' };
  };
}

/** Devices that a message names at most. */
const MOST_NAMED = 10;

/** That delegations of these devices, one at least, are over. */
export function delegationEnded(devEuis: readonly string[], path?: string) {
  const named = devEuis.slice(0, MOST_NAMED).join(', ');
  const more = devEuis.length - MOST_NAMED;
  const message = `No delegation covers ${named}${more > 0 ? ` and ${more} more` : ''} any more.`;
  return fail('delegation.ended', message, path);
}

/** Makes what belongs to a text when it is first asked for. */
function storedByText<What>(make: (text: string) => What): (text: string) => What {
  const stored = new Map<string, What>();
  return (text) => {
    const known = stored.get(text) ?? make(text);
    stored.set(text, known);
    return known;
  };
}
