/**
 * The appointments of class C and ping slots for devices whose downlinks may not be due yet: they
 * sleep until the first is, unless another comes that is due earlier.
 */
import type { EventKind } from '../events.ts';
import { STATUS_EVERY_US } from '../gateway/faults.ts';
import type { ServerSide } from './server-side.ts';

type DueKind = typeof EventKind.classCDue | typeof EventKind.classBDue;

/** Something is in a device's queue. An appointment that is no sleep stays: it is its turn. */
export function wakeFor(side: ServerSide, kind: DueKind, row: number, nowUs: number): void {
  const { agenda, queue, registrations } = side;
  if (queue.isEmpty(row)) return;
  if (!agenda.isDue(kind, row)) return agenda.schedule(kind, row, nowUs + 1);
  if (registrations.column.sleeps[row] === 0) return;
  const dueUs = Math.max(nowUs + 1, queue.nextDueUs(row));
  if (dueUs < agenda.dueUs(kind, row)) agenda.schedule(kind, row, dueUs);
}

/** Nobody in a device's queue is due now. */
export function sleepUntilDue(side: ServerSide, kind: DueKind, row: number): void {
  const dueUs = side.queue.nextDueUs(row);
  if (dueUs === Number.POSITIVE_INFINITY) return;
  side.registrations.column.sleeps[row] = 1;
  side.agenda.schedule(kind, row, dueUs);
}

/** A device is looked at again: all gateways that heard it are known to fail. */
export function lookAgain(side: ServerSide, kind: DueKind, row: number, nowUs: number): void {
  side.agenda.schedule(kind, row, nowUs + STATUS_EVERY_US);
}
