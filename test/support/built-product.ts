/**
 * Tests load the built product (`build-product.ts`) natively. Vite's transform of the sources looks
 * up each imported name in an object at every use, so a world takes more than twice as long.
 * Hundreds of files to transform delay each single run. Tests and `test/support` stay sources.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The folders of the product. */
export const PRODUCT = ['sim', 'core', 'scenarios', 'reports', 'api'];

/** Runs in a browser: it is bundled from its sources, and has no built files. */
export const IN_BROWSER = /^reports\/interactive\//;

/** A plug-in of Vite that puts the built product in the place of the sources below `root`. */
export function builtProduct(root: string) {
  return {
    name: 'fleetwave:built-product',
    enforce: 'pre' as const,
    resolveId(source: string, importer: string | undefined): string | undefined {
      if (importer === undefined || !/^\..*\.ts$/.test(source)) return undefined;
      const path = relative(root, join(dirname(importer), source));
      if (!PRODUCT.some((floor) => path.startsWith(`${floor}/`))) return undefined;
      if (IN_BROWSER.test(path)) return undefined;
      const built = join(root, 'dist', path.replace(/ts$/, 'js'));
      if (!existsSync(built)) throw new Error(`${path} is not built: npm run build`);
      return built;
    },
  };
}

/** The files that Node.js loads by itself then. */
export const BUILT_FILES = new RegExp(`/dist/(${PRODUCT.join('|')})/`);
