/** The report on campaigns that were to begin after another, whether they did or not. */
import type { RunResult } from '../../../core/result/result.ts';
import { type Block, EVERY_FORM, TERMINAL } from '../../document/document.ts';
import { followUpSentences } from './follow-up-facts.ts';

/** Nothing where there were none. */
export function followUpBlocks(result: RunResult): Block[] {
  const items = followUpSentences(result);
  if (items.length === 0) return [];
  const title = 'Campaigns after others';
  return [
    { kind: 'heading', forms: TERMINAL, text: title },
    { kind: 'section', title, level: 3, blocks: [{ kind: 'list', forms: EVERY_FORM, items }] },
  ];
}
