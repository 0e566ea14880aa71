/** DeviceTime: the network tells the time (LoRaWAN 1.0.4 §5.9). */
import { Cid, DeviceTimeAns, DeviceTimeReq } from '../../lorawan/mac-commands.ts';
import type { DeviceSide } from '../device-side.ts';
import { setClock } from '../gps-clock.ts';
import { retimeSessions } from '../multicast-session.ts';
import type { Run } from './handler.ts';
import { isSaying, say } from './queue.ts';

/** Asks when the device's type says so: with every uplink until it is told. */
export function wishTime({ devices, types }: DeviceSide, device: number, nowUs: number): void {
  const c = devices.column;
  const { timeSyncEveryUs } = types[c.type[device]]!;
  if (timeSyncEveryUs === undefined || nowUs < c.timeWantedAtUs[device]) return;
  if (!isSaying(devices, device, Cid.deviceTime)) say(devices, device, DeviceTimeReq.encode({}));
}

/** DeviceTimeAns: the GPS time at the end of the uplink that asked. */
export function takeDeviceTimeAns(
  side: DeviceSide,
  device: number,
  { bytes }: Run,
  at: number,
): void {
  const c = side.devices.column;
  const endedAtUs = c.uplinkEndedAtUs[device];
  const { seconds, fraction } = DeviceTimeAns.value;
  setClock(side, device, seconds(bytes, at), fraction(bytes, at), endedAtUs);
  c.timeSyncs[device]++;
  c.timeWantedAtUs[device] =
    endedAtUs + (side.types[c.type[device]]!.timeSyncEveryUs ?? Number.POSITIVE_INFINITY);
  retimeSessions(side, device, side.agenda.nowUs);
}
