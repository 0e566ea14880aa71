/** The program of the harness, made of the sources as they are now, planted faults included. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { packageFile } from '../../api/host/package-root.ts';

/** Its path. Packages are loaded from where they are. */
export async function bundledChild(): Promise<string> {
  const root = fileURLToPath(new URL('.', `file://${packageFile('package.json')}`));
  const bundle = await rolldown({
    input: { child: join(root, 'test/crash/child.ts') },
    platform: 'node',
    cwd: root,
    external: [/^[^./].*/, /^@/],
  });
  const dir = join(root, 'dist/crash');
  await bundle.write({ format: 'esm', dir });
  await bundle.close();
  return join(dir, 'child.js');
}
