/** Whether a campaign's image fits into a fragmentation session, and is well cut (TS004-1.0.0). */
import {
  fragmentCount,
  isDefective,
  MAX_FRAGMENT_NUMBER,
  nearestGoodFragSize,
} from '../../sim/lorawan/fragmentation-code.ts';
import type { Region } from '../../sim/lorawan/region.ts';
import { readQuantity } from '../language/quantity.ts';
import { readMulticastDataRate } from '../language/update-readers.ts';
import type { Named, Report } from './members.ts';
import { mostFragmentBytes } from './regional-check.ts';

/** Bytes. */
export type ImageSize = number;

const WHOLE = { least: 0, most: 1_000_000 };
const BYTES = { least: 1, most: 255 };

/** Without a fragment size the largest of the data rate, or of any, is counted with. */
export function checkFragments(
  { path, entry }: Named,
  sizes: ReadonlyMap<string, ImageSize>,
  { plan, lifted }: { readonly plan: Region; readonly lifted: boolean },
  report: Report,
  warn: Report,
): void {
  const bytes = typeof entry.image === 'string' ? sizes.get(entry.image) : undefined;
  const share = readQuantity(entry.redundancy ?? '30 %', 'share', WHOLE);
  const asked = readMulticastDataRate(entry.mcast_dr);
  const most = mostFragmentBytes(plan, asked.ok ? asked.value : undefined, lifted);
  const given = readQuantity(entry.frag_size, 'size', BYTES);
  const fragSize = given.ok ? given.value : most;
  if (bytes === undefined || bytes < 1 || !share.ok || fragSize < 1) return;
  const nbFrag = fragmentCount(bytes, fragSize);
  const redundancy = Math.ceil(nbFrag * (share.value / 1e6));
  if (nbFrag + redundancy > MAX_FRAGMENT_NUMBER) {
    const cut = `${bytes} B are ${nbFrag} fragments of ${fragSize} B`;
    const what = `${cut}, and ${redundancy} for redundancy`;
    const allowed = `at most ${MAX_FRAGMENT_NUMBER} in all`;
    report([...path, 'image'], { what, allowed });
  } else if (given.ok && isDefective(nbFrag)) {
    const what =
      `${bytes} B are ${nbFrag} fragments of ${fragSize} B: of multiples of 64 from 192 on, ` +
      'but powers of two, some pairs can hardly be rebuilt when both are lost';
    warn([...path, 'frag_size'], {
      what,
      meant: `${nearestGoodFragSize(bytes, fragSize, most) ?? fragSize} B`,
    });
  }
}
