/** Firmware that devices of campaigns gave up as they activated images. */
import { describe, expect, it } from 'vitest';
import { ActivatedImages } from '../../core/world/activated-images.ts';

const isMember = () => true;

describe('activated images', () => {
  it('tell what a device ran from an instant on and before another one', () => {
    const images = new ActivatedImages();
    images.note('A', 1, 100, isMember);
    images.note('A', 2, 200, isMember);
    expect(images.within('A', 0, Infinity, 3)).toEqual([1, 2, 3]);
    expect(images.within('A', 100, Infinity, 3)).toEqual([1, 2, 3]);
    expect(images.within('A', 101, Infinity, 3)).toEqual([2, 3]);
    expect(images.within('A', 201, Infinity, 3)).toEqual([3]);
    expect(images.within('A', 0, 200, 3)).toEqual([1, 2]);
    expect(images.within('A', 0, 100, 3)).toEqual([1]);
    expect(images.within('A', Infinity, Infinity, 3)).toEqual([3]);
    expect(images.within('B', 0, Infinity, 7)).toEqual([7]);
  });

  it('are not stored of a device that no campaign has', () => {
    const images = new ActivatedImages();
    images.note('A', 1, 100, () => false);
    expect(images.save()).toEqual([]);
  });

  it('are forgotten of ten thousand devices that are gone, and stored of the others', () => {
    const images = new ActivatedImages();
    const members = new Set(['old']);
    images.note('old', 1, 0, isMember);
    for (let number = 0; number < 10_000; number++) {
      const devEui = `D${number}`;
      members.add(devEui);
      images.note(devEui, 1, number, (each) => members.has(each));
      members.delete(devEui);
      expect(images.save().length).toBeLessThanOrEqual(1_024);
    }
    expect(images.within('old', 0, Infinity, 2)).toEqual([1, 2]);
  });

  it('are the same after they were saved, whatever is noted then', () => {
    const images = new ActivatedImages();
    images.note('A', 1, 100, isMember);
    const again = new ActivatedImages();
    again.load(images.save());
    images.note('A', 2, 200, isMember);
    expect(again.within('A', 0, Infinity, 2)).toEqual([1, 2]);
  });
});
