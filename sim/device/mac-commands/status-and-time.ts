/**
 * What one side asks of the other: LinkCheck, DevStatus, DeviceTime (LoRaWAN 1.0.4 §5.1, §5.5,
 * §5.9).
 */
import {
  Cid,
  DeviceTimeAns,
  DeviceTimeReq,
  DevStatusAns,
  LinkCheckAns,
  LinkCheckReq,
} from '../../lorawan/mac-commands.ts';
import type { DeviceSide } from '../device-side.ts';
import { batteryLevel } from '../energy.ts';
import { setClock } from '../gps-clock.ts';
import { retimeMulticastSessions } from '../multicast-session.ts';
import type { CommandCursor, CommandHandlers } from './command-handler.ts';
import { isCommandQueued, queueCommand } from './queue.ts';

/** Asks for the link with every n-th uplink, if the device's type says so. */
export function requestLinkCheck({ devices, types }: DeviceSide, device: number): void {
  const c = devices.column;
  const { linkCheckEvery } = types[c.type[device]]!;
  if (linkCheckEvery === undefined || c.fCntUp[device] % linkCheckEvery !== 0) return;
  if (isCommandQueued(devices, device, Cid.linkCheck)) return;
  queueCommand(devices, device, LinkCheckReq.encode({}));
}

/** Asks for the time when the device's type says so: with every uplink until an answer comes. */
export function requestDeviceTime(
  { devices, types }: DeviceSide,
  device: number,
  nowUs: number,
): void {
  const c = devices.column;
  const { timeSyncEveryUs } = types[c.type[device]]!;
  if (timeSyncEveryUs === undefined || nowUs < c.timeWantedAtUs[device]) return;
  if (isCommandQueued(devices, device, Cid.deviceTime)) return;
  queueCommand(devices, device, DeviceTimeReq.encode({}));
}

export const statusAndTimeCommands = {
  /** Margin of the uplink at the best gateway, dB, and how many gateways heard it. */
  LinkCheckAns({ devices }: DeviceSide, device: number, { bytes }: CommandCursor, at: number) {
    const c = devices.column;
    c.linkChecks[device]++;
    c.linkMarginDb[device] = LinkCheckAns.value.margin(bytes, at);
    c.linkGateways[device] = LinkCheckAns.value.gwCnt(bytes, at);
  },

  /** Answers with the battery, and the margin of this frame, held to its six bits. */
  DevStatusReq(side: DeviceSide, device: number) {
    const { devices } = side;
    const battery = batteryLevel(side, device, side.agenda.nowUs);
    const margin = Math.max(-32, Math.min(31, devices.column.downlinkMarginDb[device]));
    queueCommand(devices, device, DevStatusAns.encode({ battery, margin }));
  },

  /** The GPS time at the end of the uplink that asked. */
  DeviceTimeAns(side: DeviceSide, device: number, { bytes }: CommandCursor, at: number) {
    const c = side.column;
    const endedAtUs = c.uplinkEndedAtUs[device];
    const { seconds, fraction } = DeviceTimeAns.value;
    setClock(side, device, seconds(bytes, at), fraction(bytes, at), endedAtUs);
    c.timeSyncs[device]++;
    c.timeWantedAtUs[device] =
      endedAtUs + (side.types[c.type[device]]!.timeSyncEveryUs ?? Number.POSITIVE_INFINITY);
    retimeMulticastSessions(side, device, side.agenda.nowUs);
  },
} satisfies Partial<CommandHandlers>;
