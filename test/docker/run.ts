/**
 * `npm run test:docker`: carries out the steps of the Dockerfile in an empty folder, starts what
 * they have made as the image would, and asks for its health. Ends with 1 where that fails.
 */
import { execSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageFile } from '../../api/host/files/package-root.ts';
import { built, stepsOf } from './steps.ts';

const root = dirname(packageFile('package.json'));
const folder = mkdtempSync(join(tmpdir(), 'fleetwave-docker-'));

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  return String(port);
}

const isHealthy = (command: string, env: NodeJS.ProcessEnv): boolean => {
  try {
    execSync(command, { env, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

let exit = 1;
try {
  const image = built(stepsOf(readFileSync(join(root, 'Dockerfile'), 'utf8')), root, folder);
  const port = await freePort();
  // Only this machine is to reach it here.
  const env = { ...process.env, ...image.env, FLEETWAVE_HOST: '127.0.0.1', FLEETWAVE_PORT: port };
  const [program, ...words] = [...image.entry, ...image.command];
  const served = spawn(program!, words, { cwd: join(image.at, image.workdir), env });
  const health = image.health.replace(':8443', `:${port}`);
  for (let tries = 0; tries < 50 && !isHealthy(health, env); tries++) await sleep(200);
  exit = isHealthy(health, env) ? 0 : 1;
  served.kill('SIGTERM');
  const [code] = await once(served, 'exit');
  if (code !== 0) exit = 1;
  console.log(
    exit === 0 ? 'The image serves, is healthy, and stops.' : 'The image does not serve.',
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(exit);
