/**
 * The text of a scenario file and of the files that it names, for programs: what they are given is
 * read as the command line reads a file, with the same words about what is wrong.
 */
import { encodeUtf8 } from '../core/base/utf8.ts';
import type { CodecEngine } from '../core/codecs/engine.ts';
import {
  checkOptions,
  lineOption,
  type OptionRows,
  objectOption,
  textMapOption,
  textsOption,
} from '../sim/base/options.ts';
import { format, type Problem } from './language/problem.ts';
import { type Loaded, load } from './load.ts';

/** What a text is read with. */
export interface TextOptions {
  /** Overrides of the command line, such as `devices.meter.count=20`, in their order. */
  readonly set?: readonly string[];
  /** Which of the file's variants; the file itself when absent. */
  readonly variant?: string;
  /** Texts of further files that the scenario names, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** What runs codecs in JavaScript, where it has some: `codecEngine()` of `fleetwave/api`. */
  readonly codecs?: CodecEngine;
}

export const TEXT_OPTIONS: OptionRows<TextOptions> = {
  set: textsOption('a list of overrides such as devices.meter.count=20'),
  variant: lineOption(200),
  files: textMapOption('a map of texts by the path of their file'),
  codecs: objectOption('an engine of codecs, such as codecEngine() of fleetwave/api', 'open'),
};

/** A scenario without fault. */
export type ReadScenario = Extract<Loaded, { outcome: 'scenario' }>;

/**
 * Reads the text of a scenario file (YAML, at most 16 MiB): its scenario, or all that is wrong with
 * it, or the paths of files that it names and `files` does not have. Only options that are none
 * throw: a TypeError.
 */
export function loadScenario(text: string, options: TextOptions = {}): Loaded {
  checkOptions('loadScenario', options, TEXT_OPTIONS);
  return loaded(text, options);
}

/**
 * The scenario of a text that has no fault. Throws an Error that lists every fault, a line each,
 * when the text is no scenario, and one that names the files that are missing.
 */
export function readScenario(text: string, options: TextOptions = {}): ReadScenario {
  checkOptions('readScenario', options, TEXT_OPTIONS);
  return readOrThrow(text, options);
}

/** The same for functions that have judged their options themselves. */
export function readOrThrow(text: string, options: TextOptions): ReadScenario {
  const read = loaded(text, options);
  if (read.outcome === 'scenario') return read;
  if (read.outcome === 'needs') throw new Error(`files are missing: ${read.paths.join(', ')}`);
  throw new Error(read.problems.map(format).join('\n'));
}

const FILE = 'scenario.yaml';

function loaded(text: string, { set = [], files = {}, codecs, variant }: TextOptions): Loaded {
  if (typeof text !== 'string') throw new TypeError('a scenario is given as the text of its file');
  const texts = { ...files, [FILE]: text };
  const bundle = new Map(Object.entries(texts).map(([path, one]) => [path, encodeUtf8(one)]));
  return load(FILE, bundle, set, codecs, variant);
}

/** What is not wise in a scenario, without the place in its file, as results have it. */
export const warningOf = ({ pointer, message }: Problem): string => `${pointer}: ${message}`;
