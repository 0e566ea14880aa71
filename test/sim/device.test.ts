/** The class A device (LoRaWAN 1.0.4 §3.3, §4.3, §6). */
import { describe, expect, it } from 'vitest';
import { receive } from '../../sim/device/downlink.ts';
import {
  backOffBudgetUs,
  backOffPeriod,
  joinDataRate,
  joinPauseUs,
} from '../../sim/device/join.ts';
import { settle } from '../../sim/device/multicast-settling.ts';
import type { UplinkBegins } from '../../sim/observation/observer.ts';
import { Bench } from '../support/bench.ts';
import { Dialogue } from '../support/dialogue.ts';
import {
  eui,
  HOUR_US,
  MINUTE_US,
  networkOf,
  SECOND_US,
  type Wanted,
  watch,
} from '../support/small-network.ts';

/** Uplinks of one device in this time. */
const uplinks = (wanted: Wanted, durationUs: number): UplinkBegins[] =>
  watch(networkOf(wanted), durationUs).of('uplinkBegins');

const dataRates = (rows: readonly UplinkBegins[]): number[] =>
  rows.map(({ spreadingFactor }) => 12 - spreadingFactor);

/** FCtrl of a data frame that a trace shows. */
const fCtrl = ({ phyPayload }: UplinkBegins): number =>
  Number.parseInt(phyPayload.slice(10, 12), 16);
const ADR_ACK_REQ = 0x40;

/** No gateway's messages reach the server, so nothing is ever answered. */
const DEAF = { lossPpm: 1_000_000 };

/** Groups of uplinks of one counter. */
function messages(rows: readonly UplinkBegins[]): UplinkBegins[][] {
  const found: UplinkBegins[][] = [];
  for (const row of rows) {
    if (found.at(-1)?.[0].counter === row.counter) found.at(-1)?.push(row);
    else found.push([row]);
  }
  return found;
}

describe('a device with traffic', () => {
  it('sends every period, from a phase of its own, with a counter that grows by one', () => {
    const rows = uplinks({}, HOUR_US);
    expect(rows).toHaveLength(60);
    rows.forEach((row, i) => {
      expect(row.counter).toBe(i);
      expect(row.atUs).toBe(rows[0].atUs + i * MINUTE_US);
    });
  });

  it('measures its period with its own clock', () => {
    const network = networkOf({ type: { driftPpb: 100_000 } });
    const trace = watch(network, HOUR_US);
    const [{ driftPpb }] = trace.of('deviceStarts');
    const [first, second] = trace.of('uplinkBegins');
    expect(driftPpb).not.toBe(0);
    expect(second.atUs - first.atUs).toBe(Math.round(MINUTE_US / (1 + driftPpb / 1e9)));
  });

  it('pauses exponentially after each uplink, with the mean it was given', () => {
    const traffic = { process: 'exponential', meanUs: 30 * SECOND_US } as const;
    const rows = uplinks({ traffic }, 24 * HOUR_US);
    const pauses = rows.slice(1).map((row, i) => row.atUs - rows[i].atUs - rows[i].airtimeUs);
    const mean = pauses.reduce((sum, us) => sum + us, 0) / pauses.length;
    expect(Math.abs(mean / (30 * SECOND_US) - 1)).toBeLessThan(0.05);
    const short = pauses.filter((us) => us < 30 * SECOND_US).length / pauses.length;
    expect(Math.abs(short - (1 - Math.exp(-1)))).toBeLessThan(0.03);
  });

  it('sends empty frames in place of messages that are too long for its data rate', () => {
    const traffic = { process: 'exponential', payloadBytes: 100 } as const;
    const type = { dataRate: { from: 'fixed', dataRate: 2 } } as const;
    const sent = uplinks({ traffic, type }, HOUR_US);
    expect(sent.length).toBeGreaterThan(20);
    expect(new Set(sent.map(({ phyBytes }) => phyBytes))).toEqual(new Set([12]));
  });

  it('keeps four messages that wait behind the one in hand, and drops the others', () => {
    const type = { dutyCycle: true, dataRate: { from: 'fixed', dataRate: 0 } } as const;
    const bench = new Bench(networkOf({ type, traffic: { meanUs: 10 * SECOND_US } }));
    bench.runUntil(HOUR_US);
    const { messages, sent, messagesDropped, waiting } = bench.network.sides.device.column;
    expect(waiting[0]).toBe(4);
    expect(messages[0]).toBe(sent[0] + messagesDropped[0] + waiting[0]);
  });

  it('stays silent when it has none', () => {
    expect(uplinks({ traffic: { process: 'none' } }, 24 * HOUR_US)).toEqual([]);
  });

  it('waits for its sub-band when it keeps a duty cycle', () => {
    const wanted = { type: { dutyCycle: true, dataRate: { from: 'fixed', dataRate: 0 } } } as const;
    const traffic = { meanUs: 30 * SECOND_US };
    const { world, ...trace } = watch(networkOf({ ...wanted, traffic }), 3 * HOUR_US);
    const airtimeUs = trace.rows.reduce(
      (sum, row) => sum + (row.kind === 'uplinkBegins' ? row.airtimeUs : 0),
      0,
    );
    expect(airtimeUs).toBeLessThanOrEqual(3 * 36 * SECOND_US);
    expect(airtimeUs).toBeGreaterThan(3 * 34 * SECOND_US);
    expect(world.result().devices.dutyCycleWaits).toBeGreaterThan(0);
  });
});

describe('an unconfirmed uplink', () => {
  it('is sent nbTrans times with one counter when nothing comes down', () => {
    const sent = messages(uplinks({ type: { nbTrans: 3 }, backhaul: DEAF }, HOUR_US));
    expect(sent.length).toBeGreaterThan(50);
    for (const tries of sent.slice(0, -1)) {
      expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
      expect(new Set(tries.map(({ phyPayload }) => phyPayload)).size).toBe(1);
      expect(new Set(dataRates(tries))).toEqual(new Set([5]));
    }
  });

  it('is not repeated once anything has come down', () => {
    const network = networkOf({ type: { nbTrans: 3 } });
    const payload = { fPort: 3, payloadHex: '01', confirmed: false };
    const { devEui } = network.devices[0];
    const enqueue = { kind: 'downlink.enqueue', by: 'default', devEui, ...payload } as const;
    const trace = watch(network, 10 * MINUTE_US, [{ atUs: MINUTE_US, command: enqueue }]);
    const [first, second, third] = messages(trace.of('uplinkBegins'));
    expect(trace.of('deviceReceives')).toHaveLength(1);
    expect(first).toHaveLength(3);
    expect(second).toHaveLength(1);
    expect(third).toHaveLength(3);
  });

  it('waits for RX2 to close, and 1 to 3 s more, before it is repeated', () => {
    const trace = watch(networkOf({ type: { nbTrans: 15 }, backhaul: DEAF }), HOUR_US);
    const windows = trace.of('receiveWindows');
    const waits = trace.of('uplinkBegins').flatMap((row, i) => {
      return row.attempt === 1 ? [] : [row.atUs - windows[i - 1].rx2.closesAtUs];
    });
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(SECOND_US);
    expect(Math.max(...waits)).toBeLessThanOrEqual(3 * SECOND_US);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(1.9 * SECOND_US);
  });
});

describe('a confirmed uplink', () => {
  const traffic = { confirmedPpm: 1_000_000, meanUs: 5 * MINUTE_US };

  it('is sent once when it is acknowledged', () => {
    const { world, ...trace } = watch(networkOf({ traffic }), HOUR_US);
    expect(trace.rows.filter((row) => row.kind === 'uplinkBegins' && row.attempt > 1)).toEqual([]);
    const { confirmed } = world.result().devices;
    expect(confirmed).toEqual({ sent: 12, acknowledged: 12, failed: 0 });
  });

  it('is tried eight times, one data rate slower after every second, then given up', () => {
    const sent = messages(uplinks({ traffic, backhaul: DEAF }, HOUR_US));
    expect(dataRates(sent[0])).toEqual([5, 5, 4, 4, 3, 3, 2, 2]);
    expect(dataRates(sent[1])).toEqual([2, 2, 1, 1, 0, 0, 0, 0]);
    expect(sent[1][0].counter).toBe(1);
  });

  it('does not go slower than its payload allows', () => {
    const long = { ...traffic, payloadBytes: 100 };
    const sent = messages(uplinks({ traffic: long, backhaul: DEAF }, HOUR_US));
    expect(dataRates(sent[0])).toEqual([5, 5, 4, 4, 3, 3, 3, 3]);
  });

  it('is tried as often as its device is set to', () => {
    const type = { confirmedTries: 3 };
    const { world } = watch(networkOf({ traffic, type, backhaul: DEAF }), HOUR_US);
    const { confirmed, retransmissions } = world.result().devices;
    expect(confirmed.acknowledged).toBe(0);
    expect(confirmed.failed).toBe(confirmed.sent);
    expect(retransmissions).toBe(2 * confirmed.sent);
  });
});

describe('a class C device', () => {
  const type = { deviceClass: 'C', activation: 'otaa', nbTrans: 3 } as const;
  const server = { rx1DelayS: 5, rx2DataRate: 3 };
  const queue = (atUs: number) => {
    const payload = { fPort: 3, payloadHex: '01', confirmed: false };
    return {
      atUs,
      command: { kind: 'downlink.enqueue', by: 'default', devEui: eui('02', 1), ...payload },
    } as const;
  };
  const quiet = watch(networkOf({ type, server }), 10 * MINUTE_US);
  // The first frame is the join request.
  const [, first] = quiet.of('uplinkEnds');

  it('hears at once what is queued for it', () => {
    const trace = watch(networkOf({ type, server }), 10 * MINUTE_US, [queue(first.atUs + 45e6)]);
    const [, { atUs }] = trace.of('deviceReceives');
    expect(atUs - first.atUs - 45e6).toBeLessThan(SECOND_US / 2);
  });

  it('repeats an uplink after its windows, whatever it hears before them', () => {
    const trace = watch(networkOf({ type, server }), 10 * MINUTE_US, [queue(first.atUs + 250_000)]);
    const [, heard] = trace.of('deviceReceives');
    const [, { rx1, rx2 }] = trace.of('receiveWindows');
    expect(heard.atUs).toBeLessThan(rx1.opensAtUs);
    const [, , second, third] = trace.of('uplinkBegins');
    expect([second.attempt, third.attempt]).toEqual([2, 3]);
    expect(second.atUs).toBeGreaterThan(rx2.closesAtUs + SECOND_US);
  });
});

describe('a device with ADR that hears nothing', () => {
  const type = { adr: true } as const;
  const rows = uplinks({ type, backhaul: DEAF }, 8 * HOUR_US);

  it('asks for an answer once 64 uplinks went unanswered, from the 65th on', () => {
    expect(rows.map((row) => (fCtrl(row) & ADR_ACK_REQ) !== 0).indexOf(true)).toBe(64);
    expect(rows.slice(64).every((row) => (fCtrl(row) & ADR_ACK_REQ) !== 0)).toBe(true);
  });

  it('takes full power at the 97th, goes slower at the 129th and each 32nd after', () => {
    const steps = dataRates(rows).flatMap((rate, i, all) =>
      i > 0 && rate < all[i - 1] ? [i + 1] : [],
    );
    expect(steps).toEqual([129, 161, 193, 225, 257]);
    expect(dataRates(rows).at(-1)).toBe(0);
  });

  it('never asks when it has no ADR, and keeps its data rate', () => {
    const plain = uplinks({ backhaul: DEAF }, 4 * HOUR_US);
    expect(plain.some((row) => (fCtrl(row) & ADR_ACK_REQ) !== 0)).toBe(false);
    expect(new Set(dataRates(plain))).toEqual(new Set([5]));
  });

  it('is answered by a server that hears it, and then counts anew', () => {
    const answered = watch(networkOf({ type }), 4 * HOUR_US);
    const asked = answered.of('uplinkBegins').filter((row) => (fCtrl(row) & ADR_ACK_REQ) !== 0);
    expect(asked.map(({ counter }) => counter)).toEqual([64, 129, 194]);
    expect(new Set(dataRates(answered.of('uplinkBegins')))).toEqual(new Set([5]));
  });
});

describe('a device with ADR that was set to little power', () => {
  it('takes full power before it goes slower', () => {
    const network = networkOf({ type: { adr: true }, server: { adr: true } });
    const { eui } = network.gateways[0];
    const far = {
      ...network.gateways[0],
      name: 'far',
      eui: 'FF',
      backhaul: { ...DEAF, latencyUs: 0, jitterUs: 0 },
    };
    const commands = [
      { atUs: HOUR_US, command: { kind: 'gateway.create', by: 'default', gateway: far } as const },
      { atUs: HOUR_US + 1, command: { kind: 'gateway.remove', by: 'default', eui } as const },
    ];
    const rows = watch(network, 6 * HOUR_US, commands).of('uplinkBegins');
    const deaf = rows.filter(({ atUs }) => atUs > HOUR_US);
    expect(deaf[0].eirpCentiDbm).toBeLessThan(1000);
    const full = deaf.findIndex(({ eirpCentiDbm }) => eirpCentiDbm === 1600);
    const slower = deaf.findIndex(({ spreadingFactor }) => spreadingFactor > 7);
    expect(full).toBeGreaterThan(30);
    expect(slower).toBe(full + 32);
  });
});

describe('joining', () => {
  const otaa = { activation: 'otaa', dataRate: { from: 'join' } } as const;

  it('succeeds at the first try when all is well, and data follow', () => {
    const trace = watch(networkOf({ type: otaa }), HOUR_US);
    const [first, second] = trace.of('uplinkBegins');
    expect([first.purpose, second.purpose, second.counter]).toEqual(['join', 'data', 0]);
    expect(trace.of('deviceReceives')[0]).toMatchObject({ purpose: 'join', counter: 1 });
    expect(12 - second.spreadingFactor).toBe(5);
  });

  it('tries each data rate twice, the fastest first, with a new DevNonce each', () => {
    const rows = uplinks({ type: otaa, backhaul: DEAF }, HOUR_US);
    expect(dataRates(rows).slice(0, 13)).toEqual([5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0, 5]);
    expect(rows.map(({ counter }) => counter)).toEqual(rows.map((_, i) => i));
    const join = { kind: 'anyChannel', minDataRate: 0, maxDataRate: 5 } as const;
    expect(joinDataRate(join, 12)).toBe(5);
  });

  it('pauses longer and longer, at most 640 s', () => {
    const pauses = Array.from({ length: 400 }, (_, attempt) => joinPauseUs(1, 2, attempt));
    expect(pauses[0]).toBeLessThanOrEqual(10 * SECOND_US + 1);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(640 * SECOND_US + 1);
    expect(Math.max(...pauses)).toBeGreaterThan(600 * SECOND_US);
    expect(Math.min(...pauses)).toBeGreaterThan(0);
  });

  it('takes at most 36 s on air in the first hour, 36 s in the next ten, 8.7 s a day after', () => {
    const slow = { from: 'join' } as const;
    const rows = uplinks({ type: { ...otaa, dataRate: slow }, backhaul: DEAF }, 60 * HOUR_US);
    const startUs = 1;
    const usedUs = [0, 0, 0, 0, 0];
    for (const { atUs, airtimeUs } of rows)
      usedUs[backOffPeriod(atUs - startUs).number] += airtimeUs;
    usedUs.forEach((us, period) => {
      expect(us).toBeLessThanOrEqual(backOffBudgetUs(period));
    });
    expect(usedUs[1]).toBeGreaterThan(34 * SECOND_US);
    expect(usedUs[3]).toBeGreaterThan(7 * SECOND_US);
  });

  it.each([
    [0, 0],
    [HOUR_US - 1, 0],
    [HOUR_US, 1],
    [11 * HOUR_US - 1, 1],
    [11 * HOUR_US, 2],
    [35 * HOUR_US - 1, 2],
    [35 * HOUR_US, 3],
  ])('counts %i µs after power-on to back-off period %i', (sinceUs, number) => {
    expect(backOffPeriod(sinceUs).number).toBe(number);
    expect(backOffPeriod(sinceUs).endsUs).toBeGreaterThan(sinceUs);
  });
});

describe('a downlink', () => {
  const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

  /** What a device makes of the last downlink to it, whole, when it hears it once more. */
  function heardAgain(lorawan: '1.0.3' | '1.0.4' | '1.1', frames: 'counted' | 'real') {
    const { bench } = new Dialogue({}, { frames, type: { lorawan } });
    const devEui = eui('02', 1);
    for (let i = 0; i < 3; i++) {
      bench.sendCommands(devEui, 7, Uint8Array.of(i));
      bench.runUntil(bench.nowUs + MINUTE_US);
    }
    const side = bench.network.sides.device;
    const { phyPayload } = bench.trace.of('downlinkPlanned').at(-1)!;
    const { downlinks } = side.column;
    expect(downlinks[0]).toBe(3);
    const frame = bytesOf(phyPayload);
    settle(side, 0, bench.nowUs);
    const accepted = receive(side, 0, frame, frame.length, 0, false);
    return { accepted, downlinks: downlinks[0] };
  }

  it.each([
    ['1.0.3', 'counted'],
    ['1.0.3', 'real'],
    ['1.0.4', 'counted'],
    ['1.0.4', 'real'],
    ['1.1', 'counted'],
    ['1.1', 'real'],
  ] as const)('whose counter was taken is not taken again (%s, frames %s)', (version, frames) => {
    expect(heardAgain(version, frames)).toEqual({ accepted: false, downlinks: 3 });
  });
});
