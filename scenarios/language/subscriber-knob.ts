/** Whose the things of a scenario are. */
import { DEFAULT_SUBSCRIBER } from '../../core/base/subscribers.ts';
import { maybe } from './knob.ts';
import { named } from './naming.ts';

/** The knob of an entry that belongs to a subscriber. */
export const subscriber = maybe(named('subscriber'), {
  is: 'Whose it is, a name of `subscribers`; the first one’s when absent.',
});

/** What an entry without `subscriber` belongs to. */
export const firstOf = ([first]: readonly string[]): string => first ?? DEFAULT_SUBSCRIBER;

/** An entry that belongs to a subscriber. */
export interface Owned {
  readonly subscriber?: string | undefined;
}

/** Whose an entry is. */
export const ownerOf = (
  { subscribers }: { readonly subscribers: readonly string[] },
  { subscriber }: Owned,
): string => subscriber ?? firstOf(subscribers);
