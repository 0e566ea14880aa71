/** What stories of devices are written from, whether it was watched or recorded. */
import type { CampaignRow } from '../../core/update-service/campaigns/step-rows.ts';
import type { BeaconFate, Counts, DownlinkLoss } from '../../sim/base/counts.ts';
import type { FrameDown, FrameUp } from '../../sim/contract/frames.ts';
import type {
  DeviceReceives,
  DeviceStarts,
  FragmentTaken,
  ImageActivated,
  MulticastDecided,
  MulticastSessionOpens,
  TraceRow,
  UplinkBegins,
  UplinkCollected,
  UplinkEnds,
} from '../../sim/observation/observer.ts';

export interface WatchedDevice {
  readonly name: string;
  readonly devEui: string;
}

/** A frame of a multicast group, by the end of its first copy. */
export interface GroupFrame {
  readonly mcAddr: number;
  readonly counter: number;
  readonly endsAtUs: number;
}

/** What an uplink or a downlink carried for a package of the device. */
export interface Message {
  readonly fPort: number | null;
  readonly payload: Uint8Array;
}

/** An uplink as it was watched, with its bytes on the air, or with its message as recorded. */
export type StoryBegins = Pick<
  UplinkBegins,
  'kind' | 'atUs' | 'frame' | 'purpose' | 'spreadingFactor' | 'eirpCentiDbm'
> &
  (Pick<UplinkBegins, 'phyPayload' | 'airtimeUs'> | { readonly message: Message | undefined });

export type StoryEnds = Pick<UplinkEnds, 'kind' | 'atUs' | 'frame'> & {
  readonly gateways: readonly Pick<UplinkEnds['gateways'][number], 'gateway' | 'fate'>[];
};

/** A row of the trace, as far as stories read it. */
export type StoryRow =
  | Exclude<
      TraceRow,
      {
        readonly kind:
          | 'deviceStarts'
          | 'uplinkBegins'
          | 'uplinkEnds'
          | 'uplinkCollected'
          | 'deviceReceives'
          | 'multicastSessionOpens'
          | 'multicastDecided'
          | 'fragmentTaken'
          | 'imageActivated';
      }
    >
  | Pick<DeviceStarts, 'kind' | 'atUs' | 'powerOnAtUs' | 'driftPpb' | 'activation'>
  | StoryBegins
  | StoryEnds
  | Pick<UplinkCollected, 'kind' | 'atUs' | 'frame'>
  | Pick<DeviceReceives, 'kind' | 'atUs' | 'purpose'>
  | (Pick<
      MulticastSessionOpens,
      'kind' | 'atUs' | 'mcAddr' | 'opensAtUs' | 'closesAtUs' | 'spreadingFactor'
    > & { readonly slots?: { readonly untilUs: number } })
  | Pick<MulticastDecided, 'kind' | 'atUs' | 'mcAddr' | 'fCnt' | 'endedAtUs' | 'fate'>
  | Pick<FragmentTaken, 'kind' | 'atUs' | 'completes' | 'receivedAtUs' | 'fragmentNumber'>
  | Pick<ImageActivated, 'kind' | 'atUs' | 'fwVersion'>;

export interface EndOfDownlink {
  readonly atUs: number;
  readonly fate: 'received' | DownlinkLoss;
}

/** A downlink as far as stories read it. */
export interface StoryDownlink {
  readonly type: FrameDown['type'];
  readonly data: (Message & { readonly inClear: boolean }) | null;
  readonly sending: Pick<
    NonNullable<FrameDown['sending']>,
    'gatewayEui' | 'window' | 'airtimeUs'
  > | null;
  readonly outcome: FrameDown['outcome'];
}

export interface BeaconsHeard {
  readonly firstUs: number;
  readonly lastUs: number;
  readonly fates: Counts<BeaconFate>;
}

/** Everything retained of a device, each list in the order of time. */
export interface DeviceRows {
  readonly rows: readonly StoryRow[];
  readonly downlinkEnds: readonly EndOfDownlink[];
  readonly downlinks: readonly { readonly frame: StoryDownlink; readonly atUs: number }[];
  /** Uplinks that the server took in; none where rows have their messages. */
  readonly uplinks: readonly FrameUp[];
  /** Undefined: it looked for none. */
  readonly beacons: BeaconsHeard | undefined;
}

export const NO_ROWS: DeviceRows = {
  rows: [],
  downlinkEnds: [],
  downlinks: [],
  uplinks: [],
  beacons: undefined,
};

/** What is retained of some devices of a run, and of all that they share. */
export interface StorySource {
  of(device: WatchedDevice): DeviceRows;
  /** Frames of multicast groups on the air, each once. */
  readonly groupFrames: readonly GroupFrame[];
  /** Stages of campaigns, and the steps of these devices. */
  readonly steps: readonly CampaignRow[];
  /** Faults of gateways, and those that come and go after the start. */
  readonly gatewayRows: readonly TraceRow[];
}

/** Name of a gateway that was ever in service; else its EUI. */
export function gatewayNamed({ gatewayRows }: Pick<StorySource, 'gatewayRows'>, eui: string) {
  const row = gatewayRows.find((one) => one.kind === 'gatewayStarts' && one.eui === eui);
  return row !== undefined && 'gateway' in row ? row.gateway : eui;
}
