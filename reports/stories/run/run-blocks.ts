/** The report on the run itself: what was run, how it is judged, its key figures. */
import type { RunResult } from '../../../core/result/result.ts';
import { type Block, HTML, MARKDOWN } from '../../document/document.ts';
import { keyFigures } from '../../figures/key-figures.ts';
import { figureFinder } from '../../figures/verdict.ts';
import { actual, count, counted, duration } from '../../text/format.ts';
import type { ReportInput } from './report-input.ts';

/** What was run. */
export function factBlocks(result: RunResult): Block[] {
  const { region, virtualSeconds, devices, gateways, events, frames, seed, digest } = result;
  const alone = { markdown: '' };
  return [
    {
      kind: 'facts',
      facts: [
        [{ html: 'Region', markdown: '' }, region],
        [{ html: 'Virtual time' }, duration(virtualSeconds)],
        [alone, { own: `${duration(virtualSeconds)} of virtual time` }],
        [{ html: 'Devices' }, count(devices.total)],
        [alone, { own: counted(devices.total, 'device') }],
        [{ html: 'Gateways' }, count(gateways.length)],
        [alone, { own: counted(gateways.length, 'gateway') }],
        [{ html: 'Events' }, count(events)],
        [{ html: 'Frames' }, frames],
        ['Seed', { code: seed }],
        ['Digest', { code: digest }],
      ],
    },
  ];
}

/** Whether it was stopped before its end, or goes on. */
export function stateBlocks({ result, goesOn = false }: ReportInput): Block[] {
  const { complete, virtualSeconds } = result;
  const time = duration(virtualSeconds);
  const html = `It was interrupted
after ${time} of virtual time; every figure below is of that time
only.`;
  const partial: Block = {
    kind: 'note',
    ...(goesOn && { forms: MARKDOWN }),
    title: 'Partial run.',
    text: { html, markdown: `It was interrupted after ${time} of virtual time.` },
  };
  const text = `Every figure below is
of its first ${time} of virtual time.`;
  return [
    ...(complete ? [] : [partial]),
    ...(goesOn
      ? [{ kind: 'note', forms: HTML, title: 'A world that goes on.', text } as const]
      : []),
  ];
}

export function warningBlocks({ warnings }: RunResult): Block[] {
  if (warnings.length === 0) return [];
  const title = counted(warnings.length, 'warning');
  return [{ kind: 'note', title, text: '', items: warnings }];
}

/** Nothing where the scenario expects nothing. */
export function expectationBlocks({ result, expectations }: ReportInput): Block[] {
  const figureOf = figureFinder(result);
  return [
    {
      kind: 'table',
      name: 'What the scenario expects of a run',
      columns: [
        { head: 'Expectation' },
        { head: {}, isBelow: true },
        { head: 'Actual', kind: 'number' },
        { head: 'Verdict' },
      ],
      rows: expectations.map((one) => {
        const figure = figureOf(one);
        return [
          { code: one.expectation },
          figure?.label ?? '',
          { own: actual(one.actual, figure?.unit) },
          { sign: one.holds ? 'holds' : 'fails', hasWord: true },
        ];
      }),
      empty: '',
    },
  ];
}

/** Tiles of campaigns stand in the sections of the campaigns. */
export function keyFigureBlocks(result: RunResult): Block[] {
  const figures = keyFigures(result);
  const tiles = figures.filter(({ figure }) => figure.group !== 'campaigns');
  return [{ kind: 'figures', name: 'Key figures', figures, tiles, hasCounts: true }];
}
