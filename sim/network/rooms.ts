/** The rooms of a network, side by side; `network.ts` builds them, `passages.ts` joins them. */
import type { DeviceRoom } from '../device/device-room.ts';
import type { ServerRoom } from '../network-server/server-room.ts';

export interface Rooms {
  readonly device: DeviceRoom;
  readonly server: ServerRoom;
  /** Noise at gateways by data rate, 1/100 dBm. */
  readonly noiseCentiDbm: readonly number[];
}
