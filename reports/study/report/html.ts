/**
 * The report of a study over many points as a single HTML file that reads without scripts and
 * without a network: the answer first, then a section a figure, then every point.
 */
import type { DesignedStudy } from '../../../core/result/designed-study.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { card } from '../../markup/parts.ts';
import { pageOf } from '../../pages/shell.ts';
import { count, counted } from '../../text/format.ts';
import { VERSION } from '../../version.ts';
import { answerSection, cautionSection } from './answer-section.ts';
import { figureSection } from './figure-section.ts';
import { frontSection } from './front-section.ts';
import { layoutOf } from './layout.ts';
import { pointsSection } from './points-section.ts';
import { figuresOf } from './reading.ts';
import { sensitivitySection } from './sensitivity-section.ts';
import { STUDY_STYLE } from './style.ts';

/** The same study gives the same bytes. */
export function studyReportHtml(study: DesignedStudy): string {
  const layout = layoutOf(study);
  return pageOf({
    title: study.study,
    version: VERSION,
    style: STUDY_STYLE,
    header: head(study),
    main: html`${cautionSection(study)}
${answerSection(study)}
${frontSection(study)}
${sensitivitySection(study)}
${figuresOf(study).map((name) => figureSection(study, layout, name))}
${study.points.length === 0 ? '' : pointsSection(study)}
${groundsSection(study)}
`,
    footer: `Made by Fleetwave ${VERSION}. A study is a function of its plan, its scenario and its
root seed.`,
  });
}

function head(study: DesignedStudy): Markup {
  const { description, scenario, points, runs, runsAsked, complete, manifest, digest } = study;
  const facts: readonly (readonly [string, Content])[] = [
    ['Scenario', scenario],
    ['Points', count(points.length)],
    ['Runs', complete ? count(runs) : `${count(runs)} of ${count(runsAsked)}`],
    ['Root seed', html`<code>${manifest.seed}</code>`],
    ['Digest', html`<code>${digest}</code>`],
  ];
  const rows = facts.map(([term, fact]) => html`<div><dt>${term}</dt><dd>${fact}</dd></div>`);
  return html`<header>
<p class="brand">Fleetwave study</p>
<h1>${study.study}</h1>
${description === '' ? '' : html`<p class="lead">${description}</p>`}
<dl class="facts">${rows}</dl>
</header>`;
}

/** What the figures are measured in, and what they were drawn from. */
function groundsSection(study: DesignedStudy): Markup {
  const { manifest, digest, plan, parameters, scenario } = study;
  const turned = parameters
    .filter(({ paths }) => paths.length > 0)
    .map(({ name, paths }) => html`<li>${name} sets <code>${paths.join(', ')}</code></li>`);
  const variant = manifest.variant === undefined ? '' : `, variant ${manifest.variant}`;
  return card(
    'Behind the figures',
    html`<ul>
<li>Means are over the seeds of a point in which a figure was measured. Their 95 % intervals are
Student’s, those of shares of seeds Wilson’s.</li>
<li>Shares are in %, times in s, min, h and d, energies in J; points.csv has shares 0…1, seconds and
joules.</li>
<li>Every point runs the same seeds: <code>${manifest.seed}</code>, <code>${manifest.seed}/2</code>
and so on. Points are compared over pairs of equal seeds, so that the luck of a seed cancels.</li>
<li>Plan <code>${plan}</code>, digest of all runs <code>${digest}</code>: Fleetwave ${VERSION}
gives the same one on every machine.</li>
${turned}</ul>`,
    manifest.set.length === 0
      ? ''
      : html`<p class="hint">The whole study sets <code>${manifest.set.join(' ')}</code>.</p>`,
    html`<details><summary>The scenario ${scenario}${variant},
${counted(manifest.scenario.trimEnd().split('\n').length, 'line')}</summary>
<pre><code>${manifest.scenario}</code></pre></details>`,
  );
}
