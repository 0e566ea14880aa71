/** The view of the contract (`sim/contract/view.ts`), made of the living network. */
import { assert } from '../base/assert.ts';
import type { DeviceSettings, SettingsDownlinks } from '../base/device-settings.ts';
import { GATEWAY_FAULTS } from '../base/gateway-fault.ts';
import { HOUR_US, MILLISECOND_US, SECOND_US } from '../base/units.ts';
import type { RecordedDevice } from '../contract/summary.ts';
import type { DeviceView, GatewayView, NetworkView } from '../contract/view.ts';
import { rulesOf } from '../device/answering.ts';
import { settleAll } from '../device/multicast-settling.ts';
import { NEVER_US } from '../gateway/downlinks.ts';
import type { GatewayStation } from '../gateway/gateway.ts';
import { NONE } from '../kernel/columns.ts';
import type { SignedBlock } from '../lorawan/frame-security.ts';
import { gpsMsOfUnixMs, unixMsOfGpsMs } from '../lorawan/gps-time.ts';
import {
  centreRangesHz,
  FHDR_AND_FPORT_BYTES,
  type RegionName,
  subBandOf,
} from '../lorawan/region.ts';
import { versionRules } from '../lorawan/versions.ts';
import { NO_DOWNLINK } from '../network-server/downlink-fates.ts';
import { HEARD_BY, heardGateway, heardLevel } from '../network-server/heard-word.ts';
import type { RegistrationIdentity } from '../network-server/registrations.ts';
import type { ServerSide } from '../network-server/server-side.ts';
import { type AnswerRule, answersOf } from '../plan/answer-rules.ts';
import { declaredPauseUs } from '../plan/declared-pause.ts';
import type { DeviceTypePlan, GatewayPlan } from '../plan/network-plan.ts';
import { type PackagesPlan, packagesOf } from '../plan/packages-plan.ts';
import type { Links } from '../radio/links.ts';
import { deviceBriefs, groundTruthsOfDevices } from './device-truth.ts';
import type { Network } from './network.ts';
import type { Sides } from './sides.ts';
import { recordedDevices } from './summary.ts';

const GPS_SECONDS_MODULUS = 0x1_0000_0000;

export class LiveView implements NetworkView {
  readonly #network: Network;
  readonly downlinkDataRates: readonly number[];
  readonly uplinkChannelsHz: readonly number[];
  readonly rx2: { readonly frequencyHz: number; readonly dataRate: number };
  /** The regional plan. */
  readonly region: RegionName;

  constructor(network: Network) {
    this.#network = network;
    const { plan, settings } = network.sides.server;
    this.region = network.plan.region;
    this.downlinkDataRates = plan.symbolUs.flatMap((_, index) =>
      plan.isDownlinkDataRate(index) ? [index] : [],
    );
    this.uplinkChannelsHz = plan.heardHz;
    this.rx2 = { frequencyHz: plan.rx2FrequencyHz, dataRate: settings.rx2DataRate };
  }

  /** GPS time, whole seconds modulo 2^32, of a world instant. */
  gpsSeconds(atUs: number): number {
    const { gpsStartUs } = this.#network.sides.device;
    return Math.floor((gpsStartUs + atUs) / SECOND_US) % GPS_SECONDS_MODULUS;
  }

  /** World instant, µs, at which GPS time reaches these seconds in the present era. */
  worldUs(gpsSeconds: number): number {
    const { gpsStartUs } = this.#network.sides.device;
    const startS = Math.floor(gpsStartUs / SECOND_US);
    const ahead = (gpsSeconds - (startS % GPS_SECONDS_MODULUS)) | 0;
    return (startS + ahead) * SECOND_US - gpsStartUs;
  }

  /** UTC of a world instant, whole ms since 1970. */
  unixMs(atUs: number): number {
    const { gpsStartUs } = this.#network.sides.device;
    return unixMsOfGpsMs(Math.floor((gpsStartUs + atUs) / MILLISECOND_US));
  }

  /** World instant of a UTC time in ms since 1970, µs; negative before the world's start. */
  worldUsOfUnixMs(unixMs: number): number {
    return gpsMsOfUnixMs(unixMs) * MILLISECOND_US - this.#network.sides.device.gpsStartUs;
  }

  /** Application downlinks that wait, are on their way, or wait to be acknowledged. O(1). */
  get openDownlinks(): number {
    return this.#network.sides.server.queue.open;
  }

  /**
   * Whether some application downlink waits, is on its way or on the air, or waits to be
   * acknowledged. A look at every gateway at most.
   */
  get hasDownlinks(): boolean {
    const { queue, gateways, downlinks } = this.#network.sides.server;
    if (queue.hasOpen) return true;
    const { sending } = gateways.table.column;
    const { downlinkId } = downlinks.column;
    for (const { row } of gateways.stations) {
      if (sending[row] !== NONE && downlinkId[sending[row]] !== NO_DOWNLINK) return true;
    }
    return false;
  }

  /** How many device types there are. */
  get deviceTypes(): number {
    return this.#network.sides.device.types.length;
  }

  /** The type in a row of the plan's list; undefined: there is none. */
  deviceType(row: number) {
    const type = this.#network.sides.device.types[row];
    if (type === undefined) return undefined;
    const { name, deviceClass, rootKeyKnown = true } = type;
    const lorawan = minorOf(type.lorawan);
    const { settings } = type;
    const given = { name, deviceClass, lorawan, rootKeyKnown, answers: answersOf(type) };
    return settings === undefined ? given : { ...given, settings };
  }

  /** Whether a session has this address, or will when its device uses it. */
  isAddressTaken(devAddr: number): boolean {
    return this.#network.sides.server.registrations.byAddr(devAddr) !== NONE;
  }

  /** Those that people call so, in no particular order. */
  devicesNamed(name: string): DeviceHandle[] {
    const { registrations } = this.#network.sides.server;
    return registrations.byName(name).map((row) => new DeviceHandle(this.#network.sides, row));
  }

  /** All in the network, in the order in which they came. */
  devices(): DeviceHandle[] {
    const { devices } = this.#network.sides.device;
    return Array.from(
      devices.rowsInService(),
      (row) => this.device(devices.identities.of(row).devEui) as DeviceHandle,
    );
  }

  /**
   * The same as columns, or those that are named, as far as there are such: a handle each takes ten
   * times as long. They are copies.
   */
  deviceColumns(devEuis?: Iterable<string>) {
    const { devices, types } = this.#network.sides.device;
    const { registrations } = this.#network.sides.server;
    const { identities, column } = devices;
    const named = devEuis && Array.from(devEuis, (devEui) => devices.byEui(devEui));
    const rows = (named ?? [...devices.rowsInService()]).filter((row) => row !== NONE);
    // A device and its registration have come together: a look at their names reports.
    const registered = rows.map((row) => {
      const { devEui } = identities.of(row);
      const isSame = registrations.identities.of(row).devEui === devEui;
      return isSame ? row : registrations.byEui(devEui);
    });
    const { lastUplinkAtUs } = registrations.column;
    return {
      devEui: rows.map((row) => identities.of(row).devEui),
      name: registered.map((row) => registrations.identities.of(row).name),
      type: rows.map((row) => column.type[row]!),
      typeName: rows.map((row) => types[column.type[row]!]!.name),
      activation: rows.map((row) =>
        column.personalised[row] === 1 ? ('abp' as const) : ('otaa' as const),
      ),
      createdAtUs: registered.map((row) => registrations.createdAtUs(row)),
      lastUplinkAtUs: registered.map((row) => lastUplinkAtUs[row]!),
    };
  }

  /** What devices really are, hold and hear, of those of the named ones that there are. */
  deviceGroundTruths(devEuis: readonly string[]) {
    return groundTruthsOfDevices(this.#network, devEuis);
  }

  /** All gateways that were ever in service, by row. */
  stations(): { readonly name: string; readonly eui: string }[] {
    const { stations } = this.#network.sides.server.gateways;
    return stations.map(({ name, eui }) => ({ name, eui }));
  }

  deviceBriefs(devEuis: readonly string[]) {
    return deviceBriefs(this.#network, devEuis);
  }

  /** Devices of the network, and what is counted of each recorded one by this instant. */
  recordedDevices(): { readonly total: number; readonly recorded: readonly RecordedDevice[] } {
    const { device } = this.#network.sides;
    settleAll(device, device.agenda.nowUs);
    return { total: device.devices.inService, recorded: [...recordedDevices(this.#network)] };
  }

  /** Undefined: no device in the network has this DevEUI, upper case. */
  device(devEui: string): DeviceHandle | undefined {
    const row = this.#network.sides.server.registrations.byEui(devEui);
    return row === NONE ? undefined : new DeviceHandle(this.#network.sides, row);
  }

  /** Undefined: no gateway in service has this EUI, upper case. */
  gateway(eui: string): GatewayHandle | undefined {
    const { server } = this.#network.sides;
    const row = server.gateways.rowByEui(eui);
    return row === NONE
      ? undefined
      : new GatewayHandle(this.#network.sides, server.gateways.stations[row]!);
  }

  /** All in service, in row order. */
  gateways(): GatewayHandle[] {
    const { server } = this.#network.sides;
    return server.gateways
      .inService()
      .map((station) => new GatewayHandle(this.#network.sides, station));
  }

  /** A LoRa data rate; undefined for others. */
  dataRate(index: number) {
    const { plan, settings } = this.#network.sides.server;
    // What devices are set to in the end; a multicast frame has to reach all of them.
    const dwell = settings.txParamSetup?.downlinkDwell ?? plan.region.dwellAtStart.downlink;
    const spreadingFactor = plan.spreadingFactor[index] ?? 0;
    if (!plan.isUplinkModulation(index)) return undefined;
    return {
      spreadingFactor,
      bandwidthHz: plan.bandwidthHz[index]!,
      maxFrmPayload: Math.max(0, plan.mostBytes(index, dwell) - FHDR_AND_FPORT_BYTES),
      deviceSensitivityCentiDbm: plan.deviceSensitivityCentiDbm[index]!,
    };
  }

  downlinkAirtimeUs(dataRate: number, phyBytes: number): number {
    return this.#network.sides.server.plan.downlinkAirtimeUs(dataRate, phyBytes);
  }

  /** Share of an hour that the region lets a gateway send on this frequency, 0…1. */
  dutyCycle(frequencyHz: number): number {
    return regionsShare(this.#network.sides.server, frequencyHz);
  }

  /** Whether the channel of a data rate around this frequency lies in one sub-band. */
  mayCarry(frequencyHz: number, dataRate: number): boolean {
    const { region, bandwidthHz } = this.#network.sides.server.plan;
    return subBandOf(region, frequencyHz, bandwidthHz[dataRate]) >= 0;
  }

  /** Where the centre of a channel may lie: its edges stay within one sub-band. */
  downlinkRangesHz(dataRate: number): readonly (readonly [from: number, to: number])[] {
    const { region, bandwidthHz } = this.#network.sides.server.plan;
    return centreRangesHz(region, bandwidthHz[dataRate]);
  }

  /** What people call a frequency; null where it is in no sub-band, or no channel. */
  channelAt(frequencyHz: number) {
    const { plan } = this.#network.sides.server;
    const subBand = subBandOf(plan.region, frequencyHz);
    const channel = plan.channelNumber(frequencyHz);
    return { subBand: subBand < 0 ? null : subBand, channel: channel ?? null };
  }
}

const minorOf = (lorawan: DeviceTypePlan['lorawan']): '1.0' | '1.1' =>
  versionRules(lorawan).minor === 1 ? '1.1' : '1.0';

const regionsShare = ({ plan }: ServerSide, frequencyHz: number): number =>
  plan.bands[plan.bandOf(frequencyHz)]!.budgetUs / HOUR_US;

/** A device as the server knows it now. Each member is found when it is looked at. */
class DeviceHandle implements DeviceView {
  readonly #sides: Sides;
  /** Of its registration. */
  readonly #row: number;

  constructor(sides: Sides, row: number) {
    this.#sides = sides;
    this.#row = row;
  }

  get devEui(): string {
    return this.#identity.devEui;
  }

  get name(): string {
    return this.#identity.name;
  }

  get xMeters(): number {
    return this.#sides.device.devices.identities.of(this.#deviceRow).xMeters;
  }

  get yMeters(): number {
    return this.#sides.device.devices.identities.of(this.#deviceRow).yMeters;
  }

  /** The type that it is of, with its row in the plan's list. */
  get profile() {
    const { name, deviceClass, lorawan } = this.#type;
    const row = this.#deviceRow;
    const { type, personalised } = this.#sides.device.column;
    const activation = personalised[row] === 1 ? ('abp' as const) : ('otaa' as const);
    return { type: type[row], name, deviceClass, lorawan: minorOf(lorawan), activation };
  }

  get deviceClass(): 'A' | 'C' {
    return this.#column.classC[this.#row] === 1 ? 'C' : 'A';
  }

  /** Of class B by its profile, but its latest uplink had no ClassB bit. */
  get lacksBeacon(): boolean {
    if (this.#type.deviceClass !== 'B') return false;
    return !this.#sides.server.classB.isActive(this.#row);
  }

  /** Faults that are on. */
  get faults() {
    const row = this.#deviceRow;
    const { links, troubles } = this.#sides.device;
    const others = troubles.of(row).map((trouble) => ({ ...trouble, centiDb: 0 }));
    return [...links.deviceFaults.of(row), ...others];
  }

  /** Whether the server knows the root of its multicast keys. */
  get rootKeyKnown(): boolean {
    return this.#column.rootKeyKnown[this.#row] === 1;
  }

  /** When it came into the network, µs. */
  get createdAtUs(): number {
    return this.#sides.server.registrations.createdAtUs(this.#row);
  }

  /** Has a session. */
  get active(): boolean {
    return this.#column.active[this.#row] === 1;
  }

  /** End of its latest uplink, µs; −1 before the first. */
  get lastUplinkAtUs(): number {
    return this.#column.lastUplinkAtUs[this.#row];
  }

  /** The longest pause between two of its messages, as its profile declares it, µs; 0: none. */
  get declaredPauseUs(): number {
    return declaredPauseUs(this.#type.traffic, this.name);
  }

  get dataRate(): number {
    return this.#column.dataRate[this.#row];
  }

  /** Gateways in service that heard it, best first, and the level it may expect of each. */
  get heardBy(): Heard[] {
    const { gateways, plan } = this.#sides.server;
    const { heard, txPowerIndex } = this.#column;
    const band = plan.bandOf(plan.rx2FrequencyHz);
    const { maxEirpCentiDbm } = plan.bands[band]!;
    const deviceEirp = plan.uplinkEirp(
      plan.region.maxEirpCentiDbm,
      txPowerIndex[this.#row],
      plan.channels[0]!.band,
    );
    const found: Heard[] = [];
    for (let at = this.#row * HEARD_BY; at < (this.#row + 1) * HEARD_BY; at++) {
      if (heard[at] === 0) continue;
      const station = gateways.stations[heardGateway(heard[at])]!;
      if (gateways.table.column.alive[station.row] === 0) continue;
      const gain = heardLevel(heard[at]) - deviceEirp - station.antennaGainCentiDb;
      const eirp = Math.min(station.plan.maxEirpCentiDbm, maxEirpCentiDbm);
      found.push({ gatewayEui: station.eui, downlinkCentiDbm: eirp + gain });
    }
    return found.sort(
      (a, b) => b.downlinkCentiDbm - a.downlinkCentiDbm || (a.gatewayEui < b.gatewayEui ? -1 : 1),
    );
  }

  /** Versions, ports and limits of its packages, from its profile. */
  get packages(): PackagesPlan {
    return packagesOf(this.#type);
  }

  /** Application downlinks that wait for it, in the order in which they go. */
  get waitingDownlinks() {
    const { queue, agenda } = this.#sides.server;
    return queue
      .waiting(this.#row, agenda.nowUs)
      .map(({ id, sender, fPort, payload, confirmed }) => {
        return { id, sender: sender.kind, fPort, payload, confirmed };
      });
  }

  /** The rules that it answers application downlinks by. */
  get answers(): readonly AnswerRule[] {
    return rulesOf(this.#sides.device, this.#deviceRow);
  }

  /** Whether they are those of its type. */
  get answersOfType(): boolean {
    return this.#sides.device.behaviours.of(this.#deviceRow) === undefined;
  }

  /** What it is really set to over the air; undefined: it cannot be set. */
  get settings(): DeviceSettings | undefined {
    if (this.#type.settings === undefined) return undefined;
    return this.#sides.device.settings.of(this.#deviceRow);
  }

  /** What it has made of downlinks on their port. */
  get settingsDownlinks(): SettingsDownlinks | undefined {
    if (this.#type.settings === undefined) return undefined;
    const row = this.#deviceRow;
    const { taken, ignored } = this.#sides.device.settings.column;
    return { taken: taken[row], ignored: ignored[row] };
  }

  /** McKey as McGroupSetupReq carries it to this device; by its known root key or the given one. */
  wrapMcKey(mcKey: Uint8Array, given?: Uint8Array): Uint8Array {
    const { registrations, security } = this.#sides.server;
    const { minor } = registrations.rules(this.#row);
    return security.wrapMcKey(given ?? this.#rootKey, mcKey, minor);
  }

  /**
   * MIC of a data block for this device (TS004-2.0.0, FragSessionSetupReq), unsigned 32 bits; by
   * its known root key or the given one.
   */
  blockMic(signed: SignedBlock, given?: Uint8Array): number {
    return this.#sides.server.security.blockMic(given ?? this.#rootKey, signed);
  }

  get #column() {
    return this.#sides.server.registrations.column;
  }

  get #identity(): RegistrationIdentity {
    return this.#sides.server.registrations.identities.of(this.#row);
  }

  get #rootKey(): Uint8Array {
    assert(this.rootKeyKnown, 'the server signs by a root key that it knows');
    return this.#sides.server.registrations.rootKeys.genApp.copyOf(this.#row);
  }

  /** What the operator knows of its type. */
  get #type(): DeviceTypePlan {
    const { devices, types } = this.#sides.device;
    return types[devices.column.type[this.#deviceRow]]!;
  }

  get #deviceRow(): number {
    const row = this.#sides.device.devices.byEui(this.#identity.devEui);
    assert(row !== NONE, 'a device that the server knows is in the network');
    return row;
  }
}

interface Heard {
  readonly gatewayEui: string;
  readonly downlinkCentiDbm: number;
}

/** A gateway in service, as the server knows it now. */
class GatewayHandle implements GatewayView {
  readonly #server: ServerSide;
  readonly #links: Links;
  readonly #station: GatewayStation;

  constructor({ device, server }: Sides, station: GatewayStation) {
    this.#server = server;
    this.#links = device.links;
    this.#station = station;
  }

  get eui(): string {
    return this.#station.eui;
  }

  get name(): string {
    return this.#station.label;
  }

  get xMeters(): number {
    return this.#station.xMeters;
  }

  get yMeters(): number {
    return this.#station.yMeters;
  }

  get hardware(): GatewayPlan {
    return this.#station.plan;
  }

  get backhaulUp(): boolean {
    return this.#server.gateways.faults.isUp(this.#station.row, 'backhaul');
  }

  get backhaulSinceUs(): number {
    return this.#server.gateways.faults.sinceUs(this.#station.row, 'backhaul');
  }

  get radioUp(): boolean {
    return this.#server.gateways.faults.isUp(this.#station.row, 'radio');
  }

  get radioSinceUs(): number {
    return this.#server.gateways.faults.sinceUs(this.#station.row, 'radio');
  }

  /** Faults that are on. */
  get faults() {
    const { row } = this.#station;
    const { faults } = this.#server.gateways;
    const failed = GATEWAY_FAULTS.filter((fault) => !faults.isUp(row, fault)).map((fault) => {
      return { fault, sinceUs: faults.sinceUs(row, fault), centiDb: 0 };
    });
    const slow = { fault: 'delay' as const, sinceUs: faults.delaySinceUs(row), centiDb: 0 };
    const delayUs = faults.delayUs(row);
    const delay = delayUs > 0 ? [{ ...slow, delayUs }] : [];
    return [...failed, ...delay, ...this.#links.gatewayFaults.of(row)];
  }

  lastStatusAtUs(nowUs: number): number | null {
    const atUs = this.#server.gateways.faults.lastStatusAtUs(this.#station, nowUs);
    return atUs === NEVER_US ? null : atUs;
  }

  nextStatusAtUs(afterUs: number, untilUs: number): number | null {
    const { faults } = this.#server.gateways;
    const atUs = faults.nextStatusAtUs(this.#station, afterUs, untilUs);
    return atUs === NEVER_US ? null : atUs;
  }

  get putUpAtUs(): number {
    return this.#server.gateways.faults.putUpAtUs(this.#station.row);
  }

  firstSentUs(afterUs: number, untilUs: number): number | null {
    const station = this.#stationAt(afterUs);
    if (station === undefined) return null;
    const atUs = this.#server.gateways.faults.firstSentUs(station, afterUs, untilUs);
    return atUs === NEVER_US ? null : atUs;
  }

  latestSentUs(afterUs: number, untilUs: number): number | null {
    const station = this.#stationAt(afterUs);
    if (station === undefined) return null;
    const atUs = this.#server.gateways.faults.latestSentUs(station, afterUs, untilUs);
    return atUs === NEVER_US ? null : atUs;
  }

  #stationAt(atUs: number): GatewayStation | undefined {
    const { gateways } = this.#server;
    return gateways.stations[gateways.rowAt(this.#station.eui, atUs)];
  }

  /** It has GPS time. */
  get gps(): boolean {
    return this.#station.plan.gps;
  }

  /** Share of an hour that it may send on this frequency, 0…1; 1 where it keeps no duty cycle. */
  dutyCycle(frequencyHz: number): number {
    return this.#station.plan.dutyCycle ? regionsShare(this.#server, frequencyHz) : 1;
  }

  /**
   * Share of its air time on this frequency that it has used or promised in the hour until now,
   * 0…1; 0 where it keeps no duty cycle.
   */
  budgetUsed(frequencyHz: number, nowUs: number): number {
    if (!this.#station.plan.dutyCycle) return 0;
    const { plan, dutyCycle } = this.#server;
    const band = plan.bandOf(frequencyHz);
    const { budgetUs } = plan.bands[band]!;
    return dutyCycle.usedUs(this.#station.row * plan.bands.length + band, nowUs) / budgetUs;
  }
}
