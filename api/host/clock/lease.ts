/**
 * Lease on virtual time: how far a world may run without another journal write. After a crash a
 * world must not be earlier than a client has seen it. So the journal records each instant before
 * the world reaches it. Leases are written ahead of the clock, so no request waits for the disk.
 */
import type { HostTime } from './host-time.ts';

export interface Lease {
  /** How far it may go now; more is asked for where it needs that soon. */
  reach(nowUs: number, wish: Wish): number;
  /** It stands here until somebody lets it go on: begun again, it is here and no further. */
  settle(nowUs: number): void;
  /** Called when the lease is longer, or when it may be requested again after a failure. */
  onMore: () => void;
  /** How long nobody may look after it, ms of wall time: what is due meanwhile is leased. */
  readonly longestSleepMs: number;
}

export interface Wish {
  /** Where it wants to be, and where it may want to be at the most, µs. */
  readonly untilUs: number;
  readonly mostUs: number;
  /** Virtual time that it may need soon, µs; undefined: as fast as it goes. */
  readonly aheadUs?: number;
}

/** Lease of a world without a journal: unlimited. */
export const noLease = (): Lease => ({
  reach: (_, { untilUs }) => untilUs,
  settle: () => undefined,
  onMore: () => undefined,
  longestSleepMs: 1_000,
});

const SECOND_US = 1_000_000;
/** At full speed a lease shall last that long, ms of wall time, within a factor of four. */
const LASTS_MS = 200;
const MOST_AHEAD_US = 86_400 * SECOND_US;
/** What a full disk has refused is asked for again after so long, ms of wall time. */
const ASKS_AGAIN_MS = 1_000;

export interface LeaseNeeds {
  /** Writes that the world may come to an instant; `done` once that is durable, or is refused. */
  readonly write: (atUs: number, done: (isStored: boolean) => void) => void;
  readonly time: Pick<HostTime, 'elapsedMs' | 'later'>;
}

export class JournalLease implements Lease {
  readonly #needs: LeaseNeeds;
  #grantedUs: number;
  #asksFor: number | undefined;
  /** At full speed. */
  #aheadUs = SECOND_US;
  #grantedAtMs = 0;
  onMore: () => void = () => undefined;
  readonly longestSleepMs = 200;

  /** Up to here the journal has it already. */
  constructor(needs: LeaseNeeds, grantedUs: number) {
    this.#needs = needs;
    this.#grantedUs = grantedUs;
  }

  reach(nowUs: number, { untilUs, mostUs, aheadUs }: Wish): number {
    const leftUs = this.#grantedUs - nowUs;
    const wantsUs = aheadUs ?? this.#aheadUs;
    const needsMore = leftUs < wantsUs / 2 && this.#grantedUs < mostUs;
    if (needsMore && this.#asksFor === undefined) {
      if (aheadUs === undefined) this.#learn();
      this.#ask(Math.min(mostUs, Math.max(nowUs, this.#grantedUs) + (aheadUs ?? this.#aheadUs)));
    }
    return Math.min(untilUs, Math.max(nowUs, this.#grantedUs));
  }

  settle(nowUs: number): void {
    if (this.#grantedUs === nowUs && this.#asksFor === undefined) return;
    this.#asksFor = undefined;
    this.#grantedUs = nowUs;
    this.#needs.write(nowUs, () => undefined);
  }

  #ask(untilUs: number): void {
    this.#asksFor = untilUs;
    this.#needs.write(untilUs, (isStored) => {
      // It has settled meanwhile.
      if (this.#asksFor !== untilUs) return;
      this.#asksFor = undefined;
      if (!isStored) return void this.#needs.time.later(() => this.onMore(), ASKS_AGAIN_MS);
      this.#grantedUs = untilUs;
      this.#grantedAtMs = this.#needs.time.elapsedMs();
      this.onMore();
    });
  }

  /** Longer leases where the last one was short, and shorter ones where it was long. */
  #learn(): void {
    const lastedMs = this.#needs.time.elapsedMs() - this.#grantedAtMs;
    if (lastedMs < LASTS_MS / 2) this.#aheadUs = Math.min(MOST_AHEAD_US, 4 * this.#aheadUs);
    else if (lastedMs > LASTS_MS * 2) this.#aheadUs = Math.max(SECOND_US, this.#aheadUs / 4);
  }
}
