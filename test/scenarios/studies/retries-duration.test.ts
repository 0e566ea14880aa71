/** `scenarios/studies/retries-duration.yaml`: what a round more, or a longer set-up, brings. */
import { beforeAll, describe, expect, it } from 'vitest';
import { pointsTable, tableIn } from '../../docs/study-pages.ts';
import { itLong } from '../../support/long.ts';
import { type Asked, type Studied, studied } from '../../support/studied.ts';

const FRAMES_A_ROUND = 32;

const updated = (point: Asked): number => point.mean('campaign.updated');

let study: Studied;
beforeAll(async () => {
  study = await studied('retries-duration', {
    points: ({ setUp, retries }) => setUp !== '2 h' && retries !== '2',
    replicates: 2,
  });
});

describe('rounds by the time for the set-up', () => {
  it('update more with each retry, whatever the set-up', () => {
    for (const setUp of study.levels('setUp')) {
      const shares = study.where({ setUp }).map(updated);
      expect(shares).toEqual([...shares].sort((a, b) => a - b));
      expect(shares.at(-1)! - shares[0]!).toBeGreaterThan(0.04);
    }
  });

  it('update more with a longer set-up where nobody is tried again', () => {
    const shares = study.where({ retries: '0' }).map(updated);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });

  it('cost a whole session each, however few devices are left', () => {
    for (const point of study.where()) {
      const rounds = point.mean('campaign.rounds');
      // A round in which nobody could be set up sends nothing.
      expect(point.mean('campaign.sent')).toBeLessThanOrEqual(FRAMES_A_ROUND * rounds);
      expect(point.mean('campaign.sent')).toBeGreaterThan(FRAMES_A_ROUND * (rounds - 1));
    }
    expect(study.at({ setUp: '1 h', retries: '0' }).mean('campaign.sent')).toBe(FRAMES_A_ROUND);
  });

  it('of half an hour have to be two to do what one of an hour does', () => {
    const [short, twice, long] = [
      { setUp: '30 min', retries: '0' },
      { setUp: '30 min', retries: '1' },
      { setUp: '1 h', retries: '0' },
    ].map((levels) => updated(study.at(levels)));
    expect(short).toBeLessThan(long!);
    expect(twice).toBeGreaterThanOrEqual(long! - 0.02);
  });

  itLong('are best with an hour for the set-up and one retry', () => {
    const { choice, points } = study.study;
    const labels = points[choice!.point - 1]!.levels.map(({ label }) => label);
    expect(labels).toEqual(['1 h', '1']);
  });

  itLong('meet the constraint in no setting without a retry', () => {
    for (const { point } of study.where({ retries: '0' })) expect(point.allowed).toBe(false);
  });

  itLong('came out as its page says', () => {
    expect(pointsTable(study.study)).toBe(tableIn('retries-duration'));
  });
});
