/**
 * The order of a device's downlinks on the air: a counter below one that the device has heard is
 * dropped (LoRaWAN 1.0.4 §4.3.1.5), so frames go out in the order of their counters.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { Bench } from '../support/bench.ts';
import { someRuns } from '../support/long.ts';
import {
  eui,
  MINUTE_US,
  networkOf,
  SECOND_US,
  type Trace,
  watch,
} from '../support/small-network.ts';

const enqueued = (atUs: number, device = 1, confirmed = false): TimedCommand => {
  const devEui = eui('02', device);
  return {
    atUs,
    command: {
      kind: 'downlink.enqueue',
      by: 'default',
      devEui,
      fPort: 5,
      payloadHex: '01',
      confirmed,
    },
  };
};

/** Beacons carry GPS time, which begins in 1980. */
const START_UNIX_MS = 1_767_225_600_000;

/** Devices that listen in RX2 at a data rate, and send every minute. */
const classC = (rx2DataRate: number, traffic = {}) =>
  networkOf({
    type: { deviceClass: 'C', activation: 'otaa' },
    traffic,
    server: { rx2DataRate },
  });

const firstData = (trace: Trace) => {
  const { frame } = trace.of('uplinkBegins').find(({ purpose }) => purpose === 'data')!;
  return trace.of('uplinkEnds').find((row) => row.frame === frame)!;
};

/** Counters of the data frames on the air, in the order of their beginnings. */
function dataOnAir(trace: Trace): number[] {
  const name = (row: { gateway: string; downlink: number }) => `${row.gateway} ${row.downlink}`;
  const planned = new Map(trace.of('downlinkPlanned').map((row) => [name(row), row]));
  return trace.of('downlinkBegins').flatMap((row) => {
    const { purpose, counter } = planned.get(name(row))!;
    return purpose === 'data' ? [counter] : [];
  });
}

const received = (trace: Trace): number[] =>
  trace.of('deviceReceives').flatMap((row) => (row.purpose === 'data' ? [row.counter] : []));

describe('downlinks to a class C device', () => {
  it('wait for their first uplink, then follow each other', () => {
    const bench = new Bench(classC(3));
    const downlink = { devEui: eui('02', 1), fPort: 5, payload: Uint8Array.of(1) };
    const ids = [1, 2, 3].map(() => bench.downlink(downlink));
    const unheard = bench.downlinks.filter(({ what }) => what.kind === 'unheard');
    expect(unheard.map(({ id }) => id)).toEqual(ids);
    bench.runUntil(3 * MINUTE_US);
    expect(dataOnAir(bench.trace)).toEqual([0, 1, 2]);
    expect(received(bench.trace)).toEqual([0, 1, 2]);
  });

  it.each([0, 3, 5])('that come while an answer is on its way follow it, RX2 at DR%i', (rx2) => {
    const network = classC(rx2, { confirmedPpm: 1_000_000 });
    const { atUs: endedAtUs } = firstData(watch(network, 2 * MINUTE_US));
    for (let afterUs = 250_000; afterUs < 2_500_000; afterUs += 50_000) {
      const trace = watch(network, endedAtUs + 20 * SECOND_US, [enqueued(endedAtUs + afterUs)]);
      expect(dataOnAir(trace)).toEqual([0, 1]);
      expect(received(trace)).toEqual([0, 1]);
      expect(judge(trace.rows, network)).toEqual({});
    }
  });
});

describe('downlinks outside the windows', () => {
  /** Class B takes minutes: a beacon, PingSlotInfoReq, its answer. */
  const minutes = { B: 10, C: 4 };

  it.each(['B', 'C'] as const)('to class %s go out in the order of their counters', (of) => {
    const plain = networkOf({
      devices: 3,
      gatewaysAt: [100, 200],
      type: { deviceClass: of, activation: 'otaa', pingSlotPeriodicity: 1 },
      traffic: { meanUs: 15 * SECOND_US, jitterPpm: 500_000, confirmedPpm: 300_000 },
      gateway: { gps: true },
      server: { rx2DataRate: 3 },
    });
    const network = { ...plain, startUnixMs: START_UNIX_MS };
    const durationUs = minutes[of] * MINUTE_US;
    const commands = fc.array(
      fc
        .tuple(
          fc.integer({ min: 0, max: durationUs }),
          fc.integer({ min: 1, max: 3 }),
          fc.boolean(),
        )
        .map(([atUs, device, confirmed]) => enqueued(atUs, device, confirmed)),
      { minLength: 5, maxLength: 60, size: 'max' },
    );
    fc.assert(
      fc.property(commands, (given) => {
        const timeline = [...given].sort((a, b) => a.atUs - b.atUs);
        const trace = watch(network, durationUs, timeline);
        expect(judge(trace.rows, network)).toEqual({});
      }),
      { numRuns: someRuns(30) },
    );
  });
});
