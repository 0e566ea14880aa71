/** The scripts that `api/bundle.mjs` makes, as the programs that run them know them. */
import { fileURLToPath } from 'node:url';

/** Scripts of commands, and that of a thread. */
export type ScriptName = 'calculators' | 'runs' | 'tools' | 'studies' | 'services' | 'study-thread';

/** Paths relative to the program, by name: the bundler puts them in. */
declare const SCRIPTS: Readonly<Record<ScriptName, string>>;

/** `program`: the URL of the program; undefined where nothing is bundled, as in tests. */
export const scriptBeside = (program: string, name: ScriptName): string | undefined =>
  typeof SCRIPTS === 'undefined' ? undefined : fileURLToPath(new URL(SCRIPTS[name], program));
