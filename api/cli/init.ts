/** `fleetwave init`: a commented scenario to begin with, and the schema that editors check by. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { nearest, quote, sentence } from '../../scenarios/language/complaint.ts';
import { scenarioJsonSchema } from '../../scenarios/schema/schema.ts';
import { packageFile } from '../host/files/package-root.ts';
import { makeFolder } from '../host/process/make-folder.ts';
import { painterOf } from './colour.ts';
import { ExitCode, InputError, writing } from './exit.ts';
import { listTemplates, TEMPLATES } from './templates.ts';

export interface InitOptions {
  readonly template?: string | undefined;
  readonly file?: string | undefined;
  readonly force?: boolean | undefined;
}

const SCHEMA_FILE = 'fleetwave.schema.json';
const MODELINE = `# yaml-language-server: $schema=./${SCHEMA_FILE}\n`;

export async function init({ template, file, force = false }: InitOptions): Promise<ExitCode> {
  const name = template ?? (isTerminal() ? await chosen() : undefined);
  if (name === undefined) {
    const { heading } = painterOf(process.stderr);
    process.stderr.write(`fleetwave init: name a template:\n${listTemplates(heading)}`);
    return ExitCode.badInput;
  }
  const text = textOf(name, file ?? `${name}.yaml`);
  const path = file ?? `${name}.yaml`;
  const schema = join(dirname(path), SCHEMA_FILE);
  refuseWhatIsThere(path, schema, force);
  writing(dirname(path), () => makeFolder(dirname(path)));
  writing(path, () => writeFileSync(path, text, { flag: force ? 'w' : 'wx' }));
  const json = `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`;
  writing(schema, () => writeFileSync(schema, json));
  process.stdout.write(
    `${path} is a scenario, ${schema} shows editors which fields are allowed.\n` +
      `Next: fleetwave run ${path}\n`,
  );
  return ExitCode.good;
}

const isTerminal = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

/** The template that is typed, by its number or its name; undefined at the end of the input. */
async function chosen(): Promise<string | undefined> {
  const names = Object.keys(TEMPLATES);
  const { heading, bad } = painterOf(process.stdout);
  const rows = names.map((name, i) => {
    return `${String(i + 1).padStart(3)}  ${heading(name.padEnd(12))}${TEMPLATES[name]?.is}\n`;
  });
  process.stdout.write(`${heading('Begin with which scenario?')}\n${rows.join('')}`);
  const asked = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D end the question without an answer.
  const ended = new Promise<undefined>((resolve) => asked.once('close', () => resolve(undefined)));
  try {
    for (;;) {
      const answer = await Promise.race([asked.question(`Number or name [${names[0]}]: `), ended]);
      if (answer === undefined) return undefined;
      const word = answer.trim() || names[0]!;
      const name = names[Number(word) - 1] ?? names.find((each) => each === word);
      if (name !== undefined) return name;
      process.stdout.write(`${bad(unknown(word).join('\n'))}\n`);
    }
  } finally {
    asked.close();
  }
}

/** Puts the file's own name into the library's command lines. */
function textOf(name: string, path: string): string {
  if (!Object.hasOwn(TEMPLATES, name)) throw new InputError(unknown(name));
  const library = packageFile(`scenarios/library/${TEMPLATES[name]!.path}`);
  const text = readFileSync(library, 'utf8');
  return MODELINE + text.replace(/(?<=# +fleetwave (?:run|serve) )\S+\.yaml/g, path);
}

function unknown(name: string): string[] {
  const names = Object.keys(TEMPLATES);
  const meant = nearest(name, names);
  const what = `fleetwave init: ${quote(name)} is not a template`;
  return [sentence({ what, allowed: names.join(', '), ...(meant && { meant }) })];
}

/** A schema that was written by this command is written anew: it is that of this version then. */
function refuseWhatIsThere(path: string, schema: string, force: boolean): void {
  if (force) return;
  const others = existsSync(schema) && !isSchemaOfScenarios(schema) ? [schema] : [];
  const there = [...(existsSync(path) ? [path] : []), ...others];
  if (there.length === 0) return;
  throw new InputError(
    there.map((each) => `${each}: a file is in the way (--force: write over it)`),
  );
}

function isSchemaOfScenarios(path: string): boolean {
  try {
    const { properties } = JSON.parse(readFileSync(path, 'utf8'));
    return properties?.scenario !== undefined;
  } catch {
    // Whatever it is, it is no schema.
    return false;
  }
}
