/**
 * The commands of firmware campaigns and what they answer, in the field names of the firmware
 * update service. Its queries are in status.ts.
 */

/** Commands that the campaigns decide. */
export type CampaignCommand =
  | { readonly kind: 'campaign.create'; readonly campaign: CampaignInput }
  /** A campaign is named by its id or its label here; of equal labels the latest is meant. */
  | { readonly kind: 'campaign.halt'; readonly name: string }
  | { readonly kind: 'campaign.restart'; readonly name: string; readonly changes: CampaignRestart }
  | { readonly kind: 'campaign.delete'; readonly name: string };

/** Field names, units and ranges of docs/operations.md, Campaign creation input. */
export interface CampaignInput {
  readonly name: string;
  readonly image_name: string;
  /** Id or name of the device group. */
  readonly device_group: string;
  readonly expected_version?: string | null;
  /** Seconds from the start to the multicast session; determined automatically when absent or 0. */
  readonly multicast_setup_time?: number | null;
  /** RFC 3339, in the future; at once when absent. */
  readonly scheduled_start_at?: string | null;
  /** 16 hexadecimal digits; demands address and key. What is absent is drawn. */
  readonly mcast_deveui?: string | null;
  /** 8 hexadecimal digits. */
  readonly mcast_devaddr?: string | null;
  /** 32 hexadecimal digits. */
  readonly mcast_mc_key?: string | null;
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
  /** Collects what was said to each device and what it answered. */
  readonly is_debug?: boolean;
  /** Reports for each failed device what was wrong. */
  readonly is_troubleshooting?: boolean;
  /** Kept and shown, without effect. */
  readonly completed_email_alert?: readonly string[];
  /** Whether the gateways of a group send a fragment one after the other or at the same instant. */
  readonly gateway_timing?: 'staggered' | 'simultaneous';
  /** Not of the service: fragments go out in ping slots, through gateways with GPS time. */
  readonly multicastSession?: 'classC' | 'classB';
  /** Of the group's ping slots, 0…7; as long as the pace allows when absent. */
  readonly pingSlotPeriodicity?: number;
}

/** What a restart changes; all else stays as it was. */
export interface CampaignRestart {
  /** Gateway EUIs, at most 10; absent, null or empty: chosen automatically. */
  readonly gateways?: readonly string[] | null;
  /** Seconds; absent: as before; 0 or null: determined automatically. */
  readonly multicast_setup_time?: number | null;
  /** RFC 3339, in the future; absent or null: at once. */
  readonly scheduled_start_at?: string | null;
  /** Absent or null: as before. */
  readonly automatic_retry_count?: number | null;
  /** 0…1; absent or null: as before. */
  readonly redundancy?: number | null;
}

export interface CampaignAnswers {
  'campaign.create': PartialStatus;
  'campaign.halt': undefined;
  'campaign.restart': PartialStatus;
  'campaign.delete': undefined;
}

/** Where a campaign stands. */
export interface PartialStatus {
  readonly campaign_id: string;
  /** Number and name of the stage. */
  readonly stage: number;
  readonly stage_str: string;
}
