/** Rows of the trace about multicast and fragmentation sessions on a device. */
import type { MulticastFate } from '../base/counts.ts';
import { type AirRow, lowerFCnt } from '../radio/air-row.ts';
import { classBSessionSpan } from './class-b/class-b-session.ts';
import { type DeviceSide, observerOf } from './device-side.ts';
import { NO_PING_SLOTS } from './multicast-state.ts';

const nameOf = ({ devices }: DeviceSide, device: number): string =>
  devices.identities.of(device).name;

/** The group in this row opens its session. */
export function traceMulticastSessionOpens(side: DeviceSide, device: number, row: number): void {
  const { plan, observer, stories, agenda } = side;
  if (observer === undefined && stories === undefined) return;
  const g = side.multicast.mcGroups.column;
  const isInSlots = g.periodicity[row] !== NO_PING_SLOTS;
  const span = isInSlots ? classBSessionSpan(side, row) : undefined;
  stories?.sessionOpens(device, agenda.nowUs, {
    mcAddr: g.mcAddr[row],
    opensAtUs: g.opensAtUs[row],
    closesAtUs: g.closesAtUs[row],
    slotsUntilUs: span?.untilUs,
    spreadingFactor: plan.spreadingFactor[g.dataRate[row]]!,
  });
  if (observer === undefined) return;
  observer.trace({
    kind: 'multicastSessionOpens',
    atUs: agenda.nowUs,
    device: nameOf(side, device),
    mcAddr: g.mcAddr[row],
    mcGroupId: g.mcGroupId[row],
    opensAtUs: g.opensAtUs[row],
    closesAtUs: g.closesAtUs[row],
    frequencyHz: g.frequencyHz[row],
    spreadingFactor: plan.spreadingFactor[g.dataRate[row]]!,
    bandwidthHz: plan.bandwidthHz[g.dataRate[row]]!,
    ...(span && { slots: { periodicity: g.periodicity[row], ...span } }),
  });
}

export function traceMulticastSessionCloses(side: DeviceSide, device: number, row: number): void {
  const mcAddr = side.multicast.mcGroups.column.mcAddr[row];
  const at = { atUs: side.agenda.nowUs, device: nameOf(side, device) };
  side.observer?.trace({ kind: 'multicastSessionCloses', ...at, mcAddr });
}

export function traceMulticastDecided(
  side: DeviceSide,
  device: number,
  air: AirRow,
  fate: MulticastFate,
): void {
  observerOf(side, device)?.trace({
    kind: 'multicastDecided',
    atUs: side.agenda.nowUs,
    device: nameOf(side, device),
    mcAddr: air.mcAddr,
    fCnt: lowerFCnt(air),
    endedAtUs: air.endUs,
    fate,
  });
}

/** A fragment of the fragmentation session in this row. */
export function traceFragmentTaken(
  side: DeviceSide,
  device: number,
  row: number,
  fragmentNumber: number,
  receivedAtUs: number,
): void {
  const s = side.multicast.fragSessions.column;
  if (s.complete[row] === 1) side.stories?.completed(device, receivedAtUs, fragmentNumber);
  observerOf(side, device)?.trace({
    kind: 'fragmentTaken',
    atUs: side.agenda.nowUs,
    device: nameOf(side, device),
    fragIndex: s.fragIndex[row],
    fragmentNumber,
    receivedAtUs,
    completes: s.complete[row] === 1,
  });
}

/** The fragmentation session in this row begins. */
export function traceFragSessionBegins(side: DeviceSide, device: number, row: number): void {
  const s = side.multicast.fragSessions.column;
  side.observer?.trace({
    kind: 'fragmentationSessionBegins',
    atUs: side.agenda.nowUs,
    device: nameOf(side, device),
    fragIndex: s.fragIndex[row],
    mcGroupBitMask: s.mcGroupBitMask[row],
    nbFrag: s.nbFrag[row],
    fragSize: s.fragSize[row],
  });
}

export function traceFragSessionEnds(side: DeviceSide, device: number, row: number): void {
  const fragIndex = side.multicast.fragSessions.column.fragIndex[row];
  const at = { atUs: side.agenda.nowUs, device: nameOf(side, device) };
  side.observer?.trace({ kind: 'fragmentationSessionEnds', ...at, fragIndex });
}
