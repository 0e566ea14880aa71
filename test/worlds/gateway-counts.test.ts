/**
 * What a world reports of packets that its gateways heard and sent, and of devices through them, is
 * what its trace has. It does not matter how it came to where it is. Whether it keeps records shows
 * nowhere else.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { type ArbitraryWorld, worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { listeners } from '../../scenarios/testing/generators/arbitrary-listeners.ts';
import { someRuns } from '../support/long.ts';
import { Listener } from '../support/news-listener.ts';
import { Trace } from '../support/small-network.ts';
import { carryOut, outcomeOf, stopping, throughBytes, type Way } from '../support/worlds.ts';

const RUNS = { numRuns: someRuns(16) };
const anyWorld = fc.oneof(worlds({ devices: 12, commands: 30 }), listeners({ devices: 6 }));

const ownersIn = (world: ArbitraryWorld): string[] => [
  'default',
  ...new Set(
    [...(world.plan.owners?.devices ?? []), ...(world.plan.owners?.gateways ?? [])].map(
      ([, owner]) => owner,
    ),
  ),
];

interface Counted {
  ups: number;
  downs: number;
  lastUpUs: number;
  lastDownUs: number;
  readonly devices: Set<string>;
}

/** Of gateways that are there at the end, by their EUIs. */
function countedIn(trace: Trace, listener: Listener): Map<string, Counted> {
  const gateways = new Map<string, Counted>();
  const gone = new Set<string>();
  const cameAtUs = new Map<string, number>();
  const of = (eui: string): Counted => {
    const known = gateways.get(eui);
    if (known !== undefined) return known;
    const fresh = { ups: 0, downs: 0, lastUpUs: -1, lastDownUs: -1, devices: new Set<string>() };
    gateways.set(eui, fresh);
    return fresh;
  };
  let begun = 0;
  for (const { news, nowUs } of listener.reported) {
    if (news.kind === 'gatewayCreated') {
      gone.delete(news.eui);
      cameAtUs.set(news.eui, nowUs);
    }
    if (news.kind === 'gatewayRemoved') {
      gateways.delete(news.eui);
      gone.add(news.eui);
    }
    if (news.kind === 'deviceRemoved') {
      for (const { devices } of gateways.values()) devices.delete(news.devEui);
    }
    if (news.kind === 'frameUp') {
      const { receptions, endedAtUs, devEui, verdict } = news.frame;
      for (const { gatewayEui } of receptions) {
        // The one before it may have heard it.
        if (gone.has(gatewayEui) || (cameAtUs.get(gatewayEui) ?? 0) >= endedAtUs) continue;
        const counted = of(gatewayEui);
        counted.ups++;
        counted.lastUpUs = Math.max(counted.lastUpUs, endedAtUs);
        if (['joined', 'accepted', 'repeated'].includes(verdict)) counted.devices.add(devEui);
      }
    }
    if (news.kind === 'frameDown' && news.frame.outcome.kind === 'sent') {
      const { gatewayEui, startsAtUs } = news.frame.sending!;
      begun++;
      if (gone.has(gatewayEui)) continue;
      of(gatewayEui).downs++;
      of(gatewayEui).lastDownUs = startsAtUs;
    }
  }
  // News and trace tell of the same downlinks; of one to a device that is gone there are no news.
  const purposes = new Map<string, string>();
  let sent = 0;
  for (const row of trace.rows) {
    if (row.kind === 'downlinkPlanned') purposes.set(`${row.gateway} ${row.downlink}`, row.purpose);
    if (row.kind !== 'downlinkBegins') continue;
    sent += purposes.get(`${row.gateway} ${row.downlink}`) === 'beacon' ? 0 : 1;
  }
  const removed = listener.of('deviceRemoved').length;
  expect(sent - begun).toBeGreaterThanOrEqual(0);
  if (removed === 0) expect(sent).toBe(begun);
  return gateways;
}

/** What every subscriber is reported of its gateways. */
function reportedBy(world: World, owners: readonly string[]) {
  const response = new Map<
    string,
    { by: string; statistics: object; devices: readonly string[] }
  >();
  for (const by of owners) {
    const list = world.ask({ kind: 'gateway.list', by });
    for (const { eui: Id } of list.ok ? list.value : []) {
      const statistics = world.ask({ kind: 'gatewayStatistics.get', Id, by });
      const heard = world.ask({ kind: 'gatewayStatistics.devices', Id, by });
      if (!statistics.ok || !heard.ok) throw new Error(`${Id} is there`);
      const devices = heard.value.Devices.map(({ DevEUI }) => DevEUI);
      response.set(Id, { by, statistics: statistics.value, devices });
    }
  }
  return response;
}

describe('what a world reports of its gateways’ packets', () => {
  it('is what its trace has, own and foreign; of devices one’s own alone', () => {
    const seen = { heard: 0, sent: 0, foreign: 0, gone: 0 };
    fc.assert(
      fc.property(anyWorld, (drawn) => {
        const [listener, trace] = [new Listener(), new Trace()];
        const world = carryOut(drawn, undefined, { news: listener.news, observer: trace });
        const counted = countedIn(trace, listener);
        const owners = ownersIn(drawn);
        const own = new Map<string, Set<string>>();
        for (const by of owners) {
          const list = world.ask({ kind: 'device.list', by });
          own.set(by, new Set((list.ok ? list.value : []).map(({ devEui }) => devEui)));
        }
        const startMs = drawn.plan.network.startUnixMs;
        const report = (us: number) =>
          us < 0 ? null : new Date(startMs + Math.floor(us / 1000)).toISOString();
        const cameAtUs = new Map<string, number>();
        for (const { news, nowUs } of listener.reported) {
          if (news.kind === 'gatewayCreated') cameAtUs.set(news.eui, nowUs);
        }
        // The worlds last for less than a day.
        const anHour = (packets: number, eui: string) =>
          packets === 0
            ? 0
            : Math.round(packets / ((world.endUs - (cameAtUs.get(eui) ?? 0)) / 3_600_000_000));
        for (const [eui, { by, statistics, devices }] of reportedBy(world, owners)) {
          const {
            ups,
            downs,
            lastUpUs,
            lastDownUs,
            devices: all,
          } = counted.get(eui) ?? {
            ups: 0,
            downs: 0,
            lastUpUs: -1,
            lastDownUs: -1,
            devices: new Set<string>(),
          };
          const mine = [...all].filter((devEui) => own.get(by)!.has(devEui));
          expect([...devices].sort()).toEqual(mine.sort());
          seen.foreign += all.size - mine.length;
          if (Object.keys(statistics).length === 0) continue;
          const { UplinkPacketPerHour, DownlinkPacketPerHour, LastUplinkTime, LastDownlinkTime } =
            statistics as Record<string, string | number | null>;
          expect(UplinkPacketPerHour).toBe(anHour(ups, eui));
          expect(DownlinkPacketPerHour).toBe(anHour(downs, eui));
          const instant = (text: unknown) =>
            text === null ? null : new Date(text as string).toISOString();
          expect(instant(LastUplinkTime)).toBe(report(lastUpUs));
          expect(instant(LastDownlinkTime)).toBe(report(lastDownUs));
          seen.heard += ups;
          seen.sent += downs;
        }
        seen.gone += listener.of('gatewayRemoved').length;
      }),
      { numRuns: someRuns(90, 8) },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  it('is the same after saves and forks at any event', () => {
    const steps = fc.array(fc.integer({ min: 700, max: 4000 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(anyWorld, steps, (drawn, pieces) => {
        const owners = ownersIn(drawn);
        const response = reportedBy(carryOut(drawn), owners);
        const saved: Way = stopping(pieces, (world) =>
          World.restore(drawn.plan, drawn.seed, throughBytes(world.snapshot())),
        );
        const forked: Way = stopping(pieces, (world) => {
          const fork = world.fork();
          world.runUntil(world.endUs);
          return fork;
        });
        for (const way of [saved, forked]) {
          expect(reportedBy(carryOut(drawn, way), owners)).toEqual(response);
        }
      }),
      RUNS,
    );
  });

  it('shows in no digest and no result: without records nothing was heard', () => {
    fc.assert(
      fc.property(anyWorld, (drawn) => {
        const with_ = carryOut(drawn);
        const without = carryOut(drawn, undefined, { records: false });
        expect(outcomeOf(without)).toEqual(outcomeOf(with_));
        for (const { statistics, devices } of reportedBy(without, ownersIn(drawn)).values()) {
          expect({ UplinkPacketPerHour: 0, LastUplinkTime: null, ...statistics }).toMatchObject({
            UplinkPacketPerHour: 0,
            LastUplinkTime: null,
          });
          expect(devices).toEqual([]);
        }
      }),
      RUNS,
    );
  });
});
