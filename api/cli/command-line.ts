/** Words of the command line to a command, which is run, and what may go wrong with either. */
import yargs from 'yargs';
import { VERSION } from '../../reports/version.ts';
import { chooseColour } from './colour.ts';
import { addCommands, settingsFor } from './commands.ts';
import { complaintsOf, NO_COMMAND_SAID, wellFormed } from './complaints.ts';
import { ExitCode, InputError } from './exit.ts';
import type { Chosen } from './option-kinds.ts';
import { reported } from './reporting.ts';

/** Resolves to the exit code; bad input and faults of Fleetwave itself are printed on stderr. */
export async function commandLine(words: readonly string[]): Promise<number> {
  chooseColour(words);
  try {
    return await dispatch(words);
  } catch (error) {
    return reported(error);
  }
}

async function dispatch(words: readonly string[]): Promise<number> {
  const parser = yargs([...words])
    .scriptName('fleetwave')
    .locale('en')
    .usage('$0 <command>\n\nSimulates LoRaWAN networks: the same scenario and seed, the same bits.')
    .parserConfiguration({ 'dot-notation': false, 'strip-aliased': true, 'populate--': true });
  const chosen: Chosen = (command) => {
    throw new CommandChosen(command);
  };
  addCommands(parser, chosen, await settingsFor(words));
  /** Faults of the words come with a message, faults of a command as an error. */
  const refuse = (message: string | null, error: Error | undefined): never => {
    if (error !== undefined && error.name !== 'YError') throw error;
    const fault = message ?? error?.message ?? 'the words are not understood';
    throw new InputError(complaintsOf(fault, words, parser));
  };
  const understood = parser
    .demandCommand(1, NO_COMMAND_SAID)
    .strict()
    .check(() => wellFormed(words, parser))
    .option('color', {
      type: 'boolean',
      describe: 'Colour, or none (--no-color)  [default: where a terminal reads]',
    })
    .option('verbose', {
      type: 'boolean',
      describe: 'Report caches of compiled code that are not used',
    })
    .version(VERSION)
    .alias({ version: 'v', help: 'h' })
    .exitProcess(false)
    .fail(refuse);
  try {
    await understood.parseAsync();
  } catch (thrown) {
    if (thrown instanceof CommandChosen) return thrown.command();
    throw thrown;
  }
  // What was asked for was help.
  return ExitCode.good;
}

/**
 * Thrown by the handler of a command: after one that returns, yargs lays out the help of all
 * commands, which takes longer than to understand the words.
 */
class CommandChosen {
  readonly command: () => Promise<number>;

  constructor(command: () => Promise<number>) {
    this.command = command;
  }
}
