/** Budgets over virtual time in results: duty cycle, air time by purpose, data rates, losses. */
import { describe, expect, it } from 'vitest';
import type { BudgetResult, RunResult } from '../../core/result/result.ts';
import { World } from '../../core/world/world.ts';
import { figureNamed } from '../../reports/figures/figures.ts';
import { judge } from '../../scenarios/expectations/expectations.ts';
import { populate, populateServed, seedOf } from '../../scenarios/filling/populate.ts';
import { readScenario } from '../../scenarios/texts.ts';
import { addedUp, sumOf } from '../../sim/base/counts.ts';

const TOWN = `
  scenario: town
  duration: 6 h
  area: { radius: 1 km }
  gateways: [{ name: roof, gps: true }, { name: mast, placement: [[400 m, 0 m]] }]
  devices:
    - name: meter
      count: 40
      joinWithin: 10 min
      traffic: { every: 10 min, confirmed: 30 % }
      frameLoss: 10 %
    - { name: valve, count: 5, class: B, joinWithin: 10 min, traffic: { every: 20 min } }
  images: [{ name: meter-1.1.0.bin, bytes: 4 kB }]
  groups: [{ name: meters, devices: [meter] }]
  campaigns:
    - name: spring
      image: meter-1.1.0.bin
      group: meters
      at: 1 h
      multicast_setup_time: 2 h
  timeline:
    - { at: 90 min, downlink: { to: meter-3, fPort: 2, payload: "0a10" } }
    - { at: 4 h, gatewayFault: { gateway: roof, fault: backhaul, for: 1 h } }
    - { at: 4 h, gatewayFault: { gateway: mast, fault: backhaul, for: 1 h } }
  expectations:
    - gateway.mast.dutyCycle.869.4-869.65.peak <= 10 %
    - gateway.mast.dutyCycle.869.4-869.65.left >= 0 %
    - gateways.roof.dutyCycle.868-868.6.peak <= 1 %
    - dutyCyclePeak <= 100 %
    - downlinkQueuePeak >= 1
    - devices.populations.meter.uplinksLost.backhaulLoss >= 50
    - gateways.roof.fates.backhaulLoss >= 50
    - messagesMissing.backhaulLoss >= 1 %
    - valve.messagesMissing <= 50 %
`;

const { scenario } = readScenario(TOWN);
const plan = populate(scenario);
const runOf = (): RunResult => {
  const world = World.create(plan, seedOf(scenario));
  world.runUntil(world.endUs);
  return world.result();
};
const result = runOf();
const budgets = result.budgets!;
const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0);
const total = (series: Readonly<Record<string, readonly number[]>>) =>
  sum(Object.values(series).map(sum));

describe('budgets over virtual time', () => {
  it('have all air time of all gateways, each second for one purpose', () => {
    const { airSeconds } = budgets;
    expect(total(airSeconds)).toBeCloseTo(
      sum(result.gateways.map((gateway) => gateway.airtimeSeconds)),
      6,
    );
    expect(Object.keys(airSeconds).sort()).toEqual([
      'MAC commands',
      'acknowledgements',
      'application downlinks',
      'beacons',
      'campaign spring, fragments',
      'campaign spring, to single devices',
      'join accepts',
    ]);
  });

  it('have each uplink at its data rate, of all devices and of each population', () => {
    const [all, ...populations] = budgets.dataRates;
    expect([all!.population, total(all!.uplinks)]).toEqual([null, result.radio.uplinks]);
    expect(sum(populations.map(({ uplinks }) => total(uplinks)))).toBe(result.radio.uplinks);
  });

  it('have each lost uplink by its cause, those too that a gateway could not forward', () => {
    const sums = Object.entries(budgets.lost).map(([cause, values]) => [cause, sum(values)]);
    expect(Object.fromEntries(sums)).toEqual(result.radio.lost);
    const { populations } = result.devices;
    const ofPopulations = populations.map(({ uplinksLost = {} }) => sumOf(uplinksLost));
    expect(sum(ofPopulations)).toBe(sumOf(result.radio.lost));
    const { sliceSeconds } = budgets;
    budgets.lost.backhaulLoss!.forEach((lost, slice) => {
      const until = (slice + 1) * sliceSeconds;
      if (lost > 0) expect(until > 4 * 3600 && slice * sliceSeconds < 5 * 3600).toBe(true);
    });
  });

  it('have the lost uplinks of each population, and all of them together', () => {
    const { lost, lostBy = {} } = budgets;
    expect(Object.keys(lostBy).sort()).toEqual(['meter', 'valve']);
    for (const [cause, values] of Object.entries(lost)) {
      const own = Object.values(lostBy).flatMap((series) => series[cause as 'noise'] ?? []);
      expect(sum(own)).toBe(sum(values));
    }
    for (const { name, uplinksLost = {} } of result.devices.populations) {
      expect(total(lostBy[name]!)).toBe(sumOf(uplinksLost));
    }
  });

  it('have a fate for each message, and what a gateway could not forward is missing', () => {
    const { messages, messagesDelivered, populations } = result.devices;
    const fates = addedUp(populations.map(({ messageFates = {} }) => messageFates));
    expect(sumOf(fates)).toBe(messages);
    expect(fates.received).toBe(messagesDelivered);
    expect(figureNamed('messagesMissing').of(result)).toBeCloseTo(1 - fates.received! / messages);
    expect(fates.backhaulLoss).toBeGreaterThan(50);
    // Confirmed messages are repeated: fewer of them than of their frames are missing.
    expect(fates.frameLoss).toBeLessThan(result.radio.lost.frameLoss!);
  });

  it('never show more of an hour used than the region allows, nor less than on average', () => {
    for (const { dutyCycle, dutyCyclePeaks, dutyCycleLimits } of result.gateways) {
      for (const [band, peak] of Object.entries(dutyCyclePeaks!)) {
        expect(peak).toBeLessThanOrEqual((dutyCycleLimits?.[band] ?? 1) + 1e-9);
        expect(peak).toBeGreaterThanOrEqual(dutyCycle[band] ?? 0);
      }
    }
    const highest = Math.max(...budgets.dutyCycle[0]!.used);
    const { gateway, band } = budgets.dutyCycle[0]!;
    const own = result.gateways.find(({ name }) => name === gateway)!;
    expect(own.dutyCyclePeaks![band]).toBe(highest);
  });

  it('are judged by expectations, and a sub-band that no plan has is refused', () => {
    const verdicts = judge(scenario.expectations, result);
    expect(verdicts.filter(({ holds }) => !holds)).toEqual([]);
    const wrong = TOWN.replace('869.4-869.65.peak', '869.4-869.6.peak');
    expect(() => readScenario(wrong)).toThrow(/869\.4-869\.6\.peak" is not a figure/);
  });

  it('are the same of a world that was stored on its way', () => {
    const world = World.create(plan, seedOf(scenario));
    world.runUntil(2.5 * 3_600e6);
    const restored = World.restore(plan, seedOf(scenario), world.snapshot());
    restored.runUntil(restored.endUs);
    expect(restored.result().budgets).toEqual(budgets);
  });

  it('keep their sums where a world without end merges its slices', () => {
    const served = populateServed(scenario);
    const world = World.create(served, seedOf(scenario));
    world.runUntil(6 * 3_600e6);
    const { budgets: merged, radio } = world.result() as { budgets: BudgetResult } & RunResult;
    expect(merged.sliceSeconds).toBeGreaterThan(60);
    expect(total(merged.dataRates[0]!.uplinks)).toBe(radio.uplinks);
    const peak = (one: BudgetResult) => Math.max(...one.dutyCycle[0]!.used);
    expect(peak(merged)).toBe(peak(budgets));
  });
});
