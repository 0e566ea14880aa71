/**
 * Which gateways send a campaign, as far as a plan shows it: the service's own rule, over levels
 * with shadows that are drawn. Not those that a seed will draw (docs/decisions/0133).
 */
import { gatewaysServing } from '../../core/update-service/gateway-choice.ts';
import { DrawPurpose, drawPair, entityKey, expandSeed, happens } from '../../sim/base/random.ts';
import { HEARD_BY } from '../../sim/network-server/heard-word.ts';
import type { DevicePlan, GatewayPlan } from '../../sim/plan/network-plan.ts';
import { shadowingDb } from '../../sim/radio/propagation.ts';

/** Links that are drawn at most: of a larger network, those of an even sample of its devices. */
const LINKS_MOST = 30_000;

/** Share of links that would do, and over which no uplink has come through yet, by chance. */
const NOTHING_YET_PPM = 10_000;

const SEED = expandSeed('forecast');
const keyOf = (eui: string) => entityKey(SEED, eui);

/** Levels by distance alone, 1/100 dBm. */
interface Levels {
  downlinkCentiDbm(device: DevicePlan, gateway: GatewayPlan): number;
  uplinkCentiDbm(device: DevicePlan, gateway: GatewayPlan): number;
  /** What a gateway hears the device at, by the level at the one that hears it best. */
  sensitivityCentiDbm(device: DevicePlan, bestCentiDbm: number): number;
}

/** EUIs. Each device was heard by the strongest of the gateways that hear it. */
export function drawnSenders(
  members: readonly DevicePlan[],
  gateways: readonly GatewayPlan[],
  levels: Levels,
  { levelCentiDbm, sigmaDb }: Readonly<Record<'levelCentiDbm' | 'sigmaDb', number>>,
): ReadonlySet<string> {
  const step = Math.max(1, Math.ceil((members.length * gateways.length) / LINKS_MOST));
  const keys = gateways.map(({ eui }) => keyOf(eui));
  const heard = members.flatMap((device, at) => {
    if (at % step !== 0) return [];
    const { key0, key1 } = keyOf(device.devEui);
    const links = gateways.map((gateway, other) => {
      const { key0: other0, key1: other1 } = keys[other]!;
      const of = (counter: number) =>
        drawPair(key0, key1, other0, other1, DrawPurpose.shadowing, counter);
      const shadow = Math.round(100 * shadowingDb(sigmaDb, of(0)));
      return {
        gatewayEui: gateway.eui,
        isHeard: !happens(of(1), NOTHING_YET_PPM),
        uplinkCentiDbm: levels.uplinkCentiDbm(device, gateway) - shadow,
        downlinkCentiDbm: levels.downlinkCentiDbm(device, gateway) - shadow,
      };
    });
    links.sort((a, b) => b.uplinkCentiDbm - a.uplinkCentiDbm);
    const least = levels.sensitivityCentiDbm(device, links[0]!.uplinkCentiDbm);
    const heardBy = links.filter(
      ({ isHeard, uplinkCentiDbm }) => isHeard && uplinkCentiDbm >= least,
    );
    return [{ heardBy: heardBy.slice(0, HEARD_BY) }];
  });
  return new Set(gatewaysServing(heard, levelCentiDbm).map(({ eui }) => eui));
}
