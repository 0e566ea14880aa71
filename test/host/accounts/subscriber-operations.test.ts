import { describe, expect, it } from 'vitest';
import { subscriberOperations } from '../../../api/host/accounts/subscriber-operations.ts';
import type { HostAsking, HostOperation } from '../../../api/host/requests/host-operation.ts';
import { DEFAULT_SUBSCRIBER } from '../../../core/base/subscribers.ts';
import { PERMISSIONS, type Permission } from '../../../core/rows/permissions.ts';
import type { Result } from '../../../sim/base/result.ts';
import { KnownAccounts } from '../../support/known-accounts.ts';
import { readFields } from '../../support/read-fields.ts';

/**
 * As the entry point asks: fields are read by the rows first, and the answer is what the rows have.
 */
async function ask(operation: HostOperation, given: object, asking: Partial<HostAsking> = {}) {
  const at = { path: '', name: 'request', failure: 'request.malformed' };
  const read = readFields(operation.takes, given, at);
  if (!read.ok) return read;
  const { signal } = new AbortController();
  const asked = { by: DEFAULT_SUBSCRIBER, respondAsync: false, signal, ...asking };
  const answer = await operation.handle(read.value as never, asked);
  const result = answer as Result<Record<string, unknown>>;
  if (result.ok && operation.answers?.type === 'record') {
    const shown = readFields(operation.answers.fields, result.value, at);
    expect(shown).toEqual({ ok: true, value: result.value });
  }
  return result;
}

function entry() {
  const { accounts, served } = new KnownAccounts();
  const operations = subscriberOperations(served, accounts);
  const known = () => served.facts.accounts.subscriber.all;
  const create = (subscriber: object, asking?: Partial<HostAsking>) =>
    ask(operations['subscriber.create'], { subscriber }, asking);
  const list = () => ask(operations['subscriber.list'], {});
  return { accounts, operations, create, list, known };
}

const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.failure.code);
const valueIn = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
};

describe('subscriber.create', () => {
  it('answers with an application and a user, and their secrets this once', async () => {
    const { accounts, create, list } = entry();
    const created = valueIn(await create({ name: 'North' }));
    expect(created).toMatchObject({ name: 'North', username: 'user-2' });
    const { client_id, client_secret, username, password } = created as Record<string, string>;
    expect(accounts.authenticateClient(client_id!, client_secret!)?.title).toBe('North');
    expect((await accounts.authenticateUser(username!, password!))?.name).toBe(username);
    const listed = JSON.stringify(valueIn(await list()));
    expect(listed).toContain(client_id);
    for (const secret of [client_secret!, password!]) expect(listed).not.toContain(secret);
  });

  it('gives all permissions but those of the simulator, or those that are reported', async () => {
    const { create } = entry();
    const usual = valueIn(await create({})) as { permissions: Permission[] };
    expect(usual.permissions).toEqual(PERMISSIONS.filter((each) => !each.includes('Simulator')));
    const lines = ['Device.Read', 'Simulator.Read', 'Device.Read'];
    const created = valueIn(await create({ permissions: lines })) as { permissions: Permission[] };
    expect(created.permissions).toEqual(['Device.Read', 'Simulator.Read']);
    expect(valueIn(await create({ permissions: [] }))).toMatchObject({ permissions: [] });
  });

  it('gives nobody a permission that the caller lacks, by account or by token', async () => {
    const { known, create } = entry();
    const poor: Permission[] = ['Simulator.Create', 'Device.Read'];
    const by = String(valueIn(await create({ permissions: poor })).id);
    const before = known().length;
    for (const asking of [{ by }, { permissions: poor }]) {
      expect(codeOf(await create({ permissions: ['Device.Update'] }, asking))).toBe(
        'subscriber.forbidden',
      );
      expect(codeOf(await create({}, asking))).toBe('subscriber.forbidden');
      expect(known()).toHaveLength(before);
    }
    expect(codeOf(await create({ permissions: ['Device.Read'] }, { by }))).toBe('ok');
  });

  it('keeps nothing of what it is not asked for', async () => {
    const { create } = entry();
    const given = { id: 'mine', subscriber: 'default', client_secret: 'fw_mine', username: 'me' };
    const created = valueIn(await create(given));
    for (const value of Object.values(given)) expect(Object.values(created)).not.toContain(value);
  });

  it.each([
    [{ name: '' }, 'subscriber.name'],
    [{ name: 'x'.repeat(251) }, 'subscriber.name'],
    [{ name: 'a\nb' }, 'subscriber.name'],
    [{ name: 1 }, 'subscriber.name'],
    [{ permissions: 'Device.Read' }, 'subscriber.permissions'],
    [{ permissions: ['device.read'] }, 'subscriber.permissions'],
    [{ permissions: Array(29).fill('Device.Read') }, 'subscriber.permissions'],
  ])('refuses %o', async (given, code) => {
    const { known, operations, create } = entry();
    expect(codeOf(await create(given))).toBe(code);
    expect(operations['subscriber.create'].fails[code]).toBe('malformed');
    expect(known()).toHaveLength(1);
  });

  it('takes a name of 250 characters', async () => {
    expect(codeOf(await entry().create({ name: 'x'.repeat(250) }))).toBe('ok');
  });
});

describe('subscriber.list', () => {
  it('has all subscribers in the order in which they came, and changes none', async () => {
    const { create, list } = entry();
    for (const name of ['b', 'a']) await create({ name });
    const once = valueIn(await list());
    const names = (once.subscribers as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual([DEFAULT_SUBSCRIBER, 'b', 'a']);
    expect(await list()).toEqual({ ok: true, value: once });
  });

  it('reports every permission of who may do all', async () => {
    const [first] = valueIn(await entry().list()).subscribers as { permissions: Permission[] }[];
    expect(first?.permissions).toEqual(PERMISSIONS);
  });
});

describe('both', () => {
  it('need a permission for the simulator, and know every failure that they answer with', () => {
    const { operations } = entry();
    expect(operations['subscriber.create'].needs).toEqual({ object: 'Simulator', verb: 'create' });
    expect(operations['subscriber.list'].needs).toEqual({ object: 'Simulator', verb: 'list' });
    expect(operations['subscriber.create'].fails).toMatchObject({
      'subscriber.forbidden': 'forbidden',
      'subscriber.full': 'full',
    });
  });
});
