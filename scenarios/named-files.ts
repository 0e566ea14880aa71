/** Files that a scenario names: their points, images and codecs in the place of their paths. */
import { decodeUtf8 } from '../core/base/utf8.ts';
import type { CodecEngine } from '../core/codecs/engine.ts';
import { readIntelHex } from '../core/update-service/intel-hex.ts';
import { withSources } from './codec-sources.ts';
import { sentence } from './language/complaint.ts';
import type { Placement, Point } from './language/placement.ts';
import { readPoints } from './language/points-file.ts';
import { firstOf, type Path, type Problem, problemAt, type Source } from './language/problem.ts';
import type { Scenario } from './language/schema.ts';
import type { TimelineEntry } from './language/timeline-verbs.ts';
import { IMAGE_BYTES_MAX, type ImageEntry } from './language/update-schema.ts';

/** Files by path, as the host read them. */
export type Bundle = ReadonlyMap<string, Uint8Array>;

/** Why files cannot be read, by path, in words that follow the path. */
export type Unread = ReadonlyMap<string, string>;

/** Most bytes of a codec, and of a file of points. */
const TEXT_BYTES_MAX = 1024 * 1024;

interface Files {
  /** Of the scenario file, with a slash at its end; paths are relative to it. */
  readonly folder: string;
  readonly bundle: Bundle;
  readonly unread: Unread;
  /** Whatever is wrong with a file is told where the scenario names it. */
  readonly source: Source;
  readonly codecs: CodecEngine | undefined;
}

type WithFiles =
  | { readonly outcome: 'scenario'; readonly scenario: Scenario }
  | { readonly outcome: 'problems'; readonly problems: readonly Problem[] }
  | { readonly outcome: 'needs'; readonly paths: readonly string[] };

/** Replaces every placement by file with the points of that file, every image with its bytes. */
export function withFiles(scenario: Scenario, files: Files): WithFiles {
  const named = new NamedFiles(files);
  const { source, codecs } = files;
  const whole: Scenario = {
    ...scenario,
    decoderTypes: withSources(scenario.decoderTypes, {
      textOf: (path, at) => named.textOf(path, at),
      source,
      codecs,
      report: (problem) => named.problems.push(problem),
    }),
    images: scenario.images.map((image, i) => named.imageOf(image, ['images', i, 'file'])),
    gateways: scenario.gateways.map((entry, i) => named.placed(entry, ['gateways', i])),
    devices: scenario.devices.map((entry, i) => named.placed(entry, ['devices', i])),
    timeline: scenario.timeline.map((entry, i): TimelineEntry => {
      const { verb, given } = entry;
      if (verb === 'command' || typeof given !== 'object' || !('placement' in given)) return entry;
      return { ...entry, given: named.placed(given, ['timeline', i, verb]) } as TimelineEntry;
    }),
  };
  const { missing, problems } = named;
  if (missing.size > 0) return { outcome: 'needs', paths: [...missing] };
  return problems.length > 0
    ? { outcome: 'problems', problems }
    : { outcome: 'scenario', scenario: whole };
}

class NamedFiles {
  readonly missing = new Set<string>();
  readonly problems: Problem[] = [];
  readonly #files: Files;
  readonly #points = new Map<string, readonly Point[]>();

  constructor(files: Files) {
    this.#files = files;
  }

  placed<Entry extends { placement?: Placement | undefined; count?: number | undefined }>(
    entry: Entry,
    path: Path,
  ): Entry {
    const { placement, count = 1 } = entry;
    if (placement?.by !== 'file') return entry;
    const at = [...path, 'placement', 'file'];
    const file = placement.path;
    const points = this.#points.get(file) ?? this.#pointsOf(file, at);
    this.#points.set(file, points);
    if (points.length < count && this.problems.length === 0 && this.missing.size === 0) {
      const allowed = `at least ${count} points`;
      this.#report(
        file,
        at,
        sentence({
          what: `has ${points.length} ${points.length === 1 ? 'point' : 'points'} for ${count}`,
          allowed,
        }),
      );
    }
    return { ...entry, placement: { by: 'points', points } };
  }

  imageOf(image: ImageEntry, at: Path): ImageEntry {
    if (image.content.by !== 'file') return image;
    const { path } = image.content;
    const bytes = this.#bytesOf(path, at);
    if (bytes !== undefined && /\.hex$/.test(image.name)) {
      const memory = readIntelHex(bytes, IMAGE_BYTES_MAX);
      if (!memory.ok) this.#report(path, at, memory.failure.message);
    }
    return { ...image, content: { by: 'content', bytes: bytes ?? new Uint8Array() } };
  }

  /** Undefined: it is missed, or what is wrong with it has been told. */
  textOf(path: string, at: Path): string | undefined {
    const bytes = this.#bytesOf(path, at);
    if (bytes === undefined) return undefined;
    const text = textOf(bytes, TEXT_BYTES_MAX);
    if (typeof text === 'string') return text;
    this.#report(path, at, text.message);
    return undefined;
  }

  #pointsOf(file: string, at: Path): readonly Point[] {
    const text = this.textOf(file, at);
    if (text === undefined) return [];
    const read = readPoints(file, text);
    for (const { where, message } of firstOf(read.problems, file)) this.#report(where, at, message);
    return read.points;
  }

  #bytesOf(path: string, at: Path): Uint8Array | undefined {
    const { folder, bundle, unread } = this.#files;
    const file = folder + path;
    const bytes = bundle.get(file);
    if (bytes !== undefined) return bytes;
    const why = unread.get(file);
    if (why === undefined) this.missing.add(file);
    else this.#report(path, at, why);
    return undefined;
  }

  /** `where` is the file, and its line where it has one. */
  #report(where: string, at: Path, message: string): void {
    this.problems.push(problemAt(at, `${where} ${message}`, this.#files.source));
  }
}

/** UTF-8 as text, or what is wrong with it. */
export function textOf(bytes: Uint8Array, most: number): string | { readonly message: string } {
  if (bytes.length > most) {
    const allowed = `at most ${most} bytes (${most / (1024 * 1024)} MiB)`;
    return { message: sentence({ what: `has ${bytes.length} bytes`, allowed }) };
  }
  const decoded = decodeUtf8(bytes);
  if ('text' in decoded) return decoded.text;
  return { message: `is not UTF-8 text at byte ${decoded.badByteAt}; allowed: UTF-8 text` };
}
