/** Names of gateways by their EUIs, for results that list many of them. */
import type { NetworkSummary } from '../../sim/contract/summary.ts';

/** Of several with one EUI the latest is meant; the EUI stands for a gateway that is not known. */
export function gatewayNames({ gateways }: Pick<NetworkSummary, 'gateways'>) {
  const names = new Map(gateways.map(({ eui, name }) => [eui, name]));
  return (eui: string): string => names.get(eui) ?? eui;
}
