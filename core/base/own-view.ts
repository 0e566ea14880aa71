/**
 * The network as one subscriber sees it: its own devices and gateways, and receptions by its own
 * gateways. The network server carries all subscribers; the rest of what it knows is out of reach.
 */
import type { AnswerRule } from '../../sim/contract/things.ts';
import type {
  BlockToSign,
  DeviceView,
  NetworkFacts,
  NetworkView,
  PackagesView,
  Reception,
  WaitingDownlink,
} from '../../sim/contract/view.ts';
import { columnsWhere } from './device-columns.ts';
import type { Owners, OwnView } from './subscribers.ts';

/** What of a view names devices and gateways. */
export type Handles = Omit<NetworkView, keyof NetworkFacts>;

/** The view has no state: a new owner of a thing sees it at once. */
export function ownView(whole: NetworkView, owners: Owners, subscriber: string): OwnView {
  const isOwn = (eui: string): boolean => owners.owns(subscriber, 'gateway', eui);
  const handles: Handles = {
    device(devEui) {
      const device = owners.owns(subscriber, 'device', devEui) ? whole.device(devEui) : undefined;
      return device === undefined ? undefined : new OwnDevice(device, isOwn);
    },
    gateway: (eui) => (isOwn(eui) ? whole.gateway(eui) : undefined),
    devicesNamed: (name) =>
      whole
        .devicesNamed(name)
        .filter(({ devEui }) => owners.owns(subscriber, 'device', devEui))
        .map((device) => new OwnDevice(device, isOwn)),
    deviceType: (row) => (owners.showsType(subscriber, row) ? whole.deviceType(row) : undefined),
    devices: () =>
      whole
        .devices()
        .filter(({ devEui }) => owners.owns(subscriber, 'device', devEui))
        .map((device) => new OwnDevice(device, isOwn)),
    deviceColumns(devEuis) {
      const isMine = (devEui: string): boolean => owners.owns(subscriber, 'device', devEui);
      if (devEuis !== undefined) return whole.deviceColumns(devEuis.filter(isMine));
      return columnsWhere(whole.deviceColumns(), isMine);
    },
    deviceGroundTruths(devEuis) {
      const own = devEuis.filter((devEui) => owners.owns(subscriber, 'device', devEui));
      return whole.deviceGroundTruths(own).map(({ links, ...groundTruth }) => {
        return { ...groundTruth, links: links.filter(({ gatewayEui }) => isOwn(gatewayEui)) };
      });
    },
    gateways: () => whole.gateways().filter(({ eui }) => isOwn(eui)),
  };
  return viewWith(whole, handles);
}

/**
 * Facts are everybody's. They stand on a class, so that a spread would not copy them; and views are
 * asked at every frame, so all are of one shape, in whichever world of a process.
 */
export const viewWith = (facts: NetworkFacts, handles: Handles): OwnView =>
  ({
    device: handles.device,
    gateway: handles.gateway,
    devicesNamed: handles.devicesNamed,
    deviceType: handles.deviceType,
    devices: handles.devices,
    deviceColumns: handles.deviceColumns,
    deviceGroundTruths: handles.deviceGroundTruths,
    gateways: handles.gateways,
    gpsSeconds: (atUs: number) => facts.gpsSeconds(atUs),
    worldUs: (gpsSeconds: number) => facts.worldUs(gpsSeconds),
    unixMs: (atUs: number) => facts.unixMs(atUs),
    worldUsOfUnixMs: (unixMs: number) => facts.worldUsOfUnixMs(unixMs),
    dataRate: (index: number) => facts.dataRate(index),
    downlinkAirtimeUs: (dataRate: number, phyBytes: number) =>
      facts.downlinkAirtimeUs(dataRate, phyBytes),
    dutyCycle: (frequencyHz: number) => facts.dutyCycle(frequencyHz),
    mayCarry: (frequencyHz: number, dataRate: number) => facts.mayCarry(frequencyHz, dataRate),
    downlinkDataRates: facts.downlinkDataRates,
    downlinkRangesHz: (dataRate: number) => facts.downlinkRangesHz(dataRate),
    channelAt: (frequencyHz: number) => facts.channelAt(frequencyHz),
    uplinkChannelsHz: facts.uplinkChannelsHz,
    rx2: facts.rx2,
    region: facts.region,
    deviceTypes: facts.deviceTypes,
    isAddressTaken: (devAddr: number) => facts.isAddressTaken(devAddr),
  }) satisfies NetworkView as OwnView;

/** A subscriber's device: what is of it alone, and receptions by the subscriber's gateways. */
class OwnDevice implements DeviceView {
  readonly #device: DeviceView;
  readonly #isOwn: (gatewayEui: string) => boolean;

  constructor(device: DeviceView, isOwn: (gatewayEui: string) => boolean) {
    this.#device = device;
    this.#isOwn = isOwn;
  }

  get heardBy(): readonly Reception[] {
    return this.#device.heardBy.filter(({ gatewayEui }) => this.#isOwn(gatewayEui));
  }

  get devEui(): string {
    return this.#device.devEui;
  }

  get xMeters(): number {
    return this.#device.xMeters;
  }

  get yMeters(): number {
    return this.#device.yMeters;
  }

  get profile(): DeviceView['profile'] {
    return this.#device.profile;
  }

  get name(): string {
    return this.#device.name;
  }

  get deviceClass(): 'A' | 'C' {
    return this.#device.deviceClass;
  }

  get createdAtUs(): number {
    return this.#device.createdAtUs;
  }

  get lacksBeacon(): boolean {
    return this.#device.lacksBeacon;
  }

  get faults(): DeviceView['faults'] {
    return this.#device.faults;
  }

  get rootKeyKnown(): boolean {
    return this.#device.rootKeyKnown;
  }

  get active(): boolean {
    return this.#device.active;
  }

  get lastUplinkAtUs(): number {
    return this.#device.lastUplinkAtUs;
  }

  get declaredPauseUs(): number {
    return this.#device.declaredPauseUs;
  }

  get dataRate(): number {
    return this.#device.dataRate;
  }

  get packages(): PackagesView {
    return this.#device.packages;
  }

  get waitingDownlinks(): readonly WaitingDownlink[] {
    return this.#device.waitingDownlinks;
  }

  get answers(): readonly AnswerRule[] {
    return this.#device.answers;
  }

  get answersOfType(): boolean {
    return this.#device.answersOfType;
  }

  get settings(): DeviceView['settings'] {
    return this.#device.settings;
  }

  get settingsDownlinks(): DeviceView['settingsDownlinks'] {
    return this.#device.settingsDownlinks;
  }

  wrapMcKey(mcKey: Uint8Array, rootKey?: Uint8Array): Uint8Array {
    return this.#device.wrapMcKey(mcKey, rootKey);
  }

  blockMic(signed: BlockToSign, rootKey?: Uint8Array): number {
    return this.#device.blockMic(signed, rootKey);
  }
}
