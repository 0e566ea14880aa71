/**
 * Output profiles: where a device’s data goes. Here they have a name, so that devices can refer to
 * them.
 */
import { fail, ok } from '../../../sim/base/result.ts';
import { MEDIUM_ID, MEDIUM_ID_GIVEN } from '../../base/ids.ts';
import { listOf, record, told } from '../../kit/answers.ts';
import { body, type Fields } from '../../kit/fields.ts';
import {
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import { Catalogue, type Entry } from '../../management/catalogue.ts';
import { CREATED } from '../../management/service-profiles.ts';

const source = 'data delivery: Output profile';

const OUTPUT_PROFILE = {
  Name: { type: 'text', required: true, is: 'Its name.', source },
} as const satisfies Fields;

const OPERATIONS = {
  'outputProfile.create': {
    verb: 'create',
    takes: { outputProfile: body(OUTPUT_PROFILE), id: MEDIUM_ID_GIVEN },
    answers: CREATED,
    fails: ['outputProfile.exists'],
    is: 'Adds an output profile.',
  },
  'outputProfile.list': {
    verb: 'list',
    takes: {},
    answers: record({
      OutputProfiles: told({
        ...listOf(
          record({
            Id: told({ ...MEDIUM_ID, is: 'Its id.', source }),
            Name: told(OUTPUT_PROFILE.Name),
          }),
        ),
        is: 'Those that devices may have.',
        source,
      }),
    }),
    fails: [],
    is: 'Output profiles.',
  },
} as const satisfies Operations;

export const outputProfileResource = declareResource({
  name: 'outputProfile',
  permission: 'Device',
  failures: { 'outputProfile.exists': 'conflict', 'outputProfile.unknown': 'unknown' },
  operations: OPERATIONS,
  make: ({ ids, world }: Pick<Surroundings, 'ids' | 'world'>) => {
    const all = new Catalogue<Entry>('outputProfile', world);
    return {
      fold: all.fold.bind(all),
      save: () => all.save(),
      load: (saved: ReturnType<typeof all.save>) => all.load(saved),
      handle: handlers(OPERATIONS, {
        'outputProfile.create': ({ outputProfile, id }, { by }) => {
          const Id = all.newId(id, ids);
          if (Id === undefined)
            return fail('outputProfile.exists', `There is an output profile ${id}.`, '/id');
          all.add(by, { Id, ...outputProfile });
          return ok({ Id });
        },
        'outputProfile.list': (_, { by }) =>
          ok({ OutputProfiles: all.list(by).map(({ Id, Name }) => ({ Id, Name })) }),
      }),

      /** A target that takes nothing any more is paused. */
      disable: (_owner: string, _id: string, _nowUs: number): void => undefined,

      /** What a subscriber sees by an id. */
      get: (id: string, by: string) => all.get(id, by),
    };
  },
});
