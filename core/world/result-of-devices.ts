/** The part of a result on devices: of all of them, of each population, and a map of some. */
import { assert } from '../../sim/base/assert.ts';
import { type ListedCounts, sortedByName } from '../../sim/base/counts.ts';
import { ROWS_A_STEP } from '../../sim/base/stepwise.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import type { DeviceSummaries, DeviceSummary } from '../../sim/contract/summary.ts';
import type { Steps } from '../base/in-steps.ts';
import { percentiles } from '../base/percentiles.ts';
import { type DevicesResult, NEVER_SENT, type PopulationResult } from '../result/result.ts';
import type { WorldPlan } from './plan.ts';

/** Devices that the map shows at most. */
const MAP_DEVICES = 5_000;

/** A device's fate in the campaigns, as the map's column `updated` has it. */
export type FateOf = (devEui: string) => number;

/** What is counted of devices beside: it gets each of them. */
export interface AlsoCounted {
  add(device: DeviceSummary): void;
}

/**
 * Looks at each device once, and keeps of it a few numbers, as `others` may, too: a device's
 * summary is made when it is looked at. In steps.
 */
export function* devicesResult(
  plan: WorldPlan,
  devices: DeviceSummaries,
  fate: FateOf,
  others: readonly AlsoCounted[] = [],
): Steps<{ readonly devices: DevicesResult; readonly unreachable: number }> {
  const { deviceTypes } = plan.network;
  // Types that rows of files make of a population have its name.
  const populations = new Map(deviceTypes.map(({ name }) => [name, new Population()]));
  const all = new Population();
  const figures = new Figures();
  const map = new MapPoints(devices.length, fate);
  for (const device of devices) {
    all.add(device);
    populations.get(device.type)!.add(device);
    figures.add(device);
    map.add(device);
    for (const other of others) other.add(device);
    if (all.devices % ROWS_A_STEP === 0) yield;
  }
  yield;
  return {
    devices: {
      total: all.devices,
      joined: all.joined,
      ...figures.joinResult(),
      ...all.messagesResult(),
      ...figures.confirmedResult(),
      deliveryRatio: all.deliveryRatio(),
      byDataRate: sortedByName(figures.byDataRate),
      // A shared type is included where it has devices.
      populations: [...populations].flatMap(([name, one]) => {
        const row = deviceTypes.findIndex((type) => type.name === name);
        return one.devices > 0 || !isEverybodys(plan, row) ? [one.result(name)] : [];
      }),
      ...figures.macResult(),
      map: map.result(),
    },
    unreachable: figures.unreachable,
  };
}

const isEverybodys = ({ owners }: WorldPlan, row: number): boolean =>
  owners?.deviceTypes !== undefined && (owners.deviceTypes[row] ?? '') === '';

/** Figures of a population, and of all devices. */
class Population {
  devices = 0;
  joined = 0;
  #sent = 0;
  #delivered = 0;
  #dropped = 0;
  #listed: ListedCounts | undefined;
  /** Of devices that sent. */
  readonly #ratios: number[] = [];

  add({ active, sent, delivered, dropped, listed }: DeviceSummary): void {
    this.devices++;
    if (active) this.joined++;
    this.#sent += sent;
    this.#delivered += delivered;
    this.#dropped += dropped;
    if (sent > 0) this.#ratios.push(delivered / sent);
    if (listed !== undefined) {
      const before = this.#listed ?? { sent: 0, lost: 0, left: 0 };
      this.#listed = {
        sent: before.sent + listed.sent,
        lost: before.lost + listed.lost,
        left: before.left + listed.left,
      };
    }
  }

  /** Lists are absent where none of the devices has one. */
  messagesResult() {
    return {
      messages: this.#sent,
      messagesDelivered: this.#delivered,
      messagesDropped: this.#dropped,
      ...(this.#listed && { listed: this.#listed }),
    };
  }

  /** Over devices that sent; null when none did. */
  deliveryRatio() {
    return percentiles(this.#ratios);
  }

  result(name: string): PopulationResult {
    const { devices, joined } = this;
    const messages = this.messagesResult();
    return { name, devices, joined, ...messages, deliveryRatio: this.deliveryRatio() };
  }
}

/** Highest battery level of DevStatusAns (LoRaWAN 1.0.4 §5.5); 0 is external power, 255 unknown. */
const FULL_BATTERY = 254;

/** Figures of all devices only. */
class Figures {
  unreachable = 0;
  readonly byDataRate: Record<string, number> = {};
  #joinRequests = 0;
  readonly #joinSeconds: number[] = [];
  readonly #confirmed = { sent: 0, acknowledged: 0, failed: 0 };
  #retransmissions = 0;
  #dutyCycleWaits = 0;
  #timeSyncs = 0;
  #linkChecks = 0;
  readonly #levels: number[] = [];
  readonly #margins: number[] = [];

  add(device: DeviceSummary): void {
    const { active, otaa, joinUs, status } = device;
    if (!device.inReach) this.unreachable++;
    if (active) {
      const rate = `DR${device.dataRate}`;
      this.byDataRate[rate] = (this.byDataRate[rate] ?? 0) + 1;
    }
    if (otaa && active) {
      assert(joinUs !== null, 'a device with a session over the air has joined');
      this.#joinSeconds.push(joinUs / SECOND_US);
    }
    this.#joinRequests += device.joinRequests;
    this.#confirmed.sent += device.confirmedSent;
    this.#confirmed.acknowledged += device.confirmedAcknowledged;
    this.#confirmed.failed += device.confirmedFailed;
    this.#retransmissions += device.retransmissions;
    this.#dutyCycleWaits += device.dutyCycleWaits;
    this.#timeSyncs += device.timeSyncs;
    this.#linkChecks += device.linkChecks;
    if (status === null) return;
    this.#levels.push(status.battery);
    this.#margins.push(status.marginDb);
  }

  joinResult(): Pick<DevicesResult, 'joinSeconds' | 'joinRequests'> {
    return { joinSeconds: percentiles(this.#joinSeconds), joinRequests: this.#joinRequests };
  }

  confirmedResult(): Pick<DevicesResult, 'confirmed' | 'retransmissions' | 'dutyCycleWaits'> {
    return {
      confirmed: this.#confirmed,
      retransmissions: this.#retransmissions,
      dutyCycleWaits: this.#dutyCycleWaits,
    };
  }

  /** Absent where no device has said anything of it. */
  macResult(): Pick<DevicesResult, 'mac'> {
    const levels = this.#levels;
    if (levels.length + this.#timeSyncs + this.#linkChecks === 0) return {};
    const measured = levels.filter((level) => level > 0 && level <= FULL_BATTERY);
    return {
      mac: {
        statusKnown: levels.length,
        externalPower: levels.filter((level) => level === 0).length,
        batteryUnknown: levels.filter((level) => level > FULL_BATTERY).length,
        battery: percentiles(measured.map((level) => level / FULL_BATTERY)),
        marginDb: percentiles(this.#margins),
        timeSyncs: this.#timeSyncs,
        linkChecks: this.#linkChecks,
      },
    };
  }
}

/** An evenly spaced sample of the devices, as columns. */
class MapPoints {
  readonly columns = {
    xMeters: [] as number[],
    yMeters: [] as number[],
    deliveredPermille: [] as number[],
    dataRate: [] as number[],
    updated: [] as number[],
  } satisfies DevicesResult['map'];
  readonly #names: string[] = [];
  #isNamed = false;
  readonly #devices: number;
  readonly #shown: number;
  readonly #fate: FateOf;
  #passed = 0;

  constructor(devices: number, fate: FateOf) {
    this.#devices = devices;
    this.#shown = Math.min(MAP_DEVICES, devices);
    this.#fate = fate;
  }

  /** The next device; whether it is shown derives from how many have passed. */
  add(device: DeviceSummary): void {
    const { columns } = this;
    const next = Math.floor((columns.xMeters.length * this.#devices) / this.#shown);
    if (this.#passed++ < next) return;
    const { name, devEui, xMeters, yMeters, sent, delivered, dataRate } = device;
    this.#names.push(name);
    this.#isNamed ||= hasOwnName(device);
    columns.xMeters.push(Math.round(xMeters));
    columns.yMeters.push(Math.round(yMeters));
    const permille = Math.round((1000 * delivered) / sent);
    columns.deliveredPermille.push(sent === 0 ? NEVER_SENT : permille);
    columns.dataRate.push(dataRate);
    columns.updated.push(this.#fate(devEui));
  }

  result(): DevicesResult['map'] {
    return { ...this.columns, ...(this.#isNamed && { names: this.#names }) };
  }
}

/** Others are called as their population, with a number. */
const hasOwnName = ({ name, type }: DeviceSummary): boolean =>
  !name.startsWith(type) || !/^(-\d+)?$/.test(name.slice(type.length));
