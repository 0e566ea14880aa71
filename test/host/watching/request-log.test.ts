/** The bounds of the log of requests. */
import { describe, expect, it } from 'vitest';
import { RequestLog } from '../../../api/host/watching/request-log.ts';

const NONE = { bytes: 0, text: '', cut: false };
const request = (log: RequestLog, path: string, text = '') => ({
  id: log.nextId,
  at: '2026-03-01T00:00:00.000000Z',
  wall_ms: 1,
  method: 'GET',
  path,
  operation: null,
  subscriber: null,
  client_id: null,
  status: 200,
  request: NONE,
  answer: { bytes: text.length, text, cut: false },
});

describe('the log of requests', () => {
  it('keeps the latest of that many', () => {
    const log = new RequestLog();
    for (let i = 1; i <= 2_500; i++) log.add(request(log, `/${i}`));
    const stored = log.list({ limit: 5_000 }).map(({ id }) => id);
    expect(stored).toEqual(Array.from({ length: 1_000 }, (_, i) => 2_500 - i));
  });

  it('keeps the latest of that many bytes, however they are spread', () => {
    const log = new RequestLog({ entries: 1_000, bytes: 200_000 });
    for (let i = 0; i < 100; i++) log.add(request(log, '/', 'x'.repeat(4_096)));
    expect(log.list({ limit: 1_000 })).toHaveLength(22);
    log.add(request(log, `/${'y'.repeat(64_000)}`, 'ä'.repeat(10_000)));
    const stored = log.list({ limit: 1_000 });
    expect(stored).toHaveLength(6);
    expect(stored[0]!.id).toBe(101);
  });

  it('is empty when it is cleared, and has place again', () => {
    const log = new RequestLog({ entries: 1_000, bytes: 20_000 });
    log.add(request(log, '/', 'x'.repeat(8_000)));
    log.clear();
    expect(log.list({ limit: 10 })).toEqual([]);
    log.add(request(log, '/', 'x'.repeat(8_000)));
    expect(log.list({ limit: 10 }).map(({ id }) => id)).toEqual([2]);
  });
});
