/** Blocks that devices rebuilt, compared with the images of their groups. */
import { describe, expect, it } from 'vitest';
import { RebuiltImages } from '../../core/world/rebuilt-images.ts';

const IMAGE = { bytes: Uint8Array.of(1, 2, 3) };
const WRONG = Uint8Array.of(1, 2, 4);

describe('rebuilt images', () => {
  it('are counted by group, the right ones apart', () => {
    const images = new RebuiltImages();
    for (const block of [IMAGE.bytes, WRONG, IMAGE.bytes]) images.compare(7, block, () => IMAGE);
    images.compare(8, WRONG, () => IMAGE);
    expect([7, 8, 9].map((group) => images.of(group))).toEqual([
      { rebuilt: 3, right: 2 },
      { rebuilt: 1, right: 0 },
      { rebuilt: 0, right: 0 },
    ]);
  });

  it('are not counted for a group without image', () => {
    const images = new RebuiltImages();
    images.compare(7, WRONG, () => undefined);
    expect(images.save()).toEqual([]);
  });

  it('keep nothing of ten thousand campaigns that were deleted, and all of the others', () => {
    const images = new RebuiltImages();
    const alive = new Set([0, 1]);
    const imageOf = (group: number) => (alive.has(group) ? IMAGE : undefined);
    for (const group of alive) images.compare(group, IMAGE.bytes, imageOf);
    for (let group = 2; group < 10_000; group++) {
      alive.add(group);
      images.compare(group, IMAGE.bytes, imageOf);
      expect(images.of(group)).toEqual({ rebuilt: 1, right: 1 });
      alive.delete(group);
    }
    expect(images.save().map(([group]) => group)).toEqual([0, 1, 9_999]);
    const again = new RebuiltImages();
    again.load(images.save());
    expect(again.save()).toEqual(images.save());
  });
});
