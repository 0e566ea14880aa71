/** Folders on the way to a file. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it, as far as they are missing. Node's own way to do so never
 * ends where the system says that a folder is missing in one that is there, such as `/proc`.
 */
export function makeFolder(path: string, mode?: number): void {
  const missing: string[] = [];
  let at = resolve(path);
  while (statSync(at, { throwIfNoEntry: false }) === undefined && dirname(at) !== at) {
    missing.push(at);
    at = dirname(at);
  }
  for (const folder of missing.reverse()) mkdirSync(folder, { mode });
  // What is there and no folder is refused in the system's own words.
  if (missing.length === 0) mkdirSync(at, { recursive: true });
}
