/** Words of the command line to a command, which is run, and what may go wrong with either. */
import yargs from 'yargs';
import { describeSystemError, isDiskFault, isSystemError } from '../host/system-error.ts';
import { VERSION } from '../host/version.ts';
import { chooseColour, type Painter, painterOf } from './colour.ts';
import { addCommands, type Chosen, settingsFor } from './commands.ts';
import { complaintsOf, NO_COMMAND_SAID, wellFormed } from './complaints.ts';
import { ExitCode, InputError, OutputError } from './exit.ts';

/** Resolves to the exit code; bad input and faults of Fleetwave itself are printed on stderr. */
export async function commandLine(words: readonly string[]): Promise<number> {
  chooseColour(words);
  try {
    return await dispatch(words);
  } catch (error) {
    if (error instanceof InputError) return told(error.lines, ExitCode.badInput);
    if (error instanceof OutputError) return told([error.message], ExitCode.cannotWrite);
    if (isSystemError(error) && error.syscall !== undefined) {
      const line = `fleetwave: cannot ${error.syscall}: ${describeSystemError(error)}`;
      return told([line], isDiskFault(error) ? ExitCode.cannotWrite : ExitCode.badInput);
    }
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const line =
      `fleetwave ${VERSION} is at fault here, not your scenario. Please report it with the ` +
      'scenario and the seed.';
    return told([line, stack], ExitCode.ownFault);
  }
}

function told(lines: readonly string[], code: ExitCode): ExitCode {
  const paint = painterOf(process.stderr);
  for (const line of lines) process.stderr.write(`${painted(line, paint)}\n`);
  return code;
}

/** A place in a file, or the command, before what is wrong. */
function painted(line: string, { place, bad }: Painter): string {
  const at = /^(?:\S+:\d+:\d+|--set .*?|\S+)(?= {2})|^fleetwave[ a-z]*:/.exec(line)?.[0];
  if (at === undefined) return line;
  return (at.startsWith('fleetwave') ? bad(at) : place(at)) + line.slice(at.length);
}

async function dispatch(words: readonly string[]): Promise<number> {
  let command = async (): Promise<number> => ExitCode.good;
  const parser = yargs([...words])
    .scriptName('fleetwave')
    .locale('en')
    .usage('$0 <command>\n\nSimulates LoRaWAN networks: the same scenario and seed, the same bits.')
    .parserConfiguration({ 'dot-notation': false, 'strip-aliased': true, 'populate--': true });
  // Run after parsing: a handler that takes time makes yargs lay out all help beforehand.
  const chosen: Chosen = (its) => {
    command = its;
  };
  addCommands(parser, chosen, await settingsFor(words));
  /** Faults of the words come with a message, faults of a command as an error. */
  const refuse = (message: string | null, error: Error | undefined): never => {
    if (error !== undefined && error.name !== 'YError') throw error;
    const fault = message ?? error?.message ?? 'the words are not understood';
    throw new InputError(complaintsOf(fault, words, parser));
  };
  await parser
    .demandCommand(1, NO_COMMAND_SAID)
    .strict()
    .check(() => wellFormed(words, parser))
    .option('color', {
      type: 'boolean',
      describe: 'Colour, or none (--no-color)  [default: where a terminal reads]',
    })
    .version(VERSION)
    .alias({ version: 'v', help: 'h' })
    .exitProcess(false)
    .fail(refuse)
    .parseAsync();
  return command();
}
