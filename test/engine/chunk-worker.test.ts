/** api/engine: what a worker takes, runs, hands back and refuses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChunkQueue } from '../../api/engine/chunk-queue.ts';
import { ChunkWorker } from '../../api/engine/chunk-worker.ts';
import { packed, unpacked } from '../../api/engine/handed-back.ts';
import { planId } from '../../api/host/studies/keys.ts';
import { bundle } from '../support/bundled.ts';
import { type EngineServer, enginesHere } from '../support/engine-servers.ts';
import { BUILD, EngineStudy, MATH, queueAt, until } from '../support/engine-study.ts';

it('rows come back as they were packed, or are seen to be damaged', () => {
  const row = { key: 'a', seed: 'town', digest: '0', figures: { received: 1 }, unfinished: [] };
  const written = packed(3, [row]);
  expect(unpacked(JSON.stringify(written))).toEqual({ chunk: 3, rows: [row] });
  const another = packed(3, [{ ...row, digest: '1' }]);
  const damaged = [{ ...written, rows: another.rows }, { ...written, rows: 'no gzip' }, {}];
  for (const each of damaged) expect(unpacked(JSON.stringify(each))).toBeUndefined();
});

describe.each(enginesHere())('a worker over $name', (kind) => {
  let server: EngineServer;
  let study: EngineStudy;
  const open: ChunkQueue[] = [];

  beforeAll(async () => {
    bundle();
    server = await kind.start();
    study = await EngineStudy.of();
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
    await server.empty();
  });
  afterAll(async () => {
    study.remove();
    await server.stop();
  });

  async function queue(build = BUILD): Promise<ChunkQueue> {
    const created = await queueAt(server.url, build);
    open.push(created);
    return created;
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

  it('that computes otherwise takes nothing, says so, leaves the chunk to others', async () => {
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

  it('without the plan tries again later, as when the engine was emptied', async () => {
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

  it('takes no chunk of a study that was cancelled, until it is taken up again', async () => {
    const asking = await queue();
    const id = planId(study.plan);
    await asking.publish(study.plan);
    expect(await asking.cancel(id)).toEqual({ takenBack: 0, begun: 0 });
    await asking.add(jobs(2), 1);
    const { stop, said } = working(await queue());
    await until(async () => (await asking.chunksIn('completed', id)).length === 2 || undefined);
    expect(await asking.standing(id)).toMatchObject({ cameBack: 0, isCancelled: true });
    for (const chunk of [0, 1]) await asking.remove(id, chunk);
    await asking.takeUp(id);
    await asking.add(jobs(2), 1);
    await until(async () => (await asking.standing(id)).cameBack === 2 || undefined);
    expect(await stop()).toBe('stopped');
    expect(said).toEqual([]);
  });

  it('runs no plan that is another than its digest says', async () => {
    const asking = await queue();
    const another = JSON.stringify({ ...study.plan, study: 'another' });
    await asking.engine.keep(`plan:${planId(study.plan)}`, another);
    await asking.add(jobs(1), 1);
    const { stop, said } = working(await queue());
    await until(async () => said.length > 0 || undefined);
    expect(said[0]).toContain('is not the plan of that digest');
    expect(await stop()).toBe('stopped');
  });
});
