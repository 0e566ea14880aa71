/** Which part of a plan is simulated where all of its devices would take too long. */

import { type Estimate, estimate } from './estimate.ts';
import type { Asked } from './plan-settings.ts';

export interface Sample {
  /** What is simulated, and what is estimated of it. */
  readonly estimate: Estimate;
  readonly kind: 'all' | 'gateways' | 'devices';
}

/**
 * All of it where that is at most `most` devices. Else some of the gateways with all of their
 * devices: the others would change nothing for these but the pace, which is stored. Where one
 * gateway has more devices than that, that many of one: they are set up sooner, and have an
 * estimate of their own.
 */
export function sampleOf(whole: Estimate, most: number): Sample {
  const { asked, devices, gateways } = whole.settled;
  if (devices <= most) return { estimate: whole, kind: 'all' };
  const each = Math.ceil(devices / gateways);
  const some = Math.floor(most / each);
  const staggers = whole.settled.session === 'C' && whole.settled.timing === 'staggered';
  const pace = staggers && gateways > 1 ? { delayUs: whole.session.delayUs } : {};
  const part: Asked = {
    ...asked,
    ...pace,
    devices: some > 0 ? some * each : most,
    gateways: Math.max(1, some),
    redundancy: { fragments: whole.redundancy },
  };
  const found = estimate(part);
  // A part of what goes, goes.
  if ('faults' in found) return { estimate: whole, kind: 'all' };
  return { estimate: found, kind: some > 0 ? 'gateways' : 'devices' };
}
