/** MAC commands in worlds, on both sides (LoRaWAN 1.0.4 and 1.1 §5). */
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import { type MacWorld, macWorld, names, request } from '../support/mac.ts';
import { eui, HOUR_US, MINUTE_US, networkOf, SECOND_US, watch } from '../support/small-network.ts';

const TEN_US = 10 * MINUTE_US;

type DownlinkBegins = Extract<TraceRow, { kind: 'downlinkBegins' }>;

/** Payloads of the answers with this name. */
const answers = ({ up }: MacWorld, name: string): object[] =>
  up.filter((one) => one.name === name).map(({ payload }) => payload);

/** What the first device makes of commands that the server sends once, after ten minutes. */
const asked = (commandsHex: string, type = {}): MacWorld =>
  macWorld({ type }, 30 * MINUTE_US, [request(TEN_US, commandsHex)]);

const enqueue = (atUs: number, confirmed = false) =>
  ({
    atUs,
    command: {
      kind: 'downlink.enqueue',
      by: 'default',
      devEui: eui('02', 1),
      fPort: 5,
      payloadHex: '01',
      confirmed,
    },
  }) as const;

describe('LinkCheckReq', () => {
  it('goes with every n-th uplink', () => {
    const world = macWorld({ type: { linkCheckEvery: 5 } }, HOUR_US);
    const counters = world.up.map(({ counter }) => counter);
    expect(new Set(names(world.up))).toEqual(new Set(['LinkCheckReq']));
    expect(counters).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55]);
  });

  it('is answered by LinkCheckAns with the best gateway’s margin and how many heard it', () => {
    const type = { linkCheckEvery: 5 };
    const world = macWorld({ type, gatewaysAt: [100, 200, 300] }, HOUR_US);
    expect(names(world.down)).toEqual(Array(12).fill('LinkCheckAns'));
    // SNR is reported up to 10 dB; SF7 needs −7.5 dB.
    expect(world.down[0]!.payload).toEqual({ margin: 18, gwCnt: 3 });
  });

  it('has no margin below 0 dB, and one gateway, at the edge', () => {
    const radio = { pathLoss: { model: 'constant', lossDb: 140 } } as const;
    const world = macWorld({ type: { linkCheckEvery: 1 }, radio }, HOUR_US);
    for (const { payload } of world.down) expect(payload).toMatchObject({ gwCnt: 1 });
  });
});

describe('DeviceTimeReq', () => {
  const world = macWorld({ type: { timeSyncEveryUs: 20 * MINUTE_US, driftPpb: 50_000 } }, HOUR_US);

  it('is said when the time is due, and answered by DeviceTimeAns in the same windows', () => {
    expect(names(world.up)).toEqual(Array(3).fill('DeviceTimeReq'));
    expect(names(world.down)).toEqual(Array(3).fill('DeviceTimeAns'));
  });

  it('is answered with the GPS time at the end of the uplink, to 1/256 s', () => {
    const [first] = world.up;
    const ends = world.of('uplinkEnds').find(({ atUs }) => atUs > first!.atUs)!;
    // Virtual time begins with GPS time.
    const { seconds, fraction } = world.down[0]!.payload as { seconds: number; fraction: number };
    const shownUs = seconds * SECOND_US + (fraction * SECOND_US) / 256;
    expect(ends.atUs - shownUs).toBeGreaterThanOrEqual(0);
    expect(ends.atUs - shownUs).toBeLessThan(SECOND_US / 256);
  });

  it('is repeated in every uplink while no answer comes', () => {
    const deaf = macWorld(
      { type: { timeSyncEveryUs: HOUR_US }, backhaul: { lossPpm: 1_000_000 } },
      TEN_US,
    );
    expect(names(deaf.up)).toEqual(Array(10).fill('DeviceTimeReq'));
  });
});

describe('DevStatusReq', () => {
  it('is answered by DevStatusAns with unknown battery and the margin of that frame', () => {
    const [first, ...more] = answers(asked('06'), 'DevStatusAns');
    expect(more).toEqual([]);
    expect(first).toMatchObject({ battery: 255 });
  });

  it('has the margin in whole dB between the frame’s level and what its data rate needs', () => {
    const { deviceSensitivityCentiDbm } = networkOf({}).radio;
    const marginOf = (lossDb: number): number[] => {
      const radio = { pathLoss: { model: 'constant', lossDb } } as const;
      const type = { dataRate: { from: 'fixed', dataRate: 2 } } as const;
      const world = macWorld({ type, radio }, HOUR_US, [request(TEN_US, '06')]);
      const [{ eirpCentiDbm, spreadingFactor }] = world.of('downlinkBegins') as [DownlinkBegins];
      const needed = deviceSensitivityCentiDbm[spreadingFactor - 5]!;
      const said = (answers(world, 'DevStatusAns')[0] as { margin: number }).margin;
      return [said, Math.round((eirpCentiDbm - 100 * lossDb - needed) / 100)];
    };
    for (const lossDb of [130, 137.6, 141]) {
      const [said, expected] = marginOf(lossDb);
      expect([lossDb, said]).toEqual([lossDb, expected]);
    }
  });

  it('holds the margin to six bits', () => {
    expect(answers(asked('06'), 'DevStatusAns')[0]).toMatchObject({ margin: 31 });
    const radio = { pathLoss: { model: 'constant', lossDb: 141 } } as const;
    const type = { dataRate: { from: 'fixed', dataRate: 2 } } as const;
    const server = { rx2DataRate: 0 };
    const far = macWorld({ type, radio, server }, HOUR_US, [request(TEN_US, '06')]);
    expect((answers(far, 'DevStatusAns')[0] as { margin: number }).margin).toBeLessThan(20);
  });

  it('is asked as often as the server’s knob says', () => {
    const world = macWorld({ server: { devStatusEveryUs: 15 * MINUTE_US } }, HOUR_US);
    expect(names(world.down)).toEqual(Array(4).fill('DevStatusReq'));
    expect(names(world.up)).toEqual(Array(4).fill('DevStatusAns'));
  });

  it('is sent again with every downlink until it is answered, eight times at most', () => {
    const network = networkOf({ type: { frameLossPpm: 0 } });
    const trace = watch(network, HOUR_US, [request(TEN_US, '06')]);
    expect(trace.of('downlinkPlanned')).toHaveLength(1);
    // Nothing that the gateway sends is strong enough.
    const gateway = { maxEirpCentiDbm: -20_000 };
    const mute = macWorld({ gateway }, HOUR_US, [request(TEN_US, '06')]);
    expect(names(mute.down)).toEqual(Array(8).fill('DevStatusReq'));
  });
});

describe('RXTimingSetupReq', () => {
  const world = macWorld({ server: { rx1DelayS: 5 } }, HOUR_US);

  it('is sent to a device whose session has another delay than the server', () => {
    expect(names(world.down)[0]).toBe('RXTimingSetupReq');
    expect(world.down[0]!.payload).toEqual({ delay: 5 });
  });

  it('moves the windows of the device, and RXTimingSetupAns those of the server', () => {
    const windows = world.of('receiveWindows');
    const ends = world.of('uplinkEnds');
    const delayS = (i: number) => Math.round((windows[i]!.rx1.opensAtUs - ends[i]!.atUs) / 1e6);
    expect([delayS(0), delayS(1), delayS(20)]).toEqual([1, 5, 5]);
    expect(judge(world.rows, networkOf({ server: { rx1DelayS: 5 } }))).toEqual({});
  });

  it('is answered in every uplink until a class A downlink comes: the answer is sticky', () => {
    const network = { server: { rx1DelayS: 5 } };
    const heard = watch(networkOf(network), HOUR_US).of('deviceReceives')[0]!;
    const { eui: gatewayEui } = networkOf({}).gateways[0]!;
    const remove = { kind: 'gateway.remove', by: 'default', eui: gatewayEui } as const;
    const alone = macWorld(network, TEN_US, [{ atUs: heard.atUs + 1, command: remove }]);
    expect(names(alone.up)).toEqual(Array(9).fill('RXTimingSetupAns'));
    expect(names(world.up)).toEqual(['RXTimingSetupAns']);
    expect(world.of('downlinkPlanned')).toHaveLength(2);
  });
});

describe('LinkADRReq', () => {
  const status = (commandsHex: string, type = {}) =>
    answers(asked(commandsHex, type), 'LinkADRAns');
  const good = { channelMaskAck: true, dataRateAck: true, powerAck: true };

  it.each([
    ['DR 5, power 0, channels 0 to 2', '0350070001', good],
    ['no channel', '0350000001', { ...good, channelMaskAck: false }],
    ['a data rate that no channel carries', '03d0070001', { ...good, dataRateAck: false }],
    ['a power that the region does not know', '035e070001', { ...good, powerAck: false }],
  ])('with %s is answered so', (_, commandsHex, expected) => {
    expect(status(commandsHex, { adr: true })).toEqual([expected]);
  });

  it('is one block with those that follow it, and each is answered alike', () => {
    expect(status('0350000001' + '0350070001')).toHaveLength(2);
    const [first, second] = status('0350000001' + '03d0070001') as object[];
    expect(first).toEqual(second);
  });
});

describe('RXParamSetupReq', () => {
  const good = { rx1DrOffsetAck: true, rx2DataRateAck: true, channelAck: true };

  it.each([
    ['RX2 at DR3', '0503d2ad84', good],
    ['an RX1 offset that the region does not know', '0560d2ad84', { rx1DrOffsetAck: false }],
    ['an RX2 data rate that is none', '050fd2ad84', { rx2DataRateAck: false }],
    ['a frequency outside the band', '0503010000', { channelAck: false }],
  ])('with %s is answered by RXParamSetupAns so', (_, commandsHex, expected) => {
    expect(answers(asked(commandsHex), 'RXParamSetupAns')[0]).toEqual({ ...good, ...expected });
  });

  it('moves RX2, until the server asks for its own again', () => {
    const factors = asked('0503d2ad84')
      .of('receiveWindows')
      .map(({ rx2 }) => rx2.spreadingFactor);
    expect([factors[0], factors.at(-1)]).toEqual([12, 12]);
    expect(factors).toContain(9);
  });
});

describe('NewChannelReq', () => {
  const good = { dataRateRangeOk: true, channelFrequencyOk: true };

  it.each([
    ['867.1 MHz for DR0 to DR5', '0703184f8450', good],
    ['a frequency outside the band', '070301000050', { ...good, channelFrequencyOk: false }],
    ['a range that ends before it begins', '0703184f8405', { ...good, dataRateRangeOk: false }],
  ])('with %s is answered by NewChannelAns so', (_, commandsHex, expected) => {
    expect(answers(asked(commandsHex), 'NewChannelAns')).toEqual([expected]);
  });

  it('with frequency 0 takes a channel away, in the network’s eyes too', () => {
    const channelAfter = (...commandsHex: string[]) => {
      const commands = commandsHex.map((hex, i) => request((10 + 5 * i) * MINUTE_US, hex));
      const { sides } = macWorld({}, 30 * MINUTE_US, commands).world.snapshot().network;
      const ofDevice = sides.channelSets[sides.devices.table.columns.channelSet![0]!]!;
      const believed = sides.serverChannelSets[sides.registrations.table.columns.channelSet![0]!]!;
      return [ofDevice[3]?.frequencyHz, believed[3]?.frequencyHz];
    };
    expect(channelAfter('0703184f8450')).toEqual([867_100_000, 867_100_000]);
    expect(channelAfter('0703184f8450', '070300000050')).toEqual([undefined, undefined]);
  });
});

describe('DlChannelReq', () => {
  const good = { uplinkFrequencyExists: true, channelFrequencyOk: true };

  it.each([
    ['channel 0 and 867.1 MHz', '0a00184f84', good],
    ['a channel that does not exist', '0a09184f84', { ...good, uplinkFrequencyExists: false }],
    ['a frequency outside the band', '0a00010000', { ...good, channelFrequencyOk: false }],
  ])('with %s is answered by DlChannelAns so', (_, commandsHex, expected) => {
    expect(answers(asked(commandsHex), 'DlChannelAns')[0]).toEqual(expected);
  });

  it('moves RX1 on both sides: what answers an uplink on the channel is heard there', () => {
    const traffic = { confirmedPpm: 1_000_000 };
    const world = macWorld({ traffic }, HOUR_US, [request(TEN_US, '0a00184f84')]);
    const moved = world.of('downlinkPlanned').filter((row) => row.frequencyHz === 867_100_000);
    expect(moved.length).toBeGreaterThan(5);
    const ends = world.of('downlinkEnds').filter(({ devices }) => devices[0]?.fate === 'received');
    const heard = new Set(ends.map(({ downlink }) => downlink));
    expect(moved.every(({ downlink }) => heard.has(downlink))).toBe(true);
    expect(world.of('uplinkBegins').every(({ attempt }) => attempt === 1)).toBe(true);
  });
});

describe('DutyCycleReq', () => {
  it('makes the device wait: 1/2^12 of the time, and is answered by DutyCycleAns', () => {
    const traffic = { meanUs: 20 * SECOND_US };
    const commands = [request(TEN_US, '040c')];
    const world = macWorld({ traffic }, HOUR_US, commands);
    expect(answers(world, 'DutyCycleAns')).toContainEqual({});
    const starts = world.of('uplinkBegins').map(({ atUs }) => atUs);
    const pauses = starts.slice(1).map((atUs, i) => atUs - starts[i]!);
    expect(Math.max(...pauses)).toBeGreaterThan(100 * SECOND_US);
  });
});

describe('TxParamSetupReq', () => {
  it('is answered by TxParamSetupAns where dwell times may be set', () => {
    const network = { ...networkOf({ type: { channels: 'region' } }), region: 'AS923-1' as const };
    const trace = watch(network, 30 * MINUTE_US, [request(TEN_US, '0925')]);
    const up = trace.of('uplinkBegins').map(({ phyPayload }) => phyPayload.slice(16, 18));
    expect(up).toContain('09');
  });

  it('is passed over in EU868', () => {
    expect(asked('0925').up).toEqual([]);
  });
});

describe('a device that changes its class', () => {
  const become = (atUs: number, deviceClass: 'A' | 'C') =>
    ({
      atUs,
      command: { kind: 'device.class', by: 'default', devEui: eui('02', 1), deviceClass },
    }) as const;
  const traffic = { meanUs: HOUR_US };
  const windowsOf = (commands: Parameters<typeof watch>[2]) =>
    watch(networkOf({ traffic }), 6 * HOUR_US, commands)
      .of('downlinkPlanned')
      .map(({ window }) => window);

  it('is sent to at once while it is of class C', () => {
    const commands = [
      become(2 * HOUR_US, 'C'),
      enqueue(3 * HOUR_US - 1),
      become(4 * HOUR_US, 'A'),
      enqueue(5 * HOUR_US - 1),
    ];
    expect(windowsOf(commands)).toEqual([0, 1]);
  });

  it('indicates it with DeviceModeInd in a 1.1 session, both ways', () => {
    const type = { lorawan: '1.1', activation: 'otaa' } as const;
    const commands = [become(20 * MINUTE_US, 'C'), become(40 * MINUTE_US, 'A')];
    const world = macWorld({ type }, HOUR_US, commands);
    expect(answers(world, 'DeviceModeInd')).toEqual([{ deviceClass: 2 }, { deviceClass: 0 }]);
    expect(names(world.down)).toEqual(['RekeyConf', 'DeviceModeConf', 'DeviceModeConf']);
  });
});

describe('the versions up to 1.0.3', () => {
  const type = { activation: 'otaa', lorawan: '1.0.3' } as const;

  it('draw their DevNonces', () => {
    const deaf = { lossPpm: 1_000_000 };
    const rows = watch(networkOf({ type, backhaul: deaf }), HOUR_US).of('uplinkBegins');
    const nonces = rows.map(({ counter }) => counter);
    expect(nonces).not.toEqual([...nonces].sort((a, b) => a - b));
    expect(Math.max(...nonces)).toBeGreaterThan(10_000);
  });

  it('do not keep a data rate by 15 in LinkADRReq', () => {
    const [status] = answers(asked('03f0070001', { lorawan: '1.0.3', adr: true }), 'LinkADRAns');
    expect(status).toMatchObject({ dataRateAck: false });
  });
});

describe('the versions from 1.0.4 on', () => {
  const type = { lorawan: '1.0.4', nbTrans: 3 } as const;
  const traffic = { confirmedPpm: 1_000_000, meanUs: 5 * MINUTE_US };
  const rows = watch(networkOf({ type, traffic, backhaul: { lossPpm: 1_000_000 } }), HOUR_US).of(
    'uplinkBegins',
  );

  it('send a confirmed uplink NbTrans times, at one data rate', () => {
    expect(rows.slice(0, 3).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(rows[3]!.attempt).toBe(1);
    expect(new Set(rows.map(({ spreadingFactor }) => spreadingFactor))).toEqual(new Set([7]));
  });

  it('send a repetition on another channel', () => {
    for (const [i, row] of rows.entries()) {
      if (row.attempt > 1) expect(row.frequencyHz).not.toBe(rows[i - 1]!.frequencyHz);
    }
  });

  it('keep a data rate and a power by 15 in LinkADRReq', () => {
    const status = answers(asked('03ff070001', { lorawan: '1.0.4', adr: true }), 'LinkADRAns')[0];
    expect(status).toEqual({ channelMaskAck: true, dataRateAck: true, powerAck: true });
  });
});

describe('answers that are too long for FOpts', () => {
  it('go out in an FPort 0 uplink of their own', () => {
    // Six DevStatusAns are 18 bytes; that many requests come on FPort 0 themselves.
    const world = asked('06'.repeat(6));
    expect(answers(world, 'DevStatusAns')).toHaveLength(6);
    const frames = new Set(world.up.map(({ counter }) => counter));
    expect(frames.size).toBe(1);
    const alone = world.of('uplinkBegins').find(({ counter }) => frames.has(counter))!;
    expect(alone.phyPayload.slice(16, 18)).toBe('00');
    expect(alone.phyBytes).toBe(8 + 1 + 18 + 4);
  });

  it('go out so as well when they do not fit beside the next payload', () => {
    const traffic = { payloadBytes: 51 };
    const type = { dataRate: { from: 'fixed', dataRate: 2 } } as const;
    const world = macWorld({ traffic, type }, HOUR_US, [request(TEN_US, '06')]);
    expect(answers(world, 'DevStatusAns')).toHaveLength(1);
    const own = world.of('uplinkBegins').filter(({ phyBytes }) => phyBytes !== 64);
    expect(own.map(({ phyBytes }) => phyBytes)).toEqual([8 + 3 + 4]);
  });
});

describe('requests of the server', () => {
  it('travel several a frame, in FOpts', () => {
    const world = asked('060c65');
    const counters = world.down.map(({ counter }) => counter);
    expect(names(world.down)).toEqual(['DevStatusReq', 'ADRParamSetupReq']);
    expect(new Set(counters).size).toBe(1);
  });

  it('travel on FPort 0 when FOpts is too small, and the payload waits for the next frame', () => {
    const commands = [request(TEN_US, '06'.repeat(16)), enqueue(TEN_US)];
    const world = macWorld({}, 30 * MINUTE_US, commands);
    const [first, second] = world.of('downlinkPlanned');
    expect(first!.phyPayload.slice(16, 18)).toBe('00');
    expect(second!.phyPayload.slice(16, 18)).toBe('05');
  });
});

describe('a confirmed downlink', () => {
  it('is acknowledged by the next uplink, class A', () => {
    const world = macWorld({}, 30 * MINUTE_US, [enqueue(TEN_US, true)]);
    const heard = world.of('deviceReceives')[0]!;
    const next = world.of('uplinkBegins').find(({ atUs }) => atUs > heard.atUs)!;
    expect(Number.parseInt(next.phyPayload.slice(10, 12), 16) & 0x20).toBe(0x20);
    expect(world.of('downlinkPlanned')).toHaveLength(1);
  });

  it('is acknowledged within CLASS_C_RESP_TIMEOUT of 8 s, class C', () => {
    const type = { deviceClass: 'C' } as const;
    const traffic = { meanUs: HOUR_US };
    const probe = watch(networkOf({ type, traffic }), 2 * HOUR_US).of('uplinkBegins')[0]!;
    const world = macWorld({ type, traffic }, 3 * HOUR_US, [enqueue(probe.atUs + TEN_US, true)]);
    const heard = world.of('deviceReceives')[0]!;
    const answer = world.of('uplinkBegins').find(({ atUs }) => atUs > heard.atUs)!;
    expect(answer.atUs - heard.atUs).toBeLessThan(8 * SECOND_US);
    expect(Number.parseInt(answer.phyPayload.slice(10, 12), 16) & 0x20).toBe(0x20);
    expect(world.of('downlinkPlanned')).toHaveLength(1);
  });
});

describe('RXParamSetupReq', () => {
  // RX1DROffset 1, RX2 at DR3, on 100 MHz.
  const world = asked('051340420f');

  it('is refused as a whole when one part is not allowed', () => {
    const [answer] = answers(world, 'RXParamSetupAns');
    expect(answer).toMatchObject({ rx1DrOffsetAck: true, rx2DataRateAck: true, channelAck: false });
    const second = world.of('receiveWindows').map(({ rx2 }) => rx2.spreadingFactor);
    expect(new Set(second)).toEqual(new Set([12]));
  });
});
