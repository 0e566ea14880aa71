/** `scenarios/studies/drift-margin.yaml` against clocks that are late. */
import { beforeAll, describe, expect, it } from 'vitest';
import { pointsTable, tableIn } from '../../docs/study-pages.ts';
import { itLong } from '../../support/long.ts';
import { type Asked, type Studied, studied } from '../../support/studied.ts';

const DEVICES = 40;
/** From the clock's correction, in the first minutes, to the session. */
const SET_UP_S = 12 * 3600;
/** The first fragment waits for the margin and another second. */
const LATER_S = 1;
/** Own uplinks take a fragment from one in forty. */
const OWN_UPLINKS = 0.025;

const runsIt = (point: Asked): number => point.mean('campaign.runsIt');
const latest = (point: Asked): number => (point.number('drift') / 1e6) * SET_UP_S;

/** Share of the clocks, uniform in ± the drift, that are not later than the margin. */
const inTime = (point: Asked): number =>
  1 - Math.max(0, 1 - (point.number('margin') + LATER_S) / latest(point)) / 2;

let study: Studied;
beforeAll(async () => {
  study = await studied('drift-margin', {
    points: ({ drift, margin }) => /^(20|300|1000) ppm$/.test(drift!) && margin !== '1 s',
    replicates: 1,
  });
});

describe('margin by drift', () => {
  it('updates those whose clocks are not later than the margin', () => {
    for (const point of study.where()) {
      const share = inTime(point);
      const deviation = Math.sqrt((share * (1 - share)) / (point.point.runs * DEVICES));
      const bound = 3.3 * deviation + 2 * OWN_UPLINKS;
      expect(Math.abs(runsIt(point) - share), JSON.stringify(point.levels)).toBeLessThan(bound);
    }
  });

  it('updates nearly everybody where the margin is longer than drift times set-up', () => {
    for (const point of study.where()) {
      const isEnough = point.number('margin') > latest(point);
      expect(runsIt(point) > 0.9, JSON.stringify(point.levels)).toBe(isEnough);
    }
  });

  it('updates about half where the margin is nothing beside the drift', () => {
    for (const point of study.where({ drift: '1000 ppm' })) {
      if (point.number('margin') > 5) continue;
      expect(Math.abs(runsIt(point) - 0.54)).toBeLessThan(0.2);
    }
  });

  it('costs time by the margin alone, and little of it', () => {
    for (const drift of study.levels('drift')) {
      const points = study.where({ drift }).filter((point) => runsIt(point) > 0.9);
      const times = points.map((point) => point.mean('campaign.t50'));
      expect(Math.max(...times) - Math.min(...times)).toBeLessThan(240);
    }
  });

  itLong('came out as its page says', () => {
    expect(pointsTable(study.study)).toBe(tableIn('drift-margin'));
  });
});
