/**
 * Service profiles: what a device’s contract with its network is called. Every world has one; a
 * scenario’s file may add others. No model of the network depends on them.
 */
import { fail, ok } from '../../sim/base/result.ts';
import { effective, type Fields } from '../../sim/base/rows/fields.ts';
import { MEDIUM_ID, MEDIUM_ID_GIVEN } from '../base/ids.ts';
import { declareResource, handlers, type Operations, type Surroundings } from '../kit/resource.ts';
import { listOf, record, responseField } from '../rows/answers.ts';
import { body } from '../rows/fields.ts';
import { Catalogue, type Entry } from './catalogue.ts';

const source = 'device and gateway management: ServiceProfile';

export const SERVICE_PROFILE = {
  Name: { type: 'text', required: true, is: 'Its name.', source },
  Description: { type: 'text', least: 0, default: '', is: 'What it is for.', source },
} as const satisfies Fields;

/** What every world has. */
const BUILT_IN = [{ Name: 'standard', Description: 'What the network has for any device.' }];

/** The row of an id that a creation answers. */
export const CREATED = record({ Id: responseField({ ...MEDIUM_ID, is: 'Its id.' }) });

const OPERATIONS = {
  'serviceProfile.create': {
    verb: 'create',
    takes: { serviceProfile: body(SERVICE_PROFILE), id: MEDIUM_ID_GIVEN },
    answers: CREATED,
    fails: ['serviceProfile.exists'],
    is: 'Adds a service profile.',
  },
  'serviceProfile.list': {
    verb: 'list',
    takes: {},
    answers: record({
      ServiceProfiles: responseField({
        ...listOf(
          record({
            Id: responseField({ ...MEDIUM_ID, is: 'Its id.', source }),
            Name: responseField(SERVICE_PROFILE.Name),
            Description: responseField(SERVICE_PROFILE.Description),
          }),
        ),
        is: 'Those that devices may have.',
        source,
      }),
    }),
    fails: [],
    is: 'Service profiles.',
  },
} as const satisfies Operations;

export interface ServiceProfile extends Entry {
  readonly Description: string;
}

export const serviceProfileResource = declareResource({
  name: 'serviceProfile',
  is: 'Service profiles of devices.',
  permission: 'Device',
  failures: { 'serviceProfile.exists': 'conflict', 'serviceProfile.unknown': 'unknown' },
  operations: OPERATIONS,
  make: ({ ids, world }: Pick<Surroundings, 'ids' | 'world'>) => {
    const all = new Catalogue<ServiceProfile>('serviceProfile', world, BUILT_IN);
    return {
      fold: all.fold.bind(all),
      save: () => all.save(),
      load: (saved: ReturnType<typeof all.save>) => all.load(saved),
      handle: handlers(OPERATIONS, {
        'serviceProfile.create': ({ serviceProfile, id }, { by }) => {
          const Id = all.newId(id, ids);
          if (Id === undefined)
            return fail('serviceProfile.exists', `There is a service profile ${id}.`, '/id');
          all.add(by, { Id, ...effective(SERVICE_PROFILE, serviceProfile) });
          return ok({ Id });
        },
        'serviceProfile.list': (_, { by }) =>
          ok({
            ServiceProfiles: all
              .list(by)
              .map(({ Id, Name, Description }) => ({ Id, Name, Description })),
          }),
      }),

      /** What a subscriber sees by an id. */
      get: (id: string, by: string) => all.get(id, by),

      /** The id of that which devices have that nobody gave another. */
      get usual(): string {
        return all.list('')[0]!.Id;
      },
    };
  },
});
