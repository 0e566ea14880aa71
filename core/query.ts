/** The shape of every query: what a subscriber may ask of the platform. Asking changes nothing. */
import type { Caller } from './base/subscribers.ts';
import type { PlatformQuery } from './operations.ts';

/** A query, and who asks. */
export type Query = PlatformQuery & Caller;
