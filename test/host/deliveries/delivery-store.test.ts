/** What is stored of deliveries: a reader sees the newest, whatever is being written just then. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HOST_TIME } from '../../../api/host/clock/host-time.ts';
import { DeliveryStore } from '../../../api/host/deliveries/delivery-store.ts';
import { ManualTime } from '../../support/manual-time.ts';

it('the latest change is read while the one before is written', async () => {
  const store = await DeliveryStore.open({
    folder: await mkdtemp(join(tmpdir(), 'fleetwave-store-')),
    key: new Uint8Array(32),
    time: HOST_TIME,
    onTrouble: (error) => expect.fail(String(error)),
    onWritten: () => undefined,
    isForNow: true,
  });
  let seen = 0;
  for (let round = 0; round < 40; round++) {
    await store.written();
    const key = `k${round}`;
    store.put(key, { version: 1 });
    for (let turns = 0; turns < round % 8; turns++) await Promise.resolve();
    if (round % 2 === 0) store.put(key, { version: 2 });
    else store.remove(key);
    expect(await store.get(key)).toEqual(round % 2 === 0 ? { version: 2 } : undefined);
    seen++;
  }
  expect(seen).toBe(40);
  await store.close();
});

it('what could not be written is tried again, and nobody is reported before', async () => {
  const time = new ManualTime();
  const troubles: unknown[] = [];
  let writes = 0;
  const store = await DeliveryStore.open({
    folder: await mkdtemp(join(tmpdir(), 'fleetwave-store-')),
    key: new Uint8Array(32),
    time,
    onTrouble: (error) => troubles.push(error),
    onWritten: () => writes++,
    isForNow: true,
  });
  let isFull = true;
  const value = {
    get size() {
      if (isFull) throw new Error('no space');
      return 7;
    },
  };
  store.put('a', value);
  expect(await store.written()).toBe(false);
  expect([troubles.length, writes, store.unwritten]).toEqual([1, 0, 1]);
  await expect(store.flush()).rejects.toThrow('the disk takes nothing');
  isFull = false;
  const written = () => {
    time.pass(1_000);
    return writes;
  };
  await expect.poll(written).toBe(1);
  expect([store.unwritten, await store.get('a')]).toEqual([0, { size: 7 }]);
  await store.flush();
  await store.close();
});

it('is flushed before anything was written, without any trouble', async () => {
  const troubles: unknown[] = [];
  const store = await DeliveryStore.open({
    folder: await mkdtemp(join(tmpdir(), 'fleetwave-store-')),
    key: new Uint8Array(32),
    time: HOST_TIME,
    onTrouble: (error) => troubles.push(error),
    onWritten: () => undefined,
    isForNow: true,
  });
  store.put('a', { version: 1 });
  await expect(store.flush()).resolves.toBeUndefined();
  expect(store.unwritten).toBe(0);
  await store.close();
  expect(troubles).toEqual([]);
});
