/**
 * The named figures of a run, a row each. Expectations, the key figures of every form of report and
 * the table in docs/scenario-file.md are derived from the rows (docs/decisions/0036). A figure that
 * can be computed from a result is added here, with its test and its line of that table.
 */
import type { RunResult } from '../../core/result/result.ts';
import { assert } from '../../sim/base/assert.ts';
import { ALERTS, CONFIGURATIONS, DELIVERIES } from './delivery.ts';
import { CLASS_B, DEVICES, ENERGY, MESSAGES } from './devices.ts';
import { type Figure, rowsOf } from './figure.ts';
import { COUNTS, DOWNLINKS, GATEWAYS, UPLINKS } from './radio.ts';
import { CAMPAIGNS, JOBS, MANAGED } from './updates.ts';

/** In the order that a person reads; key figures are shown in it, too. */
export const FIGURES: readonly Figure[] = [
  ...rowsOf('campaigns', CAMPAIGNS),
  ...rowsOf('managed campaigns', MANAGED),
  ...rowsOf('reliable downlinks', JOBS),
  ...rowsOf('deliveries', DELIVERIES),
  ...rowsOf('alerts', ALERTS),
  ...rowsOf('configurations', CONFIGURATIONS),
  ...rowsOf('devices', DEVICES),
  ...rowsOf('messages', MESSAGES),
  ...rowsOf('uplinks', UPLINKS),
  ...rowsOf('downlinks', DOWNLINKS),
  ...rowsOf('counts', COUNTS),
  ...rowsOf('class B', CLASS_B),
  ...rowsOf('gateways', GATEWAYS),
  ...rowsOf('energy', ENERGY),
];

const BY_NAME = new Map(FIGURES.map((figure) => [figure.name, figure]));
assert(BY_NAME.size === FIGURES.length, 'every figure has a name of its own');

/** The row of this name, which exists. */
export function figureNamed(name: string): Figure {
  const figure = BY_NAME.get(name);
  assert(figure !== undefined, 'a figure is a row of the table');
  return figure;
}

/** Figures of one population: `meter.joined`. NaN where the result has no such population. */
export function figuresOfPopulation(population: string): Figure[] {
  return FIGURES.flatMap(({ parts: _, ofPopulation, ...figure }) => {
    if (ofPopulation === undefined) return [];
    const of = (result: RunResult): number => {
      const found = populationIn(result, population);
      return found === undefined ? Number.NaN : ofPopulation(found);
    };
    const name = `${population}.${figure.name}`;
    return [{ ...figure, name, label: `${population}: ${figure.label}`, of }];
  });
}

function populationIn({ devices, beacons, energy }: RunResult, name: string) {
  const isIt = (population: { readonly name: string }) => population.name === name;
  const own = devices.populations.find(isIt);
  if (own === undefined) return undefined;
  return {
    devices: own,
    beacons: beacons?.populations.find(isIt),
    energy: energy?.populations.find(isIt),
  };
}

/** Figures of the campaigns of one name: `campaigns.spring.updated`. */
export function figuresOfCampaign(campaign: string): Figure[] {
  return FIGURES.flatMap(({ parts: _, ofCampaigns, ...figure }) => {
    if (ofCampaigns === undefined) return [];
    const of = ({ campaigns }: RunResult): number =>
      ofCampaigns(campaigns.filter(({ name }) => name === campaign));
    const name = figure.name.replace('campaign', () => `campaigns.${campaign}`);
    return [{ ...figure, name, label: `${campaign}: ${figure.label}`, of }];
  });
}

/**
 * Figures of what campaigns came to at one population: `campaign.meter.updated` in all of them,
 * `campaigns.spring.meter.updated` in those of one name. NaN where it was in none.
 */
export function figuresOfOutcome(population: string, campaign?: string): Figure[] {
  return FIGURES.flatMap(({ parts: _, ofCampaigns: __, ofOutcomes, ...figure }) => {
    if (ofOutcomes === undefined) return [];
    const of = ({ campaigns }: RunResult): number => {
      const asked = campaigns.filter(({ name }) => campaign === undefined || name === campaign);
      const own = asked.flatMap(({ populations }) =>
        populations.filter(({ name }) => name === population),
      );
      return own.length === 0 ? Number.NaN : ofOutcomes(own);
    };
    const owner = campaign === undefined ? 'campaign' : `campaigns.${campaign}`;
    const name = figure.name.replace('campaign', () => `${owner}.${population}`);
    const words = campaign === undefined ? population : `${campaign}, ${population}`;
    return [{ ...figure, name, label: `${words}: ${figure.label}`, of }];
  });
}
