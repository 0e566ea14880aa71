/** What an expectation was judged on, in the unit of the figure that it names. */
import type { ExpectationResult } from '../core/result.ts';
import { campaignKpis, KPIS, type Kpi } from './kpi.ts';

/**
 * The figure that the expectation compares with its bound: a row of `KPIS`, or one of a single
 * population (`meter.joined`) or campaign (`campaigns.spring.t90`), whose name is put before its
 * label; undefined when it compares a quotient or a count of the result.
 */
export function expectedKpi({ expectation }: ExpectationResult): Kpi | undefined {
  const name = /^\s*([A-Za-z][\w.-]*)\s*(?:[<>=≥≤]|within\b)/.exec(expectation)?.[1] ?? '';
  if (Object.hasOwn(KPIS, name)) return KPIS[name];
  const dot = name.lastIndexOf('.');
  const owner = name.slice(0, Math.max(dot, 0));
  const part = name.slice(dot + 1);
  if (owner.startsWith(CAMPAIGNS)) {
    const campaign = owner.slice(CAMPAIGNS.length);
    return ofOwner(campaign, campaignKpis(campaign)[name]);
  }
  const ofCampaign = CAMPAIGN_FIGURES.has(part)
    ? campaignKpis(owner)[`${CAMPAIGNS}${name}`]
    : undefined;
  if (ofCampaign !== undefined) return ofOwner(owner, ofCampaign);
  if (owner === '' || /^devices\b/.test(owner) || !FIGURES_OF_POPULATIONS.has(part))
    return undefined;
  return ofOwner(owner, KPIS[part]);
}

const CAMPAIGNS = 'campaigns.';
/** What `NAME.…` may be of a campaign. */
const CAMPAIGN_FIGURES = new Set([
  'updated',
  'success',
  'failed',
  't50',
  't90',
  't99',
  'sent',
  'repairs',
]);
const FIGURES_OF_POPULATIONS = new Set([
  'joined',
  'messagesDelivered',
  'energyPerDevice',
  'batteryLife',
]);

function ofOwner(owner: string, kpi: Kpi | undefined): Kpi | undefined {
  return kpi && { ...kpi, label: `${owner}: ${kpi.label}` };
}

/** How an expectation list as a whole went. */
export function verdict(expectations: readonly ExpectationResult[]): {
  readonly state: 'holds' | 'fails' | 'open';
  readonly sentence: string;
} {
  const total = expectations.length;
  const failed = expectations.filter(({ holds }) => !holds).length;
  if (total === 0) return { state: 'open', sentence: 'The scenario states no expectations' };
  if (failed === 0) {
    const sentence = total === 1 ? 'The expectation holds' : `All ${total} expectations hold`;
    return { state: 'holds', sentence };
  }
  if (total === 1) return { state: 'fails', sentence: 'The expectation fails' };
  const sentence = `${failed} of ${total} expectations ${failed === 1 ? 'fails' : 'fail'}`;
  return { state: 'fails', sentence };
}
