/**
 * Ids that the platform assigns, from the world's seeded stream: 6 characters for device groups,
 * UUID form for all other resources of the firmware update service.
 */
import { assert } from '../../sim/base/assert.ts';
import { toBelow } from '../../sim/base/random.ts';

/** 32 random bits for a counter: a pure function of it. */
export type Draws = (counter: number) => number;

const ALPHANUMERICS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHORT_ID_LENGTH = 6;
const UUID_WORDS = 4;

export class Ids {
  readonly #draws: Draws;
  #drawn = 0;

  constructor(draws: Draws) {
    this.#draws = draws;
  }

  /** Six alphanumeric characters that `isTaken` does not know. */
  short(isTaken: (id: string) => boolean): string {
    for (;;) {
      const characters = Array.from(
        { length: SHORT_ID_LENGTH },
        () => ALPHANUMERICS[toBelow(this.#next(), ALPHANUMERICS.length)],
      );
      const id = characters.join('');
      if (!isTaken(id)) return id;
    }
  }

  /** A UUID of version 4 (RFC 9562 §5.4), lower case; 122 random bits. */
  uuid(): string {
    const words = Array.from({ length: UUID_WORDS }, () => this.#next() >>> 0);
    const digits = words.map((word) => word.toString(16).padStart(8, '0')).join('');
    const variant = '89ab'[Number.parseInt(digits[16]!, 16) & 3]!;
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(13, 16)}`,
      variant + digits.slice(17, 20),
      digits.slice(20),
    ].join('-');
  }

  /** Draws used up so far. */
  save(): number {
    return this.#drawn;
  }

  load(saved: number): void {
    assert(saved >= 0, 'a number of draws is saved');
    this.#drawn = saved;
  }

  #next(): number {
    return this.#draws(this.#drawn++);
  }
}
