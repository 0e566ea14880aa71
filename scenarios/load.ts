/**
 * A bundle of files in, a scenario out, or everything that is wrong with it, or the files that
 * are still needed. Nothing here throws on what a user wrote, and no large thing is built before
 * its limit is checked.
 */

import type { CodecEngine } from '../core/codecs/engine.ts';
import { warningOfImage } from '../core/update-service/images.ts';
import { pointerTo } from '../sim/base/json-pointer.ts';
import { region } from '../sim/lorawan/region.ts';
import { crossCheck } from './checks/cross-check.ts';
import { longestMessage, uplinkDwellOf } from './checks/device-air-check.ts';
import { originOf } from './checks/placement-check.ts';
import { type CodecSources, withSources } from './codec-sources.ts';
import { Composition } from './composing/composition.ts';
import { withPathsFrom } from './composing/file-paths.ts';
import { atTheirNames, type Naming } from './composing/naming-places.ts';
import { studyInsteadOfScenario } from './composing/other-kind.ts';
import { applySettings } from './composing/settings.ts';
import { type Bundle, FILE_BYTES_MAX, folderOf, MEBIBYTE, textOf } from './composing/texts.ts';
import { memberNames, rowsOf } from './filling/identity.ts';
import { kindsOf } from './filling/types.ts';
import { sentence } from './language/complaint.ts';
import { READ_ONCE } from './language/knob.ts';
import { ENTRIES_MAX, listOf, mapOf } from './language/members.ts';
import type { Placement } from './language/placement.ts';
import { faultsOf, firstOf, type Problem, problemsOf, type Source } from './language/problem.ts';
import { excessOf } from './language/yaml-source.ts';
import { readOutline } from './places/outline.ts';
import { PlaceFiles } from './places/place-files.ts';
import type { PlaceThing } from './places/place-rows.ts';
import { applyPresets } from './presets/applying.ts';
import { type DeviceEntry, type Scenario, ScenarioSchema } from './schema/schema.ts';
import type { TimelineEntry } from './schema/timeline-schema.ts';
import { IMAGE_BYTES_MAX, type ImageEntry } from './schema/update-schema.ts';

export type Loaded =
  | {
      readonly outcome: 'scenario';
      readonly scenario: Scenario;
      /** The scenario's value as it was parsed, with what is laid over it; nobody changes it. */
      readonly document: unknown;
      /** What is allowed, but not wise. */
      readonly warnings: readonly Problem[];
      /** Names of its variants. */
      readonly variants: readonly string[];
    }
  | {
      readonly outcome: 'problems';
      readonly problems: readonly Problem[];
      readonly variants?: readonly string[];
    }
  /** Add these files to the bundle (or fail to) and load again. */
  | { readonly outcome: 'needs'; readonly paths: readonly string[] };

/** Largest codec, in bytes. */
const CODEC_BYTES_MAX = MEBIBYTE;

/** Most bytes that a file of this path may have. */
export function fileBytesMax(path: string): number {
  return /\.(bin|hex|sfb)$/.test(path) ? IMAGE_BYTES_MAX : FILE_BYTES_MAX;
}

/**
 * `path` names the scenario file in the bundle; `settings` are `path=value` overrides, written over
 * `variant`, which is one of the file's. A file that the bundle maps to nothing is asked for.
 * `codecs` checks codecs in JavaScript; `unread` are files that cannot be had, and why.
 */
export function load(
  path: string,
  bundle: Bundle,
  settings: readonly string[] = [],
  codecs?: CodecEngine,
  variant?: string,
  unread: Unread = new Map(),
): Loaded {
  let naming: Naming = { ...NOTHING, folder: folderOf(path) };
  const note = (document: Naming) => {
    naming = document;
  };
  const loaded = loadNoting(note, path, bundle, settings, codecs, variant);
  if (loaded.outcome === 'scenario') {
    return { ...loaded, warnings: atTheirNames(loaded.warnings, naming) };
  }
  if (loaded.outcome === 'problems') {
    return { ...loaded, problems: atTheirNames(loaded.problems, naming) };
  }
  const lost = loaded.paths.flatMap((where): readonly Problem[] => {
    const message = unread.get(where);
    return message === undefined ? [] : [{ where, line: 0, pointer: '', message }];
  });
  return lost.length === 0 ? loaded : { outcome: 'problems', problems: atTheirNames(lost, naming) };
}

/** Why files cannot be read, by path. */
export type Unread = ReadonlyMap<string, string>;

/** `note` hears of the document that names files, once it is whole. */
function loadNoting(
  note: (document: Naming) => void,
  path: string,
  bundle: Bundle,
  settings: readonly string[],
  codecs: CodecEngine | undefined,
  variant: string | undefined,
): Loaded {
  const composition = new Composition(bundle);
  const composed = composition.scenario(path);
  if (composition.missing.size > 0) return { outcome: 'needs', paths: [...composition.missing] };
  const { variants, ...chosen } = composition.variant(composed ?? NOTHING, variant);
  const { problems: wrong } = composition;
  const other = studyInsteadOfScenario(chosen.value);
  if (other !== undefined) {
    return { outcome: 'problems', problems: problemsOf([other], chosen.source, path), variants };
  }
  const excess = wrong.length > 0 ? undefined : excessOf(path, chosen.value, 'includes too much');
  if (excess !== undefined) wrong.push(excess);
  if (composed === undefined || wrong.length > 0) {
    return { outcome: 'problems', problems: firstOf(wrong, path), variants };
  }
  const { problems: unset, ...written } = applySettings(chosen, settings);
  const { value: set, source, warnings: presetWarnings } = applyPresets(written);
  const folder = folderOf(path);
  const named = withPathsFrom(path, { value: set, source });
  note({ value: named, source, folder });
  const places = new PlaceFiles(folder, bundle, originOf(mapOf(named)));
  const value = places.counted(named);
  // Names and counts that files have are needed for the check.
  if (places.missing.size > 0) return { outcome: 'needs', paths: [...places.missing] };
  const read = ScenarioSchema.safeParse(withoutExcess(value), READ_ONCE);
  const fileBytes = (file: string) => bundle.get(folder + file)?.length;
  const found = crossCheck(value, { fileBytes, places });
  const faults = [...(read.success ? [] : faultsOf(read.error.issues)), ...found.faults];
  const problems = [
    ...firstOf(unset, path),
    ...problemsOf(faults, source, path),
    ...firstOf(places.problems, path),
  ];
  if (problems.length > 0 || !read.success) return { outcome: 'problems', problems, variants };
  const warnings = problemsOf([...presetWarnings, ...found.warnings], source, path);
  const loaded = withFiles(read.data, folder, bundle, warnings, {
    source,
    codecs,
    places,
    kinds: listOf(mapOf(value).devices, 'devices').map((entry) => found.kinds.get(entry)),
  });
  if (loaded.outcome === 'scenario') return { ...loaded, document: value, variants };
  return loaded.outcome === 'problems' ? { ...loaded, variants } : loaded;
}

const NOTHING = { value: undefined, source: { locate: () => ({ where: '', line: 0 }) } };

/** Lists cut to one entry too many, so that those far too long are not read to their end. */
function withoutExcess(value: unknown): unknown {
  const cut = Object.entries(mapOf(value)).map(([key, list]) => {
    const most = Object.hasOwn(ENTRIES_MAX, key) ? ENTRIES_MAX[key as keyof typeof ENTRIES_MAX] : 0;
    return [key, Array.isArray(list) && most > 0 ? list.slice(0, most + 1) : list] as const;
  });
  return cut.length === 0 ? value : Object.fromEntries(cut);
}

type WithFiles =
  | Exclude<Loaded, { outcome: 'scenario' }>
  | Omit<Extract<Loaded, { outcome: 'scenario' }>, 'document' | 'variants'>;

/** What a scenario takes of files. */
interface Files extends Pick<CodecSources, 'source' | 'codecs'> {
  readonly places: PlaceFiles;
  /** Of each population, what its rows make of it. */
  readonly kinds: readonly (readonly object[] | undefined)[];
}

type Placed = { readonly placement?: Placement | undefined; readonly count?: number | undefined };

const pointsOf = (count: number): string => `${count} ${count === 1 ? 'point' : 'points'}`;

/** A population with the messages of its file, and so what rows of places make of it. */
function withMessages(
  entry: DeviceEntry,
  places: PlaceFiles,
  { region: name, duration: endUs, server }: Scenario,
): DeviceEntry {
  const { placement, traffic } = entry;
  if (traffic.file === undefined) return entry;
  const plan = region(name);
  const { later: dwell } = uplinkDwellOf(server, plan);
  const names = memberNames(entry, entry.count);
  const rows = rowsOf(placement);
  const ofKinds = [entry, ...kindsOf(entry)].map((one) => {
    const { fPort, payload } = one.traffic;
    return { fPort, payload, longest: longestMessage(one, plan, server.adr, dwell) };
  });
  const of = (device: number) => ofKinds[(rows[device]?.kind ?? -1) + 1]!;
  const listed = places.messagesFor(traffic.file, { names, of, endUs });
  const withList = <One extends Pick<DeviceEntry, 'traffic'>>(one: One): One => ({
    ...one,
    traffic: { ...one.traffic, listed },
  });
  if (placement?.by !== 'points' || placement.kinds === undefined) return withList(entry);
  const kinds = (placement.kinds as readonly DeviceEntry[]).map(withList);
  return withList({ ...entry, placement: { ...placement, kinds } });
}

/** Replaces every placement by file with the points of that file, every image with its bytes. */
function withFiles(
  scenario: Scenario,
  folder: string,
  bundle: Bundle,
  warnings: readonly Problem[],
  { places, kinds, ...codecs }: Files,
): WithFiles {
  const { missing } = places;
  const problems: Problem[] = [];
  const resolve = <Entry extends Placed>(
    entry: Entry,
    pointer: string,
    things: PlaceThing = 'timeline',
    kinds: readonly object[] = [],
  ): Entry => {
    const { placement, count = 1 } = entry;
    if (placement?.by !== 'file') return entry;
    const rows = places.rowsFor(placement.path, things)?.rows ?? [];
    if (rows.length < count && problems.length + places.problems.length + missing.size === 0) {
      const what = `has ${pointsOf(rows.length)} for ${count} at ${pointer}`;
      const message = sentence({ what, allowed: `at least ${pointsOf(count)}` });
      problems.push({ where: folder + placement.path, line: 0, pointer: '', message });
    }
    const points = rows.map(({ point }) => point);
    const sayMore = rows.some((row) => Object.keys(row).some((key) => key !== 'point'));
    const own = sayMore ? { rows, kinds } : {};
    return { ...entry, placement: { by: 'points', points, ...own } };
  };
  const readImage = (image: ImageEntry): ImageEntry => {
    if (image.content.by !== 'file') return image;
    const file = folder + image.content.path;
    const bytes = bundle.get(file);
    if (bytes === undefined) missing.add(file);
    return { ...image, content: { by: 'content', bytes: bytes ?? new Uint8Array() } };
  };
  const textIn = (path: string): string | Problem | undefined => {
    const bytes = bundle.get(folder + path);
    if (bytes === undefined) missing.add(folder + path);
    return bytes && textOf(folder + path, bytes, CODEC_BYTES_MAX);
  };
  const report = (each: Problem) => problems.push(each);
  const reading = { ...codecs, textOf: textIn, report };
  const whole: Scenario = {
    ...scenario,
    decoderTypes: withSources(scenario.decoderTypes, reading),
    report: withOutline(scenario, { folder, bundle, missing, report }),
    images: scenario.images.map(readImage),
    gateways: scenario.gateways.map((entry, i) => resolve(entry, `/gateways/${i}`, 'gateways')),
    devices: scenario.devices.map((entry, i) =>
      withMessages(resolve(entry, `/devices/${i}`, 'devices', kinds[i]), places, scenario),
    ),
    timeline: scenario.timeline.map((entry, i): TimelineEntry => {
      const { verb, given } = entry;
      if (verb === 'command' || typeof given !== 'object' || !('placement' in given)) return entry;
      return { ...entry, given: resolve(given, `/timeline/${i}/${verb}`) } as TimelineEntry;
    }),
  };
  problems.push(...firstOf(places.problems, folder));
  if (missing.size > 0) return { outcome: 'needs', paths: [...missing] };
  if (problems.length > 0) return { outcome: 'problems', problems };
  const ofImages = imageWarnings(scenario.images, whole.images, codecs.source);
  const all = [...warnings, ...ofImages, ...places.warnings];
  return { outcome: 'scenario', scenario: whole, warnings: all };
}

/** The report of a scenario with the lines of its outline in the place of their file. */
function withOutline(
  { report: own, origin }: Scenario,
  reading: {
    readonly folder: string;
    readonly bundle: Bundle;
    readonly missing: Set<string>;
    readonly report: (problem: Problem) => unknown;
  },
): Scenario['report'] {
  const { outline } = own;
  if (outline?.by !== 'file') return own;
  const file = reading.folder + outline.path;
  const bytes = reading.bundle.get(file);
  if (bytes === undefined) reading.missing.add(file);
  const text = bytes && textOf(file, bytes, FILE_BYTES_MAX);
  if (text === undefined) return own;
  const lines = typeof text === 'string' ? readOutline(file, text, origin) : text;
  if ('message' in lines) reading.report(lines);
  return 'message' in lines ? own : { outline: { by: 'lines', lines } };
}

/** Of image files whose names promise Intel HEX; `read` are the same images with their bytes. */
const imageWarnings = (
  named: readonly ImageEntry[],
  read: readonly ImageEntry[],
  source: Source,
): readonly Problem[] =>
  named.flatMap(({ name, content: from }, i) => {
    const content = read[i]?.content;
    if (from.by !== 'file' || content?.by !== 'content') return [];
    const message = warningOfImage(name, content.bytes);
    if (message === undefined) return [];
    const path = ['images', i, 'file'];
    const { where, line } = source.locate(path);
    return [{ where, line, pointer: pointerTo(path), message }];
  });
