/** Response with a device's configuration. */

import type { NetworkView } from '../../../sim/contract/view.ts';
import { formatInstant, NEVER_US } from '../../base/instant.ts';
import type { ConfigurationAnswer, RolloutAnswer } from './rows.ts';
import type { Control, DeviceRecord, Fragment, Rollout } from './state.ts';

/** `control`: as it is, whether somebody has said so or not. */
export function configurationAnswer(
  { owner, devEui, reported, desired }: DeviceRecord,
  { mode, atUs, by }: Control,
  view: NetworkView,
): ConfigurationAnswer {
  const at = (us: number) => formatInstant(view.unixMs(us));
  return {
    owner_id: owner,
    dev_eui: devEui,
    control: { mode, updated_at: at(atUs), updated_by: by },
    reported: reported && { config: reported.config, last_uplink_at: at(reported.atUs) },
    desired: desired && rolloutAnswer(desired, view),
  };
}

function rolloutAnswer(rollout: Rollout, view: NetworkView): RolloutAnswer {
  const at = (us: number) => formatInstant(view.unixMs(us));
  const atOrNull = (us: number) => (us === NEVER_US ? null : at(us));
  const { fragments, failure, policyId } = rollout;
  return {
    config: rollout.config,
    source_type: rollout.source,
    policy_id: policyId === '' ? null : policyId,
    status: rollout.status,
    failure_reason: failure === '' ? null : failure,
    created_by: rollout.createdBy,
    updated_by: rollout.updatedBy,
    created_at: at(rollout.createdAtUs),
    updated_at: at(rollout.updatedAtUs),
    started_at: atOrNull(rollout.startedAtUs),
    completed_at: atOrNull(rollout.completedAtUs),
    progress: {
      total_fragments: fragments.length,
      fragments_confirmed: confirmedOf(rollout),
      fragments: fragments.map((fragment, place) => ({
        sequence: place + 1,
        ...fragmentAnswer(fragment, atOrNull),
      })),
    },
  };
}

const fragmentAnswer = (fragment: Fragment, at: (us: number) => string | null) => ({
  status: fragment.status,
  attempt_count: fragment.attempts,
  ready_at: at(fragment.readyAtUs),
  queued_at: at(fragment.queuedAtUs),
  sent_at: at(fragment.sentAtUs),
  confirmed_at: at(fragment.confirmedAtUs),
  gateway_unavailable_at: at(fragment.gatewayUnavailableAtUs),
});

export const confirmedOf = ({ fragments }: Rollout): number =>
  fragments.filter(({ status }) => status === 'confirmed').length;
