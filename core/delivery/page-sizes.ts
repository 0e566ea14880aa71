/** Pages of destinations, of credentials and of alerts. */
import type { PageSizes } from '../base/pages.ts';

export const PAGE_SIZES = { usual: 100, most: 1_000 } as const satisfies PageSizes;

/** Destinations, credentials or alerts of a subscriber. */
export const MOST_OF_EACH = 10_000;
