/**
 * Which of its open multicast sessions a device's one radio serves: at any instant the channel of
 * the open session with the lowest McGroupID; sessions on the same channel share it
 * (docs/decisions/0015). Unicast class C has the radio only while no session is open.
 */
import { NONE } from '../kernel/columns.ts';
import type { DeviceSide } from './device-side.ts';
import type { GroupReceiver } from './group-receiver.ts';
import { McSessionState, NO_PING_SLOTS, type RadioClaim } from './multicast-state.ts';

/** Frames and their copies are over after this, µs. */
export const RADIO_MEMORY_US = 30_000_000;

/** A session has ended: frames on the air now may still ask where the radio was. */
export function rememberRadioClaim(
  side: DeviceSide,
  device: number,
  row: number,
  nowUs: number,
): void {
  const g = side.multicast.mcGroups.column;
  const ended: RadioClaim = {
    mcGroupId: g.mcGroupId[row],
    fromUs: g.opensAtUs[row],
    untilUs: nowUs,
    frequencyHz: g.frequencyHz[row],
    dataRate: g.dataRate[row],
  };
  const isRecent = ({ untilUs }: RadioClaim) => untilUs > nowUs - RADIO_MEMORY_US;
  const { endedClaims } = side.multicast;
  endedClaims.set(device, [...(endedClaims.get(device) ?? []).filter(isRecent), ended]);
}

/** A session begins: what no frame asks for any more is forgotten. */
export function forgetRadioClaims(side: DeviceSide, device: number, nowUs: number): void {
  const { endedClaims } = side.multicast;
  const isOver = ({ untilUs }: RadioClaim) => untilUs <= nowUs - RADIO_MEMORY_US;
  if (endedClaims.get(device)?.every(isOver)) endedClaims.delete(device);
}

/** Whether a class C session had the radio at some instant from … until. */
export function isRadioClaimed(side: DeviceSide, device: number, fromUs: number, untilUs: number) {
  const spans = [...openClaims(side, device), ...(side.multicast.endedClaims.get(device) ?? [])];
  return spans.some((span) => span.fromUs < untilUs && fromUs < span.untilUs);
}

/** Whether sessions stored the radio on a group's channel all the time from … until. */
export function isTuned(
  side: DeviceSide,
  listener: GroupReceiver,
  fromUs: number,
  untilUs: number,
): boolean {
  if (listener.hasRadioAlone) return listener.opensAtUs <= fromUs;
  const { device } = listener;
  const ended = side.multicast.endedClaims.get(device);
  const spans = openClaims(side, device);
  if (ended !== undefined) spans.push(...ended);
  let atUs = fromUs;
  do {
    const served = servedAt(spans, atUs);
    if (served === undefined) return false;
    const { frequencyHz, dataRate } = served;
    if (frequencyHz !== listener.frequencyHz || dataRate !== listener.dataRate) return false;
    atUs = Math.min(served.untilUs, takenOverAt(spans, served, atUs));
  } while (atUs < untilUs);
  return true;
}

/** The open session that the radio serves at an instant. */
function servedAt(spans: readonly RadioClaim[], atUs: number): RadioClaim | undefined {
  let served: RadioClaim | undefined;
  for (const span of spans) {
    if (span.fromUs > atUs || span.untilUs <= atUs) continue;
    if (served === undefined || span.mcGroupId < served.mcGroupId) served = span;
  }
  return served;
}

/** When a session that goes before the one served begins next. */
function takenOverAt(spans: readonly RadioClaim[], served: RadioClaim, atUs: number): number {
  let nextUs = Number.POSITIVE_INFINITY;
  for (const { mcGroupId, fromUs } of spans) {
    if (mcGroupId < served.mcGroupId && fromUs > atUs) nextUs = Math.min(nextUs, fromUs);
  }
  return nextUs;
}

/** Sessions that are open: from their beginning on, for as long as can be seen. */
function openClaims(side: DeviceSide, device: number): RadioClaim[] {
  const g = side.multicast.mcGroups.column;
  const found: RadioClaim[] = [];
  for (let row = side.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.sessionState[row] !== McSessionState.open || g.periodicity[row] !== NO_PING_SLOTS)
      continue;
    found.push({
      mcGroupId: g.mcGroupId[row],
      fromUs: g.opensAtUs[row],
      untilUs: Number.POSITIVE_INFINITY,
      frequencyHz: g.frequencyHz[row],
      dataRate: g.dataRate[row],
    });
  }
  return found;
}
