/** How a frame on a multicast channel enters the air log: one row per frame, copies gathered. */
import { raiseChecks } from './device/multicast-session.ts';
import { DownlinkPurpose } from './gateway/downlinks.ts';
import type { AirCopy } from './radio/multicast-air.ts';
import type { Rooms } from './rooms.ts';

/**
 * A gateway's frame has ended: if somebody may listen on its channel, it is a row of the log.
 * Copies of the same multicast frame that are still on the air wait for the last to end.
 */
export function logDownlink(rooms: Rooms, gateway: number, downlink: number, nowUs: number): void {
  const { downlinks, slots } = rooms.server;
  const { multicastAir, downlinkAir } = rooms.device;
  const d = downlinks.column;
  const frequencyHz = d.frequencyHz[downlink];
  const dataRate = d.dataRate[downlink];
  const mcAddr = d.purpose[downlink] === DownlinkPurpose.multicast ? d.mcAddr[downlink] : 0;
  if (mcAddr === 0 && !multicastAir.isHeard(frequencyHz, dataRate)) return;
  const { copy, others } = downlinkAir.ended(gateway);
  const isTwin = (other: AirCopy) =>
    mcAddr !== 0 && sends(rooms, other, mcAddr, d.counter[downlink], copy);
  const twins = others.filter(isTwin);
  if (twins.some((twin) => twin.endUs > nowUs)) return;
  // Of twins that end together the last to be looked at makes the row: the highest gateway row.
  if (twins.some((twin) => twin.endUs === nowUs && twin.gateway > gateway)) return;
  const copies = [copy, ...twins].sort((a, b) => a.gateway - b.gateway);
  if (multicastAir.isHeard(frequencyHz, dataRate)) {
    const bytes = new Uint8Array(slots.length(d.slot[downlink]));
    slots.copyOut(d.slot[downlink], bytes);
    multicastAir.append(frequencyHz, dataRate, {
      mcAddr,
      bytes,
      copies,
      others: others.filter((other) => !twins.includes(other)),
      startUs: Math.min(...copies.map(({ startUs }) => startUs)),
      endUs: nowUs,
    });
  }
  if (mcAddr !== 0) raiseChecks(rooms.device, mcAddr, multicastAir.countRow(mcAddr), nowUs);
}

/** Whether an overlapping signal is a copy of the same frame of a group, by another gateway. */
function sends(rooms: Rooms, other: AirCopy, mcAddr: number, fCnt: number, copy: AirCopy): boolean {
  if (other.gateway === copy.gateway) return false;
  const { lastMcAddr, lastFCnt, lastStartUs } = rooms.server.gateways.table.column;
  return (
    lastMcAddr[other.gateway] === mcAddr &&
    lastFCnt[other.gateway] === fCnt &&
    lastStartUs[other.gateway] === other.startUs
  );
}
