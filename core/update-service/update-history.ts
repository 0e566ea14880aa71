/**
 * Update history: an entry for every attempt to update a device, written by campaigns
 * (docs/operations.md, Update history entry).
 */
import { fail, ok } from '../../sim/base/result.ts';
import { formatInstant } from '../base/instant.ts';
import { Store } from '../base/store.ts';
import { euiOf } from '../kit/fields.ts';
import { declareResource, handlers, type Operations } from '../kit/resource.ts';
import type { NetworkView } from '../network-face.ts';

/** What a campaign writes about an attempt that is over. */
export interface UpdateAttempt {
  readonly atUs: number;
  /** `timeout`: an answer was waited for in vain. */
  readonly status: 'success' | 'failure' | 'timeout';
  /** Why it failed; empty for a success. */
  readonly reason: string;
  /** 16 hexadecimal digits of firmware and hardware; null: not reported. */
  readonly initialVersion: string | null;
  readonly postUpdateVersion: string | null;
  /** Pattern of 16 characters (versions.ts). */
  readonly expectedVersion: string;
  /** Null when it is not tied to a campaign. */
  readonly campaignId: string | null;
}

/** A device's attempts, the oldest first. It outlives the device. */
export interface DeviceHistory {
  readonly owner: string;
  readonly devEui: string;
  readonly attempts: UpdateAttempt[];
}

const deveui = euiOf('The device.');

const OPERATIONS = {
  'history.all': { verb: 'list', takes: {}, is: 'Entries by DevEUI, of devices that have some.' },
  'history.get': { verb: 'get', takes: { deveui }, is: 'Entries of a device, the oldest first.' },
} as const satisfies Operations;

/** What the history offers to other resources. */
export type UpdateHistory = ReturnType<(typeof historyResource)['make']>;

export const historyResource = declareResource({
  name: 'history',
  permission: 'Device',
  failures: {},
  operations: OPERATIONS,
  make: () => {
    const histories = new Store<DeviceHistory>('histories', ({ devEui }) => devEui);

    return {
      ...histories.saving,

      add(owner: string, devEui: string, attempt: UpdateAttempt): void {
        const history = histories.get(owner, devEui);
        if (history === undefined) histories.put({ owner, devEui, attempts: [attempt] });
        else {
          history.attempts.push(attempt);
          histories.grew(owner, devEui);
        }
      },

      /** What a campaign wrote goes with it. */
      forgetCampaign(owner: string, campaignId: string): void {
        for (const { devEui, attempts } of histories.list(owner)) {
          const left = attempts.filter((attempt) => attempt.campaignId !== campaignId);
          if (left.length === 0) histories.remove(owner, devEui);
          else if (left.length < attempts.length) histories.put({ owner, devEui, attempts: left });
        }
      },

      handle: handlers(OPERATIONS, {
        'history.all': (_, { by, view }) => {
          const all = histories
            .list(by)
            .map((each) => [each.devEui, entriesOf(each, view)] as const);
          return ok<Readonly<Record<string, HistoryEntryAnswer[]>>>(Object.fromEntries(all));
        },
        'history.get': ({ deveui }, { by, view }) => {
          const history = histories.get(by, deveui);
          if (history !== undefined) return ok(entriesOf(history, view));
          if (view.device(deveui) !== undefined) return ok<HistoryEntryAnswer[]>([]);
          return fail('device.unknown', `There is no device ${deveui}.`);
        },
      }),
    };
  },
});

const entriesOf = ({ attempts }: DeviceHistory, view: NetworkView) =>
  attempts.map((attempt) => answerOf(attempt, view));

/** Field names of the firmware update service. */
const answerOf = (attempt: UpdateAttempt, view: NetworkView) => ({
  entry_date: formatInstant(view.unixMs(attempt.atUs)),
  status: attempt.status,
  reason: attempt.reason,
  initial_version: attempt.initialVersion,
  post_update_version: attempt.postUpdateVersion,
  expected_version: attempt.expectedVersion,
  campaign_id: attempt.campaignId,
});

export type HistoryEntryAnswer = ReturnType<typeof answerOf>;
