/** What traffic must be like: the parts that its process needs, and no others. */
import type { BurstPlan, ListedMessages, TrafficPlan } from './network-plan.ts';

const HOURS_A_DAY = 24;

export function isTraffic({ process, hourWeights, burst, listed }: TrafficPlan): boolean {
  const hasWeights = hourWeights === undefined ? process !== 'diurnal' : process === 'diurnal';
  const hasBurst = burst === undefined ? process !== 'burst' : process === 'burst';
  const hasList = listed === undefined ? process !== 'listed' : process === 'listed';
  if (!hasWeights || !hasBurst || !hasList) return false;
  if (listed !== undefined && !Object.values(listed).every(isList)) return false;
  return (hourWeights === undefined || isProfile(hourWeights)) && (!burst || isBurst(burst));
}

/** Weights of every hour; at least one is above 0. */
const isProfile = (weights: readonly number[]): boolean =>
  weights.length === HOURS_A_DAY &&
  weights.every((weight) => Number.isFinite(weight) && weight >= 0) &&
  weights.some((weight) => weight > 0);

/** Columns of one length, in the order of time. */
const isList = ({ atUs, ...columns }: ListedMessages): boolean =>
  Object.values(columns).every((column) => column === undefined || column.length === atUs.length) &&
  atUs.every((one, i) => Number.isInteger(one) && one >= (atUs[i - 1] ?? 0));

const isBurst = ({ messages, spacingUs, atUs, withinUs }: BurstPlan): boolean =>
  [messages, spacingUs, withinUs, ...atUs].every((one) => Number.isInteger(one) && one >= 0) &&
  messages > 0 &&
  spacingUs > 0 &&
  atUs.every((one, i) => i === 0 || one > (atUs[i - 1] as number));
