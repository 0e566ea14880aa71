/** What callers ask of the clock and of jobs, and what they are answered. */
import { describe, expect, it } from 'vitest';
import type {
  HostAsking,
  HostOperation,
  Underway,
} from '../../../api/host/requests/host-operation.ts';
import { clockOperations } from '../../../api/host/world/clock-operations.ts';
import { ServedWorld } from '../../../api/host/world/served-world.ts';
import { classOf, type FailureClass } from '../../../core/kit/failures.ts';
import { World } from '../../../core/world/world.ts';
import type { Failure, Result } from '../../../sim/base/result.ts';
import { got } from '../../core/resources/service.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { readFields } from '../../support/read-fields.ts';
import { HOUR_US, S_US, SERVED_DAY } from '../../support/served-day.ts';

const SEED = 'asked';
type Answered = Result<unknown> | Underway;
type Response = Record<string, unknown>;

/** Somebody at the entry point of a world that is paused. */
class Caller {
  readonly time = new ManualTime();
  readonly served: ServedWorld;
  readonly operations: Readonly<Record<string, HostOperation>>;

  constructor() {
    const { time } = this;
    const onBroken = (error: unknown) => {
      throw error;
    };
    const pace = { isPaused: true };
    this.served = ServedWorld.create(SERVED_DAY, SEED, { pace, onBroken, time });
    this.operations = clockOperations(this.served);
    this.served.start();
    time.settle();
  }

  /**
   * As the entry point does: what is given is read by the rows; time goes on until there is an
   * answer.
   */
  async ask(
    kind: string,
    given: Response = {},
    asking: Partial<HostAsking> = {},
  ): Promise<Answered> {
    const { takes, handle } = this.operations[kind]!;
    const read = readFields(takes, given, { path: '', name: kind, failure: 'x.malformed' });
    if (!read.ok) return read;
    const { signal } = new AbortController();
    const all = { by: 'ann', permissions: undefined, respondAsync: false, signal, ...asking };
    const answered = handle(read.value as never, all);
    if (answered instanceof Promise) this.time.settle();
    return answered;
  }

  async report(
    kind: string,
    given: Response = {},
    asking: Partial<HostAsking> = {},
  ): Promise<Response> {
    return got((await this.ask(kind, given, asking)) as Result<Response>);
  }

  async refused(kind: string, given: Response = {}): Promise<[string, FailureClass, string?]> {
    const answered = (await this.ask(kind, given)) as { failure: Failure };
    const { code, path } = answered.failure;
    const { fails } = this.operations[kind]!;
    return [code, classOf(answered.failure, fails), ...(path === undefined ? [] : [path])] as never;
  }

  underway(given: Response) {
    return this.ask('clock.advance', given, { respondAsync: true }) as Promise<Underway>;
  }

  async campaign(by: string): Promise<string> {
    return got(this.served.ask({ kind: 'campaign.list', by }))[0]!.campaign_id;
  }
}

describe('the clock', () => {
  it('reports where it is, how fast it goes, and where it ends', async () => {
    const caller = new Caller();
    const start = '2026-03-01T00:00:00.000000Z';
    const first = {
      now: start,
      started_at: start,
      paused: true,
      speed: 1,
      until: null,
      behind_s: 0,
      events: 0,
      job_id: null,
    };
    expect(await caller.report('clock.get')).toEqual(first);
    const until = '2026-03-01T00:59:59.999999+01:00';
    expect(await caller.refused('clock.set', { until })).toEqual([
      'clock.past',
      'malformed',
      '/until',
    ]);
    const changed = { paused: false, speed: 'max', until: '2026-03-01T02:30:00.000250+01:00' };
    const ahead = { ...first, ...changed, until: '2026-03-01T01:30:00.000250Z' };
    expect(await caller.report('clock.set', changed)).toEqual(ahead);
    caller.time.settle();
    expect(await caller.report('clock.get')).toEqual({
      ...ahead,
      now: '2026-03-01T01:30:00.000250Z',
      paused: true,
      until: null,
      events: caller.served.events,
    });
  });

  it('keeps what a change does not give, and has no end where that is null', async () => {
    const caller = new Caller();
    const until = '2026-03-02T00:00:00.000000Z';
    await caller.report('clock.set', { speed: 60, until });
    expect(await caller.report('clock.set', {})).toMatchObject({ paused: true, speed: 60, until });
    expect(await caller.report('clock.set', { until: null })).toMatchObject({ until: null });
  });

  it('has no end any more where an advance has passed it, and can be set as before', async () => {
    const caller = new Caller();
    await caller.report('clock.set', { until: '2026-03-02T00:00:00Z' });
    const passed = await caller.report('clock.advance', { to: '2026-03-02T00:00:01Z' });
    expect(passed).toMatchObject({ paused: true, until: null });
    expect(await caller.report('clock.set', { speed: 60 })).toMatchObject({ speed: 60 });
  });

  it.each([
    [{ speed: 0 }, '/speed'],
    [{ speed: 0.0009 }, '/speed'],
    [{ speed: 1_000_001 }, '/speed'],
    [{ speed: 'fast' }, '/speed'],
    [{ speed: null }, '/speed'],
    [{ paused: 'yes' }, '/paused'],
    [{ until: 5 }, '/until'],
    [{ until: '2026-03-01' }, '/until'],
  ])('is set to nothing else: %j', async (given, path) => {
    expect(await new Caller().refused('clock.set', given)).toEqual([
      'clock.malformed',
      'malformed',
      path,
    ]);
  });

  it('goes to no instant after a hundred years', async () => {
    const caller = new Caller();
    const late = '2126-06-01T00:00:00Z';
    for (const [kind, given] of [
      ['clock.set', { until: late }],
      ['clock.advance', { to: late }],
      ['clock.advance', { by: 3_999_999_999 }],
    ] as const) {
      expect(await caller.refused(kind, given)).toEqual(['clock.too-far', 'malformed']);
    }
  });

  it('is looked at without any change', async () => {
    const caller = new Caller();
    await caller.report('clock.advance', { by: 3_600 });
    for (const kind of ['clock.get', 'job.list']) {
      expect(await caller.report(kind)).toEqual(await caller.report(kind));
    }
    await caller.report('clock.advance', { by: 3_600 });
    const straight = World.create(SERVED_DAY, SEED);
    straight.runUntil(2 * HOUR_US);
    expect(caller.served.digest()).toEqual(straight.digest());
  });
});

describe('an advance', () => {
  it('by some seconds, or to an instant, answers with the clock there', async () => {
    const caller = new Caller();
    expect(await caller.report('clock.advance', { by: 1.5 })).toMatchObject({
      now: '2026-03-01T00:00:01.500000Z',
      paused: true,
      reached: true,
      job_id: null,
    });
    const to = '2026-03-01T01:00:00.123456Z';
    expect(await caller.report('clock.advance', { to })).toMatchObject({ now: to, reached: true });
    // A reported instant is accepted as input.
    expect(await caller.report('clock.advance', { to })).toMatchObject({ now: to, reached: true });
  });

  it('until all is idle, or until a stage of one’s own campaign', async () => {
    const caller = new Caller();
    await caller.report('clock.advance', { by: 7_200 });
    const campaign_id = await caller.campaign('bob');
    const until = { campaign_id, stage: 'SENDING_FRAGMENTS' };
    expect(await caller.refused('clock.advance', { until })).toEqual([
      'campaign.unknown',
      'malformed',
      '/until/campaign_id',
    ]);
    const bob = { by: 'bob' };
    expect(await caller.report('clock.advance', { until }, bob)).toMatchObject({ reached: true });
    const status = got(caller.served.ask({ kind: 'campaign.shortStatus', by: 'bob', campaign_id }));
    expect(status.stage_str).toBe('SENDING_FRAGMENTS');
    expect(await caller.report('clock.advance', { until: 'idle' })).toMatchObject({
      reached: true,
    });
    expect(await caller.report('clock.advance', { until }, bob)).toMatchObject({ reached: false });
  });

  it.each([
    [{}],
    [{ by: 5, until: 'idle' }],
    [{ by: 5, to: '2026-03-02T00:00:00Z' }],
    [{ by: -1 }, '/by'],
    [{ by: '5' }, '/by'],
    [{ by: null }, '/by'],
    [{ to: 'tomorrow' }, '/to'],
    [{ until: 'done' }, '/until'],
    [{ until: {} }, '/until/campaign_id'],
    [{ until: { campaign_id: 'x', stage: 'DONE' } }, '/until/stage'],
  ])('takes exactly one of by, to and until, and no nonsense: %j', async (given, path?: string) => {
    expect(await new Caller().refused('clock.advance', given)).toEqual([
      'advance.malformed',
      'malformed',
      ...(path === undefined ? [] : [path]),
    ]);
  });

  it('does not go back', async () => {
    const caller = new Caller();
    await caller.report('clock.advance', { by: 1 });
    const to = '2026-03-01T00:00:00.999999Z';
    const past = ['clock.past', 'malformed', '/to'];
    expect(await caller.refused('clock.advance', { to })).toEqual(past);
  });

  it('is refused while another one is underway, and so is a change of the clock', async () => {
    const caller = new Caller();
    await caller.underway({ by: 86_400 });
    const refused = ['clock.advancing', 'conflict'];
    expect(await caller.report('clock.get')).toMatchObject({ job_id: '1' });
    expect(await caller.refused('clock.set', { speed: 2 })).toEqual(refused);
    expect(await caller.refused('clock.advance', { by: 1 })).toEqual(refused);
  });

  it('is cancelled when its caller goes away', async () => {
    const caller = new Caller();
    const gone = new AbortController();
    const { handle } = caller.operations['clock.advance']!;
    const answered = handle({ by: 86_400 } as never, {
      by: 'ann',
      permissions: undefined,
      respondAsync: false,
      signal: gone.signal,
    });
    caller.time.turn();
    gone.abort();
    const { nowUs } = caller.served;
    caller.time.settle();
    expect(await answered).toMatchObject({ failure: { code: 'advance.cancelled' } });
    expect(caller.served.nowUs).toBe(nowUs);
    expect(nowUs).toBeGreaterThan(0);
    expect(await caller.report('job.get', { job_id: '1' })).toMatchObject({ state: 'cancelled' });
  });
});

describe('a job', () => {
  it('is where to look for one who does not wait', async () => {
    const caller = new Caller();
    const { lookAt, value } = await caller.underway({ by: 86_400 });
    expect(lookAt).toEqual({ kind: 'job.get', asked: { job_id: '1' } });
    const began = {
      job_id: '1',
      kind: 'advance',
      state: 'running',
      asked: { by: 86_400 },
      started_at: '2026-03-01T00:00:00.000000Z',
      now: '2026-03-01T00:00:00.000000Z',
      ends_by: '2026-03-02T00:00:00.000000Z',
      events: 0,
      reached: null,
    };
    expect(value).toEqual(began);
    expect(await caller.report('job.get', { job_id: '1' })).toEqual(began);
    caller.time.turn();
    const { simTime: now, events } = caller.served;
    expect(await caller.report('job.get', { job_id: '1' })).toEqual({ ...began, now, events });
    caller.time.settle();
    await caller.report('clock.advance', { by: 60 });
    expect(await caller.report('job.get', { job_id: '1' })).toMatchObject({
      state: 'finished',
      now: '2026-03-02T00:00:00.000000Z',
      reached: true,
    });
  });

  it('is cancelled by anybody who may, and once', async () => {
    const caller = new Caller();
    const waiting = caller.operations['clock.advance']!.handle({ by: 86_400 } as never, {
      by: 'ann',
      permissions: undefined,
      respondAsync: false,
      signal: new AbortController().signal,
    });
    caller.time.turn();
    const cancelled = await caller.report('job.cancel', { job_id: '1' });
    expect(cancelled).toMatchObject({
      state: 'cancelled',
      now: caller.served.simTime,
      reached: false,
    });
    expect(await waiting).toMatchObject({ failure: { code: 'advance.cancelled' } });
    const again = await caller.refused('job.cancel', { job_id: '1' });
    expect(again).toEqual(['job.not-running', 'conflict']);
    for (const kind of ['job.get', 'job.cancel']) {
      for (const job_id of ['2', '', '01', 'x']) {
        expect(await caller.refused(kind, { job_id })).toEqual(['job.unknown', 'unknown']);
      }
    }
  });

  it('is stored among the latest hundred, whatever there were before', async () => {
    const caller = new Caller();
    for (let i = 0; i < 1_000; i++) await caller.report('clock.advance', { by: 0.001 });
    const { jobs } = (await caller.report('job.list')) as { jobs: readonly Response[] };
    expect(jobs.map(({ job_id }) => Number(job_id))).toEqual(
      Array.from({ length: 100 }, (_, i) => 901 + i),
    );
    expect(await caller.refused('job.get', { job_id: '900' })).toEqual(['job.unknown', 'unknown']);
    expect(caller.served.nowUs).toBe(S_US);
  });
});

describe('an answer', () => {
  it('has all that its rows name, and nothing else', async () => {
    const caller = new Caller();
    await caller.report('clock.set', { until: '2026-03-09T00:00:00Z' });
    const campaign_id = await (async () => {
      await caller.report('clock.advance', { by: 3_600 });
      return caller.campaign('ann');
    })();
    const asked: readonly [string, Response][] = [
      ['clock.get', {}],
      ['clock.set', { speed: 'max' }],
      ['clock.advance', { until: { campaign_id, stage: 'FINISHED' } }],
      ['clock.advance', { to: '2026-03-01T09:00:00Z' }],
      ['job.list', {}],
      ['job.get', { job_id: '2' }],
    ];
    for (const [kind, given] of asked) {
      const { answers } = caller.operations[kind]!;
      const response = await caller.report(kind, given);
      const at = { path: '', name: kind, failure: 'answer.malformed' };
      const row = { ...answers!, is: 'The answer.' };
      expect(readFields({ reported: row as never }, { reported: response }, at)).toEqual({
        ok: true,
        value: { reported: response },
      });
    }
  });
});
