/** What sends to real receivers: one for each kind of target. */

import type { Matter } from '../../../../core/delivery/deliveries/target.ts';
import type { Route } from '../../../../core/delivery/targets/kinds.ts';
import type { HostTime } from '../../clock/host-time.ts';
import type { Sent } from '../network/attempt-result.ts';
import type { GuardedNetwork } from '../network/guarded-network.ts';

/** A delivery, as it is sent: the same bytes and the same id at every attempt. */
export interface Delivery {
  /** Delivery id in the request: receivers detect repetitions by it. */
  readonly id: string;
  /** The target, whose connections and tokens no other shares. */
  readonly target: string;
  readonly what: Matter;
  /** JSON. */
  readonly body: string;
}

/** What every sender is made of: receivers are reached through `network` alone. */
export interface SenderNeeds {
  readonly network: GuardedNetwork;
  readonly time: HostTime;
}

export interface Sender<To extends Route = Route> {
  /** Never rejects; ends within 15 s, or once `signal` aborts. */
  send(delivery: Delivery, route: To, signal: AbortSignal): Promise<Sent>;
  /** Its target is gone or goes elsewhere: its open connections are closed. */
  forget(target: string): Promise<void>;
  /** All is closed; nothing is sent any more. */
  close(): Promise<void>;
}
