/** A payload was queued: class B and class C devices get it without waiting for an uplink. */
import { wakeClassB } from './class-b.ts';
import { wakeClassC } from './class-c.ts';
import type { ServerSide } from './server-side.ts';

export function wake(side: ServerSide, row: number, nowUs: number): void {
  wakeClassC(side, row, nowUs);
  wakeClassB(side, row, nowUs);
}
