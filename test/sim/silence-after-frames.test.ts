/** Transmitters that are silent after each frame, and confirmed messages that make way. */
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import type { DeviceTypePlan, TrafficPlan } from '../../sim/plan/network-plan.ts';
import { HOUR_US, networkOf, SECOND_US, watch } from '../support/small-network.ts';

const SLOW = { dataRate: { from: 'fixed', dataRate: 0 }, nbTrans: 8 } as const;
/** Nobody is acknowledged: nothing that the gateway sends is strong enough. */
const MUTE = { maxEirpCentiDbm: -20_000 } as const;

function uplinksOf(type: Partial<DeviceTypePlan>, traffic: Partial<TrafficPlan>, gateway = {}) {
  const network = networkOf({ type: { ...SLOW, ...type }, traffic, gateway });
  const trace = watch(network, 2 * HOUR_US);
  expect(judge(trace.rows, network)).toEqual({});
  return trace.of('uplinkBegins').filter(({ purpose }) => purpose === 'data');
}

describe('a device that keeps its duty cycle by the frame', () => {
  const often = { meanUs: 20 * SECOND_US, payloadBytes: 20 };

  it('is silent in a sub-band of 1 % until a hundred times the time on air have passed', () => {
    const sent = uplinksOf({ dutyCycleBy: 'frame', dutyCycle: true }, often);
    const gaps = sent.slice(1).map(({ atUs }, i) => atUs - sent[i]!.atUs);
    expect(sent.length).toBeGreaterThan(30);
    expect(Math.min(...gaps)).toBe(100 * sent[0]!.airtimeUs);
  });

  it('else sends as long as the hour has room', () => {
    const sent = uplinksOf({ dutyCycle: true }, often);
    const first = sent.slice(1, 10).map(({ atUs }, i) => atUs - sent[i]!.atUs);
    expect(Math.max(...first)).toBeLessThan(50 * sent[0]!.airtimeUs);
  });

  it('is not silent where it keeps none', () => {
    const sent = uplinksOf({ dutyCycleBy: 'frame', dutyCycle: false }, often);
    expect(sent.length).toBeGreaterThan(300);
  });
});

describe('a confirmed message that is not acknowledged', () => {
  const confirmed = { meanUs: 600 * SECOND_US, confirmedPpm: 1_000_000, payloadBytes: 20 };
  const type = { dutyCycleBy: 'frame', dutyCycle: true } as const;

  /** Tries by counter, in order. */
  function tries(traffic: Partial<TrafficPlan>): number[] {
    const counts = new Map<number, number>();
    for (const { counter } of uplinksOf(type, { ...confirmed, ...traffic }, MUTE)) {
      counts.set(counter, (counts.get(counter) ?? 0) + 1);
    }
    return [...counts.values()];
  }

  it('makes way for the next one: each message has its three tries and none waits', () => {
    const counts = tries({ whenBusy: 'replace' });
    expect(counts.length).toBeGreaterThanOrEqual(11);
    expect(Math.max(...counts)).toBeLessThanOrEqual(4);
  });

  it('else has all eight, and the next one waits', () => {
    const counts = tries({});
    expect(counts.length).toBeLessThanOrEqual(6);
    expect(counts.slice(0, -1)).toEqual(counts.slice(0, -1).map(() => 8));
  });
});
