/** The report on devices: joining, delivery, data rates, populations. */
import type { Percentiles } from '../../../core/result/percentiles.ts';
import { NEVER_SENT, type RunResult } from '../../../core/result/result.ts';
import { dataRateChart, deliveryChart } from '../../charts/charts.ts';
import { type Block, type DetailedCell, HTML } from '../../document/document.ts';
import { ratio } from '../../figures/figure.ts';
import { count, counted, duration, percent } from '../../text/format.ts';

/** Joining, delivery and data rates side by side, populations below. */
export function deviceBlocks(result: RunResult): Block[] {
  const { joinSeconds, deliveryRatio, joinRequests, map, byDataRate } = result.devices;
  const sent = map.deliveredPermille.some((permille) => permille !== NEVER_SENT);
  const rates = Object.keys(byDataRate).length > 0;
  const third = (title: string, hint: string, shown: Block): Block[] => [
    {
      kind: 'group',
      blocks: [{ kind: 'heading', text: title }, { kind: 'hint', text: hint }, shown],
    },
  ];
  return [
    {
      kind: 'section',
      forms: HTML,
      title: 'Devices',
      blocks: [
        {
          kind: 'split',
          style: 'thirds',
          parts: [
            third(
              'Join time',
              `${counted(joinRequests, 'join request')}; power-on to session`,
              joinTable(joinSeconds),
            ),
            third(
              'Delivery by device',
              percentileSentence(deliveryRatio),
              sent
                ? { kind: 'chart', chart: deliveryChart(result) }
                : { kind: 'paragraph', text: 'No device sent a message.' },
            ),
            third(
              'Data rate at the end',
              'Share of devices',
              rates
                ? { kind: 'chart', chart: dataRateChart(result) }
                : { kind: 'paragraph', text: 'No device has a data rate.' },
            ),
          ],
        },
        populationTable(result),
      ],
    },
  ];
}

const joinTable = (percentiles: Percentiles | null): Block => ({
  kind: 'table',
  name: 'Over joined OTAA devices',
  columns: [{ head: 'Devices' }, { head: 'Within', kind: 'number' }],
  rows:
    percentiles === null
      ? []
      : PERCENTILES.map(([label, key]) => [label, duration(percentiles[key])]),
  empty: 'No device joined over the air.',
});

const PERCENTILES = [
  ['1 in 10', 'p10'],
  ['Half', 'p50'],
  ['9 in 10', 'p90'],
  ['All', 'max'],
] as const;

function percentileSentence(ratios: Percentiles | null): string {
  if (ratios === null) return 'No device sent a message';
  return (
    `The median device delivered ${percent(ratios.p50)}, ` +
    `one in ten ${percent(ratios.p10)} or less`
  );
}

const populationTable = ({ devices }: RunResult): Block => ({
  kind: 'table',
  name: 'Populations',
  stack: 2,
  columns: [
    { head: 'Population' },
    { head: 'Devices', kind: 'number' },
    { head: 'Joined', kind: 'number' },
    { head: 'Messages', kind: 'number' },
    { head: 'Delivered', kind: 'number' },
  ],
  rows: devices.populations.map((population) => [
    population.name,
    count(population.devices),
    shareAndCount(population.joined, population.devices),
    count(population.messages),
    shareAndCount(population.messagesDelivered, population.messages),
  ]),
  empty: '',
});

function shareAndCount(part: number, whole: number): DetailedCell {
  const share = ratio(part, whole);
  return { text: percent(share), bar: { share }, below: [count(part)] };
}
