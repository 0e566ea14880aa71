/**
 * What a world logs is what happened in it: compared with a second, simple log of the same news,
 * entry by entry and filter by filter, through saves and forks (row 115, docs/decisions/0059).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answers } from '../../core/operations.ts';
import type { Run } from '../../core/world/world.ts';
import { World } from '../../core/world/world.ts';
import { type ArbitraryWorld, worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { listeners } from '../../scenarios/testing/generators/arbitrary-listeners.ts';
import { someRuns } from '../support/long.ts';
import { fitsFilters, type NaiveEntry, NEUTRAL, naiveLog } from '../support/naive-log.ts';
import { Listener } from '../support/news-listener.ts';
import { carryOut, outcomeOf, stopping, throughBytes, type Way } from '../support/worlds.ts';

const RUNS = { numRuns: someRuns(4) };
const anyWorld = fc.oneof(worlds({ devices: 12, commands: 30 }), listeners({ devices: 6 }));

type Entry = Answers['log.list']['Logs'][number];
type Query = Readonly<Record<string, unknown>>;

const ownersIn = (world: ArbitraryWorld): string[] => [
  ...new Set(['default', ...(world.plan.owners?.devices ?? []).map(([, owner]) => owner)]),
];

/** All pages, one after the other, up to the first empty one. */
function logOf(world: Run, by: string, query: Query = {}): Entry[] {
  const all: Entry[] = [];
  for (let Page = 1; ; Page++) {
    const answer = world.ask({ kind: 'log.list', by, ...query, Page });
    if (!answer.ok) throw new Error(answer.failure.message);
    const { Logs } = answer.value;
    expect(Logs.length).toBeLessThanOrEqual(100);
    all.push(...Logs);
    if (Logs.length < 100) return all;
  }
}

/** What a naive log does not have. */
function common(entry: Entry) {
  const { GatewayID, GatewayLatitide, GatewayLongitude, SubBand, Channel, ...response } = entry;
  const { DecodedMacCommands, ...rest } = response;
  const GatewayList = rest.GatewayList.map(({ Gateway: _, ...reception }) => reception);
  // A group is known to who has it.
  return { ...rest, GatewayList, DevEUI: rest.Multicast ? '' : rest.DevEUI };
}

function heardBy(drawn: ArbitraryWorld) {
  const listener = new Listener();
  const world = carryOut(drawn, undefined, { news: listener.news });
  const gateways = drawn.plan.owners?.gateways ?? [];
  const at = {
    unixMs: (atUs: number) => world.facts.unixMsOf(atUs),
    gateways: gateways.map(([eui, owner]) => [eui, owner] as const),
    nowUs: world.nowUs,
  };
  return { world, naive: naiveLog(listener.reported, at) };
}

const responseOf = (entries: readonly NaiveEntry[]) =>
  entries.map(({ reported: response }) => response).reverse();

describe('what a world logs', () => {
  it('log.list: is every genuine uplink and every downlink, in the documented words', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(anyWorld, (drawn) => {
        const { world, naive } = heardBy(drawn);
        for (const by of ownersIn(drawn)) {
          const mine = naive.filter(({ owner }) => owner === by);
          expect(logOf(world, by).map(common)).toEqual(responseOf(mine));
          for (const { reported: response } of mine) {
            const list = response.GatewayList as readonly object[];
            for (const what of [
              response.MessageTypeText,
              response.Multicast && 'Multicast',
              list.some((each) => 'Unowned' in each) && 'Unowned',
              response.GatewayUnowned && 'GatewayUnowned',
              ...(response.GatewayTxDetails as string[]),
            ]) {
              if (what) seen.set(String(what), (seen.get(String(what)) ?? 0) + 1);
            }
          }
        }
      }),
      { numRuns: someRuns(50, 8) },
    );
    for (const what of ['JoinRequest', 'JoinAccept', 'ConfirmedDataUp', 'UnconfirmedDataDown']) {
      expect([what, seen.get(what) ?? 0]).toEqual([what, expect.toSatisfy((n) => n > 10)]);
    }
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['Unowned', 'GatewayUnowned']));
  });

  it('log.list: is found by every filter, alone and with others', () => {
    const words = {
      Stream: ['UPSTREAM', 'DOWNSTREAM'],
      MessageType: ['MAC', 'DATA', 'MACDATA', 'NONE'],
      Late: ['LATETRUE', 'LATEFALSE'],
      Activation: ['JOINREQUEST', 'JOINACCEPT'],
      Ack: ['ACKTRUE', 'ACKFALSE'],
    };
    const filters = fc.record(
      Object.fromEntries(
        Object.entries(words).map(([name, some]) => {
          const given = fc.uniqueArray(fc.constantFrom(...some, NEUTRAL[name]!), { maxLength: 3 });
          return [name, fc.option(given, { freq: 1, nil: [] })];
        }),
      ),
    );
    const picks = fc.record({
      device: fc.nat(),
      gateway: fc.nat(),
      from: fc.nat(),
      until: fc.nat(),
    });
    const asked = fc.array(fc.tuple(filters, fc.option(picks, { nil: undefined })), {
      minLength: 20,
      maxLength: 20,
    });
    // Chance draws some of these in worlds whose log is short.
    const besideNeutral = Object.entries(words).flatMap(([name, some]) =>
      some.map((word) => [{ [name]: [word, NEUTRAL[name]!] }, undefined] as const),
    );
    let found = 0;
    fc.assert(
      fc.property(anyWorld, asked, (drawn, queries) => {
        const { world, naive } = heardBy(drawn);
        const [by] = ownersIn(drawn) as [string];
        const mine = naive.filter(({ owner }) => owner === by);
        if (mine.length === 0) return;
        for (const [given, pick] of [...besideNeutral, ...queries]) {
          const where = pick && narrowed(mine, pick);
          const query = Object.fromEntries(
            Object.entries(given).map(([name, list]) => [`LogFrameFilter.${name}`, list]),
          );
          const expected = mine.filter(
            (each) => fitsFilters(each, given) && (where?.fits(each) ?? true),
          );
          const reports = logOf(world, by, { ...query, ...where?.query });
          expect(reports.map(common)).toEqual(responseOf(expected));
          found += expected.length;
        }
      }),
      { numRuns: someRuns(20, 4) },
    );
    expect(found).toBeGreaterThan(500);
  });

  it('log.list: is the same after saves and forks at any event', () => {
    const steps = fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(anyWorld, steps, (drawn, pieces) => {
        const report = (world: Run) => ownersIn(drawn).map((by) => logOf(world, by));
        const expected = report(carryOut(drawn));
        const saved: Way = stopping(pieces, (world) =>
          World.restore(drawn.plan, drawn.seed, throughBytes(world.snapshot())),
        );
        const forked: Way = stopping(pieces, (world) => {
          const fork = world.fork();
          world.runUntil(world.endUs);
          return fork;
        });
        for (const way of [saved, forked]) expect(report(carryOut(drawn, way))).toEqual(expected);
      }),
      RUNS,
    );
  });

  it('shows in no digest and no result, and neither does how much of it is stored', () => {
    fc.assert(
      fc.property(anyWorld, (drawn) => {
        const plan = { ...drawn.plan, logEntries: 3 };
        const [usual, few] = [drawn, { ...drawn, plan }].map((each) => carryOut(each));
        const none = carryOut(drawn, undefined, { records: false });
        expect(outcomeOf(few!)).toEqual(outcomeOf(usual!));
        expect(outcomeOf(none)).toEqual(outcomeOf(usual!));
        for (const by of ownersIn(drawn)) {
          expect(logOf(few!, by)).toEqual(logOf(usual!, by).slice(0, 3));
          expect(logOf(none, by)).toEqual([]);
        }
      }),
      RUNS,
    );
  });
});

interface Pick {
  readonly device: number;
  readonly gateway: number;
  readonly from: number;
  readonly until: number;
}

/** A query by what some entries have, and which entries it means. */
function narrowed(mine: readonly NaiveEntry[], { device, gateway, from, until }: Pick) {
  const any = (number: number) => mine[number % mine.length]!.reported;
  const DevEUI = device % 2 === 0 ? undefined : (any(device).DevEUI as string);
  const list = any(gateway).GatewayList as readonly { GatewayNodeID: string }[];
  const eui = list[0]?.GatewayNodeID;
  const GatewayID = gateway % 3 > 0 || eui === undefined || eui === 'Not Owned' ? undefined : eui;
  const times = [any(from).Timestamp as string, any(until).Timestamp as string];
  const [first, last] = times.sort((a, b) => Date.parse(a) - Date.parse(b));
  const StartTime = from % 2 === 0 ? first : undefined;
  const EndTime = until % 2 === 0 ? last : undefined;
  const given = { DevEUI: DevEUI || undefined, GatewayID, StartTime, EndTime };
  return {
    query: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    fits: ({ reported: response }: NaiveEntry): boolean => {
      const atMs = Date.parse(response.Timestamp as string);
      const heard = response.GatewayList as readonly { GatewayNodeID: string }[];
      return (
        (!given.DevEUI || response.DevEUI === DevEUI) &&
        (GatewayID === undefined || heard.some((each) => each.GatewayNodeID === GatewayID)) &&
        (StartTime === undefined || atMs >= Date.parse(StartTime)) &&
        (EndTime === undefined || atMs <= Date.parse(EndTime))
      );
    },
  };
}
