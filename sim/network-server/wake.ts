/** Something is in a device's queue: whoever need not wait for an uplink is sent to. */
import { wakeClassB } from './class-b.ts';
import { wakeClassC } from './class-c.ts';
import type { ServerRoom } from './server-room.ts';

export function wake(room: ServerRoom, row: number, nowUs: number): void {
  wakeClassC(room, row, nowUs);
  wakeClassB(room, row, nowUs);
}
