/** The report on budgets over time: duty cycle, air time by purpose, what was lost. */
import type { BudgetResult, RunResult } from '../../../core/result/result.ts';
import { entriesOf } from '../../../sim/base/counts.ts';
import { dutyCycleChart, queueChart } from '../../charts/budget-charts.ts';
import { type Block, HTML } from '../../document/document.ts';
import { ratio } from '../../figures/figure.ts';
import { count, duration, percent } from '../../text/format.ts';
import { UPLINK_WORDS } from '../../text/words.ts';

/** Nothing for results of before, and where no gateway ever sent. */
export function budgetBlocks(result: RunResult): Block[] {
  const { budgets } = result;
  if (budgets === undefined) return [];
  const chart = dutyCycleChart(result, budgets);
  const queue = Math.max(0, ...budgets.downlinkQueue);
  return [
    {
      kind: 'section',
      forms: HTML,
      title: 'Budgets over virtual time',
      blocks: [
        ...(chart === undefined
          ? []
          : [
              { kind: 'hint', forms: HTML, text: dutyCycleHint(budgets) } as const,
              { kind: 'chart', chart } as const,
              dutyCycleTable(budgets),
              ...othersHint(result, budgets),
            ]),
        airTable(budgets),
        ...(queue === 0
          ? []
          : [
              { kind: 'hint', forms: HTML, text: QUEUE_HINT } as const,
              { kind: 'chart', chart: queueChart(result, budgets) } as const,
            ]),
        dataRateTable(budgets),
        lossTable(result),
      ],
    },
  ];
}

const QUEUE_HINT = 'Application downlinks that wait, are on their way or wait to be acknowledged';

function dutyCycleHint({ dutyCycle, sliceSeconds }: BudgetResult): string {
  const [busiest] = dutyCycle;
  return (
    `The most of an hour that ${busiest?.gateway ?? ''} used in ${busiest?.band ?? ''} MHz, in ` +
    `each ${duration(sliceSeconds)}; dashed is the limit, dotted are stages of campaigns`
  );
}

/** The table has those nearest to their limits. */
function othersHint({ gateways }: RunResult, { dutyCycle }: BudgetResult): Block[] {
  const all = gateways.reduce(
    (sum, { dutyCyclePeaks = {} }) => sum + Object.keys(dutyCyclePeaks).length,
    0,
  );
  if (all <= dutyCycle.length) return [];
  const text = `The ${count(dutyCycle.length)} of ${count(all)} that came nearest to their limits; \
result.json has the peaks of all (dutyCyclePeaks).`;
  return [{ kind: 'hint', forms: HTML, text }];
}

function dutyCycleTable({ dutyCycle, sliceSeconds }: BudgetResult): Block {
  return {
    kind: 'table',
    name: 'Duty cycle used and left, at its peak',
    stack: 3,
    columns: [
      { head: 'Gateway' },
      { head: 'Sub-band, MHz' },
      { head: 'Most used', kind: 'number' },
      { head: 'Allowed', kind: 'number' },
      { head: 'Left then', kind: 'number' },
      { head: 'When', kind: 'number' },
    ],
    rows: dutyCycle.map(({ gateway, band, limit, used }) => {
      const peak = Math.max(...used);
      const at = used.indexOf(peak) * sliceSeconds;
      const when = `${duration(at)} to ${duration(at + sliceSeconds)}`;
      return [
        gateway,
        band,
        percent(peak, 2),
        percent(limit),
        percent(Math.max(0, ratio(limit - peak, limit))),
        when,
      ];
    }),
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

function airTable({ airSeconds, sliceSeconds }: BudgetResult): Block {
  const rows = Object.entries(airSeconds)
    .map(([purpose, seconds]) => ({ purpose, seconds, all: sum(seconds) }))
    .sort((a, b) => b.all - a.all);
  const all = sum(rows.map((row) => row.all));
  return {
    kind: 'table',
    name: 'Air time of all gateways, by purpose',
    stack: 3,
    columns: [
      { head: 'Sent for' },
      { head: 'Air time', kind: 'number' },
      { head: 'Share', kind: 'number' },
      { head: 'Most in' },
    ],
    rows: rows.map(({ purpose, seconds, all: own }) => {
      const at = seconds.indexOf(Math.max(...seconds)) * sliceSeconds;
      return [
        purpose,
        duration(own),
        percent(ratio(own, all)),
        `${duration(at)} to ${duration(at + sliceSeconds)}`,
      ];
    }),
    empty: 'No gateway sent anything.',
  };
}

/** The quarters of the run. */
const PARTS = 4;

function dataRateTable({ dataRates }: BudgetResult): Block {
  const rows = dataRates.flatMap(({ population, uplinks }) => {
    const names = Object.keys(uplinks).sort().reverse();
    const parts = quarters(Object.values(uplinks));
    return [
      [
        population ?? 'all devices',
        ...parts.map((whole, part) =>
          names
            .map((name) => [name, quarters([uplinks[name]!])[part]!] as const)
            .filter(([, own]) => own > 0)
            .map(([name, own]) => `${name} ${percent(ratio(own, whole), 0)}`)
            .join(', '),
        ),
      ],
    ];
  });
  return {
    kind: 'table',
    name: 'Data rates of uplinks over time',
    stack: 3,
    columns: [
      { head: 'Population' },
      { head: 'First quarter' },
      { head: 'Second' },
      { head: 'Third' },
      { head: 'Last' },
    ],
    rows,
  };
}

/** Sums over all series in each quarter of the run. */
function quarters(series: readonly (readonly number[])[]): readonly number[] {
  const length = Math.max(1, ...series.map((values) => values.length));
  return Array.from({ length: PARTS }, (_, part) => {
    const [from, until] = [part, part + 1].map((each) => Math.floor((each * length) / PARTS));
    return sum(series.map((values) => sum(values.slice(from, until))));
  });
}

/** Populations that a table shows. */
const POPULATIONS_SHOWN = 20;

function lossTable({ devices }: RunResult): Block {
  const rows = devices.populations.flatMap(({ name, uplinksLost = {}, messageFates = {} }) =>
    entriesOf(uplinksLost).map(([cause, times]) => [
      name,
      UPLINK_WORDS[cause].label,
      count(times),
      count(messageFates[cause] ?? 0),
    ]),
  );
  return {
    kind: 'table',
    name: 'Uplinks lost and messages missing, by population and cause',
    stack: 3,
    columns: [
      { head: 'Population' },
      { head: 'Cause' },
      { head: 'Uplinks', kind: 'number' },
      { head: 'Messages', kind: 'number' },
    ],
    rows: rows.slice(0, POPULATIONS_SHOWN),
  };
}
