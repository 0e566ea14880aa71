/**
 * Links: for each device the gateways in reach, strongest first.
 *
 * `gainCentiDb` is the gateway's antenna gain minus path loss, shadowing and walls: an uplink's
 * median level = EIRP + gain. Ranges lie in one pool that only grows; a device's new range leaves
 * the old one in place, because signals still on the air name it.
 *
 * A link is one number of 32 bits, since a dense network has a hundred of them a device: how far
 * its gain is below the best, and the gateway's row. So of several the least is the strongest.
 */
import { assert } from '../base/assert.ts';
import type { EntityKey } from '../base/random.ts';
import { DrawPurpose, drawPair } from '../base/random.ts';
import { i32, NONE, type SavedTable, Table, u32 } from '../kernel/columns.ts';
import { LinkFaults, type SavedLinkFaults } from './link-faults.ts';
import {
  type PlainPathLoss,
  plainLossDb,
  plainPathLoss,
  reachMeters,
  shadowingDb,
  withoutGain,
} from './propagation.ts';
import type { RadioPlan } from './radio-plan.ts';
import { ShadowField } from './shadow-field.ts';
import { StationGrid } from './station-grid.ts';

export interface Station extends EntityKey {
  readonly xMeters: number;
  readonly yMeters: number;
}

/** What a device has of its own, 1/100 dB. */
export interface Surroundings {
  /** Loss of the walls around it, ≥ 0. */
  readonly wallLossCentiDb: number;
  /** What its antenna adds to downlinks. */
  readonly antennaGainCentiDb: number;
}

export interface GatewayStation extends Station {
  readonly row: number;
  readonly antennaGainCentiDb: number;
}

/** Bits of a gateway's row in a link; the others are how far its gain is below the best. */
const GATEWAY_BITS = 17;
const MOST_GATEWAYS = 1 << GATEWAY_BITS;
/** More than any antenna adds, 1/100 dB; losses are never negative. */
const BEST_GAIN_CENTI_DB = 5_000;
const LEAST_GAIN_CENTI_DB = BEST_GAIN_CENTI_DB - (1 << (32 - GATEWAY_BITS)) + 1;

const linkOf = (gateway: number, gain: number): number =>
  (BEST_GAIN_CENTI_DB - gain) * MOST_GATEWAYS + gateway;

export const gatewayOf = (link: number): number => link & (MOST_GATEWAYS - 1);

/** Gain of a link, 1/100 dB. */
export const gainOf = (link: number): number => BEST_GAIN_CENTI_DB - (link >>> GATEWAY_BITS);

export interface SavedLinks {
  readonly ranges: SavedTable;
  readonly pool: SavedTable;
  readonly deviceFaults: SavedLinkFaults;
  readonly gatewayFaults: SavedLinkFaults;
}

export class Links {
  /** A change of them is seen once links are drawn again. */
  readonly deviceFaults = new LinkFaults();
  readonly gatewayFaults = new LinkFaults();
  /** Per device row. */
  readonly #ranges = new Table({
    start: i32,
    count: i32,
    /** Two words of the device's stable name. */
    key0: i32,
    key1: i32,
    wallLossCentiDb: i32,
    antennaGainCentiDb: i32,
  });
  readonly #pool = new Table({ link: u32 }, 1024);
  readonly #radio: RadioPlan;
  readonly #pathLoss: PlainPathLoss;
  /** Weakest link worth keeping. */
  readonly #leastGainCentiDb: number;
  readonly #reachMeters: number;
  /** Landscapes of loss by gateway row, made on first use. */
  readonly #fields = new Map<number, ShadowField>();
  /** Of the gateways that the latest device was connected to. */
  #grid: StationGrid<GatewayStation>;
  readonly #around: GatewayStation[] = [];
  /** Links of the device in hand. */
  #found = new Uint32Array(64);
  /** The device that is held, or NONE; how many were, and by gateway in which of these. */
  #held = NONE;
  #holds = 0;
  readonly #heldIn: number[] = [];
  readonly #heldGains: number[] = [];

  /** `strongestEirpCentiDbm`: the most that any device or gateway radiates. */
  constructor(radio: RadioPlan, strongestEirpCentiDbm: number, bestAntennaGainCentiDb: number) {
    this.#radio = radio;
    this.#pathLoss = plainPathLoss(radio.pathLoss);
    this.#leastGainCentiDb = radio.ignoredBelowCentiDbm - strongestEirpCentiDbm;
    const isWithin = this.#leastGainCentiDb >= LEAST_GAIN_CENTI_DB;
    assert(isWithin, 'the weakest link that is stored has a gain of -277.67 dB or more');
    const mostLossDb = (bestAntennaGainCentiDb - this.#leastGainCentiDb) / 100;
    this.#reachMeters = reachMeters(radio, mostLossDb);
    this.#grid = new StationGrid([], this.#reachMeters);
  }

  get starts(): Int32Array {
    return this.#ranges.column.start;
  }

  get counts(): Int32Array {
    return this.#ranges.column.count;
  }

  /** All links, encoded for `gatewayOf` and `gainOf`. */
  get all(): Uint32Array {
    return this.#pool.column.link;
  }

  /** Words of a device's stable name, which its frames' draws are keyed by. */
  get key0(): Int32Array {
    return this.#ranges.column.key0;
  }

  get key1(): Int32Array {
    return this.#ranges.column.key1;
  }

  /** What devices' antennas add to downlinks, 1/100 dB. */
  get antennaGains(): Int32Array {
    return this.#ranges.column.antennaGainCentiDb;
  }

  /**
   * Gain between a device and a gateway, or NaN when they are out of reach; at once of a device
   * that is held, else after a walk through its links.
   */
  gainCentiDb(device: number, gateway: number): number {
    if (device === this.#held) {
      return this.#heldIn[gateway] === this.#holds ? this.#heldGains[gateway] : Number.NaN;
    }
    const { start, count } = this.#ranges.column;
    const links = this.all;
    for (let at = start[device]; at < start[device] + count[device]; at++) {
      if (gatewayOf(links[at]) === gateway) return gainOf(links[at]);
    }
    return Number.NaN;
  }

  /** Holds a device of whose links to many gateways somebody asks. */
  hold(device: number): void {
    if (device === this.#held) return;
    const { start, count } = this.#ranges.column;
    const links = this.all;
    this.#held = device;
    this.#holds++;
    for (let at = start[device]; at < start[device] + count[device]; at++) {
      const gateway = gatewayOf(links[at]);
      while (this.#heldIn.length <= gateway) {
        this.#heldIn.push(0);
        this.#heldGains.push(0);
      }
      this.#heldIn[gateway] = this.#holds;
      this.#heldGains[gateway] = gainOf(links[at]);
    }
  }

  /** Grows the columns to a number of devices. */
  reserve(devices: number): void {
    this.#ranges.reserve(devices);
  }

  /** Sets what a device row has of its own, before its links are drawn; 0 for the others. */
  equip(device: number, { wallLossCentiDb, antennaGainCentiDb }: Surroundings): void {
    while (this.#ranges.rows <= device) this.#ranges.add();
    this.#ranges.column.wallLossCentiDb[device] = wallLossCentiDb;
    this.#ranges.column.antennaGainCentiDb[device] = antennaGainCentiDb;
  }

  /** Gives a device row its links to these gateways. */
  connect(device: number, station: Station, gateways: readonly GatewayStation[]): void {
    while (this.#ranges.rows <= device) this.#ranges.add();
    this.#ranges.column.key0[device] = station.key0;
    this.#ranges.column.key1[device] = station.key1;
    if (!this.#grid.isOf(gateways)) this.#grid = this.#gridOf(gateways);
    let count = 0;
    if (!this.deviceFaults.isMute(device)) {
      this.#grid.around(station.xMeters, station.yMeters, this.#around);
      for (const gateway of this.#around) {
        const gain = this.#gain(station, gateway) - this.#lossOf(device, gateway.row);
        if (gain >= this.#leastGainCentiDb) count = this.#note(count, linkOf(gateway.row, gain));
      }
    }
    this.#draw(device, count);
  }

  /**
   * Gives a device row, which has its links, the one to a gateway that has come, or whose faults
   * have changed. Those to gateways that are out of service go: it then has what `connect` to all
   * in service would give it.
   */
  admit(
    device: number,
    station: Station,
    gateway: GatewayStation,
    isInService: (gateway: number) => boolean,
  ): void {
    const { start, count } = this.#ranges.column;
    const links = this.all;
    assertLinkable(gateway.row, gateway.antennaGainCentiDb);
    if (this.deviceFaults.isMute(device)) return;
    let found = 0;
    for (let at = start[device]; at < start[device] + count[device]; at++) {
      const other = gatewayOf(links[at]);
      if (isInService(other) && other !== gateway.row) found = this.#note(found, links[at]);
    }
    const gain = this.#gain(station, gateway) - this.#lossOf(device, gateway.row);
    if (gain >= this.#leastGainCentiDb) found = this.#note(found, linkOf(gateway.row, gain));
    else if (found === count[device]) return;
    this.#draw(device, found);
  }

  #gridOf(gateways: readonly GatewayStation[]): StationGrid<GatewayStation> {
    for (const { row, antennaGainCentiDb } of gateways) assertLinkable(row, antennaGainCentiDb);
    return new StationGrid(gateways, this.#reachMeters);
  }

  /** Adds a link to those of the device in hand; returns how many there are. */
  #note(count: number, link: number): number {
    if (count === this.#found.length) {
      const longer = new Uint32Array(2 * count);
      longer.set(this.#found);
      this.#found = longer;
    }
    this.#found[count] = link;
    return count + 1;
  }

  /** The first `count` of the links in hand become the device's. */
  #draw(device: number, count: number): void {
    if (device === this.#held) this.#held = NONE;
    const sorted = this.#found.subarray(0, count).sort();
    this.#ranges.column.start[device] = this.#pool.rows;
    this.#ranges.column.count[device] = count;
    for (let at = 0; at < count; at++) {
      const link = this.#pool.add();
      this.#pool.column.link[link] = sorted[at];
    }
  }

  save(): SavedLinks {
    return {
      ranges: this.#ranges.save(),
      pool: this.#pool.save(),
      deviceFaults: this.deviceFaults.save(),
      gatewayFaults: this.gatewayFaults.save(),
    };
  }

  load(saved: SavedLinks): void {
    this.#held = NONE;
    this.#ranges.load(saved.ranges);
    this.#pool.load(saved.pool);
    this.deviceFaults.load(saved.deviceFaults);
    this.gatewayFaults.load(saved.gatewayFaults);
  }

  /** Of the walls around a device, and by the faults of both ends, 1/100 dB. */
  #lossOf(device: number, gateway: number): number {
    const walls = this.#ranges.column.wallLossCentiDb[device];
    return walls + this.deviceFaults.lossCentiDb(device) + this.gatewayFaults.lossCentiDb(gateway);
  }

  /** Gain in whole 1/100 dB, or −∞ when too far for any shadowing to help. */
  #gain(station: Station, gateway: GatewayStation): number {
    const dx = station.xMeters - gateway.xMeters;
    const dy = station.yMeters - gateway.yMeters;
    const squareMeters = dx * dx + dy * dy;
    if (squareMeters > this.#reachMeters * this.#reachMeters) return Number.NEGATIVE_INFINITY;
    const lossDb = plainLossDb(this.#pathLoss, Math.sqrt(squareMeters));
    const shadowDb = this.#shadowDb(station, gateway);
    return gateway.antennaGainCentiDb - Math.round(100 * withoutGain(lossDb + shadowDb));
  }

  #shadowDb(station: Station, gateway: GatewayStation): number {
    const { shadowingSigmaDb, shadowingCorrelationMeters } = this.#radio;
    if (shadowingSigmaDb === 0) return 0;
    if (shadowingCorrelationMeters > 0) {
      let field = this.#fields.get(gateway.row);
      if (field === undefined) {
        field = new ShadowField(gateway, shadowingCorrelationMeters);
        this.#fields.set(gateway.row, field);
      }
      return shadowingSigmaDb * field.sigmasAt(station.xMeters, station.yMeters);
    }
    const { key0, key1 } = station;
    const word = drawPair(key0, key1, gateway.key0, gateway.key1, DrawPurpose.shadowing, 0);
    return shadowingDb(shadowingSigmaDb, word);
  }
}

/** Whether links to a gateway are numbers of 32 bits. */
function assertLinkable(row: number, antennaGainCentiDb: number): void {
  assert(row < MOST_GATEWAYS, 'a network has had 131072 gateways at most');
  assert(antennaGainCentiDb <= BEST_GAIN_CENTI_DB, 'an antenna adds 50 dB at most');
}
