/**
 * Small worlds for property tests (fast-check): plans, seeds and command logs that are always
 * valid, dense enough that frames collide, budgets run out and downlinks fight for windows.
 *
 * Everything is built from independent parts by `map`, so that a counterexample shrinks to few
 * devices, few commands and plain settings.
 */
import * as fc from 'fast-check';
import type { TimedCommand } from '../../../core/command.ts';
import type { PlatformCommand } from '../../../core/operations.ts';
import type { RunPlan } from '../../../core/world/plan.ts';
import { SETTINGS_FPORT } from '../../../sim/base/device-settings.ts';
import { checkOptions, type OptionRows, wholeOption } from '../../../sim/base/options.ts';
import { expandSeed } from '../../../sim/base/random.ts';
import type {
  DevicePlan,
  DeviceTypePlan,
  GatewayPlan,
  NetworkPlan,
  ServerPlan,
} from '../../../sim/plan/network-plan.ts';
import type { RadioPlan } from '../../../sim/radio/radio-plan.ts';
import { type Placement, place } from '../../language/placement.ts';
import type { Later } from '../../language/verb.ts';
import { commandsOf, readVerb } from '../../schema/timeline-schema.ts';
import { radio, simultaneousCopies, withCopies } from './arbitrary-radio.ts';
import { inRegion, type RegionalParts, regionalParts } from './arbitrary-regions.ts';
import { settingsPayloads } from './arbitrary-settings.ts';
import { askedByOwner, ownersIn, type Sharers, sharers } from './arbitrary-subscribers.ts';
import { deviceTypeParts, EVERYTHING_PPM, gatewayParts, server } from './arbitrary-things.ts';
import { byProcess } from './arbitrary-traffic.ts';
import { AS_NAMED, type DrawnVerb, drawnVerbs, inWords, verbsNaming } from './arbitrary-verbs.ts';

/** All that a run is a function of. */
export interface ArbitraryWorld {
  readonly plan: RunPlan;
  readonly seed: string;
  /** Commands from outside, in the order of time, on top of the plan's timeline. */
  readonly commands: readonly TimedCommand[];
}

/** How large the worlds may be. */
export interface WorldLimits {
  /** 1 or more. */
  readonly gateways: number;
  /** 1 or more. */
  readonly devices: number;
  /** Longest virtual time, minutes, 2 or more. */
  readonly minutes: number;
  /** Most commands, timeline entries included. */
  readonly commands: number;
}

const USUAL_LIMITS: WorldLimits = { gateways: 4, devices: 30, minutes: 120, commands: 24 };

const WORLD_LIMITS: OptionRows<WorldLimits> = {
  gateways: wholeOption(1, 1_000),
  devices: wholeOption(1, 10_000),
  minutes: wholeOption(2, 5_256_000),
  commands: wholeOption(0, 10_000),
};

/** 2026-01-01: class B counts in GPS time, which begins in 1980. */
const START_UNIX_MS = 1_767_225_600_000;

const MINUTE_US = 60_000_000;
const SECOND_US = 1_000_000;

/** Any text that a seed may be. */
export const seeds: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('a', 'b', '0'),
  fc.string({ minLength: 1, maxLength: 12 }),
);

/** From a minute to `most`, µs. */
const minutes = (most: number): fc.Arbitrary<number> =>
  fc.integer({ min: MINUTE_US, max: most * MINUTE_US });

/** Sides of a square area, metres: the devices stand on top of each other, or at the edge. */
const sides = fc.constantFrom(300, 1, 3_000, 12_000);

/** Verbs of a world without a scenario, which has no populations and no campaigns. */
const VERBS = verbsNaming([
  ...(['device', 'devices', 'leavingDevice'] as const),
  ...(['gateway', 'gateways', 'leavingGateway', 'newGateway'] as const),
]).filter((verb) => !/onfigur|Control$/.test(verb));

/** What a command does, by numbers that wrap around what the world has. */
const drawnCommands = fc.oneof(
  // A verb is twice as frequent as another command, however many verbs there are.
  {
    weight: 2 * VERBS.length,
    arbitrary: fc.record({ does: fc.constant('verb' as const), drawnVerb: drawnVerbs(VERBS) }),
  },
  fc.record({ does: fc.constant('create' as const), device: fc.nat(40) }),
  // A device that leaves while it sends is rare: it takes a replacement that meets its frame.
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('replace' as const),
      device: fc.nat(40),
      twice: fc.boolean(),
    }),
  },
  fc.record({ does: fc.constant('createGateway' as const), gateway: fc.nat(4) }),
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('downlink' as const),
      device: fc.nat(40),
      fPort: fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 1, max: 223 }) },
        fc.constantFrom(0, 224, 225, 226, -1),
      ),
      payloadHex: fc.oneof(
        { weight: 6, arbitrary: hexadecimal(40) },
        hexadecimal(242),
        fc.constantFrom('0', 'xy'),
      ),
      confirmed: fc.boolean(),
      flushQueue: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('settings' as const),
      device: fc.nat(40),
      payloads: fc.array(settingsPayloads, { minLength: 1, maxLength: 6 }),
      confirmed: fc.boolean(),
    }),
  },
  fc.record({ does: fc.constant('clear' as const), device: fc.nat(40) }),
);
type DrawnCommand = typeof drawnCommands extends fc.Arbitrary<infer W> ? W : never;

function hexadecimal(bytesMax: number): fc.Arbitrary<string> {
  return fc
    .uint8Array({ maxLength: bytesMax })
    .map((bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
}

/** Stamps lie on a grid of the run, so that several commands often share one. */
const STAMPS = 120;

const commandParts = fc.record({
  stamp: fc.integer({ min: 0, max: STAMPS }),
  onTimeline: fc.boolean(),
  drawn: drawnCommands,
});

/** Worlds with seed and commands. */
export function worlds(limits: Partial<WorldLimits> = {}): fc.Arbitrary<ArbitraryWorld> {
  checkOptions('worlds', limits, WORLD_LIMITS);
  const most = { ...USUAL_LIMITS, ...limits };
  const parts = fc.record({
    frames: fc.constantFrom('counted' as const, 'real' as const),
    durationUs: fc.oneof(
      { weight: 3, arbitrary: minutes(Math.min(10, most.minutes)) },
      minutes(most.minutes),
    ),
    sideMeters: sides,
    radio,
    server,
    regional: regionalParts,
    gateways: fc.array(gatewayParts, { minLength: 1, maxLength: most.gateways }),
    deviceTypes: fc.array(deviceTypeParts, { minLength: 1, maxLength: 3 }),
    devices: fc.array(placeParts, { minLength: 1, maxLength: most.devices, size: 'max' }),
    commands: fc.array(commandParts, { maxLength: most.commands, size: 'max' }),
    outageUs: fc.oneof(
      { weight: 7, arbitrary: fc.constant(0) },
      fc.constant(Math.min(OUTAGE_MINUTES, most.minutes) * MINUTE_US),
    ),
    seed: seeds,
    simultaneousCopies,
    sharers,
  });
  return parts.map(withOutage).map(toWorld);
}

/** Long enough, at `OUTAGE_PERIOD_US`, for ADR back-off to reach its end from any data rate. */
const OUTAGE_MINUTES = 25;
const OUTAGE_PERIOD_US = 4 * SECOND_US;
const OUTAGE_DEVICES = 3;

/** An outage: few devices, which send without pause and hear nothing. */
function withOutage(parts: Parts): Parts {
  if (parts.outageUs === 0) return parts;
  const durationUs = Math.max(parts.durationUs, parts.outageUs);
  const deviceTypes = parts.deviceTypes.map(
    ({ settings: _, ...type }): TypeParts => ({
      ...type,
      adr: true,
      dutyCycle: false,
      nbTrans: 1,
      frameLossPpm: EVERYTHING_PPM,
      traffic: {
        ...byProcess(type.traffic, 'periodic'),
        meanUs: OUTAGE_PERIOD_US,
        confirmedPpm: 0,
        payloadBytes: Math.min(type.traffic.payloadBytes, 11),
      },
    }),
  );
  return { ...parts, durationUs, deviceTypes, devices: parts.devices.slice(0, OUTAGE_DEVICES) };
}

const placeParts = fc.record({
  x: fc.integer({ min: -500, max: 500 }),
  y: fc.integer({ min: -500, max: 500 }),
  type: fc.nat(2),
});

/** Plans only, without seed; their timelines bring devices and gateways and take them away. */
export const worldPlans = (limits: Partial<WorldLimits> = {}): fc.Arbitrary<RunPlan> =>
  worlds(limits).map(({ plan }) => plan);

interface Parts {
  readonly frames: NetworkPlan['frames'];
  readonly durationUs: number;
  readonly sideMeters: number;
  readonly radio: RadioPlan;
  readonly server: ServerPlan;
  readonly regional: RegionalParts;
  readonly gateways: readonly GatewayParts[];
  readonly deviceTypes: readonly TypeParts[];
  readonly devices: readonly Place[];
  readonly commands: readonly CommandParts[];
  /** Shortest time of an outage, or 0 for none. */
  readonly outageUs: number;
  readonly seed: string;
  readonly simultaneousCopies: 'multipath' | 'capture';
  readonly sharers: Sharers;
}

type TypeParts = Omit<DeviceTypePlan, 'name'>;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly type: number;
}

type GatewayParts = Omit<GatewayPlan, 'name' | 'eui' | 'xMeters' | 'yMeters'> & Omit<Place, 'type'>;

interface CommandParts {
  readonly stamp: number;
  readonly onTimeline: boolean;
  readonly drawn: DrawnCommand;
}

function toWorld(parts: Parts): ArbitraryWorld {
  const { durationUs, sideMeters, seed } = parts;
  const meters = (permille: number): number => (permille * sideMeters) / 1000;
  const gateways = parts.gateways.map(
    ({ x, y, ...rest }, index): GatewayPlan => ({
      ...rest,
      name: `gateway-${index + 1}`,
      eui: eui64('06', index),
      xMeters: meters(x),
      yMeters: meters(y),
    }),
  );
  const deviceTypes = parts.deviceTypes.map((type, index) => ({ ...type, name: `type${index}` }));
  const devices = parts.devices.map((place, index) =>
    deviceOf(place, index, deviceTypes.length, meters),
  );
  const everywhere: NetworkPlan = {
    region: 'EU868',
    startUnixMs: START_UNIX_MS,
    frames: parts.frames,
    verifyAllImages: false,
    radio: withCopies(parts.radio, parts.simultaneousCopies),
    gateways,
    deviceTypes,
    devices,
    server: parts.server,
    uplinkChannelsHz: [],
  };
  const network = inRegion(everywhere, parts.regional);
  const timed = parts.commands
    .flatMap(({ stamp, onTimeline, drawn }, index) => {
      const atUs = Math.floor((durationUs * stamp) / STAMPS);
      // A device may be replaced twice, the second time as it sends.
      const againUs = atUs + FIRST_FRAME_US;
      const isAgain = drawn.does === 'replace' && drawn.twice && againUs < durationUs;
      return (isAgain ? [atUs, againUs] : [atUs]).flatMap((instantUs) =>
        commandsOfDrawn(drawn, index, network).map(({ afterUs, command }) => ({
          onTimeline,
          timed: {
            // What ends by itself ends within the run.
            atUs: Math.min(instantUs + afterUs, durationUs),
            command: askedByOwner(parts.sharers, command),
          },
        })),
      );
    })
    .sort((a, b) => a.timed.atUs - b.timed.atUs);
  const of = (onTimeline: boolean) =>
    timed.filter((entry) => entry.onTimeline === onTimeline).map((entry) => entry.timed);
  const plan = {
    name: 'world',
    description: '',
    durationUs,
    network,
    ...ownersIn(parts.sharers, network),
    timeline: of(true),
  };
  return { plan, seed, commands: of(false) };
}

function deviceOf(
  { x, y, type }: Place,
  index: number,
  types: number,
  meters: (permille: number) => number,
): DevicePlan {
  const row = type % types;
  const name = `type${row}-${index + 1}`;
  return {
    name,
    devEui: eui64('02', index),
    xMeters: meters(x),
    yMeters: meters(y),
    type: row,
  };
}

const eui64 = (prefix: string, index: number): string =>
  prefix + (index + 1).toString(16).toUpperCase().padStart(14, '0');

/** So soon a device that is switched on at once is still sending its first frame. */
const FIRST_FRAME_US = 30_000;

/** Devices and gateways beyond the plan's, which only commands bring. */
const LATECOMERS = 2;

function commandsOfDrawn(
  drawn: DrawnCommand,
  index: number,
  network: NetworkPlan,
): readonly Later[] {
  if (drawn.does === 'verb') return commandsOfVerb(drawn.drawnVerb, `late-${index}`, network);
  return atOnce(drawn, network).map((command) => ({ afterUs: 0, command }));
}

function atOnce(
  drawn: Exclude<DrawnCommand, { readonly does: 'verb' }>,
  network: NetworkPlan,
): readonly PlatformCommand[] {
  switch (drawn.does) {
    case 'create':
      return [{ kind: 'device.create', device: someDevice(network, drawn.device) }];
    case 'replace': {
      const device = someDevice(network, drawn.device);
      return [
        { kind: 'device.remove', devEui: device.devEui },
        { kind: 'device.create', device },
      ];
    }
    case 'createGateway':
      return [{ kind: 'gateway.create', gateway: someGateway(network, drawn.gateway) }];
    case 'downlink': {
      const { devEui } = someDevice(network, drawn.device);
      const { fPort, payloadHex, confirmed, flushQueue } = drawn;
      return [{ kind: 'downlink.enqueue', devEui, fPort, payloadHex, confirmed, flushQueue }];
    }
    case 'settings': {
      const { devEui, type } = settableDevice(network, drawn.device);
      const { payloads, confirmed } = drawn;
      const fPort = network.deviceTypes[type]?.settings?.fPort ?? SETTINGS_FPORT;
      const to = { kind: 'downlink.enqueue', devEui, fPort, confirmed } as const;
      return payloads.map((payloadHex) => ({ ...to, payloadHex }));
    }
    case 'clear':
      return [{ kind: 'downlink.clear', devEui: someDevice(network, drawn.device).devEui }];
  }
}

/** What a verb of the timeline does here; `newcomer` is what it calls a gateway that it brings. */
function commandsOfVerb(
  drawnVerb: DrawnVerb,
  newcomer: string,
  network: NetworkPlan,
): readonly Later[] {
  const given = inWords(drawnVerb, (naming, number) => {
    if (naming === 'newGateway') return newcomer;
    const isGateway = /^(gateways?|leavingGateway)$/.test(naming);
    return isGateway ? someGateway(network, number).eui : someDevice(network, number).devEui;
  });
  return commandsOf(readVerb(drawnVerb.verb, given), {
    startUnixMs: START_UNIX_MS,
    ...AS_NAMED,
    point: (placement = CENTRE, name) =>
      place(placement, [name], expandSeed(name), { area: AREA })[0]!,
    grow: () => [],
  });
}

const CENTRE: Placement = { by: 'points', points: [{ xMeters: 0, yMeters: 0 }] };
const AREA = { shape: 'disc', radiusMeters: 1000 } as const;

/** A device of the plan, or one that is not in it. */
function someDevice({ devices, deviceTypes }: NetworkPlan, number: number): DevicePlan {
  const index = number % (devices.length + LATECOMERS);
  return (
    devices[index] ??
    deviceOf({ x: 0, y: 100, type: index }, index, deviceTypes.length, (permille) => permille)
  );
}

/** A device of the plan that is set over the air, where there is one. */
function settableDevice(network: NetworkPlan, number: number): DevicePlan {
  const isSettable = ({ type }: DevicePlan) => network.deviceTypes[type]?.settings !== undefined;
  const settable = network.devices.filter(isSettable);
  return settable[number % Math.max(1, settable.length)] ?? someDevice(network, number);
}

/** A gateway of the plan, or one that is not in it. */
function someGateway({ gateways }: NetworkPlan, number: number): GatewayPlan {
  const index = number % (gateways.length + 1);
  const name = `gateway-${index + 1}`;
  const first = gateways[0] as GatewayPlan;
  return gateways[index] ?? { ...first, name, eui: eui64('06', index), xMeters: 0, yMeters: 0 };
}
