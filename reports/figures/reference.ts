/** The figures as docs/scenario-file.md lists them. */

import { markdownTable } from '../../sim/base/markdown.ts';
import type { Figure } from './figure.ts';
import { FIGURES } from './figures.ts';

/** A row a figure. Ends in a line feed. */
export function figureTable(): string {
  return markdownTable(['Figure', 'Unit', 'Meaning', 'Also of'], FIGURES.map(cellsOf));
}

function cellsOf(figure: Figure): readonly string[] {
  const { name, unit, meaning, ofPopulation, ofCampaigns, ofOutcomes } = figure;
  const own = [
    ...(ofPopulation === undefined ? [] : [`a population: \`NAME.${name}\``]),
    ...(ofCampaigns === undefined ? [] : [`a campaign: \`${name.replace('campaign', 'NAME')}\``]),
    ...(ofOutcomes === undefined
      ? []
      : [`a population in them: \`${name.replace('campaign', 'campaign.POPULATION')}\``]),
  ];
  return [`\`${name}\``, unit, meaning, own.join(', ')];
}
