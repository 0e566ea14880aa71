/** Accounts, applications and roles: device and gateway management, account and application. */

import { describe, expect, it } from 'vitest';
import type { PlannedSubscriber } from '../../../core/base/subscribers.ts';
import type { PasswordChange } from '../../../core/management/accounts/passwords.ts';
import { ROLES } from '../../../core/management/accounts/roles.ts';
import { PERMISSIONS, type Permission } from '../../../core/rows/permissions.ts';
import { Digest } from '../../../sim/kernel/digest.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, Subscriber } from './service.ts';

const OWN_ROLE = { name: 'Looks at devices', permissions: ['Device.Read'] as const };

/** Ann is the first subscriber; a plan gives her a role and an application. */
function town(more: Partial<PlannedSubscriber> = {}) {
  const [ann, bob] = annAndBob();
  plan(ann, [{ id: 'ann', roles: [OWN_ROLE], ...more }, { id: 'bob' }]);
  const roleOf = (name: string, who = ann) =>
    who.ask({ kind: 'role.list' }).Roles.find(({ Name }) => Name === name)!.Id;
  const create = (Name: string, ...roles: string[]) =>
    ann.do({
      kind: 'application.create',
      application: { Name, Roles: roles.map((each) => roleOf(each)) },
    });
  return { ann, bob, roleOf, create };
}

const plan = ({ bench }: Subscriber, subscribers: readonly PlannedSubscriber[]) =>
  bench.platform.onPlanned({ devices: [], gateways: [] }, subscribers);

const LIST = { kind: 'application.list' } as const;
const ACCOUNT = { kind: 'account.get' } as const;

/** Permissions that are reported, as names. */
const namesOf = (response: object): string[] =>
  Object.entries(response).flatMap(([object, actions]) =>
    Object.entries(actions as object).flatMap(([action, is]) =>
      is ? [`${object}.${action}`] : [],
    ),
  );

/** Asks as an application or a user. */
const as = (who: Subscriber, id: string) => {
  const asked = new Subscriber(who.bench, who.by);
  const named = { as: id };
  return Object.assign(asked, {
    try: (command: object) => who.try({ ...command, ...named } as never),
    tryAsk: (query: object) => who.tryAsk({ ...query, ...named } as never),
  });
};

describe('the roles that everybody has', () => {
  const ACTIONS = ['Create', 'Read', 'Update', 'Delete'];
  const all = (...objects: string[]) =>
    objects.flatMap((object) => ACTIONS.map((action) => `${object}.${action}`));

  it.each([
    [
      'Administrator',
      all(
        'Device',
        'Gateway',
        'User',
        'SubscriberAdmin',
        'NetworkOperator',
        'SysAdmin',
        'Simulator',
      ),
    ],
    [
      'Read-only',
      ['Device', 'Gateway', 'User', 'SubscriberAdmin', 'NetworkOperator', 'SysAdmin'].map(
        (object) => `${object}.Read`,
      ),
    ],
    ['Device operator', all('Device')],
    ['Gateway operator', ['Device.Read', ...all('Gateway')]],
    ['Firmware operator', [...all('Device'), 'Gateway.Read']],
  ])('have these permissions: %s', (name, permissions) => {
    expect(ROLES.find((role) => role.name === name)?.permissions).toEqual(permissions);
  });
});

describe('the account of a plan', () => {
  it('account.get: has a user, a subscriber and settings, none of them null', () => {
    const { ann, bob, roleOf } = town({
      name: 'Ann Ltd',
      address: { City: 'Ulm' },
      user: { Email: 'ann@example.org', FirstName: 'Ann' },
    });
    expect(ann.ask(ACCOUNT)).toEqual({
      UserInfo: {
        Id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
        Email: 'ann@example.org',
        Username: 'user-1',
        FirstName: 'Ann',
        LastName: '1',
        PhoneNumber: '',
        Roles: [roleOf('Administrator')],
      },
      SubscriberInfo: {
        Id: 'ann',
        Name: 'Ann Ltd',
        Address: '',
        Address2: '',
        City: 'Ulm',
        State: '',
        Country: '',
        PostalCode: '',
      },
      AccountSettings: { Timezone: 'UTC', TemperatureUnit: 'CELSIUS', TimeFormat: '24H' },
    });
    expect(bob.ask(ACCOUNT).UserInfo).toMatchObject({
      Username: 'user-2',
      Email: 'user-2@example.org',
    });
  });

  it('is a function of seed and plan, and takes no place until something of it changes', () => {
    const [one, other] = [town(), town()];
    expect(one.ann.ask(ACCOUNT)).toEqual(other.ann.ask(ACCOUNT));
    expect(one.ann.ask(LIST)).toEqual(other.ann.ask(LIST));
    const { subscriber, application, account } = one.ann.bench.platform.save().resources;
    expect([subscriber, application, account]).toEqual([[], [], []]);
  });

  it('is reported by who asks: what owns something, and the default subscriber, are known', () => {
    const [ann] = annAndBob();
    const { subscriber } = ann.bench.platform.resources;
    expect(subscriber.all.map(({ id }) => id)).toEqual(['default', 'ann', 'bob']);
    expect(['default', 'ann', 'eve'].map((id) => subscriber.isKnown(id))).toEqual([
      true,
      true,
      false,
    ]);
    const eve = new Subscriber(ann.bench, 'eve').ask(ACCOUNT);
    expect(eve.UserInfo).toMatchObject({ Username: 'user-eve' });
  });

  it('account.permissions: permits six objects to an administrator, and all of one’s own to any user', () => {
    const { ann } = town();
    const response = ann.ask({ kind: 'account.permissions' });
    expect(Object.keys(response)).toEqual([
      'Device',
      'Gateway',
      'User',
      'SubscriberAdmin',
      'NetworkOperator',
      'SysAdmin',
    ]);
    expect(namesOf(response)).toHaveLength(24);
  });
});

describe('a user', () => {
  it('account.patchUserInfo and updateUserInfo: changes what is given, or all: what is omitted is as at first', () => {
    const { ann, bob } = town();
    const infoOf = (who: Subscriber) => who.ask(ACCOUNT).UserInfo;
    const [before, his] = [infoOf(ann), infoOf(bob)];
    expect(ann.do({ kind: 'account.patchUserInfo', user: { PhoneNumber: '+49 731' } })).toEqual({
      Response: true,
    });
    expect(infoOf(ann)).toEqual({ ...before, PhoneNumber: '+49 731' });
    const user = { Email: 'a@b.example', FirstName: 'A', LastName: 'B' };
    ann.do({ kind: 'account.updateUserInfo', user });
    expect(infoOf(ann)).toEqual({ ...before, ...user, PhoneNumber: '' });
    ann.do({ kind: 'account.patchUserInfo', user: {} });
    expect(infoOf(ann)).toEqual({ ...before, ...user, PhoneNumber: '' });
    expect(infoOf(bob)).toEqual(his);
  });

  // RFC 5322 §3.4.1, its examples, and those of RFC 3696 §3.
  it.each([
    'john.q.public@example.com',
    '"Joe & J. Harvey"@example.org',
    'jdoe@[192.0.2.1]',
    '"Abc@def"@example.com',
    '"Fred \\"quota\\" Bloggs"@example.com',
    'customer/department=shipping@example.com',
    '!def!xyz%abc@example.com',
    "a+o'b@localhost",
    `${'x'.repeat(64)}@example.org`,
  ])('badEmail: may be reached at %s', (Email) => {
    const { ann } = town();
    ann.do({ kind: 'account.patchUserInfo', user: { Email } });
    expect(ann.ask(ACCOUNT).UserInfo).toMatchObject({ Email });
  });

  it.each([
    '',
    'nobody',
    'a@',
    '@b',
    'a@b@c',
    'a b@c',
    'a..b@c',
    '.a@c',
    'a.@c',
    'a@.c',
    'a@c.',
    'a@c..d',
    'ä@example.org',
    '"a"b@c',
    '"a@c',
    'a@[b',
    'a@b]',
    'A <a@b>',
    'a(comment)@b',
    `${'x'.repeat(65)}@example.org`,
    `a@${'x'.repeat(253)}`,
    7,
    null,
  ])('badEmail: cannot be reached at %o', (Email) => {
    const { ann } = town();
    const before = ann.ask(ACCOUNT);
    const user = { Email } as never;
    expect(failureOf(ann.try({ kind: 'account.patchUserInfo', user }))).toMatchObject({
      code: 'account.email',
      path: '/Email',
    });
    expect(ann.ask(ACCOUNT)).toEqual(before);
  });

  it.each(['Email', 'FirstName', 'LastName'])(
    'namelessUser: has to give %s where all is replaced',
    (one) => {
      const { ann } = town();
      const { [one]: _, ...user } = {
        Email: 'a@b',
        FirstName: 'A',
        LastName: 'B',
      } as never as Record<string, string>;
      const failure = failureOf(ann.try({ kind: 'account.updateUserInfo', user } as never));
      expect(failure.path).toBe(`/${one}`);
    },
  );
});

/** A password in the words of a command, where a verifier is the salt's and the password's text. */
const hex = (text: string) =>
  Buffer.from(text).toString('hex').toUpperCase().padEnd(64, '0').slice(0, 64);
const saltOf = (number: number) => String(number).padStart(32, '0');
const verifierOf = (salt: string, password: string) => hex(`${salt.replace(/^0+/, '')}${password}`);

class Change {
  readonly salts: string[] = [''];

  /** From one password to the next, by anyone who has changed it as often as this knows. */
  to(current: string, next: string, given: Partial<PasswordChange> = {}): PasswordChange {
    const salt = saltOf(this.salts.length);
    return {
      length: next.length,
      classes: ['lower', 'upper', 'digit'],
      current: verifierOf(this.salts.at(-1)!, current),
      earlier: this.salts.map((each) => verifierOf(each, next)),
      ...(this.salts.length === 1 && { first: verifierOf('', 'first') }),
      salt,
      verifier: verifierOf(salt, next),
      ...given,
    };
  }

  note(): void {
    this.salts.push(saltOf(this.salts.length));
  }
}

const change = (given: PasswordChange) => ({ kind: 'account.changePassword', ...given }) as const;

describe('a password', () => {
  it('account.changePassword, badPassword: has 12 characters, of three classes, and was never used before', () => {
    const { ann } = town();
    const by = new Change();
    const wrong = (given: PasswordChange) => failureOf(ann.try(change(given)));
    expect(wrong(by.to('first', 'x', { length: 11 }))).toMatchObject({
      code: 'account.password-short',
      path: '/NewPassword',
    });
    expect(wrong(by.to('first', 'second-12345', { classes: ['lower', 'digit'] }))).toMatchObject({
      code: 'account.password-classes',
      path: '/NewPassword',
    });
    expect(wrong(by.to('other', 'second-12345'))).toMatchObject({
      code: 'account.wrong-password',
      path: '/CurrentPassword',
    });
    expect(wrong(by.to('first', 'first', { length: 12 })).code).toBe('account.password-used');
    ann.do(change(by.to('first', 'second-12345')));
    by.note();
    ann.do(change(by.to('second-12345', 'third-123456')));
    by.note();
    for (const used of ['first', 'second-12345', 'third-123456']) {
      const failure = wrong(by.to('third-123456', used, { length: 12 }));
      expect([used, failure.code]).toEqual([used, 'account.password-used']);
    }
    // Who does not know the present one learns nothing of those before.
    expect(wrong(by.to('guess', 'first', { length: 12 })).code).toBe('account.wrong-password');
    ann.do(change(by.to('third-123456', 'fourth-12345')));
  });

  it('is changed once by what two know of it in one instant', () => {
    const { ann, bob } = town();
    const by = new Change();
    const [one, other] = [by.to('first', 'second-12345'), by.to('first', 'third-123456')];
    ann.do(change(one));
    expect(ann.refused(change(other))).toBe('account.wrong-password');
    expect(ann.refused(change(one))).toBe('account.wrong-password');
    bob.do(change(other));
  });

  it('is one of a hundred that a user has', () => {
    const { ann } = town();
    const by = new Change();
    let current = 'first';
    for (let i = 1; i < 100; i++) {
      ann.do(change(by.to(current, `long-password-${i}`)));
      by.note();
      current = `long-password-${i}`;
    }
    expect(ann.refused(change(by.to(current, 'one-more-1234')))).toBe('account.passwords-full');
  });

  it('is in no answer and no digest, nor is what it is verified by', () => {
    const [one, other] = [town(), town()];
    const by = new Change();
    one.ann.do(change(by.to('first', 'second-12345')));
    const salt = saltOf(9);
    const verifier = verifierOf(salt, 'second-12345');
    other.ann.do(change(by.to('first', 'second-12345', { salt, verifier })));
    const digestOf = ({ bench }: Subscriber) => {
      const digest = new Digest();
      bench.platform.fold(digest);
      return digest.hex();
    };
    expect(digestOf(one.ann)).toBe(digestOf(other.ann));
    expect(JSON.stringify(one.ann.bench.platform.save())).not.toBe(
      JSON.stringify(other.ann.bench.platform.save()),
    );
    for (const query of [ACCOUNT, LIST]) {
      expect(JSON.stringify(other.ann.ask(query))).not.toMatch(/[0-9A-F]{32}/);
    }
  });
});

describe('an application', () => {
  it('application.list to get: is reported with its roles, and without its secret', () => {
    const { ann, roleOf } = town();
    const verifier = 'AB'.repeat(32);
    const application = { Name: 'meters', Roles: [roleOf('Device operator')] };
    const created = ann.do({ kind: 'application.create', application, verifier });
    expect(created).toEqual({
      Id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
      Name: 'meters',
      UUID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const response = ann.ask({ kind: 'application.get', Id: created.Id });
    expect(response).toEqual({ ...created, Roles: application.Roles, SubscriberId: 'ann' });
    const { Applications } = ann.ask(LIST);
    expect(Applications).toContainEqual(response);
    expect(Applications).toHaveLength(2);
    expect(JSON.stringify(Applications)).not.toContain(verifier);
  });

  it('has the read-only role where none is given', () => {
    const { ann, create, roleOf } = town();
    const { Id } = ann.do({ kind: 'application.create', application: { Name: 'x' } });
    const rolesNow = () => ann.ask({ kind: 'application.get', Id }).Roles;
    expect(rolesNow()).toEqual([roleOf('Read-only')]);
    const nothing = { Name: 'z', Roles: null } as unknown as { Name: string };
    const third = ann.do({ kind: 'application.create', application: nothing }).Id;
    expect(ann.ask({ kind: 'application.get', Id: third }).Roles).toEqual([roleOf('Read-only')]);
    const other = create('y', 'Device operator').Id;
    ann.do({ kind: 'application.replace', Id: other, application: { Name: 'y' } });
    expect(ann.ask({ kind: 'application.get', Id: other }).Roles).toEqual([roleOf('Read-only')]);
  });

  it('application.replace and update: is replaced, or changed in what is given', () => {
    const { ann, create, roleOf } = town();
    const created = create('x', 'Device operator');
    const { Id } = created;
    const now = () => ann.ask({ kind: 'application.get', Id });
    ann.do({ kind: 'application.update', Id, application: { Name: 'y' } });
    expect(now()).toMatchObject({ Name: 'y', Roles: [roleOf('Device operator')] });
    const Roles = [roleOf('Gateway operator'), roleOf('Read-only')];
    ann.do({ kind: 'application.update', Id, application: { Roles } });
    expect(now()).toMatchObject({ Name: 'y', Roles });
    ann.do({ kind: 'application.replace', Id, application: { Name: 'z', Roles: [] } });
    expect(now()).toEqual({ ...created, Name: 'z', Roles: [], SubscriberId: 'ann' });
  });

  it('application.delete: is gone for good, the one of the plan too', () => {
    const { ann, bob, create } = town();
    const { Id } = create('x');
    const { Applications } = ann.ask(LIST);
    const first = Applications.find((each) => each.Id !== Id)!;
    for (const id of [Id, first.Id]) ann.do({ kind: 'application.delete', Id: id });
    for (const id of [Id, first.Id]) {
      expect(ann.refusedQuery({ kind: 'application.get', Id: id })).toBe('application.unknown');
      expect(ann.refused({ kind: 'application.delete', Id: id })).toBe('application.unknown');
    }
    expect(ann.ask(LIST)).toEqual({ Applications: [] });
    expect(bob.ask(LIST).Applications).toHaveLength(1);
    const { application } = ann.bench.platform.resources;
    expect(application.client(first.UUID)).toBeUndefined();
    expect(application.clientIdOf('ann')).toBe('');
    ann.bench.reload();
    expect(ann.ask(LIST)).toEqual({ Applications: [] });
    expect(ann.bench.platform.resources.application.client(first.UUID)).toBeUndefined();
  });

  it('namelessApplication: has a name', () => {
    const { ann } = town();
    for (const application of [{ Name: '' }, {}]) {
      const failure = failureOf(ann.try({ kind: 'application.create', application } as never));
      expect(failure).toMatchObject({ code: 'application.name', path: '/Name' });
    }
  });

  it('has roles that there are', () => {
    const { ann, roleOf } = town();
    const Roles = [roleOf('Read-only'), 'nothing1'];
    const failure = failureOf(
      ann.try({ kind: 'application.create', application: { Name: 'x', Roles } }),
    );
    expect(failure).toMatchObject({ code: 'application.unknown-role', path: '/Roles/1' });
    const bobs = new Subscriber(ann.bench, 'bob');
    const hers = { Name: 'x', Roles: [roleOf(OWN_ROLE.name)] };
    expect(bobs.refused({ kind: 'application.create', application: hers })).toBe(
      'application.unknown-role',
    );
  });

  it('is found by its client id, with what its roles permit now', () => {
    const { ann, create, roleOf } = town();
    const { Id, UUID } = create('x', 'Device operator');
    const now = () => ann.bench.platform.resources.application.client(UUID);
    expect(now()).toMatchObject({ kind: 'application', subscriber: 'ann', id: Id, title: 'x' });
    expect(now()!.permissions).toHaveLength(4);
    expect(now()).toBe(now());
    const Roles = [roleOf(OWN_ROLE.name)];
    ann.do({ kind: 'application.update', Id, application: { Roles } });
    expect(now()!.permissions).toEqual(['Device.Read']);
  });
});

describe('nobody', () => {
  it('application.refreshToken: gives none what he lacks himself, nor takes the secret of one that may more', () => {
    const { ann, create, roleOf } = town();
    const giver = create('giver', 'Device operator');
    const strong = create('strong', 'Gateway operator');
    const weak = as(ann, giver.Id);
    const Roles = [roleOf('Gateway operator')];
    const codes = [
      weak.refused({ kind: 'application.create', application: { Name: 'x', Roles } }),
      weak.refused({ kind: 'application.update', Id: giver.Id, application: { Roles } }),
      weak.refused({
        kind: 'application.replace',
        Id: giver.Id,
        application: { Name: 'x', Roles },
      }),
      weak.refused({
        kind: 'application.refreshToken',
        Id: strong.Id,
        verifier: 'AB'.repeat(32),
      }),
      // The read-only role looks at more than devices.
      weak.refused({ kind: 'application.create', application: { Name: 'x' } }),
    ];
    expect(codes).toEqual(Array(5).fill('application.forbidden'));
    const own = [roleOf('Device operator'), roleOf(OWN_ROLE.name)];
    expect(
      weak.try({ kind: 'application.create', application: { Name: 'x', Roles: own } }).ok,
    ).toBe(true);
    // What it has already is nobody's gift.
    const renamed = { Name: 'stronger', Roles };
    expect(weak.try({ kind: 'application.replace', Id: strong.Id, application: renamed }).ok).toBe(
      true,
    );
  });

  it('gives what his token leaves out', () => {
    const { ann, roleOf } = town();
    const application = { Name: 'x', Roles: [roleOf('Device operator')] };
    const permitted: readonly Permission[] = ['SubscriberAdmin.Create', 'Device.Read'];
    const failure = failureOf(ann.try({ kind: 'application.create', application, permitted }));
    expect(failure).toMatchObject({ code: 'application.forbidden', path: '/Roles/0' });
  });

  it('but the first subscriber may simulate, whatever his role', () => {
    const { ann, bob } = town();
    const permitsOf = (who: Subscriber) =>
      who.bench.platform.resources.account.permissionsOf({ by: who.by });
    expect(permitsOf(ann)).toEqual(PERMISSIONS);
    expect(permitsOf(bob)).toEqual(PERMISSIONS.filter((each) => !each.startsWith('Simulator')));
    const subscriber = { permissions: ['Simulator.Read'] as const };
    expect(bob.refused({ kind: 'subscriber.create', subscriber })).toBe('subscriber.forbidden');
  });
});

describe('an application that asks', () => {
  it('is reported no user, and has none to change', () => {
    const { ann, create } = town();
    const { Id } = create('x', 'Administrator');
    const asked = as(ann, Id);
    expect(asked.ask(ACCOUNT).UserInfo).toBeNull();
    expect(namesOf(asked.ask({ kind: 'account.permissions' }))).toHaveLength(24);
    const { UserInfo } = ann.ask(ACCOUNT);
    const user = { Email: 'a@b', FirstName: 'A', LastName: 'B' };
    expect(asked.refused({ kind: 'account.updateUserInfo', user })).toBe('account.not-user');
    expect(asked.refused({ kind: 'account.patchUserInfo', user: {} })).toBe('account.not-user');
    expect(asked.refused(change(new Change().to('first', 'second-12345')))).toBe(
      'account.not-user',
    );
    expect(ann.ask(ACCOUNT).UserInfo).toEqual(UserInfo);
  });

  it('is who changed a record, else the user of the subscriber', () => {
    const { ann, create } = town();
    const { Id } = create('x');
    const { account } = ann.bench.platform.resources;
    expect(account.idOf({ by: 'ann', as: Id })).toBe(Id);
    expect(account.idOf({ by: 'ann' })).toBe(ann.ask(ACCOUNT).UserInfo!.Id);
  });
});

describe('roles', () => {
  it('are at least five, each with its permission objects', () => {
    const { bob } = town();
    const { Roles } = bob.ask({ kind: 'role.list' });
    expect(Roles.map(({ Name }) => Name)).toEqual([
      'Administrator',
      'Read-only',
      'Device operator',
      'Gateway operator',
      'Firmware operator',
    ]);
    const [administrator, readOnly] = Roles;
    // Bob may not simulate, so no role of his permits it.
    expect(namesOf(administrator!.Permissions)).toHaveLength(24);
    expect(namesOf(readOnly!.Permissions)).toEqual(
      ['Device', 'Gateway', 'User', 'SubscriberAdmin', 'NetworkOperator', 'SysAdmin'].map(
        (object) => `${object}.Read`,
      ),
    );
    for (const role of Roles) expect(bob.ask({ kind: 'role.get', Id: role.Id })).toEqual(role);
  });
});

describe('a subscriber that is made', () => {
  it('has what one of the plan has, until the world ends', () => {
    const { ann } = town();
    const created = ann.do({ kind: 'subscriber.create', subscriber: { name: 'Carol Ltd' } });
    expect(created).toMatchObject({ name: 'Carol Ltd', username: 'user-3' });
    expect(created.permissions).toHaveLength(24);
    const carol = new Subscriber(ann.bench, created.id);
    const account = carol.ask(ACCOUNT);
    expect(account.SubscriberInfo).toMatchObject({ Id: created.id, Name: 'Carol Ltd' });
    expect(carol.ask(LIST).Applications).toMatchObject([
      { Name: 'Carol Ltd', UUID: created.client_id },
    ]);
    ann.bench.reload();
    expect(carol.ask(ACCOUNT)).toEqual(account);
    const delegate = (delegate_to: string) =>
      ann.try({
        kind: 'delegation.create',
        delegation: {
          delegate_to,
          expires_at: '2099-01-01T00:00:00Z',
          include_devices: ['................'],
        },
      });
    expect(delegate(created.id).ok).toBe(true);
    expect(failureOf(delegate('nobody'))).toMatchObject({
      code: 'delegation.delegate-to',
      path: '/delegate_to',
    });
  });

  it('has an id that is free', () => {
    const { ann } = town();
    const given = { kind: 'subscriber.create', subscriber: {}, id: 'bob' } as const;
    expect(ann.refused(given)).toBe('subscriber.exists');
    expect(ann.do({ ...given, id: 'dora' }).id).toBe('dora');
    expect(ann.refused({ ...given, id: 'dora' })).toBe('subscriber.exists');
  });

  it('may do what is reported, and gives no more to others', () => {
    const { ann } = town();
    const permissions: readonly Permission[] = ['Simulator.Create', 'Device.Read'];
    const created = ann.do({ kind: 'subscriber.create', subscriber: { permissions } });
    const poor = new Subscriber(ann.bench, created.id);
    const create = (given: object) => ({ kind: 'subscriber.create', subscriber: given }) as const;
    expect(poor.refused(create({}))).toBe('subscriber.forbidden');
    expect(poor.refused(create({ permissions: ['Device.Update'] }))).toBe('subscriber.forbidden');
    expect(poor.do(create({ permissions: ['Device.Read'] })).permissions).toEqual(['Device.Read']);
  });
});

describe('ten thousand', () => {
  it('subscribers are the most, each with ids of its own', () => {
    const { ann } = town();
    for (let i = 2; i < 10_000; i++) ann.do({ kind: 'subscriber.create', subscriber: {} });
    expect(ann.refused({ kind: 'subscriber.create', subscriber: {} })).toBe('subscriber.full');
    const { subscriber, application, account } = ann.bench.platform.resources;
    const all = subscriber.all.map(subscriber.answerOf);
    for (const of of ['id', 'client_id', 'username'] as const) {
      expect(new Set(all.map((each) => each[of])).size).toBe(10_000);
    }
    const last = all.at(-1)!;
    expect(application.client(last.client_id)?.subscriber).toBe(last.id);
    expect(account.user(last.username)?.subscriber).toBe(last.id);
  });

  it('applications are listed, and the next is refused', () => {
    const { ann, bob } = town();
    const make = () => ann.try({ kind: 'application.create', application: { Name: 'x' } });
    for (let i = 0; i < 10_000; i++) expect(make().ok).toBe(true);
    expect(failureOf(make()).code).toBe('application.full');
    const { Applications } = ann.ask(LIST);
    expect(new Set(Applications.map(({ UUID }) => UUID)).size).toBe(10_001);
    const ids = Applications.map(({ Id }) => Id);
    expect(ids).toEqual([...ids].sort());
    expect(bob.ask(LIST).Applications).toHaveLength(1);
  });
});

/** What Ann has besides: another world than Bob's. */
const ofAnn = (ann: Subscriber) => {
  plan(ann, [{ id: 'default' }, { id: 'ann', roles: [OWN_ROLE] }, { id: 'bob' }]);
  const { Id } = ann.do({ kind: 'application.create', application: { Name: 'x' } });
  const role = ann.ask({ kind: 'role.list' }).Roles.at(-1)!.Id;
  return { Id, role };
};

testIsolation('subscriber', (ann) => plan(ann, [{ id: 'ann' }, { id: 'bob' }]), {
  'subscriber.create': () => ({ subscriber: { name: 'x' } }),
});

testIsolation('role', ofAnn, {
  'role.list': () => ({}),
  'role.get': ({ role }) => ({ Id: role }),
});

testIsolation('application', ofAnn, {
  'application.create': () => ({ application: { Name: 'x' }, verifier: 'ab'.repeat(32) }),
  'application.list': () => ({}),
  'application.get': ({ Id }) => ({ Id }),
  'application.replace': ({ Id }) => ({ Id, application: { Name: 'y' } }),
  'application.update': ({ Id }) => ({ Id, application: { Name: 'y' } }),
  'application.delete': ({ Id }) => ({ Id }),
  'application.refreshToken': ({ Id }) => ({ Id, verifier: 'ab'.repeat(32) }),
});

testIsolation('account', ofAnn, {
  'account.get': () => ({}),
  // Of her application, which may do less than users.
  'account.permissions': ({ Id }) => ({ as: Id }),
  'account.changePassword': () => new Change().to('first', 'second-12345'),
  'account.patchUserInfo': () => ({ user: { PhoneNumber: '1' } }),
  'account.updateUserInfo': () => ({ user: { Email: 'a@b', FirstName: 'A', LastName: 'B' } }),
});
