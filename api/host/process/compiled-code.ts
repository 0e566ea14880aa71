/**
 * Cache of compiled code between processes, by means of the engine: a short run spends more time on
 * compiling Fleetwave than on its world. The cache is used only where no other user can have
 * written it. A damaged cache costs time only, and is not reported.
 */
import { createHash } from 'node:crypto';
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
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import vm from 'node:vm';
import { threadId } from 'node:worker_threads';
import { makeFolder } from './make-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** SHA-256 of what follows it in a file: V8 itself looks at no more than the head of its data. */
const SUM_BYTES = 32;

/** Those of a few builds and engines: one a use of each script. */
const FILES_STORED = 32;

/** After that much CPU time a process has dropped the code of its start: it would keep little. */
const LONGEST_START_US = 20e6;

/** Folder of the code cache; undefined: disabled, or the folder is not the user's own. */
export function codeFolder(environment: Environment = process.env): string | undefined {
  const { FLEETWAVE_COMPILE_CACHE: wanted, NODE_DISABLE_COMPILE_CACHE: refused } = environment;
  if (wanted === '0' || refused !== undefined) return undefined;
  try {
    const base = environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), '.cache');
    if (!isOurs(statSync(nearestThere(base)))) return undefined;
    const folder = join(base, 'fleetwave');
    makeFolder(folder, 0o700);
    return isOurs(lstatSync(folder)) && lstatSync(folder).isDirectory() ? folder : undefined;
  } catch {
    // A home that is read-only, or missing, keeps nothing.
    return undefined;
  }
}

const nearestThere = (path: string): string =>
  existsSync(path) || path === parse(path).root ? path : nearestThere(dirname(path));

/** Whether it belongs to who runs this, and nobody else may write it. Windows knows neither. */
const isOurs = ({ uid, mode }: Stats): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);

/** From Node.js 22.1 on, the engine's loader keeps the modules that it compiles. */
function keepModules(folder: string): void {
  (module as { enableCompileCache?: (folder: string) => unknown }).enableCompileCache?.(folder);
}

/** What a script exports, and what keeps its code as soon as it has run. */
export interface CachedScript<Exports> {
  readonly exports: Exports;
  keep(): void;
}

/** A script that `api/bundle.mjs` made, by its name, and what it is run for. */
export interface ScriptUse {
  readonly script: string;
  /** What is compiled for one use is not what another needs. */
  readonly use: string;
}

/**
 * The script of a use, run out of the folder of scripts; undefined: modules are to be loaded, which
 * the engine keeps from here on where it can.
 */
export function openCached<Exports>(
  scripts: URL,
  wanted: ScriptUse | undefined,
): CachedScript<Exports> | undefined {
  const folder = codeFolder();
  if (folder === undefined) return undefined;
  if (wanted === undefined) {
    keepModules(folder);
    return undefined;
  }
  const names = existsSync(scripts) ? readdirSync(scripts) : [];
  const name = names.find((each) => each.startsWith(`${wanted.script}-`) && each.endsWith('.cjs'));
  if (name === undefined) return undefined;
  const path = fileURLToPath(new URL(name, scripts));
  const { exports, keep } = runCached<Exports>(path, wanted.use, folder);
  return { exports, keep: () => void (isStart() && keep()) };
}

/** However long a busy machine takes for it. */
function isStart(): boolean {
  const { user, system } = process.cpuUsage();
  return user + system < LONGEST_START_US;
}

/**
 * Runs a script in the form of CommonJS whose name changes with its text, and which needs no other
 * file. It uses the code that an earlier process has compiled for the same use, if there is any.
 */
export function runCached<Exports>(
  path: string,
  use: string,
  folder: string,
): CachedScript<Exports> {
  const engine = `${process.version}-${cachedDataVersionTag().toString(16)}`;
  const file = join(folder, `${parse(path).name}-${use}-${engine}.code`);
  const cachedData = codeIn(file);
  const text = readFileSync(path, 'utf8');
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${text}\n})`;
  const script = new vm.Script(wrapped, { filename: path, ...(cachedData && { cachedData }) });
  const created = { exports: {} as Exports };
  script.runInThisContext()(created.exports, createRequire(path), created, path, dirname(path));
  const isStored = cachedData !== undefined && script.cachedDataRejected !== true;
  let isWritten = false;
  const keep = () => {
    if (isStored || isWritten) return;
    isWritten = true;
    write(file, script.createCachedData());
  };
  return { exports: created.exports, keep };
}

/** What is in a file of ours, whole; undefined where it is damaged, another's, or not there. */
function codeIn(file: string): Buffer | undefined {
  try {
    const opened = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      if (!isOurs(fstatSync(opened))) return undefined;
      const bytes = readFileSync(opened);
      const code = bytes.subarray(SUM_BYTES);
      return sumOf(code).equals(bytes.subarray(0, SUM_BYTES)) ? code : undefined;
    } finally {
      closeSync(opened);
    }
  } catch {
    return undefined;
  }
}

const sumOf = (code: Uint8Array): Buffer => createHash('sha256').update(code).digest();

/** Another process finds the file whole, or none. */
function write(file: string, code: Uint8Array): void {
  const created = `${file}.${process.pid}-${threadId}`;
  try {
    writeFileSync(created, Buffer.concat([sumOf(code), code]), { mode: 0o600, flag: 'wx' });
    renameSync(created, file);
    removeOldest(dirname(file));
  } catch {
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
