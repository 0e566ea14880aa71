/**
 * Events of gateways: what has changed of each one's states in the past 30 days, with the old and
 * the new value (device and gateway management, Gateway event; docs/decisions/0057). They are
 * derived when somebody asks, from what has happened to the gateway and from its statuses.
 */
import { andThen, found, ok } from '../../../sim/base/result.ts';
import { DAY_US } from '../../../sim/base/units.ts';
import type { RegionName } from '../../../sim/lorawan/region.ts';
import { type Sliced, type Steps, slicesOf } from '../../base/in-steps.ts';
import { formatInstant, NEVER_US } from '../../base/instant.ts';
import { HEX_EUI, INSTANT, listOf, record, told } from '../../kit/answers.ts';
import { id } from '../../kit/fields.ts';
import {
  type AnswerOf,
  declareResource,
  handlers,
  type Listeners,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import type { GatewayView, NetworkFacts, OwnView } from '../../network-view.ts';
import { rangeOf } from '../range.ts';
import { CHANGED_FIELDS, type Change, changesOf } from './changes.ts';
import { Histories, MOST_DAYS, type SavedHistories, type Turn } from './history.ts';
import { GatewayTimeline } from './timeline.ts';

const source = 'device and gateway management, Gateway event';

const value = (is: string) => told({ type: 'text', least: 0, is, source });

const EVENT = record({
  Time: told({ ...INSTANT, is: 'When it changed.', source }),
  Field: told({ type: 'choice', words: CHANGED_FIELDS, is: 'What changed.', source }),
  OldValue: value('What it was; empty where it was not known.'),
  NewValue: value('What it is from then on.'),
});

const OPERATIONS = {
  'gatewayEvent.list': {
    verb: 'get',
    takes: {
      NodeID: id('The gateway, by its NodeId or its Id.'),
      StartTime: {
        ...INSTANT,
        is: `Nothing before it is told; ${MOST_DAYS} days ago when absent, and at the earliest.`,
        source,
      },
      EndTime: { ...INSTANT, is: 'Nothing after it is told; now when absent.', source },
    },
    answers: record({
      NodeID: told({ ...HEX_EUI, is: 'The gateway.', source }),
      Events: told({ ...listOf(EVENT), is: 'The latest first.', source }),
    }),
    inSteps: true,
    fails: ['gateway.unknown', 'gatewayEvent.range'],
    is: `What has changed of a gateway’s states, in the past ${MOST_DAYS} days at most.`,
  },
} as const satisfies Operations;

type Answer = Sliced<AnswerOf<(typeof OPERATIONS)['gatewayEvent.list']>>;

/** What this resource uses of its surroundings and of others. */
export interface Needs extends Pick<Surroundings, 'viewOf' | 'keepsRecords' | 'copies'> {
  readonly baseStation: {
    /** The asker's gateway, by its Id or its NodeId. */
    known(idOrNodeId: string, view: OwnView): GatewayView | undefined;
    registrationOf(gateway: GatewayView, view: OwnView): { readonly rfRegion: string };
  };
  readonly rfRegion: { idOf(name: RegionName): string };
}

/** Events that one slice tells. */
const PER_SLICE = 256;

export const gatewayEventResource = declareResource({
  name: 'gatewayEvent',
  permission: 'Gateway',
  failures: { 'gatewayEvent.range': 'malformed' },
  operations: OPERATIONS,
  make: (needs: Needs) => {
    const histories = new Histories();

    /** How a gateway is as it comes. */
    const begun = (bootedAtUs: number, { region }: Pick<NetworkFacts, 'region'>): Turn => ({
      atUs: bootedAtUs,
      backhaulUp: true,
      radioUp: true,
      bootedAtUs,
      rfRegion: needs.rfRegion.idOf(region),
      statusAtUs: NEVER_US,
    });
    /** Whatever has happened to a gateway that was planned has been heard of. */
    const turnsOf = ({ eui, putUpAtUs }: GatewayView, view: OwnView): readonly Turn[] => {
      const turns = histories.of(eui);
      return turns.length > 0 ? turns : [begun(putUpAtUs, view)];
    };

    /** Notes how a gateway is now, where that is another than it was. */
    const note = (eui: string, owner: string, nowUs: number): void => {
      const view = needs.viewOf(owner);
      const gateway = view.gateway(eui)!;
      const { rfRegion } = needs.baseStation.registrationOf(gateway, view);
      const { backhaulUp, radioUp, putUpAtUs: bootedAtUs } = gateway;
      if (histories.of(eui).length === 0) histories.add(eui, begun(0, view));
      const last = histories.of(eui).at(-1)!;
      const statusAtUs = gateway.lastStatusAtUs(nowUs) ?? NEVER_US;
      const turn: Turn = { atUs: nowUs, backhaulUp, radioUp, bootedAtUs, rfRegion, statusAtUs };
      if (isAnother(last, turn)) histories.add(eui, turn);
    };
    const listeners: Listeners = {
      gatewayCreated: ({ eui }, { owner, nowUs }) => {
        histories.add(eui, begun(nowUs, needs.viewOf(owner)));
      },
      gatewayChanged: ({ eui }, { owner, nowUs }) => note(eui, owner, nowUs),
      gatewayState: ({ eui }, { owner, nowUs }) => note(eui, owner, nowUs),
      gatewayRemoved: ({ eui }) => histories.forget(eui),
    };

    return {
      hears: needs.keepsRecords ? listeners : {},
      // All of it follows from commands, which are folded themselves.
      fold: () => undefined,
      save: () => histories.save(),
      load: (saved: SavedHistories) => {
        if (needs.keepsRecords) histories.load(saved);
      },
      handle: handlers(OPERATIONS, {
        'gatewayEvent.list': ({ NodeID, ...times }, { view, nowUs }) =>
          andThen(
            found(
              needs.baseStation.known(NodeID, view),
              'gateway.unknown',
              `No gateway is ${NodeID}.`,
            ),
            (gateway) =>
              andThen(rangeOf(times, view, 'gatewayEvent.range'), ({ fromUs, untilUs }) => {
                const timeline = new GatewayTimeline(gateway, turnsOf(gateway, view));
                // What changes at the first instant is told, too.
                const beforeUs = nowUs - MOST_DAYS * DAY_US - 1;
                const copy = needs.copies.begin(timeline.between(beforeUs, nowUs));
                const { eui } = gateway;
                return ok(
                  (function* (): Steps<Answer> {
                    yield* copy.ready();
                    const changes = changesOf(timeline.moments, timeline.regionBefore);
                    const isWanted = ({ atUs }: Change) => atUs >= fromUs && atUs <= untilUs;
                    const wanted = changes.filter(isWanted).reverse();
                    const event = (at: number) => eventOf(wanted[at]!, view);
                    return { NodeID: eui, Events: slicesOf(wanted.length, PER_SLICE, event) };
                  })(),
                );
              }),
          ),
      }),
    };
  },
});

const isAnother = (one: Turn, other: Turn): boolean =>
  one.backhaulUp !== other.backhaulUp ||
  one.radioUp !== other.radioUp ||
  one.bootedAtUs !== other.bootedAtUs ||
  one.rfRegion !== other.rfRegion;

function eventOf({ atUs, field, from, to }: Change, { unixMs }: Pick<NetworkFacts, 'unixMs'>) {
  const told = (value: string | number) =>
    typeof value === 'number' ? formatInstant(unixMs(value)) : value;
  return { Time: told(atUs), Field: field, OldValue: told(from), NewValue: told(to) };
}
