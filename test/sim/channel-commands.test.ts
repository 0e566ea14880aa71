/** What devices make of the channel commands, bit by bit (LoRaWAN 1.0.4 §5.2–5.8). */
import { describe, expect, it } from 'vitest';
import { channelsOf } from '../../sim/device/channels.ts';
import { handleMacCommands } from '../../sim/device/mac-commands/handlers.ts';
import { settle } from '../../sim/device/multicast-settling.ts';
import {
  DlChannelReq,
  DutyCycleReq,
  LinkADRReq,
  NewChannelReq,
  RXParamSetupReq,
  TxParamSetupReq,
} from '../../sim/lorawan/mac-commands.ts';
import type { RegionName } from '../../sim/lorawan/region.ts';
import { hasChannel, readMask } from '../../sim/spectrum/channel-set.ts';
import { Injector } from '../support/injector.ts';
import { networkOf, SECOND_US } from '../support/small-network.ts';

/** A device in its session, which is handed commands; returns the answers that it queues. */
function deviceIn(name: RegionName) {
  const network = {
    ...networkOf({ type: { adr: true, dataRate: { from: 'join' } } }),
    region: name,
  };
  const injector = new Injector(network);
  injector.runUntil(SECOND_US);
  const side = injector.network.sides.device;
  const c = side.column;
  return {
    c,
    channels: () => channelsOf(side, 0),
    isOn: (index: number) => hasChannel(readMask(c.channelMask, 0), index),
    answersTo(...commands: readonly Uint8Array[]): number[] {
      const bytes = Uint8Array.from(commands.flatMap((one) => [...one]));
      c.macLength[0] = 0;
      settle(side, 0, side.agenda.nowUs);
      handleMacCommands(side, 0, bytes, 0, bytes.length);
      return [...c.macQueue.subarray(0, c.macLength[0])];
    },
  };
}

const adr = (dataRate: number, chMaskCntl: number, chMask: number, txPower = 0) =>
  LinkADRReq.encode({ dataRate, txPower, chMask, chMaskCntl, nbTrans: 1 });

describe('LinkADRReq', () => {
  it.each([
    ['a mask of known channels', 'EU868', [adr(5, 0, 0b011)], [7]],
    ['an unknown channel', 'EU868', [adr(5, 0, 0b1000)], [6]],
    ['no channel at all', 'EU868', [adr(5, 0, 0)], [6]],
    ['a reserved ChMaskCntl', 'EU868', [adr(5, 1, 1)], [6]],
    ['a data rate without channel', 'EU868', [adr(6, 6, 0)], [5]],
    ['a power beyond the table', 'EU868', [adr(5, 6, 0, 9)], [3]],
    ['a sub-band of US915', 'US915', [adr(3, 7, 0b10), adr(3, 0, 0xff00)], [7, 7]],
    ['a group of US915', 'US915', [adr(4, 5, 0b10)], [7]],
    ['a data rate of downlinks', 'US915', [adr(8, 6, 0xff)], [5]],
    ['wide channels only, at a narrow data rate', 'US915', [adr(0, 7, 0xff)], [5]],
    ['a bank of CN470', 'CN470', [adr(3, 5, 0xffff)], [7]],
    ['all channels of CN470', 'CN470', [adr(3, 6, 0)], [7]],
    ['a reserved ChMaskCntl of CN470', 'CN470', [adr(3, 7, 0)], [6]],
    ['a data rate that dwell time forbids', 'AS923-1', [adr(1, 6, 0)], [5]],
  ] as const)('with %s in %s', (_, name, requests, statuses) => {
    expect(deviceIn(name).answersTo(...requests)).toEqual(
      statuses.flatMap((status) => [3, status]),
    );
  });

  it('is all or nothing over a block', () => {
    const device = deviceIn('US915');
    device.answersTo(adr(3, 7, 0), adr(3, 0, 0));
    expect([device.isOn(0), device.isOn(64), device.c.dataRate[0]]).toEqual([true, true, 0]);
    device.answersTo(adr(3, 7, 0), adr(3, 1, 1));
    expect([device.isOn(0), device.isOn(16), device.isOn(64)]).toEqual([false, true, false]);
    expect(device.c.dataRate[0]).toBe(3);
  });
});

const channel = (chIndex: number, frequencyHz: number, minDr = 0, maxDr = 5) =>
  NewChannelReq.encode({ chIndex, frequencyHz, minDr, maxDr });

describe('NewChannelReq', () => {
  it.each([
    ['a new channel', channel(3, 867_100_000), 3],
    ['a frequency outside the sub-bands', channel(3, 868_650_000), 2],
    ['data rates that do not exist', channel(3, 867_100_000, 5, 9), 1],
    ['data rates in the wrong order', channel(3, 867_100_000, 5, 0), 1],
    ['a default channel as it is', channel(0, 868_100_000), 3],
    ['a default channel elsewhere', channel(0, 867_100_000), 2],
    ['a default channel with other data rates', channel(0, 868_100_000, 0, 6), 1],
    ['no default channel any more', channel(0, 0), 2],
    ['a channel beyond the sixteenth', channel(16, 867_100_000), 0],
  ])('with %s', (_, request, status) => {
    expect(deviceIn('EU868').answersTo(request)).toEqual([7, status]);
  });

  it('switches the channel on, and a frequency of 0 removes it', () => {
    const device = deviceIn('EU868');
    device.answersTo(channel(5, 867_300_000, 0, 6));
    expect([device.channels()[5]?.maxDataRate, device.isOn(5)]).toEqual([6, true]);
    device.answersTo(channel(5, 0));
    expect([device.channels()[5], device.isOn(5)]).toEqual([undefined, false]);
  });

  it('is dropped silently where channels are fixed', () => {
    expect(deviceIn('US915').answersTo(channel(3, 902_300_000))).toEqual([]);
  });
});

describe('DlChannelReq', () => {
  it.each([
    ['a channel it knows', 'EU868', 0, 869_525_000, [10, 3]],
    ['an unknown channel', 'EU868', 7, 869_525_000, [10, 1]],
    ['a forbidden frequency', 'EU868', 0, 868_650_000, [10, 2]],
    ['a plan of fixed channels', 'US915', 0, 923_300_000, []],
  ] as const)('for %s in %s', (_, name, chIndex, frequencyHz, answer) => {
    expect(deviceIn(name).answersTo(DlChannelReq.encode({ chIndex, frequencyHz }))).toEqual(answer);
  });

  it('moves RX1 of the channel', () => {
    const device = deviceIn('EU868');
    device.answersTo(DlChannelReq.encode({ chIndex: 1, frequencyHz: 869_525_000 }));
    expect(device.channels()[1]?.rx1Hz).toBe(869_525_000);
  });
});

describe('RXParamSetupReq', () => {
  it.each([
    ['good parts', 'EU868', 2, 3, 869_525_000, 7],
    ['an offset too far', 'EU868', 6, 3, 869_525_000, 3],
    ['a data rate that does not exist', 'EU868', 2, 14, 869_525_000, 5],
    ['a forbidden frequency', 'EU868', 2, 3, 868_650_000, 6],
    ['a data rate of uplinks', 'US915', 1, 3, 923_300_000, 5],
    ['a frequency between channels', 'US915', 1, 9, 923_400_000, 6],
    ['offset 7', 'AS923-1', 7, 4, 923_200_000, 7],
  ] as const)('with %s in %s', (_, name, rx1DrOffset, rx2DataRate, frequencyHz, status) => {
    const device = deviceIn(name);
    const request = RXParamSetupReq.encode({ rx1DrOffset, rx2DataRate, frequencyHz });
    expect(device.answersTo(request)).toEqual([5, status]);
    expect(device.c.rx2DataRate[0] === rx2DataRate).toBe(status === 7);
  });
});

describe('limits', () => {
  it('of dwell time and power come by TxParamSetupReq, where the region has it', () => {
    const asked = { downlinkDwellTime: false, uplinkDwellTime: false, maxEirp: 2 };
    const device = deviceIn('AS923-1');
    expect([device.c.uplinkDwell[0], device.c.dataRate[0]]).toEqual([1, 2]);
    expect(device.answersTo(TxParamSetupReq.encode(asked))).toEqual([9]);
    const { uplinkDwell, downlinkDwell, maxEirpCentiDbm } = device.c;
    expect([uplinkDwell[0], downlinkDwell[0], maxEirpCentiDbm[0]]).toEqual([0, 0, 1200]);
    expect(deviceIn('EU868').answersTo(TxParamSetupReq.encode(asked))).toEqual([]);
  });

  it('of all time on air come by DutyCycleReq', () => {
    const device = deviceIn('EU868');
    expect(device.answersTo(DutyCycleReq.encode({ maxDutyCycle: 7 }))).toEqual([4]);
    expect(device.c.maxDutyCycle[0]).toBe(7);
  });
});
