/** The section on configurations: a line for each population, and how they spread over time. */
import type { ConfigurationResult } from '../../../core/result/configuration.ts';
import type { RunResult } from '../../../core/result/result.ts';
import { draw } from '../../charts/plot.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { card, legend, table } from '../../markup/parts.ts';
import { count, NOTHING } from '../../text/format.ts';
import { configurationChart } from './configuration-chart.ts';
import { CONFIGURED_SHOWN, configuredRow, rolloutsSentence } from './configuration-facts.ts';

/** Nothing where no configuration was desired. */
export function configurationSection(result: RunResult): Content {
  const { configurations } = result;
  if (configurations === undefined) return '';
  const { appliedAtSeconds, setAtSeconds } = configurations;
  const chart = html`<h3>Over virtual time</h3>
${legend([
  ['area', 'devices that were set as is desired now'],
  ['received', 'rollouts that were applied, as the service believes'],
])}${draw(configurationChart(result, configurations))}`;
  return card(
    'Configurations',
    html`<p class="lead">${rolloutsSentence(configurations)}</p>`,
    populationTable(configurations),
    appliedAtSeconds.length + setAtSeconds.length === 0 ? '' : chart,
  );
}

function populationTable({ populations }: ConfigurationResult): Markup {
  const shape = {
    name: 'Populations that were configured: what devices are really set to, and what is believed',
    stack: 6,
    columns: [
      { head: 'Population' },
      { head: 'Set as desired', kind: 'number' },
      { head: 'Applied', kind: 'number' },
      { head: 'Else' },
      { head: 'Half after', kind: 'number' },
      { head: 'Last after', kind: 'number' },
    ],
  } as const;
  const rows = populations.slice(0, CONFIGURED_SHOWN).map((population) => {
    const { name, set, applied, others, half, last } = configuredRow(population);
    const [first = NOTHING, ...rest] = others;
    const lines = html`${first}${rest.map((each) => html`<small>${each}</small>`)}`;
    return [name, set, applied, lines, half, last];
  });
  const more = populations.length - CONFIGURED_SHOWN;
  return html`${table(shape, rows)}
<p class="hint">Set as desired is what devices really run on; all else is what the service believes.
${more > 0 ? `${count(more)} more are not shown.` : ''}</p>`;
}
