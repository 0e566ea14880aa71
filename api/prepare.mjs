/**
 * Builds where npm asks for it: after `npm ci` and before `npm pack`. `npx fleetwave` in a checkout
 * asks for it as well when it is called first, and uses what is built.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const isBuilt = ['dist/fleetwave.js', 'dist/study-worker.js'].every((file) => existsSync(file));
if (process.env.npm_command !== 'exec' || !isBuilt) {
  const shell = process.platform === 'win32';
  const { status } = spawnSync('npm', ['run', 'build'], { stdio: 'inherit', shell });
  process.exitCode = status ?? 1;
}
