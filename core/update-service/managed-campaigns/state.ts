/**
 * What a managed campaign remembers: plain data that is never changed in place. It grows with what
 * happened, not with the days: a session without devices leaves nothing, and a device has one
 * record from its first outcome on.
 */
import type { FailureReason } from '../../result/outcome.ts';
import type { GivenManaged } from './fields.ts';
import type { Stage } from './stages.ts';

export interface ManagedCampaign {
  /** From 1; also its timer. */
  readonly number: number;
  /** The subscriber whose it is. */
  readonly owner: string;
  /** In the form of a UUID, lower case. */
  readonly id: string;
  readonly input: GivenManaged;
  readonly name: string;
  /** Pattern of 16 characters (versions.ts). */
  readonly expectedVersion: string;
  /** Minutes of the UTC day at which sessions are held. */
  readonly startMinute: number;
  /** UTC, ms since 1970: no session is held after it. */
  readonly runUntilUnixMs: number;
  readonly createdAtUs: number;
  readonly stage: Stage;
  readonly stages: readonly { readonly stage: Stage; readonly atUs: number }[];
  /** Why it could not be set up; empty otherwise. */
  readonly status: string;
  /** UTC of the next session, ms since 1970; null: none is to come. */
  readonly sessionUnixMs: number | null;
  /** Those that found devices, the oldest first. */
  readonly sessions: readonly Session[];
  /** In the order of their creation. */
  readonly children: readonly Child[];
  /** When its children are deleted, if none runs then; `NEVER_US`: not known yet. */
  readonly cleansAtUs: number;
}

/** A session that found devices. */
export interface Session {
  readonly atUs: number;
  readonly scheduled: number;
  /** Devices that were left out since they had failed twice. */
  readonly problematic: number;
  /** Children that no campaign was made for, in words. */
  readonly refused: readonly string[];
}

/** A campaign of a session, for the devices of one class. */
export interface Child {
  /** From 1, among those of the managed campaign. */
  readonly number: number;
  readonly sessionAtUs: number;
  readonly name: string;
  readonly campaignId: string;
  readonly groupId: string;
  /** Of its latest end; zeros before the first. */
  readonly devices: number;
  readonly success: number;
  readonly failed: number;
  /** `NEVER_US` before it was over once. */
  readonly endedAtUs: number;
  /** It is no campaign any more. */
  readonly isGone: boolean;
}

/** What became of a device in the children. */
export interface ManagedDevice {
  readonly owner: string;
  /** Number of the managed campaign. */
  readonly managed: number;
  readonly devEui: string;
  /** A row for each child in which it failed, as that ended last, since the latest clearing. */
  readonly failures: readonly Failure[];
  /** Its latest success; null: none. */
  readonly updated: Updated | null;
}

export interface Failure {
  readonly child: number;
  readonly reason: FailureReason;
  readonly atUs: number;
}

export interface Updated {
  /** 16 hexadecimal digits of firmware and hardware. */
  readonly hex: string;
  readonly atUs: number;
}

/** Children in which a device fails until it is left out. */
const MOST_FAILURES = 2;

export const isProblematic = ({ failures }: ManagedDevice): boolean =>
  failures.length >= MOST_FAILURES;
