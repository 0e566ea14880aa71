/** The report on multicast groups of management: a row for each, with what its members heard. */
import type { MulticastGroupResult, RunResult } from '../../../core/result/result.ts';
import { assert } from '../../../sim/base/assert.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { type Block, type Cell, HTML, omission } from '../../document/document.ts';
import { count, partOf } from '../../text/format.ts';
import { byAmount, FRAGMENT_WORDS } from '../../text/words.ts';

/** Groups that a report shows; a run may have many. */
export const GROUPS_SHOWN = 20;

/** Nothing when there is no group. */
export function multicastBlocks({ multicastGroups: groups = [] }: RunResult): Block[] {
  if (groups.length === 0) return [];
  const { html = '', ...omitted } = omission(groups.length - GROUPS_SHOWN, 'multicast group');
  const heard = 'Heard: by the radios of members, over frames times members. A frame that\n';
  return [
    {
      kind: 'section',
      title: 'Multicast groups',
      blocks: [
        {
          kind: 'table',
          name: 'Multicast groups, and what their members heard',
          stack: 6,
          columns: [
            { head: { html: 'Group', markdown: 'Multicast group' } },
            { head: { markdown: 'EUI' }, isBelow: true },
            { head: 'Frames', kind: 'number' },
            { head: 'Heard', kind: 'number' },
            { head: 'Missed' },
          ],
          rows: groups.slice(0, GROUPS_SHOWN).map(groupRow),
          omitted,
        },
        { kind: 'hint', forms: HTML, text: `${heard}several gateways send is one. ${html}` },
      ],
    },
  ];
}

/** The causes of missed frames stand by their number, the most frequent first. */
function groupRow({ name, eui, frames, toHear, heard, ...group }: MulticastGroupResult): Cell[] {
  const { missed, outOfReach } = group;
  assert(heard + sumOf(missed) + outOfReach === toHear, 'a frame has one fate at each member');
  const causes = byAmount(missed).map(([cause, times]) => {
    return `${FRAGMENT_WORDS[cause].label}: ${count(times)}`;
  });
  const far = outOfReach > 0 ? [`Out of reach: ${count(outOfReach)}`] : [];
  return [name, eui, count(frames), partOf(heard, toHear), { list: [...causes, ...far] }];
}
