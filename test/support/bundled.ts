/** The command line as it is bundled from what the sources are now, once a worker. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let isCreated = false;

/** The path of the program; `node` runs it. */
export const PROGRAM = join(ROOT, 'dist/fleetwave.js');

/** Files share the modules of their worker, so only the first of them that asks waits for it. */
export function bundle(): void {
  if (!isCreated) execFileSync(process.execPath, [join(ROOT, 'api/bundle.mjs')]);
  isCreated = true;
}
