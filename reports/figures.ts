/**
 * The named figures of a run, a row each. Expectations, the key figures of every form of report and
 * the table in docs/scenario-file.md are derived from the rows (docs/decisions/0036). A figure that
 * can be computed from a result is added here, with its test and its line of that table.
 */
import type {
  BeaconFigures,
  BeaconPopulation,
  CampaignResult,
  EnergyPopulation,
  EnergyResult,
  JobResult,
  ManagedCampaignResult,
  MulticastGroupResult,
  Percentiles,
  PopulationResult,
  RunResult,
} from '../core/result.ts';
import { assert } from '../sim/base/assert.ts';
import { sumOf, UPLINK_LOSSES, type UplinkLoss } from '../sim/base/counts.ts';
import { counted, partOf, type Unit } from './render/format.ts';
import { UPLINK_WORDS } from './words.ts';

export interface Figure {
  /** As expectations write it. */
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  /** What it is measured on, in one sentence; of a share what is counted over what. */
  readonly meaning: string;
  readonly group: Group;
  /** Its value in a run; NaN where nothing happened that it could be measured on. */
  readonly of: (result: RunResult) => number;
  /** Of a share: what it is made of. */
  readonly parts?: (result: RunResult) => Parts;
  /** Reports show it among their key figures: always, or in runs in which it was measured. */
  readonly key?: 'always' | 'measured';
  /** A report's section on one campaign shows it among that one's key figures, beside this hint. */
  readonly campaignHint?: (campaign: CampaignResult) => string;
  /** What a report writes where it was not measured; `–` when absent. */
  readonly unmeasured?: string;
  /** Its value for one population, where it has one. */
  readonly ofPopulation?: (population: Population) => number;
  /** Its value over these campaigns, where it is a figure of campaigns. */
  readonly ofCampaigns?: (campaigns: readonly CampaignResult[]) => number;
}

type Parts = readonly [part: number, whole: number];

export type Group =
  | 'devices'
  | 'uplinks'
  | 'messages'
  | 'downlinks'
  | 'class B'
  | 'gateways'
  | 'energy'
  | 'campaigns'
  | 'reliable downlinks'
  | 'managed campaigns';

/** What a result holds of a population. */
export interface Population {
  readonly devices: PopulationResult;
  /** Absent when none of its devices looked for a beacon. */
  readonly beacons: BeaconPopulation | undefined;
  /** Absent when its energy is not counted. */
  readonly energy: EnergyPopulation | undefined;
}

/** A row says how it is got in one of three ways: by its parts, by campaigns, or by a formula. */
type Row = Omit<Figure, 'group' | 'of' | 'parts' | 'ofCampaigns'> &
  (
    | { readonly of: Figure['of'] }
    | { readonly parts: NonNullable<Figure['parts']> }
    | {
        readonly ofCampaigns: NonNullable<Figure['ofCampaigns']>;
        readonly parts?: NonNullable<Figure['parts']>;
      }
  );

function rowsOf(group: Group, rows: readonly Row[]): Figure[] {
  return rows.map((row) => {
    if ('of' in row) return { ...row, group };
    if ('ofCampaigns' in row) {
      return { ...row, group, of: ({ campaigns }) => row.ofCampaigns(campaigns) };
    }
    return { ...row, group, of: (result) => ratio(...row.parts(result)) };
  });
}

const DEVICES: readonly Row[] = [
  {
    name: 'devices',
    label: 'Devices',
    unit: 'count',
    meaning: 'Devices in the network.',
    of: ({ devices }) => devices.total,
  },
  {
    name: 'joined',
    label: 'Devices joined',
    unit: 'share',
    meaning: 'Devices with a session at the end, over all devices.',
    parts: ({ devices }) => [devices.joined, devices.total],
    key: 'always',
    ofPopulation: ({ devices }) => ratio(devices.joined, devices.devices),
  },
  {
    name: 'joinRequests',
    label: 'Join requests',
    unit: 'count',
    meaning: 'JoinRequest frames sent.',
    of: ({ devices }) => devices.joinRequests,
  },
  {
    name: 'joinSeconds.p50',
    label: 'Join time, median',
    unit: 'seconds',
    meaning: 'Power-on to session, the median over joined OTAA devices.',
    of: ({ devices }) => percentile(devices.joinSeconds, 'p50'),
  },
  {
    name: 'joinSeconds.p90',
    label: 'Join time, 90th percentile',
    unit: 'seconds',
    meaning: 'Power-on to session; nine in ten joined OTAA devices were at least this fast.',
    of: ({ devices }) => percentile(devices.joinSeconds, 'p90'),
  },
  {
    name: 'joinSeconds.max',
    label: 'Join time, slowest',
    unit: 'seconds',
    meaning: 'Power-on to session of the slowest joined OTAA device.',
    of: ({ devices }) => percentile(devices.joinSeconds, 'max'),
  },
];

const MESSAGES: readonly Row[] = [
  {
    name: 'messages',
    label: 'Messages',
    unit: 'count',
    meaning: 'New application uplinks; a repetition is not a new one.',
    of: ({ devices }) => devices.messages,
  },
  {
    name: 'messagesDelivered',
    label: 'Messages delivered',
    unit: 'share',
    meaning: 'Messages of which the server received at least one copy, over all messages.',
    parts: ({ devices }) => [devices.messagesDelivered, devices.messages],
    key: 'always',
    ofPopulation: ({ devices }) => ratio(devices.messagesDelivered, devices.messages),
  },
  {
    name: 'deliveryRatio.p10',
    label: 'Delivery ratio, 10th percentile',
    unit: 'share',
    meaning: 'Share of its messages that a device delivered; one in ten devices had no more.',
    of: ({ devices }) => percentile(devices.deliveryRatio, 'p10'),
  },
  {
    name: 'deliveryRatio.p50',
    label: 'Delivery ratio, median',
    unit: 'share',
    meaning: 'Share of its messages that a device delivered, the median over devices that sent.',
    of: ({ devices }) => percentile(devices.deliveryRatio, 'p50'),
  },
];

const UPLINKS: readonly Row[] = [
  {
    name: 'uplinks',
    label: 'Uplinks',
    unit: 'count',
    meaning: 'Uplink frames that ended, join requests and repetitions included.',
    of: ({ radio }) => radio.uplinks,
  },
  {
    name: 'received',
    label: 'Uplinks received',
    unit: 'share',
    meaning: 'Uplink frames that at least one gateway received, over all uplink frames.',
    parts: ({ radio }) => [radio.received, radio.uplinks],
    key: 'always',
  },
  {
    name: 'lost',
    label: 'Uplinks lost',
    unit: 'share',
    meaning: 'Uplink frames that no gateway received, over all uplink frames.',
    parts: ({ radio }) => [sumOf(radio.lost), radio.uplinks],
  },
  ...UPLINK_LOSSES.map(lostUplinks),
  {
    name: 'retransmissions',
    label: 'Retransmissions',
    unit: 'count',
    meaning: 'Uplink frames that repeat an earlier one.',
    of: ({ devices }) => devices.retransmissions,
  },
  {
    name: 'dutyCycleWaits',
    label: 'Duty-cycle waits',
    unit: 'count',
    meaning: "Transmissions that had to wait for the sub-band's duty cycle.",
    of: ({ devices }) => devices.dutyCycleWaits,
  },
];

const DOWNLINKS: readonly Row[] = [
  {
    name: 'confirmedAcknowledged',
    label: 'Confirmed acknowledged',
    unit: 'share',
    meaning: 'Confirmed messages whose acknowledgement reached the device, over those sent.',
    parts: ({ devices: { confirmed } }) => [confirmed.acknowledged, confirmed.sent],
    key: 'always',
  },
  {
    name: 'confirmedFailed',
    label: 'Confirmed given up',
    unit: 'share',
    meaning: 'Confirmed messages given up after the last try, over those sent.',
    parts: ({ devices: { confirmed } }) => [confirmed.failed, confirmed.sent],
  },
  {
    name: 'multicastHeard',
    label: 'Multicast heard',
    unit: 'share',
    meaning: 'Frames of multicast groups that members heard, over frames times members.',
    parts: ({ multicastGroups: groups }) => [inGroups(groups, 'heard'), inGroups(groups, 'toHear')],
    key: 'measured',
  },
  {
    name: 'downlinks',
    label: 'Downlinks requested',
    unit: 'count',
    meaning: 'Downlink frames that the server wanted to send.',
    of: ({ downlinks }) => downlinks.requested,
  },
  {
    name: 'downlinksSent',
    label: 'Downlinks sent',
    unit: 'share',
    meaning: 'Downlink frames that a gateway sent, over those requested.',
    parts: ({ downlinks }) => [downlinks.sent, downlinks.requested],
  },
  {
    name: 'downlinksReceived',
    label: 'Downlinks received',
    unit: 'share',
    meaning: 'Downlink frames that reached their device, over those requested.',
    parts: ({ downlinks }) => [downlinks.received, downlinks.requested],
    key: 'always',
  },
  {
    name: 'downlinksRefused',
    label: 'Downlinks refused',
    unit: 'share',
    meaning: 'Downlink frames that no gateway sent, over those requested.',
    parts: ({ downlinks }) => [sumOf(downlinks.refused), downlinks.requested],
  },
  {
    name: 'downlinksRetried',
    label: 'Downlinks planned again',
    unit: 'count',
    meaning: 'Frames that a gateway refused, planned again in RX2 or made again later.',
    of: ({ downlinks }) => sumOf(downlinks.retried),
  },
];

const CLASS_B: readonly Row[] = [
  {
    name: 'beaconsHeard',
    label: 'Beacons heard',
    unit: 'share',
    meaning: 'Beacons that devices heard, over those that they looked for.',
    parts: ({ beacons }) => [beacons?.heard ?? 0, beacons?.lookedFor ?? 0],
  },
  {
    name: 'inClassB',
    label: 'Devices in class B',
    unit: 'count',
    meaning: 'Devices that have a beacon at the end, and ping slots that the server knows.',
    of: ({ beacons }) => beacons?.inClassB ?? 0,
  },
  {
    name: 'classBEnergy',
    label: 'Energy for class B',
    unit: 'share',
    meaning: 'Energy drawn for beacons and ping slots, over all energy that devices have drawn.',
    of: ({ beacons, energy }) => classBShare(beacons, energy),
    key: 'measured',
    ofPopulation: ({ beacons, energy }) => classBShare(beacons, energy),
  },
];

const GATEWAYS: readonly Row[] = [
  {
    name: 'gateways',
    label: 'Gateways',
    unit: 'count',
    meaning: 'Gateways in the network.',
    of: ({ gateways }) => gateways.length,
  },
  {
    name: 'gatewayDutyCycle',
    label: 'Highest gateway duty cycle',
    unit: 'share',
    meaning: 'Time on air over the run, of the busiest gateway in its busiest sub-band.',
    of: ({ gateways }) => {
      const shares = gateways.flatMap((gateway) => Object.values(gateway.dutyCycle));
      return shares.reduce((highest, share) => Math.max(highest, share), shares[0] ?? Number.NaN);
    },
  },
];

const ENERGY: readonly Row[] = [
  {
    name: 'energyPerDevice',
    label: 'Energy per device',
    unit: 'joules',
    meaning: 'What a device has drawn from its supply since power-on, the mean over devices.',
    of: ({ energy }) => energy?.meanJoules ?? Number.NaN,
    ofPopulation: ({ energy }) => energy?.meanJoules ?? Number.NaN,
  },
  {
    name: 'batteryLife',
    label: 'Battery life, nine in ten',
    unit: 'seconds',
    meaning: 'Capacity over mean power; nine in ten devices with a battery last this long.',
    of: ({ energy }) => percentile(energy?.batteryLifeSeconds, 'p10'),
    ofPopulation: ({ energy }) => percentile(energy?.batteryLifeSeconds, 'p10'),
  },
  {
    name: 'batteryLife.p50',
    label: 'Battery life, median',
    unit: 'seconds',
    meaning: 'Capacity over mean power, the median over devices with a battery.',
    of: ({ energy }) => percentile(energy?.batteryLifeSeconds, 'p50'),
  },
];

const CAMPAIGNS: readonly Row[] = [
  {
    name: 'campaign.updated',
    label: 'Devices updated',
    unit: 'share',
    meaning: 'Devices of campaigns that run the new image, over all devices of campaigns.',
    parts: ({ campaigns }) => [total(campaigns, 'success'), total(campaigns, 'devices')],
    key: 'measured',
    campaignHint: ({ success, devices }) => partOf(success, devices),
    ofCampaigns: (campaigns) => ratio(total(campaigns, 'success'), total(campaigns, 'devices')),
  },
  {
    name: 'campaign.success',
    label: 'Updated devices',
    unit: 'count',
    meaning: 'Devices of campaigns that run the new image.',
    ofCampaigns: (campaigns) => total(campaigns, 'success'),
  },
  {
    name: 'campaign.failed',
    label: 'Devices not updated',
    unit: 'count',
    meaning: 'Devices of campaigns that failed.',
    ofCampaigns: (campaigns) => total(campaigns, 'failed'),
  },
  campaignTime(50),
  campaignTime(90),
  campaignTime(99),
  {
    name: 'campaign.sent',
    label: 'Fragments sent',
    unit: 'count',
    meaning: 'Multicast fragment frames sent, over all gateways.',
    campaignHint: ({ gateways }) => `by ${counted(gateways.length, 'gateway')}`,
    ofCampaigns: (campaigns) => total(campaigns, 'sent'),
  },
  {
    name: 'campaign.repairs',
    label: 'Repairs',
    unit: 'count',
    meaning: 'Fragments sent to single devices as repairs.',
    campaignHint: () => 'to single devices',
    ofCampaigns: (campaigns) => total(campaigns, 'repairs'),
  },
];

const JOBS: readonly Row[] = [
  {
    name: 'jobs.success',
    label: 'Devices that answered',
    unit: 'share',
    meaning: 'Devices of reliable downlink jobs that sent the expected uplink, over all of them.',
    parts: ({ reliableDownlinks: jobs }) => [inJobs(jobs, 'success'), inJobs(jobs, 'devices')],
    key: 'measured',
  },
  {
    name: 'jobs.received',
    label: 'Devices reached by jobs',
    unit: 'share',
    meaning:
      'Devices of reliable downlink jobs that received the downlink, heard or not when they ' +
      'answered, over all of them.',
    parts: ({ reliableDownlinks: jobs }) => [inJobs(jobs, 'received'), inJobs(jobs, 'devices')],
  },
  {
    name: 'jobs.pending',
    label: 'Pending devices of jobs',
    unit: 'count',
    meaning: 'Devices of reliable downlink jobs that have neither answered nor failed.',
    of: ({ reliableDownlinks: jobs }) => inJobs(jobs, 'pending'),
  },
  {
    name: 'jobs.failed',
    label: 'Failed devices of jobs',
    unit: 'count',
    meaning: 'Devices of reliable downlink jobs that failed, for whatever reason.',
    of: ({ reliableDownlinks: jobs = [] }) =>
      jobs.reduce((all, { failures }) => all + sumOf(failures), 0),
  },
  {
    name: 'jobs.tries',
    label: 'Tries of jobs',
    unit: 'count',
    meaning: 'Downlinks of reliable downlink jobs that were sent, or lost on the way to the air.',
    of: ({ reliableDownlinks: jobs }) => inJobs(jobs, 'tries'),
  },
];

const inGroups = (groups: readonly MulticastGroupResult[] = [], key: 'heard' | 'toHear'): number =>
  groups.reduce((all, group) => all + group[key], 0);

const inJobs = (
  jobs: readonly JobResult[] = [],
  key: 'devices' | 'received' | 'success' | 'pending' | 'tries',
): number => jobs.reduce((all, job) => all + job[key], 0);

const MANAGED: readonly Row[] = [
  {
    name: 'managed.updated',
    label: 'Devices of managed campaigns updated',
    unit: 'count',
    meaning: 'Devices that reported the new version to a campaign of a managed campaign.',
    of: ({ managedCampaigns }) => inManaged(managedCampaigns, 'updated'),
  },
  {
    name: 'managed.scheduled',
    label: 'Devices of the next session',
    unit: 'count',
    meaning: 'Devices that the next sessions of managed campaigns would update.',
    of: ({ managedCampaigns }) => inManaged(managedCampaigns, 'scheduled'),
  },
  {
    name: 'managed.problematic',
    label: 'Problematic devices',
    unit: 'count',
    meaning: 'Devices that managed campaigns leave out, since they failed in two campaigns.',
    of: ({ managedCampaigns }) => inManaged(managedCampaigns, 'problematic'),
  },
  {
    name: 'managed.sessions',
    label: 'Sessions of managed campaigns',
    unit: 'count',
    meaning: 'Sessions of managed campaigns that found devices.',
    of: ({ managedCampaigns = [] }) =>
      managedCampaigns.reduce((all, { sessions }) => all + sessions.length, 0),
  },
];

const inManaged = (
  managed: readonly ManagedCampaignResult[] = [],
  key: 'updated' | 'scheduled' | 'problematic',
): number => managed.reduce((all, campaign) => all + campaign[key], 0);

/** In the order that a person reads; key figures are shown in it, too. */
export const FIGURES: readonly Figure[] = [
  ...rowsOf('campaigns', CAMPAIGNS),
  ...rowsOf('managed campaigns', MANAGED),
  ...rowsOf('reliable downlinks', JOBS),
  ...rowsOf('devices', DEVICES),
  ...rowsOf('messages', MESSAGES),
  ...rowsOf('uplinks', UPLINKS),
  ...rowsOf('downlinks', DOWNLINKS),
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

function total(
  campaigns: readonly CampaignResult[],
  key: 'devices' | 'success' | 'failed' | 'sent' | 'repairs',
): number {
  return campaigns.reduce((all, campaign) => all + campaign[key], 0);
}

function campaignTime(percentage: 50 | 90 | 99): Row {
  const key = `t${percentage}` as const;
  return {
    name: `campaign.${key}`,
    label: `${percentage} % updated after`,
    unit: 'seconds',
    unmeasured: 'never',
    campaignHint: ({ devices }) =>
      `that is ${counted(Math.ceil((devices * percentage) / 100), 'device')}`,
    meaning:
      `From the start of a campaign until ${percentage} % of its devices were updated, ` +
      'the slowest campaign; not a number when one never came so far.',
    ofCampaigns: (campaigns) => {
      const seconds = campaigns.map((campaign) => campaign[key] ?? Number.NaN);
      return seconds.reduce((slowest, one) => Math.max(slowest, one), seconds[0] ?? Number.NaN);
    },
  };
}

function lostUplinks(cause: UplinkLoss): Row {
  const { meaning } = UPLINK_WORDS[cause];
  return {
    name: `lost.${cause}`,
    label: `Uplinks lost: ${cause}`,
    unit: 'share',
    meaning: `Uplink frames lost to one cause, over all uplink frames. ${meaning}`,
    parts: ({ radio }) => [radio.lost[cause] ?? 0, radio.uplinks],
  };
}

/** NaN where no beacon was looked for, or no energy is counted or drawn. */
function classBShare(
  beacons: BeaconFigures | undefined,
  energy: Pick<EnergyResult, 'byCause' | 'meanJoules'> | undefined,
): number {
  if (beacons === undefined || energy === undefined) return Number.NaN;
  const { beacon = 0, ping = 0 } = energy.byCause;
  return ratio(beacon + ping, energy.meanJoules);
}

function percentile(of: Percentiles | null | undefined, key: keyof Percentiles): number {
  return of?.[key] ?? Number.NaN;
}

/** 0…1, or NaN when there was nothing to be a part of. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : part / whole;
}
