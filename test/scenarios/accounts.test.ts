/** Accounts, roles and applications of a scenario file: there from the start, as planned. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import type { Result } from '../../sim/base/result.ts';
import { loadOrThrow } from '../support/sessions.ts';
import { faultsOf } from './scenario.ts';

const TOWN = `scenario: town
subscribers: [north, south]
devices: [{ name: meter }]
accounts:
  - { name: North Ltd, city: Ulm, email: n@example.org, firstName: Nora }
  - { subscriber: south, postalCode: '89073' }
roles:
  - { name: Watcher, permissions: [Device.Read, Gateway.Read] }
applications:
  - { name: dashboard, roles: [Watcher] }
  - { name: robot, roles: [Device operator, Gateway operator] }
  - { name: dashboard, subscriber: south }
`;

const worldOf = (text: string) => World.create(populate(loadOrThrow(text).scenario), 'accounts');

function asked(world: World, by: string) {
  const ask = (kind: 'account.get' | 'application.list' | 'role.list') => {
    const answer = world.ask({ kind, by }) as Result<unknown>;
    if (!answer.ok) throw new Error(answer.failure.code);
    return answer.value as Readonly<Record<string, never>>;
  };
  const roles = ask('role.list').Roles as readonly { Id: string; Name: string }[];
  const nameOf = (id: string) => roles.find(({ Id }) => Id === id)?.Name;
  const { Applications } = ask('application.list') as unknown as {
    readonly Applications: readonly { readonly Name: string; readonly Roles: readonly string[] }[];
  };
  return {
    account: ask('account.get'),
    roles: roles.map(({ Name }) => Name),
    applications: Object.fromEntries(
      Applications.map(({ Name, Roles }) => [Name, Roles.map(nameOf)]),
    ),
  };
}

describe('accounts of a scenario', () => {
  it('are of its subscribers, who see each their own', () => {
    const world = worldOf(TOWN);
    const [north, south] = [asked(world, 'north'), asked(world, 'south')];
    expect(north.account).toMatchObject({
      UserInfo: { Email: 'n@example.org', FirstName: 'Nora', LastName: '1' },
      SubscriberInfo: { Id: 'north', Name: 'North Ltd', City: 'Ulm', PostalCode: '' },
    });
    expect(south.account).toMatchObject({
      UserInfo: { Email: 'user-2@example.org' },
      SubscriberInfo: { Id: 'south', Name: 'south', City: '', PostalCode: '89073' },
    });
    expect(north.roles).toContain('Watcher');
    expect(south.roles).not.toContain('Watcher');
    expect(north.applications).toEqual({
      'North Ltd': ['Administrator'],
      dashboard: ['Watcher'],
      robot: ['Device operator', 'Gateway operator'],
    });
    expect(south.applications).toEqual({ south: ['Administrator'], dashboard: ['Read-only'] });
  });

  it('are the default subscriber’s in a file that names nobody', () => {
    const world = worldOf('scenario: a\ndevices: [{ name: m }]\napplications: [{ name: robot }]\n');
    expect(asked(world, 'default').applications).toEqual({
      default: ['Administrator'],
      robot: ['Read-only'],
    });
  });

  it('take no command: nothing of them stands in the timeline', () => {
    const without = TOWN.slice(0, TOWN.indexOf('accounts:'));
    const [one, other] = [TOWN, without].map((text) => populate(loadOrThrow(text).scenario));
    expect(one!.timeline).toEqual(other!.timeline);
  });

  it.each([
    ['roles: [{ name: Read-only, permissions: [] }]', '/roles/0/name'],
    ['roles: [{ name: A, permissions: [] }, { name: A, permissions: [] }]', '/roles/1/name'],
    ['roles: [{ name: A, permissions: [Device.Look] }]', '/roles/0/permissions/0'],
    ['applications: [{ name: a }, { name: a }]', '/applications/1/name'],
    ['applications: [{ name: a, roles: [Reader] }]', '/applications/0/roles/0'],
    ['applications: [{ name: a, subscriber: nobody }]', '/applications/0/subscriber'],
    ['accounts: [{ email: nobody }]', '/accounts/0/email'],
    ['accounts: [{ city: Ulm }, { subscriber: north }]', '/accounts/1'],
  ])('are refused where they cannot be: %s', (section, place) => {
    const faults = faultsOf(
      `scenario: a\nsubscribers: [north, south]\ndevices: [{ name: m }]\n${section}\n`,
    );
    expect(faults).toEqual([expect.stringContaining(`${place}  `)]);
  });
});
