/** What clients have covered: all operations, or those with statuses that nobody has seen. */
import { describe, expect, it } from 'vitest';
import { coverageOperations } from '../../../api/host/watching/coverage-operations.ts';

const tally = (operation: string, asked: number, neverSeen: readonly number[]) => ({
  of: { operation, method: 'GET', path: `/${operation}`, statuses: [200, 404, 410] },
  asked,
  statuses: [{ status: 200, count: asked }],
  neverSeen,
});

function coverage() {
  let cleared = 0;
  const tallies = [tally('seen', 7, []), tally('half', 1, [404, 410]), tally('none', 0, [200])];
  const { 'coverage.get': get, 'coverage.clear': clear } = coverageOperations({
    tallies,
    clear: () => void cleared++,
  } as never);
  const ask = (given: { missing?: boolean }) => {
    const outcome = get.handle(given as never, {} as never) as unknown as {
      value: { operations: { operation: string }[] };
    };
    return outcome.value;
  };
  const named = (given: { missing?: boolean }) =>
    ask(given).operations.map(({ operation }) => operation);
  return {
    ask,
    named,
    clear: () => clear.handle({} as never, {} as never),
    cleared: () => cleared,
  };
}

describe('coverage', () => {
  it('has all operations, unless those with something missing are asked for', () => {
    const { named } = coverage();
    expect(named({})).toEqual(['seen', 'half', 'none']);
    expect(named({ missing: false })).toEqual(['seen', 'half', 'none']);
    expect(named({ missing: true })).toEqual(['half', 'none']);
  });

  it('has the same totals of both', () => {
    const { ask } = coverage();
    for (const given of [{}, { missing: true }]) {
      expect(ask(given)).toMatchObject({
        operations_asked: 2,
        operations_documented: 3,
        statuses_seen: 6,
        statuses_documented: 9,
      });
    }
  });

  it('begins anew on command', () => {
    const { clear, cleared } = coverage();
    clear();
    expect(cleared()).toBe(1);
  });
});
