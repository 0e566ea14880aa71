/**
 * Commands about gateways, their groups and multicast groups, each held against the reference
 * model: refused if the model has a reason, for one of its reasons, and carried out otherwise.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { FailureClass } from '../../core/kit/failures.ts';
import { World } from '../../core/world/world.ts';
import { SEED } from './driving.ts';
import { WHO } from './management-model.ts';
import { HOUR_US, MINUTE_US, SECOND_US } from './small-network.ts';
import { type ModelGateway, type SaidOfGateway, saysOf } from './station-model.ts';
import { type Chosen, devEuiOf, groupEuiOf, nodeIdOf, type Stations } from './station-world.ts';

type Does = (driven: Stations, chosen: Chosen) => void;

const oneOf = <Each>(all: readonly Each[], n: number): Each => all[n % all.length]!;
const inAnyCase = (id: string, n: number): string => (n % 2 === 0 ? id : id.toLowerCase());

const PLACES = [
  { X: '48.001', Y: '11.0005', Z: '12.5' },
  { X: '47.9985', Y: '10.999' },
  { X: '0', Y: '0', Z: '-3' },
  { X: '48.5', Y: '11.7', Z: '0' },
] as const;
const IMEI = '490154203237518';

// ── gateways ─────────────────────────────────────────────────────────────────────────────────────

/** What a whole gateway says; some of it is wrong. */
function wholeBy({ model }: Stations, { by, a, b }: Chosen): SaidOfGateway {
  const cellular = b % 4 === 0;
  return {
    GatewayProfile: a === 7 ? 'nothing1' : oneOf(model.profiles.get(by)!, a),
    Name: oneOf(['roof', 'mast', 'roof', 'Ärger', a === 9 ? '' : 'cellar'], b),
    AntennaGain: oneOf(['0', '2.15', '3 dBi', '-1.5'], a + b),
    LocationType: oneOf(['INDOOR', 'OUTDOOR'], b),
    ...(b % 3 === 0 && { GPSEnabled: a % 2 === 0 }),
    ...((b % 3 > 0 || a % 3 > 0) && { Coordinates: oneOf(PLACES, a) }),
    ...(cellular && { CellularEnabled: true }),
    ...((cellular || a === 11) && { IMEI: a % 2 === 0 ? IMEI : `${IMEI},${IMEI}` }),
  };
}

/** What a change says. */
function someBy(driven: Stations, chosen: Chosen): SaidOfGateway {
  const { a, b } = chosen;
  const { model } = driven;
  const whole = wholeBy(driven, chosen);
  const fields = Object.keys(whole).filter((_, i) => ((a >> (i % 5)) & 1) === 1);
  const all = whole as Record<string, unknown>;
  const region = b % 5 === 0 ? oneOf([...model.regions.keys()], a % 3) : 'nothing2';
  return {
    ...Object.fromEntries(fields.map((each) => [each, all[each]])),
    ...(b % 5 < 2 && (b % 5 === 0 || b === 6) && { RfRegion: region }),
    ...(b % 7 === 0 && { CellularEnabled: false }),
  };
}

/** A gateway of the caller, of another or of nobody, by its NodeId or its Id. */
function pickGateway({ model }: Stations, { by, a, b }: Chosen) {
  const own = model.of(model.gateways, by);
  const gateway: ModelGateway | undefined =
    a % 6 > 0 && own.length > 0 ? oneOf(own, a) : oneOf([...model.gateways.values()], b);
  const isOwn = gateway?.owner === by;
  if (gateway === undefined) return [undefined, 'nothing0'] as const;
  const Id = b % 3 === 0 ? `${gateway.reported.Id}` : inAnyCase(gateway.id, b);
  return [isOwn ? gateway : undefined, Id] as const;
}

const touched = (driven: Stations, chosen: Chosen, gateway: ModelGateway): void => {
  const UpdatedAt = driven.in(0);
  gateway.reported = { ...gateway.reported, UpdatedAt, UpdatedBy: driven.callerOf(chosen) };
};

/** A gateway that the model knows now, said whole. */
function came(driven: Stations, chosen: Chosen, id: string, said: SaidOfGateway, mac: string) {
  const { Coordinates } = said;
  const gateway = driven.knowGateway(chosen.by, id);
  const { reported: response } = gateway;
  expect(`${response.Id}`).toMatch(/^[0-9A-Za-z]{8}$/);
  const region = [...driven.model.regions].find(([, name]) => name === 'EU868')![0];
  gateway.place = { X: '48', Y: '11' };
  gateway.height = '0';
  gateway.reported = {
    Id: response.Id,
    NodeId: id,
    MacAddress: mac,
    GPSEnabled: false,
    CellularEnabled: false,
    IMEI: '',
    ICCID: '',
    RfRegion: region,
    CreatedAt: driven.in(0),
  };
  saysOf(gateway, { ...said, ...(Coordinates && { Coordinates }) }, driven.world.nowUs);
  touched(driven, chosen, gateway);
  const { Statistics } = driven.got(chosen.by, { kind: 'baseStation.get', Id: id });
  expect(Statistics, 'it has never connected').toBeNull();
}

const gateways = {
  create: (driven, chosen) => {
    const { model } = driven;
    const { by, a, b } = chosen;
    const id = nodeIdOf((a + b) % 7);
    const said = wholeBy(driven, chosen);
    const MacAddress = oneOf(
      ['aa:bb:cc:dd:ee:0f', '00:00:00:00:00:01', '00:01'],
      a % 11 ? a % 2 : 2,
    );
    const reasons: FailureClass[] = [
      ...model.whyNotSaid(by, said, undefined),
      ...model.whyNotWhole(said),
      ...(MacAddress.length === 17 ? [] : (['malformed'] as const)),
      ...(model.gateways.has(id) ? (['conflict'] as const) : []),
    ];
    const gateway = { ...said, MacAddress, NodeId: inAnyCase(id, b) } as never;
    const answer = driven.say(chosen, { kind: 'baseStation.create', gateway }, reasons);
    if (answer === undefined) return;
    expect(answer.Statistics).toBeNull();
    came(driven, chosen, id, said, MacAddress.toUpperCase());
    expect(driven.got(by, { kind: 'baseStation.get', Id: id })).toEqual(answer);
  },
  replace: (driven, chosen) => {
    const [own, Id] = pickGateway(driven, chosen);
    const said = wholeBy(driven, chosen);
    const reasons: FailureClass[] = [
      ...(own === undefined ? (['unknown'] as const) : []),
      ...driven.model.whyNotSaid(chosen.by, said, undefined),
      ...driven.model.whyNotWhole(said),
    ];
    const gateway = said as never;
    if (driven.say(chosen, { kind: 'baseStation.replace', Id, gateway }, reasons) === undefined)
      return;
    const defaults = { GPSEnabled: false, CellularEnabled: false, IMEI: '', ICCID: '' };
    saysOf(own!, { ...defaults, ...said }, driven.world.nowUs);
    touched(driven, chosen, own!);
  },
  update: (driven, chosen) => {
    const [own, Id] = pickGateway(driven, chosen);
    const said = someBy(driven, chosen);
    const reasons: FailureClass[] = [
      ...(own === undefined ? (['unknown'] as const) : []),
      ...driven.model.whyNotSaid(chosen.by, said, own),
    ];
    const gateway = said as never;
    if (driven.say(chosen, { kind: 'baseStation.update', Id, gateway }, reasons) === undefined)
      return;
    saysOf(own!, said, driven.world.nowUs);
    touched(driven, chosen, own!);
  },
  delete: (driven, chosen) => {
    const [own, Id] = pickGateway(driven, chosen);
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
    driven.say(chosen, { kind: 'baseStation.delete', Id }, reasons);
    if (own !== undefined) driven.model.removeGateway(own.id);
  },
  /** In one instant; it has nothing of the one before but its Id. */
  anew: (driven, chosen) => {
    const own = oneOf(driven.model.of(driven.model.gateways, chosen.by), chosen.a);
    if (own === undefined) return;
    const { by, b } = chosen;
    driven.say(chosen, { kind: 'baseStation.delete', Id: own.id }, []);
    driven.model.removeGateway(own.id);
    const said = {
      GatewayProfile: driven.model.profiles.get(by)![0]!,
      Name: 'anew',
      AntennaGain: '0',
      LocationType: 'OUTDOOR',
      Coordinates: PLACES[b % 2]!,
    } as const;
    const MacAddress = '00:00:00:00:00:02';
    const gateway = { ...said, MacAddress, NodeId: own.id };
    const answer = driven.say(chosen, { kind: 'baseStation.create', gateway }, []);
    expect(answer!.Id).toBe(own.reported.Id);
    came(driven, chosen, own.id, said, MacAddress);
  },
  fault: (driven, chosen) => {
    const { a, b } = chosen;
    const [own, Id] = pickGateway(driven, { ...chosen, b: 1 });
    const eui = own?.id ?? Id.toUpperCase();
    const fault = a % 2 === 0 ? 'radio' : 'backhaul';
    const on = b % 2 === 0;
    const reasons: FailureClass[] = own === undefined ? ['unknown', 'malformed'] : [];
    driven.say(chosen, { kind: 'gateway.fault', eui, fault, on }, reasons);
    own?.life.fails(fault, on, driven.world.nowUs);
  },
} satisfies Record<string, Does>;

// ── groups of gateways ───────────────────────────────────────────────────────────────────────────

/** Gateways by the bits of a number, by Id or NodeId in any case, own ones alone most often. */
function gatewaysBy({ model }: Stations, { by, a, b }: Chosen): string[] {
  const all = [...model.gateways.values()].filter(
    ({ owner }, i) => ((b >> (i % 6)) & 1) === 1 && (owner === by || a % 8 === 0),
  );
  const named = all.map(({ id, reported: response }, i) =>
    (a + i) % 3 === 0 ? `${response.Id}` : inAnyCase(id, a + i),
  );
  if (b % 16 === 15) named.push('nothing3');
  return a % 5 === 0 ? [...named, ...named.slice(0, 1)] : named;
}

const nodeIds = ({ model }: Stations, { by }: Chosen, named: readonly string[]): string[] =>
  named.map((each) => model.gateway(by, each)!.id);

const pickGroup = ({ model }: Stations, { by, a, b }: Chosen) => {
  const all = a % 5 > 0 ? model.of(model.groups, by) : [...model.groups.values()];
  const group = oneOf(all, b);
  return [group?.owner === by ? group : undefined, group?.id ?? 'nothing4'] as const;
};

const groups = {
  group: (driven, chosen) => {
    const { by, a } = chosen;
    const Name = oneOf(['a', 'b', 'a', 'north', ''], a);
    const GatewayList = gatewaysBy(driven, chosen);
    const reasons: FailureClass[] = driven.model.whyNotMembers(by, GatewayList);
    if (Name === '') reasons.push('malformed');
    const group = { Name, ...(a % 4 > 0 && { GatewayList }) };
    const wrong = a % 4 > 0 || Name === '' ? reasons : [];
    const answer = driven.say(chosen, { kind: 'gatewayGroup.create', group }, wrong);
    if (answer === undefined) return;
    const members = a % 4 > 0 ? [...new Set(nodeIds(driven, chosen, GatewayList))] : [];
    const { Id: id } = answer;
    expect(driven.model.groups.has(id)).toBe(false);
    driven.model.groups.set(id, { id, owner: by, name: Name, gateways: members });
  },
  groupChange: (driven, chosen) => {
    const { by, a, b } = chosen;
    const [own, Id] = pickGroup(driven, chosen);
    const isWhole = b % 2 === 0;
    const Name = isWhole || a % 2 === 0 ? oneOf(['c', 'd', '', 'e', 'f', 'g'], a) : undefined;
    const GatewayList = a % 3 > 0 ? gatewaysBy(driven, chosen) : undefined;
    const reasons: FailureClass[] = [
      ...(own === undefined ? (['unknown'] as const) : []),
      ...driven.model.whyNotMembers(by, GatewayList ?? []),
      ...(Name === '' ? (['malformed'] as const) : []),
    ];
    const group = { ...(Name !== undefined && { Name }), ...(GatewayList && { GatewayList }) };
    const kind = isWhole ? 'gatewayGroup.replace' : 'gatewayGroup.update';
    if (driven.say(chosen, { kind, Id, group } as never, reasons) === undefined) return;
    if (Name !== undefined) own!.name = Name;
    if (GatewayList !== undefined || isWhole) {
      own!.gateways = [...new Set(nodeIds(driven, chosen, GatewayList ?? []))];
    }
  },
  groupDelete: (driven, chosen) => {
    const [own, Id] = pickGroup(driven, chosen);
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
    driven.say(chosen, { kind: 'gatewayGroup.delete', Id }, reasons);
    if (own !== undefined) driven.model.groups.delete(Id);
  },
} satisfies Record<string, Does>;

// ── multicast groups ─────────────────────────────────────────────────────────────────────────────

const CHANNELS = [
  { DataRate: 0, Frequency: 869_525_000 },
  { DataRate: 5, Frequency: 868_300_000 },
  { DataRate: 3, Frequency: 869_525_000 },
] as const;

const pickMulticast = ({ model }: Stations, { by, a, b }: Chosen) => {
  const mine = model.of(model.multicast, by);
  const group = a % 6 > 0 ? oneOf(mine, b) : oneOf([...model.multicast.values()], b);
  const MulticastDevEUI = inAnyCase(group?.id ?? groupEuiOf(9), a);
  return [group?.owner === by ? group : undefined, MulticastDevEUI] as const;
};

function created(driven: Stations, { by, a, b }: Chosen) {
  const isB = b % 4 === 0;
  const PingSlotPeriod = oneOf([undefined, 1, 32, 3, 128], a);
  const response = {
    Name: oneOf(['lamps', 'all', a === 3 ? '' : 'x'], b),
    MulticastDevEUI: a % 13 === 12 ? devEuiOf(b % 6) : groupEuiOf((a + b) % 4),
    MulticastDevAddr: `01ABCD0${b % 5}`,
    GroupType: isB ? 'B' : 'C',
    ...oneOf(CHANNELS, a),
  };
  const { multicast, devices } = driven.model;
  const { MulticastDevEUI: id, MulticastDevAddr: address } = response;
  const isTaken = [...multicast.values()].some((each) => each.address === address);
  const reasons: FailureClass[] = [];
  if (response.Name === '' || (isB && (PingSlotPeriod === 3 || PingSlotPeriod === undefined)))
    reasons.push('malformed');
  if (multicast.has(id) || devices.has(id) || isTaken) reasons.push('conflict');
  const keys = { MulticastNwkSKey: '0f'.repeat(16), MulticastAppSKey: 'F0'.repeat(16) };
  const period = PingSlotPeriod === undefined ? {} : { PingSlotPeriod };
  const group = { ...response, ...keys, ...period, MulticastDevEUI: inAnyCase(id, b) };
  const known = isB ? { ...response, PingSlotPeriod } : response;
  return { reasons, group, model: { id, owner: by, reported: known, address } };
}

/** Lists of what changed and of what did not. */
function changed(set: Set<string>, given: readonly string[], adds: boolean) {
  const lists: [string[], string[]] = [[], []];
  for (const each of given) {
    lists[set.has(each) === adds ? 1 : 0].push(each);
    if (adds) set.add(each);
    else set.delete(each);
  }
  return lists;
}

const multicast = {
  multicast: (driven, chosen) => {
    const { reasons, group, model } = created(driven, chosen);
    const command = { kind: 'multicastGroup.create', group } as never;
    if (driven.say(chosen, command, reasons) === undefined) return;
    const members = { devices: new Set<string>(), gateways: new Set<string>() };
    driven.model.multicast.set(model.id, { ...model, ...members });
  },
  multicastUpdate: (driven, chosen) => {
    const { a, b } = chosen;
    const [own, MulticastDevEUI] = pickMulticast(driven, chosen);
    const group = { ...(a % 2 === 0 && { Name: `m${b}` }), ...(b % 2 === 0 && CHANNELS[b % 3]) };
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
    const command = { kind: 'multicastGroup.update', MulticastDevEUI, group } as const;
    if (driven.say(chosen, command, reasons) === undefined) return;
    own!.reported = { ...own!.reported, ...group };
  },
  multicastDelete: (driven, chosen) => {
    const [own, MulticastDevEUI] = pickMulticast(driven, chosen);
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
    driven.say(chosen, { kind: 'multicastGroup.delete', MulticastDevEUI }, reasons);
    if (own !== undefined) driven.model.multicast.delete(own.id);
  },
  devices: (driven, chosen) => {
    const { by, a, b } = chosen;
    const { model } = driven;
    const [own, MulticastDevEUI] = pickMulticast(driven, chosen);
    const some = Array.from({ length: 7 }, (_, i) => devEuiOf(i)).filter(
      (each, i) =>
        ((b >> (i % 6)) & 1) === 1 && (a % 8 === 0 || model.own(model.devices, by, each)),
    );
    const times = a % 9 === 8 ? 12 : 1;
    const Devices = Array.from({ length: times }, () => some).flat();
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
    if (Devices.length > 10) reasons.push('malformed');
    if (some.some((each) => model.own(model.devices, by, each) === undefined)) {
      reasons.push('malformed');
    }
    const adds = a % 3 > 0;
    const kind = adds ? 'multicastGroup.addDevices' : 'multicastGroup.removeDevices';
    const given = Devices.map((each, i) => inAnyCase(each, a + i));
    const command = { kind, MulticastDevEUI, Devices: given } as const;
    const answer = driven.say(chosen, command, reasons);
    if (answer === undefined) return;
    const [done, ignored] = changed(own!.devices, Devices, adds);
    const name = adds ? 'DevicesAdded' : 'DevicesRemoved';
    expect(answer).toEqual({ [name]: done, DevicesIgnored: ignored });
  },
  members: (driven, chosen) => {
    const { by, a } = chosen;
    const [own, MulticastDevEUI] = pickMulticast(driven, chosen);
    const Gateways = gatewaysBy(driven, chosen);
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
    reasons.push(...driven.model.whyNotMembers(by, Gateways));
    const adds = a % 3 > 0;
    const kind = adds ? 'multicastGroup.addGateways' : 'multicastGroup.removeGateways';
    const answer = driven.say(chosen, { kind, MulticastDevEUI, Gateways }, reasons);
    if (answer === undefined) return;
    const [done, ignored] = changed(own!.gateways, nodeIds(driven, chosen, Gateways), adds);
    const name = adds ? 'GatewaysAdded' : 'GatewaysRemoved';
    expect(answer).toEqual({ [name]: done, GatewaysIgnored: ignored });
  },
  message: (driven, chosen) => {
    const { a, b } = chosen;
    const { model } = driven;
    const [own, DevEUI] = pickMulticast(driven, chosen);
    const isB = own?.reported.GroupType === 'B';
    const mays = [...(own?.gateways ?? [])].filter(
      (each) => !isB || model.gateways.get(each)!.reported.GPSEnabled === true,
    );
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
    if (own !== undefined && mays.length === 0) reasons.push('failed');
    if (a === 5) reasons.push('malformed');
    const message = { DevEUI, Payload: 'C0FFEE', TargetPort: '9', FlushQueue: b % 4 === 0 };
    const command = { kind: 'message.send', ...message, Confirm: a === 5 } as const;
    driven.say(chosen, command, reasons);
  },
} satisfies Record<string, Does>;

// ── devices, time and worlds ─────────────────────────────────────────────────────────────────────

const STEPS_US = [
  SECOND_US,
  30 * SECOND_US,
  2 * MINUTE_US,
  10 * MINUTE_US,
  HOUR_US,
  3 * HOUR_US,
  26 * HOUR_US,
] as const;

function unchanged(driven: Stations, act: () => void): void {
  const before = driven.world.digest();
  act();
  expect(driven.world.digest()).toEqual(before);
}

const others = {
  deviceGoes: (driven, chosen) => {
    const { by, a, b } = chosen;
    const { model } = driven;
    const devEui = devEuiOf(a % 7);
    const isOwn = model.own(model.devices, by, devEui) !== undefined;
    driven.say(chosen, { kind: 'device.remove', devEui }, isOwn ? [] : ['unknown']);
    if (!isOwn) return;
    model.removeDevice(devEui);
    if (b % 3 === 0) return;
    const device = { devEui, name: `back ${b}`, type: b % 3 };
    driven.say(chosen, { kind: 'device.create', device }, []);
    driven.knowDevice(by, devEui);
  },
  wait: (driven, { a }) => {
    driven.world.runUntil(driven.world.nowUs + oneOf(STEPS_US, a));
  },
  save: (driven) => {
    unchanged(driven, () => {
      const again = World.fromBytes(driven.plan, SEED, driven.world.toBytes(), driven.options);
      if (!again.ok) throw new Error(again.failure.message);
      driven.world = again.value;
    });
  },
  fork: (driven, { by, a, b }) => {
    unchanged(driven, () => {
      const fork = driven.world.fork({});
      fork.submit({ kind: 'baseStation.delete', by, Id: nodeIdOf(b % 7) });
      fork.submit({ kind: 'message.send', by, DevEUI: groupEuiOf(b % 4), Payload: '01' } as never);
      fork.runUntil(driven.world.nowUs + oneOf(STEPS_US, a));
    });
  },
} satisfies Record<string, Does>;

const DOES = {
  ...gateways,
  ...groups,
  ...multicast,
  ...others,
} as const;

/** How often a command comes that is not as usual. */
const OFTEN: Partial<Record<keyof typeof DOES, number>> = {
  wait: 16,
  create: 5,
  update: 5,
  fault: 5,
  multicast: 4,
  devices: 4,
  message: 6,
  groupDelete: 1,
  multicastDelete: 1,
};

const does = fc.oneof(
  ...(Object.keys(DOES) as (keyof typeof DOES)[]).map((each) => ({
    weight: OFTEN[each] ?? 2,
    arbitrary: fc.constant(each),
  })),
);

/** A command: kind, caller, and numbers that choose among what there is. */
export const steps = fc.record({
  does,
  who: fc.nat(4),
  isApplication: fc.boolean(),
  a: fc.nat(63),
  b: fc.nat(63),
});
export type Step = typeof steps extends fc.Arbitrary<infer Each> ? Each : never;

/** Ann and Bob act more often than Eve, who has nothing but a device at first. */
export function carryOut(driven: Stations, { does: what, who, ...numbers }: Step): void {
  DOES[what](driven, { by: WHO[who === 4 ? 2 : who % 2]!, ...numbers });
}
