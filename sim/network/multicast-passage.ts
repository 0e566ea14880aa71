/** How a frame on a multicast channel enters the air log: one row per frame, copies gathered. */
import {
  raiseChecksOfGroup,
  raiseCompletionChecks,
  takeStandingRow,
} from '../device/multicast-settling.ts';
import { DownlinkPurpose } from '../gateway/downlinks.ts';
import { NONE } from '../kernel/columns.ts';
import type { AirRow, Attempt } from '../radio/air-row.ts';
import type { Sides } from './sides.ts';

/**
 * A gateway's frame has ended: if somebody may listen on its channel, it is a row of the log.
 * Copies of a multicast frame that overlap, directly or through others, are one row, made when the
 * last has ended.
 */
export function logDownlink(sides: Sides, gateway: number, downlink: number, nowUs: number): void {
  const { multicastAir, downlinkAir } = sides.device;
  const d = sides.server.downlinks.column;
  const counter = d.counter[downlink];
  if (d.purpose[downlink] !== DownlinkPurpose.multicast) {
    if (multicastAir.isHeard(d.frequencyHz[downlink], d.dataRate[downlink])) {
      append(sides, downlink, 0, downlinkAir.ended(gateway), nowUs);
    }
    return;
  }
  const mcAddr = d.mcAddr[downlink];
  const attempt = multicastAir.gather(mcAddr, counter, downlinkAir.ended(gateway));
  if (isOnAir(sides, mcAddr, counter)) return;
  multicastAir.release(mcAddr, counter);
  multicastAir.countRow(mcAddr);
  const row = append(sides, downlink, mcAddr, attempt, nowUs);
  raiseCompletionChecks(sides.device, row, counter, nowUs);
  const isStanding = sides.server.multicast.get(mcAddr)?.standing !== undefined;
  if (isStanding) takeStandingRow(sides.device, row, nowUs);
  if (d.asks[downlink] === 1) raiseChecksOfGroup(sides.device, mcAddr, nowUs);
}

function append(
  sides: Sides,
  downlink: number,
  mcAddr: number,
  { copies, others }: Attempt,
  nowUs: number,
): AirRow {
  const { downlinks, slots } = sides.server;
  const { frequencyHz, dataRate, frameSlot } = downlinks.column;
  const bytes = new Uint8Array(slots.length(frameSlot[downlink]));
  slots.copyOut(frameSlot[downlink], bytes);
  const startUs = Math.min(...copies.map((copy) => copy.startUs));
  const row = { mcAddr, bytes, copies, others, startUs, endUs: nowUs };
  sides.device.multicastAir.append(frequencyHz[downlink], dataRate[downlink], row);
  return row;
}

/** Whether some gateway is sending this frame of a group. */
function isOnAir({ server }: Sides, mcAddr: number, fCnt: number): boolean {
  const { table, stations } = server.gateways;
  const d = server.downlinks.column;
  return stations.some(({ row }) => {
    const sent = table.column.sending[row];
    return sent !== NONE && d.mcAddr[sent] === mcAddr && d.counter[sent] === fCnt;
  });
}
