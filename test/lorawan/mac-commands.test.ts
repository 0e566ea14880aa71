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
