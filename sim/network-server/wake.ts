/** Something is in a device's queue: whoever need not wait for an uplink is sent to. */
import { wakeClassB } from './class-b.ts';
import { wakeClassC } from './class-c.ts';
import type { ServerSide } from './server-side.ts';

export function wake(side: ServerSide, row: number, nowUs: number): void {
  wakeClassC(side, row, nowUs);
  wakeClassB(side, row, nowUs);
}
