/** `fleetwave completion`: a script with which a shell completes commands, options and files. */
import { bash, fish, zsh } from './completion-scripts.ts';
import { type AddCommands, commandTable } from './completion-table.ts';
import { ExitCode } from './exit.ts';

const SCRIPTS = { bash, zsh, fish };

export async function completion(
  { shell }: { readonly shell: keyof typeof SCRIPTS },
  addCommands: AddCommands,
): Promise<ExitCode> {
  process.stdout.write(SCRIPTS[shell](await commandTable(addCommands)));
  return ExitCode.good;
}
