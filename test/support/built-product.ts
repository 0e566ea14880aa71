/**
 * The product as the compiler has written it, for runs that follow a build: Node.js loads it
 * itself. What Vite makes of sources looks each imported name up in an object at every use, so that
 * a world takes more than twice as long. Tests and their notation stay sources.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const FLOORS = ['sim', 'core', 'scenarios', 'reports', 'api'];

/** A plug-in of Vite that puts the built product in the place of the sources below `root`. */
export function builtProduct(root: string) {
  return {
    name: 'fleetwave:built-product',
    enforce: 'pre' as const,
    resolveId(source: string, importer: string | undefined): string | undefined {
      if (importer === undefined || !/^\..*\.ts$/.test(source)) return undefined;
      const path = relative(root, join(dirname(importer), source));
      if (!FLOORS.some((floor) => path.startsWith(`${floor}/`))) return undefined;
      const built = join(root, 'dist', path.replace(/ts$/, 'js'));
      if (!existsSync(built)) throw new Error(`${path} is not built: npm run build`);
      return built;
    },
  };
}

/** The files that Node.js loads by itself then. */
export const BUILT_FILES = new RegExp(`/dist/(${FLOORS.join('|')})/`);
