/** Runs that their results can repeat: what a result holds of its files, and those files again. */
import type { Manifest, ManifestFile } from '../../../core/result/manifest.ts';
import type { Bundle } from '../../../scenarios/composing/texts.ts';
import { load } from '../../../scenarios/load.ts';
import { assert } from '../../../sim/base/assert.ts';
import { codecEngine } from '../codecs/codec-engine.ts';
import type { LoadedScenario } from './scenario-files.ts';

/** Stands for the scenario's own file, whose name and place are the host's. */
const SCENARIO = 'scenario.yaml';

const NOT_AMONG_THEM = 'is not among the files of the manifest';
/** The same where a file that it names has that name: no file can have this one. */
const OWN = 'scenario:yaml';

/** `path` names the scenario file in the bundle. */
export function manifestOf(
  path: string,
  bundle: Bundle,
  set: readonly string[],
  seed: string,
  variant?: string,
): Manifest {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const named = [...bundle].filter(([file]) => file !== path);
  return {
    scenario: Buffer.from(bundle.get(path) ?? []).toString('utf8'),
    files: named.map(([file, bytes]) => fileOf(file.slice(folder.length), bytes)),
    ...(variant === undefined ? {} : { variant }),
    set,
    seed,
  };
}

/** Text only where its bytes are the same again. */
function fileOf(path: string, bytes: Uint8Array): ManifestFile {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8');
  const isText = Buffer.from(text).equals(buffer);
  return isText ? { path, text } : { path, base64: buffer.toString('base64') };
}

/** The scenario of a manifest, without a look at the disk, or all that is wrong with it. */
export function loadManifest({ scenario, files, set, variant }: Manifest) {
  const bytesOf = (file: ManifestFile) =>
    'text' in file ? Buffer.from(file.text) : Buffer.from(file.base64, 'base64');
  const own = files.some(({ path }) => path === SCENARIO) ? OWN : SCENARIO;
  const bundle = new Map<string, Uint8Array>([
    [own, Buffer.from(scenario)],
    ...files.map((file) => [file.path, bytesOf(file)] as const),
  ]);
  let loaded = load(own, bundle, set, codecEngine(), variant);
  if (loaded.outcome === 'needs') {
    const unread = new Map(loaded.paths.map((path) => [path, NOT_AMONG_THEM]));
    loaded = load(own, bundle, set, codecEngine(), variant, unread);
  }
  assert(loaded.outcome !== 'needs', 'what is reported to be missing is not asked for again');
  if (loaded.outcome === 'problems') return loaded;
  return { ...loaded, bundle } satisfies LoadedScenario;
}
