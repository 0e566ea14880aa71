/** Records: what derives from them is what would be made anew, whatever came before. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Store } from '../../core/base/store.ts';
import { Digest } from '../../sim/kernel/digest.ts';

interface Thing {
  readonly owner: string;
  readonly id: string;
  readonly tags: readonly string[];
  readonly size: number;
}

type Act =
  | { readonly act: 'put'; readonly thing: Thing }
  | { readonly act: 'remove'; readonly owner: string; readonly id: string }
  /** A digest, and what indexes and lists say: each may make something that is then stored. */
  | { readonly act: 'ask' };

const owner = fc.constantFrom('ann', 'bob');
/** The same for both owners only where no two may have it. */
const id = fc.constantFrom('x', 'y', 'z', '10', '9');
const thing = fc.record({
  owner,
  id,
  tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
  size: fc.nat(3),
});
const acts = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ act: fc.constant('put' as const), thing }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('remove' as const), owner, id }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('ask' as const) }) },
  ) as fc.Arbitrary<Act>,
  { maxLength: 40 },
);

const newStore = () =>
  new Store('things', ({ id }: Thing) => id, { tag: ({ tags }: Thing) => tags });
type Things = ReturnType<typeof newStore>;

function hexOf(store: Things): string {
  const digest = new Digest();
  store.saving.fold(digest);
  return digest.hex();
}

const everything = (store: Things) => ({
  hex: hexOf(store),
  all: store.all(),
  lists: ['ann', 'bob', 'eve'].map((who) => store.list(who)),
  tagged: ['a', 'b', 'c', 'd'].map((tag) => store.by('tag', tag)),
  known: ['x', 'nothing'].map((key) => store.ofAnybody(key) !== undefined),
});

function carryOut(store: Things, given: readonly Act[]): Things {
  for (const each of given) {
    if (each.act === 'put') store.put(each.thing);
    else if (each.act === 'remove') store.remove(each.owner, each.id);
    else everything(store);
  }
  return store;
}

/** A store that has the records, put in the opposite order, and nothing else behind it. */
function anew(store: Things): Things {
  const fresh = newStore();
  for (const each of store.all().toReversed()) fresh.put(each);
  return fresh;
}

describe('a store of records', () => {
  it('folds, finds and lists as one that has the same records and no past', () => {
    fc.assert(
      fc.property(acts, (given) => {
        const store = carryOut(newStore(), given);
        expect(everything(store)).toEqual(everything(anew(store)));
      }),
      { numRuns: 500 },
    );
  });

  it('finds and lists what a look at all of its records finds, in the order of identity', () => {
    fc.assert(
      fc.property(acts, (given) => {
        const store = carryOut(newStore(), given);
        const all = [...store.all()];
        const inOrder = [...all].sort((one, other) =>
          `${one.owner} ${one.id}` < `${other.owner} ${other.id}` ? -1 : 1,
        );
        expect(all).toEqual(inOrder);
        expect(store.list('bob')).toEqual(inOrder.filter((each) => each.owner === 'bob'));
        expect(store.by('tag', 'a')).toEqual(inOrder.filter(({ tags }) => tags.includes('a')));
        const x = all.filter((each) => each.id === 'x');
        expect(store.ofAnybody('x') === undefined).toBe(x.length === 0);
      }),
    );
  });

  it('loads what it saved over whatever it has', () => {
    fc.assert(
      fc.property(acts, acts, (one, other) => {
        const store = carryOut(newStore(), one);
        const loaded = carryOut(newStore(), other);
        loaded.saving.load(store.saving.save());
        expect(everything(loaded)).toEqual(everything(store));
      }),
    );
  });

  it('folds differently when any record differs, is gone, or is another’s', () => {
    const base: Thing = { owner: 'ann', id: 'x', tags: ['a'], size: 0 };
    const second: Thing = { owner: 'bob', id: 'y', tags: [], size: 0 };
    const stores = [
      [],
      [base],
      [base, second],
      [second],
      [{ ...base, owner: 'bob' }, second],
      [{ ...base, tags: ['b'] }, second],
      [
        { ...base, id: 'y' },
        { ...second, id: 'x' },
      ],
      [{ ...base, size: 1 }, second],
      [base, { ...second, size: 1 }],
    ].map((things) => {
      const store = newStore();
      for (const each of things) store.put(each);
      return hexOf(store);
    });
    expect(new Set(stores).size).toBe(stores.length);
  });

  it('folds the records that changed, and no others', () => {
    const store = newStore();
    let read = 0;
    const counted = (number: number): Thing => ({
      owner: 'ann',
      id: `${number}`,
      tags: [],
      get size() {
        read++;
        return number;
      },
    });
    const readIn = (work: () => void) => {
      read = 0;
      work();
      return read;
    };
    for (let i = 1; i <= 10_000; i++) store.put(counted(i));
    const first = readIn(() => hexOf(store));
    expect(first).toBeGreaterThanOrEqual(10_000);
    expect(readIn(() => hexOf(store))).toBe(0);
    store.put(counted(5));
    store.remove('ann', '7');
    expect(readIn(() => hexOf(store))).toBe(first / 10_000);
  });

  it('whose records nobody put folds nothing', () => {
    expect(hexOf(newStore())).toBe(new Digest().hex());
  });
});
