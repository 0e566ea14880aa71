/** Who a scenario names, as the plan of its world has them. */
import type { PlannedSubscriber } from '../../core/base/subscribers.ts';
import { givenOf } from '../language/service-input.ts';
import { firstOf, ownerOf } from '../language/subscriber-knob.ts';
import type { Scenario } from '../schema/schema.ts';

type Accounts = Pick<Scenario, 'subscribers' | 'accounts' | 'roles' | 'applications'>;

/** Undefined: there is nobody but the default subscriber, as every world has him. */
export function subscribersOf(scenario: Accounts): readonly PlannedSubscriber[] | undefined {
  const { subscribers, accounts, roles, applications } = scenario;
  const isUsual = [subscribers, accounts, roles, applications].every((each) => each.length === 0);
  if (isUsual) return undefined;
  const names = subscribers.length > 0 ? subscribers : [firstOf([])];
  return names.map((id) => {
    const own = <Entry extends { readonly subscriber?: string | undefined }>(
      entries: readonly Entry[],
    ) => entries.filter((entry) => ownerOf(scenario, entry) === id);
    const ownRoles = own(roles).map(({ name, permissions }) => ({ name, permissions }));
    const ownApplications = own(applications).map(({ name, roles: has }) => ({ name, roles: has }));
    return {
      id,
      ...accountOf(own(accounts)[0]),
      ...(ownRoles.length === 0 ? {} : { roles: ownRoles }),
      ...(ownApplications.length === 0 ? {} : { applications: ownApplications }),
    };
  });
}

function accountOf(entry: Scenario['accounts'][number] | undefined): Partial<PlannedSubscriber> {
  if (entry === undefined) return {};
  const { name, address, address2, city, state, country, postalCode } = entry;
  const { email, firstName, lastName, phoneNumber } = entry;
  const where = givenOf({
    Address: address,
    Address2: address2,
    City: city,
    State: state,
    Country: country,
    PostalCode: postalCode,
  });
  const user = givenOf({
    Email: email,
    FirstName: firstName,
    LastName: lastName,
    PhoneNumber: phoneNumber,
  });
  return {
    ...(name === undefined ? {} : { name }),
    ...(Object.keys(where).length === 0 ? {} : { address: where }),
    ...(Object.keys(user).length === 0 ? {} : { user }),
  };
}
