/** Files that come with the package. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path of a file of the package, wherever this module was bundled to. */
export function packageFile(path: string): string {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    const file = new URL(path, folder);
    if (existsSync(file)) return fileURLToPath(file);
    if (folder.pathname === '/') throw new Error(`the package has no ${path}`);
  }
}
