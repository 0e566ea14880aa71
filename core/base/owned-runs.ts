/**
 * Owners of EUIs, stored as runs: each population of a scenario has consecutive EUIs of one owner.
 * A run is four numbers, however many EUIs it has.
 */
import { assert } from '../../sim/base/assert.ts';

/** An EUI, whose it is, and how many that follow it are so, too; none when absent. */
export type OwnedRun = readonly [eui: string, owner: string, following?: number];

const EUI = /^[0-9A-F]{16}$/;
/** Digits of half an EUI. */
const HALF = 8;

interface Run {
  /** Halves of the first EUI, unsigned 32 bits. */
  readonly high: number;
  readonly low: number;
  following: number;
  readonly owner: string;
}

export class OwnedRuns {
  /** By run, in the order of EUIs: as in `Run`, the owner by its place in `#owners`. */
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  readonly #following: Uint32Array;
  readonly #owner: Uint32Array;
  readonly #owners: readonly string[];
  /** The run that was found last: its first and last EUI, and whose it is. */
  #first = '';
  #last = '';
  #lastOwner: string | undefined;

  /** EUIs of 16 upper-case digits, in any order; each has one owner. */
  constructor(given: readonly OwnedRun[]) {
    const runs = joined(given);
    const places = new Map<string, number>();
    for (const { owner } of runs) if (!places.has(owner)) places.set(owner, places.size);
    this.#high = Uint32Array.from(runs, ({ high }) => high);
    this.#low = Uint32Array.from(runs, ({ low }) => low);
    this.#following = Uint32Array.from(runs, ({ following }) => following);
    this.#owner = Uint32Array.from(runs, ({ owner }) => places.get(owner)!);
    this.#owners = [...places.keys()];
  }

  get isEmpty(): boolean {
    return this.#high.length === 0;
  }

  /** Undefined: it is in no run. Neighbours are asked after each other as a rule. */
  ownerOf(eui: string): string | undefined {
    if (this.isEmpty || !EUI.test(eui)) return undefined;
    // Texts of 16 upper-case digits are in the order of what they say.
    if (eui >= this.#first && eui <= this.#last) return this.#lastOwner;
    const { high, low } = halvesOf(eui);
    const at = this.#lastUntil(high, low);
    if (at < 0 || this.#high[at] !== high) return undefined;
    const start = this.#low[at]!;
    const following = this.#following[at]!;
    if (low - start > following) return undefined;
    this.#first = hex(high) + hex(start);
    this.#last = hex(high) + hex(start + following);
    this.#lastOwner = this.#owners[this.#owner[at]!];
    return this.#lastOwner;
  }

  /** The runs, in the order of EUIs. */
  save(): readonly OwnedRun[] {
    return Array.from(this.#high, (high, i) => {
      const eui = hex(high) + hex(this.#low[i]!);
      const owner = this.#owners[this.#owner[i]!]!;
      const following = this.#following[i]!;
      return following === 0 ? [eui, owner] : [eui, owner, following];
    });
  }

  /** The last run that begins at this EUI or before it; −1: none does. */
  #lastUntil(high: number, low: number): number {
    let [least, most] = [0, this.#high.length];
    while (least < most) {
      const middle = (least + most) >> 1;
      const isAfter = (this.#high[middle]! - high || this.#low[middle]! - low) > 0;
      if (isAfter) most = middle;
      else least = middle + 1;
    }
    return least - 1;
  }
}

/** Runs in the order of EUIs, each as long as it can be. */
function joined(given: readonly OwnedRun[]): readonly Run[] {
  const sorted = given
    .map(([eui, owner, following = 0]): Run => ({ ...halvesOf(eui), following, owner }))
    .sort((one, other) => one.high - other.high || one.low - other.low);
  const runs: Run[] = [];
  for (const run of sorted) {
    const last = runs.at(-1);
    const gap =
      last === undefined || last.high !== run.high ? 1 : run.low - last.low - last.following;
    assert(gap > 0, 'an EUI has one owner');
    if (last?.high === run.high && gap === 1 && last.owner === run.owner) {
      last.following += 1 + run.following;
    } else runs.push(run);
  }
  return runs;
}

const halvesOf = (eui: string) => ({
  high: Number.parseInt(eui.slice(0, HALF), 16),
  low: Number.parseInt(eui.slice(HALF), 16),
});

const hex = (half: number): string => half.toString(16).toUpperCase().padStart(HALF, '0');
