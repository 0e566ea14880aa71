/** The report on class B: beacons sent, heard and missed, devices in class B. */
import type { BeaconFigures, RunResult } from '../../../core/result/result.ts';
import {
  type Block,
  type Cell,
  type DetailedCell,
  explained,
  HTML,
} from '../../document/document.ts';
import { ratio } from '../../figures/figure.ts';
import { count, NOTHING, percent } from '../../text/format.ts';
import { BEACON_WORDS, byAmount } from '../../text/words.ts';

type Beacons = NonNullable<RunResult['beacons']>;

/** Nothing where no beacon was sent and none looked for. */
export function beaconBlocks({ beacons }: RunResult): Block[] {
  if (beacons === undefined) return [];
  const { sent, lookedFor, populations } = beacons;
  const text = `The gateways sent ${count(sent)}; devices of class B, and all in a class B
session, looked for ${count(lookedFor)}, each device and beacon counted once.`;
  return [
    {
      kind: 'section',
      title: 'Beacons',
      blocks: [
        { kind: 'hint', forms: HTML, text },
        ...(lookedFor === 0 ? [] : [causeTable(beacons)]),
        populationTable(populations),
      ],
    },
  ];
}

function causeTable({ lookedFor, heard, missed }: Beacons): Block {
  const line = (what: DetailedCell, times: number): Cell[] => [
    what,
    { bar: { share: ratio(times, lookedFor) } },
    count(times),
    percent(ratio(times, lookedFor)),
  ];
  return {
    kind: 'table',
    forms: HTML,
    name: 'Heard, or missed by cause',
    stack: 2,
    columns: [
      { head: 'Beacons at devices' },
      { head: '', kind: 'wide-bar' },
      { head: 'Beacons', kind: 'number' },
      { head: 'Share', kind: 'number' },
    ],
    rows: [
      line({ text: 'Heard' }, heard),
      ...byAmount(missed).map(([name, times]) => line(explained(BEACON_WORDS[name]), times)),
    ],
  };
}

/** Markdown names the cause of most losses, which HTML has in a table of its own. */
function populationTable(populations: readonly (BeaconFigures & { name: string })[]): Block {
  return {
    kind: 'table',
    name: 'Populations that look for beacons',
    stack: 3,
    columns: [
      { head: 'Population' },
      { head: { html: 'Looked for', markdown: 'Beacons looked for' }, kind: 'number' },
      { head: 'Heard', kind: 'number' },
      { head: { markdown: 'Most missed by' } },
      { head: { html: 'In class B at the end', markdown: 'In class B' }, kind: 'number' },
    ],
    rows: populations.map(({ name, lookedFor, heard, missed, inClassB }) => {
      const [most] = byAmount(missed);
      return [
        name,
        count(lookedFor),
        percent(ratio(heard, lookedFor)),
        most === undefined ? NOTHING : BEACON_WORDS[most[0]].label,
        count(inClassB),
      ];
    }),
    empty: '',
  };
}
