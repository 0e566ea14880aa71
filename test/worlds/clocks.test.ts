/** Clocks in whole worlds (docs/standard.md, Clocks): windows, sessions, synchronisation. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { populate } from '../../scenarios/filling/populate.ts';
import { expandSeed } from '../../sim/base/random.ts';
import { correctClock, gpsErrorUs, setClock } from '../../sim/device/gps-clock.ts';
import { windowShape } from '../../sim/device/receive-windows.ts';
import { Agenda } from '../../sim/kernel/agenda.ts';
import { Network } from '../../sim/network/network.ts';
import type { ClockPlan, WindowPlan } from '../../sim/plan/network-plan.ts';
import { SHORTEST, scenarioOf } from '../scenarios/scenario.ts';
import { someRuns } from '../support/long.ts';
import { HOUR_US, networkOf, SECOND_US, watch } from '../support/small-network.ts';
import { vectors } from '../support/vectors.ts';

const at = (meanCentiC: number): ClockPlan => ({
  curvaturePpb: 34,
  temperature: { meanCentiC, dailyCentiC: 0, seasonalCentiC: 0 },
  ageingPpb: 0,
});

/** Acknowledgements that reach one device whose clock and windows are such, by uplink sent. */
function answered(
  driftPpb: number,
  windows: WindowPlan | undefined,
  rx1DelayS = 1,
): { readonly sent: number; readonly received: number; readonly rx1: number } {
  const type = { confirmedTries: 1, ...(windows && { windows }) };
  const server = { rx1DelayS };
  const network = networkOf({ type, server, traffic: { confirmedPpm: 1_000_000 } });
  const plan = {
    ...network,
    deviceTypes: network.deviceTypes.map((one) => ({ ...one, activation: 'otaa' as const })),
  };
  // A drift is drawn: the clock's course makes one that is known, at 25 °C − √(ppb / 34).
  const clock = { ...at(2500 - Math.round(100 * Math.sqrt(driftPpb / 34))), curvaturePpb: 34 };
  const slow = { ...plan, deviceTypes: plan.deviceTypes.map((one) => ({ ...one, clock })) };
  const trace = watch(slow, HOUR_US);
  const heard = trace.of('deviceReceives').filter(({ purpose }) => purpose === 'data').length;
  const data = trace.of('uplinkBegins').filter(({ purpose }) => purpose === 'data').length;
  const rx1 = trace.of('downlinkPlanned').filter((row) => row.window === 1).length;
  return { sent: data, received: heard, rx1 };
}

const node = (rxErrorMs: number): WindowPlan => ({ stack: 'LoRaMac-node', rxErrorMs, wakeUpMs: 0 });
const modem = (crystalPpm: number): WindowPlan => ({ stack: 'LBM', crystalPpm, boardDelayMs: 0 });

describe('a downlink in a receive window', () => {
  it('is caught by a clock that is 10 ms wrong when the stack allows for 10 ms', () => {
    const { sent, received } = answered(2_000_000, node(10), 5);
    expect(sent).toBeGreaterThan(30);
    expect(received).toBeGreaterThan(0.9 * sent);
  });

  it('is missed by a clock that is 30 ms wrong', () => {
    const { sent, received } = answered(6_000_000, node(10), 5);
    expect(sent).toBeGreaterThan(30);
    expect(received).toBe(0);
  });

  it('is caught by that clock when the stack allows for 50 ms', () => {
    const { sent, received } = answered(6_000_000, node(50), 5);
    expect(received).toBeGreaterThan(0.9 * sent);
  });

  it('is missed by LoRa Basics Modem that believes in 10 ppm, and caught with 6000 ppm', () => {
    expect(answered(6_000_000, modem(10), 5).received).toBe(0);
    const { sent, received } = answered(6_000_000, modem(6_000), 5);
    expect(received).toBeGreaterThan(0.9 * sent);
  });
});

describe('a radio that takes time to wake', () => {
  const waking: readonly WindowPlan[] = [1, 20, 100].flatMap((ms) => [
    { stack: 'LoRaMac-node', rxErrorMs: 10, wakeUpMs: ms },
    { stack: 'LBM', crystalPpm: 10, boardDelayMs: ms },
  ]);

  it.each(waking)('listens when one does that takes none: %j', (windows) => {
    const usual = answered(0, windows.stack === 'LBM' ? modem(10) : node(10));
    expect(usual.received).toBe(usual.sent);
    expect(answered(0, windows)).toEqual(usual);
  });
});

/**
 * One STM32WL55 with LoRaMac-node (LoRaWAN 1.0.4) in EU868, its supply current sampled every 2 ms:
 * medians of 44 to 61 empty pairs of windows a data rate, ms from the uplink's end. Openings have a
 * standard deviation of 2.6 ms.
 */
const MEASURED = [
  { dataRate: 0, sf: 12, opensMs: 1_034, lengthMs: 198 },
  { dataRate: 1, sf: 11, opensMs: 1_010, lengthMs: 98 },
  { dataRate: 2, sf: 10, opensMs: 996, lengthMs: 66 },
  { dataRate: 5, sf: 7, opensMs: 982, lengthMs: 46 },
] as const;
const MEASURED_RX2 = { opensMs: 2_034, lengthMs: [198, 197, 196, 196] } as const;

describe('the windows of a board with STM32WL', () => {
  const { windows } = populate(
    scenarioOf(SHORTEST, ['devices.0.windows={stack: LoRaMac-node, chip: STM32WL}']),
  ).network.deviceTypes[0]!;

  it.each(MEASURED)('are those that were measured at DR$dataRate', ({ sf, opensMs, lengthMs }) => {
    const { offsetUs, lengthUs } = windowShape(sf, 125_000, SECOND_US, windows);
    expect(Math.abs(1_000 + offsetUs / 1_000 - opensMs)).toBeLessThanOrEqual(1);
    expect(Math.abs(lengthUs / 1_000 - lengthMs)).toBeLessThanOrEqual(2);
  });

  it('have the RX2 at DR0 that was measured', () => {
    const { offsetUs, lengthUs } = windowShape(12, 125_000, 2 * SECOND_US, windows);
    expect(Math.abs(2_000 + offsetUs / 1_000 - MEASURED_RX2.opensMs)).toBeLessThanOrEqual(1);
    for (const ms of MEASURED_RX2.lengthMs) {
      expect(Math.abs(lengthUs / 1_000 - ms)).toBeLessThanOrEqual(2);
    }
  });

  it('hear every answer', () => {
    const { sent, received } = answered(0, windows);
    expect(received).toBe(sent);
  });
});

interface MacNodeRow {
  readonly sf: number;
  readonly bwHz: number;
  readonly minRxSymbols: number;
  readonly rxErrorMs: number;
  readonly wakeUpMs: number;
  readonly tSymbolUs: number;
  readonly windowSymbols: number;
  readonly windowOffsetMs: number;
}

interface ModemRow {
  readonly sf: number;
  readonly bwHz: number;
  readonly rxDelayMs: number;
  readonly crystalPpm: number;
  readonly boardDelayMs: number;
  readonly windowSymbols: number;
  readonly startOffsetMs: number;
}

describe('the windows of a population', () => {
  const { loraMacNode, loraBasicsModem } = vectors<{
    loraMacNode: readonly MacNodeRow[];
    loraBasicsModem: readonly ModemRow[];
  }>('rxwindow');
  const symbol = (row: { readonly sf: number; readonly bwHz: number }) =>
    (2 ** row.sf * 1e6) / row.bwHz;

  it('have the lengths and offsets of every vector of LoRaMac-node', () => {
    const usual = loraMacNode.filter(({ minRxSymbols }) => minRxSymbols === 6);
    expect(usual.length).toBeGreaterThan(20);
    for (const row of usual) {
      const { rxErrorMs, wakeUpMs } = row;
      const plan = { stack: 'LoRaMac-node', rxErrorMs, wakeUpMs } as const;
      const shape = windowShape(row.sf, row.bwHz, SECOND_US, plan);
      // The vectors say when the radio is woken.
      expect(shape).toEqual({
        offsetUs: (row.windowOffsetMs + wakeUpMs) * 1000,
        lengthUs: row.windowSymbols * symbol(row),
      });
    }
  });

  it('have the lengths and offsets of every vector of LoRa Basics Modem', () => {
    expect(loraMacNode.length + loraBasicsModem.length).toBe(122);
    for (const row of loraBasicsModem) {
      const { crystalPpm, boardDelayMs } = row;
      const plan = { stack: 'LBM', crystalPpm, boardDelayMs } as const;
      const shape = windowShape(row.sf, row.bwHz, row.rxDelayMs * 1000, plan);
      expect(shape).toEqual({
        offsetUs: (row.startOffsetMs + boardDelayMs) * 1000,
        lengthUs: row.windowSymbols * symbol(row),
      });
    }
  });
});

describe('the calendar of a device', () => {
  const sideOf = (clock: ClockPlan) => {
    const network = networkOf({ type: { clock }, traffic: { process: 'none' } });
    const built = new Network(network, expandSeed('clocks'), new Agenda(), {
      slicing: { firstUs: HOUR_US, most: 1e6 },
    });
    built.populate();
    return built.sides.device;
  };

  it('that DeviceTimeAns sets is right to the 4 ms of 1/256 s, plus what the server errs', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 24 * HOUR_US }),
        fc.integer({ min: -100_000, max: 100_000 }),
        (endedAtUs, serverErrorUs) => {
          const side = sideOf(at(2500));
          const gpsUs = side.gpsStartUs + endedAtUs + serverErrorUs;
          const seconds = Math.floor(gpsUs / SECOND_US);
          const fraction = Math.floor(((gpsUs - seconds * SECOND_US) * 256) / SECOND_US);
          setClock(side, 0, seconds, fraction, endedAtUs);
          const errorUs = gpsErrorUs(side, 0, endedAtUs) - serverErrorUs;
          expect(errorUs).toBeLessThanOrEqual(0);
          expect(errorUs).toBeGreaterThan(-3_908);
        },
      ),
      { numRuns: someRuns(50, 8) },
    );
  });

  it('errs by 2.6 s 36 h after it was set, when the crystal is 20 ppm wrong', () => {
    const side = sideOf(at(2500));
    side.column.driftPpb[0] = 20_000;
    setClock(side, 0, Math.floor(side.gpsStartUs / SECOND_US), 0, 0);
    const before = gpsErrorUs(side, 0, 0);
    expect(gpsErrorUs(side, 0, 36 * HOUR_US) - before).toBe(2_592_000);
  });

  it('in frost is late by 150 ms an hour after it was set', () => {
    const side = sideOf(at(-1000));
    correctClock(side, 0, 0, 0);
    expect(gpsErrorUs(side, 0, HOUR_US) - gpsErrorUs(side, 0, 0)).toBe(-149_940);
  });
});
