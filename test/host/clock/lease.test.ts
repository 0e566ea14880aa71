/** How far a world may go before the journal knows of it. */
import { describe, expect, it } from 'vitest';
import { JournalLease, noLease } from '../../../api/host/clock/lease.ts';
import { ManualTime } from '../../support/manual-time.ts';

const S = 1_000_000;
const FAR = Number.POSITIVE_INFINITY;

/** A lease whose writes and wall time are in the test's hands. */
function bench(grantedUs = 0) {
  const writes: { readonly atUs: number; readonly done: (isStored: boolean) => void }[] = [];
  const time = new ManualTime();
  let elapsedMs = 0;
  const lease = new JournalLease(
    {
      write: (atUs, done) => void writes.push({ atUs, done }),
      time: { elapsedMs: () => elapsedMs, later: (act, ms) => time.later(act, ms) },
    },
    grantedUs,
  );
  let more = 0;
  lease.onMore = () => more++;
  return {
    lease,
    writes,
    time,
    passes: (ms: number) => {
      elapsedMs += ms;
    },
    get more() {
      return more;
    },
  };
}

describe('a world that is stored', () => {
  it('goes no further than what is written, nor than it wishes', () => {
    const { lease } = bench(5 * S);
    expect(lease.reach(0, { untilUs: 9 * S, mostUs: FAR, aheadUs: 0 })).toBe(5 * S);
    expect(lease.reach(0, { untilUs: 3 * S, mostUs: FAR, aheadUs: 0 })).toBe(3 * S);
    expect(lease.reach(7 * S, { untilUs: 9 * S, mostUs: FAR, aheadUs: 0 })).toBe(7 * S);
  });

  it('asks for more where less than half of what it needs ahead is left, once', () => {
    const { lease, writes } = bench(10 * S);
    const wish = { untilUs: FAR, mostUs: FAR, aheadUs: 4 * S };
    lease.reach(8 * S, wish);
    expect(writes).toEqual([]);
    lease.reach(8 * S + 1, wish);
    lease.reach(9 * S, wish);
    expect(writes.map(({ atUs }) => atUs)).toEqual([14 * S]);
  });

  it('may go on once that is written, and is reported', () => {
    const one = bench();
    const wish = { untilUs: FAR, mostUs: FAR, aheadUs: 4 * S };
    expect(one.lease.reach(0, wish)).toBe(0);
    one.writes[0]!.done(true);
    expect([one.more, one.lease.reach(0, wish)]).toEqual([1, 4 * S]);
  });

  it('asks for no more than it may want at the most, and not beyond that', () => {
    const { lease, writes } = bench();
    const wish = { untilUs: FAR, mostUs: 3 * S, aheadUs: 4 * S };
    lease.reach(0, wish);
    expect(writes.map(({ atUs }) => atUs)).toEqual([3 * S]);
    writes[0]!.done(true);
    lease.reach(3 * S, wish);
    expect(writes).toHaveLength(1);
  });

  it('is reported a second after a full disk has refused, and asks again then', () => {
    const one = bench();
    const wish = { untilUs: FAR, mostUs: FAR, aheadUs: 4 * S };
    one.lease.reach(0, wish);
    one.writes[0]!.done(false);
    one.time.pass(999);
    expect(one.more).toBe(0);
    one.time.pass(1);
    expect([one.more, one.lease.reach(0, wish)]).toEqual([1, 0]);
    expect(one.writes).toHaveLength(2);
  });

  it('settles where it stands, and what was underway counts no more', () => {
    const one = bench(9 * S);
    const wish = { untilUs: FAR, mostUs: FAR, aheadUs: 40 * S };
    one.lease.reach(0, wish);
    one.lease.settle(2 * S);
    expect(one.writes.map(({ atUs }) => atUs)).toEqual([49 * S, 2 * S]);
    one.writes[0]!.done(true);
    expect([one.more, one.lease.reach(0, { ...wish, aheadUs: 0 })]).toEqual([0, 2 * S]);
    one.lease.settle(2 * S);
    expect(one.writes).toHaveLength(2);
  });

  it('at full speed has longer leases where the last was short, and the other way', () => {
    const { lease, writes, passes } = bench();
    let nowUs = 0;
    /** What is asked for next, once the last lease has taken so long. */
    const next = (ms: number): number => {
      passes(ms);
      lease.reach(nowUs, { untilUs: FAR, mostUs: FAR });
      const { atUs, done } = writes.at(-1)!;
      const aheadUs = atUs - nowUs;
      done(true);
      nowUs = atUs;
      return aheadUs / S;
    };
    expect([next(200), next(99), next(0), next(100), next(400)]).toEqual([1, 4, 16, 16, 16]);
    expect([next(401), next(1_000), next(1_000), next(1_000)]).toEqual([4, 1, 1, 1]);
    for (let i = 0; i < 12; i++) next(0);
    expect(next(0)).toBe(86_400);
  });
});

it('a world that is not stored goes as far as it likes', () => {
  const lease = noLease();
  expect(lease.reach(0, { untilUs: 7, mostUs: 3 })).toBe(7);
  lease.settle(1);
  lease.onMore();
});
