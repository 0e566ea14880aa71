/** Programs of tests, made of the sources as they are now, planted faults included. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { packageFile } from '../../api/host/files/package-root.ts';

/** The path of one; packages are loaded from where they are. It is to be removed in the end. */
export async function bundledChild(source = 'test/crash/child.ts') {
  const root = fileURLToPath(new URL('.', `file://${packageFile('package.json')}`));
  const { namedSenders } = (await import(
    pathToFileURL(join(root, 'api/named-senders.mjs')).href
  )) as { readonly namedSenders: Plugin };
  const bundle = await rolldown({
    input: { child: join(root, source) },
    plugins: [namedSenders],
    platform: 'node',
    cwd: root,
    // Helpers of the bundler itself are no package (tagged templates with a closing script tag).
    external: (id) => /^[^./\0]/.test(id) && !id.startsWith('@oxc-project/'),
  });
  mkdirSync(join(root, 'dist'), { recursive: true });
  const dir = mkdtempSync(join(root, 'dist/program-'));
  await bundle.write({ format: 'esm', dir });
  await bundle.close();
  return { path: join(dir, 'child.js'), remove: () => rmSync(dir, { recursive: true }) };
}
