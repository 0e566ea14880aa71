/**
 * What a run recorded for the stories of its devices, gateways and campaigns, all of them
 * (docs/decisions/0137). Plain data, beside the result; numbers stand in bytes.
 */
import type { BeaconStory, GatewayStory, SeldomRow } from '../../sim/contract/stories.ts';
import type { CampaignDevice } from '../result/outcome.ts';
import type { CampaignRow } from '../update-service/campaigns/step-rows.ts';

/** Changes with the meaning of anything; stories of another one are not read. */
export const STORIES_FORMAT = 2;

export interface RunStories {
  readonly format: typeof STORIES_FORMAT;
  /** Digest of the run: stories and result belong together. */
  readonly digest: string;
  /** By row, also of those that left the network. */
  readonly names: readonly string[];
  readonly devEuis: readonly string[];
  /** By row. */
  readonly gateways: readonly { readonly name: string; readonly eui: string }[];
  /** Seldom rows of the trace, to which facts point. */
  readonly rows: readonly SeldomRow[];
  /** By row of the device. */
  readonly beacons: readonly (readonly [device: number, BeaconStory])[];
  /** By name, those that sent, refused or did not forward something. */
  readonly gatewayStories: readonly (readonly [gateway: string, GatewayStory])[];
  readonly groups: readonly { readonly mcAddr: number; readonly first: number }[];
  readonly steps: ValueColumns<CampaignRow>;
  readonly outcomes: ValueColumns<CampaignDevice>;
  /** Bytes of `sim/observation/stories`. */
  readonly uplinks: Uint8Array;
  readonly facts: Uint8Array;
  readonly messages: Uint8Array;
  /** Bytes of `core/world/run-stories.ts`. */
  readonly frames: Uint8Array;
  readonly states: Uint8Array;
}

/** Rows of plain values, column by column: each value once, and its place in each row. */
export interface ValueColumns<Row> {
  readonly rows: number;
  readonly columns: readonly {
    readonly key: keyof Row & string;
    readonly values: readonly unknown[];
    /** Place among the values, −1: the row has no such key; absent: each row has its own value. */
    readonly places?: readonly number[];
  }[];
}

type AnyRow = Readonly<Record<string, unknown>>;

/** Keys that each row has, with a value that seldom returns. */
const DISTINCT: ReadonlySet<string> = new Set(['atUs', 'joules']);

/** `rows` have their keys in one order, and each of `DISTINCT` or none of them. */
export function valueColumns<Row extends object>(rows: readonly Row[]): ValueColumns<Row> {
  const columns = new Map<string, { known: Map<unknown, number>; places: number[] }>();
  for (const [at, row] of rows.entries()) {
    for (const key in row) {
      if (DISTINCT.has(key)) continue;
      let column = columns.get(key);
      if (column === undefined) {
        column = { known: new Map(), places: [] };
        columns.set(key, column);
      }
      const { known, places } = column;
      const value = row[key];
      let place = known.get(value);
      if (place === undefined) {
        place = known.size;
        known.set(value, place);
      }
      while (places.length < at) places.push(-1);
      places.push(place);
    }
  }
  return {
    rows: rows.length,
    columns: keysOf(rows).map((key) => {
      const column = columns.get(key);
      if (column === undefined) return { key, values: rows.map((row) => (row as AnyRow)[key]) };
      return { key, values: [...column.known.keys()], places: column.places };
    }),
  };
}

/** In the order in which rows have them. */
function keysOf<Row extends object>(rows: readonly Row[]): (keyof Row & string)[] {
  const keys = new Set<string>();
  for (const row of rows) for (const key in row) keys.add(key);
  return [...keys] as (keyof Row & string)[];
}

/** The rows, with their keys in the order of the columns; `isWanted` looks at one before it is. */
export function rowsIn<Row>(
  { rows, columns }: ValueColumns<Row>,
  isWanted: (read: (key: keyof Row & string) => unknown) => boolean = () => true,
): Row[] {
  const found: Row[] = [];
  for (let at = 0; at < rows; at++) {
    const read = (key: keyof Row & string): unknown => {
      const column = columns.find((one) => one.key === key);
      const place = column === undefined ? -1 : placeIn(column, at);
      return place < 0 ? undefined : column!.values[place];
    };
    if (!isWanted(read)) continue;
    const entries = columns.flatMap((column) => {
      const place = placeIn(column, at);
      return place < 0 ? [] : [[column.key, column.values[place]] as const];
    });
    found.push(Object.fromEntries(entries) as Row);
  }
  return found;
}

const placeIn = ({ places }: { readonly places?: readonly number[] }, at: number): number =>
  places === undefined ? at : (places[at] ?? -1);
