/** What a recorder has stored for stories of devices, for who reads it at the end of a run. */
import type { BeaconFate, DownlinkRefusal } from '../base/counts.ts';

/** Beacons of a device, in the order of time. */
export interface BeaconStory {
  readonly firstUs: number;
  lastUs: number;
  readonly fates: Partial<Record<BeaconFate, number>>;
}

/** What a gateway of a name sent, refused and could not forward. */
export interface GatewayStory {
  readonly sent: Record<string, number>;
  readonly refused: Partial<Record<DownlinkRefusal, number>>;
  /** Begins of outages of its backhaul, and the frames received in each. */
  readonly notForwarded: { readonly fromUs: number; frames: number }[];
}

/** A row on what a campaign does, as `CampaignRow` has it. */
export interface StoryStep {
  readonly kind: string;
  readonly atUs: number;
  readonly campaign: string;
  readonly id: string;
}

/** A row of the trace; who reads it has its type. */
export interface SeldomRow {
  readonly kind: string;
  readonly atUs: number;
}

export interface StoryRecords {
  /** Whether nothing is missing. */
  readonly isWhole: boolean;
  /** By row of the device. */
  readonly names: readonly string[];
  readonly devEuis: readonly string[];
  readonly rows: readonly SeldomRow[];
  readonly steps: readonly StoryStep[];
  readonly beacons: ReadonlyMap<number, BeaconStory>;
  readonly gateways: ReadonlyMap<string, GatewayStory>;
  /** What was stored as numbers, in bytes. */
  written(): Readonly<Record<'uplinks' | 'facts' | 'messages', Uint8Array>>;
}

/** A recorder, as far as it stores stories. */
export interface StoryKeeper {
  readonly stories: StoryRecords | undefined;
  /** Frames of groups, by device a fate of each from the first. */
  readonly groups: ReadonlyMap<
    number,
    {
      readonly mcAddr: number;
      readonly first: number;
      readonly cells: readonly (Uint8Array | undefined)[];
    }
  >;
}
