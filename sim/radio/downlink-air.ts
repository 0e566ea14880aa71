/**
 * Downlinks on the air: from the gateway's first preamble symbol to one decision per device that
 * listened.
 *
 * Devices stand in the listening list only while their receive windows are open or yet to open. A
 * device locks on the first frame whose preamble meets its window; of frames that begin together,
 * on the strongest. What it locked on is decided when that frame ends. IQ is inverted, so downlinks
 * and uplinks do not disturb each other.
 *
 * Invariant: a frame that begins is an *offer* to all who listen then. A device takes its offers,
 * in the order in which they began, before its windows, its lock or its links are read or changed:
 * so each meets the windows as they stood when it began, whenever it is taken.
 */
import { assert } from '../base/assert.ts';
import { DrawPurpose, drawPair, happens } from '../base/random.ts';
import { f64, i32, NONE, opaque, type SavedTable, Table, u8, u32 } from '../kernel/columns.ts';
import type { AirCopy, Attempt } from './air-row.ts';
import { DownlinkLevels, type GatewaySenders } from './downlink-levels.ts';
import type { Receivers } from './interference.ts';
import type { Links } from './links.ts';
import { Listening, MOST_TAKEN } from './listening.ts';
import { channelKey, copyAt, overlapping } from './multicast-air.ts';
import type { Overlaps } from './overlaps.ts';
import { leastLevel, MILLIWATT_OFFSET, milliwattTable } from './power.ts';
import { LOCKING_SYMBOLS, type SavedSignalLogs, type SignalLog, SignalLogs } from './signal-log.ts';
import type { Physics } from './uplink-air.ts';

export interface DownlinkSignal {
  readonly frequencyHz: number;
  readonly dataRate: number;
  readonly spreadingFactor: number;
  readonly bandwidthHz: number;
  readonly symbolUs: number;
  readonly preambleSymbols: number;
  readonly airtimeUs: number;
  readonly eirpCentiDbm: number;
  /** Weakest level a device demodulates at this data rate, 1/100 dBm. */
  readonly sensitivityCentiDbm: number;
}

/** A receive window in true time, µs. */
export interface ReceiveWindow {
  readonly opensAtUs: number;
  readonly closesAtUs: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
}

/** A gateway's frame that has begun, before all listeners have decided whether to lock on it. */
interface Offer {
  readonly gateway: number;
  readonly signal: DownlinkSignal;
  /** What the gateway feeds its antenna with, 1/100 dBm. */
  readonly sentCentiDbm: number;
  /** Number of this transmission of its gateway. */
  readonly frame: number;
  readonly atUs: number;
  /** Place among the offers of the first one since nothing was on the air, of those there are. */
  readonly burst: number;
  /** Place of the latest one before it on its channel and data rate; NONE when there is none. */
  readonly before: number;
  /** By then it is off the air, as are all offers before it. */
  readonly quietFromUs: number;
}

/**
 * When that many offers have gathered, or one for that many who listen, all who listen take theirs:
 * so that a frame costs as many of them, however many there are.
 */
const MOST_OFFERS = 64;
const LISTENING_AN_OFFER = 16;

export const Heard = { nothing: 0, received: 1, interfered: 2, frameLoss: 3, noise: 4 } as const;
export type Heard = (typeof Heard)[keyof typeof Heard];

export interface SavedDownlinkAir {
  readonly listeners: SavedTable;
  readonly flights: SavedTable;
  readonly listening: readonly number[];
  readonly logs: SavedSignalLogs;
}

export class DownlinkAir {
  /** Per device row: its windows, and the frame it is locked on. */
  readonly listeners = new Table({
    rx1OpensAtUs: f64,
    rx1ClosesAtUs: f64,
    rx1FrequencyHz: u32,
    rx1DataRate: u8,
    rx2OpensAtUs: f64,
    rx2ClosesAtUs: f64,
    rx2FrequencyHz: u32,
    rx2DataRate: u8,
    /** Gateway row it is locked on, or NONE. */
    lockedOn: opaque(i32),
    lockedFromUs: f64,
    lockedUntilUs: f64,
    lockedCentiDbm: i32,
    /** Channel of the frame it is locked on. */
    lockedFrequencyHz: opaque(u32),
    lockedDataRate: opaque(u8),
    /** Place in the listening list, or NONE. */
    place: opaque(i32),
  });
  /** Per gateway row: its present or latest transmission. */
  readonly flights = new Table({ frequencyHz: u32, signal: opaque(i32), number: u32 });
  readonly #logs = new SignalLogs();
  /** How strong its frames are where they arrive. */
  readonly levels: DownlinkLevels;
  readonly #gateways: GatewaySenders;
  readonly #physics: Physics;
  readonly #receivers: DeviceListeners;
  readonly #listening = new Listening();
  readonly #offers: Offer[] = [];
  /** Place of the latest offer on each channel and data rate. */
  readonly #latestOn = new Map<number, number>();

  constructor(links: Links, gateways: GatewaySenders, physics: Physics) {
    this.levels = new DownlinkLevels(links, gateways, physics);
    this.#gateways = gateways;
    this.#physics = physics;
    this.#receivers = new DeviceListeners(this);
  }

  addDevice(device: number): void {
    while (this.listeners.rows <= device) {
      const row = this.listeners.add();
      this.listeners.column.lockedOn[row] = NONE;
      this.listeners.column.place[row] = NONE;
    }
  }

  addGateway(gateway: number): void {
    while (this.flights.rows <= gateway) this.flights.add();
  }

  /** A device will listen in two windows. */
  listen(device: number, rx1: ReceiveWindow, rx2: ReceiveWindow): void {
    assert(device < this.listeners.rows, 'a device that listens has a row');
    assert(rx1.closesAtUs >= rx1.opensAtUs, 'a window closes after it opens');
    this.takeOffers(device);
    const listening = this.listeners.column;
    listening.rx1OpensAtUs[device] = rx1.opensAtUs;
    listening.rx1ClosesAtUs[device] = rx1.closesAtUs;
    listening.rx1FrequencyHz[device] = rx1.frequencyHz;
    listening.rx1DataRate[device] = rx1.dataRate;
    this.listenInRx2(device, rx2);
    this.#noteOpening(device, rx1.opensAtUs);
  }

  /** A device will listen in this second window; the first stays as it is. */
  listenInRx2(device: number, rx2: ReceiveWindow): void {
    assert(rx2.closesAtUs >= rx2.opensAtUs, 'a window closes after it opens');
    this.takeOffers(device);
    const listening = this.listeners.column;
    listening.rx2OpensAtUs[device] = rx2.opensAtUs;
    listening.rx2ClosesAtUs[device] = rx2.closesAtUs;
    listening.rx2FrequencyHz[device] = rx2.frequencyHz;
    listening.rx2DataRate[device] = rx2.dataRate;
    this.#join(device);
    this.#noteOpening(device, rx2.opensAtUs);
  }

  /** A device no longer listens. */
  deafen(device: number): void {
    this.takeOffers(device);
    this.#leave(device);
  }

  /** Adds a device to those that listen from now on. */
  #join(device: number): void {
    const { place } = this.listeners.column;
    if (place[device] !== NONE) return;
    place[device] = this.#listening.join(device, this.#offers.length, this.listeners.capacity);
  }

  #noteOpening(device: number, atUs: number): void {
    const place = this.listeners.column.place[device];
    const { opensAtUs } = this.#listening;
    opensAtUs[place] = Math.min(opensAtUs[place], atUs);
  }

  #leave(device: number): void {
    const listening = this.listeners.column;
    const place = listening.place[device];
    this.#unlock(device);
    if (place === NONE) return;
    const moved = this.#listening.leave(place);
    if (moved !== NONE) listening.place[moved] = place;
    listening.place[device] = NONE;
  }

  /** A frame that a device is locked on is lost to it; it listens on. */
  breakOff(device: number): void {
    this.takeOffers(device);
    this.#unlock(device);
  }

  #unlock(device: number): void {
    const { lockedOn, lockedUntilUs } = this.listeners.column;
    lockedOn[device] = NONE;
    lockedUntilUs[device] = 0;
  }

  /** A device no longer listens, and has no windows to be deaf to other channels in. */
  forgetWindows(device: number): void {
    this.deafen(device);
    const { rx1OpensAtUs, rx1ClosesAtUs, rx2OpensAtUs, rx2ClosesAtUs } = this.listeners.column;
    for (const times of [rx1OpensAtUs, rx1ClosesAtUs, rx2OpensAtUs, rx2ClosesAtUs]) {
      times[device] = 0;
    }
  }

  /** A device was answered: windows that are not open yet stay closed. */
  endWindows(device: number, nowUs: number): void {
    this.takeOffers(device);
    const listening = this.listeners.column;
    this.#unlock(device);
    if (listening.rx2OpensAtUs[device] <= nowUs && listening.rx2ClosesAtUs[device] > nowUs) return;
    this.deafen(device);
    if (listening.rx2OpensAtUs[device] <= nowUs) return;
    listening.rx2OpensAtUs[device] = nowUs;
    listening.rx2ClosesAtUs[device] = nowUs;
  }

  /** End of the frame a device is locked on, or 0. */
  lockedUntilUs(device: number): number {
    this.takeOffers(device);
    return this.listeners.column.lockedUntilUs[device];
  }

  /**
   * Puts a gateway's frame on the air, and offers it to those who listen; not so a beacon, whose IQ
   * is not inverted.
   */
  begin(
    gateway: number,
    signal: DownlinkSignal,
    nowUs: number,
    kind: 'downlink' | 'beacon' = 'downlink',
  ): void {
    assert(gateway < this.flights.rows, 'a gateway that sends has a row');
    const flights = this.flights.column;
    const log = this.#logs.on(signal.frequencyHz);
    log.forget(nowUs);
    flights.number[gateway]++;
    flights.frequencyHz[gateway] = signal.frequencyHz;
    flights.signal[gateway] = log.add({
      startUs: nowUs,
      airtimeUs: signal.airtimeUs,
      symbolUs: signal.symbolUs,
      spreadingFactor: signal.spreadingFactor,
      bandwidthHz: signal.bandwidthHz,
      frame: flights.number[gateway],
      preambleSymbols: signal.preambleSymbols,
      eirpCentiDbm: signal.eirpCentiDbm,
      sender: gateway,
      linkStart: 0,
      linkCount: 0,
    });
    if (kind === 'beacon') return;
    this.#addOffer(gateway, signal, flights.number[gateway], nowUs);
    const most = Math.max(MOST_OFFERS, this.#listening.count / LISTENING_AN_OFFER);
    if (this.#offers.length >= Math.min(most, MOST_TAKEN)) this.#takeAllOffers();
  }

  #addOffer(gateway: number, signal: DownlinkSignal, frame: number, atUs: number): void {
    const sentCentiDbm = signal.eirpCentiDbm - this.#gateways.antennaGainCentiDb(gateway);
    const latest = this.#offers.at(-1);
    const isQuiet = latest === undefined || latest.quietFromUs <= atUs;
    const burst = isQuiet ? this.#offers.length : latest.burst;
    const quietFromUs = Math.max(latest?.quietFromUs ?? 0, atUs + signal.airtimeUs);
    const channel = channelKey(signal.frequencyHz, signal.dataRate);
    const before = this.#latestOn.get(channel) ?? NONE;
    this.#latestOn.set(channel, this.#offers.length);
    this.#offers.push({ gateway, signal, sentCentiDbm, frame, atUs, burst, before, quietFromUs });
  }

  /**
   * A device decides on each frame that has begun since it did so last: it locks on those whose
   * preamble meets a window of its own. One whose windows were over by then listens no more.
   *
   * Where RX2 alone is open all the time, the lock before a silence says nothing of one after: of
   * such a device only the latest burst is looked at in which it locked on something.
   */
  takeOffers(device: number): void {
    const place = this.listeners.column.place[device];
    if (place === NONE) return;
    const offers = this.#offers;
    const until = offers.length;
    const { taken, opensAtUs } = this.#listening;
    let from = taken[place];
    if (from === until) return;
    taken[place] = until;
    if (opensAtUs[place] >= offers[until - 1]!.quietFromUs) return;
    // What was off the air before a window opens meets none.
    while (offers[from]!.quietFromUs <= opensAtUs[place]) from++;
    const { rx1ClosesAtUs, rx2ClosesAtUs } = this.listeners.column;
    if (rx2ClosesAtUs[device] < offers[until - 1]!.quietFromUs) {
      this.#take(device, from, until);
      return;
    }
    while (from < until && offers[from]!.atUs < rx1ClosesAtUs[device]) {
      this.#take(device, from, from + 1);
      from++;
    }
    this.#takeLatest(device, from);
  }

  /**
   * Takes offers from one on of a device to which RX2 alone is open, and lasts longer than all of
   * them: it looks at bursts in which there is one on the channel of RX2.
   */
  #takeLatest(device: number, from: number): void {
    const { rx2FrequencyHz, rx2DataRate } = this.listeners.column;
    const channel = channelKey(rx2FrequencyHz[device], rx2DataRate[device]);
    let at = this.#latestOn.get(channel) ?? NONE;
    while (at >= from) {
      const burst = Math.max(from, this.#offers[at]!.burst);
      if (this.#take(device, burst, at + 1)) return;
      while (at >= burst) at = this.#offers[at]!.before;
    }
  }

  /** Takes some offers, one after the other; true when the device locked on one. */
  #take(device: number, from: number, until: number): boolean {
    const { lockedFromUs, lockedUntilUs, rx2ClosesAtUs } = this.listeners.column;
    let locked = false;
    for (let i = from; i < until; i++) {
      const { gateway, signal, sentCentiDbm, frame, atUs } = this.#offers[i]!;
      if (lockedUntilUs[device] > atUs && atUs - lockedFromUs[device] >= lockingUs(signal)) {
        continue;
      }
      if (Math.max(rx2ClosesAtUs[device], lockedUntilUs[device]) < atUs) {
        this.#leave(device);
        return locked;
      }
      const closes = this.#windowThatCatches(device, signal, atUs);
      if (closes === undefined) continue;
      const level = this.levels.arrivingCentiDbm(device, gateway, sentCentiDbm, frame);
      const heldUntilUs = lockedUntilUs[device];
      if (!this.#lock(device, gateway, level, signal, atUs)) continue;
      // The window that caught a frame lasts as long as the frame, or as one that takes it over.
      const openUntilUs = heldUntilUs > atUs && closes[device] === heldUntilUs ? 0 : closes[device];
      closes[device] = Math.max(openUntilUs, atUs + signal.airtimeUs);
      locked = true;
    }
    return locked;
  }

  #takeAllOffers(): void {
    const { device, taken } = this.#listening;
    for (let i = this.#listening.count - 1; i >= 0; i--) this.takeOffers(device[i]);
    taken.fill(0, 0, this.#listening.count);
    this.#forgetOffers();
  }

  #forgetOffers(): void {
    this.#offers.length = 0;
    this.#latestOn.clear();
  }

  /**
   * A device opens a ping slot while a gateway's frame begins: it locks when the window meets the
   * preamble and nothing else holds the radio.
   */
  listenInSlot(
    device: number,
    gateway: number,
    window: { readonly opensAtUs: number; readonly closesAtUs: number },
    signal: DownlinkSignal,
    nowUs: number,
  ): void {
    if (!meets(window.opensAtUs, window.closesAtUs, signal, nowUs)) return;
    this.takeOffers(device);
    const { lockedFromUs, lockedUntilUs } = this.listeners.column;
    if (lockedUntilUs[device] > nowUs && nowUs - lockedFromUs[device] >= lockingUs(signal)) return;
    const frame = this.flights.column.number[gateway];
    const level = this.levels.centiDbm(device, gateway, signal.eirpCentiDbm, frame);
    if (!this.#lock(device, gateway, level, signal, nowUs)) return;
    this.#join(device);
    this.#noteOpening(device, 0);
  }

  /**
   * Devices locked on a gateway's frame that ends now, in the order of their rows: all of them, or
   * those among some, which stand in this order.
   */
  locked(gateway: number, nowUs: number, among?: readonly number[]): number[] {
    const flights = this.flights.column;
    const log = this.#logs.on(flights.frequencyHz[gateway]);
    const preambleEndsAtUs = log.preambleEndsAtUs(log.position(flights.signal[gateway]));
    const devices: number[] = [];
    if (among !== undefined) {
      for (const device of among) {
        const place = this.listeners.column.place[device];
        if (place === NONE) continue;
        if (this.#isLocked(place, gateway, preambleEndsAtUs, nowUs)) devices.push(device);
      }
      return devices;
    }
    // Who finds that its windows are over leaves the list, and the last takes its place.
    const { device: listening } = this.#listening;
    for (let place = this.#listening.count - 1; place >= 0; place--) {
      const device = listening[place];
      if (this.#isLocked(place, gateway, preambleEndsAtUs, nowUs)) devices.push(device);
    }
    return devices.sort((a, b) => a - b);
  }

  /** Whether who listens at a place is locked on a frame that ends now. */
  #isLocked(place: number, gateway: number, preambleEndsAtUs: number, nowUs: number): boolean {
    const { device: listening, opensAtUs } = this.#listening;
    if (opensAtUs[place] >= preambleEndsAtUs) return false;
    const device = listening[place];
    this.takeOffers(device);
    const { lockedOn, lockedUntilUs } = this.listeners.column;
    return lockedOn[device] === gateway && lockedUntilUs[device] === nowUs;
  }

  /** What a locked device made of a gateway's frame at its end; the lock is released. */
  decide(device: number, gateway: number, key0: number, key1: number, lossPpm: number): Heard {
    const flights = this.flights.column;
    const { lockedOn, lockedCentiDbm } = this.listeners.column;
    assert(lockedOn[device] === gateway, 'a device decides on the frame that it is locked on');
    lockedOn[device] = NONE;
    const log = this.#logs.on(flights.frequencyHz[gateway]);
    const number = flights.number[gateway];
    if (lossPpm > 0 && this.#isLost(key0, key1, gateway, number, lossPpm)) return Heard.frameLoss;
    const position = log.position(flights.signal[gateway]);
    const { interference, noise } = this.#physics;
    if (noise.active) {
      const { frame, startUs, endUs, spreadingFactor, bandwidthHz } = log.column;
      const isLost = this.levels.isLostToNoise(
        device,
        gateway,
        frame[position],
        lockedCentiDbm[device],
        spreadingFactor[position],
        bandwidthHz[position],
        endUs[position] - startUs[position],
      );
      if (isLost) return Heard.noise;
    }
    if (!interference.active) return Heard.received;
    const survives = interference.survives(log, position, this.#receivers, device);
    return survives ? Heard.received : Heard.interfered;
  }

  #isLost(key0: number, key1: number, gateway: number, frame: number, ppm: number): boolean {
    const other0 = this.#gateways.key0(gateway);
    const other1 = this.#gateways.key1(gateway);
    return happens(drawPair(key0, key1, other0, other1, DrawPurpose.frameLossDown, frame), ppm);
  }

  /** Signals on the air on a frequency, and those that ended a short while ago. */
  on(frequencyHz: number): SignalLog {
    return this.#logs.on(frequencyHz);
  }

  save(): SavedDownlinkAir {
    this.#takeAllOffers();
    this.#putInOrder();
    return {
      listeners: this.listeners.save(),
      flights: this.flights.save(),
      listening: this.#listening.save(),
      logs: this.#logs.save(),
    };
  }

  /** Who left first depends on who was asked first, and a snapshot does not tell. */
  #putInOrder(): void {
    this.#listening.sort(this.#offers.length);
    const { device, count } = this.#listening;
    for (let place = 0; place < count; place++) this.listeners.column.place[device[place]] = place;
  }

  load(saved: SavedDownlinkAir): void {
    this.listeners.load(saved.listeners);
    this.flights.load(saved.flights);
    this.#listening.load(saved.listening, this.listeners.capacity);
    this.#forgetOffers();
    this.#logs.load(saved.logs);
  }

  /** Closes the windows that catch enough of the preamble to lock, if one does. */
  #windowThatCatches(
    device: number,
    signal: DownlinkSignal,
    nowUs: number,
  ): Float64Array | undefined {
    const listening = this.listeners.column;
    const { frequencyHz, dataRate } = signal;
    const inRx1 =
      listening.rx1FrequencyHz[device] === frequencyHz &&
      listening.rx1DataRate[device] === dataRate &&
      meets(listening.rx1OpensAtUs[device], listening.rx1ClosesAtUs[device], signal, nowUs);
    if (inRx1) return listening.rx1ClosesAtUs;
    // A class C device leaves RX2's channel for an RX1 that opens meanwhile.
    const { rx1OpensAtUs, rx1ClosesAtUs } = listening;
    const leaves = rx1OpensAtUs[device] < nowUs + signal.airtimeUs && nowUs < rx1ClosesAtUs[device];
    const inRx2 =
      !leaves &&
      listening.rx2FrequencyHz[device] === frequencyHz &&
      listening.rx2DataRate[device] === dataRate &&
      meets(listening.rx2OpensAtUs[device], listening.rx2ClosesAtUs[device], signal, nowUs);
    return inRx2 ? listening.rx2ClosesAtUs : undefined;
  }

  /**
   * Locks unless the frame is too weak or another holds the device; true when it did. A frame that
   * begins before the receiver has found the other one holds nothing if it is weaker.
   */
  #lock(
    device: number,
    gateway: number,
    level: number,
    signal: DownlinkSignal,
    nowUs: number,
  ): boolean {
    const listening = this.listeners.column;
    if (!(level >= signal.sensitivityCentiDbm)) return false;
    const free = listening.lockedUntilUs[device] <= nowUs;
    if (!free && !this.#takesOver(device, level, signal, nowUs)) return false;
    listening.lockedOn[device] = gateway;
    listening.lockedFromUs[device] = nowUs;
    listening.lockedUntilUs[device] = nowUs + signal.airtimeUs;
    listening.lockedCentiDbm[device] = level;
    listening.lockedFrequencyHz[device] = signal.frequencyHz;
    listening.lockedDataRate[device] = signal.dataRate;
    return true;
  }

  /** Whether a frame is the stronger of two that begin before the locking point of the first. */
  #takesOver(device: number, level: number, signal: DownlinkSignal, nowUs: number): boolean {
    const listening = this.listeners.column;
    const { lockedFromUs, lockedFrequencyHz, lockedDataRate, lockedCentiDbm } = listening;
    if (level <= lockedCentiDbm[device]) return false;
    if (lockedFromUs[device] === nowUs) return true;
    const isSameChannel =
      lockedFrequencyHz[device] === signal.frequencyHz &&
      lockedDataRate[device] === signal.dataRate;
    return isSameChannel && nowUs - lockedFromUs[device] < lockingUs(signal);
  }

  /** A gateway's frame that ends now. */
  copy(gateway: number): AirCopy {
    const flights = this.flights.column;
    const log = this.#logs.on(flights.frequencyHz[gateway]);
    return copyAt(log, log.position(flights.signal[gateway]));
  }

  /** What a gateway's frame that ends now met: itself and what overlapped it. */
  ended(gateway: number): Attempt {
    const flights = this.flights.column;
    const log = this.#logs.on(flights.frequencyHz[gateway]);
    const position = log.position(flights.signal[gateway]);
    return { copies: [copyAt(log, position)], others: overlapping(log, position) };
  }
}

/** From the start of a frame to where in its preamble a receiver locks, µs. */
const lockingUs = ({ preambleSymbols, symbolUs }: DownlinkSignal): number =>
  (preambleSymbols - LOCKING_SYMBOLS) * symbolUs;

/** A window must overlap five symbols of the preamble (docs/standard.md, Receive windows). */
export function meets(
  opensAtUs: number,
  closesAtUs: number,
  signal: Pick<DownlinkSignal, 'preambleSymbols' | 'symbolUs'>,
  beginsAtUs: number,
): boolean {
  const preambleEndsAtUs = beginsAtUs + signal.preambleSymbols * signal.symbolUs;
  const overlapUs = Math.min(closesAtUs, preambleEndsAtUs) - Math.max(opensAtUs, beginsAtUs);
  return overlapUs >= LOCKING_SYMBOLS * signal.symbolUs;
}

/** Devices as receivers of downlinks. */
class DeviceListeners implements Receivers {
  readonly #air: DownlinkAir;
  readonly #milliwatts = milliwattTable();

  constructor(air: DownlinkAir) {
    this.#air = air;
  }

  hear(log: SignalLog, fromUs: number, untilUs: number, device: number, heard: Overlaps): void {
    const { startUs, endUs, sender, eirpCentiDbm, frame } = log.column;
    this.#air.levels.hold(device);
    for (let at = log.firstAfter(fromUs); at < log.end; at++) {
      if (startUs[at] >= untilUs || endUs[at] <= fromUs) continue;
      const level = this.#air.levels.centiDbm(device, sender[at], eirpCentiDbm[at], frame[at]);
      if (Number.isNaN(level)) continue;
      heard.add(at, this.#milliwatts[leastLevel(level) + MILLIWATT_OFFSET]);
    }
  }
}
