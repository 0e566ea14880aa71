/**
 * Gateway connectivity events (data delivery, Events): a change is shown once it has persisted for
 * 15 minutes, to each destination of each alert that monitors the gateway then. What is reported is
 * what a second, small program makes of the connections that the management reports.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../core/command.ts';
import type { Effect } from '../../core/delivery/deliveries/effects.ts';
import { World } from '../../core/world/world.ts';
import { mostRuns } from '../support/long.ts';
import { type Change, type Life, responseOf } from '../support/reported-connectivity.ts';
import { eui, HOUR_US, MINUTE_US, networkOf, SECOND_US } from '../support/small-network.ts';
import { throughBytes } from '../support/worlds.ts';

const DAY_US = 24 * HOUR_US;
const EUIS = [1, 2, 3].map((number) => eui('06', number));
const [NORTH, SOUTH, HIS] = EUIS as [string, string, string];
/** The third gateway is another's. */
const ownerOf = (gateway: number) => (gateway === 2 ? 'bob' : 'ann');

function planOf(lossesPpm: readonly number[] = [0, 0, 0]) {
  const gatewaysAt = lossesPpm.map((_, i) => 100 * (i + 1));
  const network = networkOf({ devices: 1, gatewaysAt, traffic: { process: 'none' } });
  const gateways = network.gateways.map((gateway, i) => ({
    ...gateway,
    backhaul: { ...gateway.backhaul, lossPpm: lossesPpm[i]! },
  }));
  const owners = {
    devices: [],
    gateways: gateways.map(({ eui }, i) => [eui, ownerOf(i)] as const),
  };
  const network_ = { ...network, gateways };
  return {
    name: 'x',
    description: '',
    durationUs: 100 * DAY_US,
    network: network_,
    timeline: [],
    owners,
  };
}

function given<Value>(answer: object): Value {
  const { ok, value } = answer as { readonly ok: boolean; readonly value: Value };
  if (!ok) throw new Error(JSON.stringify(answer));
  return value;
}

type Emitted = Extract<Effect, { kind: 'emitted' }>;

interface Event {
  readonly timestamp: string;
  readonly type: string;
  readonly data: { readonly timestamp: string; readonly node_id: string; readonly status: string };
}

/** A world whose connectivity events are stored. */
class Response {
  readonly plan: ReturnType<typeof planOf>;
  readonly emitted: Emitted[] = [];
  world: World;
  #named = 0;

  constructor(plan = planOf()) {
    this.plan = plan;
    this.world = World.create(plan, 'x', this.#options);
  }

  get #options() {
    return {
      effects: (effect: Effect) => {
        if (effect.kind === 'emitted') this.emitted.push(effect);
      },
    };
  }

  get nowUs(): number {
    return this.world.nowUs;
  }

  do<const Given extends Command>(command: Given): unknown {
    return given(this.world.submit(command as Command));
  }

  fault(gateway: string, on: boolean, by = 'ann'): void {
    this.do({ kind: 'gateway.fault', eui: gateway, fault: 'backhaul', on, by });
  }

  destination(by = 'ann', more: object = {}): string {
    const data = { url: `https://${++this.#named}.example/` };
    const destination = { name: 'desk', type: 'webhook' as const, data, ...more };
    return (this.do({ kind: 'destination.create', destination, by }) as { id: string }).id;
  }

  alert(node_ids: readonly string[], destination_ids: readonly string[], by = 'ann'): string {
    const alert = {
      name: 'roof',
      type: 'gateway_connectivity' as const,
      data: { node_ids },
      destination_ids,
    };
    return (this.do({ kind: 'alert.create', alert, by }) as { id: string }).id;
  }

  go(minutes: number): void {
    this.world.runUntil(this.nowUs + minutes * MINUTE_US);
  }

  /** What was reported since it was asked last, in brief. */
  report(): string[] {
    return this.emitted.splice(0).map(({ body }) => {
      const { data } = body as unknown as Event;
      return `${data.node_id === NORTH ? 'north' : 'south'} ${data.status}`;
    });
  }

  save(): void {
    const bytes = throughBytes(this.world.snapshot());
    this.world = World.restore(this.plan, 'x', bytes, this.#options);
  }

  fork(): void {
    this.world = this.world.fork(this.#options);
  }
}

/** With an alert that monitors two gateways, for an hour. */
function watched(lossesPpm?: readonly number[]): Response & { readonly to: string } {
  const response = new Response(planOf(lossesPpm));
  const to = response.destination();
  response.alert([NORTH, SOUTH], [to]);
  response.go(60);
  return Object.assign(response, { to });
}

describe('a gateway connectivity event', () => {
  it('has the documented body: when it is produced, when the state changed, which gateway', () => {
    const world = watched();
    world.fault(NORTH, true);
    world.go(30);
    expect(world.emitted).toHaveLength(1);
    const [{ atUs, owner, target, to, what, body }] = world.emitted as [Emitted];
    expect({ owner, target, to, what }).toEqual({
      owner: 'ann',
      target: world.to,
      to: { kind: 'webhook', address: 'https://1.example/' },
      what: { kind: 'gateway_connectivity', about: NORTH },
    });
    const { timestamp, type, data } = body as unknown as Event;
    expect(Object.keys(body as object)).toEqual(['timestamp', 'type', 'data']);
    expect(data).toEqual({ timestamp: data.timestamp, node_id: NORTH, status: 'offline' });
    expect(type).toBe('gateway_connectivity');
    expect(Date.parse(timestamp)).toBe(Math.floor(atUs / 1000) + startMs(world));
    expect(Date.parse(timestamp) - Date.parse(data.timestamp)).toBe(900_000);
    // It was silent for 90 s by then.
    const silentMs = Date.parse(data.timestamp) - startMs(world) - 60 * 60_000;
    expect(silentMs).toBeGreaterThan(60_000);
    expect(silentMs).toBeLessThanOrEqual(90_000);
  });

  it('is reported of what has gone and of what has come back, once each', () => {
    const world = watched();
    world.fault(NORTH, true);
    world.go(60);
    expect(world.report()).toEqual(['north offline']);
    world.fault(NORTH, false);
    world.go(14);
    expect(world.report()).toEqual([]);
    world.go(120);
    expect(world.report()).toEqual(['north online']);
  });

  it.each([
    [14, []],
    [15, []],
    [18, ['north offline', 'north online']],
  ])('rule 1: is reported of an outage of %i minutes: %j', (minutes, lines) => {
    const world = watched();
    world.fault(NORTH, true);
    world.go(minutes);
    world.fault(NORTH, false);
    world.go(120);
    expect(world.report()).toEqual(lines);
  });

  it('is none for coming back to what was reported last, how often it flaps', () => {
    const world = watched();
    for (let i = 0; i < 10; i++) {
      world.fault(NORTH, i % 2 === 0);
      world.go(10);
    }
    world.go(60);
    expect(world.report()).toEqual([]);
    world.fault(NORTH, true);
    world.go(40);
    for (let i = 0; i < 10; i++) {
      world.fault(NORTH, i % 2 === 1);
      world.go(10);
    }
    world.go(60);
    expect(world.report()).toEqual(['north offline']);
  });

  it('is none of a failed radio, nor of first connections, nor of a day without faults', () => {
    const world = watched();
    world.do({ kind: 'gateway.fault', eui: NORTH, fault: 'radio', by: 'ann' });
    world.go(24 * 60);
    expect(world.report()).toEqual([]);
  });

  it('comes for a gateway that never connects, after 90 s and 15 minutes', () => {
    const response = new Response(planOf([1_000_000, 0, 0]));
    response.alert([NORTH, SOUTH], [response.destination()]);
    response.go(16.25);
    expect(response.report()).toEqual([]);
    response.go(0.5);
    expect(response.report()).toEqual(['north offline']);
  });

  it('is reported of a gateway that is new: it was offline until it connected', () => {
    const world = watched();
    world.do({ kind: 'gateway.remove', eui: NORTH, by: 'ann' });
    world.go(60);
    world.do({ kind: 'gateway.create', gateway: { eui: NORTH }, by: 'ann' });
    world.alert([NORTH], [world.to]);
    world.go(14.9);
    expect(world.report()).toEqual([]);
    world.go(60);
    expect(world.report()).toEqual(['north online']);
  });
});

describe('a gateway that is put on an alert', () => {
  const down = (minutes: number) => {
    const response = new Response();
    const to = response.destination();
    response.go(60);
    response.fault(NORTH, true);
    response.go(minutes);
    response.alert([NORTH], [to]);
    return response;
  };

  it('and has been offline for less than 15 minutes, is reported of when these are over', () => {
    const response = down(10);
    response.go(6);
    expect(response.report()).toEqual([]);
    response.go(1);
    expect(response.report()).toEqual(['north offline']);
  });

  it('and has been offline for longer, is reported of when it has changed', () => {
    const response = down(17);
    response.go(60);
    expect(response.report()).toEqual([]);
    response.fault(NORTH, false);
    response.go(17);
    expect(response.report()).toEqual(['north online']);
  });

  it('after an outage that was reported, is reported of its end', () => {
    const response = down(60);
    response.fault(NORTH, false);
    response.go(5);
    const alert_id = response.alert([], [response.destination()]);
    response.do({ kind: 'alert.addGateway', alert_id, node_id: NORTH, by: 'ann' });
    response.go(17);
    expect(response.report()).toEqual(['north online', 'north online']);
  });

  it('after a short outage, is reported of nothing', () => {
    const response = new Response();
    response.go(60);
    response.fault(NORTH, true);
    response.go(8);
    response.fault(NORTH, false);
    response.go(5);
    response.alert([NORTH], [response.destination()]);
    response.go(60);
    expect(response.report()).toEqual([]);
  });
});

describe('who is reported', () => {
  it('is each destination of each alert that monitors the gateway when the time is over', () => {
    const response = new Response();
    const [one, two] = [response.destination(), response.destination()];
    const first = response.alert([NORTH], [one, two]);
    const second = response.alert([NORTH, SOUTH], [one]);
    response.go(60);
    response.fault(NORTH, true);
    response.go(10);
    const late = response.destination();
    response.alert([NORTH], [late]);
    response.do({ kind: 'alert.delete', alert_id: first, by: 'ann' });
    response.go(10);
    expect(response.emitted.map(({ target }) => target).sort()).toEqual([one, late].sort());
    response.emitted.length = 0;
    response.do({ kind: 'destination.delete', destination_id: one, by: 'ann' });
    response.fault(NORTH, false);
    response.go(20);
    expect(response.emitted.map(({ target }) => target)).toEqual([late]);
    const left = response.world.ask({ kind: 'alert.get', alert_id: second, by: 'ann' });
    expect(given(left)).toMatchObject({ destination_ids: [] });
  });

  it('is a destination once for each of its alerts', () => {
    const response = new Response();
    const to = response.destination();
    response.alert([NORTH], [to]);
    response.alert([NORTH], [to]);
    response.go(1);
    response.fault(NORTH, true);
    response.go(30);
    expect(response.emitted.map(({ target }) => target)).toEqual([to, to]);
    expect(new Set(response.emitted.map(({ id }) => id)).size).toBe(2);
  });

  it('is nobody once the gateway is off all alerts, and who monitors it again later', () => {
    const world = watched();
    const on = world.alert([NORTH], [world.to]);
    world.fault(NORTH, true);
    world.go(5);
    const list = world.world.ask({ kind: 'alert.list', by: 'ann' });
    const { data } = given<{ data: readonly { id: string }[] }>(list);
    const { id } = data.find((each) => each.id !== on)!;
    const node_ids = [NORTH];
    world.do({ kind: 'alert.removeGateways', alert_id: id, node_ids, by: 'ann' });
    world.do({ kind: 'alert.removeGateways', alert_id: on, node_ids, by: 'ann' });
    world.go(60);
    expect(world.report()).toEqual([]);
  });

  it('is not another subscriber, whatever happens', () => {
    const response = new Response();
    response.alert([HIS], [response.destination('bob')], 'bob');
    response.alert([NORTH], [response.destination()]);
    response.go(60);
    response.fault(HIS, true, 'bob');
    response.go(60);
    expect(response.emitted.map(({ owner }) => owner)).toEqual(['bob']);
  });

  it('is a paused destination later: what is due waits', () => {
    const response = new Response();
    response.alert([NORTH], [response.destination('ann', { enabled: false })]);
    response.fault(NORTH, true);
    response.go(30);
    const list = response.world.ask({ kind: 'delivery.list', by: 'ann' });
    const { targets } = given<{ targets: readonly object[] }>(list);
    expect(targets).toMatchObject([{ emitted: 1, paused: 1 }]);
  });
});

// ── against a second program ─────────────────────────────────────────────────────────────────────

const MINUTES = [0.5, 1.5, 5, 13, 14, 16, 17, 18, 40];

const step = fc.record({
  what: fc.constantFrom(
    ...(['down', 'down', 'down', 'up', 'up', 'up', 'move', 'again', 'save', 'fork'] as const),
    ...(['put', 'put', 'put', 'put', 'take', 'replace', 'drop'] as const),
  ),
  gateway: fc.nat(2),
  alert: fc.nat(1),
  gapUs: fc
    .tuple(fc.constantFrom(...MINUTES), fc.nat(40 * SECOND_US))
    .map(([minutes, more]) => minutes * MINUTE_US + more),
});
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

interface Known {
  readonly atMs: number;
  /** Gateways of each alert that there is. */
  readonly alerts: readonly (readonly number[])[];
}

interface GatewayEvent {
  readonly Time: string;
  readonly Field: string;
  readonly NewValue: string;
}

const msOf = (us: number): number => Math.floor(us / 1000);

/** A world that is driven by steps, and what is known of it without its alerts. */
class Driven {
  readonly reported: Response;
  readonly alertIds: string[][];
  readonly to: string[][];
  /** Of each owner two alerts. */
  readonly monitored: Set<number>[][] = [0, 1].map(() => [new Set(), new Set()]);
  readonly history: Known[] = [];
  readonly lives: Life[][] = EUIS.map(() => []);
  readonly #begun: { isPlanned: boolean; fromMs: number; turnsMs: number[]; down: boolean }[];

  constructor(lossesPpm: readonly number[]) {
    this.reported = new Response(planOf(lossesPpm));
    this.#begun = EUIS.map(() => newLife(true, 0));
    this.to = ['ann', 'bob'].map((by) => [0, 1].map(() => this.reported.destination(by)));
    this.alertIds = ['ann', 'bob'].map((by, i) =>
      [0, 1].map((n) => this.reported.alert([], [this.to[i]![n]!], by)),
    );
    this.#note();
  }

  carryOut({ what, gateway, alert, gapUs }: Step): void {
    const { reported: response } = this;
    response.world.runUntil(response.nowUs + gapUs);
    const by = ownerOf(gateway);
    const node_id = EUIS[gateway]!;
    const alert_id = this.alertIds[by === 'ann' ? 0 : 1]![alert]!;
    const monitored = this.monitored[by === 'ann' ? 0 : 1]![alert]!;
    const life = this.#begun[gateway]!;
    if (what === 'down' || what === 'up') {
      const on = what === 'down';
      response.fault(node_id, on, by);
      if (life.down !== on) life.turnsMs.push(msOf(response.nowUs));
      life.down = on;
    }
    if (what === 'move') {
      const place = { xMeters: response.nowUs % 1000, yMeters: 5 };
      response.do({ kind: 'gateway.change', eui: node_id, gateway: place, by });
      life.turnsMs.push(msOf(response.nowUs));
    }
    if (what === 'again') this.#again(gateway);
    if (what === 'put') {
      response.world.submit({ kind: 'alert.addGateway', alert_id, node_id, by });
      monitored.add(gateway);
    }
    if (what === 'take') {
      response.world.submit({ kind: 'alert.removeGateways', alert_id, node_ids: [node_id], by });
      monitored.delete(gateway);
    }
    if (what === 'replace' || what === 'drop') {
      const node_ids = what === 'drop' ? [] : [node_id];
      const data = { node_ids };
      const destination_ids = [this.to[by === 'ann' ? 0 : 1]![alert]!];
      const changed = { name: 'y', type: 'gateway_connectivity' as const, data, destination_ids };
      response.do({ kind: 'alert.replace', alert_id, alert: changed, by });
      monitored.clear();
      if (what === 'replace') monitored.add(gateway);
    }
    if (what === 'save') response.save();
    if (what === 'fork') response.fork();
    this.#note();
  }

  end(): void {
    this.reported.go(60);
    for (const gateway of EUIS.keys()) this.#close(gateway, msOf(this.reported.nowUs) + 1);
  }

  #again(gateway: number): void {
    const { reported: response } = this;
    const node = EUIS[gateway]!;
    const by = ownerOf(gateway);
    this.#close(gateway, msOf(response.nowUs));
    const { backhaul } = response.plan.network.gateways[gateway]!;
    const { lossPpm } = backhaul;
    response.do({ kind: 'gateway.remove', eui: node, by });
    response.do({ kind: 'gateway.create', gateway: { eui: node, backhaul: { lossPpm } }, by });
    this.#begun[gateway] = newLife(false, msOf(response.nowUs));
    for (const each of this.monitored.flat()) each.delete(gateway);
  }

  /** A gateway's life until now, with the connections that events of the management tell. */
  #close(gateway: number, untilMs: number): void {
    const NodeID = EUIS[gateway]!;
    const query = { kind: 'gatewayEvent.list', NodeID, by: ownerOf(gateway) } as const;
    const { Events } = given<{ Events: readonly GatewayEvent[] }>(this.reported.world.ask(query));
    const changes = Events.filter(({ Field }) => Field.startsWith('PACKET_FORWARDER'))
      .map(({ Time, NewValue }): Change => {
        const status = NewValue === 'CNX' ? 'online' : 'offline';
        return { atMs: Date.parse(Time) - startMs(this.reported), status };
      })
      .toReversed();
    const { isPlanned, fromMs, turnsMs } = this.#begun[gateway]!;
    this.lives[gateway]!.push({ isPlanned, fromMs, untilMs, changes, turnsMs });
  }

  #note(): void {
    const alerts = this.monitored.flat().map((each) => [...each]);
    this.history.push({ atMs: msOf(this.reported.nowUs), alerts });
  }

  /** What is to be reported, by the second program. */
  expected(): string[] {
    return EUIS.flatMap((_, gateway) =>
      this.lives[gateway]!.flatMap((life) =>
        this.#followed(gateway, life).flatMap(([fromMs, untilMs]) =>
          responseOf(life, fromMs, untilMs).flatMap(({ atMs, changedMs, status }) =>
            this.#targets(gateway, atMs).map((to) =>
              [atMs, changedMs, EUIS[gateway], status, to].join(' '),
            ),
          ),
        ),
      ),
    ).sort();
  }

  actual(): string[] {
    return this.reported.emitted
      .map(({ target, body }) => {
        const { timestamp, data } = body as unknown as Event;
        const [atMs, changedMs] = [timestamp, data.timestamp].map(
          (each) => Date.parse(each) - startMs(this.reported),
        );
        return [atMs, changedMs, data.node_id, data.status, target].join(' ');
      })
      .sort();
  }

  /** From when until when some alert monitors a gateway, in one of its lives. */
  #followed(gateway: number, { fromMs, untilMs }: Life): (readonly [number, number])[] {
    const spans: [number, number][] = [];
    let isOn = false;
    for (const { atMs, alerts } of this.history) {
      if (atMs < fromMs || atMs >= untilMs) continue;
      const is = alerts.some((each) => each.includes(gateway));
      if (is && !isOn) spans.push([atMs, untilMs]);
      if (!is && isOn) spans.at(-1)![1] = atMs;
      isOn = is;
    }
    return spans;
  }

  #targets(gateway: number, atMs: number): string[] {
    const { alerts } = this.history.findLast((each) => each.atMs <= atMs)!;
    const to = this.to.flat();
    return alerts.flatMap((each, i) => (each.includes(gateway) ? [to[i]!] : []));
  }
}

const newLife = (isPlanned: boolean, fromMs: number) => ({
  isPlanned,
  fromMs,
  turnsMs: [fromMs] as number[],
  down: false,
});

/** UTC of virtual time zero, ms. */
const startMs = ({ plan }: { readonly plan: ReturnType<typeof planOf> }): number =>
  (plan.network as { readonly startUnixMs?: number }).startUnixMs ?? 0;

describe('events of alerts', () => {
  it('law: are those that a second program makes of what the management reports', () => {
    let count = 0;
    const losses = fc.constantFrom([0, 0, 0], [0, 400_000, 700_000], [600_000, 0, 500_000]);
    fc.assert(
      fc.property(losses, fc.array(step, { minLength: 5, maxLength: 40 }), (lossesPpm, steps) => {
        const driven = new Driven(lossesPpm);
        for (const gateway of EUIS.keys()) {
          driven.carryOut({ what: 'put', gateway, alert: 0, gapUs: 60 * SECOND_US });
        }
        for (const each of steps) driven.carryOut(each);
        driven.end();
        const expected = driven.expected();
        count += expected.length;
        expect(driven.actual()).toEqual(expected);
      }),
      { numRuns: mostRuns(60) },
    );
    expect(count).toBeGreaterThan(40);
  });
});
