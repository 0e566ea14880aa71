/** `fleetwave import`: lists of devices and gateways to a scenario file and the lists beside it. */
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { counted } from '../../reports/text/format.ts';
import { quote, sentence } from '../../scenarios/language/complaint.ts';
import { quantity } from '../../scenarios/language/quantity.ts';
import { REGION_NAMES, type RegionName } from '../../sim/lorawan/region.ts';
import { makeFolder } from '../host/process/make-folder.ts';
import { describeSystemError } from '../host/process/system-error.ts';
import { baseOf, type Imported, importLists, type Understood } from '../importing/import-lists.ts';
import { readWish, type Wish } from '../importing/mapping.ts';
import { faultText, type ListFault } from '../importing/table.ts';
import { type Painter, painterOf } from './colour.ts';
import { ExitCode, InputError, writing } from './exit.ts';

export interface ImportWords {
  readonly files: readonly string[];
  readonly out: string;
  readonly map: readonly string[];
  readonly gateways: readonly string[];
  readonly region?: string | undefined;
  readonly farthest?: string | undefined;
  readonly skipFaulty?: boolean | undefined;
  readonly withKeys?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** A list of some 500 000 rows. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;
/** Faults that are listed; a last line counts the others. */
const FAULTS_MAX = 100;

export async function importFiles(words: ImportWords): Promise<ExitCode> {
  const { out, region, skipFaulty = false, withKeys = false, dryRun = false } = words;
  refuseOtherEnding(out);
  const files = readFiles([...words.files, ...words.gateways]);
  const imported = importLists(files, {
    wishes: wishesOf(words.map),
    gatewayFiles: new Set(words.gateways),
    region: region === undefined ? undefined : regionOf(region),
    farthestMeters: words.farthest === undefined ? undefined : metersOf(words.farthest),
    skipFaulty,
    withKeys,
    stem: baseOf(out).replace(/\.ya?ml$/, ''),
  });
  if (words.json !== true) showUnderstood(imported, painterOf(process.stdout));
  showNotes(imported.notes, painterOf(process.stderr));
  if (imported.result === undefined) throw refusal(imported);
  const written = pathsOf(out, imported);
  if (!dryRun) writeAll(written, [...files.keys()], words.force === true);
  if (words.json === true) process.stdout.write(`${JSON.stringify(document(imported, written))}\n`);
  else showResult(imported, written, out, dryRun);
  return ExitCode.good;
}

// ── Words ────────────────────────────────────────────────────────────────────────────────────────

function refuseOtherEnding(out: string): void {
  if (/[^\\/]\.ya?ml$/.test(out)) return;
  const what = `fleetwave import: --out ${quote(out)} is not right`;
  throw new InputError([sentence({ what, allowed: 'a path that ends in .yaml' })]);
}

function wishesOf(words: readonly string[]): Wish[] {
  const wishes = words.map(readWish);
  const wrong = wishes.filter((wish) => typeof wish === 'string');
  if (wrong.length > 0)
    throw new InputError(wrong.map((each) => `fleetwave import: --map ${each}`));
  return wishes.filter((wish) => typeof wish !== 'string');
}

function regionOf(word: string): RegionName {
  const region = REGION_NAMES.find((name) => name === word.toUpperCase());
  if (region !== undefined) return region;
  const what = `fleetwave import: --region ${quote(word)} is not right`;
  throw new InputError([sentence({ what, allowed: REGION_NAMES.join(', ') })]);
}

const distance = quantity('length', '1 km', '20000 km');

function metersOf(word: string): number {
  const read = distance(word);
  if (read.ok) return read.value;
  const what = `fleetwave import: --farthest ${read.complaint.what}`;
  throw new InputError([sentence({ ...read.complaint, what })]);
}

function readFiles(paths: readonly string[]): Map<string, Uint8Array> {
  const files = new Set(paths.flatMap((path) => filesOf(path)));
  const read = [...files].map((path) => [path, bytesOf(path)] as const);
  const wrong = read.flatMap(([path, bytes]) =>
    typeof bytes === 'string' ? `${path}  ${bytes}` : [],
  );
  if (wrong.length > 0) throw new InputError(wrong);
  return new Map(read as [string, Uint8Array][]);
}

const PROFILES = /\.(ya?ml|toml)$/i;
const LISTS = /\.(csv|tsv|txt|json|geojson)$/i;

/** The file, or all profiles of a folder and those below it, or its lists where it has none. */
function filesOf(path: string): string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const profiles = names.filter((name) => PROFILES.test(name)).sort();
  // A vendor's folder in a repository of profiles has examples of its codecs in JSON as well.
  const files = profiles.length > 0 ? profiles : names.filter((name) => LISTS.test(name)).sort();
  if (files.length > 0) return files.map((name) => join(path, name));
  throw new InputError([`${path}  has no lists; allowed: files of CSV, JSON, YAML or TOML`]);
}

function bytesOf(path: string): Uint8Array | string {
  try {
    const { size } = statSync(path);
    if (size <= FILE_BYTES_MAX) return readFileSync(path);
    return `has ${size} bytes; allowed: at most ${FILE_BYTES_MAX} bytes (256 MiB)`;
  } catch (error) {
    return `cannot be read: ${describeSystemError(error)}`;
  }
}

// ── What was understood ──────────────────────────────────────────────────────────────────────────

/** The mapping of each list, with the first cell of each column. */
function showUnderstood({ understood, profiles }: Imported, paint: Painter): void {
  const lines = understood.flatMap((each) => listLines(each, paint));
  if (profiles.length > 0) lines.push(`Profiles: ${profiles.map(quote).join(', ')}`);
  for (const line of lines) process.stdout.write(`${line}\n`);
}

const EXAMPLE_LENGTH = 40;

function listLines({ table, mappings }: Understood, paint: Painter): string[] {
  const { file, form, columns, rows } = table;
  const kinds = mappings.map(({ kind }) => kind).join(' and ');
  const example = (column: number) =>
    rows.find((row) => row[column] !== '')?.[column]?.slice(0, EXAMPLE_LENGTH) ?? '';
  const shown = new Map<string, string>();
  const unused = mappings.map((each) => new Set(each.unused));
  for (const { columnOf, wished } of mappings) {
    for (const [name, column] of columnOf) {
      const secret = name === 'appKey' ? '(a key)' : example(column);
      const by = wished.has(name) ? ' (--map)' : '';
      shown.set(
        name,
        `  ${name.padEnd(16)} ← ${quote(columns[column] ?? '')}${by}, such as ${secret}`,
      );
    }
  }
  const left = columns.filter((header, at) => header !== '' && unused.every((one) => one.has(at)));
  return [
    `${paint.heading(file)}: ${form}; ${counted(rows.length, 'row')} of ${kinds}`,
    ...shown.values(),
    ...(left.length === 0 ? [] : [`  not used: ${left.map(quote).join(', ')}`]),
  ];
}

const NOTES_MAX = 20;

function showNotes(notes: readonly ListFault[], { warning }: Painter): void {
  const lines = notes.slice(0, NOTES_MAX).map(faultText);
  const more = notes.length - lines.length;
  if (more > 0) lines.push(`and ${counted(more, 'other note')}`);
  for (const line of lines) process.stderr.write(`${warning('warning:')} ${line}\n`);
}

function refusal({ faults, faultyRows }: Imported): InputError {
  const lines = faults.slice(0, FAULTS_MAX).map(faultText);
  const more = faults.length - lines.length;
  if (more > 0) lines.push(`and ${counted(more, 'other fault')}`);
  const help = faultyRows ? '; --skip-faulty leaves rows with faults out' : '';
  return new InputError([...lines, `fleetwave import: nothing is written${help}`]);
}

// ── What is written ──────────────────────────────────────────────────────────────────────────────

interface OutFile {
  readonly path: string;
  readonly text: string;
}

function pathsOf(out: string, { result }: Imported): OutFile[] {
  const { scenario, lists } = result!.files;
  const folder = dirname(out);
  const beside = lists.map(({ name, text }) => ({ path: join(folder, name), text }));
  return [...beside, { path: out, text: scenario }];
}

/** All files or none: each is written beside its place, then all are moved there. */
function writeAll(files: readonly OutFile[], sources: readonly string[], force: boolean): void {
  const given = new Set(sources.map((path) => resolve(path)));
  const own = files.filter(({ path }) => given.has(resolve(path)));
  const there = files.filter(({ path }) => !force && existsSync(path));
  const faults = [
    ...own.map(({ path }) => `${path}: is one of the lists; allowed: another --out`),
    ...there.map(({ path }) => `${path}: a file is in the way (--force: write over it)`),
  ];
  if (faults.length > 0) throw new InputError(faults);
  writing(dirname(files[0]!.path), () => makeFolder(dirname(files[0]!.path)));
  const waiting = files.map((file) => ({ ...file, beside: `${file.path}.${process.pid}.part` }));
  try {
    for (const { beside, text, path } of waiting) writing(path, () => writeFileSync(beside, text));
    for (const { beside, path } of waiting) writing(path, () => renameSync(beside, path));
  } finally {
    for (const { beside } of waiting) rmSync(beside, { force: true });
  }
}

function showResult(
  { result }: Imported,
  files: readonly OutFile[],
  out: string,
  dryRun: boolean,
): void {
  const { fleet, files: written } = result!;
  const { good } = painterOf(process.stdout);
  const devices = fleet.populations.reduce(
    (sum, each) => sum + (each.count ?? each.members.length),
    0,
  );
  const populations = counted(fleet.populations.length, 'population');
  const gateways = counted(Math.max(1, fleet.gateways.length), 'gateway');
  const at = written.origin;
  const where = at === undefined ? '' : `; its middle is ${at.latitude}, ${at.longitude}`;
  const paths = files.map(({ path }) => path).join(', ');
  const network = `${counted(devices, 'device')} in ${populations}, ${gateways}, ${fleet.region}`;
  process.stdout.write(
    `${good('good:')} ${network}${where}\n` +
      (dryRun ? `Nothing is written (--dry-run): ${paths}\n` : `Written: ${paths}\n`) +
      (dryRun ? '' : `Next: fleetwave run ${out}\n`),
  );
}

/** The document of `--json`. */
function document({ understood, notes, result }: Imported, files: readonly OutFile[]): object {
  const { populations, gateways, region } = result!.fleet;
  return {
    lists: understood.map(({ table, mappings }) => ({
      file: table.file,
      form: table.form,
      rows: table.rows.length,
      kinds: mappings.map(({ kind }) => kind),
      map: Object.fromEntries(
        mappings.flatMap(({ columnOf }) =>
          [...columnOf].map(([name, column]) => [name, table.columns[column]]),
        ),
      ),
    })),
    region,
    gateways: gateways.length,
    populations: populations.map(({ name, title, members, count: many }) => ({
      name,
      title,
      devices: many ?? members.length,
    })),
    notes: notes.map(faultText),
    files: files.map(({ path }) => path),
  };
}
