/** What the server makes of keys and counters of a session (LoRaWAN 1.0.4 and 1.1 §4). */
import { describe, expect, it } from 'vitest';
import { writeLe } from '../../sim/base/bytes.ts';
import { ParsedFrame, parseDataFrame } from '../../sim/lorawan/frame.ts';
import {
  canBeSentTo,
  openDownlink,
  protectDownlink,
  takeFCntDown,
} from '../../sim/network-server/session-security.ts';
import { Injector } from '../support/injector.ts';
import { networkOf, SECOND_US } from '../support/small-network.ts';

const LAST = 0xffff_fffe;

/** A server with two devices in their sessions, of LoRaWAN 1.0 or with columns of 1.1. */
function serverOf(minor: 0 | 1) {
  const injector = new Injector(networkOf({ devices: 2, frames: 'real' }));
  injector.runUntil(SECOND_US);
  const side = injector.network.sides.server;
  side.registrations.table.need('keys11');
  const c = side.registrations.column;
  for (const row of [0, 1]) {
    c.minor[row] = minor;
    for (const keys of [c.sNwkSIntKey, c.nwkSEncKey]) keys.fill(row + 7, 16 * row, 16 * row + 16);
  }
  return { side, c };
}

/** A downlink to device 0 with this plain payload; protected, MIC included. */
function downlinkOf({ side, c }: ReturnType<typeof serverOf>, fPort: number, counter = 5) {
  const payload = [1, 2, 3, 4, 5];
  const bytes = new Uint8Array(30);
  bytes[0] = 0x60;
  writeLe(bytes, 1, 4, c.devAddr[0]!);
  bytes[5] = 0x02; // Two bytes of FOpts.
  writeLe(bytes, 6, 2, counter);
  bytes.set([0x06, 0x06, fPort, ...payload], 8);
  const length = 8 + 3 + payload.length;
  const plain = bytes.slice(0, length);
  const parts = { fPort, fOptsLength: 2, payloadLength: payload.length, ack: false, counter };
  writeLe(bytes, length, 4, protectDownlink(side, 0, bytes, length, parts));
  return { plain, sent: bytes.slice(0, length + 4), counter };
}

function opened(
  { side }: ReturnType<typeof serverOf>,
  row: number,
  { sent, counter }: ReturnType<typeof downlinkOf>,
) {
  const bytes = sent.slice();
  const parsed = new ParsedFrame();
  expect(parseDataFrame(bytes, bytes.length, parsed)).toBe(true);
  const isOpen = openDownlink(side, row, bytes, bytes.length, parsed, counter);
  return { isOpen, text: bytes.slice(0, -4), isAsSent: bytes.every((byte, i) => byte === sent[i]) };
}

describe.each([
  ['1.0', 0],
  ['1.1', 1],
] as const)('a downlink of LoRaWAN %s', (_, minor) => {
  it('is opened to what was protected', () => {
    const server = serverOf(minor);
    const downlink = downlinkOf(server, 9);
    expect([...downlink.sent.slice(0, -4)]).not.toEqual([...downlink.plain]);
    expect(opened(server, 0, downlink)).toMatchObject({ isOpen: true, text: downlink.plain });
  });

  it('has FOpts in clear in 1.0 alone', () => {
    const server = serverOf(minor);
    const { plain, sent } = downlinkOf(server, 9);
    const isClear = sent[8] === plain[8] && sent[9] === plain[9];
    expect(isClear).toBe(minor === 0);
  });

  it('stays as it is where it is another device’s, or of another address by now', () => {
    const server = serverOf(minor);
    const downlink = downlinkOf(server, 9);
    expect(opened(server, 1, downlink)).toMatchObject({ isOpen: false, isAsSent: true });
    server.c.devAddr[0]!++;
    expect(opened(server, 0, downlink)).toMatchObject({ isOpen: false, isAsSent: true });
  });
});

it('a downlink of LoRaWAN 1.0 stays as it is where its address has other keys by now', () => {
  const server = serverOf(0);
  const downlink = downlinkOf(server, 9);
  server.side.registrations.nwkSKeys.set(0, new Uint8Array(16).fill(1));
  expect(opened(server, 0, downlink)).toMatchObject({ isOpen: false, isAsSent: true });
});

describe('counters of downlinks', () => {
  it.each([
    ['a session of 1.0 with counters left', 0, LAST, LAST + 1, true],
    ['no session of 1.0 without', 0, LAST + 1, 0, false],
    ['a session of 1.1 with both left', 1, LAST, LAST, true],
    ['no session of 1.1 without those of the network', 1, LAST + 1, 0, false],
    ['no session of 1.1 without those of the application', 1, 0, LAST + 1, false],
  ] as const)('allow %s', (_, minor, fCntDown, aFCntDown, isAllowed) => {
    const { side, c } = serverOf(minor);
    [c.fCntDown[0], c.aFCntDown[0]] = [fCntDown, aFCntDown];
    expect(canBeSentTo(side, 0)).toBe(isAllowed);
    c.active[0] = 0;
    expect(canBeSentTo(side, 0)).toBe(false);
  });

  it('are one in 1.0, and two in 1.1, each taken once', () => {
    const { side, c } = serverOf(0);
    const taken = (row: number, ports: readonly boolean[]) =>
      ports.map((isApplication) => takeFCntDown(side, row, isApplication));
    [c.fCntDown[0], c.aFCntDown[0]] = [7, 90];
    expect(taken(0, [true, false, true])).toEqual([7, 8, 9]);
    c.minor[0] = 1;
    expect(taken(0, [true, false, true, false])).toEqual([90, 10, 91, 11]);
    c.fCntDown[0] = LAST;
    expect(taken(0, [false])).toEqual([LAST]);
    expect(() => takeFCntDown(side, 0, false)).toThrow('is sent nothing');
  });
});
