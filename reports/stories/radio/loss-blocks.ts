/** The report on frames that went astray: uplinks by cause, the way of the downlinks. */
import type { RunResult } from '../../../core/result/result.ts';
import { assert } from '../../../sim/base/assert.ts';
import {
  type Counts,
  type DownlinkLoss,
  type DownlinkRefusal,
  sumOf,
} from '../../../sim/base/counts.ts';
import { lossChart } from '../../charts/charts.ts';
import {
  type Block,
  type Cell,
  type DetailedCell,
  explained,
  HTML,
  MARKDOWN,
} from '../../document/document.ts';
import { ratio } from '../../figures/figure.ts';
import { count, percent } from '../../text/format.ts';
import { byAmount, DOWNLINK_WORDS, UPLINK_WORDS, type Words } from '../../text/words.ts';

/** Every cause of loss as a bar and as a row, and what happened at the single gateways. */
export function uplinkLossBlocks(result: RunResult): Block[] {
  const { lost, uplinks, receptions } = result.radio;
  const all = sumOf(lost);
  assert(all <= uplinks, 'an uplink frame is lost to one cause at most');
  const table: Block = {
    kind: 'table',
    name: `${count(all)} of ${count(uplinks)} uplink frames did not come to the server`,
    stack: 3,
    columns: [
      { head: 'Cause' },
      { head: 'Frames', kind: 'number' },
      { head: 'Of uplinks', kind: 'number' },
      { head: 'Of losses', kind: 'number' },
    ],
    rows: byAmount(lost).map(([name, frames]) => [
      explained(UPLINK_WORDS[name]),
      count(frames),
      percent(ratio(frames, uplinks)),
      percent(ratio(frames, all)),
    ]),
  };
  const drawn: Block =
    all > 0
      ? { kind: 'chart', chart: lossChart(result) }
      : { kind: 'paragraph', text: 'No uplink was lost.' };
  return [
    {
      kind: 'section',
      forms: HTML,
      title: 'Lost uplinks by cause',
      blocks: [
        { kind: 'split', style: 'beside', parts: [[drawn], [table]] },
        ...receptionTable(receptions),
      ],
    },
  ];
}

function receptionTable(receptions: RunResult['radio']['receptions']): Block[] {
  const all = sumOf(receptions);
  if (all === 0) return [];
  const table: Block = {
    kind: 'table',
    name: 'One reception for each frame and each gateway in its reach',
    columns: [
      { head: 'Fate at a gateway' },
      { head: 'Receptions', kind: 'number' },
      { head: 'Share', kind: 'number' },
    ],
    rows: byAmount(receptions).map(([name, times]) => [
      UPLINK_WORDS[name].label,
      count(times),
      percent(ratio(times, all)),
    ]),
  };
  return [{ kind: 'details', summary: 'Receptions at the gateways, by fate', blocks: [table] }];
}

/** The way of the downlinks: requested, sent, received, and what stopped the others. */
export function downlinkBlocks({ downlinks }: RunResult): Block[] {
  const { requested, sent, received, refused, retried, lost } = downlinks;
  const line = (step: DetailedCell, frames: number): Cell[] => [
    step,
    { bar: { share: frames / requested } },
    count(frames),
    percent(frames / requested),
  ];
  const stopped = (how: string, counts: Counts<DownlinkRefusal | DownlinkLoss>): Cell[][] =>
    byAmount(counts).map(([name, frames]) => {
      const { label, meaning } = DOWNLINK_WORDS[name];
      return line({ below: [`${how}: ${label} – ${meaning}`] }, frames);
    });
  const table: Block = {
    kind: 'table',
    name: 'From the server to the device',
    stack: 2,
    columns: [
      { head: 'Step' },
      { head: '', kind: 'wide-bar' },
      { head: 'Frames', kind: 'number' },
      { head: 'Of requested', kind: 'number' },
    ],
    rows: [
      line({ text: 'Requested by the server' }, requested),
      ...stopped('Planned again', retried),
      ...stopped('Not sent', refused),
      line({ text: 'Sent by a gateway' }, sent),
      ...stopped('Lost', lost),
      line({ text: 'Received by the device' }, received),
    ],
  };
  const none: Block = { kind: 'paragraph', text: 'The server sent no downlinks.' };
  const blocks = [requested === 0 ? none : table];
  return [{ kind: 'section', forms: HTML, title: 'Downlinks', blocks }];
}

/** All that went astray in one table, which is enough for Markdown. */
export function lostFrameBlocks({ radio, downlinks }: RunResult): Block[] {
  const { refused, retried, lost, requested } = downlinks;
  const rows = [
    ...lostRows('Uplink lost', radio.lost, UPLINK_WORDS, radio.uplinks),
    ...lostRows('Downlink planned again', retried, DOWNLINK_WORDS, requested),
    ...lostRows('Downlink not sent', refused, DOWNLINK_WORDS, requested),
    ...lostRows('Downlink lost', lost, DOWNLINK_WORDS, requested),
  ];
  if (rows.length === 0) {
    return [{ kind: 'paragraph', forms: MARKDOWN, text: { own: 'No frame was lost.' } }];
  }
  return [
    {
      kind: 'table',
      forms: MARKDOWN,
      name: 'Frames that went astray',
      columns: [
        { head: 'Frame' },
        { head: 'Cause' },
        { head: 'Frames', kind: 'number' },
        { head: 'Share', kind: 'number' },
      ],
      rows,
    },
  ];
}

const lostRows = <Cause extends string>(
  fate: string,
  counts: Counts<Cause>,
  words: Readonly<Record<Cause, Words>>,
  whole: number,
): Cell[][] =>
  byAmount(counts).map(([name, frames]) => [
    fate,
    words[name].label,
    count(frames),
    percent(ratio(frames, whole)),
  ]);
