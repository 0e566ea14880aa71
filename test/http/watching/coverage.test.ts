/** What clients have covered of the documented operations: docs/conformance.md is its measure. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../api/http/families.ts';
import { answeredOn, conformancePage } from '../../support/conformance.ts';
import { DOCUMENTED_ROWS } from '../../support/documented-rows.ts';
import { type Fleet, makeFleet } from '../fuzz/fleet.ts';

const COVERAGE = '/sim/v1/coverage';

interface Covered {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly asked: number;
  readonly statuses: readonly { readonly status: number; readonly count: number }[];
  readonly never_seen: readonly number[];
}

interface Coverage {
  readonly operations_asked: number;
  readonly operations_documented: number;
  readonly statuses_seen: number;
  readonly statuses_documented: number;
  readonly operations: readonly Covered[];
}

let fleet: Fleet;

beforeAll(async () => {
  fleet = await makeFleet();
});
afterAll(() => fleet.close());

async function covered(query = ''): Promise<Coverage> {
  const answer = await fleet.get('ann', COVERAGE + query);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Coverage>();
}

async function anew(): Promise<void> {
  expect((await fleet.send('ann', 'DELETE', COVERAGE, {})).statusCode).toBe(204);
}

const named = ({ method, path }: Pick<Covered, 'method' | 'path'>) => `${method} ${path}`;

describe('GET /sim/v1/coverage', () => {
  it('has each documented operation once, and no other', async () => {
    const { operations, operations_documented } = await covered();
    const expected = DOCUMENTED_ROWS.map(named).sort();
    expect(operations.map(named).sort()).toEqual(expected);
    expect(operations_documented).toBe(144);
    const beyond = FAMILIES.flatMap(({ routes }) => routes.filter((route) => route.beyond));
    expect(beyond).toHaveLength(9);
  });

  it('knows the statuses that docs/conformance.md has seen of each', async () => {
    await anew();
    const { operations, statuses_documented } = await covered();
    const answered = answeredOn(conformancePage());
    const rows = new Map(DOCUMENTED_ROWS.map((each) => [named(each), each.row]));
    let total = 0;
    for (const each of operations) {
      const { statuses } = answered.get(rows.get(named(each))!)!;
      expect([named(each), each.never_seen]).toEqual([named(each), [...statuses]]);
      total += statuses.length;
    }
    expect(statuses_documented).toBe(total);
  });

  it('counts operations and statuses, by either prefix', async () => {
    await anew();
    await fleet.get('ann', '/api/v3.2/campaigns');
    await fleet.get('bob', '/api/latest/campaigns');
    await fleet.get('bob', '/api/latest/campaigns/nobody');
    await fleet.ask({ method: 'GET', url: '/api/v3.2/campaigns', headers: {} });
    await fleet.ask({ method: 'HEAD', url: '/api/v3.2/campaigns', headers: {} });
    await fleet.get('ann', '/v1/roles');
    const { operations, statuses_documented, ...totals } = await covered();
    const asked = operations.filter((each) => each.asked > 0);
    expect(asked).toEqual([
      {
        operation: 'campaign.list',
        method: 'GET',
        path: '/api/v3.2/campaigns',
        asked: 3,
        statuses: [
          { status: 200, count: 2 },
          { status: 401, count: 1 },
        ],
        never_seen: [400, 403],
      },
      {
        operation: 'campaign.get',
        method: 'GET',
        path: '/api/v3.2/campaigns/{campaign_id}',
        asked: 1,
        statuses: [{ status: 404, count: 1 }],
        never_seen: [200, 202, 400, 401, 403],
      },
    ]);
    expect(totals).toEqual({
      operations_asked: 2,
      operations_documented: 144,
      statuses_seen: 3,
    });
    expect(statuses_documented).toBeGreaterThan(144 * 4);
  });

  it('continues when the log of requests is emptied, and begins anew on command', async () => {
    await anew();
    await fleet.get('ann', '/api/v3.2/campaigns');
    await fleet.send('ann', 'DELETE', '/sim/v1/requests', {});
    expect((await covered()).operations_asked).toBe(1);
    await anew();
    expect(await covered()).toMatchObject({ operations_asked: 0, statuses_seen: 0 });
  });

  it('reports what is missing alone', async () => {
    await anew();
    const before = (await covered('?missing=true')).operations.length;
    const get = (token: string, query = '') =>
      fleet.ask({ method: 'GET', url: `/v1/account${query}`, headers: { authorization: token } });
    const { authorization } = fleet.headersOf('ann');
    await get(authorization!);
    await get('');
    const whole = await covered();
    const one = whole.operations.find(({ operation }) => operation === 'account.get')!;
    const missing = await covered('?missing=true');
    expect(before).toBe(144);
    expect(missing.operations).toHaveLength(one.never_seen.length === 0 ? 143 : 144);
    expect(missing.operations.every(({ never_seen }) => never_seen.length > 0)).toBe(true);
    expect({ ...missing, operations: [] }).toEqual({ ...whole, operations: [] });
  });
});
