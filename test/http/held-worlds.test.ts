/** A world that is walked through stands still: queries are answered, commands wait (0110). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Ask, neighboursAt, type Served, serveNeighbours } from '../support/neighbours.ts';

let served: Served;
let eve: Ask;
let ann: Ask;

beforeAll(async () => {
  served = await serveNeighbours({}, 1_500, '1 h');
  ({ eve, ann } = await neighboursAt(served));
  await eve('POST', '/sim/v1/clock:advance', { by: 3_600 });
});
afterAll(() => served.stop());

it('a command waits until a result, a report, a snapshot or a fork is made', async () => {
  for (const [method, path, body] of [
    ['GET', '/sim/v1/result.json'],
    ['GET', '/sim/v1/report.html'],
    ['GET', '/sim/v1/world'],
    ['POST', '/sim/v1/snapshots', { name: 'here' }],
    ['POST', '/sim/v1/worlds', {}],
  ] as const) {
    const whole = eve(method, path, body);
    const groups = [];
    for (let i = 0; i < 8; i++) {
      groups.push(ann('POST', '/v1/groups/devices', { Name: `${path} ${i}` }));
      groups.push(ann('GET', '/v1/groups/devices'));
    }
    expect({ path, status: (await whole).status }).toEqual({
      path,
      status: method === 'GET' ? 200 : 201,
    });
    for (const each of groups) expect((await each).status).toBe(200);
  }
});

it('a clock that runs stands still meanwhile, and goes on', async () => {
  await eve('PUT', '/sim/v1/clock', { paused: false, speed: 600 });
  const results = await Promise.all(
    Array.from({ length: 3 }, () => eve('GET', '/sim/v1/result.json')),
  );
  for (const { status } of results) expect(status).toBe(200);
  const nowOf = async () => JSON.parse((await eve('GET', '/sim/v1/clock')).text).now;
  const before = await nowOf();
  await expect.poll(nowOf).not.toBe(before);
});
