/**
 * RF regions: the regional plans that the network's standard has. They are every world's; the
 * radio of a world keeps to one of them.
 */
import { ok } from '../../../sim/base/result.ts';
import { REGION_NAMES, type RegionName } from '../../../sim/lorawan/region.ts';
import { MEDIUM_ID } from '../../base/ids.ts';
import {
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
  WITHOUT_RECORDS,
} from '../../kit/resource.ts';
import { listOf, record, responseField } from '../../rows/answers.ts';

const source = 'device and gateway management: RfRegion';

const OPERATIONS = {
  'rfRegion.list': {
    verb: 'list',
    takes: {},
    answers: record({
      RfRegions: responseField({
        ...listOf(
          record({
            Id: responseField({ ...MEDIUM_ID, is: 'Its id.', source }),
            Name: responseField({ type: 'text', is: 'Its name, as RP002-1.0.4 has it.', source }),
            GatewayModels: responseField({
              ...listOf({ type: 'text' }),
              is: 'Models of gateways that can be set to it: those of one’s gateway profiles.',
              source,
            }),
          }),
        ),
        is: 'Those that gateways may be set to.',
        source,
      }),
    }),
    fails: [],
    is: 'RF regions: the regional plans that the radio of a gateway can be set to.',
  },
} as const satisfies Operations;

/** What else this resource uses. */
export interface Needs extends Pick<Surroundings, 'world'> {
  readonly gatewayProfile: { list(by: string): readonly { readonly Model: string }[] };
}

export const rfRegionResource = declareResource({
  name: 'rfRegion',
  is: 'RF regions that gateways can be set to.',
  permission: 'Gateway',
  failures: { 'rfRegion.unknown': 'unknown' },
  operations: OPERATIONS,
  make: (needs: Needs) => {
    /** Since somebody asked. */
    let ids: ReadonlyMap<RegionName, string> | undefined;
    const idByName = (): ReadonlyMap<RegionName, string> =>
      (ids ??= new Map(
        REGION_NAMES.map((name) => [name, needs.world.namedId('medium', 'rfRegion', name)]),
      ));
    const modelsOf = (by: string) => [
      ...new Set(needs.gatewayProfile.list(by).map(({ Model }) => Model)),
    ];

    return {
      ...WITHOUT_RECORDS,
      handle: handlers(OPERATIONS, {
        'rfRegion.list': (_, { by }) => {
          const GatewayModels = modelsOf(by);
          const all = [...idByName()];
          return ok({ RfRegions: all.map(([Name, Id]) => ({ Id, Name, GatewayModels })) });
        },
      }),

      /** The id of a regional plan. */
      idOf: (name: RegionName): string => idByName().get(name) as string,

      /** The regional plan with this id; undefined: there is none. */
      nameOf: (id: string): RegionName | undefined =>
        [...idByName()].find(([, each]) => each === id)?.[0],
    };
  },
});
