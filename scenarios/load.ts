/**
 * A bundle of files in, a scenario out, or everything that is wrong with it, or the files that
 * are still needed. Nothing here throws on what a user wrote, and no large thing is built before
 * its limit is checked.
 */

import type { CodecEngine } from '../core/codecs/engine.ts';
import { crossCheck } from './checks/cross-check.ts';
import { ENTRIES_MAX, mapOf } from './checks/members.ts';
import { faultsOf, firstOf, type Problem, problemsOf, type Source } from './language/problem.ts';
import { type Scenario, ScenarioSchema } from './language/schema.ts';
import { applySettings } from './language/settings.ts';
import { IMAGE_BYTES_MAX } from './language/update-schema.ts';
import { parseYaml } from './language/yaml-source.ts';
import { type Bundle, textOf, type Unread, withFiles } from './named-files.ts';

export type Loaded =
  | {
      readonly outcome: 'scenario';
      readonly scenario: Scenario;
      /** The scenario file's value as it was parsed, with the overrides; nobody changes it. */
      readonly document: unknown;
      /** What is allowed, but not wise. */
      readonly warnings: readonly Problem[];
    }
  | { readonly outcome: 'problems'; readonly problems: readonly Problem[] }
  /** Add these files to the bundle, or say why they cannot be read, and load again. */
  | { readonly outcome: 'needs'; readonly paths: readonly string[] };

const MEBIBYTE = 1024 * 1024;

/** Largest scenario file: one with the largest image in base64 has some 6 MB. */
export const FILE_BYTES_MAX = 16 * MEBIBYTE;

/** Most bytes that a file of this path may have. */
export function fileBytesMax(path: string): number {
  return /\.(bin|hex|sfb)$/.test(path) ? IMAGE_BYTES_MAX : FILE_BYTES_MAX;
}

/**
 * `path` names the scenario file in the bundle; `settings` are `path=value` overrides. A file
 * that the bundle maps to nothing is asked for; paths of further files are relative to the
 * scenario file. `codecs` checks codecs in JavaScript; `unread` are files that cannot be had.
 */
export function load(
  path: string,
  bundle: Bundle,
  settings: readonly string[] = [],
  codecs?: CodecEngine,
  unread: Unread = new Map(),
): Loaded {
  const bytes = bundle.get(path);
  const why = unread.get(path);
  if (why !== undefined) return problemOf(path, why);
  if (bytes === undefined) return { outcome: 'needs', paths: [path] };
  const text = textOf(bytes, FILE_BYTES_MAX);
  if (typeof text !== 'string') return problemOf(path, text.message);
  const parsed = parseYaml(path, text);
  if (parsed.problems.length > 0) return { outcome: 'problems', problems: parsed.problems };
  const { value, problems: unset, places } = applySettings(parsed.value, settings);
  const source: Source = { ...parsed.source, settings: places };
  const read = ScenarioSchema.safeParse(withoutExcess(value));
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const found = crossCheck(value, (file) => bundle.get(folder + file)?.length);
  const faults = [...(read.success ? [] : faultsOf(read.error.issues)), ...found.faults];
  const problems = [...firstOf(unset, path), ...problemsOf(faults, source, path)];
  if (problems.length > 0 || !read.success) return { outcome: 'problems', problems };
  const warnings = problemsOf(found.warnings, source, path);
  const files = withFiles(read.data, { folder, bundle, unread, source, codecs });
  if (files.outcome !== 'scenario') return files;
  return { ...files, document: value, warnings };
}

/** Of the scenario file as a whole. */
const problemOf = (where: string, message: string): Loaded => {
  return { outcome: 'problems', problems: [{ where, line: 0, pointer: '', message }] };
};

/** Lists cut to one entry too many, so that those far too long are not read to their end. */
function withoutExcess(value: unknown): unknown {
  const cut = Object.entries(mapOf(value)).map(([key, list]) => {
    const most = Object.hasOwn(ENTRIES_MAX, key) ? ENTRIES_MAX[key as keyof typeof ENTRIES_MAX] : 0;
    return [key, Array.isArray(list) && most > 0 ? list.slice(0, most + 1) : list] as const;
  });
  return cut.length === 0 ? value : Object.fromEntries(cut);
}
