/**
 * The shape of every command: an HTTP call, a timeline entry and a replayed log line are the same
 * thing.
 */
import type { AdmittedCaller, Caller } from './base/subscribers.ts';
import type { PlatformCommand } from './operations.ts';

/** A command, and who asks for it. */
export type Command = PlatformCommand & Caller;

/** What was admitted of it: what stands in a log, and what a digest folds. */
export type AdmittedCommand = PlatformCommand & AdmittedCaller;

/** A command with its stamp: it applies when no event ≤ atUs is pending. */
export interface TimedCommand {
  readonly atUs: number;
  readonly command: Command;
}
