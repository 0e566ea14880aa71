/** Many worlds by number, each held to the determinism contract and to the laws. */
import { writeSync } from 'node:fs';
import { explainStored, storeFailure, storeScenario } from '../corpus/storing.ts';
import { drawsOf } from './any-scenario.ts';
import { anyWorld } from './any-world.ts';
import { complaintsOf } from './contract.ts';
import { smallestFile } from './smaller.ts';

/** How long a file is made smaller, ms. */
const SHRINK_MS = 60_000;

export interface SoakRange {
  readonly seed: number;
  readonly first: number;
  /** Below this. */
  readonly end: number;
  readonly step: number;
}

/** What is wrong with the worlds of a range, a text a world; each is printed when it is found. */
export function faultsOf({ seed, first, end, step }: SoakRange): string[] {
  const faults: string[] = [];
  for (let number = first; number < end; number += step) {
    const complaints = complaintsAbout(seed, number);
    if (complaints.length === 0) continue;
    const fault = `world ${number} of seed ${seed}:\n  ${complaints.join('\n  ')}`;
    // Not by the console, which a test run holds back until the end.
    writeSync(1, `${fault}\n`);
    faults.push(fault);
    const path = stored(seed, number, complaints[0]!);
    const text = path === undefined ? undefined : explainStored(path);
    writeSync(1, `stored: ${path}${text === undefined ? '' : `, explained in ${text}`}\n`);
  }
  return faults;
}

/** Stores the smallest file with the world's first complaint, or the world of a plan as it is. */
function stored(seed: number, number: number, complaint: string): string | undefined {
  const [word = complaint] = complaint.split(':');
  const smallest = smallestFile(seed, number, word, Date.now() + SHRINK_MS);
  if (smallest === undefined) return storeFailure(anyWorld(seed, number));
  return storeScenario(smallest, `${seed} ${number}`);
}

/** What is wrong with one world; an exception is a fault like any other. */
export function complaintsAbout(seed: number, number: number): string[] {
  try {
    return complaintsOf(anyWorld(seed, number), drawsOf(seed, -number));
  } catch (error) {
    return [`ends with ${error instanceof Error ? error.stack : error}`];
  }
}
