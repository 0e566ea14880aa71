/**
 * Gateways: reception paths, half duplex, and the transmit queue of the packet forwarder
 * (protocol reference §1.4 and §6.2).
 */
import type { EntityKey } from '../base/random.ts';
import type { Beacons } from '../beacons.ts';
import { insertByRank, removeRow, takeFirst } from '../kernel/chain.ts';
import {
  f64,
  i32,
  NONE,
  opaque,
  type SavedTable,
  Table,
  u8,
  u32,
  wide,
} from '../kernel/columns.ts';
import type { GatewayPlan } from '../network-plan.ts';
import { Fate, type GatewayReceivers } from '../radio/uplink-air.ts';
import type { Endpoint } from './backhaul.ts';
import { DownlinkPurpose, type Downlinks, Refusal } from './downlinks.ts';
import { LEAD_TIME_US, ROOM_BEFORE_US, TX_MARGIN_DELAY_US } from './queue-times.ts';

const TOO_EARLY_US = 4 * 128_000_000;
const QUEUE_LENGTH = 32;
/** Sub-bands that a region's table may have. */
export const MOST_BANDS = 8;

export interface GatewayStation extends EntityKey, Endpoint {
  readonly row: number;
  readonly name: string;
  readonly eui: string;
  readonly xMeters: number;
  readonly yMeters: number;
  readonly antennaGainCentiDb: number;
  readonly plan: GatewayPlan;
}

export interface SavedGateways {
  readonly table: SavedTable;
  readonly stations: readonly GatewayStation[];
}

export class Gateways implements GatewayReceivers {
  readonly table = new Table({
    alive: u8,
    freePaths: i32,
    generation: opaque(u32),
    sendingUntilUs: f64,
    queued: u32,
    /** Heads of the chains of downlinks. */
    arriving: opaque(i32),
    queue: opaque(i32),
    refused: opaque(i32),
    /** The downlink on the air. */
    sending: opaque(i32),
    downlinkNumber: u32,
    downlinksSent: u32,
    /** Server's own: until when its class C plans occupy the gateway. */
    classCUntilUs: f64,
    airtimeUs: f64,
    airtimeByBandUs: wide(f64, MOST_BANDS),
  });
  /** What does not change, by row. */
  readonly stations: GatewayStation[] = [];
  readonly #downlinks: Downlinks;
  readonly #beacons: Beacons;

  constructor(downlinks: Downlinks, beacons: Beacons) {
    this.#downlinks = downlinks;
    this.#beacons = beacons;
  }

  add(plan: GatewayPlan, key: EntityKey): GatewayStation {
    const row = this.table.add();
    const column = this.table.column;
    column.alive[row] = 1;
    column.freePaths[row] = plan.receptionPaths;
    for (const chain of [column.arriving, column.queue, column.refused, column.sending]) {
      chain[row] = NONE;
    }
    const { name, eui, xMeters, yMeters, antennaGainCentiDb, backhaul } = plan;
    const fixed = { row, name, eui, xMeters, yMeters, antennaGainCentiDb, backhaul, plan };
    const station = { ...fixed, key0: key.key0, key1: key.key1 };
    this.stations.push(station);
    return station;
  }

  /** Gateways in service, in row order. */
  inService(): GatewayStation[] {
    return this.stations.filter((station) => this.table.column.alive[station.row] === 1);
  }

  rowByEui(eui: string): number {
    const found = this.inService().find((station) => station.eui === eui);
    return found === undefined ? NONE : found.row;
  }

  key0(gateway: number): number {
    return this.stations[gateway]!.key0;
  }

  key1(gateway: number): number {
    return this.stations[gateway]!.key1;
  }

  antennaGainCentiDb(gateway: number): number {
    return this.stations[gateway]!.antennaGainCentiDb;
  }

  generation(gateway: number): number {
    return this.table.column.generation[gateway];
  }

  isInService(gateway: number): boolean {
    return this.table.column.alive[gateway] === 1;
  }

  takePath(gateway: number): Fate {
    const { freePaths, sending } = this.table.column;
    if (sending[gateway] !== NONE) return Fate.halfDuplex;
    if (freePaths[gateway] === 0) return Fate.noPath;
    freePaths[gateway]--;
    return Fate.pending;
  }

  releasePath(gateway: number, generation: number): boolean {
    const column = this.table.column;
    if (column.generation[gateway] !== generation) return false;
    column.freePaths[gateway]++;
    return true;
  }

  /** Puts a downlink that has arrived in the transmit queue, or says why not. */
  enqueue(row: number, nowUs: number): Refusal {
    const { gateway, startsAtUs } = this.#downlinks.column;
    const refusal = this.#refusal(row, gateway[row], nowUs);
    if (refusal !== Refusal.none) return refusal;
    const { queue, queued } = this.table.column;
    insertByRank(queue, gateway[row], this.#downlinks.column.next, startsAtUs, row);
    queued[gateway[row]]++;
    return Refusal.none;
  }

  /** Takes the head of the queue on air: receptions in progress are cut. */
  beginSending(gateway: number, bandOf: (frequencyHz: number) => number, nowUs: number): number {
    const column = this.table.column;
    const row = takeFirst(column.queue, gateway, this.#downlinks.column.next);
    column.queued[gateway]--;
    column.sending[gateway] = row;
    const { airtimeUs, frequencyHz, purpose } = this.#downlinks.column;
    column.sendingUntilUs[gateway] = nowUs + airtimeUs[row];
    if (purpose[row] !== DownlinkPurpose.beacon) column.downlinksSent[gateway]++;
    column.airtimeUs[gateway] += airtimeUs[row];
    column.airtimeByBandUs[gateway * MOST_BANDS + bandOf(frequencyHz[row])] += airtimeUs[row];
    this.#cutReceptions(gateway);
    return row;
  }

  /** The downlink whose transmission ends. */
  endSending(gateway: number): number {
    const { sending } = this.table.column;
    const row = sending[gateway];
    sending[gateway] = NONE;
    return row;
  }

  /** Start of the next queued downlink, or −1. */
  nextStartUs(gateway: number): number {
    const head = this.table.column.queue[gateway];
    return head === NONE ? -1 : this.#downlinks.column.startsAtUs[head];
  }

  /** Takes a gateway out of service for good; tells the downlinks that it will not send. */
  retire(gateway: number): number[] {
    const column = this.table.column;
    column.alive[gateway] = 0;
    this.#cutReceptions(gateway);
    const next = this.#downlinks.column.next;
    const orphans: number[] = [];
    for (const heads of [column.arriving, column.queue]) {
      for (let row = takeFirst(heads, gateway, next); row !== NONE; ) {
        orphans.push(row);
        row = takeFirst(heads, gateway, next);
      }
    }
    column.queued[gateway] = 0;
    return orphans;
  }

  /** Removes one downlink from the queue. */
  unqueue(row: number): void {
    const gateway = this.#downlinks.column.gateway[row];
    removeRow(this.table.column.queue, gateway, this.#downlinks.column.next, row);
    this.table.column.queued[gateway]--;
  }

  save(): SavedGateways {
    return { table: this.table.save(), stations: [...this.stations] };
  }

  load(saved: SavedGateways): void {
    this.table.load(saved.table);
    this.stations.splice(0, this.stations.length, ...saved.stations);
  }

  #refusal(row: number, gateway: number, nowUs: number): Refusal {
    const { startsAtUs } = this.#downlinks.column;
    const { alive, queued } = this.table.column;
    if (alive[gateway] === 0) return Refusal.gatewayGone;
    if (startsAtUs[row] - nowUs <= LEAD_TIME_US) return Refusal.tooLate;
    if (startsAtUs[row] - nowUs > TOO_EARLY_US) return Refusal.tooEarly;
    if (queued[gateway] >= QUEUE_LENGTH) return Refusal.queueFull;
    if (this.#meetsBeacon(row, gateway)) return Refusal.collisionBeacon;
    return this.#collides(row, gateway) ? Refusal.collision : Refusal.none;
  }

  /** Whether a frame and the room it needs before it overlap another one or the one on air. */
  #collides(row: number, gateway: number): boolean {
    const { next, startsAtUs, airtimeUs, purpose } = this.#downlinks.column;
    const { queue, sending, sendingUntilUs } = this.table.column;
    const from = startsAtUs[row];
    const until = from + airtimeUs[row];
    if (sending[gateway] !== NONE && tooNear(sendingUntilUs[gateway], from)) return true;
    for (let other = queue[gateway]; other !== NONE; other = next[other]) {
      if (purpose[other] === DownlinkPurpose.beacon) continue;
      const otherFrom = startsAtUs[other];
      const otherUntil = otherFrom + airtimeUs[other];
      if (otherFrom <= from ? tooNear(otherUntil, from) : tooNear(until, otherFrom)) return true;
    }
    return false;
  }

  /** Beacons have their place in the queue for all time to come. */
  #meetsBeacon(row: number, gateway: number): boolean {
    if (!this.stations[gateway]!.plan.gps) return false;
    const { startsAtUs, airtimeUs } = this.#downlinks.column;
    return this.#beacons.areHitBy(startsAtUs[row], airtimeUs[row]);
  }

  /** Puts a gateway's next beacon in its queue. */
  enqueueBeacon(row: number): void {
    const { gateway, next, startsAtUs } = this.#downlinks.column;
    insertByRank(this.table.column.queue, gateway[row], next, startsAtUs, row);
    this.table.column.queued[gateway[row]]++;
  }

  #cutReceptions(gateway: number): void {
    const column = this.table.column;
    column.generation[gateway]++;
    column.freePaths[gateway] = this.stations[gateway]!.plan.receptionPaths;
  }
}

/** Whether a frame that ends at `endsAtUs` is too near to one that starts at `startsAtUs`. */
const tooNear = (endsAtUs: number, startsAtUs: number): boolean =>
  endsAtUs + TX_MARGIN_DELAY_US > startsAtUs - ROOM_BEFORE_US;
