/** What the rooms of a device share: its table, its radio, its rules. */
import type { ChannelPlan } from '../channel-plan.ts';
import type { DutyCycle } from '../duty-cycle.ts';
import type { Agenda } from '../kernel/agenda.ts';
import type { ByteSlots } from '../kernel/byte-slots.ts';
import type { FrameSecurity } from '../lorawan/frame-security.ts';
import type { DeviceTypePlan } from '../network-plan.ts';
import type { Observer } from '../observer.ts';
import type { DownlinkAir } from '../radio/downlink-air.ts';
import type { Links } from '../radio/links.ts';
import type { UplinkAir } from '../radio/uplink-air.ts';
import type { DeviceTable } from './device-table.ts';
import type { WindowShape } from './receive-windows.ts';

export interface DeviceRoom {
  readonly devices: DeviceTable;
  readonly types: readonly DeviceTypePlan[];
  readonly plan: ChannelPlan;
  readonly windows: readonly (WindowShape | undefined)[];
  readonly security: FrameSecurity;
  readonly agenda: Agenda;
  /** One account per device and sub-band. */
  readonly dutyCycle: DutyCycle;
  readonly links: Links;
  readonly uplinkAir: UplinkAir;
  readonly downlinkAir: DownlinkAir;
  /** Frames in flight. */
  readonly slots: ByteSlots;
  readonly observer: Observer | undefined;
}
