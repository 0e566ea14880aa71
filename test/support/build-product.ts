/**
 * Runs once before the tests, and before each further round of watch mode: builds the product that
 * they load. `api` refers to all other folders of the product. `npm test` has built it already.
 * Type errors are printed, and the tests still run.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

function build(): void {
  spawnSync(process.execPath, [TSC, '-b', 'api'], { cwd: ROOT, stdio: 'inherit' });
}

export function setup(project: TestProject): void {
  if (process.env.FLEETWAVE_BUILT !== '1') build();
  project.onTestsRerun(build);
}
