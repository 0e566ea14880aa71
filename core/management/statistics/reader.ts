/** The figures of devices at an instant; asking changes nothing. */
import { finish, type Steps } from '../../base/in-steps.ts';
import {
  batteryPerCent,
  HEALTH_STATES,
  healthOf,
  meanOf,
  packetErrorRateOf,
  packetsADay,
  type UplinkStatistics,
} from './figures.ts';
import { WindowSums } from './hours.ts';
import type { Uplinks } from './uplinks.ts';

/** The figures of many devices, a place for each in the order in which they were given. */
export interface StatisticsColumns {
  /** Place in `HEALTH_STATES`. */
  readonly health: Uint8Array;
  readonly spreadingFactor: Uint8Array;
  readonly averageRssi: Float64Array;
  readonly averageEsp: Float64Array;
  readonly averageSnr: Float64Array;
  readonly packetErrorRate: Float64Array;
  readonly averageWeeklyPackets: Float64Array;
  /** 0…100; −1: null. */
  readonly batteryLevel: Int16Array;
  readonly lastUplinkAtUs: Float64Array;
}

/** Columns that are whole once the copying is done. */
export interface StatisticsCopy {
  readonly columns: StatisticsColumns;
  readonly copying: Steps<void>;
}

/** Devices that one step of copying reads: some milliseconds. */
const PER_STEP = 2_048;

/** What stands in one place of them. */
export function statisticsAt(columns: StatisticsColumns, place: number): UplinkStatistics {
  const battery = columns.batteryLevel[place]!;
  return {
    health: HEALTH_STATES[columns.health[place]!]!,
    spreadingFactor: columns.spreadingFactor[place]!,
    averageRssi: columns.averageRssi[place]!,
    averageEsp: columns.averageEsp[place]!,
    averageSnr: columns.averageSnr[place]!,
    packetErrorRate: columns.packetErrorRate[place]!,
    averageWeeklyPackets: columns.averageWeeklyPackets[place]!,
    batteryLevel: battery < 0 ? null : battery,
    lastUplinkAtUs: columns.lastUplinkAtUs[place]!,
  };
}

const OFFLINE = HEALTH_STATES.indexOf('offline');

/** An instant, µs, and the hour of UTC that it is in. */
interface Now {
  readonly us: number;
  readonly hour: number;
}

export class StatisticsReader {
  readonly #uplinks: Uplinks;
  readonly #hourOf: (atUs: number) => number;
  readonly #sums = new WindowSums();

  /** `hourOf`: number of the hour of UTC of an instant. */
  constructor(uplinks: Uplinks, hourOf: (atUs: number) => number) {
    this.#uplinks = uplinks;
    this.#hourOf = hourOf;
  }

  of(devEui: string, nowUs: number): UplinkStatistics {
    const { columns, copying } = this.columnsAt([devEui], nowUs);
    finish(copying);
    return statisticsAt(columns, 0);
  }

  /** The same of many devices, in steps: figures of an instant that has to last until then. */
  columnsAt(devEuis: readonly string[], nowUs: number): StatisticsCopy {
    const columns = columnsOf(devEuis.length);
    return { columns, copying: this.#copying(columns, devEuis, nowUs) };
  }

  *#copying(columns: StatisticsColumns, devEuis: readonly string[], nowUs: number): Steps<void> {
    const now = { us: nowUs, hour: this.#hourOf(nowUs) };
    for (let from = 0; from < devEuis.length; from += PER_STEP) {
      if (from > 0) yield;
      const until = Math.min(devEuis.length, from + PER_STEP);
      for (let i = from; i < until; i++) this.#copy(columns, i, devEuis[i]!, now);
    }
  }

  #copy(columns: StatisticsColumns, i: number, devEui: string, now: Now): void {
    const uplinks = this.#uplinks;
    const sums = this.#sums;
    const row = uplinks.rowOf(devEui);
    if (row === undefined) return;
    uplinks.read(row, now.hour, sums);
    const battery = uplinks.battery(row);
    columns.health[i] = this.#healthAt(row, now.us);
    columns.spreadingFactor[i] = uplinks.spreadingFactor(row);
    columns.averageRssi[i] = meanOf(sums.rssiCentiDbm, sums);
    columns.averageEsp[i] = meanOf(sums.espCentiDbm, sums);
    columns.averageSnr[i] = meanOf(sums.snrCentiDb, sums);
    columns.packetErrorRate[i] = packetErrorRateOf(sums);
    columns.averageWeeklyPackets[i] = packetsADay(sums);
    columns.batteryLevel[i] = battery < 0 ? -1 : batteryPerCent(battery);
    columns.lastUplinkAtUs[i] = uplinks.lastAtUs(row);
  }

  /**
   * How many of an owner's so many devices are in each state, in the order of `HEALTH_STATES`.
   * Those without a row have never spoken.
   */
  healthCounts(owner: string, devices: number, nowUs: number): [number, number, number, number] {
    const hour = this.#hourOf(nowUs);
    const counts: [number, number, number, number] = [0, 0, 0, devices];
    for (const row of this.#uplinks.rowsOf(owner)) {
      this.#uplinks.read(row, hour, this.#sums);
      const health = this.#healthAt(row, nowUs);
      counts[health]! += 1;
      counts[OFFLINE]! -= 1;
    }
    return counts;
  }

  /** Of a device whose windows were read last. */
  #healthAt(row: number, nowUs: number): number {
    const lastUs = this.#uplinks.lastAtUs(row);
    if (lastUs < 0) return OFFLINE;
    return healthOf(nowUs - lastUs, this.#uplinks.meanPeriodUs(row), this.#sums);
  }
}

/** Those of devices that have never spoken. */
function columnsOf(devices: number): StatisticsColumns {
  const figures = () => new Float64Array(devices);
  return {
    health: new Uint8Array(devices).fill(OFFLINE),
    spreadingFactor: new Uint8Array(devices),
    averageRssi: figures(),
    averageEsp: figures(),
    averageSnr: figures(),
    packetErrorRate: figures(),
    averageWeeklyPackets: figures(),
    batteryLevel: new Int16Array(devices).fill(-1),
    lastUplinkAtUs: figures().fill(-1),
  };
}
