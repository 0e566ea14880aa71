/** Multicast groups of management in Markdown, a line each. */
import type { RunResult } from '../../../core/result/result.ts';
import { plain, table } from '../../markup/markdown-parts.ts';
import { counted, NOTHING } from '../../text/format.ts';
import { GROUPS_SHOWN, groupRow } from './multicast-facts.ts';

/** The first multicast groups of management, a line each. */
export function multicastTable({ multicastGroups: groups = [] }: RunResult): string[] {
  if (groups.length === 0) return [];
  const rows = groups.slice(0, GROUPS_SHOWN).map((group) => {
    const { name, eui, frames, heard, missed } = groupRow(group);
    const causes = missed.length === 0 ? NOTHING : plain(missed.join(', '));
    return [plain(name), plain(eui), frames, heard, causes];
  });
  const omitted = groups.length - GROUPS_SHOWN;
  const more = omitted > 0 ? [`${counted(omitted, 'more multicast group')} not shown.`] : [];
  return [table(['Multicast group', 'EUI', 'Frames', 'Heard', 'Missed'], 'llrrl', rows), ...more];
}
