/** api/engine: what a worker takes, runs, hands back and refuses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChunkQueue } from '../../api/engine/chunk-queue.ts';
import { ChunkWorker } from '../../api/engine/chunk-worker.ts';
import { unpacked } from '../../api/engine/handed-back.ts';
import { planId } from '../../api/host/studies/keys.ts';
import { bundle } from '../support/bundled.ts';
import { BUILD, EngineStudy, MATH, queueAt, until } from '../support/engine-study.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-servers.ts';

describe.skipIf(!hasRedis())('a worker', () => {
  let redis: RedisServer;
  let study: EngineStudy;
  const open: ChunkQueue[] = [];

  beforeAll(async () => {
    bundle();
    redis = await startRedis();
    study = await EngineStudy.of();
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
    await redis.asked((asked) => asked.flushall());
  });
  afterAll(async () => {
    study.remove();
    await redis.stop();
  });

  async function queue(build = BUILD): Promise<ChunkQueue> {
    const made = await queueAt(redis.url, build);
    open.push(made);
    return made;
  }

  const jobs = (chunks: number) =>
    Array.from({ length: chunks }, (_, chunk) => ({
      study: planId(study.plan),
      chunk,
      rows: `${2 * chunk}-${2 * chunk + 1}`,
      buildId: BUILD,
      mathHash: MATH,
    }));

  function working(on: ChunkQueue, mathHash = MATH) {
    const said: string[] = [];
    let isOver = false;
    const worker = new ChunkWorker(on, {
      threads: 1,
      mathHash,
      lostAfterMs: 60_000,
      say: (line) => said.push(line),
      stops: () => isOver,
    });
    const end = worker.run();
    const stop = () => {
      isOver = true;
      return end;
    };
    return { said, stop, end };
  }

  it('runs worlds on a thread, and hands back rows that any worker has', async () => {
    const asking = await queue();
    await asking.publish(study.plan);
    await asking.add(jobs(2), 1);
    const { stop, said } = working(await queue());
    const handed = await until(async () => {
      const rows = await asking.handedBack(planId(study.plan), 10);
      return rows.length === 2 ? rows : undefined;
    });
    expect(await stop()).toBe('stopped');
    const [first, second] = handed.map((each) => unpacked(each)!);
    expect([first!.chunk, second!.chunk]).toEqual([0, 1]);
    expect(first!.rows.map(({ key }) => key)).toEqual([0, 1].map((at) => study.rowAt(at).key));
    expect(first!.rows[0]).toHaveProperty('digest');
    expect(said).toEqual([]);
    expect((await asking.workers()).workers).toBe(0);
  });

  it('that computes otherwise takes nothing, says so, and leaves the chunk to others', async () => {
    const asking = await queue();
    await asking.publish(study.plan);
    await asking.add(jobs(1), 1);
    const { end, said } = working(await queue(), 'another');
    expect(await end).toBe('refused');
    expect(said).toEqual([
      'this machine computes otherwise than the one that asks (math self-test another, not ' +
        `${MATH}), so that its rows would not be the same: it takes no work`,
    ]);
    expect(await asking.waiting()).toBe(1);
    const [job] = await asking.queue.getJobs(['prioritized', 'waiting']);
    expect(job!.attemptsMade).toBe(0);
    expect(await asking.handedBack(planId(study.plan), 10)).toEqual([]);
  });

  it('of another build never takes the work', async () => {
    const asking = await queue();
    await asking.publish(study.plan);
    await asking.add(jobs(1), 1);
    const { stop } = working(await queue('another-build'));
    await until(async () => (await asking.workers()).others.length === 1 || undefined);
    await sleep(300);
    expect(await asking.waiting()).toBe(1);
    expect(await stop()).toBe('stopped');
  });

  it('without the plan tries again later, as when Redis was emptied', async () => {
    const asking = await queue();
    await asking.add(jobs(1), 1);
    const { stop, said } = working(await queue());
    await until(async () => said.length > 0 || undefined);
    expect(said[0]).toMatch(/ failed: the plan [0-9a-f]{16} is not there; its study puts it$/);
    await asking.publish(study.plan);
    await until(async () => {
      const rows = await asking.handedBack(planId(study.plan), 10);
      return rows.length === 1 || undefined;
    });
    expect(await stop()).toBe('stopped');
  });

  it('runs no plan that is another than its digest says', async () => {
    const asking = await queue();
    const key = `bull:fleetwave-plan:${planId(study.plan)}`;
    await asking.redis.set(key, JSON.stringify({ ...study.plan, study: 'another' }));
    await asking.add(jobs(1), 1);
    const { stop, said } = working(await queue());
    await until(async () => said.length > 0 || undefined);
    expect(said[0]).toContain('is not the plan of that digest');
    expect(await stop()).toBe('stopped');
  });
});
