/** `fleetwave schema`: the JSON Schema of a scenario or study file, for editors and for reading. */
import { editorJsonSchema } from '../../scenarios/schema/schema.ts';
import { studyJsonSchema } from '../../scenarios/study/reference.ts';
import { ExitCode } from './exit.ts';

export function schema({ study }: { readonly study?: boolean | undefined }): ExitCode {
  const whole = study === true ? studyJsonSchema() : editorJsonSchema();
  process.stdout.write(`${JSON.stringify(whole, null, 2)}\n`);
  return ExitCode.good;
}
