/** The section on multicast groups of management: a line for each, with what its members heard. */
import type { RunResult } from '../../../core/result/result.ts';
import { type Content, html } from '../../markup/markup.ts';
import { card, table } from '../../markup/parts.ts';
import { count, NOTHING } from '../../text/format.ts';
import { GROUPS_SHOWN, groupRow } from './multicast-facts.ts';

/** Nothing when there is no group. */
export function multicastSection({ multicastGroups: groups = [] }: RunResult): Content {
  if (groups.length === 0) return '';
  const rows = groups.slice(0, GROUPS_SHOWN).map((group) => {
    const { name, eui, frames, heard, missed } = groupRow(group);
    const [first, ...others] = missed;
    const causes = others.map((cause) => html`<small>${cause}</small>`);
    return [html`${name}<small>${eui}</small>`, frames, heard, html`${first ?? NOTHING}${causes}`];
  });
  const shape = {
    name: 'Multicast groups, and what their members heard',
    stack: 6,
    columns: [
      { head: 'Group' },
      { head: 'Frames', kind: 'number' },
      { head: 'Heard', kind: 'number' },
      { head: 'Missed' },
    ],
  } as const;
  const more = groups.length - GROUPS_SHOWN;
  const rest = more > 0 ? `${count(more)} more are not shown.` : '';
  return card(
    'Multicast groups',
    table(shape, rows),
    html`<p class="hint">Heard: by the radios of members, over frames times members. A frame that
several gateways send is one. ${rest}</p>`,
  );
}
