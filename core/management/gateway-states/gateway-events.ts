/**
 * Events of gateways: what has changed of each one's states, with the old and the new value (device
 * and gateway management, Gateway event; docs/decisions/0057). They are derived when somebody asks,
 * from what has happened to the gateway and from its statuses.
 */
import { andThen, found, ok } from '../../../sim/base/result.ts';
import { DAY_US, MILLISECOND_US } from '../../../sim/base/units.ts';
import type { GatewayView, NetworkFacts } from '../../../sim/contract/view.ts';
import type { Copy } from '../../base/copies.ts';
import { type Sliced, type Steps, slicesOf } from '../../base/in-steps.ts';
import { formatInstant } from '../../base/instant.ts';
import type { OwnView } from '../../base/subscribers.ts';
import {
  type AnswerOf,
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import { HEX_EUI, INSTANT, listOf, record, responseField } from '../../rows/answers.ts';
import { id } from '../../rows/fields.ts';
import { type Range, rangeOf } from '../range.ts';
import { CHANGED_FIELDS, type Change, changesOf } from './changes.ts';
import type { SavedHistories } from './history.ts';
import { Recorder, type RecorderNeeds } from './recorder.ts';
import { GatewayTimeline } from './timeline.ts';

const source = 'device and gateway management, Gateway event';

/** Window of a query that names no StartTime. */
const USUAL_DAYS = 30;

const value = (is: string) => responseField({ type: 'text', least: 0, is, source });

const EVENT = record({
  Time: responseField({ ...INSTANT, is: 'When it changed.', source }),
  Field: responseField({ type: 'choice', words: CHANGED_FIELDS, is: 'What changed.', source }),
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
        is: `Earliest instant of the response; ${USUAL_DAYS} days before EndTime when absent.`,
        source,
      },
      EndTime: { ...INSTANT, is: 'Latest instant of the response; now when absent.', source },
    },
    answers: record({
      NodeID: responseField({ ...HEX_EUI, is: 'The gateway.', source }),
      Events: responseField({ ...listOf(EVENT), is: 'The latest first.', source }),
    }),
    inSteps: true,
    fails: ['gateway.unknown', 'gatewayEvent.range'],
    is: 'What has changed of a gateway’s states: of the past 30 days, unless times are given.',
  },
} as const satisfies Operations;

type Answer = Sliced<AnswerOf<(typeof OPERATIONS)['gatewayEvent.list']>>;

/** What this resource uses of its surroundings and of others. */
export interface Needs extends RecorderNeeds, Pick<Surroundings, 'copies'> {
  readonly baseStation: RecorderNeeds['baseStation'] & {
    /** The caller's gateway, by its Id or its NodeId. */
    known(idOrNodeId: string, view: OwnView): GatewayView | undefined;
  };
}

/** Events per slice of a response. */
const PER_SLICE = 256;

export const gatewayEventResource = declareResource({
  name: 'gatewayEvent',
  is: 'Events of gateways.',
  permission: 'Gateway',
  failures: { 'gatewayEvent.range': 'malformed' },
  operations: OPERATIONS,
  make: (needs: Needs) => {
    const recorder = new Recorder(needs);

    return {
      hears: recorder.hears,
      // All of it follows from commands, which are folded themselves.
      fold: () => undefined,
      save: () => recorder.histories.save(),
      load: (saved: SavedHistories) => {
        if (needs.keepsRecords) recorder.histories.load(saved);
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
              andThen(rangeOf(times, view, 'gatewayEvent.range'), (asked) => {
                const untilUs = Math.min(asked.untilUs, nowUs);
                const fromUs = times.StartTime === undefined ? usualFrom(untilUs) : asked.fromUs;
                const timeline = new GatewayTimeline(gateway, recorder.turnsOf(gateway, view));
                // What changes at the first instant is reported, too.
                const copy = needs.copies.begin(timeline.between(fromUs - 1, untilUs));
                return ok(answering(gateway.eui, timeline, copy, { fromUs, untilUs }, view));
              }),
          ),
      }),
    };
  },
});

/** Where a window that ends in some millisecond begins, µs. */
const usualFrom = (untilUs: number): number =>
  MILLISECOND_US * Math.floor(untilUs / MILLISECOND_US) - USUAL_DAYS * DAY_US;

/** Those within a range, the latest first, once the timeline is whole. */
function* answering(
  eui: string,
  timeline: GatewayTimeline,
  copy: Copy,
  { fromUs, untilUs }: Range,
  view: Pick<NetworkFacts, 'unixMs'>,
): Steps<Answer> {
  yield* copy.ready();
  const changes = changesOf(timeline.moments, timeline.regionBefore);
  const wanted = changes.filter(({ atUs }) => atUs >= fromUs && atUs <= untilUs).reverse();
  const event = (at: number) => eventOf(wanted[at]!, view);
  return { NodeID: eui, Events: slicesOf(wanted.length, PER_SLICE, event) };
}

function eventOf({ atUs, field, from, to }: Change, { unixMs }: Pick<NetworkFacts, 'unixMs'>) {
  const inWords = (value: string | number) =>
    typeof value === 'number' ? formatInstant(unixMs(value)) : value;
  return { Time: inWords(atUs), Field: field, OldValue: inWords(from), NewValue: inWords(to) };
}
