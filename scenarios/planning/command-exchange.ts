/**
 * Number of own uplinks that a class A device needs until a number of commands is answered, in
 * closed form.
 *
 * An uplink that is heard opens windows for a command; an answer opens windows for the next one. So
 * each uplink begins a chain of exchanges that goes on until a frame is lost. The number of
 * exchanges that are left is a Markov chain by the device's uplinks.
 */

/** Probabilities that an own uplink is heard, and that a command and its answer both are. */
export interface Exchange {
  readonly heard: number;
  readonly answered: number;
}

/** Most uplinks of a wait. */
const MOST_UPLINKS = 10_000;

/** Shares of devices that are finished after 0, 1, 2 … uplinks, up to the first from `share` on. */
export function throughAfter(
  exchanges: number,
  { heard, answered }: Exchange,
  share: number,
): readonly number[] {
  // By the number of exchanges that are left.
  let left: readonly number[] = [...Array<number>(exchanges).fill(0), 1];
  const through = [left[0]!];
  while (through.at(-1)! < share && through.length <= MOST_UPLINKS) {
    const next = left.map((chance) => chance * (1 - heard));
    for (let from = 0; from <= exchanges; from++) {
      let goesOn = left[from]! * heard;
      for (let to = from; to >= 0; to--) {
        // The last state is left no more; each other one ends the chain with a lost frame.
        next[to]! += to === 0 ? goesOn : goesOn * (1 - answered);
        goesOn *= answered;
      }
    }
    left = next;
    through.push(left[0]!);
  }
  return through;
}

/** Own uplinks of a device until this share of devices is finished. */
export const uplinksUntil = (exchanges: number, exchange: Exchange, share: number): number =>
  throughAfter(exchanges, exchange, share).length - 1;

/**
 * Periods until this share of devices is finished, where the first uplink of each comes at a random
 * instant of the first period.
 */
export function periodsUntil(exchanges: number, exchange: Exchange, share: number): number {
  const through = throughAfter(exchanges, exchange, share);
  const last = through.length - 1;
  if (last === 0) return 0;
  const [before, after] = [through[last - 1]!, through[last]!];
  return last - 1 + Math.min(1, (share - before) / (after - before));
}

/** As good as all devices. */
const NEARLY_ALL = 0.999_999;

/** Share of devices that are finished after this number of own uplinks. */
export function finishedAfter(exchanges: number, exchange: Exchange, uplinks: number): number {
  const through = throughAfter(exchanges, exchange, NEARLY_ALL);
  return through[Math.min(uplinks, through.length - 1)]!;
}
