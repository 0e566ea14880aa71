/** Power that is cut and returns, losses for a while, clocks that jump. */
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { World } from '../../core/world/world.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { hearNetwork } from '../support/news-listener.ts';
import { eui, MINUTE_US, networkOf } from '../support/small-network.ts';

const DAY_US = 24 * 60 * MINUTE_US;
const at = (atUs: number, command: object): TimedCommand => ({
  atUs,
  command: { by: 'default', devEui: eui('02', 1), ...command } as TimedCommand['command'],
});
const power = (atUs: number, on: boolean) =>
  at(atUs, { kind: 'device.fault', fault: 'power', on: !on });
const lose = (atUs: number, share: number) =>
  at(atUs, { kind: 'device.fault', fault: 'loss', on: share > 0, ...(share > 0 && { share }) });

const ENERGY = {
  chip: 'SX1262',
  supplyMilliVolt: 3_000,
  batteryMilliAmpHours: 2_400,
  dies: false,
  txMicroAmp: [{ centiDbm: 1_400, microAmp: 40_000 }],
  rxMicroAmp: 10_000,
  sleepNanoAmp: 2_000,
  mcuMicroAmp: 1_000,
  standbyMicroAmp: 1_000,
  awakeUs: 20_000,
  flashMicroJoulePerKib: 10_000,
  antennaGainCentiDb: 0,
};
const OTAA = networkOf({ devices: 2, type: { activation: 'otaa', startSpreadUs: 0 } });
const ABP = networkOf({ devices: 2 });

const run = (network: NetworkPlan, timeline: readonly TimedCommand[], untilUs = 30 * MINUTE_US) => {
  const heard = hearNetwork(network, untilUs, timeline);
  expect(judge(heard.trace.rows, network)).toEqual({});
  return heard;
};
const framesOf = ({ trace }: ReturnType<typeof run>, device: string) =>
  trace.of('uplinkBegins').filter((row) => row.device === device);

describe('a device whose power is cut', () => {
  const [off, on] = [10 * MINUTE_US, 20 * MINUTE_US];

  it('sends nothing until power returns, joins anew then, and the other goes on as ever', () => {
    const heard = run(OTAA, [power(off, false), power(on, true)]);
    const own = framesOf(heard, 'meter-1');
    expect(own.filter(({ atUs }) => atUs > off && atUs < on)).toEqual([]);
    expect(own.find(({ atUs }) => atUs >= on)?.purpose).toBe('join');
    expect(framesOf(heard, 'meter-2')).toEqual(framesOf(run(OTAA, []), 'meter-2'));
    const { devices } = heard.world.result();
    expect(devices.joined).toBe(2);
  });

  it('has no session while it is off, and the time to its session counts from its return', () => {
    const dark = run(OTAA, [power(off, false)]).world.result();
    expect(dark.devices.joined).toBe(1);
    const lit = run(OTAA, [power(off, false), power(on, true)]).world.result();
    expect(lit.devices.joinSeconds?.p90).toBeLessThan(60);
  });

  it('goes on in its session where it was personalised, with counters that do not repeat', () => {
    const heard = run(ABP, [power(off, false), power(on, true)]);
    const counters = framesOf(heard, 'meter-1').map(({ counter }) => counter);
    expect(counters).toEqual([...new Set(counters)].sort((a, b) => a - b));
    const heardOf = heard.trace.of('uplinkCollected').map(({ verdict }) => verdict);
    expect(new Set(heardOf)).toEqual(new Set(['accepted']));
  });

  it('ends the frame that it is sending, and answers no downlink after', () => {
    const [frame] = framesOf(run(ABP, []), 'meter-1');
    const during = frame!.atUs + 1_000;
    const heard = run(ABP, [power(during, false), power(on, true)]);
    const [cut] = heard.trace.of('devicePower');
    expect(cut).toMatchObject({ on: false, atUs: frame!.atUs + frame!.airtimeUs });
    expect(heard.trace.of('uplinkEnds')[0]).toMatchObject({ frame: frame!.frame });
  });

  it('never was cut where power returns before its frame has ended', () => {
    const [frame] = framesOf(run(ABP, []), 'meter-1');
    const blink = [power(frame!.atUs + 1_000, false), power(frame!.atUs + 2_000, true)];
    expect(run(ABP, blink).trace.of('devicePower')).toEqual([]);
  });

  it('draws nothing while it is off', () => {
    const type = { energy: ENERGY, activation: 'abp' } as const;
    const metered = networkOf({ devices: 1, type });
    const joules = (timeline: readonly TimedCommand[], untilUs: number) =>
      run(metered, timeline, untilUs).world.result().energy?.meanJoules ?? Number.NaN;
    const before = joules([], off);
    expect(before).toBeGreaterThan(0);
    expect(joules([power(off, false)], on)).toBe(before);
  });

  it('is off twice, and a snapshot in the dark goes on as the world does', () => {
    const cuts = [power(off, false), power(on, true), power(on + off, false), power(3 * on, true)];
    const whole = hearNetwork(OTAA, 70 * MINUTE_US, cuts).world;
    const half = World.create(whole.plan, 'small');
    half.runUntil(off + MINUTE_US);
    const other = World.restore(half.plan, 'small', half.snapshot());
    for (const one of [half, other]) one.runUntil(70 * MINUTE_US);
    expect(other.digest()).toEqual(whole.digest());
    expect(half.digest()).toEqual(whole.digest());
  });
});

describe('a loss for a while', () => {
  it('takes its share of frames, and none before and after', () => {
    const heard = run(ABP, [lose(MINUTE_US, 1), lose(11 * MINUTE_US, 0)]);
    const lost = heard.trace
      .of('uplinkEnds')
      .filter(({ device, gateways }) => device === 'meter-1' && gateways[0]?.fate === 'frameLoss');
    expect(lost.length).toBeGreaterThan(8);
    expect(lost.every(({ atUs }) => atUs > MINUTE_US && atUs <= 11 * MINUTE_US + 100_000)).toBe(
      true,
    );
    expect(heard.world.result().radio.lost).toEqual({ frameLoss: lost.length });
  });

  it('adds to what is lost anyway as independent losses do', () => {
    const type = { frameLossPpm: 400_000 };
    const many = networkOf({ devices: 1, type });
    const { radio } = hearNetwork(many, 2 * DAY_US, [lose(0, 0.5)]).world.result();
    expect(radio.received / radio.uplinks).toBeCloseTo(0.6 * 0.5, 1);
  });
});

describe('a clock that jumps', () => {
  it('is wrong by so much from then on', () => {
    const errorOf = (timeline: readonly TimedCommand[]) => {
      const { world } = run(ABP, timeline);
      const groundTruth = world.ask({ kind: 'device.truth', by: 'default', devEui: eui('02', 1) });
      if (!groundTruth.ok) throw new Error(groundTruth.failure.message);
      return (groundTruth.value as { clock: { error: number } }).clock.error;
    };
    const step = at(MINUTE_US, { kind: 'device.stepClock', seconds: -12.5 });
    expect(errorOf([step]) - errorOf([])).toBeCloseTo(-12.5, 6);
  });
});
