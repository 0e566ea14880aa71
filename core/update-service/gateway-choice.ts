/** Which gateways send a campaign's fragments: those that are listed, or those that serve all. */
import { fail, ok } from '../../sim/base/result.ts';
import type { GatewayView, NetworkView, Reception } from '../../sim/contract/view.ts';
import { groupedBy } from '../base/grouped.ts';
import { MEDIUM_ID } from '../base/ids.ts';
import type { OwnView } from '../base/subscribers.ts';
import { HEX_EUI, listOf } from '../rows/answers.ts';
import { isServing } from '../simulator/gateway-states.ts';

/** Row of gateways that are listed; automatic choice has no limit. */
export const GATEWAYS = {
  type: 'list',
  of: {
    type: 'either',
    kinds: [{ type: 'hex', digits: 16 }, MEDIUM_ID],
    allowed: '16 hexadecimal digits, or an id of 8 letters and digits',
    failure: 'eui.malformed',
  },
  most: 10,
  distinct: true,
} as const;

/** As they are reported: by their EUIs. */
export const GATEWAYS_LISTED = { ...listOf(HEX_EUI), most: GATEWAYS.most } as const;

/** What finds gateways that are listed. */
export interface KnowsGateways {
  readonly baseStation: {
    /** A gateway that one sees, by its EUI in any case, or by the id that management reports. */
    known(idOrNodeId: string, view: OwnView): GatewayView | undefined;
  };
}

/** EUIs of gateways that are listed, each once; those are seen in one of the views. */
export function listedGateways(
  listed: readonly string[],
  views: readonly OwnView[],
  { baseStation }: KnowsGateways,
) {
  const euis = new Set<string>();
  for (const [i, id] of listed.entries()) {
    const view = views.find((each) => baseStation.known(id, each) !== undefined);
    if (view === undefined) {
      const message = `There is no gateway ${id}.`;
      return fail('deviceGroup.unknown-gateway', message, `/gateways/${i}`);
    }
    euis.add(baseStation.known(id, view)!.eui);
  }
  return ok([...euis]);
}

/** What the choice of gateways needs to know of a member. */
export interface HeardMember {
  /** Best first. */
  readonly heardBy: readonly Reception[];
}

export interface ChosenGateway {
  readonly eui: string;
  /** Why it sends: a sentence part for people. */
  readonly reason: string;
}

/** A level above sensitivity that lets most fragments through, 1/100 dB. */
export const LEVEL_MARGIN_CENTI_DB = 500;

/** Whose members are, and the network as each of those sees it. */
export interface Parties {
  ownerOf(devEui: string): string;
  viewOf(owner: string): NetworkView;
}

/** The gateways that send where some are listed: those that are in service. */
export const listedInService = (
  listed: readonly string[],
  view: NetworkView,
): readonly ChosenGateway[] =>
  listed.filter((eui) => view.gateway(eui) !== undefined).map((eui) => ({ eui, reason: 'listed' }));

/** A member of somebody's. */
type OwnedMember = HeardMember & { readonly owner: string };

/**
 * Members without the gateways that are known to fail. Where all that heard any of them fail, they
 * are as they were: nothing better is known.
 */
export function throughServing(
  members: readonly OwnedMember[],
  { viewOf }: Pick<Parties, 'viewOf'>,
  nowUs: number,
): readonly OwnedMember[] {
  const known = new Map<string, boolean>();
  const serves = (eui: string, owner: string): boolean => {
    const found = known.get(eui);
    if (found !== undefined) return found;
    const gateway = viewOf(owner).gateway(eui);
    const isUp = gateway !== undefined && isServing(gateway, nowUs);
    known.set(eui, isUp);
    return isUp;
  };
  const served = members.map(({ owner, heardBy }) => ({
    owner,
    heardBy: heardBy.filter(({ gatewayEui }) => serves(gatewayEui, owner)),
  }));
  return served.some(({ heardBy }) => heardBy.length > 0) ? served : members;
}

/**
 * The gateways that send where none are listed: of each owner of members those that serve its own,
 * in the order of EUIs.
 */
export function chooseOfEach(
  members: readonly OwnedMember[],
  levelCentiDbm: number,
  { viewOf }: Pick<Parties, 'viewOf'>,
  nowUs: number,
): readonly ChosenGateway[] {
  return [...groupedBy(members, ({ owner }) => owner)]
    .flatMap(([owner, theirs]) => chooseGateways(theirs, levelCentiDbm, viewOf(owner), nowUs))
    .sort((a, b) => (a.eui < b.eui ? -1 : 1));
}

/**
 * A smallest set of gateways that serves every member of one owner. A gateway serves a member when
 * its level there is at least `levelCentiDbm`, or when none is and it is the best. When no member
 * was ever heard, all gateways send that are not known to fail.
 *
 * The set is found by taking, again and again, the gateway that serves most members not served yet
 * (at a tie the lower EUI). Then a smaller one is looked for. That search is exact until it has
 * looked at a million server lists; beyond, which takes hundreds of gateways, the set may be larger
 * than needed by the factor of the greedy choice, ln(members) + 1 at most.
 */
export function chooseGateways(
  members: readonly HeardMember[],
  levelCentiDbm: number,
  view: NetworkView,
  nowUs: number,
): readonly ChosenGateway[] {
  const demands = demandsOf(members, levelCentiDbm);
  if (demands.length === 0) {
    const all = view.gateways();
    const serving = all.filter((gateway) => isServing(gateway, nowUs));
    const euis = (serving.length > 0 ? serving : all).map(({ eui }) => eui);
    return euis.sort().map((eui) => ({ eui, reason: 'no member was heard yet' }));
  }
  return smallestSet(demands);
}

/** The same rule for members that were heard, without what a network knows of gateways. */
export const gatewaysServing = (
  members: readonly HeardMember[],
  levelCentiDbm: number,
): readonly ChosenGateway[] => smallestSet(demandsOf(members, levelCentiDbm));

function smallestSet(demands: readonly Demand[]): readonly ChosenGateway[] {
  const greedy = takeGreedily(demands, () => true);
  const fewer = fewerThan(greedy.length, demands);
  const chosen = fewer === undefined ? greedy : takeGreedily(demands, (eui) => fewer.includes(eui));
  return chosen.sort((a, b) => (a.eui < b.eui ? -1 : 1));
}

/** Members that the same gateways serve. */
interface Demand {
  /** EUIs, ascending. */
  readonly servers: readonly string[];
  readonly members: number;
}

/** In an order that does not depend on that of the members; those never heard demand nothing. */
function demandsOf(members: readonly HeardMember[], levelCentiDbm: number): readonly Demand[] {
  const demands = new Map<string, Demand>();
  for (const member of members) {
    if (member.heardBy.length === 0) continue;
    const servers = [...serversOf(member, levelCentiDbm)].sort();
    const key = servers.join();
    demands.set(key, { servers, members: (demands.get(key)?.members ?? 0) + 1 });
  }
  return [...demands].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, demand]) => demand);
}

/** Gateways that pass the test, the one that serves most first, until all are served. */
function takeGreedily(
  demands: readonly Demand[],
  mayTake: (eui: string) => boolean,
): ChosenGateway[] {
  const chosen: ChosenGateway[] = [];
  let unserved = demands;
  while (unserved.length > 0) {
    const [eui, count] = mostServing(unserved, mayTake);
    chosen.push({ eui, reason: `members served: ${count}` });
    unserved = unserved.filter(({ servers }) => !servers.includes(eui));
  }
  return chosen;
}

function mostServing(
  unserved: readonly Demand[],
  mayTake: (eui: string) => boolean,
): readonly [eui: string, members: number] {
  const counts = new Map<string, number>();
  for (const { servers, members } of unserved) {
    for (const eui of servers) {
      if (mayTake(eui)) counts.set(eui, (counts.get(eui) ?? 0) + members);
    }
  }
  let best: readonly [string, number] = ['', 0];
  for (const entry of counts) {
    if (entry[1] > best[1] || (entry[1] === best[1] && entry[0] < best[0])) best = entry;
  }
  return best;
}

/** Server lists that the search for a smaller set looks at. */
const MOST_LOOKS = 1_000_000;

/** A smallest set of fewer gateways that serves all; undefined: none, or none found in time. */
function fewerThan(count: number, demands: readonly Demand[]): readonly string[] | undefined {
  const all = demands.map(({ servers }) => servers);
  const budget = { looksLeft: MOST_LOOKS };
  for (let size = 1; size < count; size++) {
    const found = setOf(size, all, budget);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A set of `size` gateways with one of every list: some server of the shortest list is in it. */
function setOf(
  size: number,
  lists: readonly (readonly string[])[],
  budget: { looksLeft: number },
): readonly string[] | undefined {
  if (lists.length === 0) return [];
  budget.looksLeft -= lists.length;
  if (size === 0 || budget.looksLeft < 0) return undefined;
  const shortest = lists.reduce((a, b) => (b.length < a.length ? b : a));
  for (const eui of shortest) {
    const left = lists.filter((servers) => !servers.includes(eui));
    const rest = setOf(size - 1, left, budget);
    if (rest !== undefined) return [eui, ...rest];
  }
  return undefined;
}

function serversOf({ heardBy }: HeardMember, levelCentiDbm: number): readonly string[] {
  const strong = heardBy.filter((each) => each.downlinkCentiDbm >= levelCentiDbm);
  if (strong.length > 0) return strong.map((each) => each.gatewayEui);
  const best = Math.max(...heardBy.map((each) => each.downlinkCentiDbm));
  return heardBy.filter((each) => each.downlinkCentiDbm === best).map((each) => each.gatewayEui);
}
