/** Scenario files on disk: reads what the loader asks for until it has a scenario or a verdict. */
import { readFileSync, statSync } from 'node:fs';
import { FILE_BYTES_MAX, type Loaded, load } from '../../scenarios/load.ts';
import type { Problem } from '../../scenarios/problem.ts';
import { describeSystemError } from './system-error.ts';

/** What `load` says; a file that cannot be read is a problem. */
export function loadFromDisk(
  path: string,
  settings: readonly string[],
): Exclude<Loaded, { outcome: 'needs' }> {
  const bundle = new Map<string, Uint8Array>();
  for (;;) {
    const loaded = load(path, bundle, settings);
    if (loaded.outcome !== 'needs') return loaded;
    const problems: Problem[] = [];
    for (const needed of loaded.paths) {
      const bytes = readBytes(needed);
      if (bytes instanceof Uint8Array) bundle.set(needed, bytes);
      else problems.push({ where: needed, line: 0, pointer: '', message: bytes.message });
    }
    if (problems.length > 0) return { outcome: 'problems', problems };
  }
}

/**
 * At most one byte more than a scenario file may have, so that a huge file is refused, not read.
 */
function readBytes(path: string): Uint8Array | { message: string } {
  try {
    const { size } = statSync(path);
    if (size > FILE_BYTES_MAX) {
      return { message: `has ${size} bytes; allowed: at most ${FILE_BYTES_MAX} bytes (1 MiB)` };
    }
    return readFileSync(path);
  } catch (error) {
    return { message: `cannot be read: ${describeSystemError(error)}` };
  }
}
