import { createHook } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { drawBytes } from '../../../api/host/accounts/secrets.ts';
import { KnownAccounts } from '../../support/known-accounts.ts';
import { separability } from '../../support/separability.ts';

const PASSWORD = 'Correct-Horse-1';

/** How often scrypt runs meanwhile. */
async function derivationsIn(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({ init: (_, type) => type === 'SCRYPTREQUEST' && count++ });
  hook.enable();
  await work().finally(() => hook.disable());
  return count;
}

describe('accounts', () => {
  it('are those that a scenario names, in its order', () => {
    const { planned } = new KnownAccounts({ subscribers: [{ id: 'north' }, { id: 'south' }] });
    expect(planned.map(({ subscriber }) => subscriber)).toEqual(['north', 'south']);
    expect(planned.map(({ username }) => username)).toEqual(['user-1', 'user-2']);
  });

  it('have ids that are functions of the seed and of who came before', () => {
    const idsOf = (seed: string) => {
      const known = new KnownAccounts({ seed });
      return [known.first, known.add({ name: 'x' }), known.add()].map((each) => {
        return [each.subscriber, each.clientId, each.username];
      });
    };
    expect(idsOf('a')).toEqual(idsOf('a'));
    const [one, other] = [idsOf('a').flat(), idsOf('b').flat()];
    expect(one[1]).not.toBe(other[1]);
    for (const id of [one[1], one[3], one[4]]) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it('draw secrets that no seed reports', () => {
    const key = drawBytes(32);
    const [one, other] = [new KnownAccounts({ key }).first, new KnownAccounts({ key }).first];
    expect(one.clientSecret.reveal()).not.toBe(other.clientSecret.reveal());
    expect(one.password.reveal()).not.toBe(other.password.reveal());
    expect(one.clientSecret.reveal()).not.toBe(one.password.reveal());
  });

  it('know a client by its own secret and a user by its own password', async () => {
    const known = new KnownAccounts();
    const { accounts, first: one } = known;
    const other = known.add();
    const secrets = [one.clientSecret, one.password, other.clientSecret, other.password];
    const right = secrets.map((secret) =>
      accounts.authenticateClient(one.clientId, secret.reveal()),
    );
    expect(right.map((client) => client?.subscriber)).toEqual([
      'default',
      undefined,
      undefined,
      undefined,
    ]);
    const users = await Promise.all(
      secrets.map((secret) => accounts.authenticateUser(one.username, secret.reveal())),
    );
    expect(users.map((user) => user?.subscriber)).toEqual([
      undefined,
      'default',
      undefined,
      undefined,
    ]);
    const created = accounts.authenticateClient(other.clientId, other.clientSecret.reveal());
    expect(created?.subscriber).toBe(other.subscriber);
    expect(accounts.authenticateClient('nobody', one.clientSecret.reveal())).toBeUndefined();
    expect(accounts.authenticateClient(one.username, one.password.reveal())).toBeUndefined();
  });

  it('void the old secret at once when there is a new one', () => {
    const known = new KnownAccounts();
    const { accounts, first } = known;
    const { clientId, clientSecret } = first;
    const other = known.add();
    const before = accounts.generationOf(accounts.ofClient(clientId)!);
    const secret = known.renewSecret(first).reveal();
    expect(accounts.authenticateClient(clientId, clientSecret.reveal())).toBeUndefined();
    expect(accounts.authenticateClient(clientId, secret)?.name).toBe(clientId);
    expect(accounts.generationOf(accounts.ofClient(clientId)!)).not.toBe(before);
    expect(accounts.authenticateClient(other.clientId, other.clientSecret.reveal())).toBeDefined();
  });

  it('know a user by the password that he has chosen, in any form of its letters', async () => {
    const known = new KnownAccounts();
    const { accounts, first } = known;
    const other = known.add();
    const begun = first.password.reveal();
    await known.changePassword(first, begun, 'Pässword-12345');
    const isRight = async (name: string, password: string) =>
      (await accounts.authenticateUser(name, password)) !== undefined;
    expect(await isRight(first.username, 'Pässword-12345')).toBe(true);
    expect(await isRight(first.username, 'Pa\u0308ssword-12345')).toBe(true);
    expect(await isRight(first.username, begun)).toBe(false);
    expect(await isRight(other.username, other.password.reveal())).toBe(true);
    expect(await isRight(other.username, 'Pässword-12345')).toBe(false);
    expect(await isRight('nobody', 'Pässword-12345')).toBe(false);
  });
});

describe('guessing', () => {
  const known = new KnownAccounts();
  const { accounts, first } = known;
  const { clientId } = first;
  const unknown = `${clientId.slice(1)}0`;

  it('a client takes as long whether it is known or not', async () => {
    const one = () => accounts.authenticateClient(clientId, 'fw_guess');
    const other = () => accounts.authenticateClient(unknown, 'fw_guess');
    expect(await separability(one, other)).toBeLessThan(0.1);
  });

  it('would show if the unknown were answered at once', async () => {
    const hasty = (id: string) => () =>
      accounts.ofClient(id) && accounts.authenticateClient(id, 'fw_guess');
    expect(await separability(hasty(clientId), hasty(unknown))).toBeGreaterThan(0.4);
  });

  it('a password takes a derivation for everybody, once one is chosen', async () => {
    const chosen = new KnownAccounts();
    const other = chosen.add();
    await chosen.changePassword(chosen.first, chosen.first.password.reveal(), PASSWORD);
    for (const name of [chosen.first.username, other.username, 'nobody']) {
      const guess = () => chosen.accounts.authenticateUser(name, 'wrong');
      expect(await derivationsIn(guess)).toBe(1);
    }
  });
});

describe('a change of a password', () => {
  it('derives nothing before its shape is right, nor by old salts for who guesses', async () => {
    const known = new KnownAccounts();
    const { accounts, first } = known;
    const chosen = ['Correct-Horse-1', 'Correct-Horse-2'];
    let current = first.password.reveal();
    for (const next of chosen) {
      await known.changePassword(first, current, next);
      current = next;
    }
    const user = () => accounts.ofUser(first.username)!;
    const cost = (given: string, next: string) =>
      derivationsIn(() => accounts.changeOf(user(), given, next));
    expect(await cost(current, 'Short-Pass1')).toBe(0);
    expect(await cost(current, 'lower-case-only')).toBe(0);
    expect(await cost('wrong', 'Correct-Horse-3')).toBe(1);
    // The present one, each of two that were chosen, and the new one by its own salt.
    expect(await cost(current, 'Correct-Horse-3')).toBe(1 + chosen.length + 1);
  });
});
