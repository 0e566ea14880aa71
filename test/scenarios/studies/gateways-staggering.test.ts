/** `scenarios/studies/gateways-staggering.yaml`: what a gateway more brings to a session. */
import { beforeAll, describe, expect, it } from 'vitest';
import { pointsTable, tableIn } from '../../docs/study-pages.ts';
import { itLong } from '../../support/long.ts';
import { type Asked, type Studied, studied } from '../../support/studied.ts';

const FRAMES = 59;
const IN_TURN = { timing: 'staggered', copies: 'multipath' };
const ECHOES = { timing: 'simultaneous', copies: 'multipath' };
const RIVALS = { timing: 'simultaneous', copies: 'capture' };
const ALL = [IN_TURN, ECHOES, RIVALS];

const runsIt = (point: Asked): number => point.mean('campaign.runsIt');
const t50 = (point: Asked): number => point.mean('campaign.t50');

let study: Studied;
beforeAll(async () => {
  study = await studied('gateways-staggering', {
    points: ({ gateways }) => gateways === '1' || gateways === '4',
    replicates: 1,
  });
});

describe('a session over several gateways', () => {
  it('is the same with one gateway, whatever would be done at the same instant', () => {
    const [first, ...others] = study
      .where({ gateways: '1' })
      .map(({ point }) => point.figures.map(({ mean }) => mean));
    for (const figures of others) expect(figures).toEqual(first);
  });

  it('updates more with each gateway that sends in turn', () => {
    const shares = study.where(IN_TURN).map(runsIt);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBeGreaterThan(shares[0]! + 0.2);
  });

  it('updates most in turn, about as many by echoes, and fewest where copies are rivals', () => {
    for (const gateways of study.levels('gateways')) {
      if (gateways === '1') continue;
      const [turn, echoes, rivals] = ALL.map((of) => runsIt(study.at({ ...of, gateways })));
      expect(turn).toBeGreaterThanOrEqual(echoes!);
      expect(turn! - echoes!).toBeLessThan(0.06);
      expect(rivals).toBeLessThan(echoes!);
    }
  });

  it('takes as many frames more as gateways are chosen', () => {
    for (const gateways of ['1', '2', '4']) {
      for (const point of study.where({ gateways })) {
        expect(point.mean('campaign.sent')).toBe(FRAMES * Number(gateways));
      }
    }
  });

  it('takes hardly longer in turn: all fit into the pause that the duty cycle asks for', () => {
    for (const gateways of study.levels('gateways')) {
      const [turn, echoes] = [IN_TURN, ECHOES].map((of) => t50(study.at({ ...of, gateways })));
      expect(turn! - echoes!).toBeLessThan(300);
      expect(turn! - echoes!).toBeGreaterThan(-120);
    }
  });

  itLong('came out as its page says', () => {
    expect(pointsTable(study.study)).toBe(tableIn('gateways-staggering'));
  });
});
