/** What a log reports: its latest entries, up to its limit (core/management/logs/log-store.ts). */
import { describe, expect, it } from 'vitest';
import { LogStore } from '../../../core/management/logs/log-store.ts';

/** A log of `most` entries after `written` of them, one a microsecond; the instants it reports. */
function reportedBy(most: number, written: number): readonly number[] {
  const log = new LogStore(most, () => true);
  for (let atUs = 0; atUs < written; atUs++) log.open.begin(atUs, 'D000000000000001');
  const { chunks, past } = log.copy;
  return chunks.flatMap((chunk) => [...chunk.entries.atUs]).slice(past);
}

const latest = (most: number, written: number): readonly number[] => {
  const first = Math.max(0, written - most);
  return Array.from({ length: written - first }, (_, i) => first + i);
};

describe('a log', () => {
  it.each([
    // The oldest is past the limit in what is open still, in a chunk, and at the ends of chunks.
    [100, 99],
    [100, 100],
    [100, 101],
    [100, 8_192],
    [100, 8_193],
    [5_000, 8_192],
    [5_000, 8_193],
    [5_000, 9_096],
    [5_000, 9_097],
    [5_000, 20_000],
  ])('of %i entries reports the latest of %i that were written', (most, written) => {
    expect(reportedBy(most, written)).toEqual(latest(most, written));
  });
});
