/** Where worlds are stored that are killed. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A kill leaves what the operating system has, so files in memory do as well, and sync at once. */
const MEMORY = '/dev/shm';
export const crashFolder = (): string =>
  mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'fleetwave-crash-'));
