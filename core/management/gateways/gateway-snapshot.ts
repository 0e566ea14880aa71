/**
 * A gateway as it was at an instant, whatever happens to it while very many are reported: a handle
 * shows what is now. What does not change (names, hardware) is shared and not copied.
 */
import type { GatewayView } from '../../../sim/contract/view.ts';

/** Response with a gateway. */
export type GatewaySnapshot = Pick<
  GatewayView,
  | 'eui'
  | 'name'
  | 'xMeters'
  | 'yMeters'
  | 'hardware'
  | 'backhaulUp'
  | 'radioUp'
  | 'putUpAtUs'
  | 'lastStatusAtUs'
>;

export function remainingOf(gateway: GatewayView, nowUs: number): GatewaySnapshot {
  const statusAtUs = gateway.lastStatusAtUs(nowUs);
  return {
    eui: gateway.eui,
    name: gateway.name,
    xMeters: gateway.xMeters,
    yMeters: gateway.yMeters,
    hardware: gateway.hardware,
    backhaulUp: gateway.backhaulUp,
    radioUp: gateway.radioUp,
    putUpAtUs: gateway.putUpAtUs,
    lastStatusAtUs: () => statusAtUs,
  };
}
