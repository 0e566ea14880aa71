/** The memory of the engine of codecs: what is restored is what was there, and nothing else. */
import { expect, it } from 'vitest';
import { type Image, Machine } from '../../api/host/codecs/machine.ts';
import { CODEC_LIMITS } from '../../core/codecs/engine.ts';

/** What a script leaves in the heap. */
const grow = (machine: Machine, script: string): void => {
  machine.allow(CODEC_LIMITS.loadSteps);
  machine.evaluate(script, 'a.js');
};

const isSame = (one: Image, other: Image): boolean =>
  Buffer.compare(one.heap, other.heap) === 0 && Buffer.compare(one.statics, other.statics) === 0;

it('an image has the whole heap, to its last byte, and restores to the same image', () => {
  const machine = new Machine();
  const before = machine.image();
  expect(before.heap.subarray(-4).some((byte) => byte !== 0)).toBe(true);
  grow(machine, "globalThis.entries = Array.from({ length: 9000 }, (_, i) => 'entry ' + i); 1");
  const grown = machine.image();
  expect(grown.heap.length).toBeGreaterThan(before.heap.length);
  machine.restoreAll(before);
  expect(isSame(machine.image(), before)).toBe(true);
  machine.restoreAll(grown);
  expect(isSame(machine.image(), grown)).toBe(true);
});
