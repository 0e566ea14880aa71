/** Faults of reports: their tree, its renderers, and the blocks of each story. */
import type { Mutant } from './mutant.ts';

const DOCUMENT = 'test/reports/document.test.ts';
const HTML = 'test/reports/html.test.ts';
const MARKDOWN = 'test/reports/markdown.test.ts';

export const REPORT_MUTANTS: readonly Mutant[] = [
  // ── the tree and its renderers ─────────────────────────────────────────────────────────────────
  {
    what: 'Text in a column of figures is taken for a figure.',
    file: 'reports/document/markdown.ts',
    find: 'FIGURE.test(text) ? text : plain(text)',
    replace: 'text',
    test: DOCUMENT,
    title: 'not even in a column of figures',
  },
  {
    what: 'Markdown shows as many rows as HTML.',
    file: 'reports/document/markdown.ts',
    find: "rowsShown(block, 'markdown')",
    replace: "rowsShown(block, 'html')",
    test: MARKDOWN,
    title: 'shows ten gateways and counts the others',
  },
  {
    what: 'Numbers in tables of Markdown are aligned to the left.',
    file: 'reports/document/markdown.ts',
    find: "(isNumber ? 'r' : 'l')",
    replace: "(isNumber ? 'l' : 'l')",
    test: DOCUMENT,
    title: 'has its numbers on the right in both forms',
  },
  {
    what: 'HTML has the sentence of a terminal on rows that it leaves out.',
    file: 'reports/document/html.ts',
    find: "const rest = inForm(omitted, 'html') ?? '';",
    replace: "const rest = inForm(omitted, 'terminal') ?? '';",
    test: DOCUMENT,
    title: 'and how many it leaves out',
  },
  {
    what: 'A terminal shows heads without rows.',
    file: 'reports/document/terminal.ts',
    find: '(rows.length === 0 ? [] : [{ heads, rows }])',
    replace: '[{ heads, rows }]',
    test: DOCUMENT,
    title: 'without rows is none in Markdown and on a terminal',
  },
  // ── pages ──────────────────────────────────────────────────────────────────────────────────────
  {
    what: 'A run that was stopped looks whole in Markdown.',
    file: 'reports/pages/markdown.ts',
    find: '      ...stateBlocks(input),\n',
    replace: '',
    test: MARKDOWN,
    title: 'says when the run is partial',
  },
  // ── stories ────────────────────────────────────────────────────────────────────────────────────
  {
    what: 'A campaign whose devices all confirm is said to confirm twice.',
    file: 'reports/stories/campaigns/campaign-facts.ts',
    find: '(running > success ? [',
    replace: '(running >= success ? [',
    test: 'test/reports/campaign.test.ts',
    title: 'sums up what is true and what is believed',
  },
  {
    what: 'Devices run on what the service believes that they run on.',
    file: 'reports/stories/configuration/configuration-blocks.ts',
    find: 'set === null ? NOTHING : partOf(set, devices)',
    replace: 'set === null ? NOTHING : partOf(applied, devices)',
    test: 'test/reports/configuration.test.ts',
    title: 'what devices are set to, then what is believed',
  },
  {
    what: 'Deliveries to targets that were removed have no row.',
    file: 'reports/stories/delivery/delivery-blocks.ts',
    find: 'removedTargets.emitted > 0',
    replace: 'removedTargets.emitted < 0',
    test: 'test/reports/delivery.test.ts',
    title: 'a row a target whose fates make up what was emitted',
  },
  {
    what: 'Every message of a population counts as delivered.',
    file: 'reports/stories/devices/device-blocks.ts',
    find: 'shareAndCount(population.messagesDelivered, population.messages)',
    replace: 'shareAndCount(population.messages, population.messages)',
    test: HTML,
    title: 'give each population its part',
  },
  {
    what: 'The median of battery lives is what nine in ten last.',
    file: 'reports/stories/energy/energy-blocks.ts',
    find: 'lifetime(life.p10)',
    replace: 'lifetime(life.p50)',
    test: 'test/reports/energy.test.ts',
    title: 'with its battery and how long that lasts',
  },
  {
    what: 'The radios of a job received what the service knows of.',
    file: 'reports/stories/jobs/job-blocks.ts',
    find: 'partOf(received, devices)',
    replace: 'partOf(success, devices)',
    test: 'test/reports/jobs.test.ts',
    title: 'what radios received, then what the service knows',
  },
  {
    what: 'Members out of reach are not among those who missed a frame.',
    file: 'reports/stories/multicast/multicast-blocks.ts',
    find: 'outOfReach > 0 ?',
    replace: 'outOfReach < 0 ?',
    test: 'test/reports/multicast.test.ts',
    title: 'what members heard, and missed by cause',
  },
  {
    what: 'Bars of duty cycles are full at all of the time.',
    file: 'reports/stories/radio/gateway-blocks.ts',
    find: 'ratio(share, limit)',
    replace: 'share',
    test: HTML,
    title: 'are full at the limit of the sub-band',
  },
];
