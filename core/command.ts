/**
 * The shape of every command: an HTTP call, a timeline entry and a replayed log line are the same
 * thing.
 */
import type { Asker } from './base/subscribers.ts';
import type { PlatformCommand } from './operations.ts';

/** A command, and who asks for it. */
export type Command = PlatformCommand & Asker;

/** A command with its stamp: it applies when no event ≤ atUs is pending. */
export interface TimedCommand {
  readonly atUs: number;
  readonly command: Command;
}
