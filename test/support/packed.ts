/** The package as it would be published, and a user's project that has it installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface Packed {
  /** Path of the tarball. */
  readonly tarball: string;
  /** Paths in the package, in no particular order. */
  readonly files: readonly string[];
}

/** Packs what is built, into a folder. */
export function packInto(folder: string): Packed {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const said = execFileSync('npm', words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, files }] = JSON.parse(said) as [
    { filename: string; files: { path: string }[] },
  ];
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
}

/** A copy of a project of test/ with the package in it, and beside that what it depends on. */
export function projectWith(tarball: string, from: string, folder: string): string {
  cpSync(from, folder, { recursive: true });
  const own = join(folder, 'node_modules', 'fleetwave');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['xzf', tarball, '-C', own, '--strip-components=1']);
  for (const path of dependencies()) {
    const link = join(folder, path);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve(path), link);
  }
  return folder;
}

/** Those that users get: none of the tools that Fleetwave is built and tested with. */
function dependencies(): readonly string[] {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && dev !== true)
    .map(([path]) => path)
    .filter((path) => existsSync(path));
}

/** What the compiler says of a project; nothing when it is content. */
export function compiled(project: string): string {
  const tsc = resolve('node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: project, encoding: 'utf8' }).stdout;
}
