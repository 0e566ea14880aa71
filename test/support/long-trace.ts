/** Long traces: a short one repeated, each time later, with numbers that go on. */
import type { TraceRow } from '../../sim/observation/observer.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Numbers that go on from one turn to the next. */
const NUMBERS: readonly string[] = ['frame', 'downlink', 'counter', 'fCnt'];
const isInstant = (key: string): boolean => key.endsWith('Us') && key !== 'airtimeUs';

function later(fields: Fields, byUs: number, byNumber: number): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      if (typeof value === 'number') {
        if (NUMBERS.includes(key)) return [key, value + byNumber];
        return [key, isInstant(key) ? value + byUs : value];
      }
      // Windows and ping slots stand in rows of their own; lists name levels.
      const isPart = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [key, isPart ? later(value as Fields, byUs, byNumber) : value];
    }),
  );
}

/** What follows when a turn is over and the next one is to begin with devices that are new. */
function removals(rows: readonly TraceRow[], atUs: number): TraceRow[] {
  const names = rows.flatMap((row) => (row.kind === 'deviceStarts' ? [row.device] : []));
  return names.map((device) => ({ kind: 'deviceRemoved', atUs, device }));
}

/** `least` rows or a few more; devices live through all of it, or are new in each turn. */
export function longTrace(
  rows: readonly TraceRow[],
  least: number,
  lives: 'one' | 'many',
): TraceRow[] {
  const periodUs = rows.reduce((most, { atUs }) => Math.max(most, atUs), 0) + 10_000_000;
  const long: TraceRow[] = [];
  for (let turn = 0; long.length < least; turn++) {
    const starts = turn === 0 || lives === 'many';
    for (const row of rows) {
      const isStart = row.kind === 'deviceStarts' || row.kind === 'gatewayStarts';
      if (isStart && !(starts && row.kind === 'deviceStarts') && turn > 0) continue;
      long.push(later(row as unknown as Fields, turn * periodUs, 1000 * turn) as never);
    }
    if (lives === 'many') long.push(...removals(rows, (turn + 1) * periodUs - 1));
  }
  return long;
}
