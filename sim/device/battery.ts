/** A device whose battery is empty falls silent: found out when it would next act by itself. */
import { EventKind } from '../events.ts';
import type { DeviceRoom } from './device-room.ts';
import { Activation, NEVER, Purpose, Radio } from './device-table.ts';
import { isEmpty, traceDrawn } from './energy.ts';
import { retireListener } from './multicast-session.ts';

/** True when the device has just died: off the air for good, its appointments cancelled. */
export function dieIfEmpty(room: DeviceRoom, device: number, nowUs: number): boolean {
  const c = room.devices.column;
  if (c.radio[device] === Radio.sending || !isEmpty(room, device, nowUs)) return false;
  room.energy.column.diedAtUs[device] = nowUs;
  traceDrawn(room, device);
  c.activation[device] = Activation.none;
  retireListener(room, device, nowUs);
  room.downlinkAir.deafen(device);
  const { trafficDueAtUs, transmitDueAtUs, sessionDueAtUs, rebootAtUs } = c;
  const { dueAtUs: classBDueAtUs } = room.classB.column;
  const dues = [trafficDueAtUs, transmitDueAtUs, sessionDueAtUs, rebootAtUs, classBDueAtUs];
  for (const due of dues) {
    due[device] = NEVER;
  }
  c.purpose[device] = Purpose.none;
  c.radio[device] = Radio.idle;
  c.waiting[device] = 0;
  for (const kind of [EventKind.windowsClose, EventKind.completionCheck, EventKind.deviceTimer]) {
    room.agenda.cancel(kind, device);
  }
  const { name } = room.devices.identities[device]!;
  room.observer?.trace({ kind: 'deviceDies', atUs: nowUs, device: name });
  return true;
}
