/** Energy of devices in whole worlds: parts and wholes, snapshots, batteries, currents. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnergyResult, RunResult } from '../../core/result/result.ts';
import { type Run, World } from '../../core/world/world.ts';
import { CHIPS, energyPlan } from '../../scenarios/schema/energy-schema.ts';
import { worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import { ENERGY_CAUSES, type EnergyCause } from '../../sim/base/counts.ts';
import { expandSeed } from '../../sim/base/random.ts';
import {
  batteryLevel,
  joules,
  joulesByCause,
  radioTimes,
  txMicroAmp,
} from '../../sim/device/energy.ts';
import type { NetworkEvent } from '../../sim/events.ts';
import { Agenda } from '../../sim/kernel/agenda.ts';
import { Network } from '../../sim/network/network.ts';
import type { DeviceTypePlan, EnergyPlan } from '../../sim/plan/network-plan.ts';
import { runCampaign } from '../campaigns/notation.ts';
import { classBCampaign, classBNetwork, downlinkAt, pingsOf } from '../support/class-b-world.ts';
import { someRuns } from '../support/long.ts';
import { HOUR_US, MINUTE_US, networkOf, SECOND_US, watch } from '../support/small-network.ts';

const DAY_US = 24 * HOUR_US;

const usual: EnergyPlan = {
  chip: 'test',
  supplyMilliVolt: 3_000,
  sleepNanoAmp: 2_000,
  standbyMicroAmp: 500,
  rxMicroAmp: 5_000,
  txMicroAmp: [{ centiDbm: 0, microAmp: 40_000 }],
  antennaGainCentiDb: 0,
  mcuMicroAmp: 3_500,
  awakeUs: 50_000,
  flashMicroJoulePerKib: 900,
  batteryMilliAmpHours: 2_400,
  dies: false,
};

/** What the result has of one device. */
const energyOf = (trace: { readonly world: Pick<Run, 'result'> }) => trace.world.result().energy!;

describe('a silent device', () => {
  it('draws its sleeping current from power-on: 6 µW make 0.5184 J a day', () => {
    const network = networkOf({ type: { energy: usual }, traffic: { process: 'none' } });
    const { byCause, meanJoules } = energyOf(watch(network, DAY_US));
    expect(byCause).toEqual({ sleep: meanJoules });
    expect(meanJoules).toBeCloseTo(0.5184, 4);
  });

  it('of class C draws its receiver’s: 15 mW make 1296 J a day', () => {
    const type = { energy: usual, deviceClass: 'C' as const };
    const network = networkOf({ type, traffic: { process: 'none' } });
    const { byCause } = energyOf(watch(network, DAY_US));
    expect(byCause.classC).toBeCloseTo(1296, 3);
    expect(byCause.sleep ?? 0).toBeCloseTo(0, 6);
  });
});

describe('an uplink', () => {
  const network = networkOf({ type: { energy: usual }, traffic: { payloadBytes: 10 } });
  const trace = watch(network, 10 * MINUTE_US + 30 * SECOND_US);
  const sent = trace.of('uplinkBegins');
  const windows = trace.of('receiveWindows');
  const { byCause } = energyOf(trace);
  const lengthUs = (row: { readonly opensAtUs: number; readonly closesAtUs: number }) =>
    row.closesAtUs - row.opensAtUs;

  it('costs its time on air at the current of its power', () => {
    const airtimeUs = sent.reduce((sum, row) => sum + row.airtimeUs, 0);
    expect(sent.length).toBeGreaterThan(8);
    expect(byCause.uplink).toBeCloseTo(airtimeUs * 1e-6 * 0.04 * 3, 9);
  });

  it('costs two windows without success when nothing comes', () => {
    const rx1Us = windows.reduce((sum, { rx1 }) => sum + lengthUs(rx1), 0);
    const rx2Us = windows.reduce((sum, { rx2 }) => sum + lengthUs(rx2), 0);
    expect(byCause.rx1InVain).toBeCloseTo(rx1Us * 1e-6 * 0.005 * 3, 9);
    expect(byCause.rx2InVain).toBeCloseTo(rx2Us * 1e-6 * 0.005 * 3, 9);
    expect(byCause).not.toHaveProperty('rx1Frame');
  });

  it('wakes the microcontroller for 50 ms at 4 mA', () => {
    expect(byCause.mcu).toBeCloseTo(sent.length * 0.05 * 0.004 * 3, 9);
  });
});

describe('a radio that takes 20 ms to wake', () => {
  const windows = { stack: 'LoRaMac-node', rxErrorMs: 10, wakeUpMs: 20 } as const;
  const of = (type: Partial<DeviceTypePlan>, confirmedPpm = 0) => {
    const network = networkOf({ type: { energy: usual, ...type }, traffic: { confirmedPpm } });
    const trace = watch(network, 10 * MINUTE_US + 30 * SECOND_US);
    return { sent: trace.of('uplinkBegins').length, byCause: energyOf(trace).byCause };
  };

  it('draws its standby current for that long before each window, and nothing else more', () => {
    const { sent, byCause } = of({ windows });
    const plain = of({});
    const wakeSeconds = 2 * sent * 0.02;
    expect(byCause.mcu! - plain.byCause.mcu!).toBeCloseTo(wakeSeconds * 0.0005 * 3, 12);
    expect(plain.byCause.sleep! - byCause.sleep!).toBeCloseTo(wakeSeconds * 2e-6 * 3, 12);
    expect({ ...byCause, mcu: 0, sleep: 0 }).toEqual({ ...plain.byCause, mcu: 0, sleep: 0 });
  });

  it('does not wake for an RX2 that an answer in RX1 spares', () => {
    const { sent, byCause } = of({ windows }, 1_000_000);
    const plain = of({}, 1_000_000);
    expect(byCause.mcu! - plain.byCause.mcu!).toBeCloseTo(sent * 0.02 * 0.0005 * 3, 12);
  });

  it('is awake already in class C', () => {
    expect(of({ windows, deviceClass: 'C' }).byCause).toEqual(of({ deviceClass: 'C' }).byCause);
  });
});

describe('an answer in RX1', () => {
  it('keeps the window open until it ends, and spares RX2', () => {
    const traffic = { confirmedPpm: 1_000_000 };
    const trace = watch(networkOf({ type: { energy: usual }, traffic }), 10 * MINUTE_US);
    const windows = trace.of('receiveWindows');
    const ends = trace.of('downlinkEnds');
    expect(ends.length).toBe(windows.length);
    const heardUs = ends.reduce((sum, row, i) => sum + row.atUs - windows[i]!.rx1.opensAtUs, 0);
    const { byCause } = energyOf(trace);
    expect(byCause.rx1Frame).toBeCloseTo(heardUs * 1e-6 * 0.005 * 3, 9);
    expect(byCause).not.toHaveProperty('rx1InVain');
    expect(byCause).not.toHaveProperty('rx2InVain');
  });
});

describe('a class B device', () => {
  const kinds = classBNetwork({ type: { energy: usual, driftPpb: 0 } });
  const minutely = Array.from({ length: 60 }, (_, i) => downlinkAt((30 + i) * MINUTE_US, kinds));

  it('pays for every frame that it hears in a ping slot, for as long as it lasts', () => {
    const quiet = watch(kinds, 2 * HOUR_US);
    const busy = watch(kinds, 2 * HOUR_US, minutely);
    const heardUs = pingsOf(busy).reduce((sum, { airtimeUs }) => sum + airtimeUs, 0);
    expect(pingsOf(busy).length).toBeGreaterThanOrEqual(59);
    // 8 windows of 6 symbols at SF9 in 128 s are counted already.
    const more = energyOf(busy).byCause.ping! - energyOf(quiet).byCause.ping!;
    expect(more / (heardUs * 1e-6 * 0.005 * 3)).toBeCloseTo(1, 2);
  });

  it('pays for eight windows of six symbols in a beacon period', () => {
    const trace = watch(kinds, 10 * HOUR_US);
    const windowsUs = 8 * 6 * 4_096;
    const share = energyOf(trace).byCause.ping! / (36_000 * 0.005 * 3);
    expect(share / (windowsUs / 128e6)).toBeGreaterThan(0.98);
    expect(share / (windowsUs / 128e6)).toBeLessThan(1);
  });

  it('listens without a break until it hears its first beacon', () => {
    const { trace, atUs } = firstBeacon();
    const { beacon } = energyOf(trace).byCause;
    // Powered on in the first microsecond; a few windows and uplinks lie in between.
    expect(beacon! / ((atUs + 152_576) * 1e-6 * 0.005 * 3)).toBeCloseTo(1, 1);
  });

  /** Up to the first beacon and not further. */
  function firstBeacon() {
    const beganAtUs = watch(kinds, HOUR_US).of('beaconDecided')[0]!.beganAtUs;
    return { trace: watch(kinds, beganAtUs + SECOND_US), atUs: beganAtUs };
  }

  it('that hears no beacon listens for three, then for one an hour', () => {
    const network = classBNetwork({ type: { energy: usual }, gateway: { gps: false } });
    const { byCause } = energyOf(watch(network, DAY_US));
    const listenedS = byCause.beacon! / (0.005 * 3);
    // From 64 s on the mean to find one an hour, after up to 384 s.
    expect(listenedS).toBeGreaterThan(24 * 10);
    expect(listenedS).toBeLessThan(384 + 24 * 129);
  });

  it('that was removed or has died draws nothing more', () => {
    const dying = { ...usual, dies: true, batteryMilliAmpHours: 0.05, sleepNanoAmp: 100_000 };
    const trace = watch(classBNetwork({ type: { energy: dying } }), 5 * HOUR_US);
    const [death] = trace.of('deviceDies');
    expect(death!.atUs).toBeLessThan(4 * HOUR_US);
    const later = trace.of('beaconDecided').filter(({ atUs }) => atUs > death!.atUs);
    expect(later).toEqual([]);
    const { meanJoules } = energyOf(trace);
    const last = trace.of('energyDrawn').at(-1)!;
    expect(last.atUs).toBe(death!.atUs);
    expect(Object.values(last.joules).reduce((sum, one) => sum + one, 0)).toBeCloseTo(
      meanJoules,
      9,
    );
  });
});

const withEnergy = (world: { readonly plan: Run['plan'] }, energy: EnergyPlan) => ({
  ...world.plan,
  network: {
    ...world.plan.network,
    deviceTypes: world.plan.network.deviceTypes.map((type) => ({ ...type, energy })),
  },
});

/** A network of a generated world, to be asked directly. */
function networkOfWorld(plan: Run['plan'], seed: string) {
  const agenda = new Agenda();
  const network = new Network(plan.network, expandSeed(seed), agenda, {
    slicing: { firstUs: HOUR_US, most: 1e6 },
  });
  network.populate();
  const until = (atUs: number) => {
    while (agenda.next(atUs)) {
      network.dispatch(agenda.kind as NetworkEvent, agenda.target, agenda.nowUs);
    }
    agenda.advance(atUs);
  };
  return { network, until };
}

describe('in every world', () => {
  const limits = { devices: 8, minutes: 20, commands: 0 };

  it('times of all states are not negative and make up the device’s life', () => {
    fc.assert(
      fc.property(worlds(limits), (world) => {
        const plan = withEnergy(world, usual);
        const { network, until } = networkOfWorld(plan, world.seed);
        until(plan.durationUs);
        network.settle(plan.durationUs);
        const side = network.sides.device;
        for (let device = 0; device < side.devices.rows; device++) {
          const { aliveUs, uplinkNc, joinNc, ...states } = radioTimes(
            side,
            device,
            plan.durationUs,
          );
          for (const us of [...Object.values(states), uplinkNc, joinNc]) {
            expect(us).toBeGreaterThanOrEqual(0);
          }
          expect(Object.values(states).reduce((sum, us) => sum + us, 0)).toBe(aliveUs);
        }
      }),
      { numRuns: someRuns(40) },
    );
  });

  it('asking on the way changes nothing, and no state ever lasts less than before', () => {
    const slices = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(worlds(limits), slices, (world, permille) => {
        const plan = withEnergy(world, usual);
        const asked = networkOfWorld(plan, world.seed);
        const left = networkOfWorld(plan, world.seed);
        const side = asked.network.sides.device;
        type Drawn = Record<EnergyCause | 'restUs', number>;
        const before = new Map<number, Drawn>();
        for (const share of [...permille].sort((a, b) => a - b)) {
          const atUs = Math.floor((plan.durationUs * share) / 1000);
          asked.until(atUs);
          asked.network.settle(atUs);
          for (let device = 0; device < side.devices.rows; device++) {
            const { sleepUs, beaconUs, pingUs } = radioTimes(side, device, atUs);
            // A beacon, and a frame in a slot, are taken from sleep when they are over.
            const restUs = sleepUs + beaconUs + pingUs;
            const now = { ...joulesByCause(side, device, atUs), restUs };
            const was = before.get(device);
            if (was !== undefined) {
              const inWindows = (by: Drawn) =>
                by.rx1InVain + by.rx1Frame + by.rx2InVain + by.rx2Frame;
              expect(inWindows(now)).toBeGreaterThanOrEqual(inWindows(was) - 1e-12);
              for (const cause of [
                'uplink',
                'join',
                'classC',
                'multicast',
                'beacon',
                'ping',
                'mcu',
                'flash',
                'restUs',
              ] as const) {
                expect(now[cause]).toBeGreaterThanOrEqual(was[cause] - 1e-12);
              }
            }
            before.set(device, now);
          }
        }
        for (const { network, until } of [asked, left]) {
          until(plan.durationUs);
          network.settle(plan.durationUs);
        }
        for (let device = 0; device < side.devices.rows; device++) {
          expect(radioTimes(side, device, plan.durationUs)).toEqual(
            radioTimes(left.network.sides.device, device, plan.durationUs),
          );
        }
      }),
      { numRuns: someRuns(25) },
    );
  });

  it('a fork continues with the same sums', () => {
    fc.assert(
      fc.property(worlds(limits), fc.integer({ min: 0, max: 1000 }), (world, permille) => {
        const plan = withEnergy(world, usual);
        const straight = World.create(plan, world.seed);
        straight.runUntil(plan.durationUs);
        const stopped = World.create(plan, world.seed);
        stopped.runUntil(Math.floor((plan.durationUs * permille) / 1000));
        const fork = stopped.fork();
        fork.runUntil(plan.durationUs);
        expect(fork.result().energy).toEqual(straight.result().energy);
      }),
      { numRuns: someRuns(20) },
    );
  });
});

describe('a battery', () => {
  const sideOf = (energy: EnergyPlan | undefined) => {
    const type = energy === undefined ? {} : { energy };
    const network = networkOf({ type, traffic: { process: 'none' } });
    const built = new Network(network, expandSeed('a'), new Agenda(), {
      slicing: { firstUs: HOUR_US, most: 1e6 },
    });
    built.populate();
    return built.sides.device;
  };

  it('is reported as 254 when full, 127 when half empty, 1 when empty', () => {
    // 6 µW from 1 mAh at 3 V, which is 10.8 J: 1.8 million seconds.
    const side = sideOf({ ...usual, batteryMilliAmpHours: 1 });
    const at = (share: number) => batteryLevel(side, 0, 1 + share * 1.8e6 * SECOND_US);
    expect([at(0), at(0.5), at(0.9999), at(1), at(2)]).toEqual([254, 127, 1, 1, 1]);
  });

  it('is reported as 0 on external power and as 255 when nobody counts', () => {
    const { batteryMilliAmpHours: _, ...external } = usual;
    expect(batteryLevel(sideOf(external), 0, HOUR_US)).toBe(0);
    expect(batteryLevel(sideOf(undefined), 0, HOUR_US)).toBe(255);
  });

  it('lasts capacity over mean power: 7.2 mWh at 6 µW are 50 days', () => {
    const energy = { ...usual, batteryMilliAmpHours: 2.4 };
    const network = networkOf({ type: { energy }, traffic: { process: 'none' } });
    const { batteryLifeSeconds, batteryLifeYears, populations } = energyOf(watch(network, HOUR_US));
    expect(batteryLifeSeconds!.p50 / 86_400).toBeCloseTo(50, 3);
    expect(batteryLifeYears!.p50).toBeCloseTo(50 / 365.25, 6);
    expect(populations[0]!.batteryLifeYears).toEqual(batteryLifeYears);
  });

  it('lasts as long with an update as without, whose cost stands beside it', () => {
    const energy = { ...usual, batteryMilliAmpHours: 2400 };
    const wanted = { devices: 2, type: { energy, deviceClass: 'A' }, minutes: 120 } as const;
    const updated = energyOf(runCampaign(wanted));
    const without = energyOf(
      runCampaign({ ...wanted, campaign: { multicast_setup_time: 36_000 } }),
    );
    const years = (one: EnergyResult) => one.batteryLifeYears!.p50;
    expect(years(updated) / years(without)).toBeCloseTo(1, 1);
    expect(without).not.toHaveProperty('updates');
    const { multicast = 0, flash = 0 } = updated.byCause;
    expect(updated.updates).toMatchObject({ devices: 2 });
    expect(updated.updates!.meanJoules).toBeCloseTo(multicast + flash, 9);
    const steadyWatts = (updated.meanJoules - multicast - flash) / 7200;
    expect(updated.updates!.steadyDays).toBeCloseTo((multicast + flash) / steadyWatts / 86_400, 6);
  });

  it('has the cost of one update, however many there were, of those who took part in each', () => {
    const town = (campaigns: readonly string[]) =>
      runScenario(`scenario: twice
duration: 24 h
gateways: [{ name: g }]
devices:
  - { name: a, count: 2, energy: { chip: SX1262 }, traffic: { every: 5 min } }
  - { name: b, count: 2, energy: { chip: SX1262 }, traffic: { every: 5 min } }
images: [{ name: meter-1.2.0.bin, bytes: 1 kB }, { name: meter-1.3.0.bin, bytes: 1 kB }]
groups: [{ name: all, devices: all }, { name: some, devices: [a] }]
campaigns:
${campaigns.map((each) => `  - { ${each}, multicast_setup_time: 2 h }\n`).join('')}`).result;
    const FIRST = 'name: first, image: meter-1.2.0.bin, group: all, at: 1 h';
    const again = (group: string) =>
      `name: again, image: meter-1.3.0.bin, group: ${group}, at: 12 h`;
    const [one, two, half] = [[FIRST], [FIRST, again('all')], [FIRST, again('some')]].map(town);
    const cost = ({ energy }: RunResult, of = 1): number => {
      const { multicast = 0, flash = 0 } = energy!.byCause;
      return (multicast + flash) / of;
    };
    expect(two!.campaigns.map(({ success }) => success)).toEqual([4, 4]);
    expect(half!.campaigns.map(({ success }) => success)).toEqual([4, 2]);
    expect(one!.energy!.updates!.meanJoules).toBeCloseTo(cost(one!), 9);
    expect(two!.energy!.updates!.meanJoules).toBeCloseTo(cost(two!, 2), 9);
    expect(half!.energy!.updates!.meanJoules).toBeCloseTo(cost(half!, 1.5), 9);
    expect(half!.energy!.updates!.devices).toBe(4);
    expect(cost(two!) / cost(one!)).toBeGreaterThan(1.7);
  });

  it('lasts less long where it loses something by itself, a share of the capacity a year', () => {
    // 50 days by what is drawn; alone it would be empty after 100 days.
    const selfDischargePpmPerYear = (365.25 / 100) * 1e6;
    const energy = { ...usual, batteryMilliAmpHours: 2.4, selfDischargePpmPerYear };
    const network = networkOf({ type: { energy }, traffic: { process: 'none' } });
    const { batteryLifeSeconds, populations } = energyOf(watch(network, HOUR_US));
    expect(batteryLifeSeconds!.p50 / 86_400).toBeCloseTo(100 / 3, 3);
    expect(populations[0]!.selfDischargePerYear).toBeCloseTo(3.6525, 6);
  });

  it('that loses itself to nothing silences a device, as one that is drawn empty', () => {
    const deathWith = (selfDischargePpmPerYear: number) => {
      const energy = { ...usual, batteryMilliAmpHours: 0.01, dies: true, selfDischargePpmPerYear };
      return watch(networkOf({ type: { energy } }), HOUR_US).of('deviceDies')[0]!.atUs;
    };
    // Half of it in the half hour by itself.
    const lossy = deathWith(17_532e6);
    expect(lossy).toBeLessThan(deathWith(1) - 60e6);
    expect(lossy).toBeLessThan(1_800e6);
  });

  it('that is empty silences a device that dies with it, and no other', () => {
    const uplinksWith = (dies: boolean) => {
      const energy = { ...usual, batteryMilliAmpHours: 0.01, dies };
      const trace = watch(networkOf({ type: { energy } }), HOUR_US);
      return { trace, sent: trace.of('uplinkBegins') };
    };
    const alive = uplinksWith(false);
    const { trace, sent } = uplinksWith(true);
    expect(alive.sent.length).toBe(60);
    expect(sent.length).toBeLessThan(40);
    const [death] = trace.of('deviceDies');
    expect(sent.every(({ atUs }) => atUs < death!.atUs)).toBe(true);
    const { populations, meanJoules } = energyOf(trace);
    expect(populations[0]).toMatchObject({ died: 1 });
    // It had 0.108 J, and acts once a minute.
    expect(meanJoules).toBeGreaterThanOrEqual(0.108);
    expect(meanJoules).toBeLessThan(0.108 + 0.01);
    expect(populations[0]!.batteryLifeSeconds!.p50).toBeCloseTo(death!.atUs / SECOND_US, 0);
  });
});

describe('the current of a transmission', () => {
  const plan = (chip: keyof typeof CHIPS) =>
    energyPlan({ ...USUAL_KNOBS, chip, antennaGain: 0 } as never).energy!;
  const USUAL_KNOBS = { supply: 3300, battery: 2400, mcu: 0, awake: 0, flash: 0, dies: false };

  it('lies between the points of the chip’s table, and beyond them at their ends', () => {
    const sx1262 = plan('SX1262');
    const at = (dbm: number) => txMicroAmp(sx1262, dbm * 100);
    expect([at(14), at(22), at(30), at(-20), at(12)]).toEqual([
      89_300, 117_900, 117_900, 24_000, 79_900,
    ]);
  });

  it('grows with power on every chip', () => {
    for (const chip of Object.keys(CHIPS) as (keyof typeof CHIPS)[]) {
      const { txMicroAmp: points } = plan(chip);
      expect(points.length).toBeGreaterThan(3);
      for (const [i, point] of points.entries()) {
        if (i > 0) expect(point.centiDbm).toBeGreaterThan(points[i - 1]!.centiDbm);
        if (i > 0) expect(point.microAmp).toBeGreaterThan(points[i - 1]!.microAmp);
      }
    }
  });
});

it('joules are the sum over all causes', () => {
  const network = networkOf({ type: { energy: usual } });
  const built = new Network(network, expandSeed('a'), new Agenda(), {
    slicing: { firstUs: HOUR_US, most: 1e6 },
  });
  built.populate();
  const side = built.sides.device;
  const by = joulesByCause(side, 0, DAY_US);
  expect(joules(side, 0, DAY_US)).toBe(ENERGY_CAUSES.reduce((sum, cause) => sum + by[cause], 0));
});

it('of a ping slot is that of its window where the frame is too weak for its data rate', () => {
  const radio = { pathLoss: { model: 'constant', lossDb: 155 } } as const;
  const type = { energy: usual, dataRate: { from: 'fixed', dataRate: 0 } } as const;
  const { trace, network } = classBCampaign({ devices: 2, type, radio });
  const fates = trace.of('multicastDecided').map(({ fate }) => fate);
  expect(fates.filter((fate) => fate === 'tooWeak').length).toBeGreaterThan(10);
  expect(trace.of('beaconDecided').some(({ fate }) => fate === 'heard')).toBe(true);
  expect(judge(trace.rows, network)).toEqual({});
});
