/**
 * Paths of files that a scenario names: each is relative to the folder of the file in which it
 * stands. Here they become relative to that of the scenario, so that nobody else has to know.
 */

import { isMap } from '../../sim/base/plain-data.ts';
import type { Path } from '../language/problem.ts';
import type { Layer } from './layer.ts';
import { folderOf } from './texts.ts';

/** Where a section or the entries of a list name files; `*` is any verb. */
const NAMED: Readonly<Record<string, readonly Path[]>> = {
  report: [['outline']],
  gateways: [['placement', 'file']],
  devices: [
    ['placement', 'file'],
    ['traffic', 'file'],
  ],
  images: [['file']],
  decoderTypes: [['file']],
  timeline: [['*', 'placement', 'file']],
};

/** The document of `main` with its paths as they are from there. */
export function withPathsFrom(main: string, { value, source }: Layer): unknown {
  if (!isMap(value)) return value;
  const folder = folderOf(main);
  const moved = (word: unknown, path: Path): unknown => {
    if (typeof word !== 'string') return word;
    const own = folderOf(source.locate(path).file ?? main);
    return own.startsWith(folder) ? own.slice(folder.length) + word : word;
  };
  const sections = Object.entries(value).map(([key, section]) => {
    const steps = Object.hasOwn(NAMED, key) ? NAMED[key]! : [];
    const each = Array.isArray(section) ? ['*'] : [];
    const change = (all: unknown, one: Path) => changed(all, [...each, ...one], [key], moved);
    return [key, steps.reduce(change, section)] as const;
  });
  return Object.fromEntries(sections);
}

/** What stands at a path below `at`, changed. */
function changed(
  at: unknown,
  [key, ...rest]: Path,
  path: Path,
  change: (value: unknown, path: Path) => unknown,
): unknown {
  if (key === undefined) return change(at, path);
  if (Array.isArray(at)) return at.map((each, i) => changed(each, rest, [...path, i], change));
  if (!isMap(at)) return at;
  const isMeant = (own: string) => key === '*' || own === key;
  const entries = Object.entries(at).map(([own, each]) => {
    return [own, isMeant(own) ? changed(each, rest, [...path, own], change) : each] as const;
  });
  return Object.fromEntries(entries);
}
