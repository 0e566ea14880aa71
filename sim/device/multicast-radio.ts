/**
 * Which of its open multicast sessions a device's one radio serves: at any instant the channel of
 * the open session with the lowest McGroupID; sessions on the same channel share it
 * (docs/decisions/0015). Unicast class C has the radio only while no session is open.
 */
import { NONE } from '../kernel/columns.ts';
import type { DeviceSide } from './device-side.ts';
import { CLASS_C, type EarlierSession, Session } from './groups.ts';

/** Frames and their copies are over after this, µs. */
export const RADIO_MEMORY_US = 30_000_000;

/** A session has ended: frames on the air now may still ask where the radio was. */
export function rememberSession(
  side: DeviceSide,
  device: number,
  row: number,
  nowUs: number,
): void {
  const g = side.groups.groups.column;
  const ended: EarlierSession = {
    mcGroupId: g.mcGroupId[row],
    fromUs: g.opensAtUs[row],
    untilUs: nowUs,
    frequencyHz: g.frequencyHz[row],
    dataRate: g.dataRate[row],
  };
  const isRecent = ({ untilUs }: EarlierSession) => untilUs > nowUs - RADIO_MEMORY_US;
  const { earlier } = side.groups;
  earlier.set(device, [...(earlier.get(device) ?? []).filter(isRecent), ended]);
}

/** A session begins: what no frame asks for any more is forgotten. */
export function forgetSessions(side: DeviceSide, device: number, nowUs: number): void {
  const { earlier } = side.groups;
  const isOver = ({ untilUs }: EarlierSession) => untilUs <= nowUs - RADIO_MEMORY_US;
  if (earlier.get(device)?.every(isOver)) earlier.delete(device);
}

/** Whether a class C session had the radio at some instant from … until. */
export function isTaken(side: DeviceSide, device: number, fromUs: number, untilUs: number) {
  const spans = [...openOnes(side, device), ...(side.groups.earlier.get(device) ?? [])];
  return spans.some((span) => span.fromUs < untilUs && fromUs < span.untilUs);
}

/** Whether sessions kept the radio on a group's channel all the time from … until. */
export function isTuned(
  side: DeviceSide,
  device: number,
  group: number,
  fromUs: number,
  untilUs: number,
): boolean {
  const g = side.groups.groups.column;
  const ended = side.groups.earlier.get(device);
  if (ended === undefined && side.devices.column.openSessions[device] === 1) {
    return g.opensAtUs[group] <= fromUs;
  }
  const spans = openOnes(side, device);
  if (ended !== undefined) spans.push(...ended);
  let atUs = fromUs;
  do {
    const served = servedAt(spans, atUs);
    if (served === undefined) return false;
    const { frequencyHz, dataRate } = served;
    if (frequencyHz !== g.frequencyHz[group] || dataRate !== g.dataRate[group]) return false;
    atUs = Math.min(served.untilUs, takenOverAt(spans, served, atUs));
  } while (atUs < untilUs);
  return true;
}

/** The open session that the radio serves at an instant. */
function servedAt(spans: readonly EarlierSession[], atUs: number): EarlierSession | undefined {
  let served: EarlierSession | undefined;
  for (const span of spans) {
    if (span.fromUs > atUs || span.untilUs <= atUs) continue;
    if (served === undefined || span.mcGroupId < served.mcGroupId) served = span;
  }
  return served;
}

/** When a session that goes before the one served begins next. */
function takenOverAt(
  spans: readonly EarlierSession[],
  served: EarlierSession,
  atUs: number,
): number {
  let nextUs = Number.POSITIVE_INFINITY;
  for (const { mcGroupId, fromUs } of spans) {
    if (mcGroupId < served.mcGroupId && fromUs > atUs) nextUs = Math.min(nextUs, fromUs);
  }
  return nextUs;
}

/** Sessions that are open: from their beginning on, for as long as can be seen. */
function openOnes(side: DeviceSide, device: number): EarlierSession[] {
  const g = side.groups.groups.column;
  const found: EarlierSession[] = [];
  for (let row = side.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] !== Session.open || g.periodicity[row] !== CLASS_C) continue;
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
