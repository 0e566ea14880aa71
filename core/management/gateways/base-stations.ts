/**
 * Gateways as device and gateway management has them (v1): what the network calls a gateway, with
 * what its owner says of it. One that is registered goes into service; one that is deleted goes out
 * of it. What `gateway.*` of the simulator makes, moves and removes is the same thing.
 */
import { andThen, fail, ok } from '../../../sim/base/result.ts';
import type { GatewayView } from '../../../sim/contract/view.ts';
import { oneStep } from '../../base/in-steps.ts';
import type { Asking, OwnView } from '../../base/subscribers.ts';
import {
  declareResource,
  handlers,
  type NewsAbout,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import { listOf, record, responseField } from '../../rows/answers.ts';
import { body, changes, id } from '../../rows/fields.ts';
import { tableOf, thoseWhere } from '../gateway-states/by-state.ts';
import { RESPONSE } from '../response.ts';
import { type ChangeNeeds, GatewayChanges, REFUSED } from './changes.ts';
import { FullGateways, type Profiles } from './full-gateway.ts';
import { GatewayIds } from './gateway-ids.ts';
import { type GatewaySnapshot, remainingOf } from './gateway-snapshot.ts';
import { type Derived, type GatewayRegistration, Registrations } from './registrations.ts';
import { CHANGE, CREATION, DESCRIPTION, FULL, type FullGateway, REPLACEMENT } from './rows.ts';

const Id = id('The gateway, by its Id or its NodeId.');

/** Gateways of one request. */
const MOST_GATEWAYS = 10_000;

const OPERATIONS = {
  'baseStation.create': {
    verb: 'create',
    takes: { gateway: body(CREATION) },
    answers: FULL,
    fails: [...REFUSED, 'gateway.exists'],
    is: 'Registers a gateway and puts it into service where its coordinates are.',
  },
  'baseStation.list': {
    verb: 'list',
    takes: {},
    answers: record({
      Gateways: responseField({ ...listOf(FULL), is: 'In the order of their NodeIds.' }),
    }),
    inSteps: true,
    fails: [],
    is: 'One’s gateways with all their fields.',
  },
  'baseStation.get': {
    verb: 'get',
    takes: { Id },
    answers: FULL,
    fails: ['gateway.unknown'],
    is: 'One gateway with all its fields.',
  },
  'baseStation.replace': {
    verb: 'change',
    takes: { Id, gateway: body(REPLACEMENT) },
    answers: RESPONSE,
    fails: ['gateway.unknown', ...REFUSED],
    is: 'Replaces what is said of a gateway; what is not given is as by default.',
  },
  'baseStation.update': {
    verb: 'change',
    takes: { Id, gateway: changes(CHANGE) },
    answers: RESPONSE,
    fails: ['gateway.unknown', 'rfRegion.unknown', ...REFUSED],
    is: 'Changes what is given of a gateway; the rest stays.',
  },
  'baseStation.describe': {
    verb: 'change',
    takes: {
      Gateways: {
        type: 'list',
        of: { type: 'text', least: 0 },
        most: MOST_GATEWAYS,
        required: true,
        is: 'The gateways, by Ids or NodeIds.',
      },
      description: changes(DESCRIPTION),
    },
    answers: RESPONSE,
    fails: ['gateway.unknown', 'gatewayProfile.unknown', 'baseStation.cellular'],
    is:
      'Says what is on record of gateways, whatever their hardware: what a scenario’s file has ' +
      'them be from the start.',
  },
  'baseStation.delete': {
    verb: 'delete',
    takes: { Id },
    answers: RESPONSE,
    fails: ['gateway.unknown'],
    is: 'Deletes a gateway, and takes it out of service.',
  },
} as const satisfies Operations;

/** What else this resource uses. */
export interface Needs extends ChangeNeeds, Omit<Derived, 'world'>, Pick<Surroundings, 'copies'> {
  readonly world: Surroundings['world'];
  readonly rfRegion: ChangeNeeds['rfRegion'] & Derived['rfRegion'];
  readonly gatewayProfile: Profiles;
  readonly gatewayStatistics: {
    /** Null: it never connected. */
    at(gateway: GatewaySnapshot, asking: Asking): () => FullGateway['Statistics'];
  };
}

/** News of a gateway. */
export interface OfGateway {
  readonly eui: string;
}

export const baseStationResource = declareResource({
  name: 'baseStation',
  is: 'Gateways as management sees them.',
  permission: 'Gateway',
  failures: { 'baseStation.coordinates': 'malformed', 'baseStation.cellular': 'malformed' },
  operations: OPERATIONS,
  make: (needs: Needs) => {
    const ids = new GatewayIds(needs.world);
    const registrations = new Registrations(needs, ids);
    const full = new FullGateways(needs, registrations);
    const gatewayChanges = new GatewayChanges(needs, registrations);

    const ownGateway = (Id: string, { view }: Asking) => {
      const gateway = ids.find(Id, view);
      return gateway === undefined ? unknownGateway(Id) : ok(gateway);
    };

    const fullAt = (gateway: GatewaySnapshot, asking: Asking): (() => FullGateway) =>
      full.at(gateway, needs.gatewayStatistics.at(gateway, asking), asking);

    const fullOf = (gateway: GatewayView, asking: Asking): FullGateway =>
      fullAt(remainingOf(gateway, asking.nowUs), asking)();

    return {
      ...store(registrations, ids),
      handle: handlers(OPERATIONS, {
        'baseStation.create': ({ gateway }, asking) =>
          andThen(gatewayChanges.create(gateway, asking), (created) =>
            ok(full.at(created, () => null, asking)()),
          ),
        'baseStation.list': (_, asking) => {
          const all = tableOf(fullAt, needs.copies, asking);
          return ok(oneStep({ Gateways: thoseWhere(all, () => true) }));
        },
        'baseStation.get': ({ Id }, asking) =>
          andThen(ownGateway(Id, asking), (gateway) => ok(fullOf(gateway, asking))),
        'baseStation.replace': ({ Id, gateway: given }, asking) =>
          andThen(ownGateway(Id, asking), (gateway) =>
            gatewayChanges.replace(gateway, given, asking),
          ),
        'baseStation.update': ({ Id, gateway: given }, asking) =>
          andThen(ownGateway(Id, asking), (gateway) =>
            gatewayChanges.update(gateway, given, asking),
          ),
        'baseStation.describe': ({ Gateways, description }, asking) => {
          const all = Gateways.map((each) => ids.find(each, asking.view));
          const missing = all.indexOf(undefined);
          if (missing >= 0) return unknownGateway(Gateways[missing]!, `/Gateways/${missing}`);
          const found = all.filter((each) => each !== undefined);
          return gatewayChanges.describe(found, description, asking);
        },
        'baseStation.delete': ({ Id }, asking) =>
          andThen(ownGateway(Id, asking), (gateway) => gatewayChanges.remove(gateway, asking)),
      }),

      /** The Id of a gateway. */
      idOf: (eui: string): string => ids.idOf(eui),

      /** The caller's own gateway by its Id, or by its NodeId in any case. */
      known: (idOrNodeId: string, view: OwnView) => ids.find(idOrNodeId, view),

      /** When the gateway with this EUI came, µs; 0: at the start. */
      createdAtUs: (eui: string): number => registrations.createdAtUs(eui),

      /** What is on record of a gateway. */
      registrationOf: (gateway: GatewayView, view: OwnView): GatewayRegistration =>
        registrations.of(gateway, view),

      /** A gateway of the caller with all its fields. */
      fullOf,

      /** What is on record of a gateway, and all its fields, as they are now, whenever made. */
      registrationAt: (gateway: GatewaySnapshot, view: OwnView) => registrations.at(gateway, view),
      fullAt,
    };
  },
});

/** What is saved, and how it keeps up with the network. */
function store(registrations: Registrations, ids: GatewayIds) {
  const { saving } = registrations;
  return {
    ...saving,
    load: (saved: ReturnType<typeof saving.save>) => {
      ids.clear();
      saving.load(saved);
    },
    hears: {
      gatewayCreated({ eui }: OfGateway, { owner, nowUs }: NewsAbout) {
        ids.came(eui);
        registrations.came(owner, eui, nowUs);
      },
      gatewayRemoved({ eui }: OfGateway, { owner }: NewsAbout) {
        ids.went(eui);
        registrations.forget(owner, eui);
      },
    },
  };
}

const unknownGateway = (Id: string, pointer?: string) =>
  fail('gateway.unknown', `No gateway is ${Id}.`, pointer);
