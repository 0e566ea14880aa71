/**
 * Results that devices share or ask for again while they settle. Each is a pure function of the
 * arguments that its entry holds, so a memo is no state: it is not saved, and no digest sees it.
 */
import { DrawPurpose } from '../base/random.ts';
import { lossWord } from '../radio/loss-words.ts';
import type { AirRow } from '../radio/multicast-air.ts';

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

interface DrawnLosses {
  readonly key0: number;
  readonly key1: number;
  readonly block: number;
  readonly ppm: number;
  readonly losses: number;
}

export class MulticastMemos {
  /** Devices settle one after the other, and those of a group open each row alike. */
  readonly openedRows = new WeakMap<AirRow, OpenedRow>();
  /** By gateway row: the latest draw also decides of a device's next 31 frames. */
  readonly #losses: DrawnLosses[] = [];

  /**
   * Which of 32 frames a link loses: bit i is 1 when frame 32 · `block` + i is lost. The keys name
   * the link and the group.
   */
  losses(gateway: number, key0: number, key1: number, block: number, ppm: number): number {
    const memo = this.#losses[gateway];
    const fits =
      memo !== undefined &&
      memo.key0 === key0 &&
      memo.key1 === key1 &&
      memo.block === block &&
      memo.ppm === ppm;
    if (fits) return memo.losses;
    const losses = lossWord(key0, key1, DrawPurpose.frameLossDown, block, ppm);
    this.#losses[gateway] = { key0, key1, block, ppm, losses };
    return losses;
  }
}
