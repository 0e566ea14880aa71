/** `scenarios/studies/delay-traffic.yaml` against the share of time in which a device sends. */
import { beforeAll, describe, expect, it } from 'vitest';
import { pointsTable, tableIn } from '../../docs/study-pages.ts';
import { itLong } from '../../support/long.ts';
import { type Asked, fragmentOnAir, onAir, type Studied, studied } from '../../support/studied.ts';

const DEVICES = 20;
const SECONDS: Readonly<Record<string, number>> = { '30 s': 30, '2 min': 120, '8 min': 480 };
/** At DR5, 12 bytes up and 239 down. */
const UPLINK_S = onAir(7, 12);
const FRAGMENT_S = fragmentOnAir(7, 239);
/** Empty windows of an uplink at DR5: 25 ms, and six symbols at DR0. */
const RX1_S = 0.025;
const RX2_S = 0.197;
/** A fragment is missed that meets the uplink, its RX1 or its RX2: three times its own length. */
const DEAF_S = UPLINK_S + RX1_S + RX2_S + 3 * FRAGMENT_S;

const missed = (point: Asked): number =>
  point.mean('campaigns.spring.fragmentLosses.ownUplink') / (DEVICES * point.mean('campaign.sent'));
const says = (point: Asked): number => DEAF_S / SECONDS[point.levels.every!]!;

let study: Studied;
beforeAll(async () => {
  study = await studied('delay-traffic', {
    points: ({ every, pause }) => every !== '8 min' && pause !== '15 s',
    replicates: 2,
  });
});

describe('a session of devices that send much themselves', () => {
  it('misses of its fragments what uplink and windows take of the time between two uplinks', () => {
    for (const point of study.where()) {
      const fragments = DEVICES * point.mean('campaign.sent') * point.point.runs;
      const spread = Math.sqrt(says(point) / fragments);
      expect(Math.abs(missed(point) - says(point)), JSON.stringify(point.levels)).toBeLessThan(
        3.5 * spread + 0.05 * says(point),
      );
    }
  });

  it('misses as many with longer pauses between fragments', () => {
    for (const every of study.levels('every')) {
      const points = study.where({ every });
      const mean = points.reduce((sum, point) => sum + missed(point), 0) / points.length;
      const fragments = DEVICES * points[0]!.mean('campaign.sent') * points[0]!.point.runs;
      for (const point of points) {
        expect(Math.abs(missed(point) - mean)).toBeLessThan(3.5 * Math.sqrt(mean / fragments));
      }
    }
  });

  it('updates fewer the more often they send, whatever the pause', () => {
    for (const pause of study.levels('pause')) {
      const shares = study.where({ pause }).map((point) => point.mean('campaign.runsIt'));
      expect(shares).toEqual([...shares].sort((a, b) => a - b));
    }
  });

  it('takes longer by the pauses', () => {
    const every = '2 min';
    const [first, ...others] = study.where({ every });
    for (const point of others) {
      const pauses = point.mean('campaign.sent') * (point.number('pause') - first!.number('pause'));
      const took = point.mean('campaign.t50') - first!.mean('campaign.t50');
      expect(Math.abs(took - pauses)).toBeLessThan(90);
    }
  });

  itLong('came out as its page says', () => {
    expect(pointsTable(study.study)).toBe(tableIn('delay-traffic'));
  });
});
