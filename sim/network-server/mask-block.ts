/**
 * The shortest block of ChMaskCntl and ChMask that turns one channel mask into another.
 * LinkADRReq differs by the kind of plan (RP002-1.0.4).
 */

import { assert } from '../base/assert.ts';
import { applyChannelMask, type Region } from '../lorawan/region.ts';
import { bytesOfMask, type ChannelMask, sameMask } from '../spectrum/channel-set.ts';

/** One LinkADRReq's part of a channel mask. */
export interface MaskStep {
  readonly chMaskCntl: number;
  readonly chMask: number;
}

/** LinkADRReqs that one frame carries at most; what is left follows in the next. */
export const MOST_STEPS = 4;

const NARROW_CHANNELS = 64;
const WIDE_BANK = 4;
const GROUPS = 5;
const NARROW_ON = 6;
const NARROW_OFF = 7;

/** Bits `first` … `first + count − 1` of a mask of bytes. */
function bitsOf(enabled: Uint8Array, first: number, count: number): number {
  let bits = 0;
  for (let i = 0; i < count; i++) bits |= (enabled[first + i] ?? 0) << i;
  return bits;
}

/**
 * Steps from what is believed to be on to what is to be on; at least one, which changes nothing
 * when nothing is to change. At most `MOST_STEPS`: then some channels stay as they are for now, and
 * some channel is on after each step.
 */
export function maskBlock(
  plan: Region,
  believed: ChannelMask,
  wanted: ChannelMask,
): readonly MaskStep[] {
  const on = bytesOfMask(wanted, plan.maxUplinkChannels);
  if (plan.channelMask === 'bank16') return [{ chMaskCntl: 0, chMask: bitsOf(on, 0, 16) }];
  const was = bytesOfMask(believed, plan.maxUplinkChannels);
  if (sameMask(believed, wanted)) return [bank(on, 0)];
  const changed = changedBanks(was, on);
  assert(changed.length > 0, 'masks that differ have a bank that differs');
  if (plan.channelMask === 'banks96') return changed.slice(0, MOST_STEPS);
  const wide = bitsOf(on, NARROW_CHANNELS, 8);
  const narrow = on.subarray(0, NARROW_CHANNELS);
  const choices: MaskStep[][] = [changed];
  // Whether groups of eight narrow channels are on together with their wide ones.
  if (narrow.every((one, index) => one === ((wide >> (index >> 3)) & 1)))
    choices.push([{ chMaskCntl: GROUPS, chMask: wide }]);
  if (narrow.every((one) => one === 1)) choices.push([{ chMaskCntl: NARROW_ON, chMask: wide }]);
  const some = [0, 1, 2, 3].map((n) => bank(on, n)).filter(({ chMask }) => chMask !== 0);
  choices.push([{ chMaskCntl: NARROW_OFF, chMask: wide }, ...some]);
  const shortest = choices.reduce((a, b) => (b.length < a.length ? b : a));
  assert(shortest.length > 0, 'masks that differ take a step');
  return shortest.slice(0, MOST_STEPS);
}

const bank = (on: Uint8Array, n: number): MaskStep => ({
  chMaskCntl: n,
  chMask: bitsOf(on, 16 * n, n === WIDE_BANK && on.length === 72 ? 8 : 16),
});

/** Banks that differ, those with channels first: something is on at any time. */
function changedBanks(was: Uint8Array, on: Uint8Array): MaskStep[] {
  const banks = Array.from({ length: Math.ceil(on.length / 16) }, (_, n) => n)
    .filter((n) => bank(was, n).chMask !== bank(on, n).chMask)
    .map((n) => bank(on, n));
  return [
    ...banks.filter(({ chMask }) => chMask !== 0),
    ...banks.filter((one) => one.chMask === 0),
  ];
}

/** The mask after a block that a device has obeyed. */
export function afterBlock(
  plan: Region,
  believed: ChannelMask,
  defined: Uint8Array,
  steps: readonly MaskStep[],
): Uint8Array {
  const enabled = bytesOfMask(believed, plan.maxUplinkChannels);
  for (const { chMaskCntl, chMask } of steps) {
    applyChannelMask(plan, chMaskCntl, chMask, enabled, defined);
  }
  return enabled;
}
