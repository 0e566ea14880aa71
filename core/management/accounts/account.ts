/**
 * The account: the user of a subscriber, and what a token's bearer sees of himself
 * (docs/decisions/0052).
 */
import { andThen, fail, ok, type Result } from '../../../sim/base/result.ts';
import type { Effective, Fields, Of } from '../../../sim/base/rows/fields.ts';
import { MEDIUM_ID } from '../../base/ids.ts';
import { Store } from '../../base/store.ts';
import type { Asking } from '../../base/subscribers.ts';
import {
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import { listOf, record, responseField } from '../../rows/answers.ts';
import { body, changes } from '../../rows/fields.ts';
import { PERMISSIONS, type Permission } from '../../rows/permissions.ts';
import { RESPONSE, responded } from '../response.ts';
import type { Applications } from './applications.ts';
import { EMAIL } from './email.ts';
import { changedPasswords, PASSWORD_CHANGE } from './passwords.ts';
import { DOCUMENTED_PERMISSIONS, documentedOf } from './permission-objects.ts';
import type { Principal, Verifier } from './principal.ts';
import { ADMINISTRATOR, type Roles } from './roles.ts';
import type { Subscriber, Subscribers } from './subscribers.ts';

const source = 'device and gateway management, account';
const name = { type: 'text', failure: 'account.name', required: true, source } as const;

/** What a user says of himself. */
export const USER_INFO = {
  Email: { ...EMAIL, failure: 'account.email', required: true, is: 'Where mail reaches.', source },
  FirstName: { ...name, is: 'First name.' },
  LastName: { ...name, is: 'Last name.' },
  PhoneNumber: {
    type: 'text',
    least: 0,
    failure: 'account.phone',
    default: '',
    null: 'absent',
    is: 'Telephone number; empty: none.',
    source,
  },
} as const satisfies Fields;

type UserInfo = Effective<typeof USER_INFO>;

/** Where a subscriber is. */
const ADDRESS_FIELDS = ['Address', 'Address2', 'City', 'State', 'Country', 'PostalCode'] as const;

const text = (is: string) => responseField({ type: 'text', least: 0, is, source });

const ACCOUNT = record({
  UserInfo: {
    ...record({
      Id: responseField({ ...MEDIUM_ID, is: 'Its id.', source }),
      Email: responseField(USER_INFO.Email),
      Username: responseField({ type: 'text', is: 'By which the user signs in.', source }),
      FirstName: responseField(USER_INFO.FirstName),
      LastName: responseField(USER_INFO.LastName),
      PhoneNumber: responseField(USER_INFO.PhoneNumber),
      Roles: responseField({ ...listOf({ type: 'text' }), is: 'Ids of the user’s roles.', source }),
    }),
    required: true,
    null: 'nothing',
    is: 'The user; null where an application asks.',
  },
  SubscriberInfo: responseField({
    ...record({
      Id: responseField({ type: 'text', is: 'The subscriber.', source }),
      Name: text('Its name.'),
      Address: text('Street.'),
      Address2: text('More of it.'),
      City: text('City.'),
      State: text('State.'),
      Country: text('Country.'),
      PostalCode: text('Postal code.'),
    }),
    is: 'Whose the account is.',
  }),
  AccountSettings: responseField({
    ...record({
      Timezone: text('Time zone: `UTC`.'),
      TemperatureUnit: text('Unit of temperatures: `CELSIUS`.'),
      TimeFormat: text('Form of times: `24H`.'),
    }),
    is: 'How people are shown things.',
  }),
});

const SETTINGS = { Timezone: 'UTC', TemperatureUnit: 'CELSIUS', TimeFormat: '24H' };

const OPERATIONS = {
  'account.get': {
    verb: 'list',
    open: true,
    takes: {},
    answers: ACCOUNT,
    fails: [],
    is: 'Who asks, and whose account it is.',
  },
  'account.permissions': {
    verb: 'list',
    open: true,
    takes: {},
    answers: record(DOCUMENTED_PERMISSIONS),
    fails: [],
    is: 'What who asks may do, by its roles.',
  },
  'account.changePassword': {
    verb: 'ownChange',
    takes: PASSWORD_CHANGE,
    answers: RESPONSE,
    fails: [
      'account.not-user',
      'account.wrong-password',
      'account.password-short',
      'account.password-classes',
      'account.password-used',
      'account.passwords-full',
    ],
    is: 'Changes the password of the user who asks; tokens that the old one gave are void.',
  },
  'account.patchUserInfo': {
    verb: 'ownChange',
    takes: { user: changes(USER_INFO) },
    answers: RESPONSE,
    fails: ['account.not-user'],
    is: 'Changes what is given of the user who asks; the rest stays.',
  },
  'account.updateUserInfo': {
    verb: 'ownChange',
    takes: { user: body(USER_INFO) },
    answers: RESPONSE,
    fails: ['account.not-user'],
    is: 'Replaces what the user who asks says of himself.',
  },
} as const satisfies Operations;

/** A user as he is known; one that is as he was planned is in no store. */
export interface User extends UserInfo {
  readonly owner: string;
  readonly id: string;
  readonly username: string;
  /** Ids. */
  readonly roles: readonly string[];
  /** Of all passwords, the present one last; none while a host has the first one. */
  readonly passwords: readonly Verifier[];
}

/** Who asks: an application, or a user. */
type Who = Pick<Asking, 'by' | 'as'>;

export interface AccountNeeds extends Pick<Surroundings, 'world'> {
  readonly subscriber: Subscribers;
  readonly role: Roles;
  readonly application: Applications;
}

export const accountResource = declareResource({
  name: 'account',
  is: 'The account of the caller.',
  permission: 'User',
  failures: {
    'account.email': 'malformed',
    'account.name': 'malformed',
    'account.phone': 'malformed',
    'account.verifier': 'malformed',
    'account.not-user': 'forbidden',
    'account.wrong-password': 'malformed',
    'account.password-short': 'malformed',
    'account.password-classes': 'malformed',
    'account.password-used': 'malformed',
    'account.passwords-full': 'full',
  },
  operations: OPERATIONS,
  make: (needs: AccountNeeds) => {
    const { role, subscriber } = needs;
    const users = new Users(needs);

    /** The application that asks; undefined: a user does. */
    const applicationOf = ({ by, as = '' }: Who) => needs.application.get(by, as);

    const isUser = (asking: Who): boolean => applicationOf(asking) === undefined;

    const asUser = <Next extends Result<unknown>>(asking: Who, then: (user: User) => Next) => {
      const message = 'An application has no account of a user.';
      const asked = isUser(asking) ? ok(users.of(asking.by)) : fail('account.not-user', message);
      return andThen(asked, then);
    };

    /** What who asks may do by its roles. */
    const permissionsOf = (asking: Who): readonly Permission[] => {
      const application = applicationOf(asking);
      return application === undefined
        ? users.principalOf(asking.by).permissions
        : role.permissionsOf(asking.by, application.roles);
    };

    return {
      ...users.saving,
      handle: handlers(OPERATIONS, {
        'account.get': (_, asking) =>
          ok({
            UserInfo: isUser(asking) ? userInfoOf(users.of(asking.by)) : null,
            SubscriberInfo: subscriberInfoOf(subscriber.of(asking.by)),
            AccountSettings: SETTINGS,
          }),
        'account.permissions': (_, asking) => ok(documentedOf(permissionsOf(asking))),
        'account.changePassword': (change, asking) =>
          asUser(asking, (user) =>
            andThen(changedPasswords(user.passwords, change), (passwords) =>
              responded(users.put({ ...user, passwords })),
            ),
          ),
        'account.patchUserInfo': ({ user: given }, asking) =>
          asUser(asking, (user) => responded(users.put({ ...user, ...given }))),
        'account.updateUserInfo': ({ user: given }, asking) =>
          asUser(asking, (user) => responded(users.put({ ...user, PhoneNumber: '', ...given }))),
      }),

      permissionsOf,

      isUser,

      /** Who asks, by the id that records tell: that of an application, else that of the user. */
      idOf: ({ by, as }: Who): string => as ?? users.of(by).id,

      usernameOf: (by: string): string => users.of(by).username,

      get hasChosenPasswords(): boolean {
        return users.hasChosen;
      },

      /** The user of a subscriber, and what he may do. */
      userOf: (by: string): Principal => users.principalOf(by),

      /** The user with this name; undefined: none. */
      user(username: string): Principal | undefined {
        const [, number] = /^user-([1-9]\d{0,5})$/.exec(username) ?? [];
        const owner = number === undefined ? undefined : subscriber.all[Number(number) - 1];
        return owner && users.principalOf(owner.id);
      },
    };
  },
});

/** Users; what a plan has is derived, and stands in the store only once it has changed. */
class Users {
  readonly #needs: AccountNeeds;
  readonly #store = new Store<User>(
    'users',
    ({ id }) => id,
    {},
    ({ passwords, ...user }) => ({
      ...user,
      passwords: passwords.length,
    }),
  );
  readonly #planned = new WeakMap<Subscriber, User>();
  readonly #principals = new WeakMap<User, Principal>();
  /** Undefined: not known yet. */
  #hasChosen: boolean | undefined = false;

  constructor(needs: AccountNeeds) {
    this.#needs = needs;
  }

  get saving() {
    const { fold, save, load } = this.#store.saving;
    return {
      fold,
      save,
      load: (saved: readonly User[]) => {
        load(saved);
        this.#hasChosen = undefined;
      },
    };
  }

  /** The one user of a subscriber. */
  of(owner: string): User {
    const planned = this.#plannedOf(owner);
    return this.#store.get(owner, planned.id) ?? planned;
  }

  /** The same as a principal of tokens; a new object after each change. */
  principalOf(by: string): Principal {
    const user = this.of(by);
    const created = this.#principals.get(user);
    if (created !== undefined) return created;
    const { owner, id, username, roles, passwords } = user;
    // What is about oneself is always one's own.
    const granted = this.#needs.role.permissionsOf(owner, roles);
    const own = [...granted, 'User.Read', 'User.Update'] as const;
    const principal: Principal = {
      kind: 'user',
      subscriber: owner,
      id,
      name: username,
      title: username,
      permissions: PERMISSIONS.filter((each) => own.includes(each)),
      verifiers: passwords,
    };
    this.#principals.set(user, principal);
    return principal;
  }

  put(user: User): void {
    this.#store.put(user);
    this.#hasChosen ||= isChosen(user);
  }

  /** Whether some user has chosen a password. */
  get hasChosen(): boolean {
    this.#hasChosen ??= this.#store.all().some(isChosen);
    return this.#hasChosen;
  }

  #plannedOf(owner: string): User {
    const { world, subscriber, role } = this.#needs;
    const ownerId = subscriber.of(owner);
    const known = this.#planned.get(ownerId);
    if (known !== undefined) return known;
    const { ordinal, planned, passwordVerifier: verifier } = ownerId;
    const number = ordinal < 0 ? owner : String(ordinal + 1);
    const username = `user-${number}`;
    const user: User = {
      owner,
      id: world.namedId('medium', 'user', owner),
      username,
      Email: ordinal < 0 ? 'user@example.org' : `${username}@example.org`,
      FirstName: 'User',
      LastName: number,
      PhoneNumber: '',
      ...(planned.user as Partial<UserInfo> | undefined),
      roles: [role.idOf(owner, ADMINISTRATOR)],
      passwords: verifier === '' ? [] : [{ salt: '', verifier }],
    };
    this.#planned.set(ownerId, user);
    return user;
  }
}

const isChosen = ({ passwords }: User): boolean => passwords.some(({ salt }) => salt !== '');

const userInfoOf = (user: User): Of<typeof ACCOUNT>['UserInfo'] => {
  const { id: Id, username: Username, Email, FirstName, LastName, PhoneNumber, roles } = user;
  return { Id, Email, Username, FirstName, LastName, PhoneNumber, Roles: roles };
};

const subscriberInfoOf = ({ id: Id, name: Name, planned }: Subscriber) => {
  const { address = {} } = planned;
  const where = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, address[field] ?? '']));
  return { Id, Name, ...(where as Record<(typeof ADDRESS_FIELDS)[number], string>) };
};
