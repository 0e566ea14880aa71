/**
 * Gateway profiles: models of gateways. Every world has those of the table (models.ts); the file
 * of a scenario may add others.
 */
import { fail, ok } from '../../../sim/base/result.ts';
import { effective, type Fields, type Given } from '../../../sim/base/rows/fields.ts';
import { MEDIUM_ID, MEDIUM_ID_GIVEN } from '../../base/ids.ts';
import {
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import { listOf, record, responseField } from '../../rows/answers.ts';
import { body } from '../../rows/fields.ts';
import { HARDWARE } from '../../simulator/fields.ts';
import { Catalogue } from '../catalogue.ts';
import { CREATED } from '../service-profiles.ts';
import {
  GATEWAY_MODELS,
  type GatewayModel,
  INTERFACE_TYPES,
  type ModelHardware,
} from './models.ts';

const source = 'device and gateway management: Gateway profile';

const TEXT = { type: 'text', least: 0 } as const;
const { receptionPaths, paths, txJitUs, clockErrorUs, refusesOverBudget, maxEirpCentiDbm } =
  HARDWARE;
const MODEL_HARDWARE = {
  receptionPaths,
  paths,
  txJitUs,
  clockErrorUs,
  refusesOverBudget,
  maxEirpCentiDbm,
} as const satisfies Fields;

/** What a model says; what is absent is as the first model of every world has it. */
export const GATEWAY_PROFILE = {
  Name: { type: 'text', required: true, is: 'Its name.', source },
  Description: { ...TEXT, default: '', is: 'What it is for.', source },
  Manufacturer: { ...TEXT, default: '', is: 'Who makes it.' },
  Model: { ...TEXT, default: '', is: 'What its gateways report; its name when empty.' },
  SoftwareVersion: { ...TEXT, default: '', is: 'Of its packet forwarder.' },
  CPUPercent: {
    type: 'number',
    least: 0,
    most: 100,
    default: 0,
    is: 'Load of its processor, per cent.',
  },
  FreeMemKB: {
    type: 'whole',
    least: 0,
    most: 1_000_000_000_000,
    default: 0,
    is: 'Memory that is free, KiB.',
  },
  CellProvider: { ...TEXT, default: '', is: 'Provider of its mobile network.' },
  CellRSSI: {
    type: 'number',
    least: -150,
    most: 0,
    default: 0,
    is: 'Level of its mobile network, dBm.',
  },
  WiFiSSID: { ...TEXT, default: '', is: 'WLAN that it is in.' },
  Interfaces: {
    type: 'list',
    of: {
      type: 'record',
      fields: {
        Name: { type: 'text', required: true, is: 'What its system calls it.' },
        Type: { type: 'choice', words: INTERFACE_TYPES, required: true, is: 'Interface type.' },
      },
    },
    most: 10,
    default: [{ Name: 'eth0', Type: 'ethernet' }],
    is: 'Its ways into the network.',
  },
  VSWR: {
    type: 'number',
    least: 1,
    most: 100,
    default: 1.2,
    is: 'Voltage standing wave ratio at its antenna.',
  },
  SecureBackhaul: {
    type: 'flag',
    default: true,
    is: 'Whether its way to the network server is encrypted.',
  },
  Hardware: {
    type: 'record',
    fields: MODEL_HARDWARE,
    default: {},
    is: 'What the radio side simulates of it.',
  },
} as const satisfies Fields;

const OPERATIONS = {
  'gatewayProfile.create': {
    verb: 'create',
    takes: { gatewayProfile: body(GATEWAY_PROFILE), id: MEDIUM_ID_GIVEN },
    answers: CREATED,
    fails: ['gatewayProfile.exists', 'gatewayProfile.paths'],
    is: 'Adds a gateway profile: a model that gateways may be of.',
  },
  'gatewayProfile.list': {
    verb: 'list',
    takes: {},
    answers: record({
      GatewayProfiles: responseField({
        ...listOf(
          record({
            Id: responseField({ ...MEDIUM_ID, is: 'Its id.', source }),
            Name: responseField(GATEWAY_PROFILE.Name),
            Description: responseField(GATEWAY_PROFILE.Description),
          }),
        ),
        is: 'Those that gateways may have.',
        source,
      }),
    }),
    fails: [],
    is: 'Gateway profiles: models of gateways.',
  },
} as const satisfies Operations;

/** A model as a subscriber refers to it. */
export interface GatewayProfile extends GatewayModel {
  readonly Id: string;
}

export const gatewayProfileResource = declareResource({
  name: 'gatewayProfile',
  is: 'Gateway profiles.',
  permission: 'Gateway',
  failures: {
    'gatewayProfile.exists': 'conflict',
    'gatewayProfile.unknown': 'unknown',
    'gatewayProfile.paths': 'malformed',
  },
  operations: OPERATIONS,
  make: ({ ids, world }: Pick<Surroundings, 'ids' | 'world'>) => {
    const all = new Catalogue<GatewayProfile>('gatewayProfile', world, GATEWAY_MODELS);
    return {
      fold: all.fold.bind(all),
      save: () => all.save(),
      load: (saved: ReturnType<typeof all.save>) => all.load(saved),
      handle: handlers(OPERATIONS, {
        'gatewayProfile.create': ({ gatewayProfile, id }, { by }) => {
          const { Hardware = {}, ...facts } = effective(GATEWAY_PROFILE, gatewayProfile);
          const back = backwards(Hardware.paths);
          if (back >= 0) {
            const pointer = `/Hardware/paths/${back}`;
            return fail('gatewayProfile.paths', 'The least of a path is above its most.', pointer);
          }
          const Id = all.newId(id, ids);
          if (Id === undefined)
            return fail('gatewayProfile.exists', `There is a gateway profile ${id}.`, '/id');
          const hardware = effective(MODEL_HARDWARE, Hardware) as ModelHardware;
          all.add(by, { Id, ...facts, Model: facts.Model || facts.Name, hardware });
          return ok({ Id });
        },
        'gatewayProfile.list': (_, { by }) =>
          ok({
            GatewayProfiles: all
              .list(by)
              .map(({ Id, Name, Description }) => ({ Id, Name, Description })),
          }),
      }),

      /** What a subscriber sees by an id. */
      get: (id: string, by: string): GatewayProfile | undefined => all.get(id, by),

      /** What a subscriber sees. */
      list: (by: string): readonly GatewayProfile[] => all.list(by),

      /** That of gateways that nobody gave another. */
      get usual(): GatewayProfile {
        return all.list('')[0]!;
      },
    };
  },
});

/** The first kind of paths whose least is above its most; −1: none is. */
const backwards = (paths: Given<typeof MODEL_HARDWARE>['paths'] = []): number =>
  paths.findIndex(
    (path) =>
      path.leastSpreadingFactor > path.mostSpreadingFactor ||
      path.leastBandwidthHz > path.mostBandwidthHz,
  );
