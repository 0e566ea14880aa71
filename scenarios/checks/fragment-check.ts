/** Whether a campaign's image fits into a fragmentation session, and is well cut (TS004-1.0.0). */
import {
  fragmentCount,
  isDefective,
  MAX_FRAGMENT_NUMBER,
  nearestGoodFragSize,
} from '../../sim/lorawan/fragmentation-code.ts';
import type { Region } from '../../sim/lorawan/region.ts';
import type { Named, Report } from '../language/members.ts';
import { dataRateOf, givenTo } from '../schema/update-schema.ts';
import { mostFragmentBytes } from './regional-check.ts';

/** Bytes. */
export type ImageSize = number;

/** Without a fragment size the largest of the data rate, or of any, is counted with. */
export function checkFragments(
  { path, entry }: Named,
  sizes: ReadonlyMap<string, ImageSize>,
  { plan, lifted }: { readonly plan: Region; readonly lifted: boolean },
  report: Report,
  warn: Report,
): void {
  const bytes = typeof entry.image === 'string' ? sizes.get(entry.image) : undefined;
  const share = givenTo('redundancy', entry);
  const most = mostFragmentBytes(plan, dataRateOf(entry).dataRate, lifted);
  const given = givenTo('frag_size', entry);
  const fragSize = given ?? most;
  if (bytes === undefined || bytes < 1 || share === undefined || fragSize < 1) return;
  const nbFrag = fragmentCount(bytes, fragSize);
  const redundancy = Math.ceil(nbFrag * share);
  if (nbFrag + redundancy > MAX_FRAGMENT_NUMBER) {
    const cut = `${bytes} B are ${nbFrag} fragments of ${fragSize} B`;
    const what = `${cut}, and ${redundancy} for redundancy`;
    const allowed = `at most ${MAX_FRAGMENT_NUMBER} in all`;
    report([...path, 'image'], { what, allowed });
  } else if (given !== undefined && isDefective(nbFrag)) {
    const what =
      `${bytes} B are ${nbFrag} fragments of ${fragSize} B: of multiples of 64 from 192 on, ` +
      'but powers of two, some pairs can hardly be rebuilt when both are lost';
    warn([...path, 'frag_size'], {
      what,
      meant: `${nearestGoodFragSize(bytes, fragSize, most) ?? fragSize} B`,
    });
  }
}
