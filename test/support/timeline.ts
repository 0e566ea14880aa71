/** Timelines for tests: every command by itself. */
import { commandFor, type TimedCommand } from '../../core/command.ts';

/** The commands that the entries of a timeline are. */
export const everyCommandIn = (timeline: readonly TimedCommand[]): TimedCommand[] =>
  timeline.flatMap(({ each, ...timed }) =>
    each === undefined
      ? [timed]
      : each.map((eui) => ({ ...timed, command: commandFor(timed.command, eui) })),
  );
