/**
 * The shape of every command: an HTTP call, a timeline entry and a replayed log line are the same
 * thing.
 */
import type { DevicePlan, GatewayPlan } from '../sim/network-plan.ts';
import type { DeviceGroupAnswers, DeviceGroupCommand } from './device-groups.ts';
import type { ImageAnswers, ImageCommand } from './images.ts';
import type { Asker } from './subscribers.ts';

/** Commands that the network decides. */
export type NetworkCommand =
  | { readonly kind: 'device.create'; readonly device: DevicePlan }
  | { readonly kind: 'device.remove'; readonly devEui: string }
  | { readonly kind: 'gateway.create'; readonly gateway: GatewayPlan }
  | { readonly kind: 'gateway.remove'; readonly eui: string }
  /** One application downlink in the device's queue; `payloadHex` is the FRMPayload in clear. */
  | {
      readonly kind: 'downlink.enqueue';
      readonly devEui: string;
      /** 1…223. */
      readonly fPort: number;
      readonly payloadHex: string;
      readonly confirmed: boolean;
    };

/** Commands that the campaigns decide. */
export type CampaignCommand =
  | { readonly kind: 'campaign.create'; readonly campaign: CampaignInput }
  /** Campaigns are named by their label here; it is unique in a scenario. */
  | { readonly kind: 'campaign.halt'; readonly name: string };

/** Commands that the platform decides. */
export type PlatformCommand = ImageCommand | DeviceGroupCommand | CampaignCommand;

/** Field names, units and ranges of the firmware update service's campaign creation input. */
export interface CampaignInput {
  readonly name: string;
  readonly image_name: string;
  /** Name of the device group. */
  readonly device_group: string;
  readonly expected_version?: string | null;
  /** Seconds from the start to the multicast session; determined automatically when absent. */
  readonly multicast_setup_time?: number | null;
  /** 1…14; the fastest that reaches every member when absent. */
  readonly mcast_dr?: number;
  /** MHz. */
  readonly mcast_freq?: number;
  /** Seconds, a power of 2 ≤ 32 768. */
  readonly mcast_session_timeout?: number | null;
  /** 0…1, share of redundancy fragments. */
  readonly redundancy?: number;
  /** Seconds between fragments of a gateway. */
  readonly frag_send_delay?: number;
  /** Bytes; the largest that the data rate carries when absent. */
  readonly frag_size?: number;
  readonly acceptable_time_drift?: number;
  readonly sleep_after_frag_sent?: number;
  /** 8 hexadecimal digits. */
  readonly descriptor?: string;
  readonly min_downlink_delay?: number;
  readonly min_timeout_delay?: number;
  readonly force_initial_version_check?: boolean;
  readonly max_final_version_check_retry?: number;
  readonly automatic_retry_count?: number;
  readonly automatic_retry_interval?: number;
  readonly downlink_delay_rand_s?: number;
  /** Unicast repair fragments per device at most; 0 disables the repair. */
  readonly individual_fragment_retransmit?: number;
  /** Whether the gateways of a group send a fragment one after the other or at the same instant. */
  readonly gateway_timing?: 'staggered' | 'simultaneous';
}

export interface CampaignAnswers {
  'campaign.create': undefined;
  'campaign.halt': undefined;
}

/** A command, and who asks for it. */
export type Command = (NetworkCommand | PlatformCommand) & Asker;

/** What a command is answered with, by its kind; those of the network with nothing. */
export type CommandAnswers = ImageAnswers &
  DeviceGroupAnswers &
  CampaignAnswers &
  Readonly<Record<NetworkCommand['kind'], undefined>>;

export type AnswerTo<Asked extends { readonly kind: keyof CommandAnswers }> =
  CommandAnswers[Asked['kind']];

/** A command with its stamp: it applies when no event ≤ atUs is pending. */
export interface TimedCommand {
  readonly atUs: number;
  readonly command: Command;
}
