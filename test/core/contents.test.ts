/** Contents stand once, beside records, digests and snapshots, while some record names them. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { beside } from '../support/worlds.ts';
import { got } from './resources/service.ts';
import { emptyWorld } from './resources/things.ts';

const upload = (world: World, name: string, byte: number, by = 'ann') =>
  got(world.submit({ kind: 'image.create', by, name, bytes: new Uint8Array(1000).fill(byte) }));
const remove = (world: World, name: string, by = 'ann') =>
  got(world.submit({ kind: 'image.delete', by, name }));
const hashesOf = (world: World) => world.contents().map(({ sha256 }) => sha256);

/** Ann has two images with equal bytes and one with others; Bob has one of the first. */
function filled(): World {
  const world = emptyWorld();
  upload(world, 'a.bin', 1);
  upload(world, 'b.bin', 1);
  upload(world, 'c.bin', 2);
  upload(world, 'a.bin', 1, 'bob');
  return world;
}

/** The failure of a restore, whatever is stored beside. */
const failureOf = (
  world: World,
  stored: { contents?: (sha256: string) => Uint8Array | undefined },
) => {
  const restored = World.fromBytes(world.plan, world.seed, world.toBytes(), stored);
  return restored.ok ? undefined : restored.failure;
};

describe('contents', () => {
  it('stand once, in the order of their hashes, however many images have them', () => {
    const world = filled();
    const hashes = hashesOf(world);
    expect(hashes).toHaveLength(2);
    expect(hashes).toEqual([...hashes].sort());
    expect(
      world
        .contents()
        .map(({ bytes }) => bytes[0])
        .sort(),
    ).toEqual([1, 2]);
  });

  it('are gone with the last image that has them, whosever it is', () => {
    const world = filled();
    const two = hashesOf(world);
    for (const name of ['a.bin', 'b.bin']) remove(world, name);
    expect(hashesOf(world)).toEqual(two);
    remove(world, 'a.bin', 'bob');
    expect(world.contents().map(({ bytes }) => bytes[0])).toEqual([2]);
    remove(world, 'c.bin');
    expect(world.contents()).toEqual([]);
    upload(world, 'a.bin', 1);
    expect(two).toContain(hashesOf(world)[0]);
  });

  it('are shared by a world, its snapshots as plain data and its forks', () => {
    const world = filled();
    const [content] = world.contents();
    const restored = World.restore(world.plan, world.seed, world.snapshot());
    for (const other of [world.fork(), restored]) {
      expect(other.contents()[0]!.bytes).toBe(content!.bytes);
      expect(other.digest()).toEqual(world.digest());
    }
    const fork = world.fork();
    for (const name of ['a.bin', 'b.bin', 'c.bin']) remove(fork, name);
    expect(hashesOf(world)).toHaveLength(2);
  });

  it('share nothing with the command that brought them', () => {
    const world = emptyWorld();
    const bytes = new Uint8Array(1000).fill(1);
    got(world.submit({ kind: 'image.create', by: 'ann', name: 'a.bin', bytes }));
    bytes.fill(9);
    expect(world.contents()[0]!.bytes).toEqual(new Uint8Array(1000).fill(1));
  });
});

describe('a snapshot as bytes', () => {
  it('names contents and has none of them; with them it is the world that it was', () => {
    const world = filled();
    const restored = got(
      World.fromBytes(world.plan, world.seed, world.toBytes(), beside(world.contents())),
    );
    expect(restored.digest()).toEqual(world.digest());
    expect(restored.toBytes()).toEqual(world.toBytes());
    expect(hashesOf(restored)).toEqual(hashesOf(world));
    const bytes = new Uint8Array(4 * 1024 * 1024);
    const before = world.toBytes().length;
    got(world.submit({ kind: 'image.create', by: 'ann', name: 'd.bin', bytes }));
    expect(world.toBytes().length - before).toBeLessThan(300);
  });

  it('is refused when contents are missing or others, and the failure names them', () => {
    const world = filled();
    for (const missing of hashesOf(world)) {
      const { contents } = beside(world.contents());
      const without = (sha256: string) => (sha256 === missing ? undefined : contents(sha256));
      const spoilt = (sha256: string) =>
        sha256 === missing ? new Uint8Array(1000).fill(7) : contents(sha256);
      for (const [port, what] of [
        [without, 'missing'],
        [spoilt, 'damaged'],
      ] as const) {
        expect(failureOf(world, { contents: port })).toMatchObject({
          code: 'snapshot.contents',
          message: `The contents with SHA-256 ${missing} are ${what}.`,
        });
      }
    }
    expect(failureOf(world, {})).toMatchObject({ code: 'snapshot.contents' });
    expect(failureOf(emptyWorld(), {})).toBeUndefined();
  });
});
