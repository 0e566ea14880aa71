/** Device groups: who is updated together, through which gateways. */
import { fail, ok, type Result } from '../sim/base/result.ts';
import type { DeviceGroupInput } from './command.ts';
import type { DeviceView, NetworkView } from './network-face.ts';
import { copyPlain } from './plain.ts';

export interface DeviceGroup {
  readonly name: string;
  readonly deviceClass: 'A' | 'C';
  /** EUIs, upper case; empty: chosen anew for each campaign. */
  readonly gateways: readonly string[];
  /** DevEUIs, upper case, each once. */
  readonly devices: readonly string[];
}

export type DeviceGroupFailure =
  | 'deviceGroup.name'
  | 'deviceGroup.exists'
  | 'deviceGroup.empty'
  | 'deviceGroup.unknown-device'
  | 'deviceGroup.unknown-gateway'
  | 'deviceGroup.too-many-gateways'
  | 'deviceGroup.mixed-classes';

/** Gateways that a group may list; automatic choice has no limit. */
const MOST_GATEWAYS = 10;

export class DeviceGroups {
  #byName = new Map<string, DeviceGroup>();

  create(input: DeviceGroupInput, view: NetworkView): Result<void, DeviceGroupFailure> {
    const { name } = input;
    if (name === '') return fail('deviceGroup.name', 'A device group has a name.', '/name');
    if (this.#byName.has(name)) {
      return fail('deviceGroup.exists', `There is a device group ${name}.`, '/name');
    }
    const devices = [...new Set(input.devices.map((each) => each.toUpperCase()))];
    const gateways = [...new Set((input.gateways ?? []).map((each) => each.toUpperCase()))];
    const wrong = refuseDevices(devices, view) ?? refuseGateways(gateways, view);
    if (wrong !== undefined) return wrong;
    const deviceClass = input.lora_class ?? classOf(devices, view);
    if (deviceClass === undefined) {
      return fail('deviceGroup.mixed-classes', `${name} mixes classes A and C.`, '/devices');
    }
    this.#byName.set(name, { name, deviceClass, gateways, devices });
    return ok(undefined);
  }

  get(name: string): DeviceGroup | undefined {
    return this.#byName.get(name);
  }

  save(): readonly DeviceGroup[] {
    return copyPlain([...this.#byName.values()]);
  }

  load(saved: readonly DeviceGroup[]): void {
    this.#byName = new Map(copyPlain(saved).map((group) => [group.name, group]));
  }
}

function refuseDevices(
  devices: readonly string[],
  view: NetworkView,
): Result<never, DeviceGroupFailure> | undefined {
  if (devices.length === 0) return fail('deviceGroup.empty', 'A group has devices.', '/devices');
  const wrong = devices.findIndex((devEui) => view.device(devEui) === undefined);
  if (wrong < 0) return undefined;
  const message = `There is no device ${devices[wrong]}.`;
  return fail('deviceGroup.unknown-device', message, `/devices/${wrong}`);
}

function refuseGateways(
  gateways: readonly string[],
  view: NetworkView,
): Result<never, DeviceGroupFailure> | undefined {
  if (gateways.length > MOST_GATEWAYS) {
    const message = `${gateways.length} gateways are listed; at most ${MOST_GATEWAYS} may be.`;
    return fail('deviceGroup.too-many-gateways', message, '/gateways');
  }
  const known = new Set(view.gateways().map((gateway) => gateway.eui));
  const wrong = gateways.findIndex((eui) => !known.has(eui));
  if (wrong < 0) return undefined;
  const message = `There is no gateway ${gateways[wrong]}.`;
  return fail('deviceGroup.unknown-gateway', message, `/gateways/${wrong}`);
}

/** The class that all devices have; undefined when they differ. */
function classOf(devices: readonly string[], view: NetworkView): 'A' | 'C' | undefined {
  const classes = new Set(devices.map((devEui) => view.device(devEui)?.deviceClass));
  return classes.size === 1 ? [...classes][0] : undefined;
}

// ── gateways of a campaign ───────────────────────────────────────────────────────────────────────

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
