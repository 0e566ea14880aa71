/** api/engine: what a coordinator hands out, lands, compares and hands out again. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChunkJob, ChunkQueue } from '../../api/engine/chunk-queue.ts';
import { losing } from '../../api/engine/chunk-worker.ts';
import type { EngineWorker } from '../../api/engine/engine.ts';
import { planId } from '../../api/host/studies/keys.ts';
import { foldedStudy } from '../../api/host/studies/study-rows.ts';
import { type EngineServer, enginesHere } from '../support/engine-servers.ts';
import { answering, EngineStudy, queueAt, STUDY, until } from '../support/engine-study.ts';

it('looks four times in the time after which a worker is lost, and gives up at the sixth', () => {
  const looked = { lockDuration: 60_000, stalledInterval: 15_000, maxStalledCount: 5 };
  expect(losing(60_000)).toEqual(looked);
});

describe.each(enginesHere())('a coordinator over $name', (kind) => {
  let server: EngineServer;
  let study: EngineStudy;
  const open: (ChunkQueue | EngineWorker<ChunkJob>)[] = [];

  beforeAll(async () => {
    server = await kind.start();
    study = await EngineStudy.of();
  });
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
    await server.empty();
  });
  afterAll(async () => {
    study.remove();
    await server.stop();
  });

  async function queue(): Promise<ChunkQueue> {
    const created = await queueAt(server.url);
    open.push(created);
    return created;
  }

  async function worker(act?: (job: ChunkJob, of: ChunkQueue) => Promise<void>) {
    const of = await queue();
    const handsBack = (job: ChunkJob) => of.handBack(job.study, study.packed(job));
    open.push(answering(of, ({ data }) => act?.(data, of) ?? handsBack(data)));
  }

  const filesIn = (name: string) => readdirSync(join(study.folder, name, 'chunks'));

  it('lands every chunk, and leaves nothing of it in the engine but the plan', async () => {
    await worker();
    const { end, rows } = await study.coordinate(await queue(), study.landing('plain'));
    expect(end).toEqual({ kind: 'whole', runs: 12, again: 0 });
    expect(filesIn('plain')).toHaveLength(6);
    expect(rows.asked().complete).toBe(true);
    const { queue: left } = await queue();
    expect(Object.values(await left.getJobCounts()).every((count) => count === 0)).toBe(true);
    const own = await queue();
    expect(await own.standing(planId(study.plan))).toEqual({
      waiting: 0,
      begun: 0,
      failed: 0,
      cameBack: 0,
      isCancelled: false,
    });
    expect(await own.planOf(planId(study.plan))).toEqual(study.plan);
  });

  it('runs what is missing alone', async () => {
    const landing = study.landing('grown');
    landing.sink.land(
      landing.rows.chunkName,
      0,
      [0, 1].map((place) => study.rowAt(place)),
    );
    const asked: string[] = [];
    await worker(async (job, of) => {
      asked.push(job.rows);
      await of.handBack(job.study, study.packed(job));
    });
    const { end } = await study.coordinate(await queue(), study.landing('grown'));
    expect(end).toMatchObject({ kind: 'whole', runs: 10 });
    expect(asked).toEqual(['2-3', '4-5', '6-7', '8-9', '10-11']);
  });

  it('counts a chunk that two workers ran to the same rows', async () => {
    // An engine may hand out a chunk twice by itself, under load: what was handed back is counted.
    const handedBack: number[] = [];
    await worker(async (job, of) => {
      for (let times = job.chunk === 2 ? 2 : 1; times > 0; times--) {
        handedBack.push(job.chunk);
        await of.handBack(job.study, study.packed(job));
      }
    });
    const { end } = await study.coordinate(await queue(), study.landing('twice'));
    const again = handedBack.length - new Set(handedBack).size;
    // One that the engine gave out anew may be on its way back when all are there.
    expect(end).toMatchObject({ kind: 'whole', runs: 12, again: expect.toSatisfy((n) => n >= 1) });
    expect((end as { readonly again: number }).again).toBeLessThanOrEqual(again);
  });

  it('finds two workers that ran one chunk to different rows, and keeps both', async () => {
    await worker(async (job, of) => {
      await of.handBack(job.study, study.packed(job));
      if (job.chunk === 2) await of.handBack(job.study, study.packed(job, 'another machine'));
    });
    const landing = study.landing('differs');
    await expect(study.coordinate(await queue(), landing)).rejects.toThrow(
      /000002\.jsonl and .*000002-[0-9a-f]{12}\.jsonl have different rows of one chunk/,
    );
    expect(filesIn('differs').filter((name) => name.includes('-000002'))).toHaveLength(2);
    // Anyone who goes on before having looked is reported, too.
    expect(() => study.landing('differs')).toThrow('have different rows of one world');
  });

  it('hands out again what came back damaged', async () => {
    let isDamaged = true;
    await worker(async (job, of) => {
      const rows = study.packed(job);
      const wrong = isDamaged && job.chunk === 1;
      if (wrong) isDamaged = false;
      await of.handBack(job.study, wrong ? { ...rows, digest: 'another' } : rows);
    });
    const { end, said } = await study.coordinate(await queue(), study.landing('damaged'));
    expect(end).toMatchObject({ kind: 'whole', runs: 12 });
    expect(said).toContain('rows came back damaged: their chunk is handed out again');
  });

  it('hands out again what an engine that was emptied has forgotten', async () => {
    let isEmptied = false;
    await worker(async (job, of) => {
      if (job.chunk === 3 && !isEmptied) {
        isEmptied = true;
        await server.empty();
        return;
      }
      await of.handBack(job.study, study.packed(job));
    });
    const { end, said } = await study.coordinate(await queue(), study.landing('emptied'));
    expect(end).toMatchObject({ kind: 'whole', runs: 12 });
    expect(said.join()).toMatch(/\d chunks have gone missing there, and are handed out again/);
  });

  it('gives a chunk up that fails each time, and tries it again later', async () => {
    const failing = await queue();
    const acting = answering(failing, async ({ data, opts }) => {
      // A fast way to five attempts.
      Object.assign(opts, { attempts: 1 });
      if (data.chunk === 4) throw new Error('out of memory');
      await failing.handBack(data.study, study.packed(data));
    });
    open.push(acting);
    const { end } = await study.coordinate(await queue(), study.landing('given-up'));
    if (end.kind !== 'givenUp') expect.fail(end.kind);
    expect(end.runs).toBe(10);
    const [chunk] = end.chunks;
    expect(chunk).toMatchObject({ lost: 0, why: 'out of memory' });
    expect(chunk!.runs.map(({ row }) => row)).toEqual([8, 9]);
    await acting.close();
    await worker();
    const again = await study.coordinate(await queue(), study.landing('given-up'));
    expect(again.end).toEqual({ kind: 'whole', runs: 2, again: 0 });
  });

  it('gives a chunk up that more than five workers were lost over, and reports how', async () => {
    const losingOne = await queue();
    let lost = 0;
    const act = async ({ data }: { data: ChunkJob }) => {
      if (data.chunk !== 1) return losingOne.handBack(data.study, study.packed(data));
      lost++;
      // Anyone who takes it is never heard of again.
      await new Promise(() => undefined);
    };
    const options = { ...losing(200), skipLockRenewal: true, concurrency: 20 };
    const worker = answering(losingOne, act, options);
    const { end } = await study.coordinate(await queue(), study.landing('lost'));
    await worker.close(true);
    if (end.kind !== 'givenUp') expect.fail(end.kind);
    expect(end.runs).toBe(10);
    expect(end.chunks).toMatchObject([{ lost: 6, runs: [{ row: 2 }, { row: 3 }] }]);
    expect(lost).toBe(6);
  });

  it('hands out at most that many, and tops up as they land', async () => {
    const many = await EngineStudy.of(STUDY.replace('replicates: 6', 'replicates: 600'), 1);
    const coordinating = await queue();
    let isOver = false;
    const on = { stops: () => isOver };
    const run = many.coordinate(coordinating, many.landing(), on);
    await until(async () => ((await coordinating.waiting()) >= 1000 ? true : undefined));
    await sleep(200);
    expect(await coordinating.waiting()).toBe(1000);
    let handed = 0;
    const of = await queue();
    const act = async ({ data }: { data: ChunkJob }) => {
      if (++handed <= 30) await of.handBack(data.study, many.packed(data));
      else await new Promise(() => undefined);
    };
    const worker = answering(of, act, { concurrency: 5 });
    await until(async () => (handed >= 35 ? true : undefined));
    await until(async () => ((await coordinating.waiting()) === 995 ? true : undefined));
    isOver = true;
    expect((await run).end).toMatchObject({ kind: 'stopped', runs: 30 });
    await worker.close(true);
    many.remove();
  });

  it('ends with what the disk says when rows cannot land, and loses none of them', async () => {
    await worker();
    const landing = study.landing('full');
    rmSync(join(study.folder, 'full', 'chunks'), { recursive: true });
    await expect(study.coordinate(await queue(), landing)).rejects.toThrow('ENOENT');
    const { end } = await study.coordinate(await queue(), study.landing('full'));
    expect(end.kind).toBe('whole');
  });

  it('takes back what nobody has begun when it is stopped, and goes on later', async () => {
    await worker((_, of) => of.waiting().then(() => sleep(400)));
    let ticks = 0;
    const stops = () => ticks++ > 20;
    const stopped = await study.coordinate(await queue(), study.landing('stopped'), { stops });
    expect(stopped.end.kind).toBe('stopped');
    const { waiting = 0, prioritized = 0 } = await (await queue()).queue.getJobCounts();
    expect([waiting, prioritized]).toEqual([0, 0]);
    for (const each of open.splice(0).reverse()) await each.close();
    await worker();
    const { end } = await study.coordinate(await queue(), study.landing('stopped'));
    expect(end.kind).toBe('whole');
  });

  it('ends when it is cancelled from elsewhere, loses nothing, and goes on later', async () => {
    const id = planId(study.plan);
    let handed = 0;
    const cancelling = await queue();
    await worker(async (job, of) => {
      await of.handBack(job.study, study.packed(job));
      if (++handed === 2) await cancelling.cancel(id);
    });
    const { end, rows } = await study.coordinate(await queue(), study.landing('cancelled'));
    expect(end.kind).toBe('cancelled');
    expect(rows.landed).toBeGreaterThanOrEqual(4);
    expect(rows.landed).toBeLessThan(12);
    expect(await cancelling.standing(id)).toMatchObject({
      waiting: 0,
      begun: 0,
      cameBack: 0,
      isCancelled: true,
    });
    const again = await study.coordinate(await queue(), study.landing('cancelled'));
    expect(again.end).toEqual({ kind: 'whole', runs: 12 - rows.landed, again: 0 });
    expect(await cancelling.isCancelled(id)).toBe(false);
  });

  it('lands first what came back while no coordinator was there', async () => {
    const of = await queue();
    const job = { study: planId(study.plan), chunk: 0, rows: '0-1', buildId: '', mathHash: '' };
    await of.handBack(job.study, study.packed(job));
    const ran: number[] = [];
    await worker(async (each, by) => {
      ran.push(each.chunk);
      await by.handBack(each.study, study.packed(each));
    });
    const { end } = await study.coordinate(await queue(), study.landing('returned'));
    expect(end).toMatchObject({ kind: 'whole', runs: 12, again: 0 });
    expect(ran).toEqual([1, 2, 3, 4, 5]);
  });

  it('continues with rounds as they land, to what threads come to', async () => {
    const text = `${STUDY}until: { received: ± 0.001 % }\natMost: 14\n`;
    const rounds = await EngineStudy.of(text);
    const of = await queue();
    open.push(
      answering(of, ({ data }) => of.handBack(data.study, rounds.packed(data)), {
        concurrency: 2,
      }),
    );
    const asked: number[] = [];
    const onRound = (runs: number) => asked.push(runs);
    const { end, rows } = await rounds.coordinate(await queue(), rounds.landing(), { onRound });
    expect(end).toMatchObject({ kind: 'whole', runs: 28 });
    expect(asked).toEqual([12, 12, 4]);
    expect(foldedStudy(rows).complete).toBe(true);
    rounds.remove();
  });

  it('says once that no worker of its build is there, and which are', async () => {
    const other = await queueAt(server.url, 'other-build');
    open.push(other);
    await other.sayThere('some-id', 4);
    expect(await other.workers()).toMatchObject({ threads: 4, workers: 1, others: [] });
    expect(await (await queue()).workers()).toEqual({
      threads: 0,
      workers: 0,
      others: ['other-build'],
    });
  });

  it('takes turns with another study that came first, from when it comes', async () => {
    const long = await EngineStudy.of(STUDY.replace('replicates: 6', 'replicates: 20'));
    const both = [await queue(), await queue()] as const;
    const first = planId(long.plan);
    const taken: string[] = [];
    const of = await queue();
    const act = async ({ data }: { data: ChunkJob }) => {
      taken.push(data.study === first ? 'first' : 'second');
      // Until the second has handed out its six, beside the fourteen that are left.
      if (taken.length === 6) await until(async () => (await of.waiting()) === 20 || undefined);
      await of.handBack(data.study, (data.study === first ? long : study).packed(data));
    };
    const runs = [long.coordinate(both[0], long.landing())];
    await until(async () => (await of.waiting()) === 20 || undefined);
    open.push(answering(of, act));
    await until(async () => taken.length === 6 || undefined);
    runs.push(study.coordinate(both[1], study.landing('turns')));
    await Promise.all(runs);
    expect(taken.slice(0, 6)).not.toContain('second');
    expect(taken.slice(6, 14).filter((each) => each === 'second')).toHaveLength(4);
    long.remove();
  });
});
