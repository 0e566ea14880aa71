/** Where the entries of a journal leave their world. */
import type { LogEntry } from '../../../core/world/log.ts';

/**
 * The last mark counts, µs: one before it may have leased time that was never reached. No command
 * lies behind it.
 */
export function standsAt(entries: readonly LogEntry[]): number {
  const mark = entries.findLast(({ kind }) => kind === 'clockReached');
  const command = entries.findLast(({ kind }) => kind === 'command');
  return Math.max(0, mark?.atUs ?? 0, command?.atUs ?? 0);
}
