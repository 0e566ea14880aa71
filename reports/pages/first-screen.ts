/** What a reader sees first: did it work, five figures, what happened and what to change. */
import { htmlOf } from '../document/html.ts';
import { figureFinder, verdict } from '../figures/verdict.ts';
import { type Content, html, type Markup } from '../markup/markup.ts';
import { answerBlocks } from '../stories/answer/answer-blocks.ts';
import type { ReportInput } from '../stories/run/report-input.ts';
import { actual } from '../text/format.ts';

export const firstScreen = (input: ReportInput): Content => [
  input.goesOn === true ? '' : verdictLine(input),
  htmlOf(answerBlocks(input)),
];

/** Expectations that are named, those that fail first. */
const MOST = 12;

/** The verdict with each expectation as a word; the table of them stands below. */
function verdictLine(input: ReportInput): Markup {
  const { state, sentence } = verdict(input.expectations);
  const figureOf = figureFinder(input.result);
  const failing = input.expectations.filter(({ holds }) => !holds);
  const all = [...failing, ...input.expectations.filter(({ holds }) => holds)];
  const more = all.length - MOST;
  const items = all.slice(0, MOST).map((one) => {
    const was = actual(one.actual, figureOf(one)?.unit);
    const [sign, word] = one.holds ? ['✔', 'holds'] : ['✘', 'fails'];
    return html`<li><span class="sign ${word}" aria-label="${word}" role="img">${sign}</span>
<code>${one.expectation}</code> <span class="hint">${was}</span></li>`;
  });
  const rest = more > 0 ? html`<li class="hint">and ${more} more, below</li>` : '';
  const sign = state === 'open' ? '' : state === 'holds' ? '✓ ' : '✗ ';
  return html`<section class="card verdict ${state}">
<h2><span class="sign ${state}" aria-hidden="true">${sign}</span>${sentence}</h2>
<ul class="expected">${items}${rest}</ul>
</section>
`;
}
