/** The network as its server knows it, for the platform to ask; asking changes nothing. */
import { HOUR_US, MILLISECOND_US, SECOND_US } from '../base/units.ts';
import { NONE } from '../kernel/columns.ts';
import { KEY_BYTES, type SignedBlock } from '../lorawan/frame-security.ts';
import { gpsMsOfUnixMs, unixMsOfGpsMs } from '../lorawan/gps-time.ts';
import { FHDR_AND_FPORT_BYTES, subBandOf } from '../lorawan/region.ts';
import { HEARD_BY } from '../network-server/registrations.ts';
import type { DeviceTypePlan } from '../plan/network-plan.ts';
import { type PackagesPlan, packagesOf } from '../plan/packages-plan.ts';
import type { Network } from './network.ts';

const GPS_SECONDS_MODULUS = 0x1_0000_0000;

export class NetworkView {
  readonly #network: Network;
  readonly rx2: { readonly frequencyHz: number; readonly dataRate: number };

  constructor(network: Network) {
    this.#network = network;
    const { plan, settings } = network.sides.server;
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

  device(devEui: string) {
    const { registrations, classB } = this.#network.sides.server;
    const row = registrations.byEui(devEui);
    if (row === NONE) return undefined;
    const r = registrations.column;
    const isClassB = this.#profile(devEui)?.deviceClass === 'B';
    return {
      name: registrations.identities[row]!.name,
      deviceClass: r.classC[row] === 1 ? ('C' as const) : ('A' as const),
      lacksBeacon: isClassB && classB.column.active[row] === 0,
      rootKeyKnown: r.rootKeyKnown[row] === 1,
      active: r.active[row] === 1,
      lastUplinkAtUs: r.lastUplinkAtUs[row],
      dataRate: r.dataRate[row],
      heardBy: this.#heardBy(row),
    };
  }

  /** Application downlinks that wait in a device's queue; 0 for one that is unknown. */
  queuedDownlinks(devEui: string): number {
    const { registrations, queue } = this.#network.sides.server;
    const row = registrations.byEui(devEui);
    return row === NONE ? 0 : queue.count(row);
  }

  gateways() {
    const stations = this.#network.sides.server.gateways.inService();
    return stations.map(({ eui, name, plan }) => ({ eui, name, gps: plan.gps }));
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

  /**
   * Share of its air time on this frequency that a gateway has used or promised in the hour until
   * now, 0…1; 0 where none is kept.
   */
  budgetUsed(gatewayEui: string, frequencyHz: number, nowUs: number): number {
    const { gateways, plan, dutyCycle } = this.#network.sides.server;
    const gateway = gateways.rowByEui(gatewayEui);
    if (gateway === NONE || !gateways.stations[gateway]!.plan.dutyCycle) return 0;
    const band = plan.bandOf(frequencyHz);
    const { budgetUs } = plan.bands[band]!;
    return dutyCycle.usedUs(gateway * plan.bands.length + band, nowUs) / budgetUs;
  }

  /**
   * Share of an hour that this gateway may send on this frequency, 0…1; of one that keeps the
   * region's duty cycle when none is named.
   */
  dutyCycle(frequencyHz: number, gatewayEui = ''): number {
    const { gateways, plan } = this.#network.sides.server;
    const gateway = gateways.rowByEui(gatewayEui);
    if (gateway !== NONE && !gateways.stations[gateway]!.plan.dutyCycle) return 1;
    return plan.bands[plan.bandOf(frequencyHz)]!.budgetUs / HOUR_US;
  }

  /** Whether the channel of a data rate around this frequency lies in one sub-band. */
  mayCarry(frequencyHz: number, dataRate: number): boolean {
    const { region, bandwidthHz } = this.#network.sides.server.plan;
    return subBandOf(region, frequencyHz, bandwidthHz[dataRate]) >= 0;
  }

  /** McKey as McGroupSetupReq carries it to this device; by its known root key or the given one. */
  wrapMcKey(devEui: string, mcKey: Uint8Array, given?: Uint8Array): Uint8Array {
    const { registrations, security } = this.#network.sides.server;
    const row = registrations.byEui(devEui);
    const { genAppKey } = registrations.column;
    const rootKey = given ?? genAppKey.slice(row * KEY_BYTES, (row + 1) * KEY_BYTES);
    return security.wrapMcKey(rootKey, mcKey, registrations.rules(row).minor);
  }

  /**
   * MIC of a data block for this device (TS004-2.0.0, FragSessionSetupReq), unsigned 32 bits; by
   * its known root key or the given one.
   */
  blockMic(devEui: string, signed: SignedBlock, given?: Uint8Array): number {
    const { registrations, security } = this.#network.sides.server;
    const row = registrations.byEui(devEui);
    const { genAppKey } = registrations.column;
    const rootKey = given ?? genAppKey.slice(row * KEY_BYTES, (row + 1) * KEY_BYTES);
    return security.blockMic(rootKey, signed);
  }

  /** Versions, ports and limits of a device's packages, from its profile; undefined: it is gone. */
  packages(devEui: string): PackagesPlan | undefined {
    const profile = this.#profile(devEui);
    return profile === undefined ? undefined : packagesOf(profile);
  }

  /** What the operator knows of a device's type; undefined: the device is gone. */
  #profile(devEui: string): DeviceTypePlan | undefined {
    const { devices, types } = this.#network.sides.device;
    const row = devices.byEui.get(devEui);
    return row === undefined ? undefined : types[devices.column.type[row]];
  }

  /** Gateways that heard the device, best first, and the level it may expect of each. */
  #heardBy(row: number) {
    const { registrations, gateways, plan } = this.#network.sides.server;
    const { heardBy, heardCentiDbm, txPowerIndex } = registrations.column;
    const band = plan.bandOf(plan.rx2FrequencyHz);
    const { maxEirpCentiDbm } = plan.bands[band]!;
    const deviceEirp = plan.uplinkEirp(
      plan.region.maxEirpCentiDbm,
      txPowerIndex[row],
      plan.channels[0]!.band,
    );
    const found: { gatewayEui: string; downlinkCentiDbm: number }[] = [];
    for (let at = row * HEARD_BY; at < (row + 1) * HEARD_BY; at++) {
      if (heardBy[at] === 0) continue;
      const station = gateways.stations[heardBy[at] - 1]!;
      if (gateways.table.column.alive[station.row] === 0) continue;
      const gain = heardCentiDbm[at] - deviceEirp - station.antennaGainCentiDb;
      const eirp = Math.min(station.plan.maxEirpCentiDbm, maxEirpCentiDbm);
      found.push({ gatewayEui: station.eui, downlinkCentiDbm: eirp + gain });
    }
    return found.sort(
      (a, b) => b.downlinkCentiDbm - a.downlinkCentiDbm || (a.gatewayEui < b.gatewayEui ? -1 : 1),
    );
  }
}
