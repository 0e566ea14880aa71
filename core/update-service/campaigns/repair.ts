/**
 * Where a fragment that one member lacks can be sent again. A class C device gets downlinks on RX2
 * alone; one of class A or B in RX1, at the data rate of its uplink, as well.
 */

import type { NetworkView } from '../../../sim/contract/view.ts';
import { DATA_FRAGMENT_OVERHEAD } from '../../../sim/lorawan/packages/ts004-fragmentation.ts';
import type { DeviceGroup } from '../device-groups.ts';
import type { Plan } from './plan.ts';
import type { Settings } from './settings.ts';
import type { CampaignState } from './state.ts';

/** FRMPayload of a DataFragment of the plan's size, bytes. */
const fragmentBytes = ({ fragSize }: Plan): number => fragSize + DATA_FRAGMENT_OVERHEAD;

const carries = (view: NetworkView, dataRate: number, bytes: number): boolean =>
  (view.dataRate(dataRate)?.maxFrmPayload ?? 0) >= bytes;

const isClassC = (view: NetworkView, devEui: string): boolean =>
  view.device(devEui)?.deviceClass === 'C';

/** Whether RX2, or a window of a class A device after an uplink, carries a fragment of the plan. */
export function canRepair(
  { plan }: CampaignState,
  view: NetworkView,
  { devEui, dataRate }: { readonly devEui: string; readonly dataRate: number },
): boolean {
  if (plan === null) return false;
  const rates = isClassC(view, devEui) ? [view.rx2.dataRate] : [dataRate, view.rx2.dataRate];
  return rates.some((rate) => carries(view, rate, fragmentBytes(plan)));
}

/** What decides about the repair of members. */
export interface Repairing {
  readonly settings: Pick<Settings, 'individual_fragment_retransmit'>;
  readonly group: Pick<DeviceGroup, 'devices'>;
}

/** Why no class C device of the campaign is repaired though its settings ask for it; '': it is. */
export function whyNoRepair({ settings, group }: Repairing, plan: Plan, view: NetworkView): string {
  if (settings.individual_fragment_retransmit === 0) return '';
  const { dataRate } = view.rx2;
  if (carries(view, dataRate, fragmentBytes(plan))) return '';
  if (!group.devices.some((devEui) => isClassC(view, devEui))) return '';
  const most = (view.dataRate(dataRate)?.maxFrmPayload ?? 0) - DATA_FRAGMENT_OVERHEAD;
  return noRepairSentence(plan.fragSize, dataRate, most);
}

/** Fits a fragment of given size, where RX2's data rate carries one of `most`. */
export const noRepairSentence = (fragSize: number, rx2DataRate: number, most: number): string =>
  `Fragments of ${fragSize} bytes do not fit RX2, where DR${rx2DataRate} carries ${most}: ` +
  'individual_fragment_retransmit has no effect on class C devices. Use a frag_size of ' +
  `${most} bytes or less, or more redundancy.`;
