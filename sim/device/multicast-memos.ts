/**
 * Results that devices share or ask for again while they settle. Each is a pure function of the
 * arguments that its entry holds, so a memo is no state: it is not saved, and no digest sees it.
 */
import { NONE } from '../kernel/columns.ts';
import type { AirRow } from '../radio/air-row.ts';
import type { FrameSeries } from '../radio/channel-log.ts';

/** A group's frame in clear. */
export interface GroupFrame {
  readonly counter: number;
  readonly fPort: number;
  readonly payload: Uint8Array;
  /** The fragment, if the payload is one; the caller judges the port. */
  readonly data: FragmentData | undefined;
}

export interface FragmentData {
  readonly fragIndex: number;
  readonly fragmentNumber: number;
  readonly fragment: Uint8Array;
}

/** How a row was opened last: with which key (`keyFold`), as which counter. */
export interface OpenedRow {
  readonly key: number;
  readonly counter: number;
  /** Undefined when these keys do not open the row. */
  readonly frame: GroupFrame | undefined;
}

/** Which of 32 frames of a group a link loses: bit i is 1 when frame 32 · `word` + i is lost. */
export interface DrawnLosses {
  device: number;
  mcAddr: number;
  word: number;
  ppm: number;
  losses: number;
}

/**
 * Fragments that consecutive counters of a series bring: one number after the other, all of one
 * length.
 */
export interface FragmentRun {
  /** With which key (`keyFold`) they were opened; what their counters have above 16 bits. */
  readonly key: number;
  readonly upperFCnt: number;
  readonly fPort: number;
  readonly fragIndex: number;
  /** Lower 16 bits of the first counter, and the number of its fragment. */
  readonly firstFCnt: number;
  readonly firstNumber: number;
  readonly fragments: Uint8Array[];
  /** Ordinal of the first row that was not looked at. */
  next: number;
}

/**
 * What became of a series' frames at a device, by the 32 counters of a word; of a frame that
 * several gateways sent, each that happened.
 */
export class SeriesFates {
  heard = new Int32Array(16);
  frameLoss = new Int32Array(16);
  tooWeak = new Int32Array(16);
  outOfReach = new Int32Array(16);
  /** What the gateway in hand sent. */
  sent = new Int32Array(16);

  /** Nothing has happened to the frames of this many words. */
  clear(words: number): void {
    const { heard, frameLoss, tooWeak, outOfReach } = this;
    if (heard.length < words) {
      this.heard = new Int32Array(2 * words);
      this.frameLoss = new Int32Array(2 * words);
      this.tooWeak = new Int32Array(2 * words);
      this.outOfReach = new Int32Array(2 * words);
      this.sent = new Int32Array(2 * words);
      return;
    }
    for (const fates of [heard, frameLoss, tooWeak, outOfReach]) fates.fill(0, 0, words);
  }
}

export class MulticastMemos {
  /** Devices settle one after the other, and those of a group open each row alike. */
  readonly openedRows = new WeakMap<AirRow, OpenedRow>();
  /** Devices of a group open the frames of a series alike. */
  readonly fragmentRuns = new WeakMap<FrameSeries, FragmentRun[]>();
  /** Of the device that settles. */
  readonly seriesFates = new SeriesFates();
  /** By gateway row. */
  readonly #losses: DrawnLosses[] = [];

  /** The latest losses drawn for a gateway's links: they also decide of a device's next frames. */
  losses(gateway: number): DrawnLosses {
    this.#losses[gateway] ??= { device: NONE, mcAddr: 0, word: 0, ppm: 0, losses: 0 };
    return this.#losses[gateway];
  }
}
