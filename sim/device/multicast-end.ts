/** How a multicast session of a device ends, and when the next one begins or ends. */
import { NONE } from '../kernel/columns.ts';
import { isInSession, leaveSlots } from './class-b/session-slots.ts';
import { listenContinuously } from './class-c.ts';
import type { DeviceSide } from './device-side.ts';
import { NEVER } from './device-table.ts';
import { CLASS_C, Session } from './groups.ts';
import { rememberSession } from './multicast-radio.ts';
import { traceCloses } from './session-trace.ts';
import { assertSettled } from './settled.ts';

/**
 * Ends a session that is open or waits. What the device heard in an open one must have been
 * settled; with the last one the radio is free for unicast class C.
 */
export function endSession(side: DeviceSide, device: number, row: number, nowUs: number): void {
  const g = side.groups.groups.column;
  const c = side.devices.column;
  const wasOpen = g.session[row] === Session.open;
  if (wasOpen) assertSettled(side, device);
  side.multicastAir.close(g.frequencyHz[row], g.dataRate[row]);
  g.session[row] = Session.none;
  if (wasOpen) {
    traceCloses(side, device, row);
    if (g.periodicity[row] !== CLASS_C) {
      leaveSlots(side, device, nowUs);
    } else {
      rememberSession(side, device, row, nowUs);
      c.openSessions[device]--;
      if (c.openSessions[device] === 0) listenContinuously(side, device, nowUs);
    }
    if (!isInSession(side, device)) side.groups.busy.delete(device);
  }
  appointSessions(side, device);
}

/** Notes when the next session begins or ends. */
export function appointSessions(side: DeviceSide, device: number): void {
  const g = side.groups.groups.column;
  const c = side.devices.column;
  let dueAtUs: number = NEVER;
  for (let row = c.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] === Session.none) continue;
    const nextUs = g.session[row] === Session.waiting ? g.opensAtUs[row] : g.closesAtUs[row];
    if (dueAtUs === NEVER || nextUs < dueAtUs) dueAtUs = nextUs;
  }
  c.sessionDueAtUs[device] = dueAtUs;
}
