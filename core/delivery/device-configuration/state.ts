/**
 * What is remembered of a device's configuration: plain data, so that it can be saved, forked and
 * hashed at any time. A device without reported or desired values has no record.
 */

import type { JsonObject } from '../../../sim/base/json.ts';
import type { Fold } from '../../base/fold.ts';
import { foldField } from '../../base/fold.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { Owned } from '../../base/store.ts';
import type { CONFIRMATIONS } from '../../codecs/codec.ts';
import type { ConfigurationFailure, RolloutStatus } from '../../result/configuration.ts';
import { type FragmentStatus, isOver } from './machine.ts';

/** Who sets the configuration: a person, or a policy. */
export const MODES = ['manual', 'policy'] as const;
export type Mode = (typeof MODES)[number];

/** That somebody said who sets the configuration. */
export interface Control {
  readonly mode: Mode;
  readonly atUs: number;
  /** Id of a user or an application. */
  readonly by: string;
}

/** Each parameter as the device reported it last, and when it reported one last. */
export interface Reported {
  readonly config: JsonObject;
  readonly atUs: number;
}

/** A downlink of a rollout. Instants are those of the latest time, `NEVER_US` before the first. */
export interface Fragment {
  readonly fPort: number;
  readonly bytes: Uint8Array;
  status: FragmentStatus;
  /** Tries: transmissions, and those that were lost on the way to one. */
  attempts: number;
  readyAtUs: number;
  queuedAtUs: number;
  sentAtUs: number;
  confirmedAtUs: number;
  gatewayUnavailableAtUs: number;
  /** How long it has waited for its next try before it was suspended, µs. */
  waitedUs: number;
  /** The instants of the try that went on the air last, once another one is due. */
  tryBefore?: { readonly readyAtUs: number; readonly queuedAtUs: number };
  /** When the first try went on the air: what a device said before answers none. */
  firstSentAtUs: number;
  isAcknowledged: boolean;
  isEchoed: boolean;
}

/** A configuration on its way to a device. */
export interface Rollout {
  /** From 1, unique in the world; its downlinks are sent in its name. */
  readonly number: number;
  readonly config: JsonObject;
  readonly source: Mode;
  /** '' under manual control. */
  readonly policyId: string;
  /** The device's at the beginning; another one ends the rollout. */
  readonly decoderType: string;
  readonly confirmation: (typeof CONFIRMATIONS)[number];
  readonly echoes: boolean;
  readonly fragments: readonly Fragment[];
  readonly createdBy: string;
  readonly createdAtUs: number;
  updatedBy: string;
  updatedAtUs: number;
  startedAtUs: number;
  completedAtUs: number;
  status: RolloutStatus;
  failure: ConfigurationFailure | '';
  /** Place of the fragment whose turn it is. */
  turn: number;
  /** Downlinks of that fragment have this id or a later one; 0: none was asked for. */
  firstId: number;
  /** The downlink that waits in the network, by its id; 0: none. */
  waitingId: number;
  /** When there is something to do; `NEVER_US`: not by itself. */
  dueAtUs: number;
  /** End of the device's latest uplink since it began, µs. */
  spokeAtUs: number;
}

export interface DeviceRecord extends Owned {
  readonly devEui: string;
  /** Null: as its policies have it. */
  control: Control | null;
  reported: Reported | null;
  /** The latest, whatever became of it. */
  desired: Rollout | null;
}

export const newRecord = (owner: string, devEui: string): DeviceRecord => ({
  owner,
  devEui,
  control: null,
  reported: null,
  desired: null,
});

export const newFragment = (fPort: number, bytes: Uint8Array): Fragment => ({
  fPort,
  bytes,
  status: 'pending',
  attempts: 0,
  readyAtUs: NEVER_US,
  queuedAtUs: NEVER_US,
  sentAtUs: NEVER_US,
  confirmedAtUs: NEVER_US,
  gatewayUnavailableAtUs: NEVER_US,
  waitedUs: 0,
  firstSentAtUs: NEVER_US,
  isAcknowledged: false,
  isEchoed: false,
});

/** Who asks for a rollout, and of what. */
export interface NewRollout
  extends Pick<
    Rollout,
    | 'number'
    | 'config'
    | 'source'
    | 'policyId'
    | 'decoderType'
    | 'confirmation'
    | 'echoes'
    | 'fragments'
    | 'createdBy'
  > {
  readonly nowUs: number;
}

/** A rollout without a scheduled step. */
export const newRollout = ({ nowUs, ...parts }: NewRollout): Rollout => ({
  ...parts,
  createdAtUs: nowUs,
  updatedBy: parts.createdBy,
  updatedAtUs: nowUs,
  startedAtUs: NEVER_US,
  completedAtUs: NEVER_US,
  status: 'pending',
  failure: '',
  turn: 0,
  firstId: 0,
  waitingId: 0,
  dueAtUs: NEVER_US,
  spokeAtUs: NEVER_US,
});

/** The rollout that is not over; undefined: there is none. */
export function activeOf({ desired }: DeviceRecord): Rollout | undefined {
  return desired !== null && !isOver(desired.status) ? desired : undefined;
}

/** Configurations fold as text: of a parameter 0 is another value than none. */
export function foldRecord(fold: Fold, { reported, desired, ...record }: DeviceRecord): void {
  foldField(fold, 'configured', record);
  if (reported !== null) {
    foldField(fold, 'reported', { at: reported.atUs, config: JSON.stringify(reported.config) });
  }
  if (desired !== null) {
    foldField(fold, 'desired', { ...desired, config: JSON.stringify(desired.config) });
  }
}
