/** Virtual instants as the host reports them: UTC with microseconds (RFC 3339), and back. */
import { formatInstant, instantOf, microsecondsOf } from '../../../core/base/instant.ts';
import type { WorldFacts } from '../../../core/world/facts.ts';

const US_A_MS = 1_000;
const MS_A_SECOND = 1_000;

/** `2026-01-31T12:00:00.000001Z`; always six digits. */
export function simTimeOf(facts: WorldFacts, atUs: number): string {
  const unixMs = facts.unixMsOf(atUs);
  const ms = unixMs % MS_A_SECOND;
  const us = ms * US_A_MS + (atUs % US_A_MS);
  return formatInstant(unixMs - ms).replace('Z', `.${String(us).padStart(6, '0')}Z`);
}

/** The virtual instant, µs, of an instant that was read; negative before the world's start. */
export const instantAt = (facts: WorldFacts, text: string): number =>
  facts.instantOf(instantOf(text)) + microsecondsOf(text);
