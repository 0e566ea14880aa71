/** The figures as docs/scenario-file.md lists them. */

import type { Figure } from './figure.ts';
import { FIGURES } from './figures.ts';

/** A table in Markdown, a row a figure. */
export function figureTable(): string {
  const head = ['| Figure | Unit | Meaning | Also of |', '| --- | --- | --- | --- |'];
  return [...head, ...FIGURES.map(rowOf)].join('\n');
}

function rowOf({ name, unit, meaning, ofPopulation, ofCampaigns, ofOutcomes }: Figure): string {
  const own = [
    ...(ofPopulation === undefined ? [] : [`a population: \`NAME.${name}\``]),
    ...(ofCampaigns === undefined ? [] : [`a campaign: \`${name.replace('campaign', 'NAME')}\``]),
    ...(ofOutcomes === undefined
      ? []
      : [`a population in them: \`${name.replace('campaign', 'campaign.POPULATION')}\``]),
  ];
  return `| \`${name}\` | ${unit} | ${meaning} | ${own.join(', ')} |`;
}
