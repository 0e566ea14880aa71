/** What stories need of single events, beside transmissions: a kind with its numbers each. */
import { ArraysReader, bytesOfArrays } from '../../base/array-bytes.ts';

/** Kinds with the names of their numbers, in this order; −1 is none where a row says nothing. */
const FACTS = {
  /** When it is switched on, and parts per billion by which its clock runs fast; ABP: 1. */
  starts: ['device', 'atUs', 'driftPpb', 'isPersonalised'],
  /** A join accept was taken. */
  joined: ['device', 'atUs'],
  /** A multicast session opens; of class C there is no end of slots. */
  session: [
    'device',
    'atUs',
    'mcAddr',
    'opensAtUs',
    'closesAtUs',
    'slotsUntilUs',
    'spreadingFactor',
  ],
  /** The number of the fragment that completed a block, and when it was received. */
  completed: ['device', 'atUs', 'fragment'],
  activated: ['device', 'atUs', 'fwVersion'],
  /**
   * A downlink of an application: 0 or, from 1, why it was not sent; its window; the row of its
   * gateway; and its message, which is none where it is not in clear.
   */
  downlink: ['device', 'atUs', 'refusal', 'window', 'gateway', 'airtimeUs', 'messageAt'],
  /** Its fate at its device, which had locked on it. */
  downlinkEnds: ['device', 'atUs', 'fate'],
  /** The first copy of a frame of a multicast group, by its end. */
  groupFrame: ['mcAddr', 'atUs', 'counter'],
  /** The place of a seldom row among those. */
  row: ['place', 'atUs'],
} as const;

export type FactKind = keyof typeof FACTS;
type Fields<Kind extends FactKind> = (typeof FACTS)[Kind][number];
export type StoryFact = {
  [Kind in FactKind]: { readonly kind: Kind } & Readonly<Record<Fields<Kind>, number>>;
}[FactKind];

const KINDS = Object.keys(FACTS) as FactKind[];
export const FACT: Readonly<Record<FactKind, number>> = Object.fromEntries(
  KINDS.map((kind, number) => [kind, number]),
) as Record<FactKind, number>;

/** Facts one after the other: the number of a kind, then its numbers. */
export class FactLog {
  readonly #most: number;
  #numbers = new Float64Array(1_024);
  #length = 0;
  #isFull = false;

  /** `most`: numbers that it has room for. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether it lacks something: there was no room left. */
  get isFull(): boolean {
    return this.#isFull;
  }

  note(kind: number, who: number, when: number, ...others: number[]): void {
    const at = this.#length;
    const until = at + 3 + others.length;
    if (until > this.#most) this.#isFull = true;
    if (this.#isFull) return;
    if (until > this.#numbers.length) this.#grow(until);
    this.#numbers[at] = kind;
    this.#numbers[at + 1] = who;
    this.#numbers[at + 2] = when;
    for (let i = 0; i < others.length; i++) this.#numbers[at + 3 + i] = others[i]!;
    this.#length = until;
  }

  #grow(until: number): void {
    const room = new Float64Array(2 * until);
    room.set(this.#numbers);
    this.#numbers = room;
  }

  /** All of it in bytes. */
  written(): Uint8Array {
    return bytesOfArrays([this.#numbers.subarray(0, this.#length)]);
  }
}

/** What a `FactLog` wrote. */
export function* readFacts(bytes: Uint8Array): Generator<StoryFact> {
  const numbers = new ArraysReader(bytes).next(Float64Array);
  for (let at = 0; at < numbers.length; ) {
    const kind = KINDS[numbers[at++]!]!;
    const fact: Record<string, number> = {};
    for (const name of FACTS[kind]) fact[name] = numbers[at++]!;
    yield { kind, ...fact } as StoryFact;
  }
}
