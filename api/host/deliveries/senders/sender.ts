/** What sends to real receivers: one for each kind of target. */
import type { Route } from '../../../../core/delivery/deliveries/route.ts';
import type { Matter } from '../../../../core/delivery/deliveries/target.ts';

/** A delivery, as it is sent: the same bytes and the same id at every attempt. */
export interface Parcel {
  /** Known to the receiver, which tells repetitions by it. */
  readonly id: string;
  /** The target, whose connections and tokens no other shares. */
  readonly target: string;
  readonly what: Matter;
  /** JSON. */
  readonly body: string;
}

/**
 * What an attempt came to, for short: a status of HTTP, or one of these words. `acknowledged`: a
 * broker has it. `address refused`: deliveries may not go there.
 */
export type SentAnswer =
  | number
  | 'acknowledged'
  | 'timeout'
  | 'connection refused'
  | 'connection failed'
  | 'no token'
  | 'address refused'
  | 'not possible';

export interface Sent {
  readonly answer: SentAnswer;
  /** Retry-After, s; 0: none. */
  readonly retryAfterS: number;
  /** For people, 1 000 characters at most: what was answered, or what went wrong. */
  readonly says: string;
  /**
   * Whether nothing was sent, because there was no way there: the target is tried later, and it
   * counts as no attempt of this delivery.
   */
  readonly isUnsent?: boolean;
}

export interface Sender<To extends Route = Route> {
  /** Never rejects; ends within 15 s, or once `signal` aborts. */
  send(parcel: Parcel, route: To, signal: AbortSignal): Promise<Sent>;
  /** Its target is gone or goes elsewhere: what is kept open for it is closed. */
  forget(target: string): Promise<void>;
  /** All is closed; nothing is sent any more. */
  close(): Promise<void>;
}
