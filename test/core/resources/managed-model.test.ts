/**
 * Managed campaigns against a model that is written from their document: two subscribers, days and
 * commands, a fresh platform from what was saved in between. Commands are given at noon, when the
 * children of the night are over, so the model needs no radio: a child updates who hears it and
 * whose key is right.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../core/base/instant.ts';
import type { ManagedInput } from '../../../core/update-service/managed-campaigns/fields.ts';
import { someRuns } from '../../support/long.ts';
import { Bench } from '../bench.ts';
import { DAY_S, Manager, NEW, OLD } from './managed-notation.ts';
import { NORTH, SOUTH } from './service.ts';

const DAY_MS = DAY_S * 1000;
const NOON_S = 43_200;
/** Of no image: what is included and then excluded. */
const ODD = '0101000000000001';

// ── the model ────────────────────────────────────────────────────────────────────────────────────

interface ModelDevice {
  readonly devEui: string;
  version: string;
  isDeaf: boolean;
  /** Known of it, so that it has to do with its campaign. */
  hasRightKey: boolean;
  isGone: boolean;
}

interface ModelChild {
  readonly devices: readonly string[];
  /** Failed devices, as it ended last. */
  failed: Set<string>;
  isGone: boolean;
}

class ModelManaged {
  stage = 'INITIALIZING';
  readonly children: ModelChild[] = [];
  readonly updated = new Set<string>();
  /** Children in which a device failed since the latest clearing. */
  failures = new Map<string, Set<ModelChild>>();
  /** UTC noon after the latest end of a child. */
  lastEndMs = 0;
  readonly include: RegExp;
  readonly exclude: RegExp | undefined;
  readonly stops: boolean;
  readonly minute: number;
  readonly runUntilMs: number;

  constructor(input: ManagedInput, nowMs: number) {
    const regExp = (pattern: string) => new RegExp(`^${pattern.replaceAll('.', '[0-9A-F]')}$`);
    this.include = regExp(input.include_versions[0]!);
    const [exclude] = input.exclude_versions ?? [];
    this.exclude = exclude === undefined ? undefined : regExp(exclude);
    this.stops = input.stop_when_no_match === true;
    const [hours, minutes] = input.preferred_start_time_utc!.split(':').map(Number);
    this.minute = hours! * 60 + minutes!;
    this.runUntilMs = input.run_until == null ? nowMs + 7 * DAY_MS : Date.parse(input.run_until);
  }

  get isOver(): boolean {
    return ['FINISHED', 'CLEANED', 'ERROR_SETTING_UP'].includes(this.stage);
  }

  problematic(): string[] {
    return [...this.failures]
      .filter(([, children]) => children.size >= 2)
      .map(([devEui]) => devEui)
      .sort();
  }

  /** At a noon, no child runs. */
  scheduled(devices: readonly ModelDevice[], isWatched: boolean): string[] {
    const leftOut = this.problematic();
    return devices
      .filter(
        ({ devEui, version, isGone }) =>
          isWatched &&
          !isGone &&
          this.include.test(version) &&
          this.exclude?.test(version) !== true &&
          !version.startsWith('01020300') &&
          !leftOut.includes(devEui),
      )
      .map(({ devEui }) => devEui);
  }

  end(): void {
    this.stage = this.children.length === 0 ? 'CLEANED' : 'FINISHED';
  }

  /** What a child amounts to for those that are tried in it. */
  run(child: ModelChild, tried: readonly ModelDevice[]): void {
    for (const device of tried) {
      const { devEui, isDeaf, hasRightKey } = device;
      const failures = this.failures.get(devEui) ?? new Set();
      if (isDeaf || !hasRightKey) {
        child.failed.add(devEui);
        this.failures.set(devEui, failures.add(child));
      } else {
        child.failed.delete(devEui);
        failures.delete(child);
        this.updated.add(devEui);
        device.version = NEW;
      }
    }
  }

  forget(devEui: string): void {
    this.updated.delete(devEui);
    this.failures.delete(devEui);
  }
}

// ── one subscriber, in truth and in the model ────────────────────────────────────────────────────

/** So near that no child is over at the later one. */
const TIMES = ['03:30', '03:40'] as const;

class Side {
  readonly us: Manager;
  readonly devices: ModelDevice[];
  readonly managed: { readonly id: string; readonly model: ModelManaged }[] = [];
  isWatched = true;

  constructor(us: Manager, count: number) {
    this.us = us;
    const place = us.bench.devices.size;
    const devEuis = us.fleet(count, (i) => ({
      losesFragment: () => this.devices[i - place]?.isDeaf === true,
    }));
    this.devices = devEuis.map((devEui) => ({
      devEui,
      version: OLD,
      isDeaf: false,
      hasRightKey: true,
      isGone: false,
    }));
  }

  /** From a noon to the next: sessions, what their children come to, then what ends by time. */
  day(nowMs: number): void {
    const noonMs = nowMs + DAY_MS;
    const gathering = this.managed.filter(({ model }) => model.stage === 'GATHERING_DEVICES');
    const begun = gathering.flatMap(({ model }) => {
      const sessionMs = nowMs + DAY_MS / 2 + model.minute * 60_000;
      if (sessionMs > model.runUntilMs) return [];
      const devices = model.scheduled(this.devices, this.isWatched);
      if (devices.length === 0 && model.stops) model.end();
      return devices.length === 0 ? [] : [{ model, devices }];
    });
    for (const { model, devices } of begun) this.#child(model, devices, noonMs);
    for (const { model } of gathering) {
      if (!model.isOver && model.runUntilMs <= noonMs) model.end();
    }
    for (const { model } of this.managed) {
      const cleansMs = model.lastEndMs + 7 * DAY_MS;
      if (model.stage === 'FINISHED' && cleansMs <= noonMs) {
        model.stage = 'CLEANED';
        for (const child of model.children) child.isGone = true;
      }
    }
  }

  #child(model: ModelManaged, devices: readonly string[], noonMs: number): void {
    const child = { devices, failed: new Set<string>(), isGone: false };
    model.children.push(child);
    model.lastEndMs = noonMs;
    model.run(
      child,
      this.devices.filter(({ devEui }) => devices.includes(devEui)),
    );
  }

  /** All that is reported, and what the model says. */
  compare(nowMs: number): void {
    for (const { id, model } of this.managed) {
      const response = this.us.managed(id);
      const isGathering = model.stage === 'GATHERING_DEVICES';
      const nextMs = nowMs + DAY_MS / 2 + model.minute * 60_000;
      const next = isGathering && nextMs <= model.runUntilMs ? formatInstant(nextMs) : null;
      const scheduled = next === null ? [] : model.scheduled(this.devices, this.isWatched);
      expect({
        stage: response.stage_str,
        next: response.next_update_session_time,
        scheduled: Object.keys(response.scheduled_devices),
        updated: Object.keys(response.updated_devices),
        problematic: Object.keys(this.us.problematic(id)),
        campaigns: this.childrenOf(id).length,
      }).toEqual({
        stage: model.stage,
        next,
        scheduled,
        updated: [...model.updated].sort(),
        problematic: model.problematic(),
        campaigns: model.children.filter(({ isGone }) => !isGone).length,
      });
    }
  }

  childrenOf(id: string) {
    const at = this.managed.findIndex((each) => each.id === id);
    return this.us.ask({ kind: 'campaign.list' }).filter(({ name }) => name.startsWith(`m${at} `));
  }
}

// ── commands ─────────────────────────────────────────────────────────────────────────────────────

const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('day' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reload' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('create' as const),
      time: fc.constantFrom(...TIMES),
      include: fc.constantFrom('010.............', '................', '0100............'),
      exclude: fc.constantFrom([], ['0101............']),
      stops: fc.boolean(),
      days: fc.constantFrom(undefined, 2, 5),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constantFrom(
        ...(['old', 'odd', 'deaf', 'hears', 'wrongKey', 'rightKey', 'remove', 'gateway'] as const),
        ...(['halt', 'delete', 'clear', 'restart', 'deleteChild'] as const),
      ),
      which: fc.nat(9),
    }),
  },
);
type Drawn = typeof command extends fc.Arbitrary<infer One> ? One : never;

function make(side: Side, drawn: Extract<Drawn, { does: 'create' }>, nowMs: number): void {
  const { us, managed } = side;
  const input = us.input({
    name: `m${managed.length}`,
    preferred_start_time_utc: drawn.time,
    include_versions: [drawn.include],
    exclude_versions: drawn.exclude,
    stop_when_no_match: drawn.stops,
    ...(drawn.days === undefined ? {} : { run_until: us.in(drawn.days * DAY_S) }),
  });
  const answer = us.try({ kind: 'managedCampaign.create', managedCampaign: input });
  expect(answer.ok).toBe(side.isWatched);
  if (!answer.ok) return;
  const model = new ModelManaged(input, nowMs);
  managed.push({ id: answer.value.managed_campaign_id, model });
  us.go(1);
  model.stage = 'GATHERING_DEVICES';
}

function carryOut(side: Side, drawn: Drawn, nowMs: number): void {
  const { us, devices, managed } = side;
  if (drawn.does === 'create') return make(side, drawn, nowMs);
  if (!('which' in drawn)) return;
  const device = devices[drawn.which % devices.length]!;
  const { devEui } = device;
  const one = managed[drawn.which % Math.max(1, managed.length)];
  const managed_campaign_id = one?.id ?? '';
  switch (drawn.does) {
    case 'old':
    case 'odd':
      if (device.isGone) return;
      device.version = drawn.does === 'old' ? OLD : ODD;
      return us.report(devEui, device.version);
    case 'deaf':
    case 'hears':
      device.isDeaf = drawn.does === 'deaf';
      return;
    case 'wrongKey':
      device.hasRightKey = false;
      return void us.do({ kind: 'key.generate', keygen_type: 'vendor', devices: [devEui] });
    case 'rightKey':
      device.hasRightKey = true;
      return void us.do({ kind: 'key.delete', devices: [devEui] });
    case 'remove':
      if (device.isGone) return;
      device.isGone = true;
      us.do({ kind: 'device.remove', devEui });
      for (const { model } of managed) model.forget(devEui);
      return;
    case 'gateway':
      if (side.isWatched) us.do({ kind: 'gateway.remove', eui: us.gateway });
      else us.do({ kind: 'gateway.create', gateway: { eui: us.gateway, name: 'again' } });
      side.isWatched = !side.isWatched;
      return;
    case 'halt':
      if (one === undefined) return;
      if (!one.model.isOver) one.model.end();
      return us.halt(one.id);
    case 'clear':
      if (one === undefined) return;
      one.model.failures = new Map();
      return us.clear(one.id);
    case 'delete': {
      const remove = { kind: 'managedCampaign.delete', managed_campaign_id } as const;
      if (one === undefined || one.model.isOver) return;
      expect(us.refused(remove)).toBe('managedCampaign.not-finished');
      return;
    }
    case 'restart':
    case 'deleteChild':
      if (one !== undefined) ofChild(side, one, drawn.does, nowMs);
  }
}

/** The first child that is still there is tried again, or deleted by its owner. */
function ofChild(
  side: Side,
  { id, model }: Side['managed'][number],
  does: 'restart' | 'deleteChild',
  nowMs: number,
): void {
  const at = model.children.findIndex(({ isGone }) => !isGone);
  const child = model.children[at];
  const [first] = side.childrenOf(id);
  if (child === undefined || first === undefined) return;
  const { campaign_id } = first;
  if (does === 'deleteChild') {
    child.isGone = true;
    side.us.do({ kind: 'campaign.delete', campaign_id });
    return side.us.go(2);
  }
  const tried = side.devices.filter(({ devEui, isGone }) => child.failed.has(devEui) && !isGone);
  const answer = side.us.try({ kind: 'campaign.restart', campaign_id, changes: {} });
  if (!answer.ok) return;
  model.lastEndMs = nowMs + DAY_MS;
  model.run(child, tried);
  // It is over before the next session.
  side.us.go(10 * 3600);
}

function world() {
  const bench = new Bench({ gateways: [NORTH, SOUTH] });
  const gateways = [[NORTH, 'ann'] as const, [SOUTH, 'bob'] as const];
  bench.platform.onPlanned({ devices: [], gateways });
  const sides = [
    new Side(new Manager(bench, 'ann', NORTH), 3),
    new Side(new Manager(bench, 'bob', SOUTH), 2),
  ];
  sides[0]!.us.goTo(NOON_S);
  return { bench, sides };
}

describe('managed campaigns of two subscribers', () => {
  it('are what their document says, whatever is asked of them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1), command), { maxLength: 25 }), (commands) => {
        const { bench, sides } = world();
        for (const [owner, drawn] of [...commands, [0, { does: 'day' }] as const]) {
          const nowMs = bench.view.unixMs(bench.nowUs);
          if (drawn.does === 'reload') bench.reload();
          else if (drawn.does === 'day') for (const side of sides) side.day(nowMs);
          else carryOut(sides[owner]!, drawn, nowMs);
          sides[0]!.us.goTo(NOON_S);
          if (drawn.does !== 'day') for (const side of sides) side.day(nowMs);
          for (const side of sides) side.compare(bench.view.unixMs(bench.nowUs));
        }
      }),
      { numRuns: someRuns(60, 4) },
    );
  });
});
