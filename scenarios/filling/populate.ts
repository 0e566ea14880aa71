/**
 * A scenario and a seed to a world's plan. Whatever is random is drawn by name, so that a
 * population that is added, or one that grows, moves nothing of the others.
 */
import { type Coordinates, USUAL_ORIGIN } from '../../core/base/geography.ts';
import { Owners } from '../../core/base/subscribers.ts';
import type { RunPlan, WorldPlan } from '../../core/world/plan.ts';
import { assert } from '../../sim/base/assert.ts';
import { expandSeed, type Seed } from '../../sim/base/random.ts';
import { type Region, region } from '../../sim/lorawan/region.ts';
import type {
  DevicePlan,
  DeviceTypePlan,
  GatewayPlan,
  NetworkPlan,
} from '../../sim/plan/network-plan.ts';
import {
  type Placement,
  type Point,
  place,
  placeInArea,
  spreadInArea,
} from '../language/placement.ts';
import { ownerOf } from '../language/subscriber-knob.ts';
import { gatewayPlan } from '../schema/gateway-schema.ts';
import type { Scenario } from '../schema/schema.ts';
import { subscribersOf } from './accounts.ts';
import { deviceEui, gatewayEui, memberName, memberNames, rowsOf } from './identity.ts';
import { rootKeyOf } from './multicast-keys.ts';
import { channelPlan, deviceTypePlan, radioPlan, serverPlan } from './plans.ts';
import { timelineOf } from './timeline.ts';
import { kindTypes, typeEntries, typeOfKind } from './types.ts';
import { asStrongAs, USUAL_ENTRIES } from './usual-types.ts';

/** The scenario's own seed, which is its name unless it gives one. */
export function seedOf(scenario: Scenario): string {
  return scenario.seed ?? scenario.scenario;
}

export function populate(scenario: Scenario, seed: string = seedOf(scenario)): RunPlan {
  const random = expandSeed(seed);
  const devices = scenario.devices.flatMap((entry, type) => {
    const numbers = Array.from({ length: entry.count ?? 1 }, (_, index) => index + 1);
    return devicePlans(scenario, type, numbers, entry.placement, random);
  });
  const gateways = gatewayPlans(scenario, random);
  assert(areDistinct(devices), 'the loader has seen that every device has a name of its own');
  assert(areDistinct(gateways), 'the loader has seen that every gateway has a name of its own');
  const plan = region(scenario.region);
  const network: NetworkPlan = {
    region: scenario.region,
    startUnixMs: scenario.start,
    frames: scenario.frames,
    verifyAllImages: scenario.verifyImages === 'all',
    radio: radioPlan(scenario.radio),
    gateways,
    deviceTypes: typesOf(scenario, gateways, plan),
    devices,
    server: serverPlan(scenario.server, plan),
    ...channelPlan(scenario.channels, plan),
  };
  const add = (type: number, numbers: readonly number[], placement: Placement | undefined) => {
    const entry = scenario.devices[type];
    assert(entry !== undefined, 'a device type is a row of the scenario');
    return devicePlans(scenario, type, numbers, placement ?? entry.placement, random);
  };
  const owners = ownersOf(scenario, devices, gateways);
  const subscribers = subscribersOf(scenario);
  const { logEntries } = scenario.records;
  const planned = scenario.subscribers.length === 0 ? NOTHING : owners.planned;
  const owned = kindTypes(scenario).length === 0 ? scenario.devices : typeEntries(scenario);
  const deviceTypes = owned.map((entry) => (entry === undefined ? '' : ownerOf(scenario, entry)));
  return {
    name: scenario.scenario,
    description: scenario.description,
    durationUs: scenario.duration,
    network,
    ...(isUsual(scenario.origin) ? {} : { origin: scenario.origin }),
    // What is not named is everybody's.
    owners: { ...planned, deviceTypes },
    ...(subscribers === undefined ? {} : { subscribers }),
    ...(logEntries === undefined ? {} : { logEntries }),
    timeline: timelineOf(scenario, network, owners, add, random),
  };
}

const isUsual = ({ latitude, longitude }: Coordinates): boolean =>
  latitude === USUAL_ORIGIN.latitude && longitude === USUAL_ORIGIN.longitude;

const NOTHING = { devices: [], gateways: [] };

/** Those of the populations, and those that every world has. */
function typesOf(
  scenario: Scenario,
  gateways: readonly GatewayPlan[],
  plan: Region,
): readonly DeviceTypePlan[] {
  const own = scenario.devices.map((entry) => deviceTypePlan(entry, plan));
  const kinds = kindTypes(scenario).map(({ entry }) => deviceTypePlan(entry, plan));
  const usual = USUAL_ENTRIES.map((entry) => deviceTypePlan(entry, plan));
  const weak = usual.map((type) => asStrongAs(type, [...own, ...gateways]));
  return [...own, ...weak, ...kinds];
}

/** Where a world that is served begins. */
export interface ServedFrom {
  /** UTC instant of virtual time zero, ms since 1970; the scenario's own when absent. */
  readonly startUnixMs?: number;
}

/** The plan of a world that is served: the scenario's, without an end. */
export function populateServed(
  scenario: Scenario,
  seed: string = seedOf(scenario),
  { startUnixMs = scenario.start }: ServedFrom = {},
): WorldPlan {
  const { durationUs: _, ...plan } = populate({ ...scenario, start: startUnixMs }, seed);
  return plan;
}

function areDistinct(things: readonly { readonly name: string }[]): boolean {
  return new Set(things.map(({ name }) => name)).size === things.length;
}

/** Whose the devices and gateways of the start are. */
function ownersOf(
  scenario: Scenario,
  devices: readonly DevicePlan[],
  gateways: readonly GatewayPlan[],
): Owners {
  const owners = new Owners();
  const typesAre = typeEntries(scenario).map((entry) => entry && ownerOf(scenario, entry));
  const gatewaysAre = scenario.gateways.flatMap((entry) =>
    Array.from({ length: entry.count ?? 1 }, () => ownerOf(scenario, entry)),
  );
  owners.plan({
    devices: devices.map(({ devEui, type }) => [devEui, typesAre[type]!]),
    gateways: gateways.map(({ eui }, i) => [eui, gatewaysAre[i]!]),
  });
  return owners;
}

/** The members of a population with these numbers. */
export function devicePlans(
  scenario: Scenario,
  type: number,
  numbers: readonly number[],
  placement: Placement | undefined,
  random: Seed,
): DevicePlan[] {
  const entry = scenario.devices[type]!;
  const subscriber = ownerOf(scenario, entry);
  // What a file says is of those that stand in its places.
  const rows = placement === entry.placement ? rowsOf(placement) : [];
  const names = numbers.map(
    (number) => rows[number - 1]?.name ?? memberName(entry.name, entry.count, number),
  );
  const points =
    placement === undefined
      ? names.map((name) => placeInArea(scenario.area, name, random))
      : place(placement, names, random, scenario);
  assert(points.length === names.length, 'every device has a place');
  const kindsFrom = typeOfKind(scenario, type, 0);
  return names.map((name, index) => {
    const number = numbers[index] as number;
    const row = rows[number - 1];
    const appKey = entry.appKey ?? row?.appKey;
    const devEui = entry.devEui ?? row?.eui ?? deviceEui(entry.name, number);
    const genAppKey = rootKeyOf(entry.multicastKeys, { name, devEui }, random, subscriber);
    return {
      name,
      devEui,
      ...(points[index] as Point),
      type: row?.kind === undefined ? type : kindsFrom + row.kind,
      ...(appKey === undefined ? {} : { appKey }),
      ...(genAppKey === undefined ? {} : { genAppKey }),
    };
  });
}

/** Gateways without a place of their own are spread in the area together. */
function gatewayPlans({ gateways, area, origin }: Scenario, random: Seed): GatewayPlan[] {
  const homeless = gateways
    .filter(({ placement }) => placement === undefined)
    .reduce((total, { count = 1 }) => total + count, 0);
  let housed = 0;
  const plans = gateways.flatMap((entry) => {
    const names = memberNames(entry, entry.count);
    const rows = rowsOf(entry.placement);
    const points =
      entry.placement === undefined
        ? names.map(() => spreadInArea(area, housed++, homeless))
        : place(entry.placement, names, random, { area, origin });
    assert(points.length === names.length, 'every gateway has a place');
    return names.map((name, index) =>
      gatewayPlan(
        entry,
        name,
        rows[index]?.eui ?? gatewayEui(entry.name, index + 1),
        points[index] as Point,
      ),
    );
  });
  assert(housed === homeless, 'each gateway without a place has one of the area');
  return plans;
}
