/** The history of reported configurations, whatever the devices report. */
import { describe, expect, it } from 'vitest';
import { ConfigurationHistory } from '../../../core/delivery/device-configuration/history.ts';

describe('the history of all devices of a subscriber', () => {
  it('is bounded: who has not changed for longest loses the oldest first, others’ stay', () => {
    const history = new ConfigurationHistory(100);
    history.add('bob', 'B', { a: 0 }, 1);
    for (let i = 10; i < 50; i++) history.add('ann', i % 2 ? 'A' : 'C', { a: i }, i);
    const stored = ['A', 'C'].flatMap((devEui) => history.of('ann', devEui));
    expect(stored).toHaveLength(12); // of 8 characters
    expect(history.of('ann', 'A')[0]!.config).toEqual({ a: 49 });
    expect(history.of('bob', 'B')).toHaveLength(1);
    history.forget('ann', 'A');
    expect(history.of('ann', 'A')).toEqual([]);
    expect(history.of('ann', 'C').length).toBeGreaterThan(0);
  });
});
