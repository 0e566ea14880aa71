/** A managed campaign over a year of virtual time: what it keeps grows with what happens alone. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growsTooMuch, leastMs } from '../../support/cost.ts';
import { Bench } from '../bench.ts';
import { DAY_S, Manager, NEW, OLD } from './managed-notation.ts';
import { NORTH, SOUTH } from './service.ts';

const NOON_S = 43_200;
const YEAR_DAYS = 365;

function yearLong(devices: number) {
  const us = new Manager(new Bench({ gateways: [NORTH, SOUTH] }), 'default', NORTH);
  const devEuis = us.fleet(devices, () => ({ uplinkEveryS: 900 }), NEW);
  us.goTo(NOON_S);
  const id = us.createNew({
    preferred_start_time_utc: '01:00',
    run_until: us.in(YEAR_DAYS * DAY_S),
  });
  us.go(DAY_S);
  return { us, devEuis, id };
}

const store = ({ bench }: Manager): number =>
  JSON.stringify(bench.platform.resources.managedCampaign.save()).length;

describe('a year of sessions', () => {
  it('has one for each day on which a device was set back, and keeps nothing of quiet days', () => {
    const day = fc.tuple(fc.integer({ min: 2, max: YEAR_DAYS - 20 }), fc.nat(2));
    fc.assert(
      fc.property(fc.uniqueArray(day, { maxLength: 12 }), (setBack) => {
        const { us, devEuis, id } = yearLong(3);
        const days = new Map<number, Set<string>>();
        for (const [at, which] of setBack) {
          days.set(at, (days.get(at) ?? new Set()).add(devEuis[which]!));
        }
        let quiet = 0;
        for (let at = 1; at < YEAR_DAYS - 1; at++) {
          const before = store(us);
          const back = days.get(at) ?? new Set();
          for (const devEui of back) us.report(devEui, OLD);
          if (at % 100 === 0) us.bench.reload();
          expect(Object.keys(us.managed(id).scheduled_devices)).toEqual([...back].sort());
          us.goTo(NOON_S);
          if (back.size > 0) continue;
          quiet++;
          expect(store(us)).toBe(before);
        }
        expect(us.campaigns).toHaveLength(days.size);
        expect(quiet).toBe(YEAR_DAYS - 2 - days.size);
        const updated = new Set(setBack.map(([, which]) => devEuis[which]!));
        expect(Object.keys(us.managed(id).updated_devices)).toEqual([...updated].sort());
        us.go(9 * DAY_S);
        expect([us.stage(id), us.campaigns]).toEqual(['CLEANED', []]);
      }),
      { numRuns: 4 },
    );
  });

  it('asking in between changes nothing', () => {
    const run = (asks: boolean) => {
      const us = new Manager(new Bench({ gateways: [NORTH, SOUTH] }), 'default', NORTH);
      us.fleet(2, (i) => ({ losesFragment: () => i === 1 }));
      const id = us.createNew({ preferred_start_time_utc: '01:00' });
      for (let hour = 0; hour < 20 * 24; hour++) {
        us.go(3600);
        if (!asks) continue;
        us.managed(id);
        us.problematic(id);
        us.ask({ kind: 'managedCampaign.list' });
        us.bench.platform.resources.managedCampaign.results(() => undefined);
      }
      return JSON.stringify(us.bench.platform.save());
    };
    expect(run(true)).toBe(run(false));
  });

  it('ten thousand devices cost one pass over their records when somebody asks', async () => {
    const costOf = (devices: number) => {
      const us = new Manager(new Bench({ gateways: [NORTH, SOUTH] }), 'default', NORTH);
      us.fleet(devices, () => ({ uplinkEveryS: 0 }));
      const id = us.createNew({ run_until: us.in(30 * DAY_S) });
      expect(Object.keys(us.managed(id).scheduled_devices)).toHaveLength(devices);
      return leastMs(5, () => us.managed(id));
    };
    expect(await growsTooMuch(costOf, 1_250)).toBe(false);
  });
});
