/**
 * Events of gateways, replayed, tell of each instant what rows and statistics reported at that
 * instant: through faults, moves, comings and goings, lossy backhauls, saves and forks; and asking
 * for any of it changes nothing.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish, type Slices } from '../../core/base/in-steps.ts';
import type { Command } from '../../core/command.ts';
import { World } from '../../core/world/world.ts';
import { mostRuns } from '../support/long.ts';
import {
  eui,
  GPS_EPOCH_MS,
  HOUR_US,
  MINUTE_US,
  networkOf,
  SECOND_US,
} from '../support/small-network.ts';
import { throughBytes } from '../support/worlds.ts';

const DAY_US = 24 * HOUR_US;
const EUIS = [1, 2, 3].map((number) => eui('06', number));
const LOSSES_PPM = [0, 300_000, 700_000];
/** The third gateway is another's. */
const ownerOf = (gateway: number) => (gateway === 2 ? 'bob' : 'ann');

function planOf(lossesPpm: readonly number[] = LOSSES_PPM) {
  const network = networkOf({
    devices: 2,
    gatewaysAt: [100, 200, 300],
    traffic: { process: 'none' },
  });
  const gateways = network.gateways.map((gateway, i) => ({
    ...gateway,
    backhaul: { ...gateway.backhaul, lossPpm: lossesPpm[i]! },
  }));
  const owners = {
    devices: [],
    gateways: EUIS.map((each, i) => [each, ownerOf(i)] as const),
  };
  return {
    name: 'x',
    description: '',
    durationUs: 100 * DAY_US,
    network: { ...network, gateways },
    timeline: [],
    owners,
  };
}

function given(answer: { readonly ok: boolean }): unknown {
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return (answer as unknown as { readonly value: unknown }).value;
}

interface Gateway {
  readonly NodeId: string;
  readonly Statistics: object | null;
}

interface Event {
  readonly Time: string;
  readonly Field: string;
  readonly OldValue: string;
  readonly NewValue: string;
}

const eventsOf = (world: World, by: string, NodeID: string, times: object = {}) =>
  (given(world.ask({ kind: 'gatewayEvent.list', NodeID, ...times, by })) as { Events: Event[] })
    .Events;

interface State {
  readonly connection: string;
  readonly health: string;
}

/** Virtual time, ms. */
const msOf = ({ Time }: Event): number => Date.parse(Time) - GPS_EPOCH_MS;

const NEW: State = { connection: 'NEVERCNX', health: 'INIT' };

/** What statistics tell of a gateway; undefined: it is not there. */
function stateOf(world: World, by: string, Id: string): State | undefined {
  const answer = world.ask({ kind: 'gatewayStatistics.get', Id, by });
  if (!answer.ok) return undefined;
  const { ConnectionState: connection, HealthState: health } = answer.value;
  return connection === undefined ? NEW : { connection, health: health! };
}

/**
 * What events, the latest first, say of descending instants, from how it is now: before each it was
 * as its old value says, and it led to its new one.
 */
function replayed(now: State, events: readonly Event[], instantsMs: readonly number[]): State[] {
  let state = now;
  let next = 0;
  return instantsMs.map((atMs) => {
    for (; next < events.length && msOf(events[next]!) > atMs; next++) {
      const { Field, OldValue, NewValue } = events[next]!;
      const what = Field.startsWith('PACKET_FORWARDER')
        ? 'connection'
        : Field === 'ONLINE_STATUS'
          ? 'health'
          : undefined;
      if (what === undefined) continue;
      if (state[what] !== NewValue) throw new Error(`${NewValue} led to ${state[what]}`);
      state = { ...state, [what]: OldValue };
    }
    return state;
  });
}

/** Every gateway stands once in each list, in that of its state. */
function rowsOf(world: World, by: string): Map<string, State> {
  const states = new Map<string, State>();
  const connection = given(world.ask({ kind: 'gatewayStatistics.connection', by }));
  const health = given(world.ask({ kind: 'gatewayStatistics.health', by }));
  const listed = (lists: unknown) =>
    (
      Object.entries(lists as object) as [string, { NodeId: string; Statistics: object | null }[]][]
    ).flatMap(([name, gateways]) => gateways.map(({ NodeId }) => [NodeId, name] as const));
  const words = new Map(listed(connection));
  expect(listed(connection)).toHaveLength(words.size);
  expect(listed(health)).toHaveLength(words.size);
  for (const [NodeId, name] of listed(health)) {
    states.set(NodeId, { connection: words.get(NodeId)!, health: name });
  }
  return states;
}

const CONNECTION_LISTS = { NEVERCNX: 'NeverConnected', DISC: 'Disconnected', CNX: 'Connected' };
const HEALTH_LISTS = {
  INIT: 'Initializing',
  HEALTH_UNKNOWN: 'Initializing',
  BACKHAUL_CNX_ERROR: 'ConnectError',
  RF_ERROR: 'RfError',
  ACTIVE: 'Active',
};
const listsOf = ({ connection, health }: State): State => ({
  connection: CONNECTION_LISTS[connection as keyof typeof CONNECTION_LISTS],
  health: HEALTH_LISTS[health as keyof typeof HEALTH_LISTS],
});

const step = fc.record({
  what: fc.constantFrom(
    'fault',
    'fault',
    'fault',
    'fault',
    'move',
    'rename',
    'again',
    'save',
    'fork',
  ),
  gateway: fc.nat(2),
  fault: fc.constantFrom('backhaul' as const, 'backhaul' as const, 'radio' as const),
  on: fc.boolean(),
  gapUs: fc.oneof(
    fc.constantFrom(0, 1, 30 * SECOND_US, 90 * SECOND_US),
    fc.nat(5 * MINUTE_US),
    fc.nat(12 * HOUR_US),
    fc.constantFrom(HOUR_US, HOUR_US, 20 * DAY_US),
  ),
});
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

const place = (number: number) => ({ xMeters: 100 + number, yMeters: 0 });

/** The commands of a step. */
function commandsOf({ what, gateway, fault, on }: Step, number: number): Command[] {
  const by = ownerOf(gateway);
  const eui = EUIS[gateway]!;
  if (what === 'fault') return [{ kind: 'gateway.fault', eui, fault, on, by }];
  if (what === 'move') return [{ kind: 'gateway.change', eui, gateway: place(number), by }];
  if (what === 'rename')
    return [{ kind: 'gateway.change', eui, gateway: { name: `g${number}` }, by }];
  if (what !== 'again') return [];
  const created = { eui, ...place(number), backhaul: { lossPpm: LOSSES_PPM[gateway]! } };
  return [
    { kind: 'gateway.remove', eui, by },
    { kind: 'gateway.create', gateway: created, by },
  ];
}

describe('events of gateways, replayed,', () => {
  it('give connection and health at any instant as they were reported then', () => {
    const seen = {
      DISC: 0,
      RF_ERROR: 0,
      HEALTH_UNKNOWN: 0,
      BACKHAUL_CNX_ERROR: 0,
      INIT: 0,
      old: 0,
    };
    const plan = planOf();
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.array(fc.nat(1_000_000)), (steps, asks) => {
        let world: World = World.create(plan, 'x');
        const reports: { eui: string; by: string; atMs: number; state: State }[] = [];
        let nowUs = 0;
        const look = (atUs: number) => {
          // The last µs of a ms: what is reported with that ms has happened.
          const lookUs = Math.floor(atUs / 1000) * 1000 + 999;
          if (lookUs < nowUs) return;
          nowUs = lookUs;
          world.runUntil(nowUs);
          for (const [i, each] of EUIS.entries()) {
            const by = ownerOf(i);
            const state = stateOf(world, by, each)!;
            reports.push({ eui: each, by, atMs: Math.floor(nowUs / 1000), state });
            for (const word of Object.values(state)) if (word in seen) seen[word as 'DISC']++;
            expect(rowsOf(world, by).get(each)).toEqual(listsOf(state));
          }
        };
        for (const [number, each] of steps.entries()) {
          const untilUs = nowUs + each.gapUs;
          for (const share of asks.slice(0, 3)) look(nowUs + (each.gapUs * share) / 1_000_000);
          // What is looked at before a command of the same instant is reported no more after it.
          nowUs = reports.at(-1)?.atMs === Math.floor(nowUs / 1000) ? nowUs + 1 : nowUs;
          nowUs = Math.max(nowUs, untilUs);
          world.runUntil(nowUs);
          for (const command of commandsOf(each, number)) given(world.submit(command));
          if (each.what === 'fork') world = world.fork();
          if (each.what === 'save') {
            world = World.restore(plan, 'x', throughBytes(world.snapshot()));
          }
          if (each.what !== 'again') continue;
          const gone = EUIS[each.gateway];
          reports.splice(0, reports.length, ...reports.filter(({ eui }) => eui !== gone));
        }
        look(nowUs + 10 * MINUTE_US);
        const fromMs = (nowUs - 30 * DAY_US) / 1000;
        for (const [i, each] of EUIS.entries()) {
          const events = eventsOf(world, ownerOf(i), each);
          const times = events.map(msOf);
          expect(times.every((time, at) => at === 0 || time <= times[at - 1]!)).toBe(true);
          expect(events.filter(({ OldValue, NewValue }) => OldValue === NewValue)).toEqual([]);
          const looks = reports
            .filter(({ eui, atMs }) => eui === each && atMs >= fromMs)
            .toReversed();
          const instants = looks.map(({ atMs }) => atMs);
          const now = stateOf(world, ownerOf(i), each)!;
          expect(replayed(now, events, instants)).toEqual(looks.map(({ state }) => state));
          seen.old += fromMs > 0 && events.length > 0 ? 1 : 0;
          expect(times.every((time) => time >= Math.floor(fromMs))).toBe(true);
        }
      }),
      { numRuns: mostRuns(20) },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
  });

  it('are those of the 30 days until EndTime, or of all the time that is asked for', () => {
    const world: World = World.create(planOf(), 'x');
    const [ann] = EUIS as [string];
    for (let day = 0; day < 40; day++) {
      world.runUntil(day * DAY_US);
      const fault = { kind: 'gateway.fault', eui: ann, fault: 'radio', by: 'ann' } as const;
      given(world.submit({ ...fault, on: day % 2 === 0 }));
    }
    const events = eventsOf(world, 'ann', ann);
    expect(events).toHaveLength(31);
    expect(new Set(events.map(({ Field }) => Field))).toEqual(new Set(['ONLINE_STATUS']));
    expect(events.at(-1)!.Time).toBe('1980-01-15T00:00:00Z');
    const days = (times: { StartTime?: string; EndTime?: string }) => {
      const events = eventsOf(world, 'ann', ann, times).filter(
        ({ Field }) => Field === 'ONLINE_STATUS',
      );
      const dayOf = (at: number) => msOf(events.at(at)!) / 86_400_000;
      return [Math.floor(dayOf(-1)), Math.floor(dayOf(0)), events.length];
    };
    const day = (count: number) => new Date(GPS_EPOCH_MS + count * 86_400_000).toISOString();
    expect(days({ StartTime: day(0) })).toEqual([0, 39, 40]);
    expect(days({ StartTime: day(5) })).toEqual([5, 39, 35]);
    expect(days({ EndTime: day(33) })).toEqual([3, 33, 31]);
    expect(days({ EndTime: day(99) })).toEqual([9, 39, 31]);
    expect(days({ StartTime: day(2), EndTime: day(33) })).toEqual([2, 33, 32]);
  });

  it('are none of a gateway that never connected', () => {
    const world: World = World.create(planOf([0, 1_000_000, 0]), 'x');
    given(world.submit({ kind: 'gateway.fault', eui: EUIS[1]!, fault: 'radio', by: 'ann' }));
    world.runUntil(DAY_US);
    expect(eventsOf(world, 'ann', EUIS[0]!)).not.toEqual([]);
    expect(eventsOf(world, 'ann', EUIS[1]!)).toEqual([]);
    expect(stateOf(world, 'ann', EUIS[1]!)).toEqual(NEW);
  });

  it('change by nobody’s asking', () => {
    const [asked, never] = [0, 1].map(() => World.create(planOf(), 'x'));
    for (let minute = 0; minute < 600; minute += 7) {
      for (const world of [asked!, never!]) {
        world.runUntil(minute * MINUTE_US);
        const eui = EUIS[minute % 3]!;
        const by = ownerOf(minute % 3);
        const fault = minute % 2 === 0 ? 'radio' : 'backhaul';
        given(world.submit({ kind: 'gateway.fault', eui, fault, on: minute % 5 < 3, by }));
      }
      for (const [i, each] of EUIS.entries()) {
        eventsOf(asked!, ownerOf(i), each);
        rowsOf(asked!, ownerOf(i));
        stateOf(asked!, ownerOf(i), each);
        given(asked!.ask({ kind: 'gatewayStatistics.devices', Id: each, by: ownerOf(i) }));
      }
    }
    expect(asked!.toBytes()).toEqual(never!.toBytes());
  });

  it('and all else of gateways, are unknown of another’s gateway', () => {
    const world: World = World.create(planOf(), 'x');
    for (const each of [EUIS[2]!, 'FFFFFFFFFFFFFFFF', '']) {
      for (const query of [
        { kind: 'gatewayEvent.list', NodeID: each, by: 'ann' },
        { kind: 'gatewayStatistics.get', Id: each, by: 'ann' },
        { kind: 'gatewayStatistics.devices', Id: each, by: 'ann' },
      ] as const) {
        expect(world.ask(query)).toMatchObject({ failure: { code: 'gateway.unknown' } });
      }
    }
  });

  it('and lists by state, are answered in steps: ten thousand stand in each list once', () => {
    const gatewaysAt = Array.from({ length: 10_000 }, (_, at) => at);
    const network = networkOf({ gatewaysAt, traffic: { process: 'none' } });
    const world: World = World.create(
      { ...planOf(), network, owners: { devices: [], gateways: [] } },
      'x',
    );
    world.runUntil(20 * SECOND_US);
    for (const kind of ['gatewayStatistics.connection', 'gatewayStatistics.health'] as const) {
      const opened = world.open({ kind, by: 'default' });
      if (!opened.ok) throw new Error(opened.failure.message);
      const lists = Object.values(finish(opened.value) as Record<string, Slices<Gateway>>);
      // What happens meanwhile shows in no list that was asked for before.
      world.runUntil(world.nowUs + 30 * SECOND_US);
      const slices = lists.flatMap((list) => [...list]);
      expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(64);
      const gateways = slices.flat();
      expect(new Set(gateways.map(({ NodeId }) => NodeId)).size).toBe(10_000);
      expect(gateways).toHaveLength(10_000);
      const isNew = ({ Statistics }: Gateway) => Statistics === null;
      if (kind === 'gatewayStatistics.health') continue;
      const [never, , connected] = lists.map((list) => list.whole());
      expect(never!.length).toBeGreaterThan(2_000);
      expect(connected!.length).toBeGreaterThan(5_000);
      expect([never!.every(isNew), connected!.some(isNew)]).toEqual([true, false]);
    }
  });
});
