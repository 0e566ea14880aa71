/** The report on configurations: a row for each population, and how they spread over time. */
import type {
  ConfigurationPopulation,
  ConfigurationResult,
} from '../../../core/result/configuration.ts';
import type { RunResult } from '../../../core/result/result.ts';
import { assert } from '../../../sim/base/assert.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { type Block, type Cell, EVERY_FORM, HTML, omission } from '../../document/document.ts';
import { count, counted, duration, NOTHING, partOf } from '../../text/format.ts';
import {
  CANCELLATION_WORDS,
  CONFIGURATION_WORDS,
  causesOf,
  ROLLOUT_WORDS,
} from '../../text/words.ts';
import { configurationChart } from './configuration-chart.ts';

/** Populations that a report shows; a run may have very many. */
export const CONFIGURED_SHOWN = 20;

/** Nothing where no configuration was desired. */
export function configurationBlocks(result: RunResult): Block[] {
  const { configurations } = result;
  if (configurations === undefined) return [];
  const { appliedAtSeconds, setAtSeconds } = configurations;
  return [
    {
      kind: 'section',
      title: 'Configurations',
      blocks: [
        { kind: 'lead', text: rolloutsSentence(configurations) },
        populations(configurations),
        ...(appliedAtSeconds.length + setAtSeconds.length === 0
          ? []
          : [spread(result, configurations)]),
      ],
    },
  ];
}

/** `1 000 rollouts: applied: 990, failed by Not sent: 10.`, in one sentence for all devices. */
function rolloutsSentence({ rollouts, tries, suspensions }: ConfigurationResult): string {
  const { made: created, active, applied, failed, cancelled } = rollouts;
  const all = active + applied + sumOf(failed) + sumOf(cancelled);
  assert(all === created, 'each rollout has one state');
  const parts = [
    `${count(applied)} applied`,
    ...(active > 0 ? [`${count(active)} underway`] : []),
    ...causesOf(failed, CONFIGURATION_WORDS).map((part) => `failed: ${part.toLowerCase()}`),
    ...causesOf(cancelled, CANCELLATION_WORDS).map((part) => part.toLowerCase()),
  ];
  const work = `${counted(tries, 'try', 'tries')}, suspended ${counted(suspensions, 'time')}`;
  return `${counted(created, 'rollout')}: ${parts.join(', ')}; ${work}.`;
}

function populations({ populations: all }: ConfigurationResult): Block {
  const { html = '', ...omitted } = omission(all.length - CONFIGURED_SHOWN, 'population');
  const name =
    'Populations that were configured: what devices are really set to, and what is believed';
  const what =
    'Set as desired is what devices really run on; all else is what the service believes.';
  return {
    kind: 'group',
    blocks: [
      {
        kind: 'table',
        forms: EVERY_FORM,
        name,
        stack: 6,
        columns: [
          { head: { html: 'Population', markdown: 'Configured', terminal: 'Configured' } },
          { head: 'Set as desired', kind: 'number' },
          { head: 'Applied', kind: 'number' },
          { head: 'Else' },
          { head: 'Half after', kind: 'number' },
          { head: { html: 'Last after', markdown: 'Last after' }, kind: 'number' },
        ],
        rows: all.slice(0, CONFIGURED_SHOWN).map(populationRow),
        omitted,
      },
      { kind: 'hint', forms: HTML, text: `${what}\n${html}` },
    ],
  };
}

/** The ground truth first, then what the service believes. */
function populationRow({ name, devices, set, status, ...more }: ConfigurationPopulation): Cell[] {
  const { failures, suspended, appliedSeconds } = more;
  assert(sumOf(status) === devices, 'each configured device has one latest rollout');
  const { applied = 0, failed: _, ...others } = status;
  return [
    name,
    set === null ? NOTHING : partOf(set, devices),
    partOf(applied, devices),
    {
      list: [
        ...causesOf(others, ROLLOUT_WORDS),
        ...(suspended > 0 ? [`Of those suspended: ${count(suspended)}`] : []),
        ...causesOf(failures, CONFIGURATION_WORDS),
      ],
    },
    appliedSeconds === null ? NOTHING : duration(appliedSeconds.p50),
    appliedSeconds === null ? NOTHING : duration(appliedSeconds.max),
  ];
}

function spread(result: RunResult, configurations: ConfigurationResult): Block {
  const legend = [
    ['area', 'devices that were set as is desired now'],
    ['received', 'rollouts that were applied, as the service believes'],
  ] as const;
  return {
    kind: 'group',
    forms: HTML,
    blocks: [
      { kind: 'heading', text: 'Over virtual time' },
      { kind: 'chart', chart: configurationChart(result, configurations), legend },
    ],
  };
}
