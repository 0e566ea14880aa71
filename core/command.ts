/**
 * The shape of every command: an HTTP call, a timeline entry and a replayed log line are the same
 * thing.
 */
import type { NetworkCommand } from '../sim/network/commands.ts';
import type { Asker } from './kit/subscribers.ts';
import type { PlatformCommand, PlatformCommandAnswers } from './operations.ts';

/** A command, and who asks for it. */
export type Command = (NetworkCommand | PlatformCommand) & Asker;

/** What a command is answered with, by its kind; those of the network with nothing. */
export type CommandAnswers = PlatformCommandAnswers &
  Readonly<Record<NetworkCommand['kind'], undefined>>;

export type AnswerTo<Asked extends { readonly kind: keyof CommandAnswers }> =
  CommandAnswers[Asked['kind']];

/** A command with its stamp: it applies when no event ≤ atUs is pending. */
export interface TimedCommand {
  readonly atUs: number;
  readonly command: Command;
}
