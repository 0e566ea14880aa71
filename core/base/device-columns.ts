/** Columns of devices: those of some of them, and those of several subscribers together. */
import type { DeviceColumns } from '../../sim/contract/view.ts';

/** The devices whose DevEUI fits, in their order; the same columns where all do. */
export function columnsWhere(
  columns: DeviceColumns,
  fits: (devEui: string) => boolean,
): DeviceColumns {
  const { devEui } = columns;
  const places: number[] = [];
  for (let place = 0; place < devEui.length; place++) if (fits(devEui[place]!)) places.push(place);
  return places.length === devEui.length ? columns : columnsAt(columns, places);
}

/** The devices at these places, in the order of the places. */
const columnsAt = (columns: DeviceColumns, places: readonly number[]): DeviceColumns =>
  mapped((name) => places.map((place) => columns[name][place]!));

/** One after the other. */
export const joinColumns = (all: readonly DeviceColumns[]): DeviceColumns =>
  mapped((name) => all.flatMap((columns) => columns[name] as readonly (string | number)[]));

const NAMES = [
  'devEui',
  'name',
  'type',
  'typeName',
  'activation',
  'createdAtUs',
  'lastUplinkAtUs',
] as const satisfies readonly (keyof DeviceColumns)[];

const mapped = (make: (name: keyof DeviceColumns) => readonly (string | number)[]): DeviceColumns =>
  Object.fromEntries(NAMES.map((name) => [name, make(name)])) as unknown as DeviceColumns;
