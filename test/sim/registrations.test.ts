/** What the server knows of its devices: names, addresses, sessions that wait, nonces. */
import { describe, expect, it } from 'vitest';
import { DrawPurpose, draw } from '../../sim/base/random.ts';
import { NEVER_US } from '../../sim/gateway/downlinks.ts';
import { i32, NONE, opaque, Table } from '../../sim/kernel/columns.ts';
import { versionNumber } from '../../sim/lorawan/versions.ts';
import { HEARD_BY, heardGateway, heardLevel } from '../../sim/network-server/heard-word.ts';
import { NEXT_KEYS, NextKey, Registrations } from '../../sim/network-server/registrations.ts';
import { RootKeys } from '../../sim/plan/root-keys.ts';

const MOST_NWK_ADDR = 0x1ff_ffff;
const KEY_BYTES = 16;

const euiOf = (number: number): string => number.toString(16).toUpperCase().padStart(16, '0');

/** Devices `1`, `2`, … of these keys. */
function devicesOf(count: number, netId = 0, key = (row: number) => row) {
  const entities = new Table({ key0: opaque(i32), key1: opaque(i32) });
  for (let row = 0; row < count; row++) {
    entities.add();
    entities.column.key0[row] = key(row);
    entities.column.key1[row] = 7;
  }
  const devices = new Registrations(netId, new RootKeys(entities));
  for (let row = 0; row < count; row++) {
    devices.add({ devEui: euiOf(row + 1), name: `${row + 1}` }, row === 1 ? 5 : 0);
  }
  return devices;
}

/** The NwkAddr that is drawn first for a device with these keys. */
const drawnAddr = (key0: number, joinNonce = 0): number =>
  draw(key0, 7, DrawPurpose.devAddr, joinNonce) & MOST_NWK_ADDR;

/** The same from what is saved. */
function loaded(devices: Registrations): Registrations {
  const others = devicesOf(0);
  others.load(structuredClone(devices.save()));
  return others;
}

describe('a device that comes into the network', () => {
  it('is found by its EUI and its name, has no session, and was not heard', () => {
    const devices = devicesOf(2);
    expect([1, 2, 3].map((number) => devices.byEui(euiOf(number)))).toEqual([0, 1, NONE]);
    expect([devices.byName('2'), devices.byName('3')]).toEqual([[1], []]);
    const { alive, active, fCntUp, nbTrans, lastUplinkAtUs } = devices.column;
    expect([alive[0], active[0], fCntUp[0], nbTrans[0]]).toEqual([1, 0, NONE, 1]);
    expect(lastUplinkAtUs[0]).toBe(NEVER_US);
    expect([devices.createdAtUs(0), devices.createdAtUs(1)]).toEqual([0, 5]);
  });

  it('was there from the start where nobody came later', () => {
    expect(devicesOf(1).createdAtUs(0)).toBe(0);
  });

  it('is found no more once it is gone, by EUI, name and address', () => {
    const devices = devicesOf(2);
    devices.openSession(0);
    devices.offerSession(0);
    const { devAddr, nextDevAddr } = devices.column;
    const addresses = [devAddr[0]!, nextDevAddr[0]!];
    expect(addresses.map((each) => devices.byAddr(each))).toEqual([0, 0]);
    expect(devices.byName('1')).toEqual([0]);
    devices.retire(0);
    expect(addresses.map((each) => devices.byAddr(each))).toEqual([NONE, NONE]);
    expect([devices.byEui(euiOf(1)), devices.byName('1')]).toEqual([NONE, []]);
    expect([devices.column.alive[0], devices.column.active[0]]).toEqual([0, 0]);
    expect([devices.byEui(euiOf(2)), devices.byName('2')]).toEqual([1, [1]]);
    expect(() => devices.openSession(0)).toThrow('only a device of the network has a session');
    expect(() => devices.offerSession(0)).toThrow('only a device of the network has a session');
  });
});

describe('a name', () => {
  it.each([
    ['before anybody asks', false],
    ['after somebody has asked', true],
  ])('may be that of several devices, and leaves one alone: %s', (_, asked) => {
    const devices = devicesOf(4);
    if (asked) expect(devices.byName('1')).toEqual([0]);
    devices.rename(1, '1');
    devices.rename(2, '1');
    expect([...devices.byName('1')].sort()).toEqual([0, 1, 2]);
    expect([devices.byName('2'), devices.byName('3')]).toEqual([[], []]);
    devices.rename(1, 'other');
    devices.retire(0);
    expect([devices.byName('1'), devices.byName('other')]).toEqual([[2], [1]]);
    expect(devices.byEui(euiOf(2))).toBe(1);
  });
});

describe('a fresh address', () => {
  it('is of the network, and is drawn by the keys of the device and its JoinNonce', () => {
    const devices = devicesOf(1, 0xff_ff93);
    devices.column.joinNonce[0] = 3;
    devices.openSession(0);
    expect(devices.column.devAddr[0]).toBe(0x13 * 2 ** 25 + drawnAddr(0, 3));
    expect(devices.byAddr(devices.column.devAddr[0]!)).toBe(0);
  });

  it('is the next one while it is taken', () => {
    const devices = devicesOf(3, 0, () => 1);
    for (const row of [0, 1, 2]) devices.openSession(row);
    const first = drawnAddr(1);
    expect([...devices.column.devAddr.subarray(0, 3)]).toEqual([first, first + 1, first + 2]);
  });

  it('is free again when its session is over', () => {
    const devices = devicesOf(2, 0, () => 1);
    devices.openSession(0);
    devices.openSession(0, 99);
    devices.openSession(1);
    expect([...devices.column.devAddr.subarray(0, 2)]).toEqual([99, drawnAddr(1)]);
    expect(() => devices.openSession(1, 99)).toThrow('an address is that of one session');
  });
});

describe('a session', () => {
  it('begins with counters and history anew', () => {
    const devices = devicesOf(1);
    const c = devices.column;
    [c.fCntUp[0], c.fCntDown[0], c.awaitsAck[0], c.historyCount[0]] = [9, 8, 1, 7];
    devices.openSession(0);
    expect([c.active[0], c.fCntUp[0], c.fCntDown[0], c.awaitsAck[0], c.historyCount[0]]).toEqual([
      1,
      NONE,
      0,
      0,
      0,
    ]);
  });

  it('waits beside the present one, and takes its place with its keys', () => {
    const devices = devicesOf(3);
    for (const row of [0, 1, 2]) devices.openSession(row);
    devices.offerSession(1);
    const c = devices.column;
    const [before, next] = [c.devAddr[1]!, c.nextDevAddr[1]!];
    expect(before).not.toBe(next);
    expect([devices.byAddr(before), devices.byAddr(next)]).toEqual([1, 1]);
    expect([devices.isAvailable(1, next), devices.isAvailable(1, before)]).toEqual([true, false]);
    expect(devices.isAvailable(0, next)).toBe(false);
    const keyOf = (key: number) => new Uint8Array(KEY_BYTES).fill(10 + key);
    for (let key = 0; key < NEXT_KEYS; key++) {
      c.nextKeys.set(keyOf(key), (NEXT_KEYS + key) * KEY_BYTES);
    }
    devices.table.need('keys11');
    devices.column.aFCntDown[1] = 6;
    devices.adoptSession(1);
    const now = devices.column;
    expect([devices.byAddr(before), devices.byAddr(next)]).toEqual([NONE, 1]);
    expect([now.devAddr[1], now.minor[1], now.aFCntDown[1]]).toEqual([next, 1, 0]);
    expect(devices.isAvailable(1, next)).toBe(false);
    const bytesOf = ({ keys, at }: { keys: Uint8Array; at: number }) =>
      keys.slice(at, at + KEY_BYTES);
    expect(bytesOf(devices.nwkSKeys.of(1))).toEqual(keyOf(NextKey.fNwkSInt));
    expect(bytesOf(devices.appSKeys.of(1))).toEqual(keyOf(NextKey.appS));
    const [from, until] = [KEY_BYTES, 2 * KEY_BYTES];
    expect(now.sNwkSIntKey.slice(from, until)).toEqual(keyOf(NextKey.sNwkSInt));
    expect(now.nwkSEncKey.slice(from, until)).toEqual(keyOf(NextKey.nwkSEnc));
    expect(() => devices.adoptSession(1)).toThrow('a session is adopted that waits');
  });

  it('that waits is replaced by a later one, whose address alone is taken', () => {
    const devices = devicesOf(1);
    devices.offerSession(0);
    const first = devices.column.nextDevAddr[0]!;
    devices.column.joinNonce[0] = 1;
    devices.offerSession(0);
    const second = devices.column.nextDevAddr[0]!;
    expect([devices.byAddr(first), devices.byAddr(second)]).toEqual([NONE, 0]);
  });

  it('of nobody waits where none was ever offered', () => {
    expect(devicesOf(1).isAvailable(0, 0)).toBe(false);
  });
});

describe('a DevNonce', () => {
  const used = (version: '1.0.2' | '1.0.4', nonces: readonly number[]) => {
    const devices = devicesOf(2);
    devices.column.version.fill(versionNumber(version));
    const answers = nonces.map((nonce) => devices.useDevNonce(0, nonce));
    return { devices, answers };
  };

  it('that counts is greater than the one before', () => {
    const { devices, answers } = used('1.0.4', [0, 0, 5, 4, 5, 6, 0xffff]);
    expect(answers).toEqual([true, false, true, false, false, true, true]);
    expect(devices.column.devNonce[0]).toBe(0xffff);
    expect(devices.useDevNonce(1, 0)).toBe(true);
  });

  it('that is drawn is any that was not used before', () => {
    const { devices, answers } = used('1.0.2', [5, 4, 5, 4, 0, 0]);
    expect(answers).toEqual([true, true, false, false, true, false]);
    expect(devices.column.devNonce[0]).toBe(0);
    expect(devices.useDevNonce(1, 5)).toBe(true);
    const after = loaded(devices);
    expect([5, 4, 0, 6].map((nonce) => after.useDevNonce(0, nonce))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    // What is loaded shares nothing.
    expect(devices.useDevNonce(0, 6)).toBe(true);
  });

  it('has 16 bits', () => {
    const devices = devicesOf(1);
    expect(() => devices.useDevNonce(0, 0x1_0000)).toThrow('a DevNonce has 16 bits');
    expect(() => devices.useDevNonce(0, -1)).toThrow('a DevNonce has 16 bits');
  });
});

describe('gateways that heard a device', () => {
  const heardBy = (devices: Registrations, row: number) =>
    [...devices.column.heard.subarray(row * HEARD_BY, (row + 1) * HEARD_BY)]
      .filter((word) => word !== 0)
      .map((word) => [heardGateway(word), heardLevel(word)])
      .sort(([a], [b]) => a! - b!);

  it('are the strongest, each at its latest level', () => {
    const devices = devicesOf(2);
    for (let gateway = 0; gateway < HEARD_BY; gateway++) {
      devices.noteHeard(1, gateway, -10_000 - gateway);
    }
    const all = Array.from({ length: HEARD_BY }, (_, gateway) => [gateway, -10_000 - gateway]);
    expect(heardBy(devices, 1)).toEqual(all);
    const weakest = HEARD_BY - 1;
    devices.noteHeard(1, 100, -10_000 - weakest);
    expect(heardBy(devices, 1)).toEqual(all);
    devices.noteHeard(1, 100, -9_999 - weakest);
    expect(heardBy(devices, 1)).toEqual([...all.slice(0, -1), [100, -9_999 - weakest]]);
    devices.noteHeard(1, 0, -13_000);
    expect(heardBy(devices, 1)[0]).toEqual([0, -13_000]);
    devices.noteHeard(1, 200, -12_999);
    expect(heardBy(devices, 1).map(([gateway]) => gateway)).not.toContain(0);
    expect(heardBy(devices, 0)).toEqual([]);
  });
});

describe('what is saved', () => {
  it('has everything by which devices are found', () => {
    const devices = devicesOf(3);
    devices.openSession(0);
    devices.openSession(1);
    devices.offerSession(1);
    devices.rename(1, 'renamed');
    devices.retire(2);
    const after = loaded(devices);
    expect([1, 2, 3].map((number) => after.byEui(euiOf(number)))).toEqual([0, 1, NONE]);
    expect([after.byName('renamed'), after.byName('2'), after.byName('3')]).toEqual([[1], [], []]);
    const { devAddr, nextDevAddr } = devices.column;
    expect([devAddr[0]!, devAddr[1]!, nextDevAddr[1]!].map((at) => after.byAddr(at))).toEqual([
      0, 1, 1,
    ]);
    expect(after.isAvailable(1, nextDevAddr[1]!)).toBe(true);
    expect(after.save()).toEqual(devices.save());
  });

  it('takes the place of what was there', () => {
    const devices = devicesOf(1);
    const other = devicesOf(2);
    other.openSession(1);
    const address = other.column.devAddr[1]!;
    expect(other.byName('2')).toEqual([1]);
    other.load(structuredClone(devices.save()));
    expect([other.byEui(euiOf(2)), other.byName('2'), other.byAddr(address)]).toEqual([
      NONE,
      [],
      NONE,
    ]);
  });
});
