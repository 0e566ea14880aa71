/**
 * Faults of gateways, and the statuses that tell the server of a gateway.
 *
 * A fault begins and ends by command, after all else of its instant. The backhaul fails at the
 * gateway's end. An uplink copy, a refusal or a status is lost when it is down as the gateway sends
 * it. A downlink is lost when it is down as the downlink would reach the gateway. What has passed
 * that end arrives. A slow backhaul adds a time to what is sent over it meanwhile, either way.
 *
 * Statuses are no events. A packet forwarder sends one every 30 s (the `stat` object of the Semtech
 * UDP protocol), from an instant of its own on; which of them got through is derived when somebody
 * asks. What a status takes on the way, some milliseconds, is left out.
 */
import { assert } from '../base/assert.ts';
import type { GatewayFault } from '../base/gateway-fault.ts';
import { FRESH_US, STATUS_EVERY_US } from '../base/gateway-statuses.ts';
import { DrawPurpose, draw, happens, toUnit } from '../base/random.ts';
import { f64, opaque, type SavedTable, Table, u8, u32 } from '../kernel/columns.ts';
import type { Digest } from '../kernel/digest.ts';
import type { Endpoint } from './backhaul.ts';
import { NEVER_US } from './downlinks.ts';

/** A gateway that sends statuses. */
interface Sender extends Endpoint {
  readonly row: number;
}

/** No message gets through. */
const ALL_PPM = 1_000_000;

export class GatewayFaults {
  readonly #table = new Table({
    /** When it was put up: statuses begin within an interval from then on. */
    putUpAtUs: f64,
    backhaulDown: u8,
    /** When the backhaul came to be as it is. */
    backhaulSinceUs: f64,
    /** Latest status that got through before that. */
    statusAtUs: f64,
    radioDown: u8,
    radioSinceUs: f64,
    /** When the radio failed last. */
    radioFailedAtUs: f64,
    /** Begins and ends of faults so far. */
    changes: u32,
    /** What a slow backhaul adds to each message, µs; folded only where there is such. */
    delayUs: opaque(f64),
    delaySinceUs: opaque(f64),
  });

  /** A gateway was put up in the next row. */
  add(nowUs: number): void {
    const row = this.#table.add();
    const c = this.#table.column;
    c.putUpAtUs[row] = nowUs;
    c.backhaulSinceUs[row] = nowUs;
    c.statusAtUs[row] = NEVER_US;
    c.radioSinceUs[row] = nowUs;
    c.radioFailedAtUs[row] = NEVER_US;
  }

  /** A gateway that was put up elsewhere has the faults that it had, and its latest status. */
  inherit(row: number, from: Sender, nowUs: number): void {
    const c = this.#table.column;
    const statusAtUs = this.lastStatusAtUs(from, nowUs);
    c.backhaulDown[row] = c.backhaulDown[from.row];
    c.backhaulSinceUs[row] = c.backhaulSinceUs[from.row];
    c.radioDown[row] = c.radioDown[from.row];
    c.radioSinceUs[row] = c.radioSinceUs[from.row];
    c.radioFailedAtUs[row] = c.radioFailedAtUs[from.row];
    c.statusAtUs[row] = statusAtUs;
    c.changes[row] = c.changes[from.row];
    c.delayUs[row] = c.delayUs[from.row];
    c.delaySinceUs[row] = c.delaySinceUs[from.row];
  }

  /** What is added to the way of a message that is sent now, µs. */
  delayUs(row: number): number {
    return this.#table.column.delayUs[row];
  }

  /** When that came to be so, µs. */
  delaySinceUs(row: number): number {
    return this.#table.column.delaySinceUs[row];
  }

  /** Another delay, 0 for none; false when it is that already. */
  slow(row: number, delayUs: number, nowUs: number): boolean {
    assert(Number.isSafeInteger(delayUs) && delayUs >= 0, 'a delay is whole µs');
    const c = this.#table.column;
    if (c.delayUs[row] === delayUs) return false;
    c.delayUs[row] = delayUs;
    c.delaySinceUs[row] = nowUs;
    c.changes[row]++;
    return true;
  }

  isUp(row: number, part: GatewayFault): boolean {
    const { backhaulDown, radioDown } = this.#table.column;
    return (part === 'backhaul' ? backhaulDown : radioDown)[row] === 0;
  }

  /** When it came to be as it is, µs. */
  sinceUs(row: number, part: GatewayFault): number {
    const { backhaulSinceUs, radioSinceUs } = this.#table.column;
    return (part === 'backhaul' ? backhaulSinceUs : radioSinceUs)[row];
  }

  /** Whether the radio failed at this instant or later, however it is now. */
  radioFailedSince(row: number, sinceUs: number): boolean {
    return this.#table.column.radioFailedAtUs[row] >= sinceUs;
  }

  /** A fault begins or ends; false when it is so already. */
  set(station: Sender, part: GatewayFault, up: boolean, nowUs: number): boolean {
    const { row } = station;
    if (this.isUp(row, part) === up) return false;
    const c = this.#table.column;
    c.changes[row]++;
    if (part === 'radio') {
      c.radioDown[row] = up ? 0 : 1;
      c.radioSinceUs[row] = nowUs;
      if (!up) c.radioFailedAtUs[row] = nowUs;
      return true;
    }
    c.statusAtUs[row] = this.lastStatusAtUs(station, nowUs);
    c.backhaulDown[row] = up ? 0 : 1;
    c.backhaulSinceUs[row] = nowUs;
    return true;
  }

  /**
   * The latest status that had got through by an instant from the latest change of the backhaul on,
   * as far as no other change comes; `NEVER_US` when there is none.
   */
  lastStatusAtUs(station: Sender, nowUs: number): number {
    const { row } = station;
    const { backhaulDown, backhaulSinceUs, statusAtUs } = this.#table.column;
    if (backhaulDown[row] === 1) return statusAtUs[row];
    const sentUs = this.latestSentUs(station, backhaulSinceUs[row], nowUs);
    return sentUs === NEVER_US ? statusAtUs[row] : sentUs;
  }

  /**
   * Whether the network server knows that the gateway serves nobody: its radio has failed, as its
   * statuses say, or none of them has come for 90 s. Before its first status nothing is known.
   */
  isKnownToFail(station: Sender, nowUs: number): boolean {
    const { row } = station;
    const { backhaulDown, radioDown } = this.#table.column;
    if (radioDown[row] === 0 && backhaulDown[row] === 0 && station.backhaul.lossPpm === 0) {
      return false;
    }
    const statusAtUs = this.lastStatusAtUs(station, nowUs);
    if (statusAtUs === NEVER_US) return false;
    return radioDown[row] === 1 || nowUs - statusAtUs > FRESH_US;
  }

  /** What a slow backhaul adds, as the latest status shows it, µs. */
  knownDelayUs(station: Sender, nowUs: number): number {
    const { delayUs, delaySinceUs } = this.#table.column;
    if (delayUs[station.row] === 0) return 0;
    const isSeen = this.lastStatusAtUs(station, nowUs) >= delaySinceUs[station.row];
    return isSeen ? delayUs[station.row] : 0;
  }

  /**
   * The first status after an instant that gets through by `untilUs`, if the backhaul stays as it
   * is; `NEVER_US` when none does.
   */
  nextStatusAtUs(station: Sender, afterUs: number, untilUs: number): number {
    const { backhaulDown, backhaulSinceUs } = this.#table.column;
    if (backhaulDown[station.row] === 1) return NEVER_US;
    return this.firstSentUs(station, Math.max(afterUs, backhaulSinceUs[station.row]), untilUs);
  }

  // ── whatever faults there are or were ──────────────────────────────────────────────────────────

  /** When it was put up, µs. */
  putUpAtUs(row: number): number {
    return this.#table.column.putUpAtUs[row];
  }

  /**
   * The first status after one instant and up to another that is not lost by chance, of a gateway
   * that may have gone meanwhile; `NEVER_US` when there is none.
   */
  firstSentUs(station: Sender, afterUs: number, untilUs: number): number {
    if (station.backhaul.lossPpm >= ALL_PPM) return NEVER_US;
    const firstUs = this.#firstUs(station);
    let number = Math.max(0, Math.floor((afterUs - firstUs) / STATUS_EVERY_US) + 1);
    for (; firstUs + number * STATUS_EVERY_US <= untilUs; number++) {
      if (!isLost(station, number)) return firstUs + number * STATUS_EVERY_US;
    }
    return NEVER_US;
  }

  /** The latest of them. */
  latestSentUs(station: Sender, afterUs: number, untilUs: number): number {
    if (station.backhaul.lossPpm >= ALL_PPM) return NEVER_US;
    const firstUs = this.#firstUs(station);
    for (let number = Math.floor((untilUs - firstUs) / STATUS_EVERY_US); number >= 0; number--) {
      const atUs = firstUs + number * STATUS_EVERY_US;
      if (atUs <= afterUs) break;
      if (!isLost(station, number)) return atUs;
    }
    return NEVER_US;
  }

  #firstUs(station: Sender): number {
    return this.#table.column.putUpAtUs[station.row] + phaseUs(station);
  }

  /** Folds what decides, of a gateway that has had a fault; of others all follows from the plan. */
  digest(row: number, digest: Digest): void {
    const { changes, delayUs, delaySinceUs } = this.#table.column;
    if (changes[row] > 0) this.#table.digestRow(row, digest);
    if (delayUs[row] === 0) return;
    digest.addNumber(delayUs[row]);
    digest.addNumber(delaySinceUs[row]);
  }

  save(): SavedTable {
    return this.#table.save();
  }

  load(saved: SavedTable, gateways: number): void {
    assert(saved.rows === gateways, 'every gateway has a row of faults');
    this.#table.load(saved);
  }
}

/** From its putting up to its first status: more than nothing, an interval at most. */
const phaseUs = ({ key0, key1 }: Sender): number =>
  1 + Math.floor(toUnit(draw(key0, key1, DrawPurpose.statusPhase, 0)) * STATUS_EVERY_US);

const isLost = ({ key0, key1, backhaul }: Sender, number: number): boolean =>
  backhaul.lossPpm > 0 &&
  happens(draw(key0, key1, DrawPurpose.statusLoss, number), backhaul.lossPpm);
