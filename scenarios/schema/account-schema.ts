/**
 * The knobs of accounts: what is reported of subscribers and their users, roles besides those that
 * everybody has, and applications besides the first. All of it is there from the start.
 */

import { USER_INFO } from '../../core/management/accounts/account.ts';
import { READ_ONLY } from '../../core/management/accounts/roles.ts';
import { PERMISSIONS } from '../../core/rows/permissions.ts';
import { fieldKnobs } from '../language/field-knob.ts';
import { choice, text } from '../language/kinds.ts';
import { knob, list, maybe, needed, record } from '../language/knob.ts';
import { subscriber } from '../language/subscriber-knob.ts';

const source = 'device and gateway management, account';

const { Email, FirstName, LastName, PhoneNumber } = USER_INFO;
const user = fieldKnobs({
  email: { ...optional(Email), is: 'Where mail reaches the user; user-1@example.org when absent.' },
  firstName: { ...optional(FirstName), is: 'First name of the user.' },
  lastName: { ...optional(LastName), is: 'Last name of the user.' },
  phoneNumber: { ...optional(PhoneNumber), is: 'Telephone number of the user.' },
});

/** A row that says nothing of absence. */
function optional<Row extends object>(row: Row): Omit<Row, 'required' | 'default'> {
  const { required: _, default: __, ...rest } = row as Row & { required?: true; default?: unknown };
  return rest;
}

const line = () => text(/^[^\p{Cc}]{1,250}$/u, 'up to 250 characters on one line');
const words = (is: string) => maybe(line(), { is, source });

/** What roles and applications are called. */
const title = () => text(/^[A-Za-z][\w -]{0,79}$/, 'up to 80 letters, digits, spaces, - and _');

export const Account = record({
  subscriber,
  name: words('Name of the subscriber; its word in `subscribers` when absent.'),
  address: words('Street.'),
  address2: words('More of the street.'),
  city: words('City.'),
  state: words('State.'),
  country: words('Country.'),
  postalCode: words('Postal code.'),
  ...user,
});

export const Role = record({
  name: needed(title(), { is: 'Applications name it.' }),
  permissions: needed(list(choice(...PERMISSIONS), 0, PERMISSIONS.length, 'permissions'), {
    is: 'What it permits, as far as the subscriber may.',
    source: 'device and gateway management, application',
  }),
  subscriber,
});

export const Application = record({
  name: needed(title(), { is: 'Its name; `serve` reports its client id and its secret.' }),
  roles: knob(list(title(), 0, 100, 'roles'), [READ_ONLY], {
    is: 'Names of roles: those that everybody has, or of `roles`.',
    source: 'device and gateway management, application',
  }),
  subscriber,
});
