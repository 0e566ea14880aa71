/**
 * Uplinks on the air: from the first preamble symbol at every gateway in reach to one fate each.
 *
 * Problem: each gateway decides by itself whether it receives a frame. The decision depends on its
 * free paths when the frame begins, on its own transmissions, and on interferers until the frame
 * ends.
 *
 * Approach: a transmission is two events, whatever the number of gateways. When it begins, each
 * gateway in reach that is strong enough takes a reception path, or records why not. When it ends,
 * receptions that the gateway's own transmission has not cut are judged against the interferers.
 * Interferers come from a log of signals by frequency. A device has one transmission at a time, so
 * the device's row names it. Receptions are chains in a pool.
 *
 * The loss of a transmission has one cause for results: the first one by precedence over all
 * gateways.
 *
 * Rejected: an event for each gateway and frame. All gateways decide at the same two instants, so
 * these events add cost and no information. Also rejected: a verdict when the frame begins, since
 * interferers may begin later.
 */
import { assert } from '../base/assert.ts';
import { UPLINK_FATES, type UplinkFate } from '../base/counts.ts';
import { DrawPurpose, drawPair, happens } from '../base/random.ts';
import {
  f64,
  i32,
  NONE,
  opaque,
  Pool,
  type SavedPool,
  type SavedTable,
  Table,
  u8,
  u32,
} from '../kernel/columns.ts';
import type { Fading } from './fading.ts';
import type { Interference, Receivers } from './interference.ts';
import { gainOf, gatewayOf, type Links } from './links.ts';
import type { Noise } from './noise.ts';
import { leastLevel, MILLIWATT_OFFSET, milliwattTable } from './power.ts';
import { type SavedSignalLogs, type SignalLog, SignalLogs } from './signal-log.ts';

/** Fate of a transmission at one gateway. */
export const Fate = {
  pending: 0,
  received: 1,
  interfered: 2,
  frameLoss: 3,
  halfDuplex: 4,
  noPath: 5,
  offChannel: 6,
  tooWeak: 7,
  noise: 8,
  radioFault: 9,
  jammed: 10,
} as const satisfies Record<'pending' | UplinkFate, number>;
export type Fate = (typeof Fate)[keyof typeof Fate];
/** Names by number. */
export const FATE_NAMES = ['pending', ...UPLINK_FATES] as const;

/** Name of a fate; of a reception that has ended, so it is not `pending`. */
export function fateName(fate: number): UplinkFate {
  assert(fate > Fate.pending && fate < FATE_NAMES.length, 'a reception that ended has a fate');
  return UPLINK_FATES[fate - 1]!;
}

/** Precedence among the reasons of a loss, by fate; the lowest names the whole transmission's. */
const PRECEDENCE = [0, 1, 2, 4, 6, 7, 8, 10, 3, 9, 5] as const;

/** Fate of a whole transmission by those at gateways in reach; without any it was too weak. */
export function fateOfAll(fates: readonly UplinkFate[]): UplinkFate {
  const rank = (fate: UplinkFate): number => PRECEDENCE[Fate[fate]]!;
  return fates.reduce((best, fate) => (rank(fate) < rank(best) ? fate : best), 'tooWeak');
}

/** What becomes of signals on their way, but for the links. */
export interface Physics {
  readonly interference: Interference;
  readonly fading: Fading;
  readonly noise: Noise;
}

/** What the air asks of the gateways. */
export interface GatewayReceivers {
  /** Takes a free path for the frame and returns its kind; NONE while sending or without one. */
  takePath(gateway: number, spreadingFactor: number, bandwidthHz: number): number;
  /** Whether the gateway has a frame of its own on the air: it receives nothing meanwhile. */
  isSending(gateway: number): boolean;
  /** Whether its radio works; one that has failed gives no path. */
  hasRadio(gateway: number): boolean;
  /** Whether its radio has failed at this instant or later, however it is now. */
  radioFailedSince(gateway: number, sinceUs: number): boolean;
  /** Whether the gateway is still there; the others hear nothing and have no fate. */
  isInService(gateway: number): boolean;
  /** Whether the reception that began in this generation was not cut; gives its path back if so. */
  releasePath(gateway: number, generation: number, kind: number): boolean;
  /** Grows whenever the gateway cuts its receptions. */
  generation(gateway: number): number;
  /** The two words of its stable name. */
  key0(gateway: number): number;
  key1(gateway: number): number;
}

/** A frame as the air carries it. */
export interface UplinkSignal {
  readonly frequencyHz: number;
  /** Whether gateways listen on this frequency. */
  readonly isHeard: boolean;
  readonly spreadingFactor: number;
  readonly bandwidthHz: number;
  readonly symbolUs: number;
  readonly preambleSymbols: number;
  readonly airtimeUs: number;
  readonly eirpCentiDbm: number;
  /** Weakest level a gateway demodulates at this data rate, 1/100 dBm. */
  readonly sensitivityCentiDbm: number;
}

export interface SavedUplinkAir {
  readonly flights: SavedTable;
  readonly receptions: SavedPool;
  readonly logs: SavedSignalLogs;
}

export class UplinkAir {
  /** Per device row: its present or latest transmission. */
  readonly flights = new Table({
    onAir: u8,
    frame: u32,
    frequencyHz: u32,
    startsAtUs: f64,
    endsAtUs: f64,
    signal: opaque(i32),
    /** Chain of receptions, one for each gateway strong enough. */
    firstReception: opaque(i32),
    /** Gateways in the link list that are too weak. */
    tooWeak: u32,
  });
  readonly receptions = new Pool({
    next: opaque(i32),
    gateway: i32,
    rssiCentiDbm: i32,
    fate: u8,
    generation: opaque(i32),
    /** Kind of the reception path that it holds; 0 when it holds none. */
    path: u8,
  });
  readonly #logs = new SignalLogs();
  readonly #links: Links;
  readonly #gateways: GatewayReceivers;
  readonly #physics: Physics;
  readonly #fades: UplinkFades;
  readonly #milliwatts = milliwattTable();

  constructor(links: Links, gateways: GatewayReceivers, physics: Physics) {
    this.#links = links;
    this.#gateways = gateways;
    this.#physics = physics;
    this.#fades = new UplinkFades(links, gateways, physics.fading);
  }

  addDevice(device: number): void {
    while (this.flights.rows <= device) {
      const row = this.flights.add();
      this.flights.column.firstReception[row] = NONE;
    }
  }

  /** Puts a device's frame on the air. */
  begin(device: number, signal: UplinkSignal, nowUs: number): void {
    const flights = this.flights.column;
    assert(flights.onAir[device] === 0, 'a device sends one frame at a time');
    const { eirpCentiDbm, airtimeUs, frequencyHz } = signal;
    const linkStart = this.#links.starts[device];
    const linkCount = this.#links.counts[device];
    const log = this.#logs.on(frequencyHz);
    log.forget(nowUs);
    flights.signal[device] = log.add({
      startUs: nowUs,
      airtimeUs,
      symbolUs: signal.symbolUs,
      spreadingFactor: signal.spreadingFactor,
      bandwidthHz: signal.bandwidthHz,
      frame: flights.frame[device],
      preambleSymbols: signal.preambleSymbols,
      eirpCentiDbm,
      sender: device,
      linkStart,
      linkCount,
    });
    flights.onAir[device] = 1;
    flights.frequencyHz[device] = frequencyHz;
    flights.startsAtUs[device] = nowUs;
    flights.endsAtUs[device] = nowUs + airtimeUs;
    flights.firstReception[device] = NONE;
    flights.tooWeak[device] = 0;
    this.#arrive(device, signal, log);
  }

  /**
   * Decides at every gateway. Afterwards each reception of the chain has its fate; the caller reads
   * it and gives it back with `close`.
   */
  end(device: number, key0: number, key1: number, frameLossPpm: number): void {
    const flights = this.flights.column;
    assert(flights.onAir[device] === 1, 'a transmission that ends has begun');
    const receptions = this.receptions.column;
    const log = this.#logs.on(flights.frequencyHz[device]);
    const position = log.position(flights.signal[device]);
    const { interference } = this.#physics;
    flights.onAir[device] = 0;
    this.#forgetGone(device);
    for (let row = flights.firstReception[device]; row !== NONE; row = receptions.next[row]) {
      if (receptions.fate[row] !== Fate.pending) continue;
      const gateway = receptions.gateway[row];
      if (!this.#gateways.releasePath(gateway, receptions.generation[row], receptions.path[row])) {
        const failed = this.#gateways.radioFailedSince(gateway, flights.startsAtUs[device]);
        receptions.fate[row] = failed ? Fate.radioFault : Fate.halfDuplex;
      } else if (this.#isLost(key0, key1, gateway, flights.frame[device], frameLossPpm)) {
        receptions.fate[row] = Fate.frameLoss;
      } else if (this.#isLostToNoise(device, log, position, row)) {
        receptions.fate[row] = Fate.noise;
      } else if (
        interference.active &&
        !interference.survives(log, position, GATEWAY_LISTENERS, gateway)
      ) {
        receptions.fate[row] = Fate.interfered;
      } else {
        receptions.fate[row] = Fate.received;
      }
    }
  }

  /** Links of a device as they were when its latest transmission began, and its power. */
  linksOf(device: number) {
    const { signal, frequencyHz } = this.flights.column;
    const log = this.#logs.on(frequencyHz[device]);
    const at = log.position(signal[device]);
    const { linkStart, linkCount, eirpCentiDbm } = log.column;
    return { start: linkStart[at], count: linkCount[at], eirpCentiDbm: eirpCentiDbm[at] };
  }

  /** Best fate over the gateways: received, or the reason that precedence names. */
  outcome(device: number): Fate {
    const receptions = this.receptions.column;
    let best: number = Fate.tooWeak;
    let row = this.flights.column.firstReception[device];
    for (; row !== NONE; row = receptions.next[row]) {
      const fate = receptions.fate[row];
      if (PRECEDENCE[fate]! < PRECEDENCE[best]!) best = fate;
    }
    return best as Fate;
  }

  /** What a device's latest transmission gains at a gateway by fading, 1/100 dB. */
  fadeCentiDb(device: number, gateway: number): number {
    return this.#fades.centiDb(device, gateway, this.flights.column.frame[device]);
  }

  /** Forgets the receptions of a transmission that has ended. */
  close(device: number): void {
    const flights = this.flights.column;
    let row = flights.firstReception[device];
    while (row !== NONE) {
      const next = this.receptions.column.next[row];
      this.receptions.give(row);
      row = next;
    }
    flights.firstReception[device] = NONE;
  }

  /** Breaks off a transmission: no gateway receives it, others still suffered from it until now. */
  abort(device: number): void {
    const flights = this.flights.column;
    if (flights.onAir[device] === 0) return;
    const receptions = this.receptions.column;
    for (let row = flights.firstReception[device]; row !== NONE; row = receptions.next[row]) {
      if (receptions.fate[row] !== Fate.pending) continue;
      const { gateway, generation, path } = receptions;
      this.#gateways.releasePath(gateway[row], generation[row], path[row]);
    }
    flights.onAir[device] = 0;
    this.close(device);
  }

  /** Signals on the air on a frequency, and those that ended a short while ago. */
  on(frequencyHz: number): SignalLog {
    return this.#logs.on(frequencyHz);
  }

  save(): SavedUplinkAir {
    return {
      flights: this.flights.save(),
      receptions: this.receptions.save(),
      logs: this.#logs.save(),
    };
  }

  load(saved: SavedUplinkAir): void {
    this.flights.load(saved.flights);
    this.receptions.load(saved.receptions);
    this.#logs.load(saved.logs);
    if (!this.#physics.interference.active) return;
    for (const log of this.#logs.all()) this.#fillEarshot(log);
  }

  /** A frame that begins, at every gateway of its sender's links: heard, or too weak to be. */
  #arrive(device: number, signal: UplinkSignal, log: SignalLog): void {
    const { eirpCentiDbm, sensitivityCentiDbm } = signal;
    const { all, starts, counts } = this.#links;
    const flights = this.flights.column;
    const { interference } = this.#physics;
    const [number, frame] = [flights.signal[device], flights.frame[device]];
    const { earshot, oldest } = log;
    const end = starts[device] + counts[device];
    for (let at = starts[device]; at < end; at++) {
      const gateway = gatewayOf(all[at]);
      const fade = this.#fades.centiDb(device, gateway, frame);
      const level = eirpCentiDbm + gainOf(all[at]) + fade;
      if (interference.active) earshot.add(gateway, number, this.#powerMw(level), oldest);
      if (level >= sensitivityCentiDbm) this.#meet(device, gateway, level, signal);
      else flights.tooWeak[device]++;
    }
  }

  /** Enters the signals of a log, which was loaded, at anyone who heard them begin. */
  #fillEarshot(log: SignalLog): void {
    const { linkStart, linkCount, eirpCentiDbm, sender, frame } = log.column;
    const { all } = this.#links;
    log.earshot.clear();
    for (let at = log.oldest - log.base; at < log.end; at++) {
      for (const link of all.subarray(linkStart[at], linkStart[at] + linkCount[at])) {
        const gateway = gatewayOf(link);
        const fade = this.#fades.centiDb(sender[at], gateway, frame[at]);
        const powerMw = this.#powerMw(eirpCentiDbm[at] + gainOf(link) + fade);
        log.earshot.add(gateway, log.base + at, powerMw, log.oldest);
      }
    }
  }

  #powerMw(levelCentiDbm: number): number {
    return this.#milliwatts[leastLevel(levelCentiDbm) + MILLIWATT_OFFSET];
  }

  #meet(device: number, gateway: number, rssiCentiDbm: number, signal: UplinkSignal): void {
    if (!this.#gateways.isInService(gateway)) return;
    const row = this.receptions.take();
    const receptions = this.receptions.column;
    const flights = this.flights.column;
    receptions.gateway[row] = gateway;
    receptions.rssiCentiDbm[row] = rssiCentiDbm;
    const { isHeard, frequencyHz, spreadingFactor, bandwidthHz } = signal;
    const noise = this.#links.gatewayFaults.noiseCentiDb(gateway, frequencyHz);
    const isDrowned = noise > 0 && rssiCentiDbm - noise < signal.sensitivityCentiDbm;
    const isTaken = isHeard && !isDrowned;
    const path = isTaken ? this.#gateways.takePath(gateway, spreadingFactor, bandwidthHz) : NONE;
    if (path !== NONE) receptions.fate[row] = Fate.pending;
    else if (!isHeard) receptions.fate[row] = Fate.offChannel;
    else if (!this.#gateways.hasRadio(gateway)) receptions.fate[row] = Fate.radioFault;
    else if (this.#gateways.isSending(gateway)) receptions.fate[row] = Fate.halfDuplex;
    else receptions.fate[row] = isDrowned ? Fate.jammed : Fate.noPath;
    receptions.path[row] = path === NONE ? 0 : path;
    receptions.generation[row] = this.#gateways.generation(gateway);
    receptions.next[row] = flights.firstReception[device];
    flights.firstReception[device] = row;
  }

  /** Takes the receptions of gateways that have left meanwhile out of a transmission's chain. */
  #forgetGone(device: number): void {
    const { next, gateway } = this.receptions.column;
    const { firstReception } = this.flights.column;
    let before = NONE;
    for (let row = firstReception[device]; row !== NONE; ) {
      const following = next[row];
      if (this.#gateways.isInService(gateway[row])) before = row;
      else {
        if (before === NONE) firstReception[device] = following;
        else next[before] = following;
        this.receptions.give(row);
      }
      row = following;
    }
  }

  #isLostToNoise(device: number, log: SignalLog, position: number, reception: number): boolean {
    const { noise } = this.#physics;
    if (!noise.active) return false;
    const { gateway, rssiCentiDbm } = this.receptions.column;
    const { key0, key1 } = this.#links;
    const other0 = this.#gateways.key0(gateway[reception]);
    const other1 = this.#gateways.key1(gateway[reception]);
    const { spreadingFactor, bandwidthHz, startUs, endUs, frame } = log.column;
    const number = frame[position];
    const word = drawPair(key0[device], key1[device], other0, other1, DrawPurpose.noiseUp, number);
    const airtimeUs = endUs[position] - startUs[position];
    const { gatewayFaults } = this.#links;
    const rise = gatewayFaults.noiseCentiDb(gateway[reception], log.frequencyHz);
    const level = rssiCentiDbm[reception] - rise;
    const [sf, hz] = [spreadingFactor[position], bandwidthHz[position]];
    return noise.loses('gateway', sf, hz, airtimeUs, level, word);
  }

  #isLost(key0: number, key1: number, gateway: number, frame: number, ppm: number): boolean {
    const other0 = this.#gateways.key0(gateway);
    const other1 = this.#gateways.key1(gateway);
    return happens(drawPair(key0, key1, other0, other1, DrawPurpose.frameLossUp, frame), ppm);
  }
}

/** Fading of uplinks, by the device's number of the frame. */
class UplinkFades {
  readonly #links: Links;
  readonly #gateways: GatewayReceivers;
  readonly #fading: Fading;
  readonly #device = { key0: 0, key1: 0 };
  readonly #gateway = { key0: 0, key1: 0 };

  constructor(links: Links, gateways: GatewayReceivers, fading: Fading) {
    this.#links = links;
    this.#gateways = gateways;
    this.#fading = fading;
  }

  /** What the frame gains on this link, 1/100 dB. */
  centiDb(device: number, gateway: number, frame: number): number {
    if (!this.#fading.active) return 0;
    this.#device.key0 = this.#links.key0[device];
    this.#device.key1 = this.#links.key1[device];
    this.#gateway.key0 = this.#gateways.key0(gateway);
    this.#gateway.key1 = this.#gateways.key1(gateway);
    return this.#fading.centiDb(this.#device, this.#gateway, DrawPurpose.fadingUp, frame);
  }
}

/** Gateways as receivers of uplinks. */
const GATEWAY_LISTENERS: Receivers = {
  hear: (log, fromUs, untilUs, gateway, heard) =>
    log.earshot.hear(gateway, log, fromUs, untilUs, heard),
};
