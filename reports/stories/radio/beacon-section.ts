/** The section on class B: beacons sent, heard and missed, devices in class B. */
import type { BeaconFigures, RunResult } from '../../../core/result/result.ts';
import { ratio } from '../../figures/figure.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { bar, card, explained, table } from '../../markup/parts.ts';
import { count, percent } from '../../text/format.ts';
import { BEACON_WORDS, byAmount } from '../../text/words.ts';

/** Nothing where no beacon was sent and none looked for. */
export function beaconSection({ beacons }: RunResult): Content {
  if (beacons === undefined) return '';
  const { sent, lookedFor, heard, missed, populations } = beacons;
  const line = (what: Content, times: number) => [
    what,
    bar(ratio(times, lookedFor)),
    count(times),
    percent(ratio(times, lookedFor)),
  ];
  const rows = [
    line('Heard', heard),
    ...byAmount(missed).map(([name, times]) => line(explained(BEACON_WORDS[name]), times)),
  ];
  const columns = [
    { head: 'Beacons at devices' },
    { head: '', kind: 'wide-bar' },
    { head: 'Beacons', kind: 'number' },
    { head: 'Share', kind: 'number' },
  ] as const;
  return card(
    'Beacons',
    html`<p class="hint">The gateways sent ${count(sent)}; devices of class B, and all in a class B
session, looked for ${count(lookedFor)}, each device and beacon counted once.</p>`,
    lookedFor === 0 ? '' : table({ name: 'Heard, or missed by cause', stack: 2, columns }, rows),
    populations.length === 0 ? '' : populationTable(populations),
  );
}

function populationTable(populations: readonly (BeaconFigures & { name: string })[]): Markup {
  const shape = {
    name: 'Populations that look for beacons',
    stack: 3,
    columns: [
      { head: 'Population' },
      { head: 'Looked for', kind: 'number' },
      { head: 'Heard', kind: 'number' },
      { head: 'In class B at the end', kind: 'number' },
    ],
  } as const;
  const rows = populations.map(({ name, lookedFor, heard, inClassB }) => [
    name,
    count(lookedFor),
    percent(ratio(heard, lookedFor)),
    count(inClassB),
  ]);
  return table(shape, rows);
}
