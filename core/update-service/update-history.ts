/**
 * Update history: an entry for every attempt to update a device, written by campaigns
 * (docs/operations.md, Update history entry).
 */
import { fail, ok } from '../../sim/base/result.ts';
import type { Fold } from '../kit/fold.ts';
import type { Handlers } from '../kit/handlers.ts';
import { formatInstant } from '../kit/instant.ts';
import { declareResource } from '../kit/resource.ts';
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

export type HistoryQuery =
  | { readonly kind: 'history.all' }
  | { readonly kind: 'history.get'; readonly deveui: string };

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

export interface HistoryAnswers {
  /** By DevEUI, the devices that have entries. */
  'history.all': Readonly<Record<string, readonly HistoryEntryAnswer[]>>;
  'history.get': readonly HistoryEntryAnswer[];
}

export type HistoryFailure = 'device.unknown';

export class UpdateHistory {
  readonly #histories = new Store<DeviceHistory>(({ devEui }) => devEui);

  readonly queries: Handlers<HistoryQuery, HistoryAnswers, HistoryFailure> = {
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
  };

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

  fold(fold: Fold): void {
    this.#histories.fold(fold, 'histories');
  }

  save(): readonly DeviceHistory[] {
    return this.#histories.save();
  }

  load(saved: readonly DeviceHistory[]): void {
    this.#histories.load(saved);
  }
}

export const historyResource = declareResource({
  name: 'history',
  verbs: { 'history.all': 'list', 'history.get': 'get' },
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
