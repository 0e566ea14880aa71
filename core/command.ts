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
  /**
   * EUIs of many devices or gateways to which the same is done, one command each in this order; the
   * command names the first. A timeline keeps one entry for all of them until it is due.
   */
  readonly each?: readonly string[];
}

/** A command that is for one thing, as it is for another of these EUIs. */
export const commandFor = <Given extends PlatformCommand>(command: Given, eui: string): Given => ({
  ...command,
  ['devEui' in command ? 'devEui' : 'eui']: eui,
});
