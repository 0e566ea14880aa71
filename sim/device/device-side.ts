/** The devices' side of a network: their table, their radio, their rules. */

import type { BeaconFate, FragmentLoss, MulticastFate } from '../base/counts.ts';
import type { EntityKey } from '../base/random.ts';
import type { Agenda } from '../kernel/agenda.ts';
import type { ByteSlots } from '../kernel/byte-slots.ts';
import type { FrameSecurity } from '../lorawan/frame-security.ts';
import type { Observer } from '../observation/observer.ts';
import type { Recorder } from '../observation/recorder.ts';
import type { StoryLog } from '../observation/stories/story-log.ts';
import type { DeviceTypePlan } from '../plan/network-plan.ts';
import type { BeaconLog } from '../radio/beacon-log.ts';
import type { DownlinkAir } from '../radio/downlink-air.ts';
import type { Interference } from '../radio/interference.ts';
import type { Links } from '../radio/links.ts';
import type { MulticastAir } from '../radio/multicast-air.ts';
import type { UplinkAir } from '../radio/uplink-air.ts';
import type { Beacons } from '../spectrum/beacons.ts';
import type { ChannelPlan } from '../spectrum/channel-plan.ts';
import type { ChannelSets } from '../spectrum/channel-set.ts';
import type { DutyCycle } from '../spectrum/duty-cycle.ts';
import type { ListenBeforeTalk } from '../spectrum/listen-before-talk.ts';
import type { Behaviours } from './behaviours.ts';
import type { ClassBTable } from './class-b/class-b-table.ts';
import type { ClockCourse } from './clock-course.ts';
import type { CompletionChecks } from './completion-checks.ts';
import type { DeviceTable } from './device-table.ts';
import type { EnergyTable } from './energy-table.ts';
import type { FailureTable } from './failure-table.ts';
import type { ListedTable } from './listed-table.ts';
import type { MulticastMemos } from './multicast-memos.ts';
import type { MulticastState } from './multicast-state.ts';
import type { Outgoing } from './outgoing.ts';
import type { WindowShapes } from './receive-windows.ts';
import type { SettingsTable } from './settings-table.ts';
import type { DeviceTroubles } from './troubles.ts';

/** FPort (`NO_PORT` for none) and FRMPayload length of a message, MAC commands apart. */
export interface MessageShape {
  readonly fPort: number;
  readonly length: number;
}

export interface DeviceSide {
  readonly devices: DeviceTable;
  /** The columns of `devices`. */
  readonly column: DeviceTable['column'];
  readonly types: readonly DeviceTypePlan[];
  /** By device type: its own messages, where all are alike: of no list, and not as it is set. */
  readonly ownMessages: readonly (MessageShape | undefined)[];
  readonly plan: ChannelPlan;
  readonly channelSets: ChannelSets;
  readonly listenBeforeTalk: ListenBeforeTalk;
  readonly windows: WindowShapes;
  /** By device type; undefined where the rate is constant. */
  readonly clocks: readonly (ClockCourse | undefined)[];
  readonly security: FrameSecurity;
  readonly agenda: Agenda;
  /** One account per device and sub-band. */
  readonly dutyCycle: DutyCycle;
  readonly links: Links;
  readonly uplinkAir: UplinkAir;
  readonly downlinkAir: DownlinkAir;
  /** Frames in flight. */
  readonly slots: ByteSlots;
  readonly multicastAir: MulticastAir;
  readonly interference: Interference;
  readonly outgoing: Outgoing;
  readonly behaviours: Behaviours;
  readonly settings: SettingsTable;
  readonly troubles: DeviceTroubles;
  readonly failures: FailureTable;
  readonly listed: ListedTable;
  readonly multicast: MulticastState;
  readonly multicastMemos: MulticastMemos;
  readonly completionChecks: CompletionChecks;
  readonly energy: EnergyTable;
  readonly beacons: Beacons;
  readonly beaconLog: BeaconLog;
  readonly classB: ClassBTable;
  /** UTC instant of virtual time zero, ms since 1970. */
  readonly startUnixMs: number;
  /** GPS time of the world's start, µs. */
  readonly gpsStartUs: number;
  readonly verifyAllImages: boolean;
  antennaGainCentiDb(gateway: number): number;
  gatewayKey(gateway: number): EntityKey;
  /** Counts fragments of a group that a device did not hear. */
  countFragments(mcAddr: number, cause: FragmentLoss, by: number): void;
  /** Counts a frame of a standing group: for how many it was, and what became of it at one. */
  countGroupMembers(mcAddr: number, members: number): void;
  countGroupFrame(mcAddr: number, fate: MulticastFate): void;
  /** Counts what became of a beacon at a device of this type that looked for it. */
  countBeacon(type: string, fate: BeaconFate): void;
  /** A sampled device has rebuilt a block. */
  onBlock(rebuilt: {
    readonly devEui: string;
    readonly mcAddr: number;
    readonly block: Uint8Array;
  }): void;
  /** A device runs the image that waited; the version is the one before. */
  onActivated(activated: { readonly devEui: string; readonly fwVersion: number }): void;
  readonly observer: Observer | undefined;
  /** Receives seldom rows: the observer, and who stores stories. */
  readonly witness: Observer | undefined;
  readonly recorder: Recorder | undefined;
  readonly stories: StoryLog | undefined;
}

/** Share of the device's frames that is lost on each link, each way, parts per million. */
export const frameLossPpm = ({ devices, types, troubles }: DeviceSide, device: number): number =>
  troubles.lossPpm(device, types[devices.column.type[device]]!.frameLossPpm);

/** Who wants frequent rows of a device, which are not made for nobody. */
export function observerOf(
  { observer, devices }: Pick<DeviceSide, 'observer' | 'devices'>,
  device: number,
): Observer | undefined {
  if (observer?.watches === undefined) return observer;
  return observer.watches(devices.identities.of(device).name) ? observer : undefined;
}
