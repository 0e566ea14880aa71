/** The figures of devices at an instant; asking changes nothing. */
import { HOUR_US } from '../../../sim/base/units.ts';
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

/** An instant, µs, the hour of UTC that it is in, and how much of that has passed, µs. */
interface Now {
  readonly us: number;
  readonly hour: number;
  readonly runningUs: number;
}

/** Devices, and when each was registered, µs. */
export interface Registered {
  readonly devEui: readonly string[];
  readonly createdAtUs: ArrayLike<number>;
}

export class StatisticsReader {
  readonly #uplinks: Uplinks;
  readonly #hoursOf: (atUs: number) => number;
  readonly #sums = new WindowSums();

  /** `hoursOf`: hours of UTC from 1970 to an instant, which need not be whole. */
  constructor(uplinks: Uplinks, hoursOf: (atUs: number) => number) {
    this.#uplinks = uplinks;
    this.#hoursOf = hoursOf;
  }

  of(devEui: string, createdAtUs: number, nowUs: number): UplinkStatistics {
    const registered = { devEui: [devEui], createdAtUs: [createdAtUs] };
    const { columns, copying } = this.columnsAt(registered, nowUs);
    finish(copying);
    return statisticsAt(columns, 0);
  }

  /** The same of many devices, in steps: figures of an instant that has to last until then. */
  columnsAt(registered: Registered, nowUs: number): StatisticsCopy {
    const columns = columnsOf(registered.devEui.length);
    return { columns, copying: this.#copying(columns, registered, nowUs) };
  }

  *#copying(columns: StatisticsColumns, registered: Registered, nowUs: number): Steps<void> {
    const devices = registered.devEui.length;
    const now = this.#at(nowUs);
    for (let from = 0; from < devices; from += PER_STEP) {
      if (from > 0) yield;
      const until = Math.min(devices, from + PER_STEP);
      for (let i = from; i < until; i++) this.#copy(columns, i, registered, now);
    }
  }

  #at(us: number): Now {
    const hours = this.#hoursOf(us);
    const hour = Math.floor(hours);
    return { us, hour, runningUs: Math.round((hours - hour) * HOUR_US) };
  }

  #copy(columns: StatisticsColumns, i: number, registered: Registered, now: Now): void {
    const uplinks = this.#uplinks;
    const sums = this.#sums;
    const row = uplinks.rowOf(registered.devEui[i]!);
    if (row === undefined) return;
    uplinks.read(row, now.hour, sums);
    const battery = uplinks.battery(row);
    columns.health[i] = this.#healthAt(row, now.us);
    columns.spreadingFactor[i] = uplinks.spreadingFactor(row);
    columns.averageRssi[i] = meanOf(sums.rssiCentiDbm, sums);
    columns.averageEsp[i] = meanOf(sums.espCentiDbm, sums);
    columns.averageSnr[i] = meanOf(sums.snrCentiDb, sums);
    columns.packetErrorRate[i] = packetErrorRateOf(sums);
    columns.averageWeeklyPackets[i] = packetsADay(
      sums,
      now.us - registered.createdAtUs[i]!,
      now.runningUs,
    );
    columns.batteryLevel[i] = battery < 0 ? -1 : batteryPerCent(battery);
    columns.lastUplinkAtUs[i] = uplinks.lastAtUs(row);
  }

  /**
   * Number of an owner's devices in each state, in the order of `HEALTH_STATES`. Those without a
   * row have never spoken.
   */
  healthCounts(owner: string, devices: number, nowUs: number): [number, number, number, number] {
    const hour = Math.floor(this.#hoursOf(nowUs));
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
