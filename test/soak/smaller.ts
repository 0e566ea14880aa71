/** The smallest scenario file that still has the fault: whatever can be left out is left out. */

import { type Document, drawsOf, type Json, loadDocument } from './any-scenario.ts';
import { anyWorld, worldOf } from './any-world.ts';
import { complaintsOf } from './contract.ts';

/**
 * Of the world of a number, for the complaint that begins with `word`, as small as it is by an
 * instant of the wall clock; undefined for a plan.
 */
export function smallestFile(
  seed: number,
  number: number,
  word: string,
  untilMs = Number.POSITIVE_INFINITY,
): Document | undefined {
  const world = anyWorld(seed, number);
  if (world.document === undefined) return undefined;
  let smallest = world.document;
  const hasFault = (document: Document): boolean => {
    const loaded = loadDocument(document);
    if (loaded.outcome !== 'scenario') return false;
    try {
      const smaller = worldOf(document, loaded.scenario, world.seed);
      const complaints = complaintsOf(smaller, drawsOf(seed, -number));
      return complaints.some((complaint) => complaint.startsWith(word));
    } catch (error) {
      return `ends with ${error}`.startsWith(word);
    }
  };
  for (let shrunk = true; shrunk; ) {
    shrunk = false;
    for (const path of pathsOf(smallest)) {
      if (Date.now() > untilMs) return smallest;
      const without = structuredClone(smallest);
      if (leaveOut(without, path) && hasFault(without)) {
        smallest = without;
        shrunk = true;
      }
    }
  }
  return smallest;
}

type Path = readonly (string | number)[];

/** All places, parents before what is in them. */
function pathsOf(value: Json, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()].reverse() : Object.keys(value);
  const below = keys.flatMap((key) => pathsOf((value as Document)[key] as Json, [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

/** False when nothing stands at the path any more. */
function leaveOut(document: Document, path: Path): boolean {
  let parent: Json = document;
  for (const key of path.slice(0, -1)) {
    parent = (parent as Document)?.[key] as Json;
    if (typeof parent !== 'object' || parent === null) return false;
  }
  const key = path.at(-1) as string;
  if ((parent as Document)[key] === undefined) return false;
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete (parent as Document)[key];
  return true;
}
