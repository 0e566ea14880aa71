/** `fleetwave schema`: the JSON Schema of a scenario file, for editors and for reading. */
import { editorJsonSchema } from '../../scenarios/language/schema.ts';
import { ExitCode } from './exit.ts';

export function schema(): ExitCode {
  process.stdout.write(`${JSON.stringify(editorJsonSchema(), null, 2)}\n`);
  return ExitCode.good;
}
