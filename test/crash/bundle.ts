/** The program of the harness, made of the sources as they are now, planted faults included. */
import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { packageFile } from '../../api/host/package-root.ts';

/** Its path; packages are loaded from where they are. It is to be removed in the end. */
export async function bundledChild(source = 'test/crash/child.ts') {
  const root = fileURLToPath(new URL('.', `file://${packageFile('package.json')}`));
  const bundle = await rolldown({
    input: { child: join(root, source) },
    platform: 'node',
    cwd: root,
    external: [/^[^./].*/],
  });
  const dir = join(root, `dist/crash-${process.pid}-${basename(dirname(source))}`);
  await bundle.write({ format: 'esm', dir });
  await bundle.close();
  return { path: join(dir, 'child.js'), remove: () => rmSync(dir, { recursive: true }) };
}
