/**
 * Update history: an entry for every attempt to update a device, written by campaigns
 * (docs/operations.md, Update history entry).
 */
import { fail, ok } from '../../sim/base/result.ts';
import { id } from '../kit/fields.ts';
import type { Fold } from '../kit/fold.ts';
import { formatInstant } from '../kit/instant.ts';
import { declareResource, handlers, type Operations } from '../kit/resource.ts';
import { Store } from '../kit/store.ts';
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
  readonly attempts: readonly UpdateAttempt[];
}

/** Field names of the firmware update service. */
export interface HistoryEntryAnswer {
  readonly entry_date: string;
  readonly status: string;
  readonly reason: string;
  readonly initial_version: string | null;
  readonly post_update_version: string | null;
  readonly expected_version: string;
  readonly campaign_id: string | null;
}

const OPERATIONS = {
  'history.all': { verb: 'list', takes: {}, is: 'Entries by DevEUI, of devices that have some.' },
  'history.get': { verb: 'get', takes: { deveui: id('The device.') }, is: 'Entries of a device.' },
} as const satisfies Operations;

export class UpdateHistory {
  readonly #histories = new Store<DeviceHistory>('histories', ({ devEui }) => devEui);

  readonly handle = handlers(OPERATIONS, {
    'history.all': (_, { by, view }) =>
      ok(
        Object.fromEntries(
          this.#histories
            .list(by)
            .map(({ devEui, attempts }) => [devEui, attempts.map((each) => answerOf(each, view))]),
        ),
      ),
    'history.get': ({ deveui }, { by, view }) => {
      const devEui = deveui.toUpperCase();
      const found = this.#histories.get(by, devEui);
      if (found !== undefined) return ok(found.attempts.map((each) => answerOf(each, view)));
      if (view.device(devEui) !== undefined) return ok([]);
      return fail('device.unknown', `There is no device ${devEui}.`);
    },
  });

  add(owner: string, devEui: string, attempt: UpdateAttempt): void {
    const attempts = this.#histories.get(owner, devEui)?.attempts ?? [];
    this.#histories.put({ owner, devEui, attempts: [...attempts, attempt] });
  }

  /** What a campaign wrote goes with it. */
  forgetCampaign(owner: string, campaignId: string): void {
    for (const { devEui, attempts } of this.#histories.list(owner)) {
      const left = attempts.filter((attempt) => attempt.campaignId !== campaignId);
      if (left.length === 0) this.#histories.remove(owner, devEui);
      else if (left.length < attempts.length) {
        this.#histories.put({ owner, devEui, attempts: left });
      }
    }
  }

  readonly fold = (fold: Fold) => this.#histories.saving.fold(fold);
  readonly save = () => this.#histories.saving.save();
  readonly load = (saved: readonly DeviceHistory[]) => this.#histories.saving.load(saved);
}

export const historyResource = declareResource({
  name: 'history',
  permission: 'Device',
  failures: { 'device.unknown': 'unknown' },
  operations: OPERATIONS,
  make: () => new UpdateHistory(),
});

function answerOf(attempt: UpdateAttempt, view: NetworkView): HistoryEntryAnswer {
  return {
    entry_date: formatInstant(view.unixMs(attempt.atUs)),
    status: attempt.status,
    reason: attempt.reason,
    initial_version: attempt.initialVersion,
    post_update_version: attempt.postUpdateVersion,
    expected_version: attempt.expectedVersion,
    campaign_id: attempt.campaignId,
  };
}
