/** What an observer is told of multicast and fragmentation sessions on a device. */
import type { MulticastFate } from '../base/counts.ts';
import type { AirRow } from '../radio/multicast-air.ts';
import { sessionSpan } from './class-b/session-span.ts';
import type { DeviceSide } from './device-side.ts';
import { CLASS_C } from './groups.ts';

const nameOf = ({ devices }: DeviceSide, device: number): string =>
  devices.identities[device]!.name;

/** The group in this row opens its session. */
export function traceOpens(side: DeviceSide, device: number, row: number): void {
  const { plan, observer, agenda } = side;
  if (observer === undefined) return;
  const g = side.groups.groups.column;
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
    ...(g.periodicity[row] === CLASS_C ? {} : { slots: slotsOf(side, row) }),
  });
}

function slotsOf(side: DeviceSide, row: number) {
  return { periodicity: side.groups.groups.column.periodicity[row], ...sessionSpan(side, row) };
}

export function traceCloses(side: DeviceSide, device: number, row: number): void {
  const mcAddr = side.groups.groups.column.mcAddr[row];
  const at = { atUs: side.agenda.nowUs, device: nameOf(side, device) };
  side.observer?.trace({ kind: 'multicastSessionCloses', ...at, mcAddr });
}

export function traceDecided(
  side: DeviceSide,
  device: number,
  air: AirRow,
  fate: MulticastFate,
): void {
  side.observer?.trace({
    kind: 'multicastDecided',
    atUs: side.agenda.nowUs,
    device: nameOf(side, device),
    mcAddr: air.mcAddr,
    fCnt: air.bytes[6]! | (air.bytes[7]! << 8),
    endedAtUs: air.endUs,
    fate,
  });
}

/** A fragment of the fragmentation session in this row. */
export function traceTaken(
  side: DeviceSide,
  device: number,
  row: number,
  fragmentNumber: number,
  receivedAtUs: number,
): void {
  const s = side.groups.sessions.column;
  side.observer?.trace({
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
export function traceBegins(side: DeviceSide, device: number, row: number): void {
  const s = side.groups.sessions.column;
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

export function traceEnds(side: DeviceSide, device: number, row: number): void {
  const fragIndex = side.groups.sessions.column.fragIndex[row];
  const at = { atUs: side.agenda.nowUs, device: nameOf(side, device) };
  side.observer?.trace({ kind: 'fragmentationSessionEnds', ...at, fragIndex });
}
