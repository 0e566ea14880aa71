/**
 * What a device group may be given: devices of one's own or delegated to one, and gateways of whose
 * they are; and the class that follows from the devices.
 */
import { andThen, fail, ok } from '../../sim/base/result.ts';
import type { DeviceView } from '../../sim/contract/view.ts';
import type { Asking, OwnView } from '../base/subscribers.ts';
import type { Surroundings } from '../kit/resource.ts';
import { delegationEnded, type Standing } from './delegation-standing.ts';
import { type KnowsGateways, listedGateways } from './gateway-choice.ts';

/** What is looked at of a group. */
interface Content {
  /** Null: nobody asked for one. */
  readonly lora_class: 'A' | 'C' | null;
  readonly gateways: readonly string[];
  readonly devices: readonly string[];
}

/** How devices stand to a subscriber at an instant: its own, delegated to it, or neither. */
export type Standings = (asking: Pick<Asking, 'by' | 'nowUs'>) => (devEui: string) => Standing;

interface Sources extends Pick<Surroundings, 'viewOf'>, KnowsGateways {
  readonly delegation: { readonly standings: Standings };
}

/** Devices and gateways that a caller may put into a group, at an instant. */
export interface Look extends KnowsGateways {
  readonly view: OwnView;
  readonly standing: (devEui: string) => Standing;
  readonly viewOf: (subscriber: string) => OwnView;
}

export const newLook = (asking: Asking, sources: Sources): Look => ({
  view: asking.view,
  standing: sources.delegation.standings(asking),
  viewOf: sources.viewOf,
  baseStation: sources.baseStation,
});

/** Undefined: it is none that one may see now. */
function deviceOf({ standing }: Look, devEui: string): DeviceView | undefined {
  const found = standing(devEui);
  return 'device' in found ? found.device : undefined;
}

/**
 * What a class reads as that nobody asked for: C where all devices are of class C. A switch may
 * have mixed the classes since the devices were given; then it is A, and each device is served as
 * its own class is. A device that is delegated no longer does not count.
 */
export function derivedClass(devices: readonly string[], look: Look): 'A' | 'C' {
  let isC = false;
  for (const devEui of devices) {
    const device = deviceOf(look, devEui);
    if (device === undefined) continue;
    if (device.deviceClass !== 'C') return 'A';
    isC = true;
  }
  return isC ? 'C' : 'A';
}

// ── what is given ────────────────────────────────────────────────────────────────────────────────

/**
 * What is not given stays, and is not looked at: a gateway may be gone, and so may all devices.
 * `more`: the devices that the request lists, where those of the group are given with them.
 */
export function changed<Group extends Content>(
  old: Group,
  given: Partial<Content>,
  look: Look,
  more: readonly string[] = given.devices ?? [],
) {
  const group = { ...old, ...given };
  const wrong = refuseDevices(more, look);
  if (wrong !== undefined) return wrong;
  const { gateways = [] } = given;
  return andThen(listedGateways(gateways, sendersFor(group, look), look), (euis) => {
    const listed = given.gateways === undefined ? {} : { gateways: euis };
    return refuseMixture(group, given, look) ?? ok({ ...group, ...listed });
  });
}

/** What is wrong with a list of devices: unknown ones, or such that are delegated no longer. */
function refuseDevices(devices: readonly string[], { standing }: Look) {
  const kinds = devices.map((devEui) => standing(devEui).kind);
  const wrong = kinds.indexOf('unknown');
  if (wrong >= 0) {
    const message = `There is no device ${devices[wrong]}.`;
    return fail('deviceGroup.unknown-device', message, `/devices/${wrong}`);
  }
  const ended = devices.filter((_, i) => kinds[i] === 'ended');
  return ended.length === 0
    ? undefined
    : delegationEnded(ended, `/devices/${kinds.indexOf('ended')}`);
}

/** Whose gateways may send to a group: one’s own, and those of who delegates a member of it. */
function sendersFor({ gateways, devices }: Content, look: Look): readonly OwnView[] {
  if (gateways.length === 0) return [look.view];
  const found = devices.map(look.standing);
  const owners = found.flatMap((each) => (each.kind === 'delegated' ? [each.owner] : []));
  return [look.view, ...[...new Set(owners)].map(look.viewOf)];
}

/**
 * What is wrong with a class that is derived from the devices: they have two. It is looked at where
 * devices or class are given. Devices of class B are spoken to as those of class A are, so both may
 * be in one group.
 */
function refuseMixture(group: Content, given: Partial<Content>, look: Look) {
  const isLookedAt = given.devices !== undefined || given.lora_class !== undefined;
  if (!isLookedAt || group.lora_class !== null) return undefined;
  const seen = group.devices.flatMap((each) => deviceOf(look, each) ?? []);
  const classes = new Set(seen.map(({ deviceClass }) => deviceClass));
  if (classes.size < 2) return undefined;
  const message = 'The group mixes class C with devices of class A or B; give its lora_class.';
  const path = given.devices === undefined ? '/lora_class' : '/devices';
  return fail('deviceGroup.mixed-classes', message, path);
}
