/** Frame counters at their limits (LoRaWAN 1.0.3 and 1.0.4 §4.3.1.5). */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import type { DeviceTypePlan } from '../../sim/plan/network-plan.ts';
import { HOUR_US, MINUTE_US, networkOf, Trace } from '../support/small-network.ts';

/** A world of one device whose FCntUp is set to another value after ten minutes. */
function jumping(type: Partial<DeviceTypePlan>, fCntUp: number, serverFCntUp?: number): Trace {
  const network = networkOf({ type });
  const plan = { name: 'jump', description: '', durationUs: HOUR_US, network, timeline: [] };
  const world = World.create(plan, 'jump');
  world.runUntil(10 * MINUTE_US);
  const snapshot = structuredClone(world.snapshot());
  const { devices, registrations } = snapshot.network.sides;
  devices.table.columns.fCntUp![0] = fCntUp;
  if (serverFCntUp !== undefined) registrations.table.columns.fCntUp![0] = serverFCntUp;
  const trace = new Trace();
  World.restore(plan, 'jump', snapshot, { observer: trace }).runUntil(HOUR_US);
  return trace;
}

const verdicts = (trace: Trace): string[] =>
  trace.of('uplinkCollected').map(({ verdict }) => verdict);

describe('a counter that jumps by more than MAX_FCNT_GAP', () => {
  it('is refused up to 1.0.3', () => {
    expect(new Set(verdicts(jumping({ lorawan: '1.0.3' }, 30_000)))).toEqual(
      new Set(['counterGap']),
    );
  });

  it('is accepted from 1.0.4 on', () => {
    expect(new Set(verdicts(jumping({ lorawan: '1.0.4' }, 30_000)))).toEqual(new Set(['accepted']));
  });
});

describe('a counter', () => {
  it('goes on over 16 bits: both sides know all 32', () => {
    const trace = jumping({}, 65_530, 65_529);
    expect(new Set(verdicts(trace))).toEqual(new Set(['accepted']));
    expect(trace.of('uplinkBegins').map(({ counter }) => counter)).toContain(65_540);
  });

  it('that has reached its last value ends the session: the device joins anew', () => {
    const last = 0xffff_ffff;
    const trace = jumping({ activation: 'otaa' }, last, last - 1);
    const rows = trace.of('uplinkBegins').map(({ purpose, counter }) => [purpose, counter]);
    expect(rows[0]).toEqual(['data', last]);
    expect(rows[1]![0]).toBe('join');
    expect(rows.slice(2, 4)).toEqual([
      ['data', 0],
      ['data', 1],
    ]);
  });

  it('that has reached its last value silences a personalised device', () => {
    const trace = jumping({}, 0xffff_ffff, 0xffff_fffe);
    expect(trace.of('uplinkBegins')).toHaveLength(1);
  });
});
