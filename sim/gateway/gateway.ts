/**
 * Gateways: reception paths, half duplex, and the transmit queue of the packet forwarder
 * (docs/standard.md, Reception paths and Transmit queue of a packet forwarder).
 */

import { assert } from '../base/assert.ts';
import type { GatewayFault } from '../base/gateway-fault.ts';
import { DrawPurpose, draw, type EntityKey, toUnit } from '../base/random.ts';
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
import type { GatewayPlan, PathKind } from '../plan/network-plan.ts';
import type { GatewayReceivers } from '../radio/uplink-air.ts';
import type { Beacons } from '../spectrum/beacons.ts';
import { leadTimeUs as leadTimeOf } from '../spectrum/queue-times.ts';
import type { Endpoint } from './backhaul.ts';
import { DownlinkPurpose, type Downlinks, NEVER_US, Refusal } from './downlinks.ts';
import { GatewayFaults } from './faults.ts';
import { canTake, MOST_KINDS, pathKinds } from './paths.ts';

/** A downlink that comes earlier than this before its start is refused (the forwarder's limit). */
const TOO_EARLY_US = 4 * 128_000_000;
/** The same of LoRa Basics Station. */
const STATION_TOO_EARLY_US = 600_000_000;
/** A frame that may go out at any time looks past a beacon in such steps, µs. */
const BEACON_STEP_US = 100_000;
/** Downlinks that a transmit queue holds. */
const QUEUE_LENGTH = 32;
/** LoRa Basics Station: transmit jobs, MAX_TXJOBS. */
const STATION_QUEUE_LENGTH = 128;
/** Sub-bands that a region's table may have. */
export const MOST_BANDS = 8;

export interface GatewayStation extends EntityKey, Endpoint {
  readonly row: number;
  /** The first name, which draws and traces know it by. */
  readonly name: string;
  /** What people call it now. */
  readonly label: string;
  readonly eui: string;
  readonly xMeters: number;
  readonly yMeters: number;
  readonly antennaGainCentiDb: number;
  readonly plan: GatewayPlan;
  readonly kinds: readonly PathKind[];
  /** A downlink must reach the gateway earlier than this before its start, µs. */
  readonly leadTimeUs: number;
  /** By how much its clock is ahead of GPS time, µs; 0 with GPS. */
  readonly clockErrorUs: number;
}

export interface SavedGateways {
  readonly table: SavedTable;
  readonly stations: readonly GatewayStation[];
  readonly faults: SavedTable;
}

export class Gateways implements GatewayReceivers {
  readonly table = new Table({
    alive: u8,
    /** Reception paths that are free, by kind. */
    freePaths: wide(i32, MOST_KINDS),
    /** Grows whenever receptions are cut. */
    generation: opaque(u32),
    sendingUntilUs: f64,
    /** Downlinks in the queue, beacons included. */
    queued: u32,
    /** Heads of chains of downlinks: on the backhaul, in the queue, refusals on the way back. */
    arriving: opaque(i32),
    queue: opaque(i32),
    refused: opaque(i32),
    /** The downlink on the air. */
    sending: opaque(i32),
    /** Number of the next downlink that is planned for it, and for its name put up again. */
    downlinkNumber: u32,
    downlinksSent: u32,
    /** Until when the server has planned class C frames for it. */
    classCUntilUs: f64,
    /** Time on air so far, in all and by sub-band. */
    airtimeUs: f64,
    airtimeByBandUs: wide(f64, MOST_BANDS),
    /** From when on its bands are open, where it keeps its duty cycle itself, µs. */
    bandOpensAtUs: wide(opaque(f64), MOST_BANDS),
  });
  /** What does not change but for the label, by row. */
  readonly stations: GatewayStation[] = [];
  readonly faults = new GatewayFaults();
  /** Rows in service. */
  readonly #byEui = new Map<string, number>();
  /** The latest row of each first name, whose downlinks are numbered on from there. */
  readonly #byName = new Map<string, number>();
  /** All rows that an EUI ever had, in the order in which they were put up. */
  readonly #lives = new Map<string, number[]>();
  readonly #downlinks: Downlinks;
  readonly #beacons: Beacons;
  #inService: readonly GatewayStation[] | undefined;

  constructor(downlinks: Downlinks, beacons: Beacons) {
    this.#downlinks = downlinks;
    this.#beacons = beacons;
  }

  add(plan: GatewayPlan, key: EntityKey, label = plan.name, nowUs = 0): GatewayStation {
    assert(!this.#byEui.has(plan.eui), 'an EUI names one gateway in service');
    const row = this.table.add();
    const column = this.table.column;
    column.alive[row] = 1;
    for (const chain of [column.arriving, column.queue, column.refused, column.sending]) {
      chain[row] = NONE;
    }
    const { name, eui, xMeters, yMeters, antennaGainCentiDb, backhaul } = plan;
    const leadTimeUs = leadTimeOf(plan.txJitUs);
    const clockErrorUs = drawClockErrorUs(key, plan.clockErrorUs);
    const timing = { leadTimeUs, clockErrorUs, kinds: pathKinds(plan) };
    const fixed = {
      ...timing,
      row,
      name,
      label,
      eui,
      xMeters,
      yMeters,
      antennaGainCentiDb,
      backhaul,
      plan,
    };
    assert(timing.kinds.length <= MOST_KINDS, 'a gateway has at most four kinds of paths');
    const station = { ...fixed, key0: key.key0, key1: key.key1 };
    const before = this.#byName.get(name) ?? NONE;
    if (before !== NONE) column.downlinkNumber[row] = column.downlinkNumber[before];
    this.stations.push(station);
    this.#inService = undefined;
    this.faults.add(nowUs);
    this.#byEui.set(eui, row);
    this.#noteLife(station);
    this.#freePaths(row);
    return station;
  }

  /** Gateways in service, in row order: the same array until one comes, goes or is renamed. */
  inService(): readonly GatewayStation[] {
    const { alive } = this.table.column;
    this.#inService ??= this.stations.filter((station) => alive[station.row] === 1);
    return this.#inService;
  }

  rowByEui(eui: string): number {
    return this.#byEui.get(eui) ?? NONE;
  }

  /**
   * The gateway of this EUI as it stood just after an instant, where it has moved since; NONE: it
   * was not put up yet.
   */
  rowAt(eui: string, atUs: number): number {
    const rows = this.#lives.get(eui) ?? [];
    let [from, until] = [0, rows.length];
    while (from < until) {
      const middle = (from + until) >> 1;
      if (this.faults.putUpAtUs(rows[middle]!) <= atUs) from = middle + 1;
      else until = middle;
    }
    return rows[from - 1] ?? NONE;
  }

  /** A gateway in service is called otherwise from now on. */
  rename(row: number, label: string): void {
    this.stations[row] = { ...this.stations[row]!, label };
    this.#inService = undefined;
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

  /** Whether its radio works, on the channels of the network. */
  hasRadio(gateway: number): boolean {
    return this.faults.isUp(gateway, 'radio') && !this.isElsewhere(gateway);
  }

  /** Whether its radio is set to another region. */
  isElsewhere(gateway: number): boolean {
    return this.stations[gateway]!.plan.otherRegion !== undefined;
  }

  radioFailedSince(gateway: number, sinceUs: number): boolean {
    return this.faults.radioFailedSince(gateway, sinceUs);
  }

  /** A fault begins or ends. A radio that fails cuts what it receives; what it sends goes on. */
  setFault(gateway: number, part: GatewayFault, up: boolean, nowUs: number): boolean {
    const isChange = this.faults.set(this.stations[gateway]!, part, up, nowUs);
    if (isChange && part === 'radio' && !up) this.#cutReceptions(gateway);
    return isChange;
  }

  isSending(gateway: number): boolean {
    return this.table.column.sending[gateway] !== NONE;
  }

  takePath(gateway: number, spreadingFactor: number, bandwidthHz: number): number {
    const { freePaths } = this.table.column;
    if (this.isSending(gateway) || !this.hasRadio(gateway)) return NONE;
    const { kinds } = this.stations[gateway]!;
    for (let kind = 0; kind < kinds.length; kind++) {
      const at = gateway * MOST_KINDS + kind;
      if (freePaths[at] === 0 || !canTake(kinds[kind]!, spreadingFactor, bandwidthHz)) continue;
      freePaths[at]--;
      return kind;
    }
    return NONE;
  }

  releasePath(gateway: number, generation: number, kind: number): boolean {
    const column = this.table.column;
    if (column.generation[gateway] !== generation) return false;
    const at = gateway * MOST_KINDS + kind;
    const { count } = this.stations[gateway]!.kinds[kind]!;
    assert(column.freePaths[at] < count, 'a gateway gets back only the paths that it gave');
    column.freePaths[at]++;
    return true;
  }

  /** Puts a downlink that has arrived in the transmit queue, or says why not. */
  enqueue(row: number, nowUs: number): Refusal {
    const { gateway, startsAtUs } = this.#downlinks.column;
    const refusal = this.refusal(row, nowUs);
    if (refusal !== Refusal.none) return refusal;
    const { queue, queued } = this.table.column;
    insertByRank(queue, gateway[row], this.#downlinks.column.next, startsAtUs, row);
    queued[gateway[row]]++;
    return Refusal.none;
  }

  /** Takes the head of the queue on air: receptions in progress are cut. */
  beginSending(gateway: number, bandOf: (frequencyHz: number) => number, nowUs: number): number {
    const column = this.table.column;
    assert(column.sending[gateway] === NONE, 'a gateway sends one frame at a time');
    const row = takeFirst(column.queue, gateway, this.#downlinks.column.next);
    assert(row !== NONE, 'what a gateway sends was in its queue');
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
    assert(row !== NONE, 'a transmission that ends has begun');
    sending[gateway] = NONE;
    return row;
  }

  /** Start of the next queued downlink; `NEVER_US` when there is none. */
  nextStartUs(gateway: number): number {
    const head = this.table.column.queue[gateway];
    return head === NONE ? NEVER_US : this.#downlinks.column.startsAtUs[head];
  }

  /** Takes a gateway out of service for good; returns the downlinks that it will not send. */
  retire(gateway: number): number[] {
    const column = this.table.column;
    column.alive[gateway] = 0;
    this.#inService = undefined;
    this.#byEui.delete(this.stations[gateway]!.eui);
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
    assert(this.table.column.queued[gateway] > 0, 'what is taken from a queue was in it');
    removeRow(this.table.column.queue, gateway, this.#downlinks.column.next, row);
    this.table.column.queued[gateway]--;
  }

  save(): SavedGateways {
    const { table, stations, faults } = this;
    return { table: table.save(), stations: [...stations], faults: faults.save() };
  }

  load(saved: SavedGateways): void {
    this.table.load(saved.table);
    this.stations.splice(0, this.stations.length, ...saved.stations);
    this.#inService = undefined;
    this.faults.load(saved.faults, saved.stations.length);
    this.#byEui.clear();
    for (const { eui, row } of this.inService()) this.#byEui.set(eui, row);
    this.#lives.clear();
    this.#byName.clear();
    for (const station of this.stations) this.#noteLife(station);
  }

  /** Why its queue does not take a downlink now. */
  refusal(row: number, nowUs: number): Refusal {
    const { startsAtUs, airtimeUs, gateway: gateways } = this.#downlinks.column;
    const gateway = gateways[row];
    const { alive, queued } = this.table.column;
    if (alive[gateway] === 0) return Refusal.gatewayGone;
    if (!this.hasRadio(gateway)) return Refusal.radioFault;
    const { leadTimeUs, plan } = this.stations[gateway]!;
    const asForwarder = plan.queueWords === 'packetForwarder';
    // The forwarder subtracts without a sign.
    if (asForwarder && startsAtUs[row] < nowUs) return Refusal.tooEarly;
    if (startsAtUs[row] - nowUs <= leadTimeUs) return Refusal.tooLate;
    const isStation = plan.queueWords === 'station';
    const latestUs = isStation ? STATION_TOO_EARLY_US : TOO_EARLY_US;
    if (startsAtUs[row] - nowUs > latestUs) return Refusal.tooEarly;
    const most = isStation ? STATION_QUEUE_LENGTH : QUEUE_LENGTH;
    if (queued[gateway] >= most) {
      return asForwarder ? Refusal.collision : Refusal.queueFull;
    }
    // Beacons have their place in the queue for all time to come.
    if (plan.gps && this.#beacons.areHitBy(startsAtUs[row], airtimeUs[row])) {
      return Refusal.collisionBeacon;
    }
    const isLookedAt = plan.queueWords !== 'none';
    return isLookedAt && this.#collides(row, gateway) ? Refusal.collision : Refusal.none;
  }

  /** The earliest start from an instant on at which a frame meets no other one and no beacon. */
  firstGapUs(row: number, fromUs: number): number {
    const { gateway, airtimeUs } = this.#downlinks.column;
    const { plan } = this.stations[gateway[row]]!;
    for (let startUs = fromUs; ; startUs += BEACON_STEP_US) {
      startUs = this.#gapInQueueUs(row, startUs);
      if (!plan.gps || !this.#beacons.areHitBy(startUs, airtimeUs[row])) return startUs;
    }
  }

  #gapInQueueUs(row: number, fromUs: number): number {
    const { next, startsAtUs, airtimeUs, purpose, gateway: gateways } = this.#downlinks.column;
    const gateway = gateways[row];
    const { queue, sending, sendingUntilUs } = this.table.column;
    const { leadTimeUs } = this.stations[gateway]!;
    const isSending = sending[gateway] !== NONE;
    let startUs = isSending ? Math.max(fromUs, sendingUntilUs[gateway] + leadTimeUs) : fromUs;
    for (let other = queue[gateway]; other !== NONE; other = next[other]) {
      if (purpose[other] === DownlinkPurpose.beacon) continue;
      if (startsAtUs[other] - leadTimeUs >= startUs + airtimeUs[row]) break;
      startUs = Math.max(startUs, startsAtUs[other] + airtimeUs[other] + leadTimeUs);
    }
    return startUs;
  }

  /** Whether a frame and the time it needs before it overlap another one or the one on air. */
  #collides(row: number, gateway: number): boolean {
    const { next, startsAtUs, airtimeUs, purpose } = this.#downlinks.column;
    const { queue, sending, sendingUntilUs } = this.table.column;
    const { leadTimeUs } = this.stations[gateway]!;
    const from = startsAtUs[row];
    const until = from + airtimeUs[row];
    if (sending[gateway] !== NONE && tooNear(sendingUntilUs[gateway], from, leadTimeUs))
      return true;
    for (let other = queue[gateway]; other !== NONE; other = next[other]) {
      if (purpose[other] === DownlinkPurpose.beacon) continue;
      const otherFrom = startsAtUs[other];
      const otherUntil = otherFrom + airtimeUs[other];
      const [ends, starts] = otherFrom <= from ? [otherUntil, from] : [until, otherFrom];
      if (tooNear(ends, starts, leadTimeUs)) return true;
    }
    return false;
  }

  /** Puts a gateway's next beacon in its queue. */
  enqueueBeacon(row: number): void {
    const { gateway, next, startsAtUs } = this.#downlinks.column;
    insertByRank(this.table.column.queue, gateway[row], next, startsAtUs, row);
    this.table.column.queued[gateway[row]]++;
  }

  #noteLife({ eui, name, row }: GatewayStation): void {
    this.#byName.set(name, row);
    const rows = this.#lives.get(eui);
    if (rows === undefined) this.#lives.set(eui, [row]);
    else rows.push(row);
  }

  #cutReceptions(gateway: number): void {
    const column = this.table.column;
    column.generation[gateway]++;
    this.#freePaths(gateway);
  }

  #freePaths(gateway: number): void {
    const { freePaths } = this.table.column;
    const { kinds } = this.stations[gateway]!;
    for (const [kind, { count }] of kinds.entries()) freePaths[gateway * MOST_KINDS + kind] = count;
  }
}

/** Whether a frame that ends at `endsAtUs` is too near to one that starts at `startsAtUs`. */
const tooNear = (endsAtUs: number, startsAtUs: number, leadTimeUs: number): boolean =>
  endsAtUs > startsAtUs - leadTimeUs;

/** A clock set by NTP errs by this at least, µs (docs/standard.md, Clocks). */
const LEAST_CLOCK_ERROR_US = 1_000;

/** Either way, uniform between the least error and the most; 0 with GPS. */
function drawClockErrorUs({ key0, key1 }: EntityKey, mostUs: number | undefined): number {
  if (mostUs === undefined) return 0;
  const two = 2 * toUnit(draw(key0, key1, DrawPurpose.gatewayClock, 0));
  const size = LEAST_CLOCK_ERROR_US + (two % 1) * Math.max(0, mostUs - LEAST_CLOCK_ERROR_US);
  return Math.round(two < 1 ? size : -size);
}
