/**
 * Update history: an entry for every attempt to update a device (docs/operations.md, Update history
 * entry). It is what campaigns know of the members of their rounds, and keeps nothing itself: an
 * entry outlives its device, and goes with its campaign.
 */
import { fail, ok } from '../../sim/base/result.ts';
import type { Of } from '../../sim/base/rows/fields.ts';
import type { NetworkView } from '../../sim/contract/view.ts';
import { PATTERN } from '../base/firmware-versions.ts';
import { UUID } from '../base/ids.ts';
import { formatInstant } from '../base/instant.ts';
import { declareResource, handlers, type Operations, WITHOUT_RECORDS } from '../kit/resource.ts';
import { FAILURE_REASONS } from '../result/outcome.ts';
import {
  byDevEui,
  HEX_EUI,
  INSTANT,
  listOf,
  record,
  responseField,
  responseFieldOrNull,
} from '../rows/answers.ts';
import { euiOf } from '../rows/fields.ts';
import type { Attempt } from './campaigns/member.ts';
import { REASONS } from './campaigns/reasons.ts';

/** An attempt that is over. */
export interface UpdateAttempt extends Attempt {
  /** Pattern of 16 characters (versions.ts). */
  readonly expectedVersion: string;
  readonly campaignId: string;
}

const deveui = euiOf('The device, by its DevEUI.');

const source = 'firmware update service, update history';

/** Field names of the firmware update service. */
const ENTRY = record({
  entry_date: responseField({ ...INSTANT, is: 'When the attempt was over.', source }),
  status: responseField({
    type: 'choice',
    words: ['success', 'failure', 'timeout'],
    is: 'How it ended; timeout: no answer came in time.',
    source,
  }),
  reason: responseField({
    type: 'choice',
    words: ['', ...FAILURE_REASONS],
    is: 'Why it failed; empty where it did not.',
    source,
  }),
  initial_version: responseFieldOrNull({
    ...HEX_EUI,
    is: 'What it had reported last, firmware, then hardware; null: the service knew none.',
    source,
  }),
  post_update_version: responseFieldOrNull({
    ...HEX_EUI,
    is: 'What it reported after the session; null: nothing, or nothing new where it failed.',
    source,
  }),
  expected_version: responseField({
    ...PATTERN,
    is: 'What was to be reported, . for any digit.',
    source,
  }),
  campaign_id: responseField({ ...UUID, is: 'The campaign.', source }),
});

const OPERATIONS = {
  'history.all': {
    verb: 'list',
    takes: {},
    answers: byDevEui(listOf(ENTRY)),
    fails: [],
    is: 'Entries by DevEUI, of devices that have some.',
  },
  'history.get': {
    verb: 'get',
    takes: { deveui },
    answers: listOf(ENTRY),
    fails: ['device.unknown'],
    is: 'Entries of a device, the oldest first.',
  },
} as const satisfies Operations;

/** What the history uses of other resources. */
export interface HistoryNeeds {
  readonly campaign: {
    /** What an owner's campaigns tried with a device, the oldest first. */
    attemptsOf(owner: string, devEui: string): readonly UpdateAttempt[];
    /** The same of all devices that have some, in the order of their DevEUIs. */
    attemptsOfAll(owner: string): readonly (readonly [string, readonly UpdateAttempt[]])[];
  };
}

export const historyResource = declareResource({
  name: 'history',
  is: 'Past update attempts by device.',
  permission: 'Device',
  failures: {},
  operations: OPERATIONS,
  make: (needs: HistoryNeeds) => ({
    ...WITHOUT_RECORDS,
    handle: handlers(OPERATIONS, {
      'history.all': (_, { by, view }) => {
        const all = needs.campaign
          .attemptsOfAll(by)
          .map(([devEui, attempts]) => [devEui, entriesOf(attempts, view)] as const);
        return ok(Object.fromEntries(all));
      },
      'history.get': ({ deveui }, { by, view }) => {
        const attempts = needs.campaign.attemptsOf(by, deveui);
        if (attempts.length > 0 || view.device(deveui) !== undefined) {
          return ok(entriesOf(attempts, view));
        }
        return fail('device.unknown', `There is no device ${deveui}.`);
      },
    }),
  }),
});

const entriesOf = (attempts: readonly UpdateAttempt[], view: NetworkView) =>
  attempts.map((attempt) => answerOf(attempt, view));

const answerOf = (attempt: UpdateAttempt, view: NetworkView): HistoryEntryAnswer => ({
  entry_date: formatInstant(view.unixMs(attempt.atUs)),
  status: statusOf(attempt),
  reason: attempt.reason ?? '',
  initial_version: attempt.initialVersion,
  post_update_version: isNews(attempt) ? attempt.finalVersion : null,
  expected_version: attempt.expectedVersion,
  campaign_id: attempt.campaignId,
});

/** A device that failed and reports what it ran before has no version after the update. */
const isNews = ({ reason, initialVersion, finalVersion }: UpdateAttempt): boolean =>
  reason === null || finalVersion !== initialVersion;

/** `timeout`: no answer came in time. */
function statusOf({ reason }: UpdateAttempt): 'success' | 'failure' | 'timeout' {
  if (reason === null) return 'success';
  return REASONS[reason].status;
}

export type HistoryEntryAnswer = Of<typeof ENTRY>;
