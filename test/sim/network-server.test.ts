/** The server: copies, counters, windows, ADR (LoRaWAN 1.0.4; docs/standard.md, ADR). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { noteUplink } from '../../sim/network-server/adr.ts';
import { linkAdrBlock, linkAdrCommands } from '../../sim/network-server/mac-commands/link-adr.ts';
import { Bench } from '../support/bench.ts';
import { Injector } from '../support/injector.ts';
import { someRuns } from '../support/long.ts';
import {
  eui,
  HOUR_US,
  MINUTE_US,
  networkOf,
  SECOND_US,
  type Trace,
  type Wanted,
  watch,
} from '../support/small-network.ts';

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

/** A downlink for the first device, put in its queue when its first uplink was heard. */
const enqueued = (confirmed = false, payloadHex = '01', devEui = eui('02', 1)) => ({
  atUs: MINUTE_US,
  command: {
    kind: 'downlink.enqueue',
    by: 'default',
    devEui,
    fPort: 5,
    payloadHex,
    confirmed,
  } as const,
});

describe('copies of one uplink', () => {
  const heardBy = (latencies: readonly number[]): Trace => {
    const network = networkOf({ gatewaysAt: latencies.map(() => 500) });
    const gateways = network.gateways.map((gateway, i) => ({
      ...gateway,
      backhaul: { latencyUs: latencies[i], jitterUs: 0, lossPpm: 0 },
    }));
    return watch({ ...network, gateways }, 10 * MINUTE_US);
  };

  it('become one uplinkCollected event: first arrival plus de-duplication time', () => {
    const trace = heardBy([30_000, 20_000, 220_000]);
    const ends = trace.of('uplinkEnds');
    const collected = trace.of('uplinkCollected');
    expect(collected.length).toBeGreaterThan(8);
    collected.forEach((row, i) => {
      expect(row).toMatchObject({ copies: 3, verdict: 'accepted', frame: i });
      expect(row.atUs).toBe(ends[i].atUs + 220_000);
    });
  });

  it('are dropped when they come later', () => {
    expect(heardBy([20_000, 220_001, 900_000]).of('uplinkCollected')[0].copies).toBe(1);
  });

  it('are answered through the gateway that heard best', () => {
    const network = networkOf({ gatewaysAt: [2_000, 150, 700] });
    const trace = watch(network, 5 * MINUTE_US, [enqueued()]);
    expect(trace.of('downlinkPlanned').map(({ gateway }) => gateway)).toEqual(['gateway-2']);
  });

  it('are lost one by one on the backhaul', () => {
    const { world, ...trace } = watch(
      networkOf({ gatewaysAt: [500, 500], backhaul: { lossPpm: 500_000 } }),
      24 * HOUR_US,
    );
    const rows = trace.rows.filter((row) => row.kind === 'uplinkCollected');
    const single = rows.filter(({ copies }) => copies === 1).length / 1440;
    expect(Math.abs(single - 0.5)).toBeLessThan(0.05);
    expect(Math.abs(rows.length / 1440 - 0.75)).toBeLessThan(0.05);
    const { messages, messagesDelivered } = world.result().devices;
    expect([messages, messagesDelivered]).toEqual([1440, rows.length]);
  });
});

describe('an uplink that the server has no reason to believe', () => {
  const session = (): Injector => {
    const injector = new Injector(networkOf({ frames: 'real', server: { deduplicationUs: 1 } }));
    injector.runUntil(5 * MINUTE_US);
    return injector;
  };
  const lastFrame = (injector: Injector): Uint8Array =>
    bytesOf(injector.observer.of('uplinkBegins').at(-1)!.phyPayload);

  it('is repeated when it is the last one once more', () => {
    const injector = session();
    const before = injector.known;
    expect(injector.inject(lastFrame(injector))).toBe('repeated');
    expect(injector.known).toEqual(before);
  });

  it('is refused when it was sent earlier', () => {
    const injector = session();
    const before = injector.known;
    const [first, second] = injector.observer.of('uplinkBegins');
    for (const { phyPayload } of [first, second]) {
      expect(injector.inject(bytesOf(phyPayload))).toBe('counterGap');
    }
    expect(injector.known).toEqual(before);
  });

  it('is refused when a single bit of it is another', () => {
    const injector = session();
    const frame = lastFrame(injector);
    const before = injector.known;
    fc.assert(
      fc.property(fc.nat(frame.length * 8 - 1), (bit) => {
        const changed = frame.slice();
        changed[bit >> 3] ^= 1 << (bit & 7);
        const refusals = ['badMic', 'counterGap', 'malformed', 'unknownDevice'];
        expect(refusals).toContain(injector.inject(changed));
        expect(injector.known).toEqual(before);
      }),
      { numRuns: someRuns(300) },
    );
  });

  it('is refused when it is cut short', () => {
    const injector = session();
    const frame = lastFrame(injector);
    const before = injector.known;
    for (let length = 1; length < frame.length; length++) {
      expect(['badMic', 'malformed']).toContain(injector.inject(frame.slice(0, length)));
    }
    expect(injector.known).toEqual(before);
  });

  it('is refused when it is noise', () => {
    const injector = session();
    const before = injector.known;
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 255 }), (noise) => {
        expect(['accepted', 'joined', 'repeated']).not.toContain(injector.inject(noise));
      }),
    );
    expect(injector.known).toEqual(before);
  });

  it('is foreign when no session has its address', () => {
    const injector = session();
    const frame = lastFrame(injector);
    frame[1] ^= 0xff;
    expect(injector.inject(frame)).toBe('unknownDevice');
  });

  it('keeps the device in its session afterwards', () => {
    const injector = session();
    const { delivered } = injector.known;
    injector.inject(lastFrame(injector));
    injector.runUntil(10 * MINUTE_US);
    expect(injector.known.delivered).toBe(delivered + 5);
  });
});

describe('a join request', () => {
  const type = { activation: 'otaa', dataRate: { from: 'join' } } as const;
  const joined = (): { injector: Injector; request: Uint8Array } => {
    const injector = new Injector(networkOf({ frames: 'real', type }));
    injector.runUntil(5 * MINUTE_US);
    return { injector, request: bytesOf(injector.observer.of('uplinkBegins')[0].phyPayload) };
  };

  it('is refused when its DevNonce was used', () => {
    const { injector, request } = joined();
    const before = injector.known;
    expect(injector.inject(request)).toBe('replayed');
    expect(injector.known).toEqual(before);
  });

  it('is refused when a single bit of it is another', () => {
    const { injector, request } = joined();
    const before = injector.known;
    fc.assert(
      fc.property(fc.nat(request.length * 8 - 1), (bit) => {
        const changed = request.slice();
        changed[bit >> 3] ^= 1 << (bit & 7);
        expect(['joined', 'accepted', 'repeated']).not.toContain(injector.inject(changed));
      }),
    );
    expect(injector.known).toEqual(before);
  });
});

/** The latest row before another one. */
const latest = <Row extends { readonly atUs: number }>(
  rows: readonly Row[],
  before: { readonly atUs: number },
): Row => rows.findLast(({ atUs }) => atUs < before.atUs)!;

describe('a downlink', () => {
  const planned = (wanted: Wanted, confirmed = false) =>
    watch(networkOf(wanted), 30 * MINUTE_US, [enqueued(confirmed)]);

  it('goes out in RX1 while there is time for it', () => {
    const trace = planned({ backhaul: { latencyUs: 380_000 } });
    const [row] = trace.of('downlinkPlanned');
    const { frequencyHz } = latest(trace.of('uplinkBegins'), row);
    expect(row).toMatchObject({ window: 1, frequencyHz });
    expect(row.startsAtUs).toBe(latest(trace.of('uplinkEnds'), row).atUs + SECOND_US);
    expect(trace.of('deviceReceives')).toHaveLength(1);
  });

  it('goes out in RX2 when RX1 is too near', () => {
    const trace = planned({ backhaul: { latencyUs: 390_000 } });
    const [row] = trace.of('downlinkPlanned');
    expect(row).toMatchObject({ window: 2, frequencyHz: 869_525_000, spreadingFactor: 12 });
    expect(row.startsAtUs).toBe(latest(trace.of('uplinkEnds'), row).atUs + 2 * SECOND_US);
    expect(trace.of('deviceReceives')).toHaveLength(1);
  });

  it('waits for the next uplink, and the next, when both windows are too near', () => {
    const trace = planned({ backhaul: { latencyUs: 900_000 } });
    expect(trace.rows.some(({ kind }) => kind === 'downlinkPlanned')).toBe(false);
    const uplinks = trace.of('uplinkCollected').filter(({ atUs }) => atUs > MINUTE_US).length;
    expect(uplinks).toBeGreaterThan(10);
    expect(trace.world.result().downlinks.refused).toEqual({ tooLateForWindows: uplinks });
  });

  it('that is confirmed is not tried for ever when both windows are too near', () => {
    const trace = planned({ backhaul: { latencyUs: 900_000 } }, true);
    expect(trace.rows.some(({ kind }) => kind === 'downlinkPlanned')).toBe(false);
    expect(trace.world.result().downlinks.refused).toEqual({ tooLateForWindows: 8 });
  });

  it('that a gateway refuses for RX1 is tried once more in RX2, the same frame', () => {
    const network = networkOf({
      devices: 60,
      traffic: { confirmedPpm: 1_000_000, meanUs: 20 * SECOND_US },
      gateway: { dutyCycle: false },
      radio: { interference: { ...networkOf({}).radio.interference, model: 'off' } },
    });
    const trace = watch(network, 10 * MINUTE_US);
    const plans = trace.of('downlinkPlanned');
    const first = trace.of('downlinkRefused').flatMap((refused) => {
      const at = plans.findIndex(({ downlink }) => downlink === refused.downlink);
      return plans[at].window === 1 ? [{ plan: plans[at], refused }] : [];
    });
    expect(first.length).toBeGreaterThan(20);
    const again = first.flatMap(({ plan, refused }) => {
      const next = plans.find((one) => one.downlink > plan.downlink && one.devEui === plan.devEui);
      return next?.counter === plan.counter ? [{ plan, refused, next }] : [];
    });
    expect(again.length / first.length).toBeGreaterThan(0.9);
    for (const { plan, refused, next } of again) {
      expect(refused.reason).toBe('collision');
      expect(next.window).toBe(2);
      expect(next.phyPayload).toBe(plan.phyPayload);
      expect(next.startsAtUs).toBe(plan.startsAtUs + SECOND_US);
    }
    // Every refusal is counted: as one that was planned again, or as the last word.
    const { refused, retried } = trace.world.result().downlinks;
    expect(retried).toEqual({ collision: again.length });
    const all = trace.of('downlinkRefused').length;
    expect((refused.collision ?? 0) + retried.collision!).toBe(all);
  });

  it('that a gateway refuses is not tried again when its device has gone', () => {
    const network = networkOf({
      devices: 60,
      traffic: { confirmedPpm: 1_000_000, meanUs: 20 * SECOND_US },
      backhaul: { latencyUs: 50_000 },
    });
    const plans = (trace: Trace, devEui: string, afterUs: number) =>
      trace.of('downlinkPlanned').filter((row) => row.devEui === devEui && row.atUs > afterUs);
    const before = watch(network, 5 * MINUTE_US);
    const [refused] = before.of('downlinkRefused');
    const { devEui } = before.of('downlinkPlanned')[refused.downlink];
    const [again] = plans(before, devEui, refused.atUs);
    expect(again).toMatchObject({ window: 2, atUs: refused.atUs + 50_000 });
    const remove = { kind: 'device.remove', by: 'default', devEui } as const;
    const after = watch(network, 5 * MINUTE_US, [{ atUs: refused.atUs + 1, command: remove }]);
    expect(plans(after, devEui, refused.atUs)).toEqual([]);
  });

  it('that is confirmed is sent until it is acknowledged, and then no more', () => {
    const trace = planned({}, true);
    const acks = trace.of('uplinkBegins').filter(({ phyPayload }) => {
      return (Number.parseInt(phyPayload.slice(10, 12), 16) & 0x20) !== 0;
    });
    expect(trace.of('downlinkPlanned')).toHaveLength(1);
    expect(acks.map(({ counter }) => counter)).toEqual([2]);
  });

  it('that is confirmed is given up after eight tries', () => {
    const trace = planned({ gateway: { maxEirpCentiDbm: -14_000 } }, true);
    expect(trace.of('deviceReceives')).toEqual([]);
    expect(trace.of('downlinkPlanned')).toHaveLength(8);
  });

  it('that is too long for both windows is dropped, and the next one sent', () => {
    const long = enqueued(false, 'aa'.repeat(240));
    const type = { dataRate: { from: 'fixed', dataRate: 0 } } as const;
    const plan = networkOf({ type });
    const { world, ...trace } = watch(plan, 10 * MINUTE_US, [long, enqueued()]);
    expect(trace.rows.filter(({ kind }) => kind === 'deviceReceives')).toHaveLength(1);
    expect(world.result().downlinks.refused).toEqual({ tooLong: 1 });
  });

  it('that only RX1 can carry goes out in RX1', () => {
    const long = enqueued(false, 'aa'.repeat(240));
    const { world } = watch(networkOf({}), 10 * MINUTE_US, [long]);
    expect(world.result().downlinks).toMatchObject({ requested: 1, received: 1, refused: {} });
  });

  it('that is long waits when a LinkADRReq takes its room', () => {
    const type = { adr: true, dataRate: { from: 'fixed', dataRate: 0 } } as const;
    const long = enqueued(false, 'aa'.repeat(51));
    const { world, ...trace } = watch(networkOf({ type, server: { adr: true } }), 30 * MINUTE_US, [
      long,
    ]);
    const planned = trace.rows.flatMap((row) => (row.kind === 'downlinkPlanned' ? [row] : []));
    expect(planned[0].phyBytes).toBe(17);
    expect(planned.filter(({ phyBytes }) => phyBytes >= 64)).toHaveLength(1);
    expect(world.result().downlinks.refused).toEqual({});
  });

  it('sets FPending while more is waiting', () => {
    const trace = watch(networkOf({}), 10 * MINUTE_US, [enqueued(), enqueued(), enqueued()]);
    const pending = trace
      .of('downlinkPlanned')
      .map(({ phyPayload }) => (Number.parseInt(phyPayload.slice(10, 12), 16) & 0x10) !== 0);
    expect(pending).toEqual([true, true, false]);
  });

  it('uses the sub-band of RX2 when that of RX1 is used up', () => {
    const network = networkOf({
      devices: 120,
      type: { dataRate: { from: 'fixed', dataRate: 2 } },
      traffic: { confirmedPpm: 1_000_000, meanUs: 2 * MINUTE_US },
      radio: { interference: { ...networkOf({}).radio.interference, model: 'off' } },
      server: { rx2DataRate: 3 },
      gateway: { receptionPaths: 100 },
    });
    const abp = { ...network.deviceTypes[0], activation: 'otaa' as const };
    const trace = watch({ ...network, deviceTypes: [abp] }, 2 * HOUR_US);
    const airtimes = new Map<number, number>();
    for (const { frequencyHz, airtimeUs } of trace.of('downlinkBegins')) {
      const band = frequencyHz === 869_525_000 ? 2 : 1;
      airtimes.set(band, (airtimes.get(band) ?? 0) + airtimeUs);
    }
    expect(airtimes.get(1)).toBeLessThanOrEqual(2 * 36 * SECOND_US);
    expect(airtimes.get(1)).toBeGreaterThan(30 * SECOND_US);
    expect(airtimes.get(2)).toBeGreaterThan(3 * 36 * SECOND_US);
  });
});

describe('adaptive data rate', () => {
  const adr = (meters: number) =>
    watch(
      networkOf({
        gatewaysAt: [meters],
        type: { adr: true, dataRate: { from: 'fixed', dataRate: 0 } },
        server: { adr: true },
      }),
      3 * HOUR_US,
    );

  it('brings a device near the gateway to DR5 with little power', () => {
    const trace = adr(100);
    const last = trace.of('uplinkBegins').at(-1)!;
    expect(last).toMatchObject({ spreadingFactor: 7, eirpCentiDbm: 200 });
    const commands = trace.of('downlinkPlanned').length;
    expect(commands).toBeGreaterThan(0);
    expect(commands).toBeLessThan(10);
  });

  it('leaves a device at the edge slow and loud', () => {
    const last = adr(6_500).of('uplinkBegins').at(-1)!;
    expect(last).toMatchObject({ spreadingFactor: 12, eirpCentiDbm: 1600 });
  });

  it('goes no further than the link allows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 6_500 }), (meters) => {
        const trace = adr(meters);
        const last = trace.of('uplinkBegins').at(-1)!;
        const [{ rssiCentiDbm, fate }] = trace.of('uplinkEnds').at(-1)!.gateways;
        expect(fate).toBe('received');
        const noise = -11703;
        const needed = -750 - 250 * (last.spreadingFactor - 7);
        const margin = rssiCentiDbm - noise - needed - 1000;
        const settled = last.spreadingFactor === 12 && last.eirpCentiDbm === 1600;
        expect(margin >= 0 || settled).toBe(true);
        const fastest = last.spreadingFactor === 7 && last.eirpCentiDbm === 200;
        expect(margin < 300 || fastest).toBe(true);
      }),
      { numRuns: someRuns(40) },
    );
  });

  it('does not touch a device that has no ADR', () => {
    const trace = watch(networkOf({ server: { adr: true } }), 3 * HOUR_US);
    expect(trace.of('downlinkPlanned')).toEqual([]);
  });
});

describe('a multicast frame that no hour of its sub-band has room for', () => {
  const refusedOf = (payloadBytes: number) => {
    const bench = new Bench(networkOf({ gateway: { dutyCycle: true } }));
    const mcAddr = 0x0a000001;
    // 868.7 to 869.2 MHz: 3.6 s an hour.
    bench.request({
      kind: 'multicast.open',
      group: { mcAddr, mcKey: new Uint8Array(16), frequencyHz: 868_800_000, dataRate: 0 },
    });
    const gatewayEui = bench.network.plan.gateways[0]!.eui;
    const payload = new Uint8Array(payloadBytes);
    const request = { mcAddr, gatewayEui, fCnt: 0, fPort: 201, payload, startsAtUs: SECOND_US };
    bench.request({ kind: 'multicast.send', ...request });
    bench.runUntil(MINUTE_US);
    return bench.multicast.map(({ outcome }) => outcome);
  };

  it('is refused for good', () => {
    expect(refusedOf(222)).toEqual([{ kind: 'refused', reason: 'neverBudget' }]);
    expect(refusedOf(51)).toEqual([{ kind: 'sent' }]);
  });
});

describe('downlinks to a device that has gone back to class A', () => {
  it('wait for its next uplink', () => {
    const network = networkOf({ type: { deviceClass: 'C' }, traffic: { meanUs: 10 * MINUTE_US } });
    const { devEui } = network.devices[0]!;
    const switched = { kind: 'device.class', by: 'default', devEui, deviceClass: 'A' } as const;
    const trace = watch(network, 2 * HOUR_US, [
      { ...enqueued(), atUs: 45 * MINUTE_US },
      { atUs: HOUR_US, command: switched },
      { ...enqueued(), atUs: HOUR_US + 1 },
    ]);
    expect(judge(trace.rows, network)).toEqual({});
    expect(trace.of('downlinkPlanned').map(({ window }) => window)).toEqual([0, 1]);
  });
});

describe('the air time of downlinks that a gateway refuses', () => {
  it('is given back to its budget', () => {
    const network = networkOf({
      devices: 40,
      gateway: { refusesOverBudget: false },
      traffic: { confirmedPpm: 1_000_000, meanUs: 20 * SECOND_US, jitterPpm: 500_000 },
    });
    const bench = new Bench(network);
    bench.runUntil(10 * MINUTE_US);
    const { trace } = bench;
    const nameOf = ({ gateway, downlink }: { gateway: string; downlink: number }) =>
      `${gateway} ${downlink}`;
    const refused = new Set(trace.of('downlinkRefused').map(nameOf));
    expect(refused.size).toBeGreaterThan(20);
    const booked = trace.of('downlinkPlanned').filter((row) => !refused.has(nameOf(row)));
    const bookedUs = booked.reduce((sum, { airtimeUs }) => sum + airtimeUs, 0);
    const { dutyCycle, plan } = bench.network.sides.server;
    const usedUs = plan.bands.map((_, band) => dutyCycle.usedUs(band, bench.nowUs));
    expect(usedUs.reduce((sum, us) => sum + us, 0)).toBe(bookedUs);
  });
});

describe('what the server knows for ADR', () => {
  const network = () => new Injector(networkOf({})).network.sides.server;

  it('begins anew when the device sends at another data rate', () => {
    const { registrations } = network();
    for (const fCnt of [1, 2, 3]) noteUplink(registrations, 0, fCnt, 0, 500);
    const { historyCount, txPowerIndex } = registrations.column;
    expect(historyCount[0]).toBe(3);
    txPowerIndex[0] = 4;
    noteUplink(registrations, 0, 4, 5, 500);
    expect([historyCount[0], txPowerIndex[0]]).toEqual([1, 0]);
  });

  it.each([0, 1, 2, 3, 4, 5, 6])('stays when LinkADRAns is %i and not 7', (status) => {
    const side = network();
    const { dataRate, txPowerIndex } = side.registrations.column;
    dataRate[0] = 2;
    const request = linkAdrBlock(side, 0, 5, 3, 1);
    const uplink = { endedAtUs: 0, frequencyHz: 868_100_000, dataRate: 2, firstCopy: -1 };
    const answer = { bytes: Uint8Array.of(0x03, status), at: 0, request, uplink };
    linkAdrCommands.LinkADRAns(side, 0, answer);
    expect([dataRate[0], txPowerIndex[0]]).toEqual([2, 0]);
    linkAdrCommands.LinkADRAns(side, 0, { ...answer, bytes: Uint8Array.of(0x03, 7) });
    expect([dataRate[0], txPowerIndex[0]]).toEqual([5, 3]);
  });
});

describe('a join', () => {
  it('is reported each time that the server accepts one, once for all its copies', () => {
    const network = networkOf({
      devices: 3,
      gatewaysAt: [100, 200],
      type: { activation: 'otaa', lorawan: '1.1', rejoinType1EveryUs: 20 * MINUTE_US },
    });
    const bench = new Bench(network);
    bench.runUntil(HOUR_US);
    const names = new Map(network.devices.map(({ name, devEui }) => [name, devEui]));
    const accepted = bench.trace.of('uplinkCollected').filter((row) => row.verdict === 'joined');
    expect(bench.joins).toEqual(accepted.map(({ device }) => names.get(device)));
    expect(new Set(bench.joins).size).toBe(3);
    expect(bench.joins.length).toBeGreaterThan(3);
  });
});
