/**
 * `npm run test:examples`: packs the package as it would be published, installs it in a copy of
 * each example, as a user would, and runs the example's tests. Ends with 1 when one fails.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fleetwave-examples-'));
const npm = (cwd, ...words) => execFileSync('npm', words, { cwd, stdio: 'inherit' });

function packed() {
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  return join(folder, execFileSync('npm', words, { cwd: root, encoding: 'utf8' }).trim());
}

try {
  const tarball = packed();
  const examples = readdirSync(join(root, 'examples'), { withFileTypes: true });
  for (const { name } of examples.filter((each) => each.isDirectory())) {
    const copy = join(folder, name);
    cpSync(join(root, 'examples', name), copy, { recursive: true });
    npm(copy, 'install', '--no-audit', '--no-fund', '--save-dev', tarball);
    npm(copy, 'test');
    console.log(`examples/${name} passes`);
  }
  // The action installs the same file by its own script, and finds it in its cache then.
  const temp = join(folder, 'runner');
  const env = { ...process.env, RUNNER_TEMP: temp, FLEETWAVE_PACKAGE: tarball };
  for (let time = 0; time < 2; time++) {
    const path = join(folder, 'path');
    writeFileSync(path, '');
    const install = join(root, 'action/install.sh');
    execFileSync(install, { stdio: 'inherit', env: { ...env, GITHUB_PATH: path } });
    const bin = readFileSync(path, 'utf8').trim();
    execFileSync(join(bin, 'fleetwave'), ['--version'], { stdio: 'inherit' });
  }
  console.log('action/install.sh passes');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
