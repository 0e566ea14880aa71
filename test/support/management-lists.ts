/** The v2 list of devices against plain JavaScript over the answers of v1. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Answers } from '../../core/operations.ts';
import type { Who } from './management-model.ts';
import { type Managed, START_MS } from './management-world.ts';

type FullDevice = Answers['endDevice.get'];
export type Row = Answers['endDeviceV2.get'];

/** A device of v1 in the words of v2; `battery` is null where v1 reports 0 for none. */
export function v2Of(
  device: FullDevice,
  owner: Who,
  battery: number | null,
  groups: readonly { readonly id: string; readonly name: string }[],
): Row {
  const { Statistics: response } = device;
  return {
    name: device.Name,
    dev_eui: device.DevEUI,
    owner_id: owner,
    activation_type: device.ActivationType,
    service_profile: device.ServiceProfile,
    device_profile: device.DeviceProfile,
    decoder_type: device.DecoderType,
    output_profile: device.OutputProfile,
    private_data: device.PrivateData,
    created_at: device.CreatedAt,
    updated_at: device.UpdatedAt,
    updated_by: device.UpdatedBy,
    last_uplink: device.LastUplink,
    health_state: response.HealthState,
    spreading_factor: response.SpreadingFactor,
    average_rssi: response.AverageRSSI,
    average_esp: response.AverageESP,
    average_snr: response.AverageSNR,
    packet_error_rate: response.PacketErrorRate,
    battery_level: battery,
    average_weekly_packets: response.AverageWeeklyPackets,
    groups,
  };
}

// ── filters ──────────────────────────────────────────────────────────────────────────────────────

const FIELDS = [
  'name',
  'dev_eui',
  'owner_id',
  'activation_type',
  'service_profile',
  'device_profile',
  'decoder_type',
  'output_profile',
  'private_data',
  'created_at',
  'updated_at',
  'updated_by',
  'last_uplink',
  'health_state',
  'spreading_factor',
  'average_rssi',
  'average_esp',
  'average_snr',
  'packet_error_rate',
  'battery_level',
  'average_weekly_packets',
] as const satisfies readonly (keyof Row)[];
const TEXTS: readonly string[] = FIELDS.slice(0, 8).concat('updated_by', 'health_state');
const INSTANTS: readonly string[] = ['created_at', 'updated_at', 'last_uplink'];
const HEALTH = ['good', 'fair', 'poor', 'offline'];

/** A filter without its values, which are picked from what there is. */
export interface FilterTree {
  readonly filter: FilterNode | null;
  readonly sort: readonly (readonly [field: number, isDown: boolean])[];
  readonly mask: readonly number[] | null;
}

interface Condition {
  readonly field: number;
  readonly operator: number;
  readonly picks: readonly number[];
  /** Other forms of the same value: other cases, other zones. */
  readonly form: number;
  /** `$and` or `$or` inside the field, with another condition of the same field. */
  readonly inner: 'none' | '$and' | '$or';
}

type FilterNode =
  | { readonly all: readonly Condition[] }
  | { readonly join: '$and' | '$or'; readonly of: readonly FilterNode[] };

const condition: fc.Arbitrary<Condition> = fc.record({
  field: fc.nat(FIELDS.length),
  operator: fc.nat(11),
  picks: fc.array(fc.nat(40), { minLength: 1, maxLength: 3 }),
  form: fc.nat(5),
  inner: fc.constantFrom('none', 'none', '$and', '$or'),
});

const { node } = fc.letrec<{ node: FilterNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ all: fc.array(condition, { minLength: 1, maxLength: 2 }) }),
    fc.record({
      join: fc.constantFrom('$and', '$or'),
      of: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));

export const filterTrees: fc.Arbitrary<FilterTree> = fc.record({
  filter: fc.option(node, { freq: 8 }),
  sort: fc.array(fc.tuple(fc.nat(FIELDS.length - 1), fc.boolean()), { maxLength: 3 }),
  mask: fc.option(fc.array(fc.nat(FIELDS.length - 1), { minLength: 1, maxLength: 4 })),
});

type Cell = string | number | boolean | null;
interface Created {
  readonly json: object;
  readonly is: (row: Row) => boolean;
}

/** A text with some of it replaced by wildcards. */
const patternOf = (text: string, pick: number): string =>
  [`~${text.slice(1)}`, `${text.slice(0, 2)}~`, `~${text.slice(1, 3)}~`, text, '~', ''][pick % 6]!;

function matches(pattern: string, text: string): boolean {
  const pieces = pattern.split('~').map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('.*')}$`, 'su').test(text);
}

/** The same instant one hour east. */
const eastern = (instant: string): string =>
  new Date(Date.parse(instant) + 3_600_000).toISOString().replace('Z', '+01:00');

/** What is compared: instants by what they are, DevEUIs without case. */
const plain = (field: string, value: Cell): Cell =>
  typeof value !== 'string'
    ? value
    : INSTANTS.includes(field)
      ? Date.parse(value)
      : field === 'dev_eui'
        ? value.toUpperCase()
        : value;

function conditionOf(rows: readonly Row[], given: Condition, isInner = false): Created {
  const { field: at, operator, picks, form } = given;
  if (at === FIELDS.length) return ofGroups(rows, picks);
  const field = FIELDS[at]!;
  const isText = TEXTS.includes(field);
  const values = [...new Set(rows.map((row) => row[field] as Cell))];
  const others: Cell[] =
    field === 'health_state'
      ? HEALTH
      : field === 'activation_type'
        ? ['ABP', 'OTAA']
        : field === 'dev_eui'
          ? ['00000000000000AA']
          : isText
            ? ['', 'nobody', 'pump']
            : field === 'private_data'
              ? [true, false]
              : INSTANTS.includes(field)
                ? ['2026-01-01T00:00:00Z']
                : [0, -1.5, 1e9];
  const all = [...values, ...others].filter((each) => each !== undefined);
  const formed = picks.map((pick) => {
    const value = all[pick % all.length]!;
    if (form % 2 === 0 || typeof value !== 'string') return value;
    if (INSTANTS.includes(field)) return eastern(value);
    return field === 'dev_eui' ? value.toLowerCase() : value;
  });
  const created = ((): Created => {
    const cell = (row: Row): Cell => plain(field, row[field] as Cell);
    const among = (row: Row) => formed.some((each) => plain(field, each) === cell(row));
    const [first] = formed;
    switch (operator % (isText ? 6 : 4)) {
      case 0:
        return { json: { '=': first }, is: (row) => plain(field, first!) === cell(row) };
      case 1:
        return { json: { '!=': first }, is: (row) => plain(field, first!) !== cell(row) };
      case 2:
        return { json: { $in: formed }, is: among };
      case 3:
        return { json: { $nin: formed }, is: (row) => !among(row) };
      case 4: {
        const pattern = patternOf(first as string, form);
        const meant = field === 'dev_eui' ? pattern.toUpperCase() : pattern;
        return { json: { $like: pattern }, is: (row) => matches(meant, cell(row) as string) };
      }
      default: {
        const pattern = patternOf(first as string, form).toUpperCase();
        const low = (text: string) => text.toLowerCase();
        return {
          json: { $ilike: pattern },
          is: (row) => matches(low(pattern), low(cell(row) as string)),
        };
      }
    }
  })();
  if (isInner) return created;
  const joined = innerOf(rows, given, created);
  return { json: { [field]: joined.json }, is: joined.is };
}

function innerOf(rows: readonly Row[], given: Condition, created: Created): Created {
  const { inner, operator } = given;
  if (inner === 'none') return created;
  const other = conditionOf(rows, { ...given, operator: operator + 1, inner: 'none' }, true);
  return {
    json: { [inner]: [created.json, other.json] },
    is: (row) =>
      inner === '$and' ? created.is(row) && other.is(row) : created.is(row) || other.is(row),
  };
}

function ofGroups(rows: readonly Row[], picks: readonly number[]): Created {
  const all = [...rows.flatMap(({ groups }) => groups.map(({ id }) => id)), 'nothing0'];
  const ids = picks.map((pick) => all[pick % all.length]!);
  return {
    json: { groups: { $intersects: ids } },
    is: ({ groups }) => groups.some(({ id }) => ids.includes(id)),
  };
}

function filterOf(rows: readonly Row[], given: FilterNode): Created {
  if ('join' in given) {
    const all = given.of.map((each) => filterOf(rows, each));
    const is = (row: Row) =>
      given.join === '$and' ? all.every((each) => each.is(row)) : all.some((each) => each.is(row));
    return { json: { [given.join]: all.map(({ json }) => json) }, is };
  }
  // A field stands once in a map.
  const fields = new Map(given.all.map((each) => [each.field, conditionOf(rows, each)]));
  const all = [...fields.values()];
  return {
    json: Object.assign({}, ...all.map(({ json }) => json)) as object,
    is: (row) => all.every((each) => each.is(row)),
  };
}

// ── order ────────────────────────────────────────────────────────────────────────────────────────

const rankOf = (field: string, value: Cell): string | number =>
  field === 'health_state' ? HEALTH.indexOf(value as string) : (value as string | number);

function compare(one: Row, other: Row, field: (typeof FIELDS)[number], isDown: boolean): number {
  const [a, b] = [one[field] as Cell, other[field] as Cell];
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  const isLess = rankOf(field, a) < rankOf(field, b);
  return isLess === isDown ? 1 : -1;
}

function sorted(rows: readonly Row[], sort: FilterTree['sort']): Row[] {
  const keys = [
    ...sort.map(([at, isDown]) => [FIELDS[at]!, isDown] as const),
    ['name', false] as const,
    ['dev_eui', false] as const,
  ];
  return rows.toSorted((one, other) => {
    for (const [field, isDown] of keys) {
      const order = compare(one, other, field, isDown);
      if (order !== 0) return order;
    }
    return 0;
  });
}

// ── the list ─────────────────────────────────────────────────────────────────────────────────────

/** A subscriber's devices in the words of v2, by v1. */
export function rowsOf(driven: Managed, who: Who): Row[] {
  const { model, world } = driven;
  return driven.got(who, { kind: 'endDevice.list' }).Devices.map((device) => {
    const { uplinks } = model.devices.get(device.DevEUI)!;
    const { BatteryLevel } = uplinks.statistics(world.nowUs, START_MS);
    const groups = model.groupsOf(device.DevEUI).map(({ id, name }) => ({ id, name }));
    return v2Of(device, who, BatteryLevel, groups);
  });
}

/** What fits a filter, in an order and with some fields, is what plain code makes of v1. */
export function listsAsFiltered(driven: Managed, who: Who, tree: FilterTree): void {
  const rows = rowsOf(driven, who);
  const created = tree.filter === null ? undefined : filterOf(rows, tree.filter);
  const sort = tree.sort.map(([at, isDown]) => `${isDown ? '-' : ''}${FIELDS[at]}`);
  const mask = tree.mask?.map((at) => FIELDS[at]!);
  const query = {
    kind: 'endDeviceV2.list',
    ...(created && { filter: JSON.stringify(created.json) }),
    ...(sort.length > 0 && { sort }),
    ...(mask && { field_mask: mask }),
  } as const;
  const wanted = sorted(rows.filter(created?.is ?? (() => true)), tree.sort);
  const { meta, data } = driven.got(who, query);
  const says = JSON.stringify(query);
  expect(meta, says).toEqual({ total: wanted.length, page: 1, page_size: null });
  expect(data, says).toEqual(wanted.map((row) => masked(row, mask)));
}

const masked = (row: Row, mask: readonly string[] | undefined) =>
  mask === undefined
    ? row
    : Object.fromEntries(
        Object.entries(row).filter(([field]) => field === 'dev_eui' || mask.includes(field)),
      );

/** Pages of any size are, one after the other, the whole list. */
export function pagesAreTheWhole(driven: Managed, who: Who, rows: readonly Row[]): void {
  const page_size = 1 + (driven.world.nowUs % 3);
  const data: unknown[] = [];
  for (let page = 1; page <= Math.floor(rows.length / page_size) + 1; page++) {
    const response = driven.got(who, { kind: 'endDeviceV2.list', page, page_size });
    expect(response.meta).toEqual({ total: rows.length, page, page_size });
    data.push(...response.data);
  }
  expect(data).toEqual(rows);
}
