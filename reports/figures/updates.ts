/** Figures of the update service: campaigns, managed campaigns, reliable downlinks. */
import type { OutcomeCounts } from '../../core/result/outcome.ts';
import type { JobResult, ManagedCampaignResult } from '../../core/result/result.ts';
import { sumOf } from '../../sim/base/counts.ts';
import { counted, partOf } from '../text/format.ts';
import { type Row, ratio } from './figure.ts';

export const CAMPAIGNS: readonly Row[] = [
  {
    name: 'campaign.runsIt',
    label: 'Devices that run it',
    unit: 'share',
    meaning:
      'Devices of campaigns that run the new image, or ran it before the next campaign took ' +
      'them, whatever the service knows; over all devices of campaigns.',
    parts: ({ campaigns }) => [total(campaigns, 'running'), total(campaigns, 'devices')],
    key: 'measured',
    campaignHint: ({ running, devices }) => partOf(running, devices),
    ofOutcomes: (outcomes) => ratio(total(outcomes, 'running'), total(outcomes, 'devices')),
  },
  {
    name: 'campaign.updated',
    label: 'Updates confirmed',
    unit: 'share',
    meaning:
      'Devices of campaigns that have confirmed the new version to the service, over all devices ' +
      'of campaigns.',
    parts: ({ campaigns }) => [total(campaigns, 'success'), total(campaigns, 'devices')],
    key: 'measured',
    campaignHint: ({ success, devices }) => partOf(success, devices),
    ofOutcomes: (outcomes) => ratio(total(outcomes, 'success'), total(outcomes, 'devices')),
  },
  {
    name: 'campaign.running',
    label: 'Devices that run it',
    unit: 'count',
    meaning:
      'Devices of campaigns that run the new image, or ran it before the next one took them.',
    ofOutcomes: (outcomes) => total(outcomes, 'running'),
  },
  {
    name: 'campaign.success',
    label: 'Confirmed devices',
    unit: 'count',
    meaning: 'Devices of campaigns that have confirmed the new version.',
    ofOutcomes: (outcomes) => total(outcomes, 'success'),
  },
  {
    name: 'campaign.inProgress',
    label: 'Devices in progress',
    unit: 'count',
    meaning: 'Devices of campaigns that have neither confirmed the new version nor failed.',
    ofOutcomes: (outcomes) => total(outcomes, 'inProgress'),
  },
  {
    name: 'campaign.failed',
    label: 'Failed devices',
    unit: 'count',
    meaning: 'Devices of campaigns that failed with the service, though some may run the image.',
    ofOutcomes: (outcomes) => total(outcomes, 'failed'),
  },
  {
    name: 'campaign.rounds',
    label: 'Rounds',
    unit: 'count',
    meaning: 'Rounds of campaigns: each start, restart and automatic retry is one.',
    ofCampaigns: (campaigns) => campaigns.reduce((all, { rounds }) => all + rounds, 0),
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
    ofCampaigns: (campaigns) => campaigns.reduce((all, { sent }) => all + sent, 0),
  },
  {
    name: 'campaign.repairs',
    label: 'Repairs',
    unit: 'count',
    meaning: 'Fragments sent to single devices as repairs.',
    ofCampaigns: (campaigns) => campaigns.reduce((all, { repairs }) => all + repairs, 0),
  },
];

function total(
  outcomes: readonly OutcomeCounts[],
  key: 'devices' | 'running' | 'success' | 'inProgress' | 'failed',
): number {
  return outcomes.reduce((all, outcome) => all + outcome[key], 0);
}

function campaignTime(percentage: 50 | 90 | 99): Row {
  const key = `t${percentage}` as const;
  return {
    name: `campaign.${key}`,
    label: `${percentage} % confirmed after`,
    unit: 'seconds',
    unmeasured: 'never',
    campaignHint: ({ devices }) =>
      `that is ${counted(Math.ceil((devices * percentage) / 100), 'device')}`,
    meaning:
      `From the start of a campaign until ${percentage} % of its devices had confirmed the new ` +
      'version, the slowest campaign; not a number when one never came so far.',
    ofCampaigns: (campaigns) => {
      const seconds = campaigns.map((campaign) => campaign[key] ?? Number.NaN);
      return seconds.reduce((slowest, one) => Math.max(slowest, one), seconds[0] ?? Number.NaN);
    },
  };
}

export const MANAGED: readonly Row[] = [
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

export const JOBS: readonly Row[] = [
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

const inJobs = (
  jobs: readonly JobResult[] = [],
  key: 'devices' | 'received' | 'success' | 'pending' | 'tries',
): number => jobs.reduce((all, job) => all + job[key], 0);
