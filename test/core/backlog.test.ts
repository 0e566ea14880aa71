/** Lists of a backlog stay bounded, whatever becomes of the deliveries in them. */
import { describe, expect, it } from 'vitest';
import { addDue } from '../../core/base/due-list.ts';
import { NEVER_US } from '../../core/base/instant.ts';
import { type Backlog, newBacklog, tidy } from '../../core/delivery/deliveries/backlog.ts';

const target = {
  owner: 'ann',
  id: 'a',
  kind: 'webhook',
  address: 'https://hook.example/in',
  enabled: true,
} as const;

/** One delivery waits at the head; behind it the list has that many entries of ended ones. */
function backlogOf(list: 'line' | 'due', stale: number): Backlog {
  const state = newBacklog(1, target, 'uplink');
  const dueAtUs = list === 'line' ? NEVER_US : 1;
  const first = { ordinal: 1, own: 1, emittedAtUs: 0, attempts: 0, keptBy: [] };
  state.waiting.set(1, { ...first, dueAtUs, isUnderway: false });
  addDue(state[list], { atUs: 1, member: 1 });
  for (let i = 0; i < stale; i++) addDue(state[list], { atUs: 2 + i, member: 2 + i });
  return state;
}

describe.each(['line', 'due'] as const)('the list %s', (list) => {
  it('keeps 64 stale entries and twice as many as wait', () => {
    const state = backlogOf(list, 65);
    tidy(state);
    expect(state[list]).toHaveLength(66);
  });

  it('loses all stale entries with one more, and keeps what waits', () => {
    const state = backlogOf(list, 66);
    tidy(state);
    expect(state[list]).toEqual([{ atUs: 1, member: 1 }]);
  });
});
