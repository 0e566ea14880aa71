/**
 * What a world reports of its devices’ uplinks is what its trace has, however it came to where it
 * is: straight on, in pieces, through saves and forks. Whether it keeps records shows nowhere else.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { type Run, World } from '../../core/world/world.ts';
import { type ArbitraryWorld, worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { listeners } from '../../scenarios/testing/generators/arbitrary-listeners.ts';
import type { FrameUp, UplinkReception } from '../../sim/contract/frames.ts';
import { IS_LONG, mostRuns } from '../support/long.ts';
import { Listener } from '../support/news-listener.ts';
import { HOUR_US, MINUTE_US, networkOf, Trace } from '../support/small-network.ts';
import { carryOut, outcomeOf, stopping, throughBytes } from '../support/worlds.ts';

const RUNS = { numRuns: IS_LONG ? 10 : 4 };
const anyWorld = fc.oneof(worlds({ devices: 12, commands: 30 }), listeners({ devices: 6 }));

/** Everything that the trace has of the uplinks that count, by DevEUI; news add the SNR alone. */
function heardIn(trace: Trace, listener: Listener): Map<string, Uplink[]> {
  const lives = new Map<string, Uplink[]>();
  const joined = new Set<string>();
  for (const { news } of listener.reported) {
    if (news.kind === 'joined') joined.add(news.devEui);
    if (news.kind === 'deviceRemoved') {
      lives.delete(news.devEui);
      joined.delete(news.devEui);
    }
    if (news.kind !== 'frameUp' || news.frame.verdict !== 'accepted') continue;
    const { frame } = news;
    const before = lives.get(frame.devEui) ?? [];
    lives.set(frame.devEui, [...before, uplinkOf(frame, before.at(-1), joined)]);
  }
  const accepted = trace.of('uplinkCollected').filter(({ verdict }) => verdict === 'accepted');
  expect(listener.ups.filter(({ verdict }) => verdict === 'accepted').length).toBe(accepted.length);
  return lives;
}

interface Uplink {
  readonly frame: FrameUp;
  readonly lost: number;
}

function uplinkOf(frame: FrameUp, last: Uplink | undefined, joined: Set<string>): Uplink {
  const { devAddr, fCnt } = frame.data!;
  if (last === undefined) return { frame, lost: joined.has(frame.devEui) ? fCnt : 0 };
  const before = last.frame.data!;
  const isSame = before.devAddr === devAddr && before.fCnt < fCnt;
  return { frame, lost: isSame ? fCnt - before.fCnt - 1 : fCnt };
}

const mean = (values: readonly number[]): number =>
  Math.round(values.reduce((sum, value) => sum + value, 0) / values.length) / 100 + 0;

/** Signal and noise together. */
const indicated = ({ rssiCentiDbm, snrCentiDb }: UplinkReception): number =>
  rssiCentiDbm + Math.round(1000 * Math.log10(1 + 10 ** (-snrCentiDb / 1000)));

/** The figures of the worlds' hours, all within a day, of a device known for so long. */
function figuresOf(uplinks: readonly Uplink[], knownUs: number) {
  const best = uplinks.map(({ frame }) => frame.receptions.find(({ late }) => !late)!);
  const lost = uplinks.reduce((sum, each) => sum + each.lost, 0);
  const share = lost / (lost + uplinks.length);
  const factors = uplinks.map(({ frame }) => frame.spreadingFactor).filter((each) => each > 0);
  return {
    HealthState: share < 0.1 ? 'good' : share < 0.3 ? 'fair' : 'poor',
    SpreadingFactor: factors.at(-1) ?? 0,
    AverageRSSI: mean(best.map(indicated)),
    AverageESP: mean(best.map(({ rssiCentiDbm }) => rssiCentiDbm)),
    AverageSNR: mean(best.map(({ snrCentiDb }) => snrCentiDb)),
    PacketErrorRate: Math.round(10_000 * share) / 100,
    AverageWeeklyPackets: Math.round(uplinks.length / (knownUs / (24 * HOUR_US))),
  };
}

/** What every subscriber is reported of each of its devices, and of what they sent. */
function reportedBy(world: World, owners: readonly string[]) {
  const response = new Map<string, { Statistics: object; Payloads: readonly object[] }>();
  for (const by of owners) {
    const list = world.ask({ kind: 'device.list', by });
    for (const { devEui: DevEUI } of list.ok ? list.value : []) {
      const device = world.ask({ kind: 'endDevice.get', DevEUI, by });
      const sent = world.ask({ kind: 'payload.list', DevEUI, by });
      if (!device.ok || !sent.ok) throw new Error(`${DevEUI} is there`);
      response.set(DevEUI, { ...device.value, ...sent.value });
    }
  }
  return response;
}

type Act = (world: Run) => Run;

/** Each original runs to its end: more stops would cost their square, and show nothing else. */
function someTimes(act: Act, most = 12): Act {
  let times = 0;
  return (world) => (times++ < most ? act(world) : world);
}

const ownersIn = (world: ArbitraryWorld): string[] => [
  'default',
  ...new Set((world.plan.owners?.devices ?? []).map(([, owner]) => owner)),
];

describe('what a world reports of its devices’ uplinks', () => {
  it('is what its trace has', () => {
    const seen = { devices: 0, lost: 0, removed: 0 };
    fc.assert(
      fc.property(anyWorld, (drawn) => {
        const [listener, trace] = [new Listener(), new Trace()];
        const world = carryOut(drawn, undefined, { news: listener.news, observer: trace });
        const lives = heardIn(trace, listener);
        const cameAtUs = new Map<string, number>();
        for (const { news, nowUs } of listener.reported) {
          if (news.kind === 'deviceCreated') cameAtUs.set(news.devEui, nowUs);
        }
        for (const [devEui, { Statistics, Payloads }] of reportedBy(world, ownersIn(drawn))) {
          const uplinks = lives.get(devEui);
          if (uplinks === undefined) {
            expect(Statistics).toMatchObject({ HealthState: 'offline', SpreadingFactor: 0 });
            expect(Payloads).toEqual([]);
            continue;
          }
          const knownUs = world.endUs - (cameAtUs.get(devEui) ?? 0);
          expect(Statistics).toMatchObject(figuresOf(uplinks, knownUs));
          const sent = uplinks.flatMap(({ frame: { data } }) => {
            const { fPort, fCnt, payload } = data!;
            const isApplication = fPort !== null && fPort > 0 && fPort !== 224 && fPort < 226;
            const PayloadHex = Buffer.from(payload).toString('hex').toUpperCase();
            return isApplication ? [{ FPort: fPort, FCnt: fCnt, PayloadHex }] : [];
          });
          expect(Payloads.map((each) => (each as { Data: object }).Data)).toEqual(sent.reverse());
          seen.devices++;
          seen.lost += uplinks.some(({ lost }) => lost > 0) ? 1 : 0;
        }
        seen.removed += listener.of('deviceRemoved').length;
      }),
      { numRuns: mostRuns(50) },
    );
    expect(seen.devices).toBeGreaterThan(30);
    expect(Math.min(seen.lost, seen.removed)).toBeGreaterThan(0);
  });

  it('is the same after saves and forks at any event', () => {
    const steps = fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(anyWorld, steps, (drawn, pieces) => {
        const owners = ownersIn(drawn);
        const response = reportedBy(carryOut(drawn), owners);
        const saved: Act = (world) =>
          World.restore(drawn.plan, drawn.seed, throughBytes(world.snapshot()));
        const forked: Act = (world) => {
          const fork = world.fork();
          world.runUntil(world.endUs);
          return fork;
        };
        for (const act of [saved, forked]) {
          const way = stopping(pieces, someTimes(act));
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
        for (const response of reportedBy(without, ownersIn(drawn)).values()) {
          expect(response.Statistics).toMatchObject({ HealthState: 'offline', AverageRSSI: 0 });
          expect(response.Payloads).toEqual([]);
        }
        // What was counted until now would stand still in a world that counts no more.
        const resumed = World.restore(drawn.plan, drawn.seed, with_.snapshot(), { records: false });
        expect(reportedBy(resumed, ownersIn(drawn))).toEqual(reportedBy(without, ownersIn(drawn)));
        expect(reportedBy(resumed.fork(), ownersIn(drawn))).toEqual(
          reportedBy(without, ownersIn(drawn)),
        );
      }),
      RUNS,
    );
  });

  it('changes by nobody’s asking', () => {
    const network = networkOf({ devices: 3, type: { activation: 'otaa', frameLossPpm: 300_000 } });
    const plan = { name: 'x', description: '', durationUs: 60 * HOUR_US, network };
    const timeline: TimedCommand[] = [];
    const [asked, never] = [0, 1].map(() => World.create({ ...plan, timeline }, 'x'));
    for (let atUs = 0; atUs <= 60 * HOUR_US; atUs += 97 * MINUTE_US) {
      asked!.runUntil(atUs);
      reportedBy(asked!, ['default']);
    }
    for (const each of [asked!, never!]) each.runUntil(60 * HOUR_US);
    expect(asked!.toBytes()).toEqual(never!.toBytes());
  });
});
