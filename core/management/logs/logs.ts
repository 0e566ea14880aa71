/**
 * Logs have every join, uplink and downlink of a subscriber's devices, and every copy of a
 * multicast frame of its groups (device and gateway management, `GET /v1/logs`;
 * docs/decisions/0059). An entry is there as long as it is stored. START HERE; log-store.ts is what
 * is stored, selecting.ts what is found of it, reported.ts how it is reported. What devices sent
 * (core/management/payloads/) reads the same entries.
 */

import { andThen, ok } from '../../../sim/base/result.ts';
import { ANY_NUMBER, type Fields, type Given } from '../../../sim/base/rows/fields.ts';
import type { FrameUp } from '../../../sim/contract/frames.ts';
import { oneStep, type Slices, type Steps } from '../../base/in-steps.ts';
import type { Asking, OwnView } from '../../base/subscribers.ts';
import type { StepBudget } from '../../codecs/step-budget.ts';
import {
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import { INSTANT, listOf, record, responseField } from '../../rows/answers.ts';
import { EUI } from '../../rows/fields.ts';
import { rangeOf } from '../range.ts';
import { deviceOf, wordsOf } from './chunk.ts';
import { codecsNow, type DecodingNeeds, decodedAt, decodedSlices } from './decoding.ts';
import { classesOf } from './filters.ts';
import { type KeeperNeeds, LogKeeper, type SavedLogs } from './keeper.ts';
import { entryResponse, type Telling } from './log-responses.ts';
import type { LogCopy } from './log-store.ts';
import { LOG_ENTRY, LOG_FILTERS, type LogEntry } from './rows.ts';
import { type Found, selecting, type Wanted } from './selecting.ts';
import { reportedStations, type StationFacts, stationEui } from './stations.ts';
import { entryOf } from './transient-entries.ts';

const source = 'device and gateway management, log filters';

/** Entries of a page. */
const PER_PAGE = 100;

const QUERY = {
  DevEUI: { ...EUI, is: 'Entries of this device or multicast group alone.', source },
  GatewayID: {
    type: 'text',
    least: 0,
    is: 'Entries that this gateway of one’s own has heard or sends, by its Id or NodeId.',
    source,
  },
  StartTime: { ...INSTANT, is: 'Earliest instant of the response.', source },
  EndTime: { ...INSTANT, is: 'Latest instant of the response.', source },
  Page: {
    type: 'whole',
    least: 1,
    most: ANY_NUMBER,
    default: 1,
    is: `Which ${PER_PAGE} entries the response has, from 1 on; past the last page there are none.`,
    source,
  },
  ...LOG_FILTERS,
} as const satisfies Fields;

const OPERATIONS = {
  'log.list': {
    verb: 'list',
    takes: QUERY,
    answers: record({
      Logs: responseField({
        ...listOf(LOG_ENTRY),
        is: `The latest first, ${PER_PAGE} at most.`,
        source,
      }),
    }),
    inSteps: true,
    fails: ['log.range'],
    is: 'Joins, uplinks and downlinks of one’s devices, as long as they are stored.',
  },
} as const satisfies Operations;

/** What logs use of their surroundings and of other resources. */
export interface LogNeeds extends KeeperNeeds, DecodingNeeds, Pick<Surroundings, 'keepsRecords'> {
  readonly endDevice: KeeperNeeds['endDevice'] & DecodingNeeds['endDevice'];
  readonly baseStation: StationFacts;
}

export const logResource = declareResource({
  name: 'log',
  is: 'Joins, uplinks and downlinks.',
  permission: 'Device',
  failures: { 'log.range': 'malformed', 'log.filter': 'malformed' },
  operations: OPERATIONS,
  make: (needs: LogNeeds) => {
    const keeper = new LogKeeper(needs);
    const tellingFor = (asking: Asking) => tellingWith(needs, asking);

    /** Undefined: nothing can fit. */
    const wantedBy = (
      { DevEUI, GatewayID, ...filters }: Given<typeof QUERY>,
      times: Pick<Wanted, 'fromUs' | 'untilUs'>,
      view: OwnView,
    ): Wanted | undefined => {
      const eui =
        GatewayID === undefined ? undefined : stationEui(GatewayID, needs.baseStation, view);
      if (eui === null) return undefined;
      return {
        ...times,
        classes: classesOf(filters),
        device: DevEUI === undefined ? undefined : wordsOf(DevEUI),
        gateway: eui === undefined ? undefined : wordsOf(eui),
      };
    };

    return {
      handle: handlers(OPERATIONS, {
        'log.list': (query, asking) =>
          andThen(rangeOf(query, asking.view, 'log.range'), (times) => {
            const wanted = wantedBy(query, times, asking.view);
            if (wanted === undefined) return ok(oneStep({ Logs: [] }));
            const { Page = 1 } = query;
            return ok(page(keeper.copyOf(asking.by), wanted, Page, tellingFor(asking)));
          }),
      }),

      /** A subscriber's log as it is now. */
      copyOf: (owner: string): LogCopy => keeper.copyOf(owner),

      /** All stored entries of a subscriber, the oldest first, each built on demand. */
      *entriesOf(by: string, nowUs: number): Iterable<LogEntry> {
        const telling = tellingFor({ by, nowUs, view: needs.viewOf(by) });
        const { chunks, past } = keeper.copyOf(by);
        for (const [at, chunk] of chunks.entries()) {
          for (let place = at === 0 ? past : 0; place < chunk.size; place++) {
            yield entryResponse({ chunk, place }, telling);
          }
        }
      },

      /**
       * The entry of an uplink of a subscriber's device as it is now, whether logs are stored or
       * not. It has all of the payload, private data, too.
       */
      entryOf(frame: FrameUp, owner: string, nowUs: number): LogEntry {
        const telling = tellingFor({ by: owner, nowUs, view: needs.viewOf(owner) });
        return entryOf(frame, telling, (eui) => needs.world.ownerOf('gateway', eui) === owner);
      },

      /** Subscribers with stored entries, ordered by id. */
      subscribers: (): readonly string[] => keeper.subscribers,

      hears: needs.keepsRecords ? keeper.hears : {},
      // All of it follows from events and registrations, which are folded themselves.
      fold: () => undefined,
      save: () => keeper.save(),
      load: (saved: SavedLogs) => keeper.load(needs.keepsRecords ? saved : []),
    };
  },
});

const tellingWith = (needs: LogNeeds, { by, nowUs, view }: Asking): Telling => ({
  facts: view,
  nowUs,
  subscriber: by,
  gateway: reportedStations(needs.baseStation, view),
  codecOf: codecsNow(needs, by, view),
});

/**
 * A page of what fits. Its gateways and codecs are those that are known when it is made; payloads
 * are decoded later, slice by slice.
 */
function* page(
  log: LogCopy,
  wanted: Wanted,
  number: number,
  telling: Telling,
): Steps<{ Logs: Slices<LogEntry> }> {
  const found = yield* selecting(log, wanted, (number - 1) * PER_PAGE, PER_PAGE);
  const { facts, codecOf } = telling;
  const entries = found.map((each) => {
    codecOf(deviceOf(each.chunk, each.place));
    return entryResponse(each, { ...telling, codecOf: NO_CODEC });
  });
  const decoded = ({ chunk, place }: Found, at: number, budget: StepBudget): LogEntry => ({
    ...entries[at]!,
    PayloadDecoded: decodedAt(chunk, place, facts, codecOf, budget),
  });
  return { Logs: decodedSlices(() => found, decoded) };
}

const NO_CODEC = () => undefined;
