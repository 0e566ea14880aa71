/** A device whose battery is empty falls silent: found out when it would next act by itself. */
import { EventKind } from '../events.ts';
import type { DeviceSide } from './device-side.ts';
import { Activation, NEVER, Radio, UplinkPurpose } from './device-table.ts';
import { isEmpty, traceEnergy } from './energy.ts';
import { hasUntriedInHand, loseListed, loseListedInHand } from './listed-traffic.ts';
import { dropReceptionState } from './multicast-session.ts';

/** True when the device has just died: off the air for good, its appointments cancelled. */
export function dieIfEmpty(side: DeviceSide, device: number, nowUs: number): boolean {
  const c = side.column;
  if (c.radio[device] === Radio.sending || !isEmpty(side, device, nowUs)) return false;
  side.energy.column.diedAtUs[device] = nowUs;
  traceEnergy(side, device);
  c.activation[device] = Activation.none;
  dropReceptionState(side, device, nowUs);
  side.downlinkAir.deafen(device);
  const { trafficDueAtUs, transmitDueAtUs, multicastDueAtUs, rebootAtUs } = c;
  for (const due of [trafficDueAtUs, transmitDueAtUs, multicastDueAtUs, rebootAtUs]) {
    due[device] = NEVER;
  }
  side.classB.cancelTimer(device);
  if (hasUntriedInHand(side, device)) loseListedInHand(side, device);
  loseListed(side, device, Number.POSITIVE_INFINITY);
  c.purpose[device] = UplinkPurpose.none;
  c.radio[device] = Radio.idle;
  c.waiting[device] = 0;
  for (const kind of [EventKind.windowsClose, EventKind.completionCheck, EventKind.deviceTimer]) {
    side.agenda.cancel(kind, device);
  }
  const { name } = side.devices.identities.of(device);
  side.witness?.trace({ kind: 'deviceDies', atUs: nowUs, device: name });
  return true;
}
