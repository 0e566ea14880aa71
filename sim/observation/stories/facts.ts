/** What stories need of single events, beside transmissions: a kind with its numbers each. */
import { VarintReader, VarintWriter } from '../../base/varints.ts';

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
const LENGTHS = KINDS.map((kind) => FACTS[kind].length);

/** Numbers of facts one after the other, each after the number of its kind; in bytes. */
export function writtenFacts(numbers: readonly number[]): Uint8Array {
  const writer = new VarintWriter();
  let before = 0;
  for (let at = 0; at < numbers.length; ) {
    const kind = numbers[at]!;
    const length = LENGTHS[kind]!;
    writer.unsigned(kind);
    writer.unsigned(numbers[at + 1]!);
    writer.signed(numbers[at + 2]! - before);
    before = numbers[at + 2]!;
    for (let i = 3; i <= length; i++) writer.signed(numbers[at + i]!);
    at += 1 + length;
  }
  return writer.taken();
}

export function* readFacts(bytes: Uint8Array): Generator<StoryFact> {
  const reader = new VarintReader(bytes);
  let before = 0;
  while (!reader.isAtEnd) {
    const kind = KINDS[reader.unsigned()]!;
    const [who, when, ...others] = FACTS[kind];
    const fact: Record<string, number> = { [who]: reader.unsigned() };
    before += reader.signed();
    fact[when] = before;
    for (const name of others) fact[name] = reader.signed();
    yield { kind, ...fact } as StoryFact;
  }
}
