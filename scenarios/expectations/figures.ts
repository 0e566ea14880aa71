/**
 * What expectations may name: figures (rows of reports/figures/figures.ts, of the run, of a
 * population or of a campaign), and counts by their path in a result.
 */
import { CONFIGURATION_FAILURES, ROLLOUT_STATUSES } from '../../core/result/configuration.ts';
import { CHANGE_FATES } from '../../core/result/delivery.ts';
import { FAILURE_CAUSES } from '../../core/result/outcome.ts';
import { JOB_FAILURES, type RunResult } from '../../core/result/result.ts';
import type { Figure as NamedFigure } from '../../reports/figures/figure.ts';
import {
  FIGURES,
  figuresOfCampaign,
  figuresOfOutcome,
  figuresOfPopulation,
} from '../../reports/figures/figures.ts';
import {
  BEACON_LOSSES,
  DOWNLINK_LOSSES,
  FRAGMENT_LOSSES,
  GATEWAY_REFUSALS,
  PLAN_REFUSALS,
  UPLINK_FATES,
  UPLINK_LOSSES,
} from '../../sim/base/counts.ts';
import { MILLION } from '../../sim/base/units.ts';
import { REGION_NAMES, region } from '../../sim/lorawan/region.ts';

export type Figure = Pick<NamedFigure, 'unit' | 'of'>;

/** Figures by name; those of a population in one campaign are made when they are asked for. */
export interface Figures extends Iterable<readonly [name: string, figure: Figure]> {
  get(name: string): Figure | undefined;
  keys(): Iterable<string>;
}

/** Names that depend on the scenario. */
export interface Names {
  readonly populations: readonly string[];
  readonly gateways: readonly string[];
  readonly campaigns: readonly string[];
  /** Those that follow an earlier one. */
  readonly followUps: readonly string[];
  readonly jobs: readonly string[];
  readonly managedCampaigns: readonly string[];
  readonly receivers: readonly string[];
}

const DATA_RATES = ['DR0', 'DR1', 'DR2', 'DR3', 'DR4', 'DR5', 'DR6', 'DR7'];
const PERCENTILES = ['p10', 'p50', 'p90', 'max'];

/** Counts by their path in `RunResult`; a count that did not occur is 0. */
const COUNTS = [
  'events',
  'virtualSeconds',
  'radio.uplinks',
  'radio.received',
  ...UPLINK_LOSSES.map((cause) => `radio.lost.${cause}`),
  ...UPLINK_FATES.map((fate) => `radio.receptions.${fate}`),
  'downlinks.requested',
  'downlinks.sent',
  'downlinks.received',
  ...[...PLAN_REFUSALS, ...GATEWAY_REFUSALS].map((cause) => `downlinks.refused.${cause}`),
  ...GATEWAY_REFUSALS.map((cause) => `downlinks.retried.${cause}`),
  ...DOWNLINK_LOSSES.map((cause) => `downlinks.lost.${cause}`),
  'downlinks.multicastSent',
  'beacons.sent',
  ...beaconCounts('beacons'),
  'devices.total',
  'devices.joined',
  'devices.joinRequests',
  'devices.messages',
  'devices.messagesDelivered',
  'devices.confirmed.sent',
  'devices.confirmed.acknowledged',
  'devices.confirmed.failed',
  'devices.retransmissions',
  'devices.dutyCycleWaits',
  ...DATA_RATES.map((dataRate) => `devices.byDataRate.${dataRate}`),
  'configurations.rollouts.made',
  'configurations.rollouts.active',
  'configurations.rollouts.applied',
  'configurations.tries',
  'configurations.suspensions',
];

/** Of all devices that look for beacons, or of a population. */
function beaconCounts(of: string): string[] {
  const missed = BEACON_LOSSES.map((cause) => `missed.${cause}`);
  return ['lookedFor', 'heard', 'inClassB', ...missed].map((key) => `${of}.${key}`);
}

/** Every figure of a scenario with these populations and gateways, by name. */
export function figuresOf(names: Names): Figures {
  const figures = figuresByName(names);
  return {
    get: (name) => figures.get(name) ?? outcomeFigure(name, names) ?? peakFigure(name, names),
    keys: () => figures.keys(),
    [Symbol.iterator]: () => figures[Symbol.iterator](),
  };
}

function figuresByName(names: Names): Map<string, Figure> {
  const figures = new Map<string, Figure>(FIGURES.map((figure) => [figure.name, figure]));
  for (const path of COUNTS) addPath(figures, path, 'count');
  for (const percentile of PERCENTILES) {
    addPath(figures, `devices.joinSeconds.${percentile}`, 'seconds');
    addPath(figures, `devices.deliveryRatio.${percentile}`, 'share');
  }
  for (const name of names.populations) {
    for (const key of ['devices', 'joined', 'messages', 'messagesDelivered']) {
      addPath(figures, `devices.populations.${name}.${key}`, 'count');
    }
    for (const percentile of PERCENTILES) {
      addPath(figures, `devices.populations.${name}.deliveryRatio.${percentile}`, 'share');
    }
    for (const cause of UPLINK_LOSSES) {
      addPath(figures, `devices.populations.${name}.uplinksLost.${cause}`, 'count');
    }
    for (const path of beaconCounts(`beacons.populations.${name}`)) addPath(figures, path, 'count');
    addConfigurations(figures, name);
    for (const figure of figuresOfPopulation(name)) figures.set(figure.name, figure);
    for (const figure of figuresOfOutcome(name)) figures.set(figure.name, figure);
  }
  for (const name of names.gateways) {
    addPath(figures, `gateways.${name}.uplinksReceived`, 'count');
    addPath(figures, `gateways.${name}.downlinksSent`, 'count');
    addPath(figures, `gateways.${name}.airtimeSeconds`, 'seconds');
    addPath(figures, `gateways.${name}.dutyCycle`, 'share');
    for (const fate of [...UPLINK_FATES, 'backhaulLoss']) {
      addPath(figures, `gateways.${name}.fates.${fate}`, 'count');
    }
    addPath(figures, `alerts.gateways.${name}.changes`, 'count');
    for (const fate of CHANGE_FATES) {
      addPath(figures, `alerts.gateways.${name}.fates.${fate}`, 'count');
    }
  }
  for (const name of names.campaigns) addCampaign(figures, name);
  for (const name of names.followUps) {
    const begun = ({ followUps = [] }: RunResult) =>
      followUps.some((one) => one.name === name && one.stage === 'started') ? 1 : 0;
    figures.set(`followUps.${name}.started`, { unit: 'count', of: begun });
  }
  for (const name of names.jobs) addJob(figures, name);
  for (const name of names.managedCampaigns) {
    for (const key of ['updated', 'scheduled', 'problematic']) {
      addPath(figures, `managedCampaigns.${name}.${key}`, 'count');
    }
  }
  for (const name of names.receivers) {
    for (const key of ['requests', 'received', 'distinct', 'duplicates']) {
      addPath(figures, `deliveries.receivers.${name}.${key}`, 'count');
    }
  }
  return figures;
}

/** Counts of a population that is configured; a reason is written with - for its spaces. */
function addConfigurations(figures: Map<string, Figure>, name: string): void {
  const of = `configurations.populations.${name}`;
  for (const key of ['devices', 'set', 'suspended', 'fragments', 'fragmentsConfirmed']) {
    addPath(figures, `${of}.${key}`, 'count');
  }
  for (const status of ROLLOUT_STATUSES) addPath(figures, `${of}.status.${status}`, 'count');
  for (const percentile of PERCENTILES) {
    addPath(figures, `${of}.appliedSeconds.${percentile}`, 'seconds');
  }
  for (const reason of CONFIGURATION_FAILURES) {
    const failed = ({ configurations }: RunResult) =>
      configurations?.populations.find((one) => one.name === name)?.failures[reason] ?? 0;
    figures.set(`${of}.failures.${reason.replaceAll(' ', '-')}`, { unit: 'count', of: failed });
  }
}

function addPath(figures: Map<string, Figure>, path: string, unit: Figure['unit']): void {
  figures.set(path, { unit, of: (result) => valueAt(path, result) });
}

/** Of a campaign, and of a population in it. */
const OUTCOME_COUNTS = ['devices', 'running', 'success', 'inProgress', 'failed'];
const CAMPAIGN_COUNTS = [
  ...OUTCOME_COUNTS,
  'rounds',
  'delegated',
  'nbFrag',
  'fragSize',
  'redundancy',
  'dataRate',
  'frequencyHz',
];

/**
 * Figures as `NAME.updated` and `campaigns.NAME.updated`, and counts by their
 * path; a reason is written with - for its spaces.
 */
function addCampaign(figures: Map<string, Figure>, name: string): void {
  const of = `campaigns.${name}`;
  for (const key of CAMPAIGN_COUNTS) addPath(figures, `${of}.${key}`, 'count');
  for (const reason of FAILURE_CAUSES) {
    const failed = ({ campaigns }: RunResult) =>
      campaigns.reduce(
        (sum, one) => sum + (one.name === name ? (one.failures[reason] ?? 0) : 0),
        0,
      );
    figures.set(`${of}.failures.${reason.replaceAll(' ', '-')}`, { unit: 'count', of: failed });
  }
  for (const cause of FRAGMENT_LOSSES) {
    const lost = ({ campaigns }: RunResult) =>
      campaigns.reduce(
        (sum, one) => sum + (one.name === name ? (one.fragmentLosses[cause] ?? 0) : 0),
        0,
      );
    figures.set(`${of}.fragmentLosses.${cause}`, { unit: 'count', of: lost });
  }
  for (const figure of figuresOfCampaign(name)) {
    figures.set(figure.name, figure);
    const short = figure.name.slice('campaigns.'.length);
    if (!figures.has(short)) figures.set(short, figure);
  }
}

/**
 * Figures of a population in a campaign, as `spring.meter.updated` and
 * `campaigns.spring.meter.updated`, and counts by their path in `campaigns.spring.populations.`.
 * There would be very many of them.
 */
function outcomeFigure(name: string, { campaigns, populations }: Names): Figure | undefined {
  const path = name.replace(/^campaigns\./, '');
  const campaign = campaigns.find((each) => path.startsWith(`${each}.`));
  if (campaign === undefined) return undefined;
  const rest = path.slice(campaign.length + 1).replace(/^populations\./, '');
  const population = populations.find((each) => rest.startsWith(`${each}.`));
  if (population === undefined) return undefined;
  const of = `campaigns.${campaign}`;
  const key = rest.slice(population.length + 1);
  if (name === `${of}.populations.${rest}`) return outcomeCount(name, campaign, population, key);
  const figures = figuresOfOutcome(population, campaign);
  return figures.find((figure) => figure.name === `${of}.${population}.${key}`);
}

/** Names of all limited sub-bands, such as `869.4-869.65`. */
const SUB_BANDS = new Set(
  REGION_NAMES.flatMap((name) =>
    region(name).subBands.map(({ minHz, maxHz }) => `${minHz / MILLION}-${maxHz / MILLION}`),
  ),
);

const PEAK = /^gateways?\.(.+)\.dutyCycle\.([\d.]+-[\d.]+)\.(peak|left)$/;

/**
 * `gateway.roof.dutyCycle.869.4-869.65.peak`: the highest share of an hour that a gateway used in a
 * sub-band; `left`: the share of the hour that was still free then. There would be very many.
 */
function peakFigure(name: string, { gateways }: Names): Figure | undefined {
  const [, gateway = '', band = '', which] = PEAK.exec(name) ?? [];
  if (!gateways.includes(gateway) || !SUB_BANDS.has(band)) return undefined;
  const of = (result: RunResult): number => {
    const found = result.gateways.find((one) => one.name === gateway);
    if (found?.dutyCyclePeaks === undefined) return Number.NaN;
    const peak = found.dutyCyclePeaks[band] ?? 0;
    if (which === 'peak') return peak;
    const limit = found.dutyCycleLimits?.[band];
    return limit === undefined ? Number.NaN : limit - peak;
  };
  return { unit: 'share', of };
}

/** A reason is written with - for its spaces. */
function outcomeCount(
  path: string,
  campaign: string,
  population: string,
  key: string,
): Figure | undefined {
  if (OUTCOME_COUNTS.includes(key)) return { unit: 'count', of: (result) => valueAt(path, result) };
  const cause = FAILURE_CAUSES.find((each) => key === `failures.${each.replaceAll(' ', '-')}`);
  if (cause === undefined) return undefined;
  const failed = ({ campaigns }: RunResult) =>
    campaigns
      .filter(({ name }) => name === campaign)
      .flatMap((one) => one.populations.filter(({ name }) => name === population))
      .reduce((sum, { failures }) => sum + (failures[cause] ?? 0), 0);
  return { unit: 'count', of: failed };
}

/** Counts of a reliable downlink job by their path; a reason is written with - for its spaces. */
function addJob(figures: Map<string, Figure>, name: string): void {
  const of = `reliableDownlinks.${name}`;
  for (const key of ['devices', 'received', 'success', 'pending', 'tries']) {
    addPath(figures, `${of}.${key}`, 'count');
  }
  for (const percentile of PERCENTILES) {
    addPath(figures, `${of}.triesToSuccess.${percentile}`, 'count');
    addPath(figures, `${of}.successSeconds.${percentile}`, 'seconds');
  }
  for (const reason of JOB_FAILURES) {
    const failed = ({ reliableDownlinks: jobs = [] }: RunResult) =>
      jobs.find((job) => job.name === name)?.failures[reason] ?? 0;
    figures.set(`${of}.failures.${reason.replaceAll(' ', '-')}`, { unit: 'count', of: failed });
  }
}

/** The number at a dotted path, list entries found by name; of a map of numbers the greatest. */
function valueAt(path: string, result: RunResult): number {
  let at: unknown = result;
  for (const key of path.split('.')) {
    if (at === null) return Number.NaN;
    if (Array.isArray(at)) at = at.find((entry: { name?: unknown }) => entry.name === key);
    else at = (at as Record<string, unknown> | undefined)?.[key];
  }
  if (typeof at === 'number') return at;
  if (at === null) return Number.NaN;
  return Object.values((at ?? {}) as Record<string, number>).reduce((a, b) => Math.max(a, b), 0);
}
