/**
 * What a result holds of devices in campaigns: what is true of each, beside what the service
 * believes (docs/decisions/0069).
 */
import type { Counts } from '../../sim/base/counts.ts';

/** Why a device fails in a campaign, in the words of the firmware update service. */
export const FAILURE_REASONS = [
  'no uplink',
  'no plan',
  'no key',
  'halted',
  'device removed',
  'set-up unanswered',
  'clock drift',
  'McGroupID unsupported',
  'multicast group undefined',
  'encoding unsupported',
  'not enough memory',
  'FragIndex unsupported',
  'wrong descriptor',
  'DR unsupported',
  'frequency unsupported',
  'session missed',
  'no beacon',
  'missing fragments',
  'MIC error',
  'session counter replayed',
  'version mismatch',
  'not delegated',
  'verification unanswered',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** What has failed with the service alone: the device runs the new image. */
export const UNHEARD_CAUSES = [
  /** No answer came that says so. */
  'answer lost',
  /** It still ran another version when it was heard last. */
  'asked too early',
] as const;

/** What has failed with the device: how it did so, in place of what the service noticed of it. */
export const DEVICE_CAUSES = [
  'flash write error',
  'rebooted',
  'wrong signature',
  'wrong hardware',
] as const;
export type DeviceCause = (typeof DEVICE_CAUSES)[number];

/** Why a device failed: the service's reason, unless the truth is another one. */
export const FAILURE_CAUSES = [...FAILURE_REASONS, ...UNHEARD_CAUSES, ...DEVICE_CAUSES] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

/** Devices of a campaign by what became of them: devices = success + inProgress + failed. */
export interface OutcomeCounts {
  readonly devices: number;
  /**
   * The truth: devices that run the new image, or ran it before the next campaign took them;
   * whatever anybody heard of it.
   */
  readonly running: number;
  /** What the service believes: devices that have confirmed the new version; all of them run it. */
  readonly success: number;
  readonly inProgress: number;
  /** The sum over `failures`. */
  readonly failed: number;
  readonly failures: Counts<FailureCause>;
}

/** Devices of a campaign that are of one population. */
export interface PopulationOutcome extends OutcomeCounts {
  /** Null: devices that have left the network. */
  readonly name: string | null;
}

/** What became of a device in a campaign; null: nobody can say, or there is none. */
export interface DeviceOutcome {
  readonly devEui: string;
  /** Null: it has left the network, and so has all that is true of it. */
  readonly name: string | null;
  readonly population: string | null;
  /** What the service believes; `none`: it was in no campaign. */
  readonly fate: DeviceFate;
  /** Null unless it failed. */
  readonly cause: FailureCause | null;
  /** What the service found when it failed, in a sentence; absent unless it looked and found. */
  readonly diagnosis?: string;
  /** The last step of the flow that it passed with all before. */
  readonly step: string | null;
  /** Whether it runs the new image, or ran it before the next campaign took it. */
  readonly runs: boolean | null;
  /** Of its session. */
  readonly dataRate: number | null;
  /** Gateways in service that can hear it at its present data rate and power. */
  readonly gateways: number | null;
  /** Distinct fragments stored, fragments before redundancy, and missing rank. */
  readonly fragmentsHeld: number | null;
  readonly fragmentsNeeded: number | null;
  readonly fragmentsMissing: number | null;
  /** 16 hexadecimal digits of firmware and hardware: when the campaign began, and now. */
  readonly versionBefore: string | null;
  readonly version: string | null;
  /** Drawn from its supply since power-on. */
  readonly joules: number | null;
}

const DEVICE_FATES = ['none', 'confirmed', 'inProgress', 'failed'] as const;
export type DeviceFate = (typeof DEVICE_FATES)[number];

/** A device in a campaign, or in none. */
export interface CampaignDevice extends DeviceOutcome {
  /** By name. */
  readonly campaign: string | null;
  /** Whose the campaign is; absent: the default subscriber's. */
  readonly subscriber?: string;
}

/** What the service found wrong with devices that failed, where it looked (is_troubleshooting). */
export interface DiagnosisCount {
  readonly diagnosis: string;
  readonly devices: number;
  /** What it says of the first of them, by its DevEUI. */
  readonly example: string;
  readonly devEui: string;
}

/** Devices that a result names of those that failed in a campaign. */
export const FAILED_NAMED = 50;
