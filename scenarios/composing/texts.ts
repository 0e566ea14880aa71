/** Texts of files: their limits, their paths, and what YAML makes of them. */
import { decodeUtf8 } from '../../core/base/utf8.ts';
import { sentence } from '../language/complaint.ts';
import type { Problem } from '../language/problem.ts';
import { parseYaml, type YamlSource } from '../language/yaml-source.ts';

/** Files by path, as the host read them. */
export type Bundle = ReadonlyMap<string, Uint8Array>;

export const MEBIBYTE = 1024 * 1024;

/** Largest scenario file: one with the largest image in base64 has some 6 MB. */
export const FILE_BYTES_MAX = 16 * MEBIBYTE;

export const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1);

/** Where a path of a file leads to, so that one file has one path: `./a//b.csv` is `a/b.csv`. */
export function pathFrom(file: string, path: string): string {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.');
  return folderOf(file) + steps.join('/');
}

/** The text of a file's bytes, or what is wrong with them. */
export function textOf(path: string, bytes: Uint8Array, most: number): string | Problem {
  const problem = (message: string) => ({ where: path, line: 0, pointer: '', message });
  if (bytes.length > most) {
    const allowed = `at most ${most} bytes (${most / MEBIBYTE} MiB)`;
    return problem(sentence({ what: `has ${bytes.length} bytes`, allowed }));
  }
  const decoded = decodeUtf8(bytes);
  if ('text' in decoded) return decoded.text;
  return problem(`is not UTF-8 text at byte ${decoded.badByteAt}; allowed: UTF-8 text`);
}

/** What was parsed of bytes that are still there, since a scenario is loaded in several turns. */
const parsed = new WeakMap<Uint8Array, { readonly path: string; readonly yaml: YamlSource }>();

/** The value of a YAML file and its places, or what is wrong with it. */
export function yamlOf(path: string, bytes: Uint8Array): YamlSource {
  const known = parsed.get(bytes);
  if (known?.path === path) return known.yaml;
  const text = textOf(path, bytes, FILE_BYTES_MAX);
  const source = { locate: () => ({ where: path, line: 0, file: path }) };
  const yaml =
    typeof text === 'string'
      ? parseYaml(path, text)
      : { value: undefined, source, problems: [text] };
  parsed.set(bytes, { path, yaml });
  return yaml;
}
