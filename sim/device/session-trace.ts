/** What an observer is told of multicast and fragmentation sessions on a device. */
import type { AirRow } from '../radio/multicast-air.ts';
import { sessionSpan } from './class-b/session-span.ts';
import type { DeviceRoom } from './device-room.ts';
import { CLASS_C } from './groups.ts';

const nameOf = ({ devices }: DeviceRoom, device: number): string =>
  devices.identities[device]!.name;

/** The group in this row opens its session. */
export function traceOpens(room: DeviceRoom, device: number, row: number): void {
  const { plan, observer, agenda } = room;
  if (observer === undefined) return;
  const g = room.groups.groups.column;
  observer.trace({
    kind: 'multicastSessionOpens',
    atUs: agenda.nowUs,
    device: nameOf(room, device),
    mcAddr: g.mcAddr[row],
    mcGroupId: g.mcGroupId[row],
    opensAtUs: g.opensAtUs[row],
    closesAtUs: g.closesAtUs[row],
    frequencyHz: g.frequencyHz[row],
    spreadingFactor: plan.spreadingFactor[g.dataRate[row]]!,
    bandwidthHz: plan.bandwidthHz[g.dataRate[row]]!,
    ...(g.periodicity[row] === CLASS_C ? {} : { slots: slotsOf(room, row) }),
  });
}

function slotsOf(room: DeviceRoom, row: number) {
  return { periodicity: room.groups.groups.column.periodicity[row], ...sessionSpan(room, row) };
}

export function traceCloses(room: DeviceRoom, device: number, row: number): void {
  const mcAddr = room.groups.groups.column.mcAddr[row];
  const at = { atUs: room.agenda.nowUs, device: nameOf(room, device) };
  room.observer?.trace({ kind: 'multicastSessionCloses', ...at, mcAddr });
}

export function traceDecided(room: DeviceRoom, device: number, air: AirRow, fate: string): void {
  room.observer?.trace({
    kind: 'multicastDecided',
    atUs: room.agenda.nowUs,
    device: nameOf(room, device),
    mcAddr: air.mcAddr,
    fCnt: air.bytes[6]! | (air.bytes[7]! << 8),
    endedAtUs: air.endUs,
    fate,
  });
}

/** A fragment of the fragmentation session in this row. */
export function traceTaken(
  room: DeviceRoom,
  device: number,
  row: number,
  fragmentNumber: number,
  receivedAtUs: number,
): void {
  const s = room.groups.sessions.column;
  room.observer?.trace({
    kind: 'fragmentTaken',
    atUs: room.agenda.nowUs,
    device: nameOf(room, device),
    fragIndex: s.fragIndex[row],
    fragmentNumber,
    receivedAtUs,
    completes: s.complete[row] === 1,
  });
}

/** The fragmentation session in this row begins. */
export function traceBegins(room: DeviceRoom, device: number, row: number): void {
  const s = room.groups.sessions.column;
  room.observer?.trace({
    kind: 'fragmentationSessionBegins',
    atUs: room.agenda.nowUs,
    device: nameOf(room, device),
    fragIndex: s.fragIndex[row],
    mcGroupBitMask: s.mcGroupBitMask[row],
    nbFrag: s.nbFrag[row],
    fragSize: s.fragSize[row],
  });
}

export function traceEnds(room: DeviceRoom, device: number, row: number): void {
  const fragIndex = room.groups.sessions.column.fragIndex[row];
  const at = { atUs: room.agenda.nowUs, device: nameOf(room, device) };
  room.observer?.trace({ kind: 'fragmentationSessionEnds', ...at, fragIndex });
}
