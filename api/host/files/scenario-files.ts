/** Scenario files on disk: reads what the loader asks for until it has a scenario or a verdict. */
import { readFileSync, statSync } from 'node:fs';
import type { Bundle } from '../../../scenarios/composing/texts.ts';
import { fileBytesMax, type Loaded, load } from '../../../scenarios/load.ts';
import { codecEngine } from '../codecs/codec-engine.ts';
import { describeSystemError } from '../process/system-error.ts';

/** A scenario without fault, what is not wise in it, and all files that it is made of. */
export type LoadedScenario = Extract<Loaded, { outcome: 'scenario' }> & {
  readonly bundle: Bundle;
};

/** What is wrong with a scenario. */
type Faulty = Extract<Loaded, { outcome: 'problems' }>;

export type FromDisk = LoadedScenario | Faulty;

interface Reading {
  /** Files that are there already, by path. */
  readonly given?: Bundle;
  /** One of the file's variants. */
  readonly variant?: string | undefined;
  /** Hears the path of every file that is looked for. */
  readonly onFile?: (path: string) => void;
}

/** What `load` says; a file that cannot be read is a problem. */
export function loadFromDisk(
  path: string,
  settings: readonly string[],
  { given, variant, onFile = () => undefined }: Reading = {},
): FromDisk {
  const bundle = new Map<string, Uint8Array>(given);
  const unread = new Map<string, string>();
  for (;;) {
    const loaded = load(path, bundle, settings, codecEngine(), variant, unread);
    if (loaded.outcome === 'scenario') return { ...loaded, bundle };
    if (loaded.outcome === 'problems') return loaded;
    for (const needed of loaded.paths) {
      onFile(needed);
      const bytes = readBytes(needed);
      if (bytes instanceof Uint8Array) bundle.set(needed, bytes);
      else unread.set(needed, bytes.message);
    }
  }
}

/** A file that is larger than its kind may be is refused, not read. */
export function readBytes(path: string): Uint8Array | { message: string } {
  try {
    const { size } = statSync(path);
    const most = fileBytesMax(path);
    if (size > most) {
      const mebibytes = most / (1024 * 1024);
      return { message: `has ${size} bytes; allowed: at most ${most} bytes (${mebibytes} MiB)` };
    }
    return readFileSync(path);
  } catch (error) {
    return { message: `cannot be read: ${describeSystemError(error)}` };
  }
}
