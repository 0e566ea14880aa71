/** E58 for the network: what is not a subscriber's own is out of reach through its view. */
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ownView } from '../../core/base/own-view.ts';
import type { OwnView } from '../../core/base/subscribers.ts';
import { type Asking, Owners } from '../../core/base/subscribers.ts';
import type { Surroundings } from '../../core/kit/resource.ts';
import type { Brand } from '../../sim/base/brand.ts';
import type {
  DeviceColumns,
  DeviceTypeView,
  DeviceView,
  GatewayView,
  NetworkFacts,
  NetworkView,
  PackagesView,
} from '../../sim/contract/view.ts';
import { Bench as NetworkBench } from '../support/bench.ts';
import { eui, HOUR_US, MINUTE_US, networkOf } from '../support/small-network.ts';
import { Bench } from './bench.ts';
import { annAndBob } from './resources/service.ts';

// ── what the types hold: `tsc -b` decides ────────────────────────────────────────────────────────

/**
 * Whether text goes in or out: by text, an EUI or a name, a device or a gateway is named. Words of
 * a fixed list, such as 'A' and 'C', name nothing.
 */
type HasText<Of> = unknown extends Of
  ? true
  : [Of] extends [never]
    ? false
    : Of extends string
      ? Record<never, never> extends Record<Of, 0>
        ? true
        : false
      : Of extends Uint8Array
        ? false
        : Of extends (...given: infer Given) => infer Answer
          ? HasText<Given[number]> | HasText<Answer>
          : Of extends readonly (infer Each)[]
            ? HasText<Each>
            : Of extends object
              ? { [Name in keyof Of]-?: HasText<Of[Name]> }[keyof Of]
              : false;

/** Names of the members with text. */
type Naming<Of> = { [Name in keyof Of]-?: true extends HasText<Of[Name]> ? Name : never }[keyof Of];

describe('the type of a view', () => {
  it('has no fact that could name a device or a gateway, or be reported of one', () => {
    expectTypeOf<Naming<NetworkFacts>>().toEqualTypeOf<never>();
    // What would be wrong is noticed, however deep it stands.
    interface Wrong {
      packages(devEui: string): PackagesView | undefined;
      budgetUsed(frequencyHz: number, gatewayEui?: string): number;
      latestToSend(): { readonly at: readonly { readonly gatewayEui: string }[] };
      best(): GatewayView | undefined;
      readonly branded: Brand<string, 'Eui'>;
      readonly anything: unknown;
    }
    expectTypeOf<Naming<NetworkFacts & Wrong>>().toEqualTypeOf<keyof Wrong>();
  });

  it('has, beside facts, handles, and columns and truth of devices, alone', () => {
    type Ways = Exclude<keyof NetworkView, keyof NetworkFacts>;
    expectTypeOf<Ways>().toEqualTypeOf<
      | 'device'
      | 'devicesNamed'
      | 'deviceType'
      | 'devices'
      | 'deviceColumns'
      | 'deviceGroundTruths'
      | 'gateway'
      | 'gateways'
    >();
    type Handles = Exclude<Ways, 'deviceColumns' | 'deviceGroundTruths'>;
    expectTypeOf<ReturnType<NetworkView[Handles]>>().toEqualTypeOf<
      | DeviceView
      | DeviceTypeView
      | GatewayView
      | undefined
      | readonly DeviceView[]
      | readonly GatewayView[]
    >();
  });

  it('names others on a handle in the receptions of a device only; senders are kinds', () => {
    // The texts of answer rules are payloads.
    expectTypeOf<Naming<DeviceView>>().toEqualTypeOf<
      'devEui' | 'name' | 'profile' | 'heardBy' | 'answers'
    >();
    expectTypeOf<Naming<GatewayView>>().toEqualTypeOf<'name' | 'eui'>();
  });

  it('is that of a subscriber’s own view for resources: the whole network is none', () => {
    expectTypeOf<Asking['view']>().toEqualTypeOf<OwnView>();
    expectTypeOf<ReturnType<Surroundings['viewOf']>>().toEqualTypeOf<OwnView>();
    expectTypeOf<NetworkView>().not.toExtend<OwnView>();
  });
});

// ── a network of two subscribers ─────────────────────────────────────────────────────────────────

/** What each member of a handle is called with; null: it is read. A new one does not compile. */
type Calls<Of> = {
  readonly [Name in keyof Of]-?: Of[Name] extends (...given: infer Given) => unknown ? Given : null;
};

const RX2_HZ = 869_525_000;
const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);

const FACTS: Calls<NetworkFacts> = {
  gpsSeconds: [0],
  worldUs: [1_000_000_000],
  unixMs: [0],
  worldUsOfUnixMs: [0],
  dataRate: [5],
  downlinkAirtimeUs: [0, 30],
  dutyCycle: [RX2_HZ],
  mayCarry: [RX2_HZ, 0],
  downlinkDataRates: null,
  downlinkRangesHz: [0],
  channelAt: [RX2_HZ],
  uplinkChannelsHz: null,
  rx2: null,
  region: null,
  deviceTypes: null,
  isAddressTaken: [1],
};

const OF_DEVICE: Calls<DeviceView> = {
  devEui: null,
  name: null,
  xMeters: null,
  yMeters: null,
  profile: null,
  createdAtUs: null,
  deviceClass: null,
  lacksBeacon: null,
  faults: null,
  rootKeyKnown: null,
  active: null,
  lastUplinkAtUs: null,
  declaredPauseUs: null,
  dataRate: null,
  heardBy: null,
  packages: null,
  waitingDownlinks: null,
  answers: null,
  answersOfType: null,
  settings: null,
  settingsDownlinks: null,
  wrapMcKey: [KEY],
  blockMic: [{ sessionCnt: 1, fragIndex: 0, descriptor: 2, block: KEY }],
};

const OF_GATEWAY: Calls<GatewayView> = {
  xMeters: null,
  yMeters: null,
  hardware: null,
  eui: null,
  name: null,
  gps: null,
  backhaulUp: null,
  backhaulSinceUs: null,
  radioUp: null,
  radioSinceUs: null,
  faults: null,
  lastStatusAtUs: [HOUR_US],
  nextStatusAtUs: [HOUR_US, 2 * HOUR_US],
  putUpAtUs: null,
  firstSentUs: [0, HOUR_US],
  latestSentUs: [0, HOUR_US],
  dutyCycle: [RX2_HZ],
  budgetUsed: [RX2_HZ, 0],
};

/** All that can be reached on an object, in the order of the names: its own and its class's. */
function membersOf(thing: object): string[] {
  const names = new Set<string>();
  for (let at = thing; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  names.delete('constructor');
  return [...names].sort();
}

/** What each member answers. */
function answersOf<Of extends object>(thing: Of, calls: Calls<Of>): Record<string, unknown> {
  const entries = Object.entries(calls as Record<string, readonly unknown[] | null>);
  return Object.fromEntries(
    entries.map(([name, given]) => {
      const member = (thing as Record<string, unknown>)[name];
      return [name, typeof member === 'function' ? member.apply(thing, given) : member];
    }),
  );
}

/** Each of two subscribers has a device and a gateway; both gateways hear both devices. */
function twoOfEach() {
  const plan = networkOf({ devices: 2, gatewaysAt: [100, 200] });
  const bench = new NetworkBench(plan);
  bench.runUntil(5 * MINUTE_US);
  const owners = new Owners();
  const all = ['ann', 'bob'].map((by, i) => {
    const device = plan.devices[i]!;
    const gateway = plan.gateways[i]!;
    owners.note(by, 'device', device.devEui);
    owners.note(by, 'gateway', gateway.eui);
    for (let n = 0; n <= i; n++) bench.sendCommands(device.devEui, 10, KEY);
    return { device, gateway, view: ownView(bench.view, owners, by) };
  });
  return { whole: bench.view as NetworkView, owners, all };
}

/** Each subscriber with what is the other's. */
const pairs = ({ all: [ann, bob] }: ReturnType<typeof twoOfEach>) =>
  [
    [ann!, bob!],
    [bob!, ann!],
  ] as const;

describe('a subscriber’s view', () => {
  it('has the facts, the handles, and no member besides', () => {
    const { whole, all } = twoOfEach();
    const ways = [
      'device',
      'deviceColumns',
      'deviceGroundTruths',
      'devicesNamed',
      'deviceType',
      'devices',
      'gateway',
      'gateways',
    ];
    for (const { view, device, gateway } of all) {
      expect(membersOf(view)).toEqual([...Object.keys(FACTS), ...ways].sort());
      expect(membersOf(view.device(device.devEui)!)).toEqual(Object.keys(OF_DEVICE).sort());
      expect(membersOf(view.gateway(gateway.eui)!)).toEqual(Object.keys(OF_GATEWAY).sort());
      expect(membersOf(whole.device(device.devEui)!)).toEqual(Object.keys(OF_DEVICE).sort());
    }
  });

  it('reports every subscriber the same facts, the network’s', () => {
    const { whole, all } = twoOfEach();
    const facts = answersOf(whole as NetworkFacts, FACTS);
    for (const { view } of all) expect(answersOf(view as NetworkFacts, FACTS)).toEqual(facts);
    expect(Object.values(facts)).not.toContain(undefined);
  });

  it('reports of own devices what the network does, but receptions by own gateways only', () => {
    const { whole, all } = twoOfEach();
    for (const { view, device, gateway } of all) {
      const response = answersOf(whole.device(device.devEui)!, OF_DEVICE);
      expect(response.heardBy).toHaveLength(2);
      const own = answersOf(view.device(device.devEui)!, OF_DEVICE);
      const isOwn = (each: { readonly gatewayEui: string }) => each.gatewayEui === gateway.eui;
      const heardBy = whole.device(device.devEui)!.heardBy.filter(isOwn);
      expect(own).toEqual({ ...response, heardBy });
      expect(own.heardBy).toHaveLength(1);
      expect(view.devices().map((each) => answersOf(each, OF_DEVICE))).toEqual([own]);
      expect(view.deviceColumns()).toEqual(columnsOf(view.devices()));
    }
    const waiting = all.map(({ view, device }) => view.device(device.devEui)!.waitingDownlinks);
    expect(waiting.map(({ length }) => length)).toEqual([1, 2]);
  });

  it('reports the truth of own devices alone, and of it links to own gateways', () => {
    const { whole, all } = twoOfEach();
    const named = all.map(({ device }) => device.devEui);
    for (const [i, { view, gateway }] of all.entries()) {
      const groundTruth = whole.deviceGroundTruths(named)[i]!;
      expect(groundTruth.links).toHaveLength(2);
      const links = groundTruth.links.filter(({ gatewayEui }) => gatewayEui === gateway.eui);
      expect(links).toHaveLength(1);
      expect(view.deviceGroundTruths(named)).toEqual([{ ...groundTruth, links }]);
    }
  });

  it('reports of an own gateway what the network does, and lists own gateways alone', () => {
    const { whole, all } = twoOfEach();
    for (const { view, gateway } of all) {
      const response = answersOf(whole.gateway(gateway.eui)!, OF_GATEWAY);
      expect(answersOf(view.gateway(gateway.eui)!, OF_GATEWAY)).toEqual(response);
      expect(view.gateways().map((each) => answersOf(each, OF_GATEWAY))).toEqual([response]);
    }
  });

  it('has no handle of what is another’s', () => {
    for (const [{ view }, other] of pairs(twoOfEach())) {
      for (const key of [other.device.devEui, other.gateway.eui, other.device.name, '']) {
        expect(view.device(key)).toBeUndefined();
        expect(view.gateway(key)).toBeUndefined();
      }
    }
  });

  it('names nothing of another’s in any answer of any member', () => {
    for (const [{ view, device, gateway }, other] of pairs(twoOfEach())) {
      const text = JSON.stringify([
        answersOf(view as NetworkFacts, FACTS),
        answersOf(view.device(device.devEui)!, OF_DEVICE),
        view.devices().map((each) => answersOf(each, OF_DEVICE)),
        view.deviceColumns(),
        view.gateways().map((each) => answersOf(each, OF_GATEWAY)),
      ]);
      for (const name of [device.name, gateway.eui]) expect(text).toContain(name);
      const { device: hers, gateway: at } = other;
      for (const name of [hers.devEui, hers.name, at.eui, at.name])
        expect(text).not.toContain(name);
    }
  });

  it('shows what has changed hands to its new owner from then on', () => {
    const both = twoOfEach();
    const [[ann, bob]] = pairs(both);
    both.owners.note('ann', 'gateway', bob.gateway.eui);
    expect(ann.view.gateways().map((each) => each.eui)).toEqual([ann.gateway.eui, bob.gateway.eui]);
    expect(ann.view.device(ann.device.devEui)!.heardBy).toHaveLength(2);
    expect(bob.view.gateways()).toEqual([]);
    expect(bob.view.device(bob.device.devEui)!.heardBy).toEqual([]);
  });

  it('shows every thing to its owner alone, anyone who owns what', () => {
    const subscribers = ['ann', 'bob', 'eve', 'default'];
    const owner = fc.constantFrom(...subscribers);
    const bench = new Bench({ gateways: [1, 2, 3, 4].map((n) => eui('AA', n)) });
    const gateways = bench.view.gateways().map((each) => each.eui);
    const devices = bench.add(6, () => ({
      levels: Object.fromEntries(gateways.map((gateway) => [gateway, -90])),
    }));
    const some = (count: number) => fc.array(owner, { minLength: count, maxLength: count });
    fc.assert(
      fc.property(some(6), some(4), (ofDevices, ofGateways) => {
        const owners = new Owners();
        devices.forEach((devEui, i) => {
          owners.note(ofDevices[i]!, 'device', devEui);
        });
        gateways.forEach((each, i) => {
          owners.note(ofGateways[i]!, 'gateway', each);
        });
        for (const by of subscribers) {
          const view = ownView(bench.view, owners, by);
          const own = gateways.filter((_, i) => ofGateways[i] === by);
          expect(view.gateways().map((each) => each.eui)).toEqual(own);
          const ownDevices = devices.filter((_, i) => ofDevices[i] === by);
          expect(view.devices().map((each) => each.devEui)).toEqual(ownDevices);
          expect(view.deviceColumns()).toEqual(columnsOf(view.devices()));
          expect(gateways.filter((each) => view.gateway(each) !== undefined)).toEqual(own);
          devices.forEach((devEui, i) => {
            const heardBy = view.device(devEui)?.heardBy.map(({ gatewayEui }) => gatewayEui);
            expect(heardBy).toEqual(ofDevices[i] === by ? own : undefined);
          });
        }
      }),
    );
  });

  it('shows each of ten thousand devices to one of twenty subscribers', () => {
    const bench = new Bench();
    const devices = bench.add(10_000, () => ({ uplinkEveryS: 0 }));
    const owners = new Owners();
    const subscribers = Array.from({ length: 20 }, (_, i) => `subscriber ${i}`);
    devices.forEach((devEui, i) => {
      owners.note(subscribers[i % 20]!, 'device', devEui);
    });
    subscribers.forEach((by, which) => {
      const view = ownView(bench.view, owners, by);
      const seen = devices.filter((devEui) => view.device(devEui) !== undefined);
      expect(seen).toEqual(devices.filter((_, i) => i % 20 === which));
    });
  });

  it('finds what is asked of a device, and nothing else', () => {
    const looks: (string | symbol)[] = [];
    const handle = new Proxy({} as DeviceView, { get: (_, name) => looks.push(name) });
    const whole: NetworkView = { ...new Bench().view, device: () => handle };
    const own = ownView(whole, new Owners(), 'default').device('any')!;
    expect(looks).toEqual([]);
    for (const name of ['deviceClass', 'waitingDownlinks'] as const) {
      own[name];
      expect(looks.splice(0)).toEqual([name]);
    }
  });
});

describe('a platform that many have asked', () => {
  it('answers each as it did', () => {
    const [ann] = annAndBob();
    const [devEui] = ann.devices(1) as [string];
    const { platform } = ann.bench;
    const ask = (by: string) => platform.ask({ kind: 'device.get', devEui, by }, 0);
    const before = ask('ann');
    for (let i = 0; i < 2_500; i++) expect(ask(`eve ${i}`).ok).toBe(false);
    expect(ask('ann')).toEqual(before);
  });
});

/** What handles tell, as columns have it. */
function columnsOf(devices: readonly DeviceView[]): DeviceColumns {
  return {
    devEui: devices.map(({ devEui }) => devEui),
    name: devices.map(({ name }) => name),
    type: devices.map(({ profile }) => profile.type),
    typeName: devices.map(({ profile }) => profile.name),
    activation: devices.map(({ profile }) => profile.activation),
    createdAtUs: devices.map(({ createdAtUs }) => createdAtUs),
    lastUplinkAtUs: devices.map(({ lastUplinkAtUs }) => lastUplinkAtUs),
  };
}
