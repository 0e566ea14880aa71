/** A notation for bugs that are planted in a trace: rows changed, dropped, repeated or moved. */
import type { TraceRow, UplinkEnds } from '../../sim/observation/observer.ts';

type Kind = TraceRow['kind'];
export type RowOf<K extends Kind> = Extract<TraceRow, { kind: K }>;
export type Bug = (rows: readonly TraceRow[]) => readonly TraceRow[];

/** The one row of a kind that has these values; a plant that finds none is a mistake. */
export function find<K extends Kind>(rows: readonly TraceRow[], kind: K, where: Partial<RowOf<K>>) {
  const at = rows.findIndex(
    (row) =>
      row.kind === kind &&
      Object.entries(where).every(([key, value]) => Reflect.get(row, key) === value),
  );
  if (at < 0) throw new Error(`the scene has no such ${kind}`);
  return at;
}

/** Changes fields of one row, without its kind. */
export function change<K extends Kind>(
  kind: K,
  where: Partial<RowOf<K>>,
  patch: (row: RowOf<K>) => Partial<Omit<RowOf<K>, 'kind'>>,
): Bug {
  return (rows) => {
    const at = find(rows, kind, where);
    return rows.with(at, { ...rows[at], ...patch(rows[at] as RowOf<K>) } as TraceRow);
  };
}

export const drop =
  <K extends Kind>(kind: K, where: Partial<RowOf<K>>): Bug =>
  (rows) =>
    rows.toSpliced(find(rows, kind, where), 1);

/** Repeats a row with changes. */
export const again =
  <K extends Kind>(kind: K, where: Partial<RowOf<K>>, patch: Partial<RowOf<K>> = {}): Bug =>
  (rows) => {
    const at = find(rows, kind, where);
    return rows.toSpliced(at + 1, 0, { ...rows[at], ...patch } as TraceRow);
  };

/** A fault of a gateway that nothing else in the trace knows of. */
export const failing =
  (gateway: string, fault: 'backhaul' | 'radio', fromUs: number, untilUs: number): Bug =>
  (rows) => {
    const row = { kind: 'gatewayFault', gateway, fault } as const;
    const both = [
      { ...row, atUs: fromUs, on: true },
      { ...row, atUs: untilUs, on: false },
    ];
    return [...rows, ...both].toSorted((a, b) => a.atUs - b.atUs);
  };

/** The same of a device's radio. */
export const muting =
  (device: string, fromUs: number, untilUs: number): Bug =>
  (rows) => {
    const row = { kind: 'deviceFault', device, fault: 'radio' } as const;
    const both = [
      { ...row, atUs: fromUs, on: true },
      { ...row, atUs: untilUs, on: false },
    ];
    return [...rows, ...both].toSorted((a, b) => a.atUs - b.atUs);
  };

/** Noise beside a gateway for all the time, 1/100 dB, that nothing else in the trace knows of. */
export const noisy =
  (gateway: string, centiDb: number): Bug =>
  (rows) => [
    { kind: 'gatewayFault', gateway, fault: 'noise', atUs: 0, on: true, centiDb },
    ...rows,
  ];

export const fateAt = (device: string, frame: number, gateway: string, fate: string): Bug =>
  change('uplinkEnds', { device, frame }, ({ gateways }) => ({
    gateways: gateways.map((at) =>
      at.gateway === gateway ? ({ ...at, fate } as UplinkEnds['gateways'][number]) : at,
    ),
  }));

export const levelAt = (
  device: string,
  frame: number,
  gateway: string,
  rssiCentiDbm: number,
): Bug =>
  change('uplinkEnds', { device, frame }, ({ gateways }) => ({
    gateways: gateways.map((at) => (at.gateway === gateway ? { ...at, rssiCentiDbm } : at)),
  }));

/** Moves all that a device's frame does. */
export const shift =
  (device: string, frame: number, byUs: number): Bug =>
  (rows) =>
    rows
      .map((row) =>
        'frame' in row && row.device === device && row.frame === frame
          ? { ...row, atUs: row.atUs + byUs }
          : row,
      )
      .toSorted((a, b) => a.atUs - b.atUs);

/** Replaces uplinks by one of `count` copies every `everyUs`. */
export const sendOften =
  (device: string, count: number, everyUs: number): Bug =>
  (rows) => {
    const begins = rows[find(rows, 'uplinkBegins', { device })] as RowOf<'uplinkBegins'>;
    const copies = Array.from({ length: count }, (_, frame) => ({
      ...begins,
      frame,
      counter: frame,
      atUs: begins.atUs + frame * everyUs,
    }));
    return [...rows.filter((row) => row.kind === 'deviceStarts'), ...copies];
  };

export const later = (us: number) => (row: { atUs: number }) => ({ atUs: row.atUs + us });

/** The level at which a gateway's downlink was heard, at all devices. */
export const heardAt = (gateway: string, rssiCentiDbm: number): Bug =>
  change('downlinkEnds', { gateway }, ({ devices }) => ({
    devices: devices.map((one) => ({ ...one, rssiCentiDbm })),
  }));
