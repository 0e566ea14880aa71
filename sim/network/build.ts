/** The sides of a network, made and joined to each other as its plan wants them. */

import { assert } from '../base/assert.ts';
import type { Slicing } from '../base/slicing.ts';
import { MILLISECOND_US } from '../base/units.ts';
import { Behaviours } from '../device/behaviours.ts';
import { ClassBTable } from '../device/class-b/class-b-table.ts';
import { ClockCourse } from '../device/clock-course.ts';
import { CompletionChecks } from '../device/completion-checks.ts';
import type { DeviceSide } from '../device/device-side.ts';
import { DeviceTable } from '../device/device-table.ts';
import { EnergyTable } from '../device/energy-table.ts';
import { FailureTable } from '../device/failure-table.ts';
import { ListedTable } from '../device/listed-table.ts';
import { MulticastMemos } from '../device/multicast-memos.ts';
import { MulticastState } from '../device/multicast-state.ts';
import { Outgoing } from '../device/outgoing.ts';
import { WindowShapes } from '../device/receive-windows.ts';
import { SettingsTable } from '../device/settings-table.ts';
import { DeviceTroubles } from '../device/troubles.ts';
import { newDownlinks } from '../gateway/downlinks.ts';
import { Gateways } from '../gateway/gateway.ts';
import type { Agenda } from '../kernel/agenda.ts';
import { ByteSlots } from '../kernel/byte-slots.ts';
import { countedFrames, realFrames } from '../lorawan/frame-security.ts';
import { gpsMsOfUnixMs } from '../lorawan/gps-time.ts';
import { region } from '../lorawan/region.ts';
import { ClassBRegistrations } from '../network-server/class-b-registrations.ts';
import { Collector } from '../network-server/collector.ts';
import { DownlinkQueue } from '../network-server/downlink-queue.ts';
import { NO_LISTENER, type ServerListener } from '../network-server/listener.ts';
import { MacRequests } from '../network-server/mac-commands/requests.ts';
import { MulticastGroups } from '../network-server/multicast-groups.ts';
import { Registrations } from '../network-server/registrations.ts';
import type { Observer } from '../observation/observer.ts';
import { Tally } from '../observation/tally.ts';
import { isFailure } from '../plan/failure-plan.ts';
import type { NetworkPlan } from '../plan/network-plan.ts';
import { isSettable } from '../plan/settings-plan.ts';
import { isTraffic } from '../plan/traffic-plan.ts';
import { BeaconLog } from '../radio/beacon-log.ts';
import { DownlinkAir } from '../radio/downlink-air.ts';
import { Fading } from '../radio/fading.ts';
import { Interference } from '../radio/interference.ts';
import { Links } from '../radio/links.ts';
import { MulticastAir } from '../radio/multicast-air.ts';
import { Noise } from '../radio/noise.ts';
import { noiseFloorCentiDbm } from '../radio/power.ts';
import { type Physics, UplinkAir } from '../radio/uplink-air.ts';
import { Beacons } from '../spectrum/beacons.ts';
import { ChannelPlan } from '../spectrum/channel-plan.ts';
import { ChannelSets } from '../spectrum/channel-set.ts';
import { DutyCycle } from '../spectrum/duty-cycle.ts';
import { ListenBeforeTalk } from '../spectrum/listen-before-talk.ts';
import type { Sides } from './sides.ts';

/** Links are kept at least for devices of this power. */
const STRONGEST_DEVICE_CENTI_DBM = 1_615;

export interface NetworkOptions {
  /** The report's slices of time; without them there are no series. */
  readonly slicing?: Slicing | undefined;
  readonly observer?: Observer | undefined;
  readonly listener?: ServerListener | undefined;
}

export function buildSides(plan: NetworkPlan, agenda: Agenda, options: NetworkOptions): Sides {
  const { observer, slicing } = options;
  const channelPlan = new ChannelPlan(plan);
  const tally = new Tally(slicing);
  const listener = options.listener ?? NO_LISTENER;
  const [slots, downlinks] = [new ByteSlots(), newDownlinks()];
  const gpsStartUs = gpsMsOfUnixMs(plan.startUnixMs) * MILLISECOND_US;
  const beacons = new Beacons(channelPlan.region, gpsStartUs);
  const gateways = new Gateways(downlinks, beacons);
  const links = new Links(plan.radio, strongestEirp(plan), strongestAntenna(plan));
  const interference = new Interference(plan.radio.interference);
  const fading = new Fading(plan.radio.fading);
  const physics = { interference, fading, noise: new Noise(plan.radio) };
  const security = plan.frames === 'real' ? realFrames : countedFrames;
  const shared = { plan: channelPlan, security, agenda, slots, observer, beacons };
  const devices = new DeviceTable(plan.devices);
  const registrations = new Registrations(plan.server.netId, plan.devices);
  const sides: Sides = {
    device: {
      ...shared,
      ...airOf(plan, channelPlan, links, physics, devices, gateways),
      devices,
      channelSets: new ChannelSets(),
      types: checkedTypes(plan),
      windows: new WindowShapes(channelPlan.region, plan.deviceTypes),
      clocks: clocksOf(plan),
      dutyCycle: new DutyCycle(),
      multicastAir: new MulticastAir(),
      interference,
      outgoing: new Outgoing(),
      behaviours: new Behaviours(),
      settings: new SettingsTable(),
      troubles: new DeviceTroubles(),
      ...seldomTables(),
      multicast: new MulticastState(),
      multicastMemos: new MulticastMemos(),
      completionChecks: new CompletionChecks(),
      energy: new EnergyTable(),
      beaconLog: new BeaconLog(),
      classB: new ClassBTable(),
      startUnixMs: plan.startUnixMs,
      gpsStartUs,
      verifyAllImages: plan.verifyAllImages,
      antennaGainCentiDb: (gateway) => gateways.antennaGainCentiDb(gateway),
      gatewayKey: (gateway) => gateways.stations[gateway]!,
      ...countersOf(tally),
      ...heardBy(listener),
    },
    server: {
      ...shared,
      settings: plan.server,
      gpsStartUs: gpsMsOfUnixMs(plan.startUnixMs) * MILLISECOND_US,
      channelSets: new ChannelSets(),
      registrations,
      collector: new Collector(plan.server.deduplicationUs),
      queue: new DownlinkQueue(),
      requests: new MacRequests(),
      multicast: new MulticastGroups(security),
      classB: new ClassBRegistrations(),
      listener,
      gateways,
      downlinks,
      dutyCycle: new DutyCycle(),
      tally,
    },
    noiseCentiDbm: noiseByDataRate(channelPlan.bandwidthHz, plan.radio.noiseFigureDb),
  };
  makeRoom(sides, plan);
  return sides;
}

/**
 * Room for the devices of the plan: a table that grows by doubling copies what it has, and is half
 * empty at worst. Tables that only some devices need are left out where the plan has none of them.
 */
function makeRoom({ device, server }: Sides, { devices, deviceTypes }: NetworkPlan): void {
  const rows = devices.length;
  const types = [...new Set(devices.map(({ type }) => type))].map((type) => deviceTypes[type]);
  device.agenda.expect(rows);
  device.devices.reserve(rows);
  device.uplinkAir.flights.reserve(rows);
  device.downlinkAir.ears.reserve(rows);
  device.links.reserve(rows);
  if (types.some((type) => type?.energy !== undefined)) device.energy.table.reserve(rows);
  if (types.some((type) => type?.dutyCycle)) {
    device.dutyCycle.reserve(rows * device.plan.bands.length);
  }
  server.registrations.reserve(rows);
  server.collector.reserve(rows);
  server.requests.reserve(rows);
}

/** By device type; undefined where the rate is constant. */
const clocksOf = ({ deviceTypes, startUnixMs }: NetworkPlan) =>
  deviceTypes.map(({ clock }) => clock && new ClockCourse(clock, startUnixMs));

/** The types of devices: their traffic is whole, and those that are set over the air can be. */
function checkedTypes({ deviceTypes }: NetworkPlan): NetworkPlan['deviceTypes'] {
  const isRight = deviceTypes.every((type) => type.settings === undefined || isSettable(type));
  assert(isRight, 'what is set over the air has traffic that settings can say');
  const isWhole = deviceTypes.every(({ traffic }) => isTraffic(traffic));
  assert(isWhole, 'traffic has what its process needs, and nothing else');
  const areWhole = deviceTypes.every(({ failures = [] }) => failures.every(isFailure));
  assert(areWhole, 'a failure has what its model needs, and nothing else');
  return deviceTypes;
}

/** What few devices have a part in. */
const seldomTables = () => ({ failures: new FailureTable(), listed: new ListedTable() });

/** What the listener hears of images. */
const heardBy = (listener: ServerListener): Pick<DeviceSide, 'onBlock' | 'onActivated'> => ({
  onBlock: (rebuilt) => listener.onBlock(rebuilt),
  onActivated: (activated) => listener.onActivated?.(activated),
});

/** What devices have counted. */
function countersOf(tally: Tally) {
  type Counters = 'countFragments' | 'countGroupMembers' | 'countGroupFrame' | 'countBeacon';
  const counters: Pick<DeviceSide, Counters> = {
    countFragments: (mcAddr, cause, by) => tally.countFragments(mcAddr, cause, by),
    countGroupMembers: (mcAddr, members) => tally.countGroupMembers(mcAddr, members),
    countGroupFrame: (mcAddr, fate) => tally.countGroupFrame(mcAddr, fate),
    countBeacon: (type, fate) => tally.countBeacon(type, fate),
  };
  return counters;
}

/** Both directions of the air, and who listens before it sends. */
function airOf(
  { radio }: NetworkPlan,
  plan: ChannelPlan,
  links: Links,
  physics: Physics,
  devices: DeviceTable,
  gateways: Gateways,
) {
  const uplinkAir = new UplinkAir(links, gateways, physics);
  const downlinkAir = new DownlinkAir(links, gateways, physics);
  const places = { devices: devices.identities, gateways: gateways.stations };
  const airs = { links, uplinkAir, downlinkAir };
  return { ...airs, listenBeforeTalk: new ListenBeforeTalk(plan, radio, places, airs) };
}

/**
 * The most that anything radiates and devices' antennas add: gateways may be stronger than
 * devices.
 */
function strongestEirp(plan: NetworkPlan): number {
  const powers = [...plan.gateways, ...plan.deviceTypes].map((one) => one.maxEirpCentiDbm);
  const limits = region(plan.region).subBands.map((band) => band.maxEirpCentiDbm);
  const antennas = plan.deviceTypes.map((type) => type.antennaGainCentiDb);
  const power = Math.min(Math.max(...limits), Math.max(STRONGEST_DEVICE_CENTI_DBM, ...powers));
  return power + Math.max(0, ...antennas);
}

const strongestAntenna = (plan: NetworkPlan): number =>
  Math.max(0, ...plan.gateways.map((gateway) => gateway.antennaGainCentiDb));

/** Noise at gateways by data rate. */
function noiseByDataRate(bandwidthsHz: readonly number[], noiseFigureDb: number): number[] {
  return bandwidthsHz.map((hz) => (hz === 0 ? 0 : noiseFloorCentiDbm(hz, noiseFigureDb)));
}
