/** A fleet as a scenario file and lists beside it, which `fleetwave validate` and `run` take. */

import { placeAt } from '../../core/base/geography.ts';
import { scenarioText } from '../../scenarios/scenario-text.ts';
import { csvLine } from '../host/files/csv.ts';
import { distanceOf, median, middleOf } from './check-places.ts';
import type { Degrees } from './degrees.ts';
import { type Fleet, identifier, type Named, type Population } from './fleet.ts';
import type { GridPoint, Thing } from './things.ts';

export interface WrittenFile {
  /** Beside the scenario. */
  readonly name: string;
  readonly text: string;
  /** Members by the line in it, from line 2 on. */
  readonly members: readonly Named[];
}

export interface ScenarioFiles {
  readonly scenario: string;
  readonly lists: readonly WrittenFile[];
  /** Where on Earth the middle is; undefined: the lists do not say. */
  readonly origin: Degrees | undefined;
}

interface Written {
  /** Name of the scenario file without its ending. */
  readonly stem: string;
  /** Names of the lists, for the first comment. */
  readonly sources: readonly string[];
  readonly withKeys: boolean;
}

/** Ground around the outermost gateway in which things without a place stand, m. */
const MARGIN_METERS = 2_000;
/** Of an area of a scenario. */
const LARGEST_RADIUS_METERS = 1_000_000;
const USUAL_RADIUS_METERS = 5_000;

export function scenarioFiles(fleet: Fleet, { stem, sources, withKeys }: Written): ScenarioFiles {
  const { gateways, populations } = fleet;
  const all = [...gateways, ...populations.flatMap(({ members }) => members)];
  const frame = frameOf(all.map(({ thing }) => thing));
  const lists: WrittenFile[] = [];
  const listed = (
    name: string,
    kind: Thing['kind'],
    members: readonly Named[],
    columns: readonly string[],
  ) => {
    const file = { name: `${listStem(stem)}-${name}.csv`, members };
    lists.push({ ...file, text: listText(kind, members, columns, frame, withKeys) });
    return { file: file.name };
  };
  const document = {
    scenario: identifier(stem, 'fleet'),
    duration: '1 d',
    region: fleet.region,
    ...(frame.origin === undefined ? {} : { origin: frame.origin }),
    area: { radius: `${frame.radiusMeters} m` },
    ...networkOf(fleet),
    gateways:
      gateways.length === 0
        ? [{ name: 'gateway' }]
        : [{ name: 'gateway', placement: listed('gateways', 'gateways', gateways, []) }],
    devices: populations.map((population) => entryOf(population, listed)),
    expectations: ['joined >= 99 %', 'messagesDelivered >= 95 %'],
  };
  return {
    scenario: comment(fleet, sources) + scenarioText(document),
    lists,
    origin: frame.origin,
  };
}

/** Scenarios name files in letters of ASCII. */
const listStem = (stem: string): string =>
  /^[\w. -]+$/.test(stem) ? stem : identifier(stem, 'fleet');

function networkOf({ settings: { channels, ...server } }: Fleet): object {
  return {
    ...(channels === undefined ? {} : { channels }),
    ...(Object.keys(server).length === 0 ? {} : { server }),
  };
}

type Listed = (
  name: string,
  kind: Thing['kind'],
  members: readonly Named[],
  columns: readonly string[],
) => object;

/** Fits into a frame in every region at every data rate. */
const USUAL_TRAFFIC = { every: '1 h', payload: '11 B' };

function entryOf({ name, knobs, columns, members, count }: Population, listed: Listed): object {
  const place = count === undefined ? listed(name, 'devices', members, columns) : undefined;
  return {
    name,
    ...(count === undefined ? { placement: place } : { count }),
    ...nested({ ...prefixed('traffic.', USUAL_TRAFFIC), ...knobs }),
  };
}

const prefixed = (prefix: string, knobs: object) =>
  Object.fromEntries(Object.entries(knobs).map(([key, value]) => [prefix + key, value]));

/** `traffic.every` is a key of a map. */
function nested(knobs: Readonly<Record<string, string | number>>): Record<string, unknown> {
  const entry: Record<string, unknown> = {};
  for (const [knob, value] of Object.entries(knobs)) {
    const [first = '', second] = knob.split('.');
    const scalar = typeof value === 'string' ? scalarOf(value) : value;
    if (second === undefined) entry[first] = scalar;
    else entry[first] = { ...(entry[first] as object | undefined), [second]: scalar };
  }
  return entry;
}

/** A cell as a YAML file would have it; versions stay texts. */
function scalarOf(cell: string): string | number | boolean {
  if (cell === 'true' || cell === 'false') return cell === 'true';
  return /^-?\d{1,9}$/.test(cell) ? Number(cell) : cell;
}

/** What the lists have that a scenario has no place for stands in comments. */
function comment({ gateways, populations }: Fleet, sources: readonly string[]): string {
  const lines = [`Made by fleetwave import from ${sources.join(', ')}.`];
  for (const { name, title, members, count } of populations) {
    const called = title === '' || title === name ? '' : ` (“${title}”)`;
    const things = count === undefined ? `${members.length} of the lists` : `${count} as examples`;
    lines.push(`${name}${called}: ${things}.`);
  }
  if (gateways.length === 0) lines.push('No list has gateways: one stands in the middle.');
  lines.push('What devices send is not in lists: traffic is one uplink an hour unless they say.');
  return lines.map((line) => `# ${line.replace(/\s+/g, ' ')}\n`).join('');
}

// ── Places ───────────────────────────────────────────────────────────────────────────────────────

interface Frame {
  readonly origin: Degrees | undefined;
  /** Middle of those that are in metres. */
  readonly grid: GridPoint;
  readonly radiusMeters: number;
}

const isOnEarth = (place: Thing['place']): place is Degrees =>
  place !== null && 'latitude' in place;
const isOnGrid = (place: Thing['place']): place is GridPoint => place !== null && 'x' in place;

/** The area reaches beyond all gateways, or all things where there is none. */
function frameOf(things: readonly Thing[]): Frame {
  const places = things.map(({ place }) => place);
  const degrees = places.filter(isOnEarth);
  const points = places.filter(isOnGrid);
  const origin = degrees.length === 0 ? undefined : middleOf(degrees);
  const grid = { x: median(points.map(({ x }) => x)), y: median(points.map(({ y }) => y)) };
  const anchors = things.filter(({ kind, place }) => kind === 'gateways' && place !== null);
  let most = 0;
  for (const { place } of anchors.length > 0 ? anchors : things) {
    if (isOnEarth(place) && origin !== undefined) most = Math.max(most, distanceOf(place, origin));
    if (isOnGrid(place)) most = Math.max(most, Math.hypot(place.x - grid.x, place.y - grid.y));
  }
  const isKnown = degrees.length + points.length > 0;
  const known = Math.min(LARGEST_RADIUS_METERS, Math.ceil(most) + MARGIN_METERS);
  const radiusMeters = isKnown ? known : USUAL_RADIUS_METERS;
  return { origin, grid, radiusMeters };
}

/** Columns and rows as files of places have them. */
function listText(
  kind: Thing['kind'],
  members: readonly Named[],
  columns: readonly string[],
  { origin, grid }: Frame,
  withKeys: boolean,
): string {
  const isMetric = members.some(({ thing }) => isOnGrid(thing.place));
  const keyed = withKeys && members.some(({ thing }) => thing.appKey !== '');
  const place = isMetric ? ['x', 'y'] : ['latitude', 'longitude'];
  const eui = kind === 'devices' ? 'devEui' : 'eui';
  const head = ['name', eui, ...(keyed ? ['appKey'] : []), ...place, ...columns];
  const lines = members.map(({ thing, name }) => {
    const at = isMetric ? metresOf(thing.place, origin, grid) : degreesOf(thing.place);
    const knobs = columns.map((knob) => thing.knobs[knob] ?? '');
    return csvLine([name, thing.eui, ...(keyed ? [thing.appKey] : []), ...at, ...knobs]);
  });
  return `${csvLine(head)}\n${lines.join('\n')}\n`;
}

const degreesOf = (place: Thing['place']): readonly (number | string)[] =>
  isOnEarth(place) ? [place.latitude, place.longitude] : ['', ''];

function metresOf(place: Thing['place'], origin: Degrees | undefined, grid: GridPoint) {
  if (isOnGrid(place))
    return [place.x - grid.x, place.y - grid.y].map((one) => Math.round(one * 10) / 10);
  if (!isOnEarth(place) || origin === undefined) return ['', ''];
  const { xMeters, yMeters } = placeAt(place, origin);
  return [xMeters, yMeters].map((one) => Math.round(one * 10) / 10);
}
