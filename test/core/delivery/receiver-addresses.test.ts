/** Which receiver an address is of: its own, or the longest pattern that fits. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Addresses } from '../../../core/delivery/receivers/addresses.ts';

interface Receiver {
  readonly at: string;
  readonly name: string;
}

const addressesOf = (...receivers: readonly (readonly [at: string, name: string])[]) => {
  const lists: Record<string, Receiver[]> = { ann: receivers.map(([at, name]) => ({ at, name })) };
  const asked: string[] = [];
  const addresses = new Addresses((owner: string) => {
    asked.push(owner);
    return lists[owner] ?? [];
  });
  return { addresses, lists, asked };
};

/** Another way to say which addresses a pattern has. */
const expressionOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.]/g, '\\.'))
      .join('.*')}$`,
    's',
  );

describe('an address', () => {
  it('is of the receiver that names it, before any pattern, and of the first of two', () => {
    const { addresses } = addressesOf(
      ['https://x.example/*', 'pattern'],
      ['https://x.example/in', 'first'],
      ['https://x.example/in', 'second'],
    );
    expect(addresses.find('ann', 'https://x.example/in')).toBe('first');
    expect(addresses.find('ann', 'https://x.example/out')).toBe('pattern');
    expect(addresses.find('ann', 'https://y.example/in')).toBeUndefined();
    expect(addresses.find('bob', 'https://x.example/in')).toBeUndefined();
  });

  it('is of the longest pattern that fits, and of the first of two as long', () => {
    const { addresses } = addressesOf(
      ['*', 'all'],
      ['https://*', 'secure'],
      ['*in', 'in'],
      ['*ab', 'one'],
      ['ab*', 'two'],
    );
    const found = ['https://x/in', 'http://x/in', 'http://x', 'abab', ''].map((address) =>
      addresses.find('ann', address),
    );
    expect(found).toEqual(['secure', 'in', 'all', 'one', 'all']);
  });

  it('fits a pattern as an expression says that has anything for each star', () => {
    const texts = (letters: string) =>
      fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((all) => all.join(''));
    fc.assert(
      fc.property(texts('ab.*'), texts('ab.'), (pattern, address) => {
        fc.pre(pattern.includes('*'));
        const { addresses } = addressesOf([pattern, 'one']);
        const expected = expressionOf(pattern).test(address) ? 'one' : undefined;
        expect(addresses.find('ann', address)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['ab*ba', 'aba', false],
    ['ab*b*ba', 'abba', false],
    ['ab*b*ba', 'abbba', true],
    ['*ab*ab', 'ab', false],
    ['*ab*ab', 'abab', true],
  ])('of a pattern %s has no letter twice: %s', (pattern, address, fits) => {
    expect(addressesOf([pattern, 'one']).addresses.find('ann', address) === 'one').toBe(fits);
  });
});

describe('what is known of addresses', () => {
  it('is found once, until the receivers of an owner change, or all do', () => {
    const { addresses, lists, asked } = addressesOf(['x', 'one']);
    const find = () => addresses.find('ann', 'x');
    expect([find(), find(), addresses.find('ann', 'y')]).toEqual(['one', 'one', undefined]);
    expect(asked).toEqual(['ann']);
    lists.ann = [{ at: 'x', name: 'two' }];
    expect(find()).toBe('one');
    addresses.changed('bob');
    expect(find()).toBe('one');
    addresses.changed('ann');
    expect(find()).toBe('two');
    lists.ann = [];
    addresses.forget();
    expect(find()).toBeUndefined();
    expect(asked).toEqual(['ann', 'ann', 'ann']);
  });

  it('is right of more addresses than are remembered', () => {
    const { addresses } = addressesOf(['*7', 'seven']);
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 20_500; n++) {
        const found = addresses.find('ann', `${n}`);
        if (found !== (n % 10 === 7 ? 'seven' : undefined)) expect.fail(`${n} is of ${found}`);
      }
    }
  });
});
