/** What a process of the harness is reported, and what it reports. */
import type { BrokenBuild } from './broken-builds.ts';

export interface Life {
  readonly data: string;
  readonly scenario: string;
  readonly paused?: boolean;
  /** Where it ends, and at which time that it comes there; absent: it lives until it is killed. */
  readonly ends?: { readonly point: string; readonly hit: number } | undefined;
  readonly build?: BrokenBuild | undefined;
}

/** What it reports once clients may come. */
export interface Served {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Every start, anyone who makes it; with an instant of its own, a world that is new is the same.
 */
export const STORED = { durable: true, http: true, startAt: '2026-03-01T00:00:00Z' } as const;
