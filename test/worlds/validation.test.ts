/**
 * Figures that others published, or that their programs print, against the scenarios of the library
 * that reproduce them: pure ALOHA in closed form (Bor et al., MSWiM 2016, and LoRaSim), and the
 * uplink-only network of ns-3's lorawan module.
 */
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../core/result/result.ts';
import { World } from '../../core/world/world.ts';
import type { UplinkLoss } from '../../sim/base/counts.ts';
import { libraryWorld } from '../support/library.ts';
import { IS_LONG, sampled } from '../support/long.ts';

function run(file: string, settings: readonly string[], seed: string): RunResult {
  const { plan, seed: used } = libraryWorld(file, settings, seed);
  const world = World.create(plan, used);
  world.runUntil(world.endUs);
  return world.result();
}

/** Results under the seeds 1 … `count`. */
const runs = (file: string, settings: readonly string[], count: number): RunResult[] =>
  Array.from({ length: count }, (_, index) => run(file, settings, `${index + 1}`));

const mean = (results: readonly RunResult[], figure: (result: RunResult) => number): number =>
  results.reduce((sum, result) => sum + figure(result), 0) / results.length;

const delivered = ({ radio }: RunResult): number => radio.received / radio.uplinks;
const lostTo =
  (cause: UplinkLoss) =>
  ({ radio }: RunResult): number =>
    (radio.lost[cause] ?? 0) / radio.uplinks;

/** Time on air of 20 bytes at SF12, and the mean pause, s. */
const AIRTIME_S = 1.318912;
const PAUSE_S = 1000;

describe('pure ALOHA: senders of one spreading factor on one channel', () => {
  const ROWS = [
    [50, 0.8789],
    [200, 0.592],
    [1000, 0.072],
  ] as const;

  it.each(sampled(ROWS, ([senders]) => senders === 1000))(
    'delivers as the closed form says with %i senders: %f',
    (senders, published) => {
      const closedForm = Math.exp((-2 * (senders - 1) * AIRTIME_S) / (PAUSE_S + AIRTIME_S));
      expect(closedForm).toBeCloseTo(published, 4);
      const results = runs(`validation/aloha-${senders}.yaml`, [], IS_LONG ? 2 : 1);
      const actual = mean(results, delivered);
      expect(Math.abs(actual - published)).toBeLessThanOrEqual(0.005);
      for (const { radio } of results) {
        expect(Object.keys(radio.lost)).toEqual(['interfered']);
      }
    },
  );
});

describe("LoRaSim's capture rule", () => {
  const ROWS = [
    { senders: 50, days: 10, seeds: 3, published: 0.9035 },
    { senders: 200, days: 3, seeds: 3, published: 0.6659 },
    { senders: 1000, days: 1, seeds: 2, published: 0.164 },
  ];

  it.each(sampled(ROWS, ({ senders }) => senders === 200))(
    'lets as many frames through as published with $senders senders',
    (row) => {
      const settings = [`devices.sender.count=${row.senders}`, `duration=${row.days} d`];
      const results = runs('validation/capture.yaml', settings, row.seeds);
      expect(Math.abs(mean(results, delivered) - row.published)).toBeLessThanOrEqual(0.01);
      for (const { radio } of results) expect(Object.keys(radio.lost)).toEqual(['interfered']);
    },
  );
});

describe("the uplink-only network of ns-3's lorawan module", () => {
  const SF_SHARES = [0.213, 0.089, 0.134, 0.186, 0.171, 0.208];
  const within = (actual: number, published: number) =>
    expect(Math.abs(actual - published)).toBeLessThanOrEqual(0.015);

  const ROWS = [
    { devices: 100, seeds: 20, pdr: 0.9947, interfered: 0.005, noPath: 0 },
    { devices: 500, seeds: 8, pdr: 0.9568, interfered: 0.043, noPath: 0 },
    { devices: 2000, seeds: 5, pdr: 0.8331, interfered: 0.166, noPath: 0.001 },
    { devices: 10_000, seeds: 1, pdr: 0.3447, interfered: 0.292, noPath: 0.364 },
  ];

  it.each(sampled(ROWS, ({ devices }) => devices === 500))(
    'loses as published with $devices devices',
    ({ devices, seeds, ...published }) => {
      const results = runs('validation/w1.yaml', [`devices.device.count=${devices}`], seeds);
      within(mean(results, delivered), published.pdr);
      within(mean(results, lostTo('interfered')), published.interfered);
      within(mean(results, lostTo('noPath')), published.noPath);
    },
  );

  it('gives its devices the spreading factors that were published', () => {
    const results = runs('validation/w1.yaml', ['duration=1 s'], IS_LONG ? 20 : 8);
    SF_SHARES.forEach((published, i) => {
      const share = mean(
        results,
        ({ devices }) => (devices.byDataRate[`DR${5 - i}`] ?? 0) / devices.total,
      );
      within(share, published);
    });
  });
});
