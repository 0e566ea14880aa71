/** The table of failed devices by reason. */
import { type FailureCause, UNHEARD_CAUSES } from '../../../core/result/outcome.ts';
import type { CampaignResult } from '../../../core/result/result.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { type Block, explained, type Form } from '../../document/document.ts';
import { ratio } from '../../figures/figure.ts';
import { count, counted, percent } from '../../text/format.ts';
import { byAmount, FAILURE_WORDS } from '../../text/words.ts';

/** Nothing where no device failed. HTML has it with the steps, Markdown with the populations. */
export function failureTable(campaign: CampaignResult, forms: readonly Form[]): Block[] {
  const { failed, failures, devices } = campaign;
  const all = sumOf(failures);
  if (failed === 0 && all === 0) return [];
  return [
    {
      kind: 'table',
      forms,
      name: `${counted(failed, 'device')} failed`,
      stack: 3,
      columns: [
        { head: { html: 'Reason', markdown: 'Devices failed by' } },
        { head: { html: '' }, kind: 'wide-bar' },
        { head: 'Devices', kind: 'number' },
        { head: { html: 'Of failed', markdown: 'Share' }, kind: 'number' },
        { head: { html: 'Of all' }, kind: 'number' },
      ],
      rows: byAmount(failures).map(([name, number]) => [
        explained(FAILURE_WORDS[name]),
        { bar: { share: ratio(number, all), paint: isUnheard(name) ? 'accent' : 'bad' } },
        count(number),
        percent(ratio(number, all)),
        percent(ratio(number, devices)),
      ]),
    },
  ];
}

/** Whether the device runs the new image, so that nothing has gone wrong with it. */
const isUnheard = (cause: FailureCause): boolean =>
  (UNHEARD_CAUSES as readonly FailureCause[]).includes(cause);
