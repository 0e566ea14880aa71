/**
 * Groups of gateways: labels under which a subscriber finds them. A gateway may stand in several;
 * one that is deleted leaves all (docs/operations.md, Gateway group).
 */
import { andThen, fail, ok } from '../../sim/base/result.ts';
import { effective, type Fields, type Of } from '../../sim/base/rows/fields.ts';
import type { GatewayView } from '../../sim/contract/view.ts';
import { MEDIUM_ID, MEDIUM_ID_GIVEN } from '../base/ids.ts';
import type { Sliced, Steps } from '../base/in-steps.ts';
import type { Asking, OwnView } from '../base/subscribers.ts';
import { declareResource, handlers, type Operations, type Surroundings } from '../kit/resource.ts';
import { listOf, record, responseField } from '../rows/answers.ts';
import { body, changes } from '../rows/fields.ts';
import { FULL, type FullGateway } from './gateways/rows.ts';
import { type GroupRecord, GroupRecords } from './group-records.ts';
import { groupChanges, groupId, groupName, GROUP_ID as Id, membersOf } from './groups.ts';
import { RESPONSE } from './response.ts';

const source = 'device and gateway management, gateway group';

/** Gateways that a group may have: a world has no more. */
const MOST_GATEWAYS = 10_000;

export const GATEWAY_GROUP = {
  Name: groupName('gatewayGroup.name', source),
  GatewayList: {
    type: 'list',
    of: { type: 'text', most: 64, failure: 'gatewayGroup.gateways' },
    most: MOST_GATEWAYS,
    default: [],
    null: 'absent',
    failure: 'gatewayGroup.gateways',
    is: 'Ids or NodeIds of its gateways, each stored once, in the order in which they are given.',
    source,
  },
} as const satisfies Fields;

const RESPONSE_FIELDS = record({
  Id: groupId(source),
  Name: responseField(GATEWAY_GROUP.Name),
  GatewayList: responseField({ ...listOf(MEDIUM_ID), is: 'Ids of its gateways.', source }),
  Gateways: responseField({
    ...listOf(FULL),
    is: 'The same gateways with all their fields.',
    source,
  }),
});

const unknown = ['gatewayGroup.unknown'] as const;
const unknownGateway = ['gatewayGroup.unknown-gateway'] as const;
const changing = {
  verb: 'change',
  answers: RESPONSE,
  fails: [...unknown, ...unknownGateway],
} as const;

const OPERATIONS = {
  'gatewayGroup.create': {
    verb: 'create',
    takes: { group: body(GATEWAY_GROUP), id: MEDIUM_ID_GIVEN },
    answers: record({ Id: groupId(source) }),
    fails: ['gatewayGroup.exists', ...unknownGateway],
    is: 'Makes a group of gateways.',
  },
  'gatewayGroup.list': {
    verb: 'list',
    takes: {},
    answers: record({
      GatewayGroups: responseField({
        ...listOf(RESPONSE_FIELDS),
        is: 'In the order of their ids.',
      }),
    }),
    inSteps: true,
    fails: [],
    is: 'Every group of gateways.',
  },
  'gatewayGroup.get': {
    verb: 'get',
    takes: { Id },
    answers: RESPONSE_FIELDS,
    inSteps: true,
    fails: unknown,
    is: 'A group of gateways.',
  },
  'gatewayGroup.replace': {
    ...changing,
    takes: { Id, group: body(GATEWAY_GROUP) },
    is: 'Gives a group another name and other gateways; no gateways where none are given.',
  },
  'gatewayGroup.update': {
    ...changing,
    takes: { Id, group: changes(GATEWAY_GROUP) },
    is: 'Changes what is given of a group of gateways; the rest stays.',
  },
  'gatewayGroup.delete': {
    verb: 'delete',
    takes: { Id },
    answers: RESPONSE,
    fails: unknown,
    is: 'Deletes a group; its gateways stay.',
  },
} as const satisfies Operations;

/** Gateways that one step copies. */
const PER_STEP = 64;

/** What groups use of the platform and of other resources. */
export interface GatewayGroupNeeds extends Pick<Surroundings, 'ids' | 'copies'> {
  readonly baseStation: {
    /** The caller's gateway by its Id or its NodeId, whose digits may be in any case. */
    known(idOrNodeId: string, view: OwnView): GatewayView | undefined;
    idOf(eui: string): string;
    fullOf(gateway: GatewayView, asking: Asking): FullGateway;
  };
}

export const gatewayGroupResource = declareResource({
  name: 'gatewayGroup',
  is: 'Groups of gateways.',
  permission: 'Gateway',
  failures: {
    'gatewayGroup.name': 'malformed',
    'gatewayGroup.gateways': 'malformed',
    'gatewayGroup.unknown-gateway': 'malformed',
    'gatewayGroup.unknown': 'unknown',
    'gatewayGroup.exists': 'conflict',
  },
  operations: OPERATIONS,
  make: (needs: GatewayGroupNeeds) => {
    const groups = new GroupRecords('gatewayGroups');
    const { known, create, change, remove } = groupChanges(groups, needs.ids, {
      noun: 'gateway group',
      unknown: 'gatewayGroup.unknown',
      exists: 'gatewayGroup.exists',
      membersIn: (listed, { view }) => nodeIdsOf(listed, (id) => needs.baseStation.known(id, view)),
    });

    /** Gateways as they are now, by their EUIs: they are copied in steps. */
    const gatewaysOf = (euis: ReadonlySet<string>, asking: Asking) => {
      const response = new Map<string, FullGateway>();
      const { fullOf } = needs.baseStation;
      const copying = function* (): Steps<void> {
        for (const eui of euis) {
          response.set(eui, fullOf(asking.view.gateway(eui)!, asking));
          if (response.size % PER_STEP === 0) yield;
        }
      };
      return { reported: response, copy: needs.copies.begin(copying()) };
    };

    /** Responses with groups and their current gateways. */
    const answering = <Answer>(
      records: readonly GroupRecord[],
      asking: Asking,
      report: (groups: readonly Response[]) => Answer,
    ): Steps<Answer> => {
      const { reported: response, copy } = gatewaysOf(
        new Set(records.flatMap((each) => each.members)),
        asking,
      );
      const answerOf = (group: GroupRecord): Response => ({
        Id: group.id,
        Name: group.name,
        GatewayList: membersOf(group, needs.baseStation.idOf),
        Gateways: membersOf(group, (eui) => response.get(eui)!),
      });
      return (function* () {
        yield* copy.ready();
        return report(records.map(answerOf));
      })();
    };

    return {
      ...groups.saving,
      handle: handlers(OPERATIONS, {
        'gatewayGroup.create': ({ group: { Name: name, GatewayList: listed }, id }, asking) =>
          create({ name, listed }, id, asking),
        'gatewayGroup.list': (_, asking) =>
          ok(answering(groups.list(asking.by), asking, (GatewayGroups) => ({ GatewayGroups }))),
        'gatewayGroup.get': ({ Id }, asking) =>
          andThen(known(asking.by, Id), (group) =>
            ok(answering([group], asking, ([response]) => response!)),
          ),
        'gatewayGroup.replace': ({ Id, group }, asking) =>
          change(Id, headingOf(effective(GATEWAY_GROUP, group)), asking),
        'gatewayGroup.update': ({ Id, group }, asking) => change(Id, headingOf(group), asking),
        'gatewayGroup.delete': ({ Id }, asking) => remove(Id, asking),
      }),
      hears: { gatewayRemoved: ({ eui }: { readonly eui: string }) => groups.leave(eui) },
    };
  },
});

type Response = Sliced<Of<typeof RESPONSE_FIELDS>>;

/** What is given of a group. */
interface GivenGroup {
  readonly Name?: string;
  readonly GatewayList?: readonly string[];
}

const headingOf = ({ Name: name, GatewayList: listed }: GivenGroup) => ({ name, listed });

/** NodeIds of the gateways that are listed, each once; they are the caller's. */
function nodeIdsOf(listed: readonly string[], gatewayOf: (id: string) => GatewayView | undefined) {
  const euis = listed.map((each) => gatewayOf(each)?.eui);
  const wrong = euis.indexOf(undefined);
  if (wrong < 0) return ok([...new Set(euis as string[])]);
  const message = `There is no gateway ${listed[wrong]}.`;
  return fail('gatewayGroup.unknown-gateway', message, `/GatewayList/${wrong}`);
}
