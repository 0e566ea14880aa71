/**
 * Cache of compiled code between processes, by means of the engine: a short run spends more time on
 * compiling Fleetwave than on its world. The cache is used only where no other user can have
 * written it. A damaged cache costs time only, and is not reported.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import module, { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, parse } from 'node:path';
import vm from 'node:vm';
import { makeFolder } from './make-folder.ts';
import { describeSystemError } from './system-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Receives a sentence about a cache that is not used, and why. */
export type Report = (sentence: string) => void;

const unreported: Report = () => undefined;

/** CRC-32 of what follows it in a file: V8 itself looks at no more than the head of its data. */
const SUM_BYTES = 4;

/** Those of a few builds and engines: one a use of each script. */
const FILES_STORED = 32;

/** After that much CPU time a process has dropped the code of its start: it would keep little. */
const LONGEST_START_US = 20e6;

/** Folder of the code cache; undefined: disabled, or the folder is not the user's own. */
export function codeFolder(
  environment: Environment = process.env,
  report: Report = unreported,
): string | undefined {
  const { FLEETWAVE_COMPILE_CACHE: wanted, NODE_DISABLE_COMPILE_CACHE: refused } = environment;
  if (wanted === '0' || refused !== undefined) return undefined;
  const base = environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), '.cache');
  const folder = join(base, 'fleetwave');
  try {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined && isOurs(statSync(nearestThere(base)))) {
      makeFolder(folder, 0o700);
      return folder;
    }
    if (stats?.isDirectory() && isOurs(stats) && isOurs(statSync(base))) return folder;
    report(`${folder}: ignored: it is no folder of yours alone`);
  } catch (error) {
    // A home that is read-only, or missing, stores nothing.
    report(`${folder}: ignored: ${describeSystemError(error)}`);
  }
  return undefined;
}

const nearestThere = (path: string): string =>
  existsSync(path) || path === parse(path).root ? path : nearestThere(dirname(path));

/** Whether it belongs to who runs this, and nobody else may write it. Windows knows neither. */
const isOurs = ({ uid, mode }: Stats): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);

/** From Node.js 22.1 on, the engine's loader keeps packages that are not bundled. */
function keepModules(folder: string): void {
  (module as { enableCompileCache?: (folder: string) => unknown }).enableCompileCache?.(folder);
}

/** What a script exports, and what keeps its code as soon as it has run. */
export interface CachedScript<Exports> {
  readonly exports: Exports;
  keep(): void;
}

/**
 * Runs a script of `api/bundle.mjs` for a use: what is compiled for one use is not what another
 * needs. Without a folder for it no code is stored.
 */
export function runStored<Exports>(
  path: string,
  use: string,
  report: Report = unreported,
): CachedScript<Exports> {
  const folder = codeFolder(process.env, report);
  if (folder !== undefined) keepModules(folder);
  const { exports, keep } = runCached<Exports>(path, use, folder, report);
  return { exports, keep: () => void (isStart() && keep()) };
}

/** However long a busy machine takes for it. */
function isStart(): boolean {
  const { user, system } = process.cpuUsage();
  return user + system < LONGEST_START_US;
}

/**
 * Runs a script in the form of CommonJS and in ASCII, whose name changes with its text. It uses the
 * code that an earlier process has compiled for the same use; `folder` undefined: none does.
 */
export function runCached<Exports>(
  path: string,
  use: string,
  folder: string | undefined,
  report: Report = unreported,
): CachedScript<Exports> {
  const file = folder && join(folder, `${parse(path).name}-${use}-${engineName()}.code`);
  const cachedData = file === undefined ? undefined : codeIn(file, report);
  const text = readFileSync(path, 'latin1');
  const names = 'exports, require, module, __filename, __dirname, importPackage';
  const wrapped = `(function (${names}) {${text}\n})`;
  const script = new vm.Script(wrapped, {
    filename: path,
    ...(cachedData && { cachedData }),
    // For names that packages compute; stored code of Node.js 20 goes without.
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (script.cachedDataRejected) report(`${file}: ignored: another engine has compiled it`);
  const created = { exports: {} as Exports };
  const given = [createRequire(path), created, path, dirname(path), importPackage];
  script.runInThisContext()(created.exports, ...given);
  const isStored = cachedData !== undefined && script.cachedDataRejected !== true;
  let isWritten = false;
  const keep = () => {
    if (file === undefined || isStored || isWritten) return;
    isWritten = true;
    write(file, script.createCachedData(), report);
  };
  return { exports: created.exports, keep };
}

/** Scripts with stored code have no `import()` of their own on Node.js 20. */
const importPackage = (asked: string): Promise<unknown> => import(asked);

/**
 * V8 compares version, flags and processor by itself; only the flags of Node.js 20 change on
 * purpose (v8-settings.ts). The module that knows their tag takes as long as reading the code.
 */
function engineName(): string {
  const name = `${process.version}-${process.arch}`;
  if (!process.versions.v8.startsWith('11.')) return name;
  return `${name}-${process.getBuiltinModule('node:v8').cachedDataVersionTag().toString(16)}`;
}

/** What is in a file of ours, whole; undefined where it is damaged, another's, or not there. */
function codeIn(file: string, report: Report): Buffer | undefined {
  try {
    const opened = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      if (isOurs(fstatSync(opened))) {
        const bytes = readFileSync(opened);
        const code = bytes.subarray(SUM_BYTES);
        if (bytes.length > SUM_BYTES && sumOf(code) === bytes.readUInt32LE(0)) return code;
        report(`${file}: ignored: it is damaged`);
      } else report(`${file}: ignored: others may have written it`);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing) report(`${file}: ignored: ${describeSystemError(error)}`);
  }
  return undefined;
}

/** Faster than SHA-256 by the time that node:crypto takes to load; both lie beside the code. */
const sumOf = (code: Uint8Array): number => process.getBuiltinModule('node:zlib').crc32(code);

/** Another process finds the file whole, or none. */
function write(file: string, code: Uint8Array, report: Report): void {
  const created = `${file}.${process.pid}-${process.hrtime.bigint()}`;
  try {
    const sum = Buffer.alloc(SUM_BYTES);
    sum.writeUInt32LE(sumOf(code));
    writeFileSync(created, Buffer.concat([sum, code]), { mode: 0o600, flag: 'wx' });
    renameSync(created, file);
    removeOldest(dirname(file));
  } catch (error) {
    report(`${file}: cannot be written: ${describeSystemError(error)}`);
    rmSync(created, { force: true });
  }
}

function removeOldest(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => name.includes('.code'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, writtenMs: statSync(path).mtimeMs }))
    .sort((a, b) => b.writtenMs - a.writtenMs);
  for (const { path } of files.slice(FILES_STORED)) rmSync(path, { force: true });
}
