/** Which gateways send a campaign's fragments. */
import type { DeviceView, NetworkView } from './network-face.ts';

export interface ChosenGateway {
  readonly eui: string;
  /** Why it sends: a sentence part for people. */
  readonly reason: string;
}

/** A level above sensitivity that lets most fragments through, 1/100 dB. */
export const LEVEL_MARGIN_CENTI_DB = 500;

/**
 * The gateways that send: those listed, or else the smallest set found by taking, again and again,
 * the gateway that serves most members not served yet (at a tie the lower EUI). A gateway serves a
 * member when its level there is at least `levelCentiDbm`, or when none is and it is the best.
 * When no member was ever heard, all gateways send.
 */
export function chooseGateways(
  listed: readonly string[],
  members: readonly DeviceView[],
  levelCentiDbm: number,
  view: NetworkView,
): readonly ChosenGateway[] {
  if (listed.length > 0) return listed.map((eui) => ({ eui, reason: 'listed' }));
  let unserved = members.map((member) => serversOf(member, levelCentiDbm)).filter(isNotEmpty);
  if (unserved.length === 0) {
    const all = view.gateways().map(({ eui }) => eui);
    return all.sort().map((eui) => ({ eui, reason: 'no member was heard yet' }));
  }
  const chosen: ChosenGateway[] = [];
  while (unserved.length > 0) {
    const [eui, count] = mostServing(unserved);
    chosen.push({ eui, reason: `members served: ${count}` });
    unserved = unserved.filter((servers) => !servers.includes(eui));
  }
  return chosen.sort((a, b) => (a.eui < b.eui ? -1 : 1));
}

function serversOf({ heardBy }: DeviceView, levelCentiDbm: number): readonly string[] {
  const strong = heardBy.filter((each) => each.downlinkCentiDbm >= levelCentiDbm);
  if (strong.length > 0) return strong.map((each) => each.gatewayEui);
  const best = Math.max(...heardBy.map((each) => each.downlinkCentiDbm));
  return heardBy.filter((each) => each.downlinkCentiDbm === best).map((each) => each.gatewayEui);
}

const isNotEmpty = (list: readonly string[]): boolean => list.length > 0;

function mostServing(unserved: readonly (readonly string[])[]): readonly [string, number] {
  const counts = new Map<string, number>();
  for (const servers of unserved) {
    for (const eui of servers) counts.set(eui, (counts.get(eui) ?? 0) + 1);
  }
  let best: readonly [string, number] = ['', 0];
  for (const entry of counts) {
    if (entry[1] > best[1] || (entry[1] === best[1] && entry[0] < best[0])) best = entry;
  }
  return best;
}
