/** `scenarios/studies/classes.yaml`: who is soonest, and what it costs. */
import { beforeAll, describe, expect, it } from 'vitest';
import { pointsTable, tableIn } from '../../docs/study-pages.ts';
import { IS_LONG, itLong } from '../../support/long.ts';
import { type Asked, type Studied, studied } from '../../support/studied.ts';

const A = { class: 'A', session: 'classC' };
const A_IN_SLOTS = { class: 'A', session: 'classB' };
const B = { class: 'B', session: 'classB' };
const C = { class: 'C', session: 'classC' };

const t50 = (point: Asked): number => point.mean('campaign.t50');
const joules = (point: Asked): number => point.mean('energyPerDevice');

let study: Studied;
beforeAll(async () => {
  study = await studied('classes', { points: ({ every }) => every !== '15 min', replicates: 1 });
});

describe('an update by class', () => {
  it('is soonest with class C where devices send every hour, and with class A at 5 min', () => {
    expect(t50(study.at({ ...C, every: '1 h' }))).toBeLessThan(
      t50(study.at({ ...A, every: '1 h' })) / 2,
    );
    expect(t50(study.at({ ...A, every: '5 min' }))).toBeLessThan(
      t50(study.at({ ...C, every: '5 min' })),
    );
  });

  it('takes class A longer the less often it sends, and class C does not', () => {
    const [often, seldom] = ['5 min', '1 h'].map((every) => study.at({ ...A, every }));
    // The set-up has a shortest time, so twelve times as long is the most.
    expect(t50(seldom!) / t50(often!)).toBeGreaterThan(3);
    expect(t50(seldom!) / t50(often!)).toBeLessThan(12);
    const times = study.where(C).map(t50);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(60);
  });

  it('takes class B as long as class A in ping slots: its set-up awaits uplinks, too', () => {
    for (const every of study.levels('every')) {
      const [a, b] = [A_IN_SLOTS, B].map((of) => study.at({ ...of, every }));
      expect(Math.abs(t50(a!) - t50(b!))).toBeLessThan(120);
    }
  });

  it('costs least in ping slots, more in class C for the session, more all day in class B', () => {
    for (const every of study.levels('every')) {
      const [slots, session, beacons, always] = [A_IN_SLOTS, A, B, C].map((of) =>
        joules(study.at({ ...of, every })),
      );
      expect(slots).toBeLessThan(session!);
      expect(session).toBeLessThan(beacons!);
      expect(always).toBeGreaterThan(100 * beacons!);
    }
  });

  it('updates nearly everybody, whatever the class', () => {
    for (const point of study.where()) {
      expect(point.mean('campaign.runsIt')).toBeGreaterThan(IS_LONG ? 0.95 : 0.9);
    }
  });

  itLong('came out as its page says', () => {
    expect(pointsTable(study.study)).toBe(tableIn('classes'));
  });
});
