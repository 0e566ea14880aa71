/** Requests counted by method, route and status, with how fast they were answered. */
import { expect, it } from 'vitest';
import { BUCKETS_S, RequestTally } from '../../../api/host/watching/request-tally.ts';

const GET = { method: 'GET', route: '/things/{id}', status: 200 };

it('requests of one method, route and status are one tally', () => {
  const tally = new RequestTally();
  tally.note(GET, 0.25);
  tally.note(GET, 0.5);
  tally.note({ ...GET, method: 'PUT' }, 1);
  tally.note({ ...GET, status: 404 }, 1);
  tally.note({ ...GET, route: '/things' }, 1);
  const all = [...tally.all];
  expect(
    all.map(({ method, route, status, count, seconds }) => [method, route, status, count, seconds]),
  ).toEqual([
    ['GET', '/things/{id}', 200, 2, 0.75],
    ['PUT', '/things/{id}', 200, 1, 1],
    ['GET', '/things/{id}', 404, 1, 1],
    ['GET', '/things', 200, 1, 1],
  ]);
});

it.each([
  [0, [1, 1, 1, 1, 1, 1, 1]],
  [0.001, [1, 1, 1, 1, 1, 1, 1]],
  [0.0011, [0, 1, 1, 1, 1, 1, 1]],
  [0.5, [0, 0, 0, 0, 1, 1, 1]],
  [10, [0, 0, 0, 0, 0, 0, 1]],
  [10.1, [0, 0, 0, 0, 0, 0, 0]],
])('an answer after %d s is in each bucket that ends no earlier', (seconds, within) => {
  const tally = new RequestTally();
  tally.note(GET, seconds);
  expect([...tally.all][0]!.within).toEqual(within);
  expect(BUCKETS_S).toHaveLength(within.length);
});
