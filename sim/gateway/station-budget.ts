/**
 * Who keeps a gateway's duty cycle: the server when it plans, or the gateway when a downlink
 * reaches it, as LoRa Basics Station does (docs/standard.md, Transmit queue of a packet forwarder).
 */

import type { GatewayPlan } from '../plan/network-plan.ts';
import type { ChannelPlan } from '../spectrum/channel-plan.ts';
import type { DutyCycle } from '../spectrum/duty-cycle.ts';
import type { Downlinks } from './downlinks.ts';

interface Station {
  readonly row: number;
  readonly plan: GatewayPlan;
}

export const serverKeepsBudget = ({ plan }: Station): boolean =>
  plan.dutyCycle && plan.refusesOverBudget !== true;

/** True when the gateway keeps its budgets itself and this one is used up; else it is booked. */
export function isOverBudget(
  side: {
    readonly plan: ChannelPlan;
    readonly dutyCycle: DutyCycle;
    readonly downlinks: Downlinks;
  },
  station: Station,
  downlink: number,
  budgetOf: (band: number) => number,
  nowUs: number,
): boolean {
  if (!station.plan.dutyCycle || station.plan.refusesOverBudget !== true) return false;
  const { plan, dutyCycle } = side;
  const { frequencyHz, startsAtUs, airtimeUs } = side.downlinks.column;
  const band = plan.bandOf(frequencyHz[downlink]);
  const account = station.row * plan.bands.length + band;
  const budgetUs = budgetOf(band);
  const startUs = startsAtUs[downlink];
  const us = airtimeUs[downlink];
  if (dutyCycle.earliestUs(account, nowUs, startUs, us, budgetUs) > startUs) return true;
  dutyCycle.book(account, startUs, us);
  return false;
}
