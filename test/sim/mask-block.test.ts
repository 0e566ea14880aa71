/** Blocks of LinkADRReq that turn one channel mask into another (RP002-1.0.4, ChMaskCntl). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RegionName, region } from '../../sim/lorawan/region.ts';
import { afterBlock, MOST_STEPS, maskBlock } from '../../sim/network-server/mask-block.ts';
import {
  type ChannelMask,
  hasChannel,
  maskOf,
  maskOfBytes,
  sameMask,
} from '../../sim/spectrum/channel-set.ts';

const masks = (channels: number): fc.Arbitrary<ChannelMask> =>
  fc.oneof(
    fc
      .uint8Array({ minLength: 12, maxLength: 12 })
      .map((bytes) => maskOf((index) => ((bytes[index >> 3]! >> (index & 7)) & 1) === 1, channels)),
    fc.nat(11).map((group) => maskOf((index) => index >> 3 === group, channels)),
    fc.constant(maskOf(() => true, channels)),
  );

describe.each([
  ['EU868', 16],
  ['US915', 72],
  ['AU915', 72],
  ['CN470', 96],
] as const)('masks of %s', (name: RegionName, channels) => {
  const plan = region(name);
  const defined = new Uint8Array(channels).fill(1);

  it('come to what is wanted, and some channel is on at any time', () => {
    fc.assert(
      fc.property(masks(channels), masks(channels), (from, to) => {
        fc.pre([from, to].every((mask) => mask.some((word) => word !== 0)));
        let believed: ChannelMask = from;
        for (let blocks = 0; !sameMask(believed, to); blocks++) {
          expect(blocks).toBeLessThan(3);
          const steps = maskBlock(plan, believed, to);
          expect(steps.length).toBeLessThanOrEqual(MOST_STEPS);
          believed = maskOfBytes(afterBlock(plan, believed, defined, steps));
          expect(believed.some((word) => word !== 0)).toBe(true);
        }
      }),
    );
  });

  it('that are right already are said again in one step that changes nothing', () => {
    fc.assert(
      fc.property(masks(channels), (mask) => {
        const steps = maskBlock(plan, mask, mask);
        expect(steps).toHaveLength(1);
        expect(maskOfBytes(afterBlock(plan, mask, defined, steps))).toEqual(mask);
      }),
    );
  });
});

describe('a sub-band of US915 or AU915', () => {
  // Groups of eight narrow channels with the wide channel of the same number.
  const cases = (['US915', 'AU915'] as const).flatMap((name) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((group) => [name, group] as const),
  );

  it.each(cases)('takes a single LinkADRReq from all channels on: %s, group %i', (name, group) => {
    const all = maskOf(() => true, 72);
    const subBand = maskOf((index) => index >> 3 === group || index === 64 + group, 72);
    expect(maskBlock(region(name), all, subBand)).toEqual([{ chMaskCntl: 5, chMask: 1 << group }]);
    expect(hasChannel(subBand, 64 + group)).toBe(true);
  });
});

describe('a block of US915', () => {
  const plan = region('US915');
  const defined = new Uint8Array(72).fill(1);
  const all = maskOf(() => true, 72);
  const wideOnly = maskOf((index) => index === 64 || index === 69, 72);

  it.each<[string, ChannelMask, readonly { chMaskCntl: number; chMask: number }[]]>([
    ['takes one step to wide channels alone', wideOnly, [{ chMaskCntl: 7, chMask: 0x21 }]],
    [
      'takes three steps to two narrow channels in two banks and a wide one',
      maskOf((index) => index === 3 || index === 18 || index === 65, 72),
      [
        { chMaskCntl: 7, chMask: 2 },
        { chMaskCntl: 0, chMask: 1 << 3 },
        { chMaskCntl: 1, chMask: 1 << 2 },
      ],
    ],
    [
      'takes one step to all narrow channels and some wide ones',
      maskOf((index) => index < 64 || index === 71, 72),
      [{ chMaskCntl: 4, chMask: 0x80 }],
    ],
    [
      'takes two steps to the channels of one bank, which is named after the others are off',
      maskOf((index) => index < 16, 72),
      [
        { chMaskCntl: 7, chMask: 0 },
        { chMaskCntl: 0, chMask: 0xffff },
      ],
    ],
    [
      'changes the bank alone that differs',
      maskOf((index) => index !== 20, 72),
      [{ chMaskCntl: 1, chMask: 0xffef }],
    ],
  ])('%s', (_, wanted, steps) => {
    expect(maskBlock(plan, all, wanted)).toEqual(steps);
    expect(maskOfBytes(afterBlock(plan, all, defined, steps))).toEqual(wanted);
  });

  it('takes one step from one channel to all narrow ones', () => {
    const one = maskOf((index) => index === 3, 72);
    const narrow = maskOf((index) => index < 64, 72);
    expect(maskBlock(plan, one, narrow)).toEqual([{ chMaskCntl: 6, chMask: 0 }]);
  });
});
