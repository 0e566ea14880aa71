/**
 * What the server believes of a device's MAC answers, bit by bit (LoRaWAN 1.0.4 §5 and §12, 1.1
 * §5): an answer counts only with the request that was sent, if the device took all of it, and if
 * the region allows it.
 */
import { describe, expect, it } from 'vitest';
import { NONE } from '../../sim/kernel/columns.ts';
import {
  BeaconTimingAns,
  BeaconTimingReq,
  Cid,
  DeviceModeConf,
  DeviceModeInd,
  DeviceTimeAns,
  DeviceTimeReq,
  DevStatusAns,
  DlChannelAns,
  DlChannelReq,
  DutyCycleAns,
  DutyCycleReq,
  LinkADRAns,
  LinkADRReq,
  LinkCheckAns,
  LinkCheckReq,
  NewChannelAns,
  NewChannelReq,
  PingSlotChannelAns,
  PingSlotChannelReq,
  PingSlotInfoReq,
  RekeyConf,
  RekeyInd,
  ResetConf,
  ResetInd,
  RXParamSetupAns,
  RXParamSetupReq,
  RXTimingSetupAns,
  RXTimingSetupReq,
  TxParamSetupAns,
  TxParamSetupReq,
} from '../../sim/lorawan/mac-commands.ts';
import type { RegionName } from '../../sim/lorawan/region.ts';
import { handleMacCommands } from '../../sim/network-server/mac-commands/handlers.ts';
import { requestDevStatus } from '../../sim/network-server/mac-commands/status-and-time.ts';
import { requestRxTiming } from '../../sim/network-server/mac-commands/windows-and-limits.ts';
import { hasRefused } from '../../sim/network-server/refusable.ts';
import { hasChannel, readMask } from '../../sim/spectrum/channel-set.ts';
import { Injector } from '../support/injector.ts';
import { networkOf, SECOND_US, type Wanted } from '../support/small-network.ts';

/** When the uplinks with the answers have ended. */
const ENDED_US = 130 * SECOND_US + 250_000;

/** A server that knows one device in its session. */
function serverIn(name: RegionName, wanted: Wanted = {}) {
  const network = { ...networkOf(wanted), region: name };
  const injector = new Injector(network);
  injector.runUntil(SECOND_US);
  const side = injector.network.sides.server;
  const { requests } = side;
  requests.clear(0);
  return {
    side,
    requests,
    r: side.registrations.column,
    channel: (index: number) =>
      side.channelSets.get(side.registrations.column.channelSet[0])[index],
    isOn: (index: number) => hasChannel(readMask(side.registrations.column.channelMask, 0), index),
    refuses: (cid: Parameters<typeof hasRefused>[2]) => hasRefused(side.registrations, 0, cid),
    /** An uplink with these commands; the request, if any, was sent before. */
    hears(commands: Uint8Array, request?: Uint8Array, firstCopy: number = NONE): boolean {
      if (request !== undefined) requests.ask(0, request);
      requests.write(0, new Uint8Array(200), 200);
      const uplink = { endedAtUs: ENDED_US, frequencyHz: 868_100_000, dataRate: 5, firstCopy };
      return handleMacCommands(side, 0, commands, 0, commands.length, uplink);
    },
    /** What waits for the device. */
    waiting(): Uint8Array {
      const out = new Uint8Array(200);
      return out.slice(0, requests.write(0, out, 200));
    },
  };
}

/** All answers of `bits` flags but the one in which all are set. */
const allBut = <Flags extends object>(all: Flags): Flags[] =>
  Object.keys(all).map((name) => ({ ...all, [name]: false }));

describe('RXParamSetupAns', () => {
  const ACKS = { rx1DrOffsetAck: true, rx2DataRateAck: true, channelAck: true };
  const windows = ({ r }: ReturnType<typeof serverIn>) => [
    r.rx1DrOffset[0],
    r.rx2DataRate[0],
    r.rx2FrequencyHz[0],
  ];
  const request = (rx1DrOffset: number, rx2DataRate: number, frequencyHz: number) =>
    RXParamSetupReq.encode({ rx1DrOffset, rx2DataRate, frequencyHz });

  it.each([
    ['EU868', 0, 0, 868_100_000],
    ['EU868', 5, 7, 869_525_000],
    ['US915', 3, 8, 923_300_000],
    ['AS923-1', 7, 2, 923_200_000],
  ] as const)('moves the windows in %s: %i, DR%i, %i Hz', (name, offset, dataRate, hz) => {
    const server = serverIn(name);
    server.hears(RXParamSetupAns.encode(ACKS), request(offset, dataRate, hz));
    expect(windows(server)).toEqual([offset, dataRate, hz]);
    expect(server.refuses(Cid.rxParamSetup)).toBe(false);
  });

  it.each([
    ['an offset that the region lacks', 'EU868', request(6, 3, 869_525_000)],
    ['a data rate that the region lacks', 'EU868', request(2, 14, 869_525_000)],
    ['a frequency that the region lacks', 'EU868', request(2, 3, 868_650_000)],
    ['a data rate of uplinks', 'US915', request(1, 5, 923_300_000)],
  ] as const)('is not believed with %s', (_, name, asked) => {
    const server = serverIn(name);
    const before = windows(server);
    server.hears(RXParamSetupAns.encode(ACKS), asked);
    expect(windows(server)).toEqual(before);
    expect(server.refuses(Cid.rxParamSetup)).toBe(true);
  });

  it.each(allBut(ACKS))('changes nothing unless all is taken: %j', (acks) => {
    const server = serverIn('EU868');
    const before = windows(server);
    server.hears(RXParamSetupAns.encode(acks), request(2, 3, 868_100_000));
    expect(windows(server)).toEqual(before);
    expect(server.refuses(Cid.rxParamSetup)).toBe(true);
  });

  it('says nothing without its request', () => {
    const server = serverIn('EU868');
    const before = windows(server);
    expect(server.hears(RXParamSetupAns.encode(ACKS))).toBe(true);
    expect(windows(server)).toEqual(before);
    expect(server.refuses(Cid.rxParamSetup)).toBe(false);
  });
});

describe('NewChannelAns', () => {
  const ACKS = { dataRateRangeOk: true, channelFrequencyOk: true };
  const request = (chIndex: number, frequencyHz: number, minDr = 0, maxDr = 5) =>
    NewChannelReq.encode({ chIndex, frequencyHz, minDr, maxDr });

  it.each([
    ['a channel', 3, request(3, 867_100_000), 867_100_000],
    ['the last channel', 15, request(15, 867_900_000), 867_900_000],
    ['a channel of one data rate', 4, request(4, 867_100_000, 5, 5), 867_100_000],
    ['a default channel as it is', 2, request(2, 868_500_000), 868_500_000],
  ])('adds %s, which is on', (_, index, asked, hz) => {
    const server = serverIn('EU868');
    server.hears(NewChannelAns.encode(ACKS), asked);
    expect(server.channel(index)?.frequencyHz).toBe(hz);
    expect(server.isOn(index)).toBe(true);
    expect(server.refuses(Cid.newChannel)).toBe(false);
  });

  it('takes a channel away whose frequency is 0', () => {
    const server = serverIn('EU868');
    server.hears(NewChannelAns.encode(ACKS), request(5, 867_300_000, 1, 4));
    expect(server.channel(5)).toMatchObject({ minDataRate: 1, maxDataRate: 4 });
    server.hears(NewChannelAns.encode(ACKS), request(5, 0));
    expect([server.channel(5), server.isOn(5)]).toEqual([undefined, false]);
    expect(server.refuses(Cid.newChannel)).toBe(false);
  });

  it.each([
    ['a channel beyond the last', 'EU868', 16, request(16, 867_100_000)],
    ['a default channel elsewhere', 'EU868', 0, request(0, 867_100_000)],
    ['no default channel any more', 'EU868', 0, request(0, 0)],
    ['data rates in the wrong order', 'EU868', 3, request(3, 867_100_000, 5, 4)],
    ['a lowest data rate that no uplink has', 'EU868', 3, request(3, 867_100_000, 12, 13)],
    ['a highest data rate that no uplink has', 'EU868', 3, request(3, 867_100_000, 0, 12)],
    ['a frequency outside the sub-bands', 'EU868', 3, request(3, 868_650_000)],
    ['channels that are fixed', 'US915', 3, request(3, 902_300_000)],
  ] as const)('is not believed with %s', (_, name, index, asked) => {
    const server = serverIn(name);
    const before = [server.channel(index), server.isOn(index)];
    server.hears(NewChannelAns.encode(ACKS), asked);
    expect([server.channel(index), server.isOn(index)]).toEqual(before);
    expect(server.refuses(Cid.newChannel)).toBe(true);
  });

  it.each(allBut(ACKS))('changes nothing unless all is taken: %j', (acks) => {
    const server = serverIn('EU868');
    server.hears(NewChannelAns.encode(acks), request(3, 867_100_000));
    expect([server.channel(3), server.isOn(3)]).toEqual([undefined, false]);
    expect(server.refuses(Cid.newChannel)).toBe(true);
  });

  it('says nothing without its request', () => {
    const server = serverIn('EU868');
    server.hears(NewChannelAns.encode({ dataRateRangeOk: false, channelFrequencyOk: false }));
    expect(server.refuses(Cid.newChannel)).toBe(false);
  });
});

describe('DlChannelAns', () => {
  const ACKS = { uplinkFrequencyExists: true, channelFrequencyOk: true };
  const request = (chIndex: number, frequencyHz: number) =>
    DlChannelReq.encode({ chIndex, frequencyHz });

  it('moves RX1 of its channel alone', () => {
    const server = serverIn('EU868');
    const others = [server.channel(0), server.channel(2)];
    server.hears(DlChannelAns.encode(ACKS), request(1, 869_525_000));
    expect(server.channel(1)).toMatchObject({ frequencyHz: 868_300_000, rx1Hz: 869_525_000 });
    expect([server.channel(0), server.channel(2)]).toEqual(others);
  });

  it.each([
    ...allBut(ACKS).map((acks) => [acks, request(1, 869_525_000)] as const),
    [ACKS, request(7, 869_525_000)] as const,
    [ACKS, request(1, 868_650_000)] as const,
    [ACKS, undefined] as const,
  ])('changes nothing otherwise: %j to %s', (acks, asked) => {
    const server = serverIn('EU868');
    const before = [0, 1, 2, 7].map(server.channel);
    server.hears(DlChannelAns.encode(acks), asked);
    expect([0, 1, 2, 7].map(server.channel)).toEqual(before);
  });
});

describe('LinkADRAns', () => {
  const ACKS = { channelMaskAck: true, dataRateAck: true, powerAck: true };
  const request = (dataRate: number, txPower: number, nbTrans: number, chMask = 0b101) =>
    LinkADRReq.encode({ dataRate, txPower, chMask, chMaskCntl: 0, nbTrans });
  const settings = ({ r, isOn }: ReturnType<typeof serverIn>) => [
    r.dataRate[0],
    r.txPowerIndex[0],
    r.nbTrans[0],
    r.historyCount[0],
    [0, 1, 2].map(isOn),
  ];
  const started = () => {
    const server = serverIn('EU868');
    server.r.historyCount[0] = 7;
    return server;
  };

  it('sets data rate, power, repetitions and channels, and begins a new history', () => {
    const server = started();
    server.hears(LinkADRAns.encode(ACKS), request(3, 2, 4));
    expect(settings(server)).toEqual([3, 2, 4, 0, [true, false, true]]);
  });

  it('is counted where all is taken, a block once', () => {
    const server = started();
    server.hears(LinkADRAns.encode({ ...ACKS, powerAck: false }), request(3, 2, 4));
    expect(server.side.tally.sums.adrChanges).toBe(0);
    server.hears(LinkADRAns.encode(ACKS), request(3, 2, 4));
    server.hears(
      LinkADRAns.encode(ACKS),
      Uint8Array.from([...request(4, 2, 4), ...request(4, 2, 4)]),
    );
    expect(server.side.tally.sums.adrChanges).toBe(2);
  });

  it('leaves data rate and power that are to stay', () => {
    const server = started();
    server.hears(LinkADRAns.encode(ACKS), request(3, 2, 4));
    server.hears(LinkADRAns.encode(ACKS), request(15, 1, 3));
    expect(settings(server).slice(0, 3)).toEqual([3, 1, 3]);
    server.hears(LinkADRAns.encode(ACKS), request(4, 15, 2));
    expect(settings(server).slice(0, 3)).toEqual([4, 1, 2]);
  });

  it('is of the last request of a block, and of all its masks', () => {
    const server = serverIn('US915');
    const block = [
      LinkADRReq.encode({ dataRate: 1, txPower: 1, chMask: 0, chMaskCntl: 7, nbTrans: 1 }),
      LinkADRReq.encode({ dataRate: 3, txPower: 5, chMask: 0xff00, chMaskCntl: 0, nbTrans: 2 }),
    ];
    const request = Uint8Array.from(block.flatMap((each) => [...each]));
    server.hears(LinkADRAns.encode(ACKS), request);
    expect([server.r.dataRate[0], server.r.txPowerIndex[0], server.r.nbTrans[0]]).toEqual([
      3, 5, 2,
    ]);
    expect([7, 8, 15, 16, 64].map(server.isOn)).toEqual([false, true, true, false, false]);
  });

  it.each(allBut(ACKS))('changes nothing unless all is taken: %j', (acks) => {
    const server = started();
    const before = settings(server);
    server.hears(LinkADRAns.encode(acks), request(3, 2, 4));
    expect(settings(server)).toEqual(before);
    expect(server.refuses(Cid.linkAdr)).toBe(false);
    // A mask alone is not asked for again.
    server.hears(LinkADRAns.encode(acks), request(15, 2, 4));
    expect(settings(server)).toEqual(before);
    expect(server.refuses(Cid.linkAdr)).toBe(true);
  });

  it('says nothing without its request', () => {
    const server = started();
    const before = settings(server);
    server.hears(LinkADRAns.encode(ACKS));
    expect(settings(server)).toEqual(before);
  });
});

describe('an answer without contents', () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [15, 15],
  ])('RXTimingSetupAns to a delay of %i means one of %i s', (delay, seconds) => {
    const server = serverIn('EU868');
    server.r.rx1DelayS[0] = 9;
    server.hears(RXTimingSetupAns.encode({}));
    expect(server.r.rx1DelayS[0]).toBe(9);
    server.hears(RXTimingSetupAns.encode({}), RXTimingSetupReq.encode({ delay }));
    expect(server.r.rx1DelayS[0]).toBe(seconds);
  });

  it('DutyCycleAns means the limit that was asked for', () => {
    const server = serverIn('EU868');
    server.hears(DutyCycleAns.encode({}));
    expect(server.r.maxDutyCycle[0]).toBe(0);
    server.hears(DutyCycleAns.encode({}), DutyCycleReq.encode({ maxDutyCycle: 7 }));
    expect(server.r.maxDutyCycle[0]).toBe(7);
  });

  it.each([
    [true, false, 0, 8],
    [false, true, 15, 36],
    [true, true, 5, 16],
  ])(
    'TxParamSetupAns means dwell times up %j and down %j, and power %i',
    (up, down, index, dbm) => {
      const server = serverIn('AS923-1');
      const before = [server.r.uplinkDwell[0], server.r.downlinkDwell[0], server.r.maxEirpDbm[0]];
      server.hears(TxParamSetupAns.encode({}));
      const { r } = server;
      expect([r.uplinkDwell[0], r.downlinkDwell[0], r.maxEirpDbm[0]]).toEqual(before);
      const asked = { uplinkDwellTime: up, downlinkDwellTime: down, maxEirp: index };
      server.hears(TxParamSetupAns.encode({}), TxParamSetupReq.encode(asked));
      expect([r.uplinkDwell[0], r.downlinkDwell[0], r.maxEirpDbm[0]]).toEqual([+up, +down, dbm]);
    },
  );
});

describe('DevStatusAns', () => {
  it('is stored, counted and reported', () => {
    const server = serverIn('EU868');
    server.hears(DevStatusAns.encode({ battery: 254, margin: -32 }));
    server.hears(DevStatusAns.encode({ battery: 0, margin: 31 }));
    const { statusAnswers, battery, statusMarginDb } = server.r;
    expect([statusAnswers[0], battery[0], statusMarginDb[0]]).toEqual([2, 0, 31]);
  });

  it('is asked for when it is due, and then after the period', () => {
    const server = serverIn('EU868', { server: { devStatusEveryUs: 100 } });
    const { requests, side } = server;
    server.r.devStatusDueAtUs[0] = 50;
    const asks = (nowUs: number) => {
      requests.clear(0);
      requestDevStatus(side, 0, nowUs);
      return requests.isWaiting(0, Cid.devStatus);
    };
    expect([49, 50, 51, 149, 150].map(asks)).toEqual([false, true, false, false, true]);
  });

  it('is asked for nobody where the server does not want it', () => {
    const server = serverIn('EU868');
    requestDevStatus(server.side, 0, 1e12);
    expect(server.requests.isWaiting(0, Cid.devStatus)).toBe(false);
  });
});

describe('a delay of RX1 that is not the server’s', () => {
  it('is asked for once, until it is answered', () => {
    const server = serverIn('EU868', { server: { rx1DelayS: 5 } });
    server.r.rx1DelayS[0] = 5;
    requestRxTiming(server.side, 0);
    expect(server.requests.bytesDue(0)).toBe(0);
    server.r.rx1DelayS[0] = 1;
    requestRxTiming(server.side, 0);
    requestRxTiming(server.side, 0);
    expect(server.waiting()).toEqual(RXTimingSetupReq.encode({ delay: 5 }));
  });
});

describe('LinkCheckReq', () => {
  /** Copies of an uplink at DR5, SF7, whose limit is −7.5 dB; the best first. */
  const answerTo = (...snrCentiDb: readonly number[]) => {
    const server = serverIn('EU868');
    const { collector } = server.side;
    let first: number = NONE;
    for (const snr of [...snrCentiDb].reverse()) {
      first = collector.copy(first, 0, -9000, snr, ENDED_US);
    }
    server.hears(LinkCheckReq.encode({}), undefined, first);
    return server.waiting();
  };

  it.each([
    [[250], 10, 1],
    [[250, 100, -300], 10, 3],
    [[-750], 0, 1],
    [[-2000], 0, 1],
    [[-650], 1, 1],
  ] as const)(
    'of copies at %j 1/100 dB is answered with %i dB and %i gateways',
    (snr, margin, gwCnt) => {
      expect(answerTo(...snr)).toEqual(LinkCheckAns.encode({ margin, gwCnt }));
    },
  );
});

describe('DeviceTimeReq', () => {
  it('is answered with the GPS time of the end of the uplink, in parts of 1/256 s', () => {
    const server = serverIn('EU868');
    server.hears(DeviceTimeReq.encode({}));
    server.hears(DeviceTimeReq.encode({}));
    // The network starts as GPS time does.
    expect(server.waiting()).toEqual(DeviceTimeAns.encode({ seconds: 130, fraction: 64 }));
  });
});

describe('class B', () => {
  it('PingSlotInfoReq says the slots, and is answered', () => {
    const server = serverIn('EU868');
    server.hears(PingSlotInfoReq.encode({ periodicity: 3 }));
    const { slotsKnown, periodicity } = server.side.classB.column;
    expect([slotsKnown[0], periodicity[0]]).toEqual([1, 3]);
    expect(server.waiting()).toEqual(Uint8Array.of(Cid.pingSlotInfo));
  });

  const ACKS = { dataRateOk: true, channelFrequencyOk: true };
  const request = (frequencyHz: number, dataRate: number) =>
    PingSlotChannelReq.encode({ frequencyHz, dataRate });
  const slots = ({ side }: ReturnType<typeof serverIn>) => {
    side.classB.add(0);
    const { frequencyHz, dataRate } = side.classB.column;
    return [frequencyHz[0], dataRate[0]];
  };

  it('PingSlotChannelAns moves the slots, or back to where they were', () => {
    const server = serverIn('EU868');
    server.hears(PingSlotChannelAns.encode(ACKS), request(868_300_000, 5));
    expect(slots(server)).toEqual([868_300_000, 5]);
    server.hears(PingSlotChannelAns.encode(ACKS), request(0, 3));
    expect(slots(server)).toEqual([0, 3]);
  });

  it.each([
    ...allBut(ACKS).map((acks) => [acks, request(868_300_000, 5)] as const),
    [ACKS, request(868_650_000, 5)] as const,
    [ACKS, request(868_300_000, 7)] as const,
    [ACKS, request(868_300_000, 14)] as const,
    [ACKS, undefined] as const,
  ])('PingSlotChannelAns changes nothing otherwise: %j to %s', (acks, asked) => {
    const server = serverIn('EU868');
    const before = slots(server);
    server.hears(PingSlotChannelAns.encode(acks), asked);
    expect(slots(server)).toEqual(before);
  });

  it('BeaconTimingReq is answered with the time to the next beacon, in slots of 30 ms', () => {
    const server = serverIn('EU868');
    server.hears(BeaconTimingReq.encode({}));
    server.hears(BeaconTimingReq.encode({}));
    // The beacon at 256 s of GPS time, on the only frequency.
    const delay = Math.floor((256 - 130.25) / 0.03);
    const [cid, low, high] = BeaconTimingAns.encode({ delay, channel: 0 });
    expect([...server.waiting()]).toEqual([cid, low, high, 0]);
  });
});

describe('an indication of LoRaWAN 1.1', () => {
  const indicated = (minor: 0 | 1, commands: Uint8Array) => {
    const server = serverIn('EU868');
    const { r } = server;
    r.minor[0] = minor;
    [r.txPowerIndex[0], r.nbTrans[0], r.historyCount[0], r.classC[0]] = [3, 2, 7, 0];
    server.requests.ask(
      0,
      LinkADRReq.encode({
        dataRate: 5,
        txPower: 0,
        chMask: 7,
        chMaskCntl: 0,
        nbTrans: 1,
      }),
    );
    // Sent twice before its answer goes out.
    server.hears(commands);
    server.requests.withdraw(0, commands[0]!);
    server.hears(commands);
    const isAsked = server.requests.isWaiting(0, Cid.linkAdr);
    server.requests.withdraw(0, Cid.linkAdr);
    const state = [r.txPowerIndex[0], r.nbTrans[0], r.historyCount[0], r.classC[0], isAsked];
    return { state, answer: server.waiting() };
  };

  it.each<[string, Uint8Array, Uint8Array, unknown[]]>([
    [
      'ResetInd: settings are those of the region',
      ResetInd.encode({ minor: 1 }),
      ResetConf.encode({ minor: 1 }),
      [0, 1, 0, 0, false],
    ],
    ['RekeyInd', RekeyInd.encode({ minor: 1 }), RekeyConf.encode({ minor: 1 }), [3, 2, 7, 0, true]],
    [
      'DeviceModeInd: class C',
      DeviceModeInd.encode({ deviceClass: 2 }),
      DeviceModeConf.encode({ deviceClass: 2 }),
      [3, 2, 7, 1, true],
    ],
    [
      'DeviceModeInd: class A',
      DeviceModeInd.encode({ deviceClass: 0 }),
      DeviceModeConf.encode({ deviceClass: 0 }),
      [3, 2, 7, 0, true],
    ],
  ])('is confirmed: %s', (_, indication, confirmation, state) => {
    expect(indicated(1, indication)).toEqual({ state, answer: confirmation });
  });

  it.each([
    ['ResetInd', ResetInd.encode({ minor: 1 })],
    ['RekeyInd', RekeyInd.encode({ minor: 1 })],
    ['DeviceModeInd', DeviceModeInd.encode({ deviceClass: 2 })],
  ])('means nothing of a device of LoRaWAN 1.0: %s', (_, indication) => {
    expect(indicated(0, indication)).toEqual({
      state: [3, 2, 7, 0, true],
      answer: new Uint8Array(0),
    });
  });
});

describe('a run of commands', () => {
  it('ends at an unknown one, and at one that is cut short', () => {
    const status = DevStatusAns.encode({ battery: 9, margin: 0 });
    const [known, cut, unknown] = [[...status], [...status].slice(0, 2), [0x7f]].map((bytes) =>
      Uint8Array.from([...status, ...bytes, ...status]),
    );
    const heard = (bytes: Uint8Array, length = bytes.length) => {
      const server = serverIn('EU868');
      server.hears(bytes.subarray(0, length));
      return server.r.statusAnswers[0];
    };
    expect(heard(known!)).toBe(3);
    expect(heard(unknown!)).toBe(1);
    expect(heard(cut!, 5)).toBe(1);
  });

  it('has a sticky answer where the device repeats it until a downlink comes', () => {
    const hears = (...commands: readonly Uint8Array[]) =>
      serverIn('EU868').hears(Uint8Array.from(commands.flatMap((each) => [...each])));
    const plain = DeviceTimeReq.encode({});
    const sticky = RXTimingSetupAns.encode({});
    expect([hears(plain), hears(sticky), hears(sticky, plain), hears(plain, sticky)]).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});
