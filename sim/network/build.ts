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
import type { ServerSide } from '../network-server/server-side.ts';
import type { Observer } from '../observation/observer.ts';
import type { Recorder } from '../observation/recorder.ts';
import { Tally } from '../observation/tally.ts';
import { isFailure } from '../plan/failure-plan.ts';
import type { NetworkPlan } from '../plan/network-plan.ts';
import type { RootKeys } from '../plan/root-keys.ts';
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
import { UplinkAir } from '../radio/uplink-air.ts';
import { Beacons } from '../spectrum/beacons.ts';
import { ChannelPlan } from '../spectrum/channel-plan.ts';
import { ChannelSets } from '../spectrum/channel-set.ts';
import { DutyCycle } from '../spectrum/duty-cycle.ts';
import { ListenBeforeTalk } from '../spectrum/listen-before-talk.ts';
import type { Sides } from './sides.ts';

/** Links are stored at least for devices of this power. */
const STRONGEST_DEVICE_CENTI_DBM = 1_615;

export interface NetworkOptions {
  /** The report's slices of time; without them there are no series. */
  readonly slicing?: Slicing | undefined;
  readonly observer?: Observer | undefined;
  readonly recorder?: Recorder | undefined;
  readonly listener?: ServerListener | undefined;
}

/**
 * Each side is written out, property by property. An object that is put together of others by `...`
 * may have another hidden class in each world of a process: all that reads it stays slow.
 */
export function buildSides(plan: NetworkPlan, agenda: Agenda, options: NetworkOptions): Sides {
  const parts = partsOf(plan, agenda, options);
  const device = deviceSideOf(plan, parts);
  const sides: Sides = {
    device,
    server: serverSideOf(plan, parts, device.devices.rootKeys),
    noiseCentiDbm: noiseByDataRate(parts.channelPlan.bandwidthHz, plan.radio.noiseFigureDb),
  };
  reserve(sides, plan);
  return sides;
}

/** What both sides have, or what stands between them. */
type Parts = ReturnType<typeof partsOf>;

function partsOf(plan: NetworkPlan, agenda: Agenda, options: NetworkOptions) {
  const channelPlan = new ChannelPlan(plan);
  const gpsStartUs = gpsMsOfUnixMs(plan.startUnixMs) * MILLISECOND_US;
  assert(gpsStartUs >= 0, 'a network begins in GPS time: startUnixMs is at least 315964800000');
  const beacons = new Beacons(channelPlan.region, gpsStartUs);
  const downlinks = newDownlinks();
  return {
    agenda,
    channelPlan,
    gpsStartUs,
    beacons,
    downlinks,
    gateways: new Gateways(downlinks, beacons),
    slots: new ByteSlots(),
    security: plan.frames === 'real' ? realFrames : countedFrames,
    tally: new Tally(options.slicing),
    observer: options.observer,
    witness: witnessOf(options),
    recorder: options.recorder,
    stories: options.recorder?.stories,
    listener: options.listener ?? NO_LISTENER,
  };
}

/** The observer, or who stores stories, or both. */
function witnessOf({ observer, recorder }: NetworkOptions): Observer | undefined {
  const stories = recorder?.stories;
  if (observer === undefined || stories === undefined) return observer ?? stories;
  return {
    trace(row) {
      observer.trace(row);
      stories.trace(row);
    },
  };
}

function deviceSideOf(plan: NetworkPlan, parts: Parts): DeviceSide {
  const { agenda, channelPlan, gateways, tally, listener } = parts;
  const devices = new DeviceTable(plan.devices);
  const links = new Links(plan.radio, strongestEirp(plan), strongestAntenna(plan));
  const interference = new Interference(plan.radio.interference);
  const fading = new Fading(plan.radio.fading);
  const physics = { interference, fading, noise: new Noise(plan.radio) };
  const uplinkAir = new UplinkAir(links, gateways, physics);
  const downlinkAir = new DownlinkAir(links, gateways, physics);
  const places = { devices: devices.identities, gateways: gateways.stations };
  const airs = { links, uplinkAir, downlinkAir };
  return {
    devices,
    column: devices.column,
    types: checkedTypes(plan),
    ownMessages: plan.deviceTypes.map(({ traffic, settings }) =>
      traffic.listed === undefined && settings === undefined
        ? { fPort: traffic.fPort, length: traffic.payloadBytes }
        : undefined,
    ),
    plan: channelPlan,
    channelSets: new ChannelSets(),
    listenBeforeTalk: new ListenBeforeTalk(channelPlan, plan.radio, places, airs),
    windows: new WindowShapes(channelPlan.region, plan.deviceTypes),
    clocks: clocksOf(plan),
    security: parts.security,
    agenda,
    dutyCycle: new DutyCycle(),
    links,
    uplinkAir,
    downlinkAir,
    slots: parts.slots,
    multicastAir: new MulticastAir(),
    interference,
    outgoing: new Outgoing(),
    behaviours: new Behaviours(),
    settings: new SettingsTable(),
    troubles: new DeviceTroubles(),
    failures: new FailureTable(),
    listed: new ListedTable(),
    multicast: new MulticastState(),
    multicastMemos: new MulticastMemos(),
    completionChecks: new CompletionChecks(),
    energy: new EnergyTable(),
    beacons: parts.beacons,
    beaconLog: new BeaconLog(),
    classB: new ClassBTable(),
    startUnixMs: plan.startUnixMs,
    gpsStartUs: parts.gpsStartUs,
    verifyAllImages: plan.verifyAllImages,
    antennaGainCentiDb: (gateway) => gateways.antennaGainCentiDb(gateway),
    gatewayKey: (gateway) => gateways.stations[gateway]!,
    countFragments: (mcAddr, cause, by) => tally.countFragments(mcAddr, cause, by),
    countGroupMembers: (mcAddr, members) => tally.countGroupMembers(mcAddr, members),
    countGroupFrame: (mcAddr, fate) => tally.countGroupFrame(mcAddr, fate),
    countBeacon: (type, fate) => tally.countBeacon(type, fate),
    onBlock: (rebuilt) => listener.onBlock(rebuilt),
    onActivated: (activated) => listener.onActivated?.(activated),
    observer: parts.observer,
    witness: parts.witness,
    recorder: parts.recorder,
    stories: parts.stories,
  };
}

const serverSideOf = (plan: NetworkPlan, parts: Parts, rootKeys: RootKeys): ServerSide => ({
  settings: plan.server,
  gpsStartUs: parts.gpsStartUs,
  plan: parts.channelPlan,
  channelSets: new ChannelSets(),
  registrations: new Registrations(plan.server.netId, rootKeys, plan.devices),
  collector: new Collector(plan.server.deduplicationUs),
  queue: new DownlinkQueue(),
  requests: new MacRequests(),
  security: parts.security,
  agenda: parts.agenda,
  slots: parts.slots,
  gateways: parts.gateways,
  downlinks: parts.downlinks,
  dutyCycle: new DutyCycle(),
  tally: parts.tally,
  beacons: parts.beacons,
  classB: new ClassBRegistrations(),
  multicast: new MulticastGroups(parts.security),
  listener: parts.listener,
  observer: parts.observer,
  witness: parts.witness,
  stories: parts.stories,
});

/**
 * Room for the devices of the plan: a table that grows by doubling copies what it has, and is half
 * empty at worst. Tables that only some devices need are left out where the plan has none of them.
 */
function reserve({ device, server }: Sides, { devices, deviceTypes }: NetworkPlan): void {
  const rows = devices.length;
  const types = [...new Set(devices.map(({ type }) => type))].map((type) => deviceTypes[type]);
  device.agenda.expect(rows);
  device.devices.reserve(rows);
  device.uplinkAir.flights.reserve(rows);
  device.downlinkAir.listeners.reserve(rows);
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
