/**
 * Rollouts of configurations against a model that is written from the document: devices of each
 * strategy, losses, an outage, reports, removals, and a platform that is saved and loaded between
 * any two steps.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parameter, SET_FPORT } from '../../support/configuration-codecs.ts';
import { someRuns } from '../../support/long.ts';
import { GATEWAY, S } from '../bench.ts';
import { ACKNOWLEDGED, Configuring, SENT } from './configuration-notation.ts';

const KINDS = ['silent', 'polite', 'echoing', 'reporting'] as const;
type Kind = (typeof KINDS)[number];
type Config = Readonly<Record<string, number>>;

// ── the model ────────────────────────────────────────────────────────────────────────────────────

interface Fragment {
  readonly set: Config;
  status: string;
  attempts: number;
  firstUs: number | null;
  lastUs: number | null;
  acked: boolean;
  echoed: boolean;
}

interface Rollout {
  readonly config: Config;
  readonly fragments: Fragment[];
  status: string;
  reason: string | null;
  dueUs: number | null;
  spokeUs: number | null;
  waits: boolean;
}

const MINUTES_5 = 300 * S;
const DAY = 86_400 * S;

class Device {
  reported: Config | null = null;
  rollout: Rollout | null = null;
  readonly kind: Kind;

  constructor(kind: Kind) {
    this.kind = kind;
  }

  get active(): Rollout | null {
    const { rollout } = this;
    return rollout !== null && /pending|in_progress/.test(rollout.status) ? rollout : null;
  }

  has(config: Config): boolean {
    const { reported } = this;
    return reported !== null && Object.entries(config).every(([k, v]) => reported[k] === v);
  }
}

class Model {
  nowUs = 0;
  /** The gateway's latest status; null: they come. */
  silentUs: number | null = null;
  looksUs: number[] = [];
  readonly devices: Device[] = KINDS.map((kind) => new Device(kind));

  get reaches(): boolean {
    return this.silentUs === null || this.nowUs - this.silentUs <= 90 * S;
  }

  set(device: Device, config: Config): boolean {
    this.cancel(device);
    if (device.has(config)) return false;
    const sets = Object.entries(config).map(([name, value]) => ({ [name]: value }));
    const fragments = (device.kind === 'reporting' ? [config] : sets).map((set) => ({
      set,
      status: 'pending',
      attempts: 0,
      firstUs: null,
      lastUs: null,
      acked: false,
      echoed: false,
    }));
    device.rollout = {
      config,
      fragments,
      status: 'pending',
      reason: null,
      dueUs: this.nowUs + S,
      spokeUs: null,
      waits: false,
    };
    return true;
  }

  cancel({ active }: Device): void {
    if (active !== null) this.end(active, 'cancelled', null);
  }

  end(rollout: Rollout, status: string, reason: string | null): void {
    Object.assign(rollout, { status, reason, dueUs: null, waits: false });
    const open = rollout.fragments.filter((each) => each.status !== 'confirmed');
    for (const [i, each] of open.entries()) {
      each.status = status === 'failed' && i === 0 ? 'failed' : 'cancelled';
    }
  }

  turn = (rollout: Rollout): Fragment => rollout.fragments.find((f) => f.status !== 'confirmed')!;

  advance(untilUs: number): void {
    for (;;) {
      const dues = this.devices.flatMap((device) =>
        device.active?.dueUs != null ? [device.active.dueUs] : [],
      );
      const next = Math.min(...dues, ...this.looksUs);
      if (next > untilUs) break;
      this.nowUs = next;
      if (this.looksUs.includes(next)) {
        this.looksUs = this.looksUs.filter((us) => us !== next);
        for (const { active } of this.devices) {
          if (active?.waits && !this.reaches) this.suspend(active);
        }
      }
      for (const device of this.devices) if (device.active?.dueUs === next) this.due(device);
    }
    this.nowUs = untilUs;
  }

  due(device: Device): void {
    const rollout = device.active!;
    rollout.dueUs = null;
    if (rollout.status === 'pending') {
      rollout.status = 'in_progress';
      return this.begin(device);
    }
    const fragment = this.turn(rollout);
    if (fragment.attempts < 4) return this.submit(rollout);
    const { status, lastUs } = fragment;
    const isSilent = status === 'sent' && (rollout.spokeUs ?? -1) <= lastUs!;
    if (isSilent && this.nowUs < lastUs! + DAY) rollout.dueUs = lastUs! + DAY;
    else this.fail(device);
  }

  begin(device: Device): void {
    const rollout = device.active!;
    if (device.kind === 'reporting' && device.has(rollout.config)) this.confirm(device);
    else this.submit(rollout);
  }

  submit(rollout: Rollout): void {
    if (!this.reaches) return this.suspend(rollout);
    this.turn(rollout).status = 'queued';
    rollout.waits = true;
  }

  suspend(rollout: Rollout): void {
    this.turn(rollout).status = 'gateway_unavailable';
    rollout.waits = false;
  }

  fail(device: Device): void {
    const rollout = device.active!;
    const { firstUs, acked } = this.turn(rollout);
    const unconfirmed =
      device.kind === 'reporting' ? 'not reported' : acked ? 'not echoed' : 'not acknowledged';
    this.end(rollout, 'failed', firstUs === null ? 'not sent' : unconfirmed);
  }

  confirm(device: Device): void {
    const rollout = device.active!;
    Object.assign(rollout, { waits: false, dueUs: null });
    this.turn(rollout).status = 'confirmed';
    if (this.turn(rollout) === undefined) rollout.status = 'applied';
    else this.begin(device);
  }

  /** What becomes of what waits. */
  report(device: Device, what: 'sent' | 'lost' | 'gone'): void {
    const rollout = device.active;
    if (rollout?.waits !== true) return;
    const fragment = this.turn(rollout);
    rollout.waits = false;
    if (what === 'gone') return this.suspend(rollout);
    fragment.attempts++;
    fragment.status = what === 'sent' ? 'sent' : 'ready';
    rollout.dueUs = this.nowUs + MINUTES_5;
    if (what === 'lost') return;
    fragment.firstUs ??= this.nowUs;
    fragment.lastUs = this.nowUs;
    if (device.kind === 'silent') this.confirm(device);
  }

  acknowledge(device: Device): void {
    const { active, kind } = device;
    if (active === null || (kind !== 'polite' && kind !== 'echoing')) return;
    this.turn(active).acked = true;
    if (kind === 'polite' || this.turn(active).echoed) this.confirm(device);
  }

  /** An uplink, which may tell parameters or repeat one. */
  heard(device: Device, reports: Config | null, echoes: Config | null): void {
    if (reports !== null) device.reported = { ...device.reported, ...reports };
    const rollout = device.active;
    if (rollout === null || rollout.status === 'pending') return;
    rollout.spokeUs = this.nowUs;
    const fragment = this.turn(rollout);
    const isSent = fragment.firstUs !== null && fragment.firstUs < this.nowUs;
    if (device.kind === 'echoing' && isSent && same(echoes, fragment.set)) fragment.echoed = true;
    const isDone =
      device.kind === 'reporting'
        ? device.has(rollout.config)
        : device.kind === 'echoing' && fragment.acked && fragment.echoed;
    if (isDone) return this.confirm(device);
    if (fragment.status === 'gateway_unavailable') return this.submit(rollout);
    const { status, attempts, lastUs } = fragment;
    const isOver = status === 'sent' && attempts >= 4 && this.nowUs > lastUs!;
    if (isOver && this.nowUs >= lastUs! + MINUTES_5) this.fail(device);
  }
}

const same = (a: Config | null, b: Config): boolean => JSON.stringify(a) === JSON.stringify(b);

// ── the platform beside it ───────────────────────────────────────────────────────────────────────

class Both {
  readonly model = new Model();
  readonly fleet = new Configuring();
  readonly devEuis: readonly string[] = KINDS.map((kind) => this.fleet.device(kind));
  readonly gone = new Set<number>();

  #of(which: number): readonly [Device, string] | undefined {
    return this.gone.has(which) ? undefined : [this.model.devices[which]!, this.devEuis[which]!];
  }

  do(step: Step): void {
    const { fleet, model } = this;
    if (step.reload) fleet.reload();
    const found = this.#of(step.which);
    switch (step.what) {
      case 'wait':
        model.advance(model.nowUs + step.seconds * S);
        fleet.wait(step.seconds);
        return;
      case 'fault':
        return this.#fault();
      case 'works':
        model.silentUs = null;
        fleet.bench.silentSinceUs.clear();
        return;
    }
    if (found === undefined) return;
    const [device, devEui] = found;
    const { config } = step;
    switch (step.what) {
      case 'set': {
        const isCreated = model.set(device, config);
        const answer = fleet.set(devEui, config);
        expect(answer.ok && answer.meanwhile === true).toBe(isCreated);
        return;
      }
      case 'cancel':
        model.cancel(device);
        return fleet.cancel(devEui);
      case 'sent':
        model.report(device, 'sent');
        return fleet.writeReport(devEui, SENT);
      case 'lost':
        model.report(device, 'lost');
        return fleet.writeReport(devEui, { kind: 'dropped', reason: 'noBudget' });
      case 'gone':
        model.report(device, 'gone');
        return fleet.writeReport(devEui, { kind: 'dropped', reason: 'gatewayGone' });
      case 'acknowledge': {
        const { active } = device;
        if (active === null || !active.fragments.some(({ status }) => status === 'sent')) return;
        model.acknowledge(device);
        return fleet.reportLatest(devEui, ACKNOWLEDGED);
      }
      case 'speak':
        model.heard(device, null, null);
        return fleet.speak(devEui);
      case 'report':
        model.heard(device, config, null);
        return fleet.report(devEui, config);
      case 'echo': {
        const [[name, value]] = Object.entries(config) as [['level', number]];
        model.heard(device, null, { [name]: value });
        return fleet.who.hear(devEui, SET_FPORT, parameter(name, value));
      }
      case 'remove':
        this.gone.add(step.which);
        model.devices[step.which]!.rollout = null;
        fleet.who.do({ kind: 'endDevice.delete', DevEUI: devEui });
    }
  }

  #fault(): void {
    const { fleet, model } = this;
    if (model.silentUs !== null) return;
    model.silentUs = model.nowUs;
    model.looksUs.push(model.nowUs + 90 * S + 1);
    fleet.bench.silentSinceUs.set(GATEWAY, model.nowUs);
    const news = { kind: 'gatewayState', eui: GATEWAY, fault: 'backhaul', on: true } as const;
    fleet.bench.platform.hear(news, model.nowUs);
    fleet.bench.drain();
  }

  compare(): void {
    for (const [which, device] of this.model.devices.entries()) {
      if (this.gone.has(which)) continue;
      const devEui = this.devEuis[which]!;
      const { desired, reported } = this.fleet.get(devEui);
      expect(reported?.config ?? null).toEqual(device.reported);
      const response = desired && {
        config: desired.config,
        status: desired.status,
        reason: desired.failure_reason,
        fragments: desired.progress.fragments.map((each) => [each.status, each.attempt_count]),
      };
      const { rollout } = device;
      expect(response).toEqual(
        rollout && {
          config: rollout.config,
          status: rollout.status,
          reason: rollout.reason,
          fragments: rollout.fragments.map(({ status, attempts }) => [status, attempts]),
        },
      );
      expect(this.fleet.waiting(devEui)).toBe(rollout?.waits ? 1 : 0);
      expect(this.fleet.bench.isWatched(devEui)).toBe(device.active !== null);
    }
    const isIdle = this.model.devices.every(({ active }) => active === null);
    expect(this.fleet.bench.platform.resources.deviceConfiguration.isIdle).toBe(isIdle);
  }

  /** Rollouts of all devices, those that were removed too. */
  sums(): void {
    const { resources } = this.fleet.bench.platform;
    const result = resources.deviceConfiguration.result({ devices: [] });
    if (result === undefined) return;
    const { made: created, active, applied, failed, cancelled } = result.rollouts;
    const ended = [...Object.values(failed), ...Object.values(cancelled)];
    expect(active + applied + ended.reduce((sum, each) => sum + each, 0)).toBe(created);
  }
}

const WHATS = [
  'set',
  'set',
  'cancel',
  'sent',
  'sent',
  'sent',
  'lost',
  'gone',
  'acknowledge',
  'acknowledge',
  'speak',
  'report',
  'report',
  'echo',
  'echo',
  'wait',
  'wait',
  'wait',
  'fault',
  'works',
  'remove',
] as const;

const steps = fc.record({
  what: fc.constantFrom(...WHATS),
  which: fc.nat(KINDS.length - 1),
  seconds: fc.constantFrom(1, 2, 60, 91, 299, 300, 301, 3_600, 86_400),
  config: fc.oneof(
    fc.record({ level: fc.nat(1) }),
    fc.record({ level: fc.nat(1), period: fc.nat(1) }),
    fc.record({ period: fc.nat(1) }),
  ) as fc.Arbitrary<Config>,
  reload: fc.boolean(),
});
type Step = Parameters<Parameters<typeof steps.map>[0]>[0];

describe('rollouts', () => {
  it('are as the model of the document has them, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 20, maxLength: 60 }), (all) => {
        const both = new Both();
        for (const step of all) {
          both.do(step);
          both.compare();
        }
        both.sums();
      }),
      { numRuns: someRuns(40, 4) },
    );
  });
});
