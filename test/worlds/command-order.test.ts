/** When a command takes effect (ARCHITECTURE.md, How a thing flows). */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../core/command.ts';
import { World } from '../../core/world/world.ts';
import { eui, networkOf, SECOND_US, Trace, watch } from '../support/small-network.ts';

const NETWORK = networkOf({ devices: 2, type: { nbTrans: 2 } });
const END_US = 130 * SECOND_US;
const REMOVAL: Command = { kind: 'device.remove', by: 'default', devEui: eui('02', 1) };

/** What had happened by the end of an instant. */
const until = (trace: Trace, atUs: number): string[] =>
  trace.rows.filter((row) => row.atUs <= atUs).map((row) => JSON.stringify(row));

describe('a command', () => {
  const plain = watch(NETWORK, END_US);
  const instants = [...new Set(plain.rows.map(({ atUs }) => atUs))];

  it('takes effect after all events of its instant, from the timeline', () => {
    expect(instants.length).toBeGreaterThan(20);
    for (const atUs of instants) {
      const before = until(plain, atUs);
      const trace = watch(NETWORK, END_US, [{ atUs, command: REMOVAL }]);
      expect(until(trace, atUs).slice(0, before.length)).toEqual(before);
    }
  });

  it('takes effect after all events of its instant when it is submitted', () => {
    for (const atUs of instants) {
      const before = until(plain, atUs);
      const trace = new Trace();
      const plan = { name: 'small', description: '', durationUs: END_US, network: NETWORK };
      const world = World.create({ ...plan, timeline: [] }, 'small', { observer: trace });
      world.runUntil(atUs);
      world.submit(REMOVAL);
      world.runUntil(END_US);
      expect(until(trace, atUs).slice(0, before.length)).toEqual(before);
    }
  });
});
