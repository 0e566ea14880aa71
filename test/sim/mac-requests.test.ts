/** The MAC commands that a server asks a device by, until they are answered (LoRaWAN 1.0.4 §5). */
import { describe, expect, it } from 'vitest';
import { Digest } from '../../sim/kernel/digest.ts';
import {
  MacRequests,
  REQUEST_BYTES,
  REQUEST_TRIES,
} from '../../sim/network-server/mac-commands/requests.ts';

const DEV_STATUS = 0x06;

it('are not answered by what comes before they were sent', () => {
  const requests = new MacRequests();
  requests.addRow();
  requests.ask(0, Uint8Array.of(DEV_STATUS));
  expect(requests.takeAnswered(0, DEV_STATUS)).toBeUndefined();
  expect(requests.write(0, new Uint8Array(15), 15)).toBe(1);
  expect(requests.takeAnswered(0, DEV_STATUS)).toEqual(Uint8Array.of(DEV_STATUS));
  expect(requests.isWaiting(0, DEV_STATUS)).toBe(false);
});

/** Two devices; what a downlink with room for `most` bytes carries to one of them. */
function twoDevices() {
  const requests = new MacRequests();
  requests.addRow();
  requests.addRow();
  const written = (row: number, most = 100): number[] => {
    const out = new Uint8Array(100);
    return [...out.slice(0, requests.write(row, out, most))];
  };
  const digest = (row: number): string => {
    const digest = new Digest();
    requests.digest(row, digest);
    return digest.hex();
  };
  return { requests, written, digest };
}

const commands = (...bytes: readonly number[]) => Uint8Array.from(bytes);

describe('MAC commands that wait for a device', () => {
  it('go with answers first, each kind in its order, and none to another device', () => {
    const { requests, written } = twoDevices();
    requests.ask(0, commands(3, 1));
    requests.send(0, commands(2, 2));
    requests.ask(0, commands(6));
    requests.send(0, commands(13, 4));
    expect(requests.bytesDue(0)).toBe(7);
    expect(written(0)).toEqual([2, 2, 13, 4, 3, 1, 6]);
    expect([requests.bytesDue(1), written(1)]).toEqual([0, []]);
  });

  it('go once where there is no answer, and else until it comes', () => {
    const { requests, written } = twoDevices();
    requests.send(0, commands(2, 2));
    requests.ask(0, commands(3, 1));
    expect(written(0)).toEqual([2, 2, 3, 1]);
    expect(written(0)).toEqual([3, 1]);
    expect(requests.takeAnswered(0, 3)).toEqual(commands(3, 1));
    expect(written(0)).toEqual([]);
    expect(requests.takeAnswered(0, 3)).toBeUndefined();
  });

  it('are given up after eight downlinks, but an answer still counts', () => {
    const { requests, written } = twoDevices();
    requests.ask(0, commands(3, 1));
    for (let n = 0; n < REQUEST_TRIES; n++) {
      expect(requests.bytesDue(0)).toBe(2);
      expect(written(0)).toEqual([3, 1]);
    }
    expect([requests.bytesDue(0), requests.isWaiting(0, 3)]).toEqual([0, true]);
    expect(written(0)).toEqual([]);
    expect(requests.isWaiting(0, 3)).toBe(false);
    requests.ask(0, commands(3, 1), 1);
    expect([written(0), requests.takeAnswered(0, 3)]).toEqual([[3, 1], commands(3, 1)]);
  });

  it('fill a downlink exactly, and are never parted nor overtaken', () => {
    const { requests, written } = twoDevices();
    requests.ask(0, commands(3, 1, 3, 2));
    requests.ask(0, commands(6));
    expect(written(0, 3)).toEqual([]);
    expect(written(0, 4)).toEqual([3, 1, 3, 2]);
    expect(written(0, 5)).toEqual([3, 1, 3, 2, 6]);
  });

  it('may be as long as four LinkADRReq, and no longer', () => {
    const { requests, written } = twoDevices();
    const longest = new Uint8Array(REQUEST_BYTES).fill(3);
    requests.ask(0, longest);
    expect(written(0)).toEqual([...longest]);
    expect(() => requests.ask(0, new Uint8Array(REQUEST_BYTES + 1))).toThrow('1…20 bytes');
    expect(() => requests.ask(0, new Uint8Array(0))).toThrow('1…20 bytes');
  });

  it('take the place of older ones of their kind, unless they are the same', () => {
    const { requests, written } = twoDevices();
    requests.askInstead(0, commands(3, 1));
    written(0);
    requests.ask(0, commands(6));
    requests.askInstead(0, commands(3, 1));
    expect(written(0)).toEqual([3, 1, 6]);
    requests.askInstead(0, commands(3, 2));
    expect(written(0)).toEqual([6, 3, 2]);
    requests.askInstead(0, commands(3, 2, 3, 2));
    expect(written(0)).toEqual([6, 3, 2, 3, 2]);
    expect(requests.takeAnswered(0, 3)).toEqual(commands(3, 2, 3, 2));
  });

  it('are asked for anew where the same were given up', () => {
    const { requests, written } = twoDevices();
    requests.ask(0, commands(3, 1), 1);
    written(0);
    requests.askInstead(0, commands(3, 1));
    expect(written(0)).toEqual([3, 1]);
  });

  it('are answered in the order in which they were sent', () => {
    const { requests, written } = twoDevices();
    requests.ask(0, commands(3, 1));
    requests.ask(0, commands(6));
    requests.ask(0, commands(3, 2));
    written(0, 3);
    expect(requests.takeAnswered(0, 3)).toEqual(commands(3, 1));
    expect(requests.takeAnswered(0, 3)).toBeUndefined();
    expect(written(0)).toEqual([6, 3, 2]);
  });

  it('are withdrawn by their kind, or all of them, at one device', () => {
    const { requests, written } = twoDevices();
    for (const row of [0, 1]) {
      for (const kind of [3, 6, 3, 8]) requests.ask(row, commands(kind));
    }
    requests.withdraw(0, 3);
    expect(written(0)).toEqual([6, 8]);
    requests.sendInstead(0, commands(8, 1));
    expect(written(0)).toEqual([8, 1, 6]);
    requests.clear(0);
    expect([requests.isWaiting(0, 6), written(0)]).toEqual([false, []]);
    expect(written(1)).toEqual([3, 6, 3, 8]);
  });

  it('are saved, loaded and in the digest', () => {
    const { requests, written, digest } = twoDevices();
    const empty = digest(0);
    requests.ask(0, commands(3, 1));
    requests.send(0, commands(2, 2));
    const waiting = digest(0);
    expect(waiting).not.toBe(empty);
    expect(digest(1)).toBe(empty);
    const loaded = twoDevices();
    loaded.requests.load(requests.save());
    expect(loaded.digest(0)).toBe(waiting);
    expect(loaded.written(0)).toEqual([2, 2, 3, 1]);
    written(0);
    expect(digest(0)).not.toBe(waiting);
    expect(loaded.digest(0)).toBe(digest(0));
  });
});
