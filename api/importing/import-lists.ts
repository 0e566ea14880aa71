/**
 * `fleetwave import`: lists of devices and gateways in the forms of spreadsheets, maps and network
 * servers, to a scenario (docs/decisions/0120). START HERE.
 *
 * A file becomes tables or a profile; each table gets a mapping of its columns to fields; rows
 * become things; things of all files are checked against each other, and make a fleet. What is
 * written is loaded first as `fleetwave validate` would.
 */
import { sentence } from '../../scenarios/language/complaint.ts';
import { load } from '../../scenarios/load.ts';
import type { RegionName } from '../../sim/lorawan/region.ts';
import {
  asFault,
  type Found,
  findDuplicates,
  findFarAway,
  swappedThroughout,
} from './check-places.ts';
import { csvList } from './csv-list.ts';
import { fileText } from './file-text.ts';
import { type Fleet, fleetOf } from './fleet.ts';
import { jsonList } from './json-list.ts';
import { type Mapping, mapColumns, unmetWishes, type Wish } from './mapping.ts';
import {
  type ProfileSource,
  profilesOf,
  readChirpStackFile,
  readRepositoryFile,
} from './profiles.ts';
import { type ScenarioFiles, scenarioFiles } from './scenario-files.ts';
import { type ListFault, type ListTable, RowFault } from './table.ts';
import { readThings, type Thing } from './things.ts';

export interface ImportOptions {
  readonly wishes: readonly Wish[];
  /** Files whose rows are gateways, whatever they look like. */
  readonly gatewayFiles: ReadonlySet<string>;
  readonly region: RegionName | undefined;
  readonly farthestMeters: number | undefined;
  /** Rows with a fault are left out, and their faults are notes. */
  readonly skipFaulty: boolean;
  readonly withKeys: boolean;
  /** Name of the scenario file without its ending. */
  readonly stem: string;
}

/** How one list was understood. */
export interface Understood {
  readonly table: ListTable;
  readonly mappings: readonly Mapping[];
}

export interface Imported {
  readonly understood: readonly Understood[];
  readonly profiles: readonly string[];
  readonly faults: readonly ListFault[];
  readonly notes: readonly ListFault[];
  /** Whether faults are of rows that could be left out. */
  readonly faultyRows: boolean;
  /** undefined: there are faults. */
  readonly result: { readonly fleet: Fleet; readonly files: ScenarioFiles } | undefined;
}

export function importLists(
  files: ReadonlyMap<string, Uint8Array>,
  options: ImportOptions,
): Imported {
  const { tables, sources, faults: unread } = readAll(files);
  const unmet = tables.length === 0 ? [] : unmetWishes(tables, options.wishes);
  const understood = tables.map((table) => understand(table, options));
  const faults = [
    ...unread,
    ...unmet.map((message) => ({ file: '', line: 0, message: `fleetwave import: ${message}` })),
  ];
  const { profiles, notes: ofProfiles } = profilesOf(sources);
  const rows = understood.map(({ table, mappings }) =>
    readThings(table, Object.fromEntries(mappings.map((each) => [each.kind, each]))),
  );
  const things = rows.flatMap((each) => each.things);
  const wrong = rows.flatMap((each) => each.faults);
  const between = foundBetween(things, options);
  const bad = new Set(between.map(({ thing }) => thing));
  const ofRows = [...wrong, ...between.map(asFault)];
  const left = things.filter((thing) => !bad.has(thing));
  const leaves = options.skipFaulty;
  const notes = [...ofProfiles, ...rows.flatMap((each) => each.notes), ...(leaves ? ofRows : [])];
  const all = sorted([...faults, ...(leaves ? [] : ofRows)], [...files.keys()]);
  const titles = [...new Set(profiles.map(({ title }) => title))];
  const faultyRows = !leaves && ofRows.length > 0;
  const base = { understood, profiles: titles, notes, faultyRows };
  if (all.length > 0) return { ...base, faults: all, result: undefined };
  const nothing = emptyFault(left, profiles.length, tables);
  if (nothing !== undefined) return { ...base, faults: [nothing], result: undefined };
  const fleet = fleetOf(left, profiles, options.region);
  if ('message' in fleet) return { ...base, faults: [fleet], result: undefined };
  const written = scenarioFiles(fleet, { ...options, sources: [...files.keys()].map(baseOf) });
  const swapped = written.origin && swappedThroughout(written.origin, fleet.region);
  const ofFleet = [...(swapped === undefined ? [] : [swapped]), ...fleet.notes];
  const invalid = faultsOfScenario(written, options.stem);
  return {
    ...base,
    notes: [...notes, ...ofFleet.map((message) => ({ file: '', line: 0, message }))],
    faults: invalid,
    result: invalid.length > 0 ? undefined : { fleet, files: written },
  };
}

export const baseOf = (path: string): string => path.replace(/^.*[\\/]/, '');

function readAll(files: ReadonlyMap<string, Uint8Array>) {
  const tables: ListTable[] = [];
  const sources: ProfileSource[] = [];
  const faults: ListFault[] = [];
  for (const [file, bytes] of files) {
    if (isArchive(bytes)) {
      const allowed = 'text: save it as CSV, or unpack it';
      const message = sentence({ what: 'is a workbook or an archive', allowed });
      faults.push({ file, line: 0, message });
      continue;
    }
    const given = fileText(bytes);
    const start = given.text.trimStart().slice(0, 1);
    if (/\.(ya?ml|toml)$/i.test(file)) {
      const read = /toml$/i.test(file) ? readChirpStackFile : readRepositoryFile;
      const { source, faults: wrong } = read(file, given.text);
      faults.push(...wrong);
      if (source !== undefined) sources.push(source);
      continue;
    }
    const isJson = start === '{' || (start === '[' && !/\.(csv|tsv|txt)$/i.test(file));
    const read = isJson ? jsonList(file, given.text) : csvList(file, given);
    tables.push(...read.tables);
    faults.push(...read.faults);
  }
  return { tables, sources, faults };
}

/** Workbooks (XLSX, ODS) are ZIP archives. */
const isArchive = ([p, k, three, four]: Uint8Array): boolean =>
  p === 0x50 && k === 0x4b && three === 3 && four === 4;

/** A list is of gateways by a column that only they have, or by the name of its file. */
function understand(table: ListTable, { wishes, gatewayFiles }: ImportOptions): Understood {
  const [devices, gateways] = (['devices', 'gateways'] as const).map((kind) =>
    mapColumns(table, kind, wishes),
  ) as [Mapping, Mapping];
  if (gatewayFiles.has(table.file)) return { table, mappings: [gateways] };
  if (devices.columnOf.has('kind')) return { table, mappings: [devices, gateways] };
  return { table, mappings: [isOfGateways(table, devices) ? gateways : devices] };
}

const GATEWAY_HEADER = /gateway|^gw|station(?!sname)|basisstation/i;
const GATEWAY_FILE = /gateway|(^|[^a-z])gws?([^a-z]|$)|basisstation|base-?station|antenn/i;

function isOfGateways({ file, columns }: ListTable, { columnOf }: Mapping): boolean {
  const devEui = columns[columnOf.get('devEui') ?? -1] ?? '';
  if (/dev/i.test(devEui)) return false;
  const hasOwn = columns.some((header) => GATEWAY_HEADER.test(header));
  return hasOwn || GATEWAY_FILE.test(baseOf(file));
}

function foundBetween(things: readonly Thing[], { farthestMeters }: ImportOptions): Found[] {
  const duplicates = findDuplicates(things);
  const double = new Set(duplicates.map(({ thing }) => thing));
  const far = findFarAway(things, farthestMeters).filter(({ thing }) => !double.has(thing));
  return [...duplicates, ...far];
}

function sorted(faults: readonly ListFault[], files: readonly string[]): readonly ListFault[] {
  const rank = ({ file }: ListFault) => files.indexOf(file);
  const at = (fault: ListFault) => fault.row ?? -1;
  return [...faults].sort((a, b) => rank(a) - rank(b) || at(a) - at(b));
}

function emptyFault(
  things: readonly Thing[],
  profiles: number,
  [table]: readonly ListTable[],
): ListFault | undefined {
  if (things.some(({ kind }) => kind === 'devices') || profiles > 0) return undefined;
  const what = things.length > 0 ? 'has gateways, and no list has devices' : 'has no devices';
  const allowed = 'a list of devices, or a device profile';
  return { file: table?.file ?? '', line: 0, message: sentence({ what, allowed }) };
}

/** What `fleetwave validate` would say, at the rows of the lists that it comes from. */
function faultsOfScenario({ scenario, lists }: ScenarioFiles, stem: string): readonly ListFault[] {
  const path = `${stem}.yaml`;
  const encoder = new TextEncoder();
  const bundle = new Map([[path, encoder.encode(scenario)]]);
  for (const { name, text } of lists) bundle.set(name, encoder.encode(text));
  const loaded = load(path, bundle);
  if (loaded.outcome === 'scenario') return [];
  if (loaded.outcome === 'needs') return [{ file: path, line: 0, message: 'needs other files' }];
  return loaded.problems.map(({ where, line, pointer, message }) => {
    const list = lists.find(({ name }) => where.startsWith(`${name}:`));
    const member = list?.members[line - 2];
    if (member === undefined) {
      return { file: where, line: 0, message: [pointer, message].filter(Boolean).join('  ') };
    }
    return new RowFault(member.thing.table, member.thing.row, message);
  });
}
