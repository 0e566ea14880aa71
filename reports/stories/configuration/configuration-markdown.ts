/** Configurations of devices in Markdown, a line for each population. */
import type { RunResult } from '../../../core/result/result.ts';
import { listed, plain, table } from '../../markup/markdown-parts.ts';
import { counted } from '../../text/format.ts';
import { CONFIGURED_SHOWN, configuredRow, rolloutsSentence } from './configuration-facts.ts';

/** Nothing where no configuration was desired. */
export function configurationBlocks({ configurations }: RunResult): string[] {
  if (configurations === undefined) return [];
  const { populations } = configurations;
  const rows = populations.slice(0, CONFIGURED_SHOWN).map((population) => {
    const { name, set, applied, others, half, last } = configuredRow(population);
    return [plain(name), set, applied, listed(others), half, last];
  });
  const heads = ['Configured', 'Set as desired', 'Applied', 'Else', 'Half after', 'Last after'];
  const more = populations.length - CONFIGURED_SHOWN;
  return [
    `**${plain(rolloutsSentence(configurations))}**`,
    ...(rows.length === 0 ? [] : [table(heads, 'lrrlrr', rows)]),
    ...(more > 0 ? [`${counted(more, 'more population')} not shown.`] : []),
  ];
}
