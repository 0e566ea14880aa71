/** How a multicast session of a device ends, and when the next one begins or ends. */
import { assert } from '../base/assert.ts';
import { NONE } from '../kernel/columns.ts';
import { isInMulticastSession, leaveClassBSession } from './class-b/group-ping-slots.ts';
import { listenContinuously } from './class-c.ts';
import type { DeviceSide } from './device-side.ts';
import { NEVER } from './device-table.ts';
import { rememberRadioClaim } from './multicast-radio.ts';
import { isStanding, McSessionState, NO_PING_SLOTS } from './multicast-state.ts';
import { traceMulticastSessionCloses } from './multicast-trace.ts';
import { assertSettled } from './settling-progress.ts';

/**
 * Ends a group's session, open or waiting; does nothing when there is none, as of a standing group.
 * What the device heard in an open one must have been settled. With the last class C session the
 * radio is free for unicast class C.
 */
export function endMulticastSession(
  side: DeviceSide,
  device: number,
  row: number,
  nowUs: number,
): void {
  const g = side.multicast.mcGroups.column;
  const c = side.column;
  assert(g.device[row] === device, 'a group is that of its device');
  if (g.sessionState[row] === McSessionState.none || isStanding(g.mcGroupId[row])) return;
  const wasOpen = g.sessionState[row] === McSessionState.open;
  if (wasOpen) assertSettled(side, device);
  side.multicastAir.close(g.frequencyHz[row], g.dataRate[row]);
  g.sessionState[row] = McSessionState.none;
  if (wasOpen) {
    traceMulticastSessionCloses(side, device, row);
    if (g.periodicity[row] !== NO_PING_SLOTS) {
      leaveClassBSession(side, device, nowUs);
    } else {
      rememberRadioClaim(side, device, row, nowUs);
      assert(c.openClassCSessions[device] > 0, 'a session that ends was counted as open');
      c.openClassCSessions[device]--;
      if (c.openClassCSessions[device] === 0) listenContinuously(side, device, nowUs);
    }
    if (!isInMulticastSession(side, device)) side.multicast.busyTimes.delete(device);
  }
  appointMulticastSessions(side, device);
}

/** Sets when the next multicast session of the device begins or ends. */
export function appointMulticastSessions(side: DeviceSide, device: number): void {
  const g = side.multicast.mcGroups.column;
  const c = side.column;
  let dueAtUs: number = NEVER;
  for (let row = c.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.sessionState[row] === McSessionState.none || isStanding(g.mcGroupId[row])) continue;
    const nextUs =
      g.sessionState[row] === McSessionState.waiting ? g.opensAtUs[row] : g.closesAtUs[row];
    if (dueAtUs === NEVER || nextUs < dueAtUs) dueAtUs = nextUs;
  }
  c.multicastDueAtUs[device] = dueAtUs;
}
