/** A halt of a large campaign answers at once, and clears up slice by slice. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ShortStatus } from '../../core/update-service/campaigns/status-fields.ts';
import { someRuns } from '../support/long.ts';
import { type Bench, ready, S } from './bench.ts';
import { Subscriber } from './resources/service.ts';

const SLICE = 256;
const MS = 1000;

/** A campaign of class C whose members are all being set up. */
function underway(members: number): readonly [Bench, Subscriber] {
  const bench = ready(members, () => ({ deviceClass: 'C', uplinkEveryS: 0 }));
  bench.campaign({ multicast_setup_time: 7200 });
  bench.runUntil(3 * S);
  return [bench, new Subscriber(bench, 'default')];
}

const halt = (us: Subscriber) => us.do({ kind: 'campaign.halt', campaign_id: us.bench.campaignId });
const restart = (us: Subscriber) =>
  us.do({ kind: 'campaign.restart', campaign_id: us.bench.campaignId, changes: {} });
const remove = (us: Subscriber) =>
  us.do({ kind: 'campaign.delete', campaign_id: us.bench.campaignId });

/** DevEUIs of these requests since a place in the log, by the instant. */
function asked(bench: Bench, kind: 'watch' | 'clearDownlinks', since: number) {
  const byInstant = new Map<number, string[]>();
  for (const { atUs, request } of bench.log.slice(since)) {
    if (request.kind !== kind || ('on' in request && request.on)) continue;
    byInstant.set(atUs, [...(byInstant.get(atUs) ?? []), request.devEui]);
  }
  return byInstant;
}

describe('a halt of ten thousand members', () => {
  const [bench, us] = underway(10_000);
  const before = bench.log.length;
  halt(us);

  it('reads at once as if every member in progress had failed', () => {
    const { campaignId: campaign_id } = bench;
    expect(bench.result).toMatchObject({ stage: 'HALTED', success: 0, failed: 10_000 });
    expect(bench.result.failures).toEqual({ halted: 10_000 });
    const short = us.ask({ kind: 'campaign.shortStatus', campaign_id }) as ShortStatus;
    const devices = Object.values(short.devices);
    expect(devices.every(({ failure_reason }) => failure_reason === 'halted')).toBe(true);
    expect(us.ask({ kind: 'campaign.bulkStatus', campaign_ids: [campaign_id] })).toEqual({
      [campaign_id]: [8, 0, 10_000],
    });
    const history = Object.values(us.ask({ kind: 'history.all' }));
    expect(history.map(([entry]) => entry?.reason)).toEqual(new Array(10_000).fill('halted'));
    expect(bench.platform.resources.campaign.fate('D000000000002710')).toBe(3);
  });

  it('says it to 256 members at an instant, to each once, and then rests', () => {
    bench.runUntil(bench.nowUs + S);
    for (const kind of ['watch', 'clearDownlinks'] as const) {
      const slices = [...asked(bench, kind, before).values()];
      expect(slices.map(({ length }) => length)).toEqual([...new Array(39).fill(SLICE), 16]);
      expect(new Set(slices.flat()).size).toBe(10_000);
    }
    const after = bench.log.length;
    bench.runUntil(bench.nowUs + 86_400 * S);
    expect(bench.log.length).toBe(after);
  });
});

describe('a halt of 600 members', () => {
  it('is reported to 256 of them in its own instant; of a campaign of 256 to all', () => {
    for (const [members, first] of [
      [600, 256],
      [256, 256],
      [3, 3],
    ] as const) {
      const [bench, us] = underway(members);
      const before = bench.log.length;
      halt(us);
      expect(asked(bench, 'watch', before).get(bench.nowUs)).toHaveLength(first);
    }
  });

  it('goes on as if nothing had been, saved and loaded at any instant of it', () => {
    const log = (reloadsAtMs: readonly number[]) => {
      const [bench, us] = underway(600);
      const since = bench.log.length;
      const beganUs = bench.nowUs;
      halt(us);
      for (const ms of [...reloadsAtMs].sort((a, b) => a - b)) {
        bench.runUntil(beganUs + ms * MS);
        bench.reload();
      }
      bench.runUntil(beganUs + 10 * S);
      return [bench.log.slice(since), bench.result];
    };
    const undisturbed = log([]);
    const instants = fc.array(fc.constantFrom(0, 0.5, 1, 1.5, 2, 2.5, 3), { maxLength: 4 });
    fc.assert(
      fc.property(instants, (ms) => {
        expect(log(ms)).toEqual(undisturbed);
      }),
      { numRuns: someRuns(15) },
    );
  });

  it('twice, with a restart between in the same second, clears up each member once', () => {
    const [bench, us] = underway(600);
    const since = bench.log.length;
    halt(us);
    restart(us);
    bench.runUntil(bench.nowUs + MS);
    halt(us);
    expect(bench.result).toMatchObject({ stage: 'HALTED', failed: 600 });
    bench.runUntil(bench.nowUs + 10 * S);
    const all = [...asked(bench, 'watch', since).values()].flat();
    expect([all.length, new Set(all).size]).toEqual([600, 600]);
  });

  it('and a restart in the same instant: the round begins when all is cleared up', () => {
    const [bench, us] = underway(600);
    const since = bench.log.length;
    halt(us);
    restart(us);
    bench.runUntil(bench.nowUs + 5 * S);
    const requests = bench.log.slice(since).map(({ request }) => request);
    const isOff = (on: boolean) => (one: (typeof requests)[number]) =>
      one.kind === 'watch' && one.on === on;
    expect(requests.filter(isOff(false))).toHaveLength(600);
    expect(requests.findLastIndex(isOff(false))).toBeLessThan(requests.findIndex(isOff(true)));
    bench.runUntil(bench.nowUs + 40 * S);
    expect(requests.length).toBeLessThan(bench.log.length);
    expect(bench.result).toMatchObject({ stage: 'SETTING_UP_DEVICES', failed: 0 });
  });

  it('is cleared up before another campaign has the devices', () => {
    const [bench, us] = underway(600);
    const since = bench.log.length;
    const second = bench.campaign({ name: 'second', multicast_setup_time: 7200 });
    bench.runUntil(bench.nowUs + 2 * S);
    const waits = () => us.ask({ kind: 'campaign.list' }).find((one) => one.campaign_id === second);
    expect(waits()).toMatchObject({ stage_str: 'WAITING_FOR_START' });
    bench.campaignId = us.ask({ kind: 'campaign.list' })[0]!.campaign_id;
    halt(us);
    expect(waits()).toMatchObject({ stage_str: 'WAITING_FOR_START' });
    bench.runUntil(bench.nowUs + S);
    expect(waits()).toMatchObject({ stage_str: 'SETTING_UP_DEVICES' });
    const watches = bench.log
      .slice(since)
      .flatMap(({ request }) => (request.kind === 'watch' ? [request.on] : []));
    expect(watches.lastIndexOf(false)).toBeLessThan(watches.indexOf(true));
    expect(watches.filter((on) => on)).toHaveLength(600);
  });

  it('is cleared up before a campaign begins whose time comes in the midst of it', () => {
    const [bench, us] = underway(600);
    const since = bench.log.length;
    const first = bench.campaignId;
    bench.campaign({ name: 'second', multicast_setup_time: 7200 });
    bench.runUntil(bench.nowUs + S - MS / 2);
    us.do({ kind: 'campaign.halt', campaign_id: first });
    bench.runUntil(bench.nowUs + MS);
    expect(us.ask({ kind: 'campaign.list' })[1]).toMatchObject({
      stage_str: 'WAITING_FOR_START',
      status: 'waits for campaign spring, which has 600 of its devices',
    });
    bench.runUntil(bench.nowUs + S);
    const watches = bench.log
      .slice(since)
      .flatMap(({ request }) => (request.kind === 'watch' ? [request.on] : []));
    expect(watches).toEqual([...new Array(600).fill(false), ...new Array(600).fill(true)]);
  });

  it('and a deletion in the midst of it: all are cleared up, and the campaign is gone', () => {
    const [bench, us] = underway(600);
    const since = bench.log.length;
    halt(us);
    bench.runUntil(bench.nowUs + MS);
    remove(us);
    bench.runUntil(bench.nowUs + 0.9 * S);
    expect(us.ask({ kind: 'campaign.list' })).toHaveLength(1);
    bench.runUntil(bench.nowUs + 0.2 * S);
    expect(us.ask({ kind: 'campaign.list' })).toEqual([]);
    expect([...asked(bench, 'watch', since).values()].flat()).toHaveLength(600);
    expect(us.ask({ kind: 'history.all' })).toEqual({});
    expect(bench.platform.resources.campaign.fate('D000000000000001')).toBe(0);
  });

  it('leaves alone a device that is removed before its turn comes', () => {
    const [bench, us] = underway(600);
    const since = bench.log.length;
    halt(us);
    const last = [...bench.devices.keys()].at(-1)!;
    bench.remove(last);
    bench.runUntil(bench.nowUs + S);
    const all = [...asked(bench, 'clearDownlinks', since).values()].flat();
    expect([all.length, all.includes(last)]).toEqual([599, false]);
    expect(bench.result.failures).toEqual({ halted: 600 });
  });
});

describe('a campaign of 600 members that is deleted', () => {
  it('lets go of its devices slice by slice, saved and loaded between', () => {
    const wakes = (reloads: boolean) => {
      const [bench, us] = underway(600);
      halt(us);
      bench.runUntil(bench.nowUs + S);
      remove(us);
      const since = bench.log.length;
      const gone = bench.nowUs + S;
      for (const ms of [0, 0.5, 1, 1.5, 2, 2.5]) {
        bench.runUntil(gone + ms * MS);
        expect(us.ask({ kind: 'campaign.list' })).toEqual([]);
        expect(us.ask({ kind: 'history.all' })).toEqual({});
        if (reloads) bench.reload();
      }
      bench.runUntil(gone + 10 * S);
      return bench.log.slice(since).map(({ atUs, request }) => [atUs - gone, request.kind]);
    };
    expect(wakes(false)).toEqual([
      [0, 'wakeAt'],
      [MS, 'wakeAt'],
    ]);
    expect(wakes(true)).toEqual(wakes(false));
  });
});
