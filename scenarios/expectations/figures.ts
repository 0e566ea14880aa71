/**
 * The figures that expectations may name: the named ones of `reports/kpi.ts`, and paths in a
 * result.
 */
import { type EnergyPopulation, FAILURE_REASONS, type RunResult } from '../../core/result.ts';
import { campaignKpis, KPIS, ratio } from '../../reports/kpi.ts';
import {
  BEACON_LOSSES,
  DOWNLINK_LOSSES,
  GATEWAY_REFUSALS,
  PLAN_REFUSALS,
  UPLINK_FATES,
  UPLINK_LOSSES,
} from '../../sim/base/counts.ts';

export interface Figure {
  /** Shares are 0…1, counts whole numbers; seconds and joules may be told with their units. */
  readonly unit: 'share' | 'count' | 'seconds' | 'joules';
  /** NaN where nothing happened that it could be measured on. */
  readonly value: (result: RunResult) => number;
}

/** Names that depend on the scenario. */
export interface Names {
  readonly populations: readonly string[];
  readonly gateways: readonly string[];
  readonly campaigns: readonly string[];
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
];

/** Of all devices that look for beacons, or of a population. */
function beaconCounts(of: string): string[] {
  const missed = BEACON_LOSSES.map((cause) => `missed.${cause}`);
  return ['lookedFor', 'heard', 'inClassB', ...missed].map((key) => `${of}.${key}`);
}

/** Every figure of a scenario with these populations and gateways, by name. */
export function figuresOf(names: Names): Map<string, Figure> {
  const figures = new Map<string, Figure>(Object.entries(KPIS));
  for (const path of COUNTS) {
    figures.set(path, { unit: 'count', value: (result) => valueAt(path, result) });
  }
  for (const percentile of PERCENTILES) {
    addPath(figures, `devices.joinSeconds.${percentile}`, 'seconds');
    addPath(figures, `devices.deliveryRatio.${percentile}`, 'share');
  }
  for (const name of names.populations) addPopulation(figures, name);
  for (const name of names.gateways) addGateway(figures, name);
  for (const name of names.campaigns) addCampaign(figures, name);
  return figures;
}

function addPath(figures: Map<string, Figure>, path: string, unit: Figure['unit']): void {
  figures.set(path, { unit, value: (result) => valueAt(path, result) });
}

function addPopulation(figures: Map<string, Figure>, name: string): void {
  const of = `devices.populations.${name}`;
  for (const key of ['devices', 'joined', 'messages', 'messagesDelivered']) {
    addPath(figures, `${of}.${key}`, 'count');
  }
  for (const path of beaconCounts(`beacons.populations.${name}`)) addPath(figures, path, 'count');
  const share = (part: string, whole: string): Figure => ({
    unit: 'share',
    value: (result) => ratio(valueAt(`${of}.${part}`, result), valueAt(`${of}.${whole}`, result)),
  });
  const energy =
    (value: (drawn: EnergyPopulation) => number | undefined) => (result: RunResult) => {
      const drawn = result.energy?.populations.find((one) => one.name === name);
      return (drawn && value(drawn)) ?? Number.NaN;
    };
  figures.set(`${name}.energyPerDevice`, {
    unit: 'joules',
    value: energy(({ meanJoules }) => meanJoules),
  });
  figures.set(`${name}.batteryLife`, {
    unit: 'seconds',
    value: energy(({ batteryLifeSeconds }) => batteryLifeSeconds?.p10),
  });
  figures.set(`${name}.joined`, share('joined', 'devices'));
  figures.set(`${name}.messagesDelivered`, share('messagesDelivered', 'messages'));
}

function addGateway(figures: Map<string, Figure>, name: string): void {
  addPath(figures, `gateways.${name}.uplinksReceived`, 'count');
  addPath(figures, `gateways.${name}.downlinksSent`, 'count');
  addPath(figures, `gateways.${name}.airtimeSeconds`, 'seconds');
  addPath(figures, `gateways.${name}.dutyCycle`, 'share');
}

const CAMPAIGN_COUNTS = ['devices', 'nbFrag', 'fragSize', 'redundancy', 'dataRate', 'frequencyHz'];

/**
 * Figures of `reports/kpi.ts` as `NAME.updated` and `campaigns.NAME.updated`, and counts by their
 * path; a reason is written with - for its spaces.
 */
function addCampaign(figures: Map<string, Figure>, name: string): void {
  const of = `campaigns.${name}`;
  for (const key of CAMPAIGN_COUNTS) addPath(figures, `${of}.${key}`, 'count');
  for (const reason of FAILURE_REASONS) {
    const value = ({ campaigns }: RunResult) =>
      campaigns.reduce(
        (sum, one) => sum + (one.name === name ? (one.failures[reason] ?? 0) : 0),
        0,
      );
    figures.set(`${of}.failures.${reason.replaceAll(' ', '-')}`, { unit: 'count', value });
  }
  for (const [key, kpi] of Object.entries(campaignKpis(name))) {
    figures.set(key, kpi);
    const short = key.slice('campaigns.'.length);
    if (!figures.has(short)) figures.set(short, kpi);
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
