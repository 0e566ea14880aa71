/** LoRaWAN 1.0.4 §5 and 1.1 §5: MAC commands byte for byte. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import {
  Cid,
  DevStatusAns,
  DOWNLINK_COMMAND_BYTES,
  downlinkCommands,
  endOfCommand,
  FIRST_PROPRIETARY_CID,
  ForceRejoinReq,
  LinkADRReq,
  RXParamSetupReq,
  TxParamSetupReq,
  UPLINK_COMMAND_BYTES,
  uplinkCommands,
  writeLinkAdrReq,
} from '../../sim/lorawan/mac-commands.ts';
import type { Fields, Message } from '../../sim/lorawan/message.ts';
import { readCommands } from '../../sim/lorawan/message.ts';
import { expectLawfulMessages } from '../support/messages.ts';

/** CID and bytes after it, as the standard has them; −1: no such command in that direction. */
const LENGTHS: readonly (readonly [cid: number, uplink: number, downlink: number])[] = [
  [0x01, 1, 1],
  [0x02, 0, 2],
  [0x03, 1, 4],
  [0x04, 0, 1],
  [0x05, 1, 4],
  [0x06, 2, 0],
  [0x07, 1, 5],
  [0x08, 0, 1],
  [0x09, 0, 1],
  [0x0a, 1, 4],
  [0x0b, 1, 1],
  [0x0c, 0, 1],
  [0x0d, 0, 5],
  [0x0e, -1, 2],
  [0x0f, 1, 1],
  [0x10, 1, 0],
  [0x11, 1, 4],
  [0x12, 0, 3],
  [0x13, 1, 3],
  [0x20, 1, 1],
];

describe('the MAC commands', () => {
  it('keep the laws of messages', () => {
    expectLawfulMessages(uplinkCommands);
    expectLawfulMessages(downlinkCommands);
  });

  it('have the lengths of the standard, and there are no others', () => {
    const uplink = new Uint8Array(FIRST_PROPRIETARY_CID);
    const downlink = new Uint8Array(FIRST_PROPRIETARY_CID);
    for (const [cid, up, down] of LENGTHS) {
      uplink[cid] = up + 1;
      downlink[cid] = down + 1;
    }
    expect(UPLINK_COMMAND_BYTES.slice(0, FIRST_PROPRIETARY_CID)).toEqual(uplink);
    expect(DOWNLINK_COMMAND_BYTES.slice(0, FIRST_PROPRIETARY_CID)).toEqual(downlink);
  });

  it('lie on the wire as other implementations write them', () => {
    const run = readCommands(downlinkCommands, fromHex('0500d2ad840703184f8450'));
    expect(run).toEqual({
      commands: [
        {
          name: 'RXParamSetupReq',
          payload: { rx1DrOffset: 0, rx2DataRate: 0, frequencyHz: 869_525_000 },
        },
        {
          name: 'NewChannelReq',
          payload: { chIndex: 3, frequencyHz: 867_100_000, maxDr: 5, minDr: 0 },
        },
      ],
      unreadBytes: 0,
    });
    expect(readCommands(downlinkCommands, fromHex('0d805ac3528006')).commands).toEqual([
      { name: 'DeviceTimeAns', payload: { seconds: 1_388_534_400, fraction: 128 } },
      { name: 'DevStatusReq', payload: {} },
    ]);
    expect(readCommands(downlinkCommands, fromHex('040708050a00d2ad84')).commands).toEqual([
      { name: 'DutyCycleReq', payload: { maxDutyCycle: 7 } },
      { name: 'RXTimingSetupReq', payload: { delay: 5 } },
      { name: 'DlChannelReq', payload: { chIndex: 0, frequencyHz: 869_525_000 } },
    ]);
    expect(readCommands(uplinkCommands, fromHex('06c83d1003')).commands).toEqual([
      { name: 'DevStatusAns', payload: { battery: 200, margin: -3 } },
      { name: 'PingSlotInfoReq', payload: { periodicity: 3 } },
    ]);
    expect(readCommands(uplinkCommands, fromHex('0307')).commands).toEqual([
      {
        name: 'LinkADRAns',
        payload: { powerAck: true, dataRateAck: true, channelMaskAck: true },
      },
    ]);
  });

  it('put each field in its bits', () => {
    const rx = { rx1DrOffset: 5, rx2DataRate: 3, frequencyHz: 923_300_000 };
    expect(toHex(RXParamSetupReq.encode(rx))).toBe('055368e28c');
    const tx = { downlinkDwellTime: true, uplinkDwellTime: false, maxEirp: 5 };
    expect(toHex(TxParamSetupReq.encode(tx))).toBe('0925');
    const rejoin = { period: 5, maxRetries: 2, rejoinType: 1, dataRate: 4 };
    expect(toHex(ForceRejoinReq.encode(rejoin))).toBe('0e142a');
    expect(toHex(DevStatusAns.encode({ battery: 255, margin: -32 }))).toBe('06ff20');
  });

  // Each field at its end, then all others: §5 of LoRaWAN 1.0.4 and 1.1, §12 and §15.
  it.each<[direction: 'up' | 'down', hex: string, payload: object]>([
    ['down', '02fe03', { margin: 254, gwCnt: 3 }],
    ['down', '03f0010070', { dataRate: 15, txPower: 0, chMask: 1, chMaskCntl: 7, nbTrans: 0 }],
    [
      'down',
      '030f00800f',
      { dataRate: 0, txPower: 15, chMask: 32_768, chMaskCntl: 0, nbTrans: 15 },
    ],
    ['down', '040f', { maxDutyCycle: 15 }],
    ['down', '0570010000', { rx1DrOffset: 7, rx2DataRate: 0, frequencyHz: 100 }],
    ['down', '050f000080', { rx1DrOffset: 0, rx2DataRate: 15, frequencyHz: 838_860_800 }],
    ['down', '07ff000100f0', { chIndex: 255, frequencyHz: 25_600, maxDr: 15, minDr: 0 }],
    ['down', '07000000010f', { chIndex: 0, frequencyHz: 6_553_600, maxDr: 0, minDr: 15 }],
    ['down', '080f', { delay: 15 }],
    ['down', '0920', { downlinkDwellTime: true, uplinkDwellTime: false, maxEirp: 0 }],
    ['down', '091f', { downlinkDwellTime: false, uplinkDwellTime: true, maxEirp: 15 }],
    ['down', '0aff010000', { chIndex: 255, frequencyHz: 100 }],
    ['down', '0b01', { minor: 1 }],
    ['down', '0cf0', { limitExp: 15, delayExp: 0 }],
    ['down', '0c0f', { limitExp: 0, delayExp: 15 }],
    ['down', '0d01000080ff', { seconds: 2_147_483_649, fraction: 255 }],
    ['down', '0e0038', { period: 7, maxRetries: 0, rejoinType: 0, dataRate: 0 }],
    ['down', '0e0007', { period: 0, maxRetries: 7, rejoinType: 0, dataRate: 0 }],
    ['down', '0e7000', { period: 0, maxRetries: 0, rejoinType: 7, dataRate: 0 }],
    ['down', '0e0f00', { period: 0, maxRetries: 0, rejoinType: 0, dataRate: 15 }],
    ['down', '0ff0', { maxTimeN: 15, maxCountN: 0 }],
    ['down', '0f0f', { maxTimeN: 0, maxCountN: 15 }],
    ['down', '110100000f', { frequencyHz: 100, dataRate: 15 }],
    ['down', '12018003', { delay: 32_769, channel: 3 }],
    ['down', '13000001', { frequencyHz: 6_553_600 }],
    ['down', '2002', { deviceClass: 2 }],
    ['down', '010f', { minor: 15 }],
    ['up', '010f', { minor: 15 }],
    ['up', '0304', { powerAck: true, dataRateAck: false, channelMaskAck: false }],
    ['up', '0302', { powerAck: false, dataRateAck: true, channelMaskAck: false }],
    ['up', '0301', { powerAck: false, dataRateAck: false, channelMaskAck: true }],
    ['up', '0504', { rx1DrOffsetAck: true, rx2DataRateAck: false, channelAck: false }],
    ['up', '0502', { rx1DrOffsetAck: false, rx2DataRateAck: true, channelAck: false }],
    ['up', '0501', { rx1DrOffsetAck: false, rx2DataRateAck: false, channelAck: true }],
    ['up', '06001f', { battery: 0, margin: 31 }],
    ['up', '06013f', { battery: 1, margin: -1 }],
    ['up', '0702', { dataRateRangeOk: true, channelFrequencyOk: false }],
    ['up', '0701', { dataRateRangeOk: false, channelFrequencyOk: true }],
    ['up', '0a02', { uplinkFrequencyExists: true, channelFrequencyOk: false }],
    ['up', '0a01', { uplinkFrequencyExists: false, channelFrequencyOk: true }],
    ['up', '0b0f', { minor: 15 }],
    ['up', '0f01', { timeOk: true }],
    ['up', '1007', { periodicity: 7 }],
    ['up', '1102', { dataRateOk: true, channelFrequencyOk: false }],
    ['up', '1101', { dataRateOk: false, channelFrequencyOk: true }],
    ['up', '1301', { beaconFrequencyOk: true }],
    ['up', '2002', { deviceClass: 2 }],
  ])('have each field in its bits and no others: %s %s', (direction, hex, payload) => {
    const commands = direction === 'up' ? uplinkCommands : downlinkCommands;
    const bytes = fromHex(hex);
    const run = readCommands<Record<string, Message<Fields>>>(commands as never, bytes);
    expect(run.commands.map((command) => command.payload)).toEqual([payload]);
    const [{ name }] = run.commands as never as [{ name: string }];
    const message = (commands as unknown as Record<string, Message<Fields>>)[name]!;
    expect(toHex(message.encode(payload as never))).toBe(hex);
  });

  it('stop the reading where one is unknown or cut short', () => {
    expect(readCommands(downlinkCommands, fromHex('067f0806')).unreadBytes).toBe(3);
    expect(readCommands(downlinkCommands, fromHex('0603510700')).unreadBytes).toBe(4);
  });
});

describe('the walk without allocation', () => {
  it('ends commands where the tables do', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 15 }), (bytes) => {
        let at = 0;
        let count = 0;
        while (at < bytes.length) {
          const next = endOfCommand(UPLINK_COMMAND_BYTES, bytes, at, bytes.length);
          if (next < 0) break;
          at = next;
          count++;
        }
        const run = readCommands(uplinkCommands, bytes);
        expect(run.commands).toHaveLength(count);
        expect(run.unreadBytes).toBe(bytes.length - at);
      }),
    );
  });

  it('writes LinkADRReq as its table does', () => {
    const four = fc.nat(15);
    fc.assert(
      fc.property(four, four, fc.nat(0xffff), fc.nat(7), four, (dr, power, mask, cntl, trans) => {
        const out = new Uint8Array(8);
        expect(writeLinkAdrReq(out, 2, dr, power, mask, cntl, trans)).toBe(7);
        const payload = {
          dataRate: dr,
          txPower: power,
          chMask: mask,
          chMaskCntl: cntl,
          nbTrans: trans,
        };
        expect(out.slice(2, 7)).toEqual(LinkADRReq.encode(payload));
        expect(out[2]).toBe(Cid.linkAdr);
      }),
    );
  });

  it('reads single values as the tables do', () => {
    const messages = [...Object.values(downlinkCommands), ...Object.values(uplinkCommands)];
    for (const message of messages as readonly Message<Fields>[]) {
      const length = 1 + Object.values(message.fields).reduce((sum, { size = 0 }) => sum + size, 0);
      fc.assert(
        fc.property(fc.uint8Array({ minLength: length + 2, maxLength: length + 2 }), (bytes) => {
          bytes[2] = message.cid;
          const whole = message.readAt(bytes, 2, bytes.length)?.payload;
          const single = Object.entries(message.value).map(([name, read]) => [
            name,
            (read as (bytes: Uint8Array, at: number) => unknown)(bytes, 2),
          ]);
          expect(Object.fromEntries(single)).toEqual(whole);
        }),
        { numRuns: 30 },
      );
    }
  });
});
