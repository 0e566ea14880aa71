/** What follows when a block is complete, and when a device notices (TS004-1.0.0, TS006-1.0.0). */
import { describe, expect, it } from 'vitest';
import { SECOND_US } from '../support/small-network.ts';
import { runCampaign, takenBy } from './notation.ts';

describe('a device that has received the last fragment it needs', () => {
  const trace = runCampaign({ devices: 3, campaign: { redundancy: 1 } });

  it('has taken each fragment once, in order, and at least as many as the block has', () => {
    for (const device of ['meter-1', 'meter-2', 'meter-3']) {
      const taken = takenBy(trace, device);
      expect(taken).toEqual([...new Set(taken)].sort((a, b) => a - b));
      expect(taken.length).toBeGreaterThanOrEqual(20);
    }
  });

  it('activates the image 10 s later, whatever else it does', () => {
    const completed = trace.of('fragmentTaken').filter(({ completes }) => completes);
    expect(completed).toHaveLength(3);
    expect(trace.of('imageActivated').map(({ device, atUs }) => [device, atUs])).toEqual(
      completed.map(({ device, receivedAtUs }) => [device, receivedAtUs + 10 * SECOND_US]),
    );
  });

  it('notices it at the end of that fragment', () => {
    for (const { completes, atUs, receivedAtUs } of trace.of('fragmentTaken')) {
      if (completes) expect(atUs).toBe(receivedAtUs);
    }
  });

  it('leaves the session then', () => {
    const completed = trace.of('fragmentTaken').filter(({ completes }) => completes);
    expect(trace.of('multicastSessionCloses').map(({ atUs }) => atUs)).toEqual(
      completed.map(({ atUs }) => atUs),
    );
  });
});
