import { describe, expect, it } from 'vitest';
import { Accounts, type Issued, MOST_SUBSCRIBERS } from '../../api/host/accounts.ts';
import { drawBytes } from '../../api/host/secrets.ts';
import { DEFAULT_SUBSCRIBER } from '../../core/base/subscribers.ts';
import { PERMISSIONS } from '../../core/kit/permissions.ts';
import { separability } from '../support/separability.ts';

const made = (seed = 'a', key = drawBytes(32)) => new Accounts({ seed, key, draw: drawBytes });

function added(accounts: Accounts, given: Parameters<Accounts['addSubscriber']>[0] = {}): Issued {
  const result = accounts.addSubscriber(given);
  if (!result.ok) throw new Error(result.failure.code);
  return result.value;
}

describe('accounts', () => {
  it('begin with the default subscriber, which may do all; further ones may not simulate', () => {
    const accounts = made();
    const [first, second] = [added(accounts), added(accounts)];
    expect(first.subscriber).toBe(DEFAULT_SUBSCRIBER);
    expect(first.permissions).toBeUndefined();
    expect(second.permissions).toHaveLength(24);
    expect(second.permissions?.some((each) => each.startsWith('Simulator'))).toBe(false);
    expect(PERMISSIONS).toHaveLength(28);
    const told = added(accounts, { permissions: ['Simulator.Read'] });
    expect(told.permissions).toEqual(['Simulator.Read']);
    expect(added(accounts, { permissions: [] }).permissions).toEqual([]);
  });

  it('have ids that are functions of the seed and of who came before', () => {
    const idsOf = (seed: string) => {
      const accounts = made(seed);
      return ['x', undefined, undefined].map((name) => {
        const { subscriber, clientId, username } = added(accounts, { name });
        return [subscriber, clientId, username];
      });
    };
    expect(idsOf('a')).toEqual(idsOf('a'));
    const [one, other] = [idsOf('a').flat(), idsOf('b').flat()];
    expect(one[1]).not.toBe(other[1]);
    for (const id of [one[1], one[3], one[4]]) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it('draw secrets that no seed tells', () => {
    const key = drawBytes(32);
    const [one, other] = [added(made('a', key)), added(made('a', key))];
    expect(one.clientSecret.reveal()).not.toBe(other.clientSecret.reveal());
    expect(one.password.reveal()).not.toBe(other.password.reveal());
    expect(one.clientSecret.reveal()).not.toBe(one.password.reveal());
  });

  it('are those that a scenario names, by its names', () => {
    const accounts = made();
    expect(added(accounts, { id: 'north' }).subscriber).toBe('north');
    expect(added(accounts, { id: 'south', name: 'South Ltd' }).name).toBe('South Ltd');
    expect(accounts.list().map(({ subscriber }) => subscriber)).toEqual(['north', 'south']);
    const again = accounts.addSubscriber({ id: 'north' });
    expect(!again.ok && again.failure.code).toBe('subscriber.exists');
    expect(accounts.list()).toHaveLength(2);
  });

  it('never answer with a secret after the first time', () => {
    const accounts = made();
    const { clientSecret, password, clientId, username } = added(accounts);
    const told = [accounts.list(), accounts.ofClient(clientId), accounts.ofUser(username)];
    const text = JSON.stringify(told);
    expect(text).toContain(clientId);
    for (const secret of [clientSecret, password]) expect(text).not.toContain(secret.reveal());
    expect(text).not.toContain('redacted');
  });

  it('know a client by its own secret and a user by its own password', () => {
    const accounts = made();
    const [one, other] = [added(accounts), added(accounts)];
    const secrets = [one.clientSecret, one.password, other.clientSecret, other.password];
    const right = secrets.map((secret) => [
      accounts.authenticateClient(one.clientId, secret.reveal())?.subscriber,
      accounts.authenticateUser(one.username, secret.reveal())?.subscriber,
    ]);
    expect(right.map(([client]) => client)).toEqual(['default', undefined, undefined, undefined]);
    expect(right.map(([, user]) => user)).toEqual([undefined, 'default', undefined, undefined]);
    expect(accounts.authenticateClient('nobody', one.clientSecret.reveal())).toBeUndefined();
    expect(accounts.authenticateClient(one.username, one.password.reveal())).toBeUndefined();
  });

  it('void the old secret at once when there is a new one', () => {
    const accounts = made();
    const [{ clientId, clientSecret }, other] = [added(accounts), added(accounts)];
    const before = accounts.generationOf(clientId);
    const renewed = accounts.renewSecret(clientId);
    const secret = renewed.ok ? renewed.value.reveal() : '';
    expect(accounts.authenticateClient(clientId, clientSecret.reveal())).toBeUndefined();
    expect(accounts.authenticateClient(clientId, secret)?.clientId).toBe(clientId);
    expect(accounts.generationOf(clientId)).not.toBe(before);
    expect(accounts.authenticateClient(other.clientId, other.clientSecret.reveal())).toBeDefined();
    const unknown = accounts.renewSecret('nobody');
    expect(!unknown.ok && unknown.failure.code).toBe('application.unknown');
  });

  it('are ten thousand at most, each with ids of its own', () => {
    const accounts = made();
    const all = Array.from({ length: MOST_SUBSCRIBERS }, () => added(accounts));
    for (const of of ['subscriber', 'clientId', 'username'] as const) {
      expect(new Set(all.map((each) => each[of])).size).toBe(10_000);
    }
    const more = accounts.addSubscriber({});
    expect(!more.ok && more.failure.code).toBe('subscriber.full');
    const last = all.at(-1)!;
    expect(accounts.authenticateClient(last.clientId, last.clientSecret.reveal())).toBeDefined();
  });
});

describe('guessing a client', () => {
  const accounts = made();
  const { clientId } = added(accounts);
  const unknown = `${clientId.slice(1)}0`;

  it('takes as long whether it is known or not', async () => {
    const known = () => accounts.authenticateClient(clientId, 'fw_guess');
    const other = () => accounts.authenticateClient(unknown, 'fw_guess');
    expect(await separability(known, other)).toBeLessThan(0.1);
  });

  it('would show if the unknown were answered at once', async () => {
    const hasty = (id: string) => () =>
      accounts.ofClient(id) && accounts.authenticateClient(id, 'fw_guess');
    expect(await separability(hasty(clientId), hasty(unknown))).toBeGreaterThan(0.4);
  });
});
