/** `scenarios/studies/rate-size-duty.yaml` against air time over duty cycle. */
import { beforeAll, describe, expect, it } from 'vitest';
import { pointsTable, tableIn } from '../../docs/study-pages.ts';
import { itLong } from '../../support/long.ts';
import { type Asked, fragmentOnAir, type Studied, studied } from '../../support/studied.ts';

const SPREADING: Readonly<Record<string, number>> = { DR1: 11, DR3: 9, DR5: 7 };
const DUTY: Readonly<Record<string, number>> = { '869.525 MHz': 0.1, '868.3 MHz': 0.01 };

/** All fragments on the air, s. */
const airtime = (point: Asked): number =>
  point.mean('campaign.sent') * fragmentOnAir(SPREADING[point.levels.rate!]!, point.number('size'));

const bound = (point: Asked): number => airtime(point) / DUTY[point.levels.channel!]!;
/** From the session's begin, three hours after the campaign's, until half have confirmed. */
const took = (point: Asked): number => point.mean('campaign.t50') - 3 * 3600;

let study: Studied;
beforeAll(async () => {
  study = await studied('rate-size-duty', {
    points: ({ rate, size }) => rate !== 'DR1' && size !== '24 B',
    replicates: 1,
  });
});

/** What the slowest answer, the pause after the last fragment and whole steps of the pace add. */
const BESIDES_S = 130;
/** The pace is slower than the duty cycle by so much at most. */
const SLOWER = 0.03;

describe('a session by data rate, fragment size and duty cycle', () => {
  it('takes air time over duty cycle, then what is left of a session of 2^n seconds', () => {
    for (const point of study.where()) {
      const least = bound(point);
      expect(took(point), JSON.stringify(point.levels)).toBeGreaterThan(least);
      expect(took(point)).toBeLessThan(2.5 * (1 + SLOWER) * (least + BESIDES_S));
    }
  });

  it('is some ten times as long on a channel of a hundredth as on one of a tenth', () => {
    for (const { levels } of study.where({ channel: '869.525 MHz' })) {
      const wide = study.at(levels);
      const narrow = study.at({ ...levels, channel: '868.3 MHz' });
      const times = took(narrow) / took(wide);
      expect(times, JSON.stringify(levels)).toBeGreaterThan(3);
      expect(times).toBeLessThan(20);
    }
  });

  it('is longer with smaller fragments where air time counts', () => {
    for (const rate of study.levels('rate')) {
      const times = study.where({ rate, channel: '868.3 MHz' }).map(took);
      expect(times).toEqual([...times].sort((a, b) => b - a));
    }
  });

  it('is shorter at a faster data rate, whatever the fragments', () => {
    for (const size of study.levels('size')) {
      for (const channel of study.levels('channel')) {
        const times = study.where({ size, channel }).map(took);
        expect(times).toEqual([...times].sort((a, b) => b - a));
      }
    }
  });

  it('updates everybody but for one in a hundred', () => {
    for (const point of study.where()) {
      expect(point.mean('campaign.runsIt')).toBeGreaterThanOrEqual(0.95);
    }
  });

  itLong('came out as its page says', () => {
    expect(pointsTable(study.study)).toBe(tableIn('rate-size-duty'));
  });
});
