/**
 * Ids. Device groups of the firmware update service have 6 letters and digits, its other resources
 * the form of a UUID. What device and gateway management has gets 8 letters and digits. The
 * platform assigns them from the world's seeded stream; what a scenario's file creates comes with
 * an id of its name.
 */
import { assert } from '../../sim/base/assert.ts';
import { DrawPurpose, draw, entityKey, type Seed, toBelow } from '../../sim/base/random.ts';

/** 32 random bits for a counter: a pure function of it. */
export type Draws = (counter: number) => number;

const ALPHANUMERICS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHORT_ID_LENGTH = 6;
const MEDIUM_ID_LENGTH = 8;
const UUID_WORDS = 4;

export type IdForm = 'short' | 'medium' | 'uuid';

type IsTaken = (id: string) => boolean;
const nothingIsTaken: IsTaken = () => false;

/** What ids look like. */
export const SHORT_ID = {
  type: 'text',
  pattern: /^[0-9A-Za-z]{6}$/,
  allowed: '6 letters and digits',
} as const;

export const MEDIUM_ID = {
  type: 'text',
  pattern: /^[0-9A-Za-z]{8}$/,
  allowed: '8 letters and digits',
} as const;

export const UUID = {
  type: 'text',
  pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  allowed: 'a UUID of version 4 in lower case',
} as const;

/** Rows of the id that a scenario's file gives to what it creates; one that is free if absent. */
const given = { only: 'scenario', is: 'Its id.' } as const;
export const SHORT_ID_GIVEN = { ...SHORT_ID, ...given } as const;
export const MEDIUM_ID_GIVEN = { ...MEDIUM_ID, ...given } as const;
export const UUID_GIVEN = { ...UUID, ...given } as const;

export class Ids {
  readonly #draws: Draws;
  #drawn = 0;

  constructor(draws: Draws) {
    this.#draws = draws;
  }

  /** Six alphanumeric characters that are not taken. */
  short(isTaken: IsTaken = nothingIsTaken): string {
    return this.#free(isTaken, () => this.#characters(SHORT_ID_LENGTH));
  }

  /** Eight of them. */
  medium(isTaken: IsTaken = nothingIsTaken): string {
    return this.#free(isTaken, () => this.#characters(MEDIUM_ID_LENGTH));
  }

  /** A UUID of version 4 (RFC 9562 §5.4), lower case; 122 random bits. */
  uuid(isTaken: IsTaken = nothingIsTaken): string {
    return this.#free(isTaken, () => this.#uuid());
  }

  #free(isTaken: IsTaken, drawn: () => string): string {
    for (;;) {
      const id = drawn();
      if (!isTaken(id)) return id;
    }
  }

  #characters(length: number): string {
    const next = () => ALPHANUMERICS[toBelow(this.#next(), ALPHANUMERICS.length)];
    return Array.from({ length }, next).join('');
  }

  #uuid(): string {
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

/**
 * The id of what a scenario's file creates: a pure function of seed, resource and name, and of what
 * is taken where two names meet in one id.
 */
export function namedId(
  form: IdForm,
  seed: Seed,
  resource: string,
  name: string,
  isTaken: IsTaken = nothingIsTaken,
): string {
  const { key0, key1 } = entityKey(seed, `${resource} ${name}`);
  return idFrom((counter) => draw(key0, key1, DrawPurpose.id, counter), form, isTaken);
}

/** An id of draws that are nothing else's. */
export const idFrom = (draws: Draws, form: IdForm, isTaken: IsTaken = nothingIsTaken): string =>
  new Ids(draws)[form](isTaken);
