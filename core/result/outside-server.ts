/** What a network server outside the simulator did, and what came of it (`fleetwave bridge`). */
import type { Counts } from '../../sim/base/counts.ts';

export interface OutsideServerResult {
  /** Transmissions that it requested, and what gateways answered, by refusal or `sent`. */
  readonly transmissions: number;
  readonly answers: Counts<string>;
}
