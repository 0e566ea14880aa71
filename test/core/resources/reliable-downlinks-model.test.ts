/**
 * Reliable downlink jobs against a model that is written from the service's document: two
 * subscribers, jobs that share devices, losses, removals, and a platform that is saved and loaded
 * between any two steps.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../core/base/instant.ts';
import type { JobAnswer } from '../../../core/update-service/reliable-downlinks/rows.ts';
import { someRuns } from '../../support/long.ts';
import { GATEWAY, S } from '../bench.ts';
import { annAndBob, type Subscriber } from './service.ts';

/** What is sent and expected: two kinds, so that one uplink answers some jobs and not others. */
const KINDS = [
  { fPort: 7, hex: '07' },
  { fPort: 8, hex: '0808' },
] as const;

// ── the model ────────────────────────────────────────────────────────────────────────────────────

interface Target {
  state: 'pending' | 'success' | 'failed';
  attempts: number;
  firstSentAtUs: number | null;
  lastSentAtUs: number | null;
  completedAtUs: number | null;
  reason: string | null;
  /** When it is sent again, or fails. */
  dueAtUs: number | null;
}

const FRESH: Target = {
  state: 'pending',
  attempts: 0,
  firstSentAtUs: null,
  lastSentAtUs: null,
  completedAtUs: null,
  reason: null,
  dueAtUs: null,
};

interface ModelJob {
  readonly id: string;
  readonly by: string;
  readonly kind: number;
  readonly maxRetries: number;
  readonly intervalUs: number;
  status: 'running' | 'stopped' | 'finished';
  readonly targets: Map<string, Target>;
}

class Model {
  nowUs = 0;
  readonly jobs: ModelJob[] = [];
  /** What waits for each device, first in first out. */
  readonly queues = new Map<string, ModelJob[]>();

  begin(job: ModelJob, devEui: string): void {
    this.queues.set(devEui, [...(this.queues.get(devEui) ?? []), job]);
  }

  end(job: ModelJob, devEui: string, state: 'success' | 'failed', reason: string | null): void {
    const target = job.targets.get(devEui)!;
    Object.assign(target, { state, reason, completedAtUs: this.nowUs, dueAtUs: null });
    this.clear(job, devEui);
    if ([...job.targets.values()].every((each) => each.state !== 'pending'))
      job.status = 'finished';
  }

  clear(job: ModelJob, devEui: string): void {
    const queue = this.queues.get(devEui) ?? [];
    this.queues.set(
      devEui,
      queue.filter((each) => each !== job),
    );
  }

  tried(devEui: string, isSent: boolean): void {
    const [job, ...others] = this.queues.get(devEui) ?? [];
    if (job === undefined) return;
    this.queues.set(devEui, others);
    const target = job.targets.get(devEui)!;
    target.attempts++;
    target.dueAtUs = this.nowUs + job.intervalUs;
    if (!isSent) return;
    target.firstSentAtUs ??= this.nowUs;
    target.lastSentAtUs = this.nowUs;
  }

  advance(untilUs: number): void {
    for (;;) {
      const due = this.jobs.flatMap((job, order) =>
        [...job.targets].flatMap(([devEui, { dueAtUs }]) =>
          dueAtUs !== null && dueAtUs <= untilUs ? [{ job, order, devEui, dueAtUs }] : [],
        ),
      );
      const [next] = due.sort((a, b) => a.dueAtUs - b.dueAtUs);
      if (next === undefined) break;
      const { job, devEui, dueAtUs } = next;
      this.nowUs = dueAtUs;
      const target = job.targets.get(devEui)!;
      target.dueAtUs = null;
      if (target.attempts <= job.maxRetries) this.begin(job, devEui);
      else {
        const reason = target.firstSentAtUs === null ? 'not sent' : 'no answer';
        this.end(job, devEui, 'failed', reason);
      }
    }
    this.nowUs = untilUs;
  }

  heard(by: string, devEui: string, kind: number, endedAtUs: number): void {
    for (const job of this.jobs) {
      const target = job.targets.get(devEui);
      if (job.by !== by || job.kind !== kind || target?.state !== 'pending') continue;
      const { firstSentAtUs } = target;
      if (firstSentAtUs !== null && firstSentAtUs < endedAtUs) {
        this.end(job, devEui, 'success', null);
      }
    }
  }

  removed(devEui: string): void {
    this.queues.delete(devEui);
    for (const job of this.jobs) {
      if (job.targets.get(devEui)?.state === 'pending') {
        this.end(job, devEui, 'failed', 'device removed');
      }
    }
  }

  stop(job: ModelJob): void {
    for (const [devEui, { state }] of job.targets) {
      if (state === 'pending') this.end(job, devEui, 'failed', 'stopped');
    }
    job.status = 'stopped';
  }

  restart(job: ModelJob, isThere: (devEui: string) => boolean): void {
    job.status = 'running';
    const failed = [...job.targets].filter(([, { state }]) => state === 'failed');
    for (const [, target] of failed) Object.assign(target, FRESH);
    for (const [devEui] of failed) {
      if (isThere(devEui)) this.begin(job, devEui);
      else this.end(job, devEui, 'failed', 'device removed');
    }
  }
}

// ── the platform beside it ───────────────────────────────────────────────────────────────────────

class Both {
  readonly model = new Model();
  readonly who: Readonly<Record<'ann' | 'bob', Subscriber>>;
  /** Whose each device is. */
  readonly owners = new Map<string, 'ann' | 'bob'>();

  constructor() {
    const [ann, bob] = annAndBob();
    this.who = { ann, bob };
    for (const name of ['ann', 'bob'] as const) {
      for (const devEui of this.who[name].devices(3, () => ({ uplinkEveryS: 0 }))) {
        this.owners.set(devEui, name);
      }
    }
  }

  get bench() {
    return this.who.ann.bench;
  }

  get devEuis(): readonly string[] {
    return [...this.owners.keys()];
  }

  isThere(by: string, devEui: string): boolean {
    return this.bench.devices.has(devEui) && this.owners.get(devEui) === by;
  }

  create(by: 'ann' | 'bob', chosen: readonly number[], kind: number, maxRetries: number): void {
    const devices = this.devEuis.filter((each, i) => chosen.includes(i) && this.isThere(by, each));
    const { fPort, hex } = KINDS[kind]!;
    const answer = this.who[by].try({
      kind: 'reliableDownlink.create',
      job: {
        name: 'job',
        downlink_hex: '01',
        downlink_fport: 1,
        expected_uplink_hex: hex,
        expected_uplink_fport: fPort,
        devices,
        max_retries: maxRetries,
        retry_interval: 10 + maxRetries,
      },
    });
    expect(answer.ok).toBe(devices.length > 0);
    if (!answer.ok) return;
    const job: ModelJob = {
      id: (answer.value as JobAnswer).job_id,
      by,
      kind,
      maxRetries,
      intervalUs: (10 + maxRetries) * S,
      status: 'running',
      targets: new Map(devices.map((devEui) => [devEui, { ...FRESH }])),
    };
    this.model.jobs.push(job);
    for (const devEui of devices) this.model.begin(job, devEui);
  }

  /** A command for the job at a place in the list, as its owner or as the other one. */
  command(verb: 'stop' | 'restart' | 'delete', at: number, asOwner: boolean): void {
    const { model } = this;
    const job = model.jobs[at % Math.max(1, model.jobs.length)];
    if (job === undefined) return;
    const by = asOwner ? job.by : job.by === 'ann' ? 'bob' : 'ann';
    const command = { kind: `reliableDownlink.${verb}`, job_id: job.id } as const;
    const answer = this.who[by as 'ann'].try(command);
    const states = [...job.targets.values()].map(({ state }) => state);
    const isRight = {
      stop: job.status === 'running',
      restart: !states.includes('pending') && states.includes('failed'),
      delete: true,
    }[verb];
    expect(answer.ok).toBe(asOwner && isRight);
    if (!answer.ok) return;
    if (verb === 'restart') return model.restart(job, (each) => this.isThere(job.by, each));
    if (verb === 'stop' || job.status === 'running') model.stop(job);
    if (verb === 'delete') model.jobs.splice(model.jobs.indexOf(job), 1);
  }

  tried(which: number, isSent: boolean): void {
    const devEui = this.devEuis[which]!;
    const lost = { kind: 'dropped', reason: 'noBudget' } as const;
    this.bench.reportNext(devEui, isSent ? { kind: 'sent', gatewayEui: GATEWAY } : lost);
    this.model.tried(devEui, isSent);
  }

  heard(which: number, kind: number, agoUs: number): void {
    const devEui = this.devEuis[which]!;
    if (!this.bench.devices.has(devEui)) return;
    const { nowUs, platform } = this.bench;
    const { fPort, hex } = KINDS[kind]!;
    const payload = Uint8Array.from(Buffer.from(hex, 'hex'));
    const endedAtUs = nowUs - agoUs;
    const at = { atUs: nowUs, endedAtUs };
    const uplink = { devEui, ...at, fCnt: 0, fPort, payload, dataRate: 5 };
    if (this.bench.isWatched(devEui)) platform.hear({ kind: 'uplink', uplink }, nowUs);
    this.bench.drain();
    this.model.heard(this.owners.get(devEui)!, devEui, kind, endedAtUs);
  }

  /** A device goes, or one with its name comes, as somebody else's. */
  comesOrGoes(which: number): void {
    const devEui = this.devEuis[which]!;
    const owner = this.owners.get(devEui)!;
    if (this.bench.devices.has(devEui)) {
      this.who[owner].do({ kind: 'device.remove', devEui });
      this.model.removed(devEui);
      return;
    }
    const next = owner === 'ann' ? 'bob' : 'ann';
    this.owners.set(devEui, next);
    this.who[next].do({ kind: 'device.create', device: { devEui } });
  }

  advance(seconds: number): void {
    this.bench.runUntil(this.bench.nowUs + seconds * S);
    this.model.advance(this.bench.nowUs);
  }

  /** What the platform reports, beside what the model has. */
  compare(): void {
    const { model, bench } = this;
    const at = (us: number | null) => (us === null ? null : formatInstant(bench.view.unixMs(us)));
    for (const by of ['ann', 'bob'] as const) {
      const reports = this.who[by].ask({ kind: 'reliableDownlink.list' }).map((job) => {
        const { job_id, status, num_devices_pending, num_devices_success, num_devices_fail } = job;
        const numbers = [num_devices_pending, num_devices_success, num_devices_fail];
        return { job_id, status, numbers, devices: job.devices };
      });
      const jobs = model.jobs.filter((job) => job.by === by);
      const expected = jobs.map(({ id, status, targets }) => ({
        job_id: id,
        status,
        numbers: ['pending', 'success', 'failed'].map(
          (state) => [...targets.values()].filter((each) => each.state === state).length,
        ),
        devices: Object.fromEntries(
          [...targets].map(([devEui, { state, attempts, reason, ...times }]) => [
            devEui,
            {
              state,
              attempts,
              last_sent_at: at(times.lastSentAtUs),
              completed_at: at(times.completedAtUs),
              reason,
            },
          ]),
        ),
      }));
      expect(reports).toEqual(expected);
    }
    for (const devEui of this.devEuis) {
      const pending = model.jobs.some(({ targets }) => targets.get(devEui)?.state === 'pending');
      expect(bench.isWatched(devEui)).toBe(pending);
      const waits = bench.view.device(devEui)?.waitingDownlinks ?? [];
      expect(waits).toHaveLength((model.queues.get(devEui) ?? []).length);
    }
    const isRunning = model.jobs.some(({ status }) => status === 'running');
    expect(bench.platform.resources.reliableDownlink.isIdle).toBe(!isRunning);
  }
}

const device = fc.nat(5);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      by: fc.constantFrom('ann' as const, 'bob' as const),
      chosen: fc.uniqueArray(device, { minLength: 1, maxLength: 4 }),
      kind: fc.nat(1),
      maxRetries: fc.nat(2),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('tried' as const), device, isSent: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('heard' as const),
      device,
      kind: fc.nat(1),
      agoUs: fc.constantFrom(0, 1, 3 * S),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('advance' as const), seconds: fc.nat(15) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('command' as const),
      verb: fc.constantFrom(
        'stop' as const,
        'restart' as const,
        'restart' as const,
        'delete' as const,
      ),
      at: fc.nat(5),
      asOwner: fc.constantFrom(true, true, true, false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('comesOrGoes' as const), device }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reload' as const) }) },
);

describe('reliable downlink jobs', () => {
  it('do what their document says, whatever comes in which order, saved and loaded', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
        const both = new Both();
        for (const one of steps) {
          switch (one.do) {
            case 'create':
              both.create(one.by, one.chosen, one.kind, one.maxRetries);
              break;
            case 'tried':
              both.tried(one.device, one.isSent);
              break;
            case 'heard':
              both.heard(one.device, one.kind, one.agoUs);
              break;
            case 'advance':
              both.advance(one.seconds);
              break;
            case 'command':
              both.command(one.verb, one.at, one.asOwner);
              break;
            case 'comesOrGoes':
              both.comesOrGoes(one.device);
              break;
            case 'reload':
              both.bench.reload();
          }
          both.compare();
        }
      }),
      { numRuns: someRuns(200) },
    );
  });
});
