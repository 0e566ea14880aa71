/**
 * The two sides of a network, which meet as bytes only: `build.ts` makes them, the passages of
 * uplinks and downlinks join them.
 */
import type { DeviceSide } from '../device/device-side.ts';
import type { ServerSide } from '../network-server/server-side.ts';

export interface Sides {
  readonly device: DeviceSide;
  readonly server: ServerSide;
  /** Noise at gateways by data rate, 1/100 dBm. */
  readonly noiseCentiDbm: readonly number[];
}
