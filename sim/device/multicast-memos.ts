/**
 * Results that devices share or ask for again while they settle. Each is a pure function of the
 * arguments that its entry holds, so a memo is no state: it is not saved, and no digest sees it.
 */
import { NONE } from '../kernel/columns.ts';
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

/** Which of 32 frames of a group a link loses: bit i is 1 when frame 32 · `word` + i is lost. */
export interface DrawnLosses {
  device: number;
  mcAddr: number;
  word: number;
  ppm: number;
  losses: number;
}

export class MulticastMemos {
  /** Devices settle one after the other, and those of a group open each row alike. */
  readonly openedRows = new WeakMap<AirRow, OpenedRow>();
  /** By gateway row. */
  readonly #losses: DrawnLosses[] = [];

  /** The latest losses drawn for a gateway's links: they also decide of a device's next frames. */
  losses(gateway: number): DrawnLosses {
    this.#losses[gateway] ??= { device: NONE, mcAddr: 0, word: 0, ppm: 0, losses: 0 };
    return this.#losses[gateway];
  }
}
